import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureInTurns, type Task, usageOf } from "../check/measure";
import type { Figure } from "../figure";

const CLUSTERS = 200;
const AT_MOST = 1.1;

/** The security groups of many hosted clusters by the component, beside a program that writes the same resources out. */
export function componentsFigure(turns: number): Figure {
  const folder = mkdtempSync(join(tmpdir(), "components-bench-"));
  const program = join(__dirname, "program.js");
  const made = join(folder, "made.json");
  const task = (...args: string[]): Task => ({ arguments: [program, ...args], statuses: [0] });
  try {
    usageOf(task("components", made, String(CLUSTERS)));
    const { worked } = measureInTurns(task("components", "", String(CLUSTERS)), task("raw", made), turns);
    return {
      name: `security groups of ${CLUSTERS} hosted clusters by the component`,
      ours: worked[0],
      other: "the same resources, written out",
      theirs: worked[1],
      unit: "ms of processor time",
      limit: { atMost: AT_MOST },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
