import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { runningProcesses } from "../../../local/servers/processes";
import type { Session } from "../../../local/session";

const LOOK_EVERY_MS = 200;
/** Not a speed limit: a process that still runs after this time does not end by itself. */
const PATIENCE_MS = 60_000;

/** Commands of the engine, its plugins, language hosts and programs that still run after a while. Empty if all have ended. */
export async function leftRunning(session: Session, patience = PATIENCE_MS): Promise<string[]> {
  const end = Date.now() + patience;
  for (;;) {
    const left = engineProcesses(session);
    if (left.length === 0 || Date.now() > end) return left;
    await sleep(LOOK_EVERY_MS);
  }
}

/**
 * What the engine of this session started, and the engine. Each inherits the session's environment, and Linux shows that
 * whatever the process has become; elsewhere the records count that such processes leave in the session's folder.
 */
function engineProcesses(session: Session): string[] {
  const folder = session.env.HYPERSHIFT_NETWORK_RECORDS ?? "";
  return process.platform === "linux" ? withSetting(folder) : recorded(folder);
}

function withSetting(folder: string): string[] {
  const setting = `HYPERSHIFT_NETWORK_RECORDS=${folder}\0`;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => `${read(`/proc/${pid}/environ`)}\0`.includes(setting))
    .map((pid) => read(`/proc/${pid}/cmdline`).replaceAll("\0", " "))
    .filter((command) => command !== "");
}

function recorded(folder: string): string[] {
  let records: string[];
  try {
    records = readdirSync(folder);
  } catch {
    return [];
  }
  return runningProcesses()
    .filter(({ pid }) => records.includes(`${pid}`))
    .map(({ command, pid }) => `${command} (${join(folder, `${pid}`)})`);
}

/** Empty if the process has ended meanwhile. */
function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
