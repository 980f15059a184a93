/** Milliseconds of one thing that was run many times. */
export interface Timing {
  min: number;
  median: number;
}

/** Says in milliseconds how long something takes. */
export type Clock = (run: () => void) => number;

/** The time that passes. */
export const elapsed: Clock = (run) => {
  const begin = performance.now();
  run();
  return performance.now() - begin;
};

/** The time that processors work for this process, which others on the machine hardly change: for what takes long or is limited by itself. */
export const worked: Clock = (run) => {
  const begin = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1_000;
};

/**
 * Times two things in turns, so that both meet the same state of the machine; the first turns warm up and do not count.
 */
export function timeInTurns(
  ours: () => void,
  theirs: () => void,
  turns: number,
  warmUp: number,
  clock: Clock = elapsed,
): [Timing, Timing] {
  const times: [number[], number[]] = [[], []];
  for (let turn = -warmUp; turn < turns; turn++) {
    const pair = [clock(ours), clock(theirs)];
    if (turn >= 0) pair.forEach((time, i) => times[i]!.push(time));
  }
  return [timingOf(times[0]), timingOf(times[1])];
}

export function timingOf(times: readonly number[]): Timing {
  const sorted = [...times].sort((a, b) => a - b);
  return { min: sorted[0]!, median: sorted[Math.floor(sorted.length / 2)]! };
}
