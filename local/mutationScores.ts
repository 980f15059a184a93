import { readdirSync } from "node:fs";
import { join } from "node:path";
import { markdownTable } from "../bench/table";
import { repositoryRoot } from "./repository";

const SRC = join(repositoryRoot, "src");

/** The parts of src/ that have a mutation score. The folder of the same name in test/ tests each. */
export const FOLDERS: readonly string[] = [
  "address",
  "topology",
  "flows",
  ...foldersIn(join(SRC, "reachability")).map((folder) => `reachability/${folder}`),
  // What reads the cloud and clusters, and the gate.
  "resources",
  "plan",
  "gate",
  "addressRanges",
  ...nouns(),
];

/** Folders that each hold one component and, next to it, the code that judges it. */
function nouns(): string[] {
  const isNoun = (folder: string) => {
    const names = readdirSync(join(SRC, folder));
    return names.includes("component") && names.some((name) => name.endsWith(".ts"));
  };
  return foldersIn(SRC).filter(isNoun);
}

function foldersIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.flatMap((entry) => (entry.isDirectory() ? entry.name : [])).sort();
}

/** Percentage of the mutants that tests have to detect. */
export const GOAL = 90;

/** How many mutants of one folder of src/ the tests detect. */
export interface MutationScore {
  /** `reachability/path`. */
  folder: string;
  /** The day of the run: `2026-11-30`. Later changes of the folder or its tests are not in the score. */
  measured: string;
  /** Mutants that made a test fail or time out. */
  noticed: number;
  /** Mutants that tests reached but did not detect, by kind: `{ StringLiteral: 12 }`. */
  survived: Readonly<Record<string, number>>;
  /** Mutants in code that no test reaches. */
  unreached: number;
  /** Only one mutant in this many was tried. Default: all were. */
  oneIn?: number;
}

/** The parts of a StrykerJS report that are read here. */
export interface MutationReport {
  files: Readonly<Record<string, { mutants: readonly { mutatorName: string; status: string }[] }>>;
}

const NOTICED: ReadonlySet<string> = new Set(["Killed", "Timeout"]);

/** Counts the mutants by outcome. Those that do not compile or were not tried do not count. */
export function scoreOf(
  folder: string,
  { files }: MutationReport,
  measured: string,
  oneIn?: number,
): MutationScore {
  const mutants = Object.values(files).flatMap((file) => file.mutants);
  const survived: Record<string, number> = {};
  for (const { mutatorName, status } of mutants)
    if (status === "Survived") survived[mutatorName] = (survived[mutatorName] ?? 0) + 1;
  return {
    folder,
    measured,
    noticed: mutants.filter(({ status }) => NOTICED.has(status)).length,
    survived,
    unreached: mutants.filter(({ status }) => status === "NoCoverage").length,
    ...(oneIn !== undefined && { oneIn }),
  };
}

/** Merges the scores of a run into the former ones; folders that were not tried keep theirs. */
export function withScores(
  former: readonly MutationScore[],
  scores: readonly MutationScore[],
): MutationScore[] {
  const byFolder = new Map([...former, ...scores].map((score) => [score.folder, score]));
  return [...byFolder.values()].sort((one, other) => (one.folder < other.folder ? -1 : 1));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, number) => all + number, 0);

/** docs/mutation.md: the scores as a table, with the kinds of the surviving mutants. */
export function mutationText(scores: readonly MutationScore[]): string {
  const rows = scores.map(({ folder, measured, noticed, survived, unreached, oneIn }) => {
    const kinds = Object.entries(survived).sort(([, one], [, other]) => other - one);
    const lived = sum(Object.values(survived));
    const tried = noticed + lived + unreached;
    const score = (100 * noticed) / tried;
    const most = kinds.slice(0, 3).map(([kind, count]) => `${WORDS[kind] ?? kind} ${count}`);
    return [
      `src/${folder}`,
      `${tried}${oneIn === undefined ? "" : `, one in ${oneIn}`}`,
      String(noticed),
      String(lived),
      String(unreached),
      `${score.toFixed(1)} %${score < GOAL ? " (**below**)" : ""}`,
      most.join(", "),
      measured,
    ];
  });
  const untried = FOLDERS.filter((folder) => !scores.some((score) => score.folder === folder));
  return [
    "# Mutation scores",
    "",
    "`npm run mutation` writes this page: for each folder of src/, how many changes of the code make one of its tests fail. The goal is",
    `${GOAL} %. [Contributing](contributing.md#mutation-score) describes how changes are made and which tests run. Each score is that of the`,
    "last run, on the code of that day; `npm run mutation -- FOLDER` measures a folder again. Where only one change in N was tried",
    "(`--one-in=N`), the score of all changes may differ by a few points.",
    "",
    ...markdownTable(
      [
        "folder",
        "changes",
        "noticed",
        "survived",
        "not reached",
        "score",
        "most frequent survivors",
        "measured",
      ],
      rows,
    ),
    "",
    ...(untried.length > 0 ? [`Without a score here: ${untried.join(", ")}.`, ""] : []),
    "Most survivors, and the changes that are not reached, are of these kinds:",
    "",
    "- **Texts**: the wording of a fix. The tests of a folder compare paths and problems; other tests compare the whole text, in pages and",
    "  golden files.",
    "- **Conditions** that only save work, or that guard against input that an earlier check has already refused.",
    "- **Not reached**: code that the tests of rules, commands or components run, but not those of the folder.",
    "",
  ].join("\n");
}

/** Words for StrykerJS's names of mutation kinds. */
const WORDS: Readonly<Record<string, string>> = {
  StringLiteral: "texts",
  ConditionalExpression: "conditions",
  EqualityOperator: "comparisons",
  LogicalOperator: "and/or",
  ArrayDeclaration: "lists",
  ArrowFunction: "functions",
  BlockStatement: "blocks",
  BooleanLiteral: "true/false",
  MethodExpression: "method calls",
  ObjectLiteral: "objects",
  OptionalChaining: "optional accesses",
  Regex: "regular expressions",
  ArithmeticOperator: "arithmetic",
  UnaryOperator: "signs",
  UpdateOperator: "counts",
};
