import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { timingOf, type Timing } from "../timing";

/** What one process took. */
interface Usage {
  /** Milliseconds from its start to its end. */
  took: number;
  /** Milliseconds that processors worked for it. */
  worked: number;
  /** Megabytes. */
  peak: number;
}

/** Both sides of some figures. */
export interface Measured {
  took: [ours: Timing, theirs: Timing];
  worked: [ours: Timing, theirs: Timing];
  peak: [ours: Timing, theirs: Timing];
}

/** A command line of node, and the exit statuses that are no failure. */
export interface Task {
  arguments: readonly string[];
  statuses: readonly number[];
}

/** Runs two programs in turns, each time in a new process; the first turn fills the file cache and does not count. */
export function measureInTurns(ours: Task, theirs: Task, turns: number): Measured {
  const pairs = Array.from({ length: turns + 1 }, () => [usageOf(ours), usageOf(theirs)] as const).slice(1);
  const side = (of: keyof Usage): [Timing, Timing] => [
    timingOf(pairs.map(([one]) => one[of])),
    timingOf(pairs.map(([, other]) => other[of])),
  ];
  return { took: side("took"), worked: side("worked"), peak: side("peak") };
}

function usageOf({ arguments: given, statuses }: Task): Usage {
  const begin = performance.now();
  const { output, stderr, status } = spawnSync(
    process.execPath,
    ["--require", join(__dirname, "usage.js"), ...given],
    { stdio: ["ignore", "ignore", "pipe", "pipe"], encoding: "utf8", timeout: 120_000 },
  );
  const took = performance.now() - begin;
  if (status === null || !statuses.includes(status))
    throw new Error(`node ${given.join(" ")} ended with status ${status}:\n${stderr}`);
  return { took, ...(JSON.parse(output[3] ?? "") as Omit<Usage, "took">) };
}
