import type { Timing } from "./timing";

/** One line of the bench: our time or memory beside another, and the limit that they keep. */
export interface Figure {
  /** What was done: `overlap of 100,000 prefixes: which lies in which`. */
  name: string;
  ours: Timing;
  /** What it is compared with: `cidr-tools`. */
  other: string;
  theirs: Timing;
  /** Absent: milliseconds that pass. */
  unit?: "ms" | "ms of processor time" | "MB";
  limit: Limit;
}

/** What is promised. */
export type Limit =
  /** They take at least so many times our time. */
  | { fasterBy: number }
  /** We take at most so many times theirs. */
  | { atMost: number }
  /** We take at most so much, whatever they take. */
  | { within: number }
  /** We take at most so much more than they. */
  | { more: number }
  | "none";

/** The ratio of both sides, from the fastest runs: those show the least of what else the machine did. */
export function ratio({ ours, theirs, limit }: Figure, of: keyof Timing = "min"): number {
  const isOurs = limit !== "none" && ("atMost" in limit || "more" in limit);
  return isOurs ? ours[of] / theirs[of] : theirs[of] / ours[of];
}

export function keepsLimit(figure: Figure): boolean {
  const { limit, ours, theirs } = figure;
  if (limit === "none") return true;
  if ("fasterBy" in limit) return ratio(figure) >= limit.fasterBy;
  if ("atMost" in limit) return ratio(figure) <= limit.atMost;
  return "within" in limit ? ours.min <= limit.within : ours.min - theirs.min <= limit.more;
}

/** The limit in words: `at least 5`. */
export function limitText({ limit, unit = "ms" }: Figure): string {
  if (limit === "none") return "none";
  if ("fasterBy" in limit) return `at least ${limit.fasterBy}`;
  if ("atMost" in limit) return `at most ${limit.atMost}`;
  return "within" in limit ? `within ${limit.within} ${unit}` : `at most ${limit.more} ${unit} more`;
}
