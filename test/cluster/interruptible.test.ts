import { Interrupted, interruptedAtOnce, interruptible } from "../../src/cluster/interruptible";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
const listeners = () => SIGNALS.map((signal) => process.listenerCount(signal));

/** Enough turns for anything that waits for nothing. */
const someTurns = async () => {
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate);
};

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
  ["SIGHUP", 129],
] as const)("M7 %s ends a pause immediately, and cleanup still runs", async (signal, status) => {
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
  const failed = expect(end).rejects.toBeInstanceOf(Interrupted);
  await someTurns();
  expect(cleared).toBe(true);
  await failed;
  expect(await end.catch((error: Interrupted) => error.status)).toBe(status);
  expect(listeners()).toEqual(before);
});

test("M7 a signal between two pauses ends the next one", async () => {
  const reached: string[] = [];
  const end = interruptible(async (sleep) => {
    await sleep(0);
    process.emit("SIGTERM", "SIGTERM");
    reached.push("the next pause");
    await sleep(0);
    reached.push("the end");
  });
  await expect(end).rejects.toMatchObject({ status: 143 });
  await expect(end).rejects.toBeInstanceOf(Interrupted);
  expect(reached).toEqual(["the next pause"]);
});

test("an uninterrupted wait leaves no listener behind", async () => {
  const before = listeners();
  await expect(interruptible((sleep) => sleep(1).then(() => "done"))).resolves.toBe("done");
  expect(listeners()).toEqual(before);
});

test("M7 a wait without cleanup ends immediately, even if its answer never comes", async () => {
  const before = listeners();
  const end = interruptedAtOnce(() => new Promise(() => undefined));
  process.emit("SIGINT", "SIGINT");
  let ended: unknown;
  void end.catch((error: unknown) => (ended = error));
  await someTurns();
  expect(ended).toMatchObject({ by: "SIGINT" });
  expect(await interruptedAtOnce(() => Promise.resolve("arrived"))).toBe("arrived");
  expect(listeners()).toEqual(before);
});

test("M7 one listener ends all waits at a signal, and a second signal has no listener", async () => {
  const before = listeners();
  const waits = Array.from({ length: 20 }, () => interruptible((sleep) => sleep(60_000)));
  expect(listeners()).toEqual(before.map((count) => count + 1));
  process.emit("SIGINT", "SIGINT");
  expect(listeners()).toEqual(before);
  const next = interruptible((sleep) => sleep(60_000));
  const ended = await Promise.allSettled(waits);
  expect(ended.map(({ status }) => status)).toEqual(waits.map(() => "rejected"));
  process.emit("SIGTERM", "SIGTERM");
  await expect(next).rejects.toMatchObject({ by: "SIGTERM" });
  expect(listeners()).toEqual(before);
});
