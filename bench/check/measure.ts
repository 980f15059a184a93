import { spawnSync } from "node:child_process";
import { closeSync, fstatSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Figure } from "../figure";
import { timingOf, type Timing } from "../timing";

/** What one process took. */
export interface Usage {
  /** Milliseconds from its start to its end. */
  took: number;
  /** Milliseconds that processors worked for it. */
  worked: number;
  /** Megabytes. */
  peak: number;
  /** Bytes that it wrote, where a file takes them. */
  written?: number;
}

/** Both sides of some figures. */
export interface Measured {
  took: [ours: Timing, theirs: Timing];
  worked: [ours: Timing, theirs: Timing];
  peak: [ours: Timing, theirs: Timing];
}

/** The two sides of a figure. */
export const sides = ([ours, theirs]: [Timing, Timing]): Pick<Figure, "ours" | "theirs"> => ({
  ours,
  theirs,
});

/** A command line of node, and the exit statuses that are no failure. */
export interface Task {
  arguments: readonly string[];
  statuses: readonly number[];
}

/** Runs two programs in turns, each time in a new process; the first turn fills the file cache and does not count. */
export function measureInTurns(ours: Task, theirs: Task, turns: number): Measured {
  const pairs = Array.from({ length: turns + 1 }, () => [usageOf(ours), usageOf(theirs)] as const).slice(1);
  const side = (of: "took" | "worked" | "peak"): [Timing, Timing] => [
    timingOf(pairs.map(([one]) => one[of])),
    timingOf(pairs.map(([, other]) => other[of])),
  ];
  return { took: side("took"), worked: side("worked"), peak: side("peak") };
}

/**
 * What one process took, from its start to its end.
 *
 * @param output the file for what it writes to standard output; absent: nothing takes that
 * @throws where it ends otherwise than it may, or takes longer than so many milliseconds
 */
export function usageOf(
  { arguments: given, statuses }: Task,
  { output: file, within = 120_000 }: { output?: string; within?: number } = {},
): Usage {
  const out = file === undefined ? undefined : openSync(file, "w");
  try {
    const begin = performance.now();
    const { output, stderr, status, signal } = spawnSync(
      process.execPath,
      ["--require", join(__dirname, "usage.js"), ...given],
      {
        stdio: ["ignore", out ?? "ignore", "pipe", "pipe"],
        encoding: "utf8",
        timeout: within,
        maxBuffer: 1 << 28,
      },
    );
    const took = performance.now() - begin;
    const command = `node ${given.join(" ")}`;
    if (signal !== null && took >= within) throw new Error(`${command} took more than ${within / 1_000} s`);
    if (status === null || !statuses.includes(status))
      throw new Error(`${command} ended with status ${status}:\n${stderr.slice(-2_000)}`);
    const usage = JSON.parse(output[3] ?? "") as Pick<Usage, "worked" | "peak">;
    return { took, ...usage, ...(out !== undefined && { written: fstatSync(out).size }) };
  } finally {
    if (out !== undefined) closeSync(out);
  }
}
