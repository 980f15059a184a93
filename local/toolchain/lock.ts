import { readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { processRuns } from "../servers/processes";
import type { Report } from "../report";

const ASK_AGAIN_MS = 500;
/** A lock file without a process id is still being written, unless it is older than this. */
const WRITTEN_WITHIN_MS = 5_000;

/** Runs `work` while holding a lock file; waits for a process that holds it, and takes the lock over if that process has died. */
export async function withLock<T>(file: string, report: Report, work: () => Promise<T>): Promise<T> {
  const release = await waitForLock(file, report);
  try {
    return await work();
  } finally {
    release();
  }
}

async function waitForLock(file: string, report: Report): Promise<() => void> {
  const first = takeLock(file);
  if (typeof first !== "number") {
    return first;
  }
  return report.step(`waiting for process ${first}, which makes the same`, async () => {
    for (;;) {
      await sleep(ASK_AGAIN_MS);
      const outcome = takeLock(file);
      if (typeof outcome !== "number") {
        return outcome;
      }
    }
  });
}

/** Acquires a lock: returns the function that releases it, or the id of the process that holds it. */
export function takeLock(file: string): (() => void) | number {
  for (;;) {
    try {
      writeFileSync(file, `${process.pid}`, { flag: "wx", mode: 0o600 });
      return () => removeIfThere(file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
        throw error;
      }
    }
    const holder = holderOf(file);
    if (holder === 0 || (holder !== undefined && processRuns(holder))) {
      return holder;
    }
    removeIfThere(file);
  }
}

/** The process in a lock file, 0 while the file is being written, undefined if no process holds it. */
function holderOf(file: string): number | undefined {
  try {
    const holder = Number(readFileSync(file, "utf8"));
    return holder || (Date.now() - statSync(file).mtimeMs < WRITTEN_WITHIN_MS ? 0 : undefined);
  } catch {
    return undefined;
  }
}

function removeIfThere(file: string): void {
  try {
    unlinkSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") {
      throw error;
    }
  }
}
