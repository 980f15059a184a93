import { constants } from "node:os";
import { setTimeout as sleepUntil } from "node:timers/promises";

/** Somebody ended the command while it waited. */
export class Interrupted extends Error {
  constructor(readonly by: NodeJS.Signals) {
    super(by);
  }

  /** What shells expect of a program that a signal ended. */
  get status(): number {
    return 128 + constants.signals[this.by];
  }
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Runs something that clears up after itself: the first signal ends its next pause, or the one that it is in, and the second
 * one ends the program at once, as always.
 */
export async function interruptible<T>(
  run: (sleep: (time: number) => Promise<void>) => Promise<T>,
): Promise<T> {
  const interruption = new AbortController();
  const interrupt = (by: NodeJS.Signals) => interruption.abort(new Interrupted(by));
  for (const signal of SIGNALS) process.once(signal, interrupt);
  const { signal } = interruption;
  try {
    return await run(async (time) => {
      await sleepUntil(time, undefined, { signal }).catch(() => undefined);
      signal.throwIfAborted();
    });
  } finally {
    for (const name of SIGNALS) process.off(name, interrupt);
  }
}
