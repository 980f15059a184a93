/** Milliseconds of one thing that was run many times. */
export interface Timing {
  min: number;
  median: number;
}

/**
 * Times two things in turns, so that both meet the same state of the machine; the first turns warm up and do not count.
 */
export function timeInTurns(
  ours: () => void,
  theirs: () => void,
  turns: number,
  warmUp: number,
): [Timing, Timing] {
  const times: [number[], number[]] = [[], []];
  for (let turn = -warmUp; turn < turns; turn++) {
    const pair = [elapsed(ours), elapsed(theirs)];
    if (turn >= 0) pair.forEach((time, i) => times[i]!.push(time));
  }
  return [timingOf(times[0]), timingOf(times[1])];
}

export function timingOf(times: readonly number[]): Timing {
  const sorted = [...times].sort((a, b) => a - b);
  return { min: sorted[0]!, median: sorted[Math.floor(sorted.length / 2)]! };
}

function elapsed(run: () => void): number {
  const begin = performance.now();
  run();
  return performance.now() - begin;
}
