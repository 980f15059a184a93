import { spawnSync } from "node:child_process";
import { closeSync, fstatSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Figure } from "../figure";
import { timingOf, type Timing } from "../timing";

/** The resources that a process used. */
export interface Usage {
  /** Milliseconds from its start to its end. */
  took: number;
  /** Milliseconds of processor time. */
  worked: number;
  /** Peak memory in megabytes. */
  peak: number;
  /** Bytes of its output, if it went to a file. */
  written?: number;
}

/** Both sides of several figures. */
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

/** Arguments of node, and the exit statuses that do not count as failures. */
export interface Task {
  arguments: readonly string[];
  statuses: readonly number[];
}

/** Runs two programs in turn, each time in a new process; the first turn fills the file cache and does not count. */
export function measureInTurns(ours: Task, theirs: Task, turns: number): Measured {
  const pairs = Array.from({ length: turns + 1 }, () => [usageOf(ours), usageOf(theirs)] as const).slice(1);
  const side = (of: "took" | "worked" | "peak"): [Timing, Timing] => [
    timingOf(pairs.map(([one]) => one[of])),
    timingOf(pairs.map(([, other]) => other[of])),
  ];
  return { took: side("took"), worked: side("worked"), peak: side("peak") };
}

/**
 * Measures a process from its start to its end.
 *
 * @param output the file for its standard output; by default the output is discarded
 * @throws if it ends with another status, or takes longer than `within` milliseconds
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
