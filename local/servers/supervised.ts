import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { compiled } from "../repository";
import { processRuns, runningProcesses, signal } from "./processes";

/** A process that ends when this one does, however this one ends. */
export interface Supervised {
  /** Its process id, which is also the id of its process group. */
  readonly group: number;
  /** Its exit status, once it has ended; a crash counts as status 1. */
  readonly exited: Promise<number>;
  /** Whether it is still running. */
  running(): boolean;
  /** What it has written so far. */
  output(): string;
  /** Ends it, gracefully at first, and waits until it is gone. */
  stop(): Promise<void>;
}

export interface SuperviseOptions {
  /** Short name: its log is `<folder>/<name>.log`, its process is recorded in `<folder>/<name>.pid`. */
  readonly name: string;
  /** Folder for the log and the process record, readable only by the user. */
  readonly folder: string;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** Starts a command under a supervisor process. */
export function supervise(command: string, args: readonly string[], options: SuperviseOptions): Supervised {
  mkdirSync(options.folder, { recursive: true, mode: 0o700 });
  const log = join(options.folder, `${options.name}.log`);
  const record = join(options.folder, `${options.name}.pid`);
  const output = openSync(log, "w", 0o600);
  const child = spawn(process.execPath, [compiled("local/servers/supervisor"), command, ...args], {
    cwd: options.cwd,
    env: options.env ?? process.env,
    detached: true,
    stdio: ["pipe", output, output],
  });
  closeSync(output);
  const group = child.pid ?? 0;
  writeFileSync(record, `${group} ${command}`, { mode: 0o600 });
  let exitStatus: number | undefined;
  const exited = new Promise<number>((resolve) => {
    const end = (status: number) => {
      exitStatus ??= status;
      rmSync(record, { force: true });
      resolve(exitStatus);
    };
    child.on("error", () => end(127));
    child.on("exit", (code) => end(code ?? 1));
  });
  // A server that was not stopped must not keep the program alive: when the program ends, the pipe closes, and the server ends too.
  child.unref();
  (child.stdin as unknown as { unref(): void } | null)?.unref();
  return {
    group,
    exited,
    running: () => exitStatus === undefined,
    output: () => readFileSync(log, "utf8"),
    stop: async () => {
      child.ref();
      child.stdin?.end();
      await exited;
    },
  };
}

/** Ends the servers recorded in a folder whose supervisor was killed, and no other processes. */
export async function reapServers(folder: string): Promise<void> {
  for (const record of recordsIn(folder)) {
    const [id = "", ...command] = readFileSync(record, "utf8").split(" ");
    const members = runningProcesses().filter((running) => running.group === Number(id));
    // The group id may have been reused: the server's own command must be in the group.
    const left = members.some((running) => running.command.includes(command.join(" "))) ? members : [];
    left.forEach(({ pid }) => signal(pid, "SIGKILL"));
    while (left.some(({ pid }) => processRuns(pid))) {
      await sleep(50);
    }
    rmSync(record, { force: true });
  }
}

function recordsIn(folder: string): string[] {
  mkdirSync(dirname(folder), { recursive: true });
  try {
    return readdirSync(folder)
      .filter((file) => file.endsWith(".pid"))
      .map((file) => join(folder, file));
  } catch {
    return [];
  }
}
