import { setTimeout as sleepUntil } from "node:timers/promises";
import { constants } from "node:os";
import type { LiveCheck } from "./liveCheck";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** What waits now. One listener hears for all: Node.js takes more than ten for a leak. */
const waiting = new Set<AbortController>();

function interrupt(by: NodeJS.Signals): void {
  const ended = [...waiting];
  waiting.clear();
  listenNoMore();
  for (const one of ended) one.abort(new Interrupted(by));
}

function listenNoMore(): void {
  for (const signal of SIGNALS) process.off(signal, interrupt);
}

/**
 * Runs something that clears up after itself: the first signal ends its next pause, or the one that it is in, and the second
 * one ends the program at once, as always.
 */
export async function interruptible<T>(
  run: (sleep: (time: number) => Promise<void>, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const interruption = new AbortController();
  if (waiting.size === 0) for (const name of SIGNALS) process.on(name, interrupt);
  waiting.add(interruption);
  const { signal } = interruption;
  try {
    return await run(async (time) => {
      await sleepUntil(time, undefined, { signal }).catch(() => undefined);
      signal.throwIfAborted();
    }, signal);
  } finally {
    waiting.delete(interruption);
    if (waiting.size === 0) listenNoMore();
  }
}

/** The same for something that has nothing to clear up: the first signal ends it at once, an answer that is awaited included. */
export const interruptedAtOnce = <T>(
  run: (sleep: (time: number) => Promise<void>) => Promise<T>,
): Promise<T> =>
  interruptible((sleep, signal) => {
    const interruption = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason as Interrupted));
    });
    return Promise.race([run(sleep), interruption]);
  });

/** The user ended the wait. */
export class Interrupted extends Error {
  /** What of the probes could not be removed; none where all are. Absent where none were made. */
  removal?: readonly LiveCheck[];

  constructor(readonly by: NodeJS.Signals) {
    super(by);
  }

  /** What shells expect of a program that a signal ended. */
  get status(): number {
    return 128 + constants.signals[this.by];
  }
}
