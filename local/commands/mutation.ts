import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  FOLDERS,
  GOAL,
  type MutationReport,
  mutationText,
  type MutationScore,
  scoreOf,
  withScores,
} from "../mutationScores";
import { repositoryRoot } from "../repository";
import { exitWith } from "./exit";

const HELP = `npm run mutation [-- FOLDER... --OPTION=VALUE...]

Shows that the tests notice changes of the code: StrykerJS changes one operator, condition, text or value after another, and
for each runs the tests that come there. A change that every test lets pass has survived. At least 85% must not; the goal is ${GOAL}%.
The scores of the folders that were tried go into test/mutation/scores.json and docs/mutation.md.

  npm run mutation                             all, one after the other: ${FOLDERS.join(", ")}
  npm run mutation -- address                  one folder
  npm run mutation -- reachability             all folders in it
  npm run mutation -- --one-in=8               a sample: one change in eight of each folder, the same ones each time
  npm run mutation -- topology --mutate=src/topology/publishing.ts --force --concurrency=1

Options go to StrykerJS. What did not change since the last run, neither code nor tests, is not tried again: its results are in
node_modules/.cache/stryker. The survivors are listed at the end, and as a page in .hypershift-network/mutation.
Exit status: 0 every score is high enough, 1 one is not, 2 wrong usage.`;

async function main(args: readonly string[]): Promise<number> {
  if (args.includes("--help")) {
    console.log(HELP);
    return 0;
  }
  const sample = args.filter((arg) => arg.startsWith("--one-in"));
  const oneIn = sample.length > 0 ? Number(/^--one-in=([1-9]\d*)$/.exec(sample.at(-1)!)?.[1]) : undefined;
  if (Number.isNaN(oneIn)) {
    console.error(`${sample.at(-1)} is not --one-in=N, N a whole number from 1 on\n\n${HELP}`);
    return 2;
  }
  const options = args.filter((arg) => arg.startsWith("--") && !sample.includes(arg));
  const named = args.filter((arg) => !arg.startsWith("--"));
  const within = (name: string) =>
    FOLDERS.filter((folder) => folder === name || folder.startsWith(`${name}/`));
  const unknown = named.filter((name) => within(name).length === 0);
  if (unknown.length > 0) {
    console.error(`there is no mutation score of ${unknown.join(", ")}\n\n${HELP}`);
    return 2;
  }
  const low: string[] = [];
  const folders = named.length > 0 ? named.flatMap(within) : FOLDERS;
  // A run over part of a folder yields no score for it.
  const isWhole = !options.some((option) => option.startsWith("--mutate"));
  for (const folder of folders) {
    if ((await strykerOn(folder, options, oneIn)) !== 0) low.push(folder);
    if (isWhole && existsSync(reportOf(folder))) keep(folder, oneIn);
  }
  if (low.length > 0) console.error(`no sufficient mutation score: ${low.join(", ")}`);
  return low.length > 0 ? 1 : 0;
}

/** Saves the score of a folder, for programs and for people. */
function keep(folder: string, oneIn: number | undefined): void {
  const file = join(repositoryRoot, "test", "mutation", "scores.json");
  const report = JSON.parse(readFileSync(reportOf(folder), "utf8")) as MutationReport;
  const former = JSON.parse(readFileSync(file, "utf8")) as MutationScore[];
  const today = new Date().toISOString().slice(0, 10);
  const scores = withScores(former, [scoreOf(folder, report, today, oneIn)]);
  writeFileSync(file, `${JSON.stringify(scores, undefined, 2)}\n`);
  writeFileSync(join(repositoryRoot, "docs", "mutation.md"), mutationText(scores));
  console.error("written: test/mutation/scores.json and docs/mutation.md");
}

/** The file in which StrykerJS reports the outcome of each mutant in a folder: see stryker.config.mjs. */
const reportOf = (folder: string): string =>
  join(repositoryRoot, ".hypershift-network", "mutation", `${folder.replaceAll("/", "-")}.json`);

function strykerOn(folder: string, options: readonly string[], oneIn: number | undefined): Promise<number> {
  // A failed run writes no report, and an old report must not be taken for its result.
  rmSync(reportOf(folder), { force: true });
  const stryker = join(repositoryRoot, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js");
  const child = spawn(process.execPath, [stryker, "run", ...options], {
    cwd: repositoryRoot,
    env: {
      ...process.env,
      HYPERSHIFT_NETWORK_MUTATE: folder,
      ...(oneIn !== undefined && { HYPERSHIFT_NETWORK_ONE_IN: String(oneIn) }),
    },
    stdio: "inherit",
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}

exitWith(main(process.argv.slice(2)));
