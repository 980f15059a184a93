import { mayAnswerLater } from "./cluster";
import { LiveFault, LiveStatus, type LiveCheck } from "./liveCheck";

/** How long is waited, and who is told meanwhile. */
export interface Waiting {
  /** Milliseconds since some moment. */
  now(): number;
  /** Milliseconds. Fails where the user interrupts. */
  sleep(time: number): Promise<void>;
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
