import { setTimeout as sleepUntil } from "node:timers/promises";

import { Interrupted } from "../live";

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

/** What somebody hears who ended a command: what is left behind, where there was something to leave. */
export function interruptedTexts({ by, removal }: Interrupted): string[] {
  if (!removal) return [`ended by ${by}`];
  if (removal.length === 0) return [`ended by ${by}, and the probes are removed`];
  return [
    `ended by ${by}`,
    ...removal.map(({ what, found, fix = "" }) => `${what} are not removed: ${found}\n  fix  ${fix}`),
  ];
}
