import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";

import { reportOn, type Report } from "../report";
import { repositoryRoot } from "../repository";
import { chooseCrds } from "../servers/crds";
import { cachedOrMade, cacheFolder } from "../toolchain/cache";
import { run } from "../toolchain/command";
import { exitWith } from "./exit";

const HELP = `npm run test:newest [-- PATTERN...]

Runs the tests with the newest @pulumi/pulumi, which asks for Node.js 22, in a copy of this repository in the user's
cache folder. The lock file here stays as it is.`;

/** The newest SDK asks for this line of Node.js; the npm package of the same version carries its program. */
const NODE_VERSION = "22.21.1";
const NOT_COPIED = new Set(["node_modules", "dist", ".git", ".hypershift-network", "coverage"]);

async function main(args: readonly string[]): Promise<number> {
  if (args.includes("--help")) {
    console.log(HELP);
    return 0;
  }
  const report = reportOn();
  const node = await newNode(report);
  const copy = join(cacheFolder(), "newest");
  copyRepository(copy);
  const env = {
    ...process.env,
    PATH: [dirname(node), process.env.PATH].join(delimiter),
    HYPERSHIFT_NETWORK_CRDS: chooseCrds().folder,
  };
  await report.step("installing the newest @pulumi/pulumi into the copy", () =>
    run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", "@pulumi/pulumi@latest"], {
      cwd: copy,
      env,
    }),
  );
  return runTests(node, copy, args, env);
}

async function newNode(report: Report): Promise<string> {
  if (Number(process.versions.node.split(".")[0]) >= 22) {
    return process.execPath;
  }
  const name = `node-${process.platform}-${process.arch}`;
  const node = join("node_modules", name, "bin", "node");
  const folder = await cachedOrMade(
    { tool: "node", version: NODE_VERSION, proof: node },
    report,
    async (root) => {
      writeFileSync(join(root, "package.json"), JSON.stringify({ private: true }));
      await report.step(`fetching Node.js ${NODE_VERSION}`, () =>
        run("npm", ["install", "--no-audit", "--no-fund", `${name}@${NODE_VERSION}`], { cwd: root }),
      );
    },
  );
  return join(folder, node);
}

/** What was installed for an earlier copy serves again; sources that are gone must not. */
function copyRepository(copy: string): void {
  mkdirSync(copy, { recursive: true });
  readdirSync(copy)
    .filter((name) => name !== "node_modules")
    .forEach((name) => rmSync(join(copy, name), { recursive: true }));
  readdirSync(repositoryRoot)
    .filter((name) => !NOT_COPIED.has(name))
    .forEach((name) => cpSync(join(repositoryRoot, name), join(copy, name), { recursive: true }));
  if (!existsSync(join(copy, "package.json"))) {
    throw new Error(`${repositoryRoot} could not be copied to ${copy}`);
  }
}

function runTests(
  node: string,
  copy: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const tests = spawn(node, [join(copy, "local", "run.mjs"), "test", ...args], {
      cwd: copy,
      env,
      stdio: "inherit",
    });
    tests.on("error", reject);
    tests.on("exit", (code) => resolve(code ?? 1));
  });
}

exitWith(main(process.argv.slice(2)));
