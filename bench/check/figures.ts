import { existsSync, mkdtempSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Figure } from "../figure";
import { writePreview } from "./generate";
import { measureInTurns, sides, type Task } from "./measure";

/** The most times the elapsed time that node needs to start and parse the file. */
const LIMITS = { small: 1.1, large: 0.75, memory: 1, help: 1.2 } as const;
/** The same limits for processor time: with a second processor, reading files and compiling run in parallel. */
const WORK = { small: 1.55, large: 1.1 } as const;
/** Bytes of a truncated preview, and the milliseconds within which `check` must reject it. */
const CUT_OFF = { size: 200e6, within: 5_000 } as const;
/** A preview larger than the longest string in Node.js, and its limits in milliseconds of processor time and in megabytes. */
const HUGE = { times: 7, within: 15_000, memory: 1_200 } as const;

const PARSE = 'JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"))';

/** `check` as users run it, compared with node parsing the same file, and help compared with node doing nothing. */
export function checkFigures(root: string, turns: number): Figure[] {
  const main = join(root, "dist", "src", "cli", "main.js");
  if (!existsSync(main)) throw new Error("dist/src/cli/main.js is missing: run `npm run build` first");
  const folder = mkdtempSync(join(tmpdir(), "hypershift-network-bench-"));
  try {
    const file = join(folder, "preview.json");
    return [
      ...previewFigures(main, file, 1, "small", turns),
      ...previewFigures(main, file, 4, "large", Math.ceil(turns / 2)),
      cutOffFigure(main, file),
      ...hugeFigures(main, file),
      helpFigure(main, 2 * turns),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const JUDGED = [0, 1];
const UNUSABLE = [2];
const checking = (main: string, file: string, statuses: readonly number[]): Task => ({
  arguments: [main, "check", file],
  statuses,
});
const parsing = (file: string): Task => ({ arguments: ["-e", PARSE, file], statuses: [0] });
const nothing: Task = { arguments: ["-e", "0"], statuses: [0] };

function previewFigures(
  main: string,
  file: string,
  times: number,
  size: keyof typeof WORK,
  turns: number,
): Figure[] {
  const { resources, rules } = writePreview(file, { times });
  const { took, worked, peak } = measureInTurns(checking(main, file, JUDGED), parsing(file), turns);
  const name = `check of ${resources} resources with ${rules} rules, ${megabytes(file)} MB`;
  const other = "node that parses the file";
  return [
    { name, ...sides(took), other, limit: { atMost: LIMITS[size] } },
    { name: "  work", ...sides(worked), other, unit: "ms of processor time", limit: { atMost: WORK[size] } },
    { name: "  peak memory", ...sides(peak), other, unit: "MB", limit: { atMost: LIMITS.memory } },
  ];
}

/** A truncated preview must be rejected quickly. */
function cutOffFigure(main: string, file: string): Figure {
  truncateSync(file, CUT_OFF.size);
  const { worked } = measureInTurns(checking(main, file, UNUSABLE), nothing, 1);
  return {
    name: `check of a preview that is cut off after ${megabytes(file)} MB`,
    ...sides(worked),
    other: "node -e 0",
    unit: "ms of processor time",
    limit: { within: CUT_OFF.within },
  };
}

function hugeFigures(main: string, file: string): Figure[] {
  writePreview(file, { times: HUGE.times });
  const { worked, peak } = measureInTurns(checking(main, file, JUDGED), nothing, 1);
  const name = `check of ${megabytes(file)} MB, more than one text holds`;
  const other = "node -e 0";
  return [
    { name, ...sides(worked), other, unit: "ms of processor time", limit: { within: HUGE.within } },
    { name: "  peak memory", ...sides(peak), other, unit: "MB", limit: { within: HUGE.memory } },
  ];
}

function helpFigure(main: string, turns: number): Figure {
  const { worked } = measureInTurns({ arguments: [main, "--help"], statuses: [0] }, nothing, turns);
  const name = "hypershift-network --help";
  return {
    name,
    ...sides(worked),
    other: "node -e 0",
    unit: "ms of processor time",
    limit: { atMost: LIMITS.help },
  };
}

const megabytes = (file: string): number => Math.round(statSync(file).size / 1e6);
