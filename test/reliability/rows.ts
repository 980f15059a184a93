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
      happens: "`pulumi cancel` and the next `up` make the same world as a run that nobody killed",
      file: "test/e2e/interrupted.test.ts",
      test: "an `up` whose engine is killed before one of its calls to providers converges at the next one",
    },
    {
      fault: "the same, when a change was made and the engine has not heard of it",
      happens: "the next `up` makes nothing twice, and a refresh finds nothing left to do",
      file: "test/e2e/interrupted.test.ts",
      test: "an `up` whose engine is killed before it hears of a change that was made converges at the next one",
    },
    {
      fault: "an update of a cluster's subnets: the engine is killed before or after the change",
      happens: "the next `up` converges, and a refresh finds nothing left to do",
      file: "test/e2e/interrupted.test.ts",
      test: "an update of a cluster's subnets whose engine is killed %s the change converges at the next one",
    },
    {
      fault: "`pulumi destroy`: the engine is killed before or after a deletion",
      happens: "the next `destroy` goes on, and what is protected stays",
      file: "test/e2e/interrupted.test.ts",
      test: "a destroy whose engine is killed goes on at the next one, and keeps what is protected",
    },
    {
      fault:
        "a phase of a network type migration: engine and provider are killed before, between and after writes",
      happens: "the phase ends as it does otherwise, and writes nothing twice",
      file: "test/e2e/networkTypeMigrationKilled.test.ts",
      test: "%s ends as it does otherwise",
    },
    {
      fault: "a phase of a network type migration is cut off from the API server at a request",
      happens: "the next run of the phase ends the same, wherever it was cut off",
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
      fault: "the API server stops while `pulumi up` makes the objects of the quick start",
      happens: "`up` fails with the reason and no stack trace, and converges when the server is back",
      file: "test/e2e/interrupted.test.ts",
      test: "an `up` whose API server stops half-way fails with a reason, and converges when the API server is back",
    },
    {
      fault: "a write of `verify` is lost before or after the API server answers",
      happens: "what may be left is named",
      file: "test/e2e/verifyInterrupted.test.ts",
      test: "a write that is lost %s the API server answers leaves nothing unsaid",
    },
    {
      fault: "`verify` waits for a roll-out, and the server answers 429, 500, 503 or not at all",
      happens: "it goes on waiting, and tells the answer once",
      file: "test/cluster/until.test.ts",
      test: "continues after status %s, which is reported once",
    },
    {
      fault: "`verify` waits for a roll-out, and the server answers 401, 403 or 409",
      happens: "it ends at once with the reason",
      file: "test/cluster/until.test.ts",
      test: "ends immediately with status %d",
    },
    {
      fault: "`check --ec2`: a proxy on the way answers in place of EC2",
      happens: "nothing is judged, and the type of the answer is named",
      file: "test/live/ec2/foreignAnswers.test.ts",
      test: "a page of a proxy is no account without groups: %s",
    },
  ],
  "Missing rights": [
    {
      fault: "`check --live` without the role",
      happens: "every permission that is missing is named, and nothing is judged",
      file: "test/e2e/checkLive.test.ts",
      test: "without the role every permission that is missing is named, and nothing is judged",
    },
    {
      fault: "`check --ec2` without the right to one action",
      happens: "nothing is judged, and the action is named",
      file: "test/e2e/checkEc2Connections.test.ts",
      test: "without the right to %s nothing is judged, and the right is named",
    },
  ],
  "Other writers": [
    {
      fault: "a taint of another hosted cluster stands on the node",
      happens: "`up` fails with the conflict, and the other taint stays",
      file: "test/e2e/sharedField.test.ts",
      test: "one of another cluster is a conflict, and stays",
    },
    {
      fault: "several stacks and another program write one field at once",
      happens: "every entry is in it",
      file: "test/e2e/sharedField.test.ts",
      test: "many stacks and another writer at once leave every entry in it",
    },
    {
      fault: "another program takes an entry away between two runs",
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
      fault: "a file cannot be written whole",
      happens: "the old file stays, and nothing lies beside it",
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
