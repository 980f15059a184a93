import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";

import Table from "cli-table3";
import colors from "picocolors";

import { inLanes } from "../inLanes";
import { reportOn } from "../report";
import { entries } from "../rows/entries";
import { type Proof, proofOf } from "../rows/proof";
import { scratchIn, type Scratch } from "../rows/scratch";
import { filesNaming, filesOfRow } from "../rows/rowTests";
import { entriesOf } from "../rows/withoutEntry";
import { exitWith } from "./exit";

const HELP = `npm run prove-rows [-- ROW...]

Shows that the tests of each row of the requirements depend on the data that the row stands on: takes each entry out of its
table in turn, in a copy of the repository, and runs the tests whose titles begin with the row's name. One of them has to fail.

  npm run prove-rows               every row: some minutes
  npm run prove-rows -- M5 M6      some rows

What is taken out stands in local/rows/entries.ts. For code there is npm run mutation.
Exit status: 0 a test failed each time, 1 one did not or a row has no test, 2 wrong usage.`;

/** For the tests of all rows, which run in one process. */
const ALL_TESTS_PATIENCE_MS = 1_800_000;

const report = reportOn();

async function main(args: readonly string[]): Promise<number> {
  if (args.includes("--help")) {
    console.log(HELP);
    return 0;
  }
  const known = Object.keys(entries);
  const unknown = args.filter((row) => !known.includes(row));
  if (unknown.length > 0) {
    console.error(`there is no data of ${unknown.join(", ")}\n\n${HELP}`);
    return 2;
  }
  const rows = args.length > 0 ? args : known;
  const folder = mkdtempSync(join(tmpdir(), "rows-"));
  try {
    const lanes = Array.from({ length: Math.min(4, availableParallelism()) }, (_, lane) =>
      scratchIn(join(folder, `${lane}`)),
    );
    const proofs = await proveAll(lanes, rows);
    console.log(table(proofs));
    const bad = proofs.filter(({ failing }) => failing === undefined);
    console.log(`${proofs.length - bad.length} of ${proofs.length} proved`);
    return bad.length === 0 ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function proveAll(lanes: readonly Scratch[], rows: readonly string[]): Promise<Proof[]> {
  const baseline = await report.step("the tests of the rows, with nothing taken out", () =>
    (lanes[0] as Scratch).test(`(${rows.join("|")})`, filesNaming(rows), ALL_TESTS_PATIENCE_MS),
  );
  if (baseline.testResults.length === 0) throw new Error("the tests of the rows did not come to an end");
  const tries = entriesOf(rows);
  let done = 0;
  return inLanes(lanes, tries, async (lane, each) => {
    const proof = await proofOf(lane, each, filesOfRow(baseline, each.row));
    const mark = proof.failing === undefined ? colors.red("✗") : colors.green("✓");
    report.say(`${mark} ${++done}/${tries.length} ${each.row} without ${each.id}`);
    return proof;
  });
}

/** A table in plain lines, so that it can be pasted into a report. */
function table(proofs: readonly Proof[]): string {
  const lines = new Table({
    head: ["row", "taken out", "failing test"],
    colWidths: [7, 48, 76],
    wordWrap: true,
    style: { head: [], border: [], compact: true },
  });
  for (const { row, what, failing, problem } of proofs)
    lines.push([row, what, failing ?? colors.red(problem ?? "")]);
  return lines.toString();
}

exitWith(main(process.argv.slice(2)));
