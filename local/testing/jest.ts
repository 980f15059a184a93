import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";

import { compiled, repositoryRoot } from "../repository";
import type { JestResult } from "./count";
import { RESULT_FILE } from "./resultReporter";

/** A Jest run for one of the two projects of jest.config.cjs. */
export interface JestRun {
  readonly project: "unit" | "e2e";
  /** Patterns and Jest options from the user. */
  readonly args: readonly string[];
  /** Loads the files and counts their tests without running any. */
  readonly onlyCount?: boolean;
  /** Additional environment variables for the tests. */
  readonly env?: Readonly<Record<string, string>>;
}

/** An end-to-end file takes up to 4 GB with its servers and engines. */
const BYTES_FOR_THREE_FILES = 12e9;

/**
 * Every test file loads the provider SDKs again, and Jest rarely frees them: unit tests run in workers that are replaced when they
 * have grown. An end-to-end file spends much of its time waiting for servers and engines: three of them keep two cores busy if there
 * is enough memory. Each has its own state folder.
 */
export const E2E_PROCESSES = totalmem() > BYTES_FOR_THREE_FILES ? 3 : 2;
const PROCESSES = {
  unit: ["--maxWorkers=2", "--workerIdleMemoryLimit=1GB"],
  e2e: [`--maxWorkers=${E2E_PROCESSES}`, "--workerIdleMemoryLimit=2GB"],
} as const;
/** In MB, for each process; the young generation is larger than by default, so that it is collected less often. */
const MEMORY = ["--max-old-space-size=8192", "--max-semi-space-size=64"];

const JEST = join(repositoryRoot, "node_modules", "jest", "bin", "jest.js");
/** Without this every Jest process would print until when the SDK supports Node.js 20. */
const QUIET = { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" };

/** Matches no test name. */
const MATCHES_NOTHING = "(?!)";

/** The test files of a project that the arguments select. */
export function listTests(project: JestRun["project"], args: readonly string[]): Promise<string[]> {
  const options = [JEST, "--listTests", "--passWithNoTests", "--selectProjects", project, ...separated(args)];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, options, { cwd: repositoryRoot }, (error, stdout, stderr) =>
      error
        ? reject(new Error(stderr.trim()))
        : resolve(stdout.split("\n").filter((line) => line.endsWith(".test.ts"))),
    );
  });
}

/** Runs Jest on this terminal. */
export async function runJest({ project, args, onlyCount, env }: JestRun): Promise<JestResult> {
  const folder = mkdtempSync(join(tmpdir(), "hypershift-network-"));
  const file = join(folder, "result.json");
  const options = [
    "--reporters=default",
    `--reporters=${compiled("local/testing/resultReporter")}`,
    "--passWithNoTests",
    ...PROCESSES[project],
    ...(onlyCount ? [`--testNamePattern=${MATCHES_NOTHING}`] : []),
    "--selectProjects",
    project,
    ...separated(args),
  ];
  try {
    const status = await new Promise<number>((resolve, reject) => {
      const jest = spawn(process.execPath, [...MEMORY, JEST, ...options], {
        cwd: repositoryRoot,
        env: { ...process.env, ...QUIET, ...env, [RESULT_FILE]: file },
        stdio: onlyCount ? "ignore" : "inherit",
      });
      jest.on("error", reject);
      jest.on("exit", (code) => resolve(code ?? 1));
    });
    return resultIn(file, status);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function resultIn(file: string, status: number): JestResult {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as JestResult;
  } catch {
    throw new Error(`Jest ended with status ${status} and left no result`);
  }
}

/** `--selectProjects` consumes all following words: an option in between ends its list. */
function separated(args: readonly string[]): string[] {
  return args.length > 0 ? ["--ci", ...args] : [];
}
