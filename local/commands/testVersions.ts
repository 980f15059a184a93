import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join, resolve } from "node:path";

import { reportOn, type Report } from "../report";
import { repositoryRoot } from "../repository";
import { copyRepository } from "../repositoryCopy";
import { cachedOrMade, cacheFolder } from "../toolchain/cache";
import { run } from "../toolchain/command";
import { exitWith } from "./exit";

const HELP = `npm run test:newest [-- PATTERN...]
npm run test:lowest [-- PATTERN...]

Runs the tests with other versions of what the package depends on, in a copy of this repository in the user's cache
folder; the lock file here stays as it is.

  newest   the newest @pulumi/pulumi, which asks for Node.js 22: it is fetched where this one is older
  lowest   the lowest version that each range in "dependencies" allows; without a PATTERN the unit tests of what is
           published, because local/ is made for the locked versions. The schema for other languages stays the one that
           the locked versions make: it is made once, at release

  npm run test:lowest -- test/components test/policy`;

/** The newest SDK requires this Node.js release line; the npm package of the same version contains the binary. */
const NODE_VERSION = "22.21.1";

/** The packages that replace the locked versions, and the Node.js that runs them. */
interface Versions {
  packages: (copy: string) => readonly string[];
  /** The tests to run by default; empty for all. */
  patterns: readonly string[];
  /** The schema for other languages; by default the installed packages generate it. */
  schema?: string;
  node: (report: Report) => Promise<string>;
}

const VERSIONS: Readonly<Record<string, Versions>> = {
  newest: { packages: () => ["@pulumi/pulumi@latest"], patterns: [], node: newNode },
  lowest: {
    packages: lowestDependencies,
    patterns: ["test/(?!e2e|local|bench)"],
    schema: join(repositoryRoot, "dist", "schema.json"),
    node: () => Promise.resolve(process.execPath),
  },
};

async function main([which = "", ...args]: readonly string[]): Promise<number> {
  const versions = VERSIONS[which];
  if (versions === undefined || args.includes("--help")) {
    console.log(HELP);
    return versions === undefined && which !== "--help" ? 2 : 0;
  }
  const report = reportOn();
  const node = await versions.node(report);
  const copy = join(cacheFolder(), which);
  copyRepository(copy);
  const named = process.env.HYPERSHIFT_NETWORK_CRDS;
  const env = {
    ...process.env,
    PATH: [dirname(node), process.env.PATH].join(delimiter),
    ...(named ? { HYPERSHIFT_NETWORK_CRDS: resolve(named) } : {}),
    ...(versions.schema ? { HYPERSHIFT_NETWORK_SCHEMA: versions.schema } : {}),
  };
  const packages = versions.packages(copy);
  await report.step(`installing ${packages.join(", ")} into the copy`, () =>
    run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...packages], { cwd: copy, env }),
  );
  return runTests(node, copy, args.length > 0 ? args : versions.patterns, env);
}

/** The lowest versions that package.json allows: its ranges begin with them, as in `^3.221.0`. */
function lowestDependencies(copy: string): string[] {
  const text = readFileSync(join(copy, "package.json"), "utf8");
  const { dependencies } = JSON.parse(text) as { dependencies: Record<string, string> };
  return Object.entries(dependencies).map(([name, range]) => `${name}@${range.replace(/^\^/, "")}`);
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

function runTests(
  node: string,
  copy: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<number> {
  return new Promise((done, reject) => {
    const tests = spawn(node, [join(copy, "local", "run.mjs"), "test", ...args], {
      cwd: copy,
      env,
      stdio: "inherit",
    });
    tests.on("error", reject);
    tests.on("exit", (code) => done(code ?? 1));
  });
}

exitWith(main(process.argv.slice(2)));
