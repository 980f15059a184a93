import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

import { compiled } from "../repository";

/**
 * The engine's helper processes that already run, as variables for the engine's environment: it then does not start its own. A test
 * that needs a log of calls or an interruption, or that sets variables that providers read, leaves them out.
 */
export interface Resident {
  /** The provider stand-ins: a new one for each connection, so that no state carries over from one engine to the next. */
  readonly providers: Readonly<Record<string, string>>;
  /** The runner of compiled programs: loads the program's own modules anew for each run, and keeps the modules that they import. */
  readonly programs: Readonly<Record<string, string>>;
  /** The key service for new stacks, in place of a passphrase. */
  readonly keys: Readonly<Record<string, string>>;
}

export interface RunningResident {
  readonly resident: Resident;
  stop(): Promise<void>;
}

/** Starts the resident process with an environment that names the servers and where providers record unfinished operations. */
export async function startResident(env: NodeJS.ProcessEnv): Promise<RunningResident> {
  const child = spawn(process.execPath, [compiled("local/testing/resident")], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const line = await Promise.race([firstLine(child), exited.then(() => undefined)]);
  if (line === undefined) throw new Error("what is to stand for engines ended at its start");
  return {
    resident: JSON.parse(line) as Resident,
    stop: async () => {
      child.stdin.end();
      await exited;
    },
  };
}

/** The first line that a process prints, which shows that it is ready. */
export async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) return line;
  return new Promise(() => undefined);
}
