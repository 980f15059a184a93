import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { repositoryRoot } from "../../../local/repository";

/** What happened during a fault: what the command did, and what the next run did. */
export interface Recorded {
  /** Exit status, or how the run of the engine ended. */
  ended: string;
  /** What the user saw; empty if nothing was printed. */
  said: string;
  /** The outcome of the next run; absent if there was none. */
  next?: string;
}

export const RECORDS = join(repositoryRoot, "test", "golden", "faults.json");

/** What the tests saw, by test name. */
export const recordings = (): Record<string, Recorded> =>
  existsSync(RECORDS) ? (JSON.parse(readFileSync(RECORDS, "utf8")) as Record<string, Recorded>) : {};

/**
 * Holds what happened now to what happened when docs/reliability.md was written; `UPDATE_GOLDEN=1` writes it instead. Ports, folders and
 * numbers of processes differ from run to run and are left out.
 */
export function recorded(name: string, seen: Recorded): void {
  const plain = Object.fromEntries(Object.entries(seen).map(([key, text]) => [key, settled(text as string)]));
  if (process.env.UPDATE_GOLDEN === "1") {
    const all = { ...recordings(), [name]: plain };
    const sorted = Object.fromEntries(Object.entries(all).sort(([one], [other]) => (one < other ? -1 : 1)));
    writeFileSync(RECORDS, `${JSON.stringify(sorted, undefined, 2)}\n`);
  }
  expect(plain).toEqual(recordings()[name]);
  // A stack trace is of no use to a user.
  expect(seen.said).not.toMatch(/^\s+at .*[:)]/m);
}

const settled = (text: string): string =>
  text
    .trim()
    .replace(/127\.0\.0\.1:\d+/g, "SERVER")
    .replace(/\/\S*\/faults-\w+\//g, "")
    .replace(/vpc-\w+/g, "VPC")
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID");
