import { setTimeout as sleepUntil } from "node:timers/promises";
import { constants } from "node:os";
import { type LiveCheck, LiveFault, LiveStatus } from "./liveCluster";
import { mayAnswerLater } from "./cluster";

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

/** Time, for who waits. */
export interface Clock {
  /** Milliseconds since some moment. */
  now(): number;
  /** Milliseconds. Fails where the user interrupts. */
  sleep(time: number): Promise<void>;
}

/** How long is waited, and who is told meanwhile. */
export interface Waiting extends Clock {
  /** The moment at which nothing is waited for any more. */
  deadline: number;
  /** Told whenever what was found is something else. */
  progress(check: Pick<LiveCheck, "what" | "found">): void;
}

/** Milliseconds between two looks. */
const PAUSE = 2_000;

/**
 * Looks again and again until the check passes or the time is over; the last look counts. An API server that is away for a
 * moment, as in a roll-out, is asked again.
 *
 * @param isHopeless whether waiting for what did not pass is of no use
 * @throws LiveFault where a cluster refuses, or still does not answer when the time is over
 */
export async function until<Check extends Pick<LiveCheck, "what" | "found" | "status">>(
  look: () => Promise<Check>,
  waiting: Waiting,
  isHopeless: (check: Check) => boolean = () => false,
): Promise<Check> {
  let what = "waiting";
  let told: string | undefined;
  for (;;) {
    const seen = await lookedAt(look);
    const isOver = waiting.now() >= waiting.deadline;
    if (seen instanceof LiveFault && isOver) throw seen;
    if (!(seen instanceof LiveFault)) {
      if (seen.status === LiveStatus.Passed || isOver || isHopeless(seen)) return seen;
      what = seen.what;
    }
    const found = seen instanceof LiveFault ? seen.message : seen.found;
    if (found !== told) waiting.progress({ what, found });
    told = found;
    await waiting.sleep(Math.min(PAUSE, Math.max(0, waiting.deadline - waiting.now())));
  }
}

/** What a look finds, or the fault of a cluster that may answer the next time. */
async function lookedAt<Check>(look: () => Promise<Check>): Promise<Check | LiveFault> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof LiveFault && !error.isFinal && mayAnswerLater(error.status)) return error;
    throw error;
  }
}
