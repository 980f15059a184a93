/** Milliseconds of something that was run several times. */
export interface Timing {
  min: number;
  median: number;
}

/** Returns the milliseconds that a function takes. */
export type Clock = (run: () => void) => number;

/** Elapsed time. */
export const elapsed: Clock = (run) => {
  const begin = performance.now();
  run();
  return performance.now() - begin;
};

/** Processor time of this process, which other load on the machine hardly affects: for long work, and for absolute limits. */
export const worked: Clock = (run) => {
  const begin = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / 1_000;
};

/** Times two functions in turn, so that the state of the machine affects both equally; the first turns warm up and do not count. */
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
