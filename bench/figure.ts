import type { Timing } from "./timing";

/** One line of the benchmark: our time or memory next to a peer's, and the limit. */
export interface Figure {
  /** What was measured: `overlap of 100,000 prefixes: which lies in which`. */
  name: string;
  ours: Timing;
  /** The peer: `cidr-tools`. */
  other: string;
  theirs: Timing;
  /** Default: milliseconds of elapsed time. */
  unit?: "ms" | "ms of processor time" | "MB";
  limit: Limit;
}

/** The promised limit. */
export type Limit =
  /** The peer takes at least this many times as long as we do. */
  | { fasterBy: number }
  /** We take at most this many times as much as the peer. */
  | { atMost: number }
  /** We take at most this much, whatever the peer takes. */
  | { within: number }
  /** We take at most this much more than the peer. */
  | { more: number }
  | "none";

/** The ratio of both sides, from the fastest runs: other load on the machine affects those least. */
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
