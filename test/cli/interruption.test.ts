import { interruptedTexts } from "../../src/cli/verifyCommand";
import { Interrupted } from "../../src/cluster/interruptible";
import { LiveStatus } from "../../src/cluster/liveCluster";

const left = {
  id: "probe-removal",
  what: "probes in namespace verify",
  expected: "removed",
  found: "the hosted cluster denies the request",
  status: LiveStatus.Unknown,
  fix: "bind the role",
  documented: "",
};

test.each([
  ["no probes were created", undefined, [{ what: "ended by SIGINT" }]],
  ["all probes are removed", [], [{ what: "ended by SIGINT, and the probes are removed" }]],
  [
    "one probe is left",
    [left],
    [
      { what: "ended by SIGINT" },
      {
        what: "probes in namespace verify are not removed: the hosted cluster denies the request",
        fix: "bind the role",
      },
    ],
  ],
])("reports an interruption with its result if %s", (_, removal, texts) => {
  const interruption = new Interrupted("SIGINT");
  if (removal) interruption.removal = removal;
  expect(interruptedTexts(interruption)).toEqual(texts);
});
