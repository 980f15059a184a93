import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

import type { Session } from "../../../local/session";

/** The program of the quick start in a process that stays, for runs that are many. */
export interface ResidentProgram {
  /** Where it listens, as the engine's option `--client` wants it. */
  readonly address: string;
  stop(): Promise<void>;
}

/** Starts the process in the session's environment. It is no part of what an engine starts, and leaves no record as if it were. */
export async function startResidentProgram(session: Session): Promise<ResidentProgram> {
  const { HYPERSHIFT_NETWORK_RECORDS: _, ...env } = session.env;
  const child = spawn(process.execPath, [join(__dirname, "programServer.cjs")], {
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const [port] = (await Promise.race([once(child.stdout, "data"), exited])) as unknown[];
  if (!(port instanceof Buffer)) throw new Error("the program's process ended at its start");
  return {
    address: `127.0.0.1:${port.toString().trim()}`,
    stop: async () => {
      child.stdin.end();
      await exited;
    },
  };
}
