import { LiveStatus, type LiveCheck } from "./liveCheck";

/** How long is waited, and who is told meanwhile. */
export interface Waiting {
  /** Milliseconds since some moment. */
  now(): number;
  /** Milliseconds. Fails where somebody interrupts. */
  sleep(time: number): Promise<void>;
  /** The moment at which nothing is waited for any more. */
  deadline: number;
  /** Told whenever what was found is something else. */
  progress(check: Pick<LiveCheck, "what" | "found">): void;
}

/** Milliseconds between two looks. */
const PAUSE = 2_000;

/**
 * Looks again and again until the check passes or the time is over; the last look counts.
 *
 * @param isHopeless whether waiting for what did not pass is of no use
 */
export async function until<Check extends Pick<LiveCheck, "what" | "found" | "status">>(
  look: () => Promise<Check>,
  waiting: Waiting,
  isHopeless: (check: Check) => boolean = () => false,
): Promise<Check> {
  let told: string | undefined;
  for (;;) {
    const check = await look();
    if (check.status === LiveStatus.Passed || waiting.now() >= waiting.deadline || isHopeless(check))
      return check;
    if (check.found !== told) waiting.progress(check);
    told = check.found;
    await waiting.sleep(Math.min(PAUSE, Math.max(0, waiting.deadline - waiting.now())));
  }
}
