import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

import { compiled } from "../repository";

/**
 * What of an engine's processes stands already, as variables of the engine's environment: it then starts none of its own. A test
 * that asks for a log of calls or an interruption, or sets variables that providers read, leaves them out.
 */
export interface Resident {
  /** The stand-ins of the providers: a new one for each connection, so that nothing is left from one engine to the next. */
  readonly providers: Readonly<Record<string, string>>;
  /** The runner of compiled programs: the program's own modules are loaded anew for each run, those that it imports stay. */
  readonly programs: Readonly<Record<string, string>>;
  /** The key service of new stacks, in the place of a passphrase. */
  readonly keys: Readonly<Record<string, string>>;
}

export interface RunningResident {
  readonly resident: Resident;
  stop(): Promise<void>;
}

/** Starts them in an environment that says where the servers are, and where providers keep what they have begun. */
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

/** What a program that stays says when it is ready. */
export async function firstLine(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) return line;
  return new Promise(() => undefined);
}
