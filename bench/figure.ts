import type { Timing } from "./timing";

/** One line of the bench: our time beside another, and the limit that their ratio keeps. */
export interface Figure {
  /** What was done: `overlap of 100,000 prefixes: which lies in which`. */
  name: string;
  ours: Timing;
  /** What it is compared with: `cidr-tools`. */
  other: string;
  theirs: Timing;
  /** What is promised: they take at least so many times our time, or we take at most so many times theirs. */
  limit: { fasterBy: number } | { atMost: number } | "none";
}

/** The ratio that the limit speaks of, from the fastest runs: those show the least of what else the machine did. */
export function ratio({ ours, theirs, limit }: Figure, of: keyof Timing = "min"): number {
  return limit !== "none" && "atMost" in limit ? ours[of] / theirs[of] : theirs[of] / ours[of];
}

export function keepsLimit(figure: Figure): boolean {
  const { limit } = figure;
  if (limit === "none") return true;
  return "fasterBy" in limit ? ratio(figure) >= limit.fasterBy : ratio(figure) <= limit.atMost;
}

/** The limit in words: `at least 5`. */
export function limitText({ limit }: Figure): string {
  if (limit === "none") return "none";
  return "fasterBy" in limit ? `at least ${limit.fasterBy}` : `at most ${limit.atMost}`;
}
