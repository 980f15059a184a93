import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { repositoryRoot } from "../repository";
import { exitWith } from "./exit";

/** The parts of src/ that have a mutation score, each judged by the folder of the same name in test/. */
const FOLDERS = [
  "address",
  "topology",
  "flows",
  ...readdirSync(join(repositoryRoot, "src", "reachability")).map((folder) => `reachability/${folder}`),
];

const HELP = `npm run mutation [-- FOLDER... --OPTION=VALUE...]

Shows that the tests notice changes of the code: StrykerJS changes one operator, condition, text or value after another, and
for each runs the tests that come there. A change that every test lets pass has survived. At least 85% must not.

  npm run mutation                             all, one after the other: ${FOLDERS.join(", ")}
  npm run mutation -- address                  one folder
  npm run mutation -- reachability             all folders in it
  npm run mutation -- topology --mutate=src/topology/publishing.ts --force --concurrency=1

Options go to StrykerJS. What did not change since the last run, neither code nor tests, is not tried again: its results are in
node_modules/.cache/stryker. The survivors are listed at the end, and as a page in .hypershift-network/mutation.
Exit status: 0 every score is high enough, 1 one is not, 2 wrong usage.`;

async function main(args: readonly string[]): Promise<number> {
  if (args.includes("--help")) {
    console.log(HELP);
    return 0;
  }
  const options = args.filter((arg) => arg.startsWith("--"));
  const named = args.filter((arg) => !arg.startsWith("--"));
  const within = (name: string) =>
    FOLDERS.filter((folder) => folder === name || folder.startsWith(`${name}/`));
  const unknown = named.filter((name) => within(name).length === 0);
  if (unknown.length > 0) {
    console.error(`there is no mutation score of ${unknown.join(", ")}\n\n${HELP}`);
    return 2;
  }
  const low: string[] = [];
  for (const folder of named.length > 0 ? named.flatMap(within) : FOLDERS)
    if ((await strykerOn(folder, options)) !== 0) low.push(folder);
  if (low.length > 0) console.error(`no sufficient mutation score: ${low.join(", ")}`);
  return low.length > 0 ? 1 : 0;
}

function strykerOn(folder: string, options: readonly string[]): Promise<number> {
  const stryker = join(repositoryRoot, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js");
  const child = spawn(process.execPath, [stryker, "run", ...options], {
    cwd: repositoryRoot,
    env: { ...process.env, HYPERSHIFT_NETWORK_MUTATE: folder },
    stdio: "inherit",
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}

exitWith(main(process.argv.slice(2)));
