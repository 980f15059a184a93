import type { Timing } from "./timing";

/** One line of the bench: our time beside another, and the limit that their ratio keeps. */
export interface Figure {
  /** What was done: `overlap of 100,000 prefixes: which lies in which`. */
  name: string;
  ours: Timing;
  /** What it is compared with: `cidr-tools`. */
  other: string;
  theirs: Timing;
  /** Their time divided by ours is at least this: `{ fasterBy: 5 }`; ours divided by theirs at most: `{ atMost: 1.25 }`. */
  limit: { fasterBy: number } | { atMost: number };
}

/** The ratio that the limit speaks of, from the fastest runs; those disturb a shared machine least. */
export function ratio({ ours, theirs, limit }: Figure, of: keyof Timing = "min"): number {
  return "fasterBy" in limit ? theirs[of] / ours[of] : ours[of] / theirs[of];
}

export function keepsLimit(figure: Figure): boolean {
  const { limit } = figure;
  return "fasterBy" in limit ? ratio(figure) >= limit.fasterBy : ratio(figure) <= limit.atMost;
}

/** The limit in words: `at least 5`. */
export function limitText({ limit }: Figure): string {
  return "fasterBy" in limit ? `at least ${limit.fasterBy}` : `at most ${limit.atMost}`;
}
