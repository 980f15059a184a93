/** A fault that has its own test, and what that test asserts. */
export interface Row {
  fault: string;
  happens: string;
  file: string;
  /** The title of the test, or the constant part of it. */
  test: string;
}

/** Faults that are tested in their own files, by theme. The faults of test/e2e/faults.test.ts are recorded there. */
export const rows: Readonly<Record<string, readonly Row[]>> = {
  "Processes that are killed": [
    {
      fault: "`pulumi up` of the quick start: the engine is killed before a call to a provider reaches it",
      happens: "`pulumi cancel` and the next `up` create the same resources as an uninterrupted run",
      file: "test/e2e/interrupted.test.ts",
      test: "an `up` whose engine is killed before one of its calls to providers converges at the next one",
    },
    {
      fault: "the same, after a change that the engine has not recorded",
      happens: "the next `up` creates nothing twice, and a refresh finds no difference",
      file: "test/e2e/interrupted.test.ts",
      test: "an `up` whose engine is killed before it hears of a change that was made converges at the next one",
    },
    {
      fault: "an update of a cluster's subnets: the engine is killed before or after the change",
      happens: "the next `up` converges, and a refresh finds no difference",
      file: "test/e2e/interrupted.test.ts",
      test: "an update of a cluster's subnets whose engine is killed %s the change converges at the next one",
    },
    {
      fault: "`pulumi destroy`: the engine is killed before or after a deletion",
      happens: "the next `destroy` continues, and protected resources stay",
      file: "test/e2e/interrupted.test.ts",
      test: "a destroy whose engine is killed goes on at the next one, and keeps what is protected",
    },
    {
      fault:
        "a phase of a network type migration: engine and provider are killed before, between and after writes",
      happens: "the phase ends as an uninterrupted one does, and writes nothing twice",
      file: "test/e2e/networkTypeMigrationKilled.test.ts",
      test: "%s ends as it does otherwise",
    },
    {
      fault: "a phase of a network type migration loses the API server at a request",
      happens: "the next run of the phase ends with the same result, at whichever request",
      file: "test/e2e/networkTypeMigrationInterrupted.test.ts",
      test: "%s ends the same, wherever it is cut off",
    },
    {
      fault: "`verify` is killed at a request",
      happens: "the next `verify` removes what is left",
      file: "test/e2e/verifyInterrupted.test.ts",
      test: "killed %s the API server answers: the next run removes what is left",
    },
    {
      fault: "`verify` gets SIGINT or SIGTERM at a request",
      happens: "it ends at its next pause with status 130 or 143, and leaves nothing",
      file: "test/e2e/verifyInterrupted.test.ts",
      test: "%s at a request: it ends at its next pause, and leaves nothing",
    },
  ],
  "Servers that fail": [
    {
      fault: "the API server stops while `pulumi up` creates the objects of the quick start",
      happens: "`up` fails with the reason and no stack trace, and converges when the server is back",
      file: "test/e2e/interrupted.test.ts",
      test: "an `up` whose API server stops half-way fails with a reason, and converges when the API server is back",
    },
    {
      fault: "a write of `verify` is lost before or after the API server answers",
      happens: "the objects that may be left are named",
      file: "test/e2e/verifyInterrupted.test.ts",
      test: "a write that is lost %s the API server answers leaves nothing unsaid",
    },
    {
      fault: "`verify` waits for a roll-out, and the server answers 429, 500, 503 or not at all",
      happens: "it keeps waiting, and reports the answer once",
      file: "test/cluster/until.test.ts",
      test: "continues after status %s, which is reported once",
    },
    {
      fault: "`verify` waits for a roll-out, and the server answers 401, 403 or 409",
      happens: "it ends immediately with the reason",
      file: "test/cluster/until.test.ts",
      test: "ends immediately with status %d",
    },
    {
      fault: "`check --ec2`: an HTTP proxy answers instead of EC2",
      happens: "nothing is judged, and the type of the answer is named",
      file: "test/live/ec2/foreignAnswers.test.ts",
      test: "a page of a proxy is no account without groups: %s",
    },
  ],
  "Missing permissions": [
    {
      fault: "`check --live` without the role",
      happens: "all missing permissions are named, and nothing is judged",
      file: "test/e2e/checkLive.test.ts",
      test: "without the role every permission that is missing is named, and nothing is judged",
    },
    {
      fault: "`check --ec2` without the permission for one action",
      happens: "nothing is judged, and the action is named",
      file: "test/e2e/checkEc2Connections.test.ts",
      test: "without the right to %s nothing is judged, and the right is named",
    },
  ],
  "Other writers": [
    {
      fault: "the node has a taint of another hosted cluster",
      happens: "`up` fails with the conflict, and the other taint stays",
      file: "test/e2e/sharedField.test.ts",
      test: "one of another cluster is a conflict, and stays",
    },
    {
      fault: "several stacks and another program write one field at once",
      happens: "the field has all entries",
      file: "test/e2e/sharedField.test.ts",
      test: "many stacks and another writer at once leave every entry in it",
    },
    {
      fault: "another program removes an entry between two runs",
      happens: "`up --refresh` writes it again",
      file: "test/e2e/sharedField.test.ts",
      test: "one that another program took away comes back after a refresh",
    },
    {
      fault: "a rule of a group is opened by hand between two runs",
      happens: "`check --ec2` finds it, and `diff` shows it as drift",
      file: "test/e2e/checkEc2.test.ts",
      test: "what is opened by hand is found by rule and group, and shown as drift",
    },
    {
      fault: "an object is changed by hand after the plan",
      happens: "`diff --live` shows it",
      file: "test/e2e/checkLive.test.ts",
      test: "diff shows what was changed by hand after the plan",
    },
    {
      fault: "subnets of the Network operator stay after a destroy, and another stack sets others",
      happens: "its `up` meets no conflict of field managers",
      file: "test/e2e/crds.test.ts",
      test: "stay after destroy, and the next up with others meets no conflict",
    },
  ],
  Files: [
    {
      fault: "a file cannot be written completely",
      happens: "the old file stays, and no partial file is left",
      file: "test/cli/outputFile.test.ts",
      test: "a failed write keeps the old file, and leaves no other file behind",
    },
    {
      fault: "standard output closes or cannot be written",
      happens: "the command ends with its own status, or with status 2",
      file: "test/cli/lostOutput.test.ts",
      test: "ends the command with status 2 if it cannot be written",
    },
  ],
};
