import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PlanSize } from "./generate";

/** The input of a process that is measured. */
export interface MemoryTask extends PlanSize {
  file: string;
  seed: number;
  judges: boolean;
}

/** Peak memory in megabytes of processes that parse a plan, and of processes that also judge it. */
export function peakMemory(
  text: string,
  size: PlanSize,
  seed: number,
  turns: number,
): { judging: number[]; parsing: number[] } {
  const folder = mkdtempSync(join(tmpdir(), "hypershift-network-bench-"));
  try {
    const file = join(folder, "plan.json");
    writeFileSync(file, text);
    const once = (judges: boolean) =>
      Array.from({ length: turns }, () => peakOf({ ...size, file, seed, judges }));
    return { judging: once(true), parsing: once(false) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function peakOf(task: MemoryTask): number {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(__dirname, "memoryProcess.js"), JSON.stringify(task)],
    { encoding: "utf8", timeout: 120_000 },
  );
  const peak = Number(stdout || NaN);
  if (status !== 0 || Number.isNaN(peak)) throw new Error(`memory was not measured:\n${stderr}`);
  return peak;
}
