import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir, totalmem } from "node:os";
import { join } from "node:path";

import { compiled, repositoryRoot } from "../repository";
import type { JestResult } from "./count";
import { RESULT_FILE } from "./resultReporter";

/** One run of Jest over one of the two projects of jest.config.cjs. */
export interface JestRun {
  readonly project: "unit" | "e2e";
  /** What the user gave: patterns and options of Jest. */
  readonly args: readonly string[];
  /** Load the files and count their tests without running any. */
  readonly onlyCount?: boolean;
  /** What the tests find in their environment besides. */
  readonly env?: Readonly<Record<string, string>>;
}

/** An end-to-end file takes up to 4 GB with its servers and engines. */
const BYTES_FOR_THREE_FILES = 12e9;

/**
 * Every test file loads the provider SDKs anew, and Jest lets go of few of them: unit tests run in workers that are replaced
 * when they have grown. An end-to-end file waits for servers and engines much of its time: three of them fill two cores where
 * there is memory for them. Each has a state folder of its own.
 */
export const E2E_PROCESSES = totalmem() > BYTES_FOR_THREE_FILES ? 3 : 2;
const PROCESSES = {
  unit: ["--maxWorkers=2", "--workerIdleMemoryLimit=1GB"],
  e2e: [`--maxWorkers=${E2E_PROCESSES}`, "--workerIdleMemoryLimit=2GB"],
} as const;
/** In MB, for each process; what is new has more room than by default, so that it need not be looked through so often. */
const MEMORY = ["--max-old-space-size=8192", "--max-semi-space-size=64"];

const JEST = join(repositoryRoot, "node_modules", "jest", "bin", "jest.js");
/** Each process of Jest would tell anew until when the SDK serves Node 20. */
const QUIET = { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" };

/** No test has a name that both starts after its end and is not empty. */
const MATCHES_NOTHING = "(?!)";

/** The test files of a project that the arguments choose. */
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

/** `--selectProjects` takes every word that follows: an option in between ends its list. */
function separated(args: readonly string[]): string[] {
  return args.length > 0 ? ["--ci", ...args] : [];
}
