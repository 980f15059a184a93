import { spawn } from "node:child_process";
import { readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

import { repositoryRoot } from "../repository";
import { copyRepository } from "../repositoryCopy";
import type { JestReport } from "./rowTests";
import { withoutEntry, type Entry } from "./withoutEntry";

/** A copy of the repository in which entries are removed and unit tests run. */
export interface Scratch {
  /** Runs the tests in some files whose titles begin with the name of a row; stops them after `patienceMs`. */
  test(row: string, files: readonly string[], patienceMs?: number): Promise<JestReport>;
  /** Runs `work` while an entry is removed. */
  without<T>(entry: Entry, work: () => Promise<T>): Promise<T>;
}

/** The time that an endless loop costs. */
const PATIENCE_MS = 180_000;

/** Creates the copy in a folder; it uses the installed dependencies of the repository. */
export function scratchIn(folder: string): Scratch {
  copyRepository(folder);
  symlinkSync(join(repositoryRoot, "node_modules"), join(folder, "node_modules"));
  const root = realpathSync(folder);
  return {
    test: async (row, files, patienceMs = PATIENCE_MS) => {
      const pattern = ["--testNamePattern", `\\b${row} `];
      const report = await runJest(root, [...pattern, ...files.map((file) => join(root, file))], patienceMs);
      const testResults = report.testResults.map((result) => ({
        ...result,
        name: relative(root, result.name),
      }));
      return { testResults };
    },
    without: async (entry, work) => {
      const file = join(root, entry.file);
      const source = readFileSync(file, "utf8");
      writeFileSync(file, withoutEntry(source, entry));
      try {
        return await work();
      } finally {
        writeFileSync(file, source);
      }
    },
  };
}

async function runJest(root: string, args: readonly string[], timeout: number): Promise<JestReport> {
  const outputFile = join(root, "rows.json");
  rmSync(outputFile, { force: true });
  const options = [
    "--selectProjects",
    "unit",
    "--ci",
    "--runInBand",
    "--silent",
    "--json",
    "--outputFile",
    outputFile,
  ];
  const { UPDATE_GOLDEN: _, ...env } = process.env;
  const jest = spawn(process.execPath, [join(root, "node_modules/jest/bin/jest.js"), ...options, ...args], {
    cwd: root,
    env,
    stdio: "ignore",
    timeout,
    killSignal: "SIGKILL",
  });
  await new Promise((resolve, reject) => jest.on("error", reject).on("exit", resolve));
  try {
    return JSON.parse(readFileSync(outputFile, "utf8")) as JestReport;
  } catch {
    return { testResults: [] };
  }
}
