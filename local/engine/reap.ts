import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { processRuns, runningProcesses, signal } from "../servers/processes";

/**
 * Ends the plugins, policy packs and programs whose engine is gone, and waits until they are. Only processes that left
 * a record in the session's folder are touched. Returns how many there were.
 */
export async function reapOrphans(records: string): Promise<number> {
  const recorded = recordsIn(records);
  // After the records: a process that has one and is not found has ended.
  const running = new Map(runningProcesses().map((found) => [found.pid, found]));
  const orphans: number[] = [];
  for (const file of recorded) {
    const pid = Number(file);
    const parent = parentIn(join(records, file));
    // A process that ends at this moment has no record any more; one that starts has an empty one, and its engine.
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
