// Counts the operations of rows: how often each block of our code runs, as V8 counts it. The count is the same in every run, whatever
// else the machine does. Runs in a process with --no-opt, because optimised code does not count all blocks.
import { mkdtempSync, rmSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { program } from "../../src/cli/program";
import { showToPack } from "./packProcess";
import { commandLines, PACK, rows, type Row } from "./rows";

/** The cost of a row for one size. */
export interface Counted {
  operations: number;
  /** Characters of output. */
  written: number;
}

/** The code whose operations count: ours, and the YAML parser. */
const COUNTED = [
  `${sep}dist${sep}src${sep}`,
  `${sep}dist${sep}policy${sep}`,
  `${sep}node_modules${sep}yaml${sep}`,
];

async function run([command = "", ...rest]: readonly string[]): Promise<number> {
  if (command === PACK) return (await showToPack(rest)).length;
  let written = 0;
  const take = (text: string) => (written += text.length);
  await program({
    out: take,
    error: take,
    stdin: (async function* () {})(),
    colors: false,
    isWatched: false,
    now: () => 0,
  }).run([command, ...rest]);
  return written;
}

async function counted(session: Session, row: Row, size: number): Promise<Counted> {
  const folder = mkdtempSync(join(tmpdir(), "hypershift-network-growth-"));
  try {
    const { before, measured } = commandLines(row, size, folder);
    for (const one of before) await run(one);
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
    const written = await run(measured);
    const { result } = await session.post("Profiler.takePreciseCoverage");
    await session.post("Profiler.stopPreciseCoverage");
    const ours = result.filter(({ url }) => COUNTED.some((part) => url.includes(part)));
    const counts = ours.flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges));
    return { operations: counts.reduce((sum, { count }) => sum + count, 0), written };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Prints what each of the rows costs for each of the sizes, as JSON by row name. */
async function main([names = "", sizes = ""]: readonly string[]): Promise<void> {
  const wanted = new Set(names.split(","));
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  const found: Record<string, Counted[]> = {};
  for (const row of rows().filter(({ name }) => wanted.has(name))) {
    // Fills caches first, because work that is done only once does not depend on the size.
    await counted(session, row, 2);
    const each: Counted[] = [];
    for (const size of sizes.split(",")) each.push(await counted(session, row, Number(size)));
    found[row.name] = each;
  }
  process.stdout.write(JSON.stringify(found));
}

if (require.main === module) void main(process.argv.slice(2));
