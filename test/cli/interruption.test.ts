import { interruptedTexts, interruptible } from "../../src/cli/interruption";
import { Interrupted, LiveStatus } from "../../src/live";

const listeners = () => process.listenerCount("SIGINT") + process.listenerCount("SIGTERM");

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("%s ends a pause, and what clears up goes on", async (signal, status) => {
  const before = listeners();
  let cleared = false;
  const end = interruptible(async (sleep) => {
    try {
      await sleep(60_000);
    } finally {
      await Promise.resolve();
      cleared = true;
    }
  });
  process.emit(signal, signal);
  await expect(end).rejects.toBeInstanceOf(Interrupted);
  expect(await end.catch((error: Interrupted) => error.status)).toBe(status);
  expect(cleared).toBe(true);
  expect(listeners()).toBe(before);
});

test("a signal between two pauses ends the next one", async () => {
  const end = interruptible(async (sleep) => {
    await sleep(0);
    process.emit("SIGTERM", "SIGTERM");
    await sleep(0);
  });
  await expect(end).rejects.toBeInstanceOf(Interrupted);
});

const left = {
  id: "probe-removal",
  what: "probes in namespace verify",
  expected: "removed",
  found: "the hosted cluster forbids it",
  status: LiveStatus.Unknown,
  fix: "bind the role",
  documented: "",
};

test.each([
  ["no probes were made", undefined, ["ended by SIGINT"]],
  ["all probes are removed", [], ["ended by SIGINT, and the probes are removed"]],
  [
    "one is left",
    [left],
    [
      "ended by SIGINT",
      "probes in namespace verify are not removed: the hosted cluster forbids it\n  fix  bind the role",
    ],
  ],
])("an end where %s is told as such", (_, removal, texts) => {
  const interruption = new Interrupted("SIGINT");
  if (removal) interruption.removal = removal;
  expect(interruptedTexts(interruption)).toEqual(texts);
});

test("nothing is left behind where nobody interrupts", async () => {
  const before = listeners();
  await expect(interruptible((sleep) => sleep(1).then(() => "done"))).resolves.toBe("done");
  expect(listeners()).toBe(before);
});
