import { join } from "node:path";
import Table from "cli-table3";
import { COMMANDS, type Command } from "../../bench/growth/dimension";
import { type Growth, growthOf, LIMIT, limitOf, ratioOf } from "../../bench/growth/measure";
import { DIMENSIONS, rows, type Row } from "../../bench/growth/rows";
import { reportOn } from "../report";
import { exitWith } from "./exit";

const HELP = `npm run growth [-- NAME...] [--part=K/N] [--list] [--json]

Doubles one property of an input at a time, before every command that reads it and before the policy pack: processor time and peak
memory may grow ${LIMIT} times at most for twice as much (n log n), or as what is printed grows; twice that where every pair of
something is judged, which stands below the table. Each size has a process of its own; what the same command takes for an input
of one is not counted. Where memory grows faster than that, it is measured again with a heap that is collected whenever it has grown
by a fifth, so that no garbage counts. Sizes are doubled until they take most of a second, or until the input has some 64 MB. What
was beyond its limit is measured up to three times more at the end: others work on the machine, too, and what grows too fast does so
each time.

  NAME        properties, commands, or both: only rows of these
  --part=K/N  every N-th row from the K-th on: N runs, on a processor core or a machine each, measure everything
  --list      the names of all properties and what they are
  --json      the rows as JSON

  npm run growth -- peerings               VPCs with peerings, before every command
  npm run growth -- prove                  every property, before prove
  npm run growth -- --part=1/2             one half of everything, beside --part=2/2
  npm run growth -- acl-rules diff prove   rules of a network ACL, before diff and prove

Exit status: 0 all limits kept, 1 a limit missed or a row not measured, 2 wrong usage.`;

/** How often a row that exceeded its limit or failed is measured again. */
const AGAIN = 3;
const ROOT = join(__dirname, "..", "..", "..");
const isCommand = (word: string): word is Command => (COMMANDS as readonly string[]).includes(word);

/** The rows that the words select; undefined if a word names nothing. */
function chosen(words: readonly string[]): Row[] | undefined {
  const commands = words.filter(isCommand);
  const names = words.filter((word) => !isCommand(word));
  if (names.some((name) => !(name in DIMENSIONS))) return undefined;
  return rows().filter(
    ({ name, command }) =>
      (commands.length === 0 || commands.includes(command)) &&
      (names.length === 0 || names.includes(name.split(" ")[0]!)),
  );
}

const PART = /^--part=([1-9]\d{0,3})\/([1-9]\d{0,3})$/;

/** Whether a row at a position is of the part that the options ask for; undefined if there is no such part. */
function partIn(options: readonly string[]): ((row: Row, position: number) => boolean) | undefined {
  const [, part, of] = options.map((one) => PART.exec(one)).find((match) => match !== null) ?? ["", "1", "1"];
  if (Number(part) > Number(of)) return undefined;
  return (_, position) => position % Number(of) === Number(part) - 1;
}

function main(given: readonly string[]): Promise<number> {
  const options = given.filter((one) => one.startsWith("--"));
  const part = partIn(options);
  const wanted = part && chosen(given.filter((one) => !one.startsWith("--")))?.filter(part);
  if (
    !wanted ||
    wanted.length === 0 ||
    options.some((one) => !["--json", "--list", "--help"].includes(one) && !PART.test(one))
  ) {
    console.error(`npm run growth does not know ${given.join(" ")}: --list prints the names\n\n${HELP}`);
    return Promise.resolve(2);
  }
  if (options.includes("--help")) return said(HELP);
  if (options.includes("--list"))
    return said(
      Object.entries(DIMENSIONS)
        .map(([name, { title }]) => `${name.padEnd(30)} ${title}`)
        .join("\n"),
    );
  const report = reportOn();
  const found = new Map<Row, Growth | string>();
  const measure = (some: readonly Row[], what: string) =>
    some.forEach((row, place) => {
      const growth = measured(row);
      found.set(row, growth);
      const line = typeof growth === "string" ? growth : lineOf(growth).join("  ");
      report.say(`${place + 1} of ${some.length}${what}  ${line}`);
    });
  measure(wanted, "");
  for (let round = 1; round <= AGAIN; round++)
    measure(
      wanted.filter((row) => !isKept(found.get(row)!)),
      `, measured again (${round})`,
    );
  const growths = [...found.values()].filter((one) => typeof one !== "string");
  const failures = [...found.values()].filter((one) => typeof one === "string");
  console.log(
    options.includes("--json") ? JSON.stringify({ growths, failures }, undefined, 2) : tableOf(growths),
  );
  failures.forEach((failure) => console.error(failure));
  return Promise.resolve([...found.values()].every(isKept) ? 0 : 1);
}

const isKept = (growth: Growth | string): boolean => typeof growth !== "string" && growth.kept;

/** How a row grows, or why it could not be measured. */
function measured(row: Row): Growth | string {
  try {
    return growthOf(ROOT, row);
  } catch (error) {
    return `${row.name} was not measured: ${(error as Error).message}`;
  }
}

function said(text: string): Promise<number> {
  console.log(text);
  return Promise.resolve(0);
}

function tableOf(growths: readonly Growth[]): string {
  const table = new Table({
    head: ["row", "number", "processors", "ratio", "peak memory", "ratio", "limit", ""],
    style: { head: [], border: [], compact: true },
    colAligns: ["left", "right", "right", "right", "right", "right", "right", "left"],
  });
  for (const growth of growths) table.push(lineOf(growth));
  const squares = new Map(growths.flatMap(({ title, pairs }) => (pairs ? [[title, pairs]] : [])));
  return [table.toString(), ...[...squares].map(([title, why]) => `${title}: ${why}`)].join("\n");
}

function lineOf(growth: Growth): string[] {
  const { row, small, large, kept } = growth;
  const ratio = (of: "worked" | "peak") => ratioOf(growth, of)?.toFixed(2) ?? "-";
  return [
    row,
    `${small.count} -> ${large.count}`,
    `${(small.worked / 1_000).toFixed(2)} -> ${(large.worked / 1_000).toFixed(2)} s`,
    ratio("worked"),
    `${small.peak.toFixed(0)} -> ${large.peak.toFixed(0)} MB`,
    ratio("peak"),
    limitOf(growth).toFixed(2),
    kept ? "kept" : "MISSED",
  ];
}

const given = process.argv.slice(2);
exitWith(main(given));
