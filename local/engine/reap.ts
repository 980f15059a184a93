import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { processRuns, runningProcesses, signal } from "../servers/processes";

/**
 * Ends the plugins, policy packs and programs whose engine is gone, and waits until they have exited. Touches only
 * processes that left a record in the session's folder. Returns how many there were.
 */
export async function reapOrphans(records: string): Promise<number> {
  const recorded = recordsIn(records);
  // Listed after the records: a recorded process that is not found here has ended.
  const running = new Map(runningProcesses().map((found) => [found.pid, found]));
  const orphans: number[] = [];
  for (const file of recorded) {
    const pid = Number(file);
    const parent = parentIn(join(records, file));
    // A process that is ending has removed its record; one that is starting has an empty record, and its engine still runs.
    if (parent === undefined) continue;
    const found = running.get(pid);
    if (!found?.command.includes("exitWithParent")) {
      rmSync(join(records, file), { force: true });
    } else if (found.parent !== parent) {
      orphans.push(pid);
    }
  }
  for (const pid of orphans) {
    signal(pid, "SIGKILL");
    while (processRuns(pid)) {
      await sleep(20);
    }
    rmSync(join(records, `${pid}`), { force: true });
  }
  return orphans.length;
}

function parentIn(record: string): number | undefined {
  try {
    return Number(readFileSync(record, "utf8")) || undefined;
  } catch {
    return undefined;
  }
}

function recordsIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
