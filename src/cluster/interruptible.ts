import { setTimeout as sleepUntil } from "node:timers/promises";
import { constants } from "node:os";
import { type LiveCheck, LiveFault, LiveStatus } from "./liveCluster";
import { mayAnswerLater } from "./cluster";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The current waits. They share one listener, because Node.js reports more than ten as a leak. */
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
 * Runs a function that cleans up after itself: the first signal ends its current or next pause, and
 * the second signal ends the program at once, as usual.
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

/** The same for a function without cleanup: the first signal ends it at once, even while it awaits a response. */
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
  /** The parts of the probes that could not be removed; empty if all were. Absent if none were created. */
  removal?: readonly LiveCheck[];

  constructor(readonly by: NodeJS.Signals) {
    super(by);
  }

  /** The exit status that shells expect of a program that a signal ended. */
  get status(): number {
    return 128 + constants.signals[this.by];
  }
}

/** The time for functions that wait. */
export interface Clock {
  /** Milliseconds since some moment. */
  now(): number;
  /** Milliseconds. Rejects if the user interrupts. */
  sleep(time: number): Promise<void>;
}

/** How long to wait, and what to call meanwhile. */
export interface Waiting extends Clock {
  /** The moment at which the wait ends. */
  deadline: number;
  /** Called whenever the check finds something else. */
  progress(check: Pick<LiveCheck, "what" | "found">): void;
}

/** Milliseconds between two checks. */
const PAUSE = 2_000;

/**
 * Repeats a check until it passes or the time is over; the last result counts. Retries an API server
 * that is briefly unavailable, as in a roll-out.
 *
 * @param isHopeless whether it is useless to wait for a check that did not pass @throws LiveFault if a
 * cluster refuses, or still does not answer when the time is over
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

/** The result of a check, or the fault of a cluster that may answer the next time. */
async function lookedAt<Check>(look: () => Promise<Check>): Promise<Check | LiveFault> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof LiveFault && !error.isFinal && mayAnswerLater(error.status)) return error;
    throw error;
  }
}
