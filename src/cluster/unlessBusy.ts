import { setTimeout as sleep } from "node:timers/promises";

/** How often a server is asked that is busy, or has just started; as often as Kubernetes' own clients do. */
const TURNS = 10;

/** What a server said, and after how many milliseconds it wants to be asked again, where it did nothing. */
export interface Turn<Said> {
  answer: Said;
  wait?: number;
}

/** Asks once more whenever the server wants it, and does not go on for ever. */
export async function unlessBusy<Said>(ask: () => Promise<Turn<Said>>): Promise<Said> {
  for (let turn = 1; ; turn++) {
    const { answer, wait } = await ask();
    if (wait === undefined || turn === TURNS) return answer;
    await sleep(wait);
  }
}

const TOO_MANY_REQUESTS = 429;
/** Seconds. Who is told to wait for longer is told so, and does something else meanwhile. */
const LONGEST = 5;

/**
 * After how many milliseconds a server wants to be asked again; undefined where it did what it was asked, or does not
 * say, or wants to be left alone for long.
 *
 * @param retryAfter seconds, as the header of that name says them
 */
export function waitOf(status: number, retryAfter: string | undefined): number | undefined {
  const seconds = status === TOO_MANY_REQUESTS ? Number(retryAfter ?? NaN) : NaN;
  return seconds >= 0 && seconds <= LONGEST ? seconds * 1_000 : undefined;
}
