import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Figure } from "./figure";
import { timingOf } from "./timing";

const AT_MOST = 1.25;

/** Loads one module in its own process, reports the milliseconds that it took, and ends everything that the module started. */
const LOADER = `
const begin = performance.now();
require(process.argv[1]);
require("node:fs").writeSync(3, String(performance.now() - begin));
process.exit(0);
`;

/** The time to load the compiled policy pack, compared with loading only @pulumi/policy, in turn. */
export function loadingFigure(root: string, turns: number): Figure {
  const pack = join(root, "dist", "policy", "index.js");
  if (!existsSync(pack)) throw new Error("dist/policy/index.js is missing: run `npm run build` first");
  const policyOnly = require.resolve("@pulumi/policy", { paths: [root] });
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let turn = -1; turn < turns; turn++) {
    const pair = [loadingTime(root, pack), loadingTime(root, policyOnly)] as const;
    if (turn < 0) continue; // the first turn fills the file cache
    ours.push(pair[0]);
    theirs.push(pair[1]);
  }
  return {
    name: "loading the policy pack",
    ours: timingOf(ours),
    other: "only @pulumi/policy",
    theirs: timingOf(theirs),
    limit: { atMost: AT_MOST },
  };
}

function loadingTime(root: string, file: string): number {
  const { output, stderr, status } = spawnSync(process.execPath, ["-e", LOADER, file], {
    cwd: root,
    stdio: ["ignore", "ignore", "pipe", "pipe"],
    encoding: "utf8",
    timeout: 60_000,
  });
  const time = Number(output[3] || NaN);
  if (status !== 0 || Number.isNaN(time)) throw new Error(`${file} does not load:\n${stderr}`);
  return time;
}
