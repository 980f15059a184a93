import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

import { supervise } from "../servers/supervised";

/** The file that a command name resolves to on a PATH, or undefined. Defaults to the user's PATH. */
export function onPath(command: string, path: string = userPath()): string | undefined {
  const endings = process.platform === "win32" ? [".exe", ".cmd", ""] : [""];
  return path
    .split(delimiter)
    .filter(Boolean)
    .flatMap((folder) => endings.map((ending) => join(folder, command + ending)))
    .find(isExecutable);
}

/** The PATH without the commands of the session that this program may run in. */
export function userPath(env: NodeJS.ProcessEnv = process.env): string {
  const bin = insideSession(env) && join(dirname(env.HYPERSHIFT_NETWORK_RECORDS ?? ""), "bin");
  return (env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== bin)
    .join(delimiter);
}

/** Whether this program was started by `npm run local -- COMMAND`, whose servers are not the user's own. */
export function insideSession(env: NodeJS.ProcessEnv = process.env): boolean {
  return env.HYPERSHIFT_NETWORK_RECORDS !== undefined;
}

/** Whether a file exists and is executable. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return existsSync(file) && statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Reading a large program that was not used for a while from a busy disk takes long. */
const OUTPUT_LIMIT_MS = 120_000;

/** The standard output of a command that normally ends at once. */
export function outputOf(command: string, args: readonly string[], env = process.env): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, [...args], { env, timeout: OUTPUT_LIMIT_MS }, (error, stdout) =>
      error ? reject(new Error(`${command} ${args.join(" ")}: ${error.message}`)) : resolve(stdout.trim()),
    );
  });
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Timeout in milliseconds. */
  readonly timeout?: number;
}

/** Runs a command that may take minutes; it ends when this program does. A failure includes the end of its output. */
export async function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "hypershift-network-"));
  const running = supervise(command, args, { ...options, name: "command", folder });
  // Keeps this program alive until the process has ended.
  const alive = setInterval(() => {}, 1 << 30);
  let timer: NodeJS.Timeout | undefined;
  try {
    const late = new Promise<"late">((resolve) => {
      timer = options.timeout === undefined ? undefined : setTimeout(() => resolve("late"), options.timeout);
    });
    const status = await Promise.race([running.exited, late]);
    if (status !== 0) {
      await running.stop();
      const reason =
        status === "late" ? `gave up after ${(options.timeout ?? 0) / 1000} s` : `status ${status}`;
      throw new Error(`${command} ${args.join(" ")}: ${reason}\n${lastLines(running.output(), 15)}`);
    }
  } finally {
    clearTimeout(timer);
    clearInterval(alive);
    rmSync(folder, { recursive: true, force: true });
  }
}

function lastLines(text: string, count: number): string {
  return text.trimEnd().split("\n").slice(-count).join("\n");
}
