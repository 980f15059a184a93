import type { Merge } from "../../objects/sharedField";
import { visible } from "../../text";

/** A field of an object on a server that tells when another program wrote the object in between. */
export interface SharedField<Value> {
  /** The name of the object and the field, for errors. */
  readonly name: string;
  read(): Promise<{ value: Value; resourceVersion: string }>;
  /** Writes unless the object has changed since it was read; says whether it was written. */
  write(value: Value, resourceVersion: string): Promise<boolean>;
}

/** Enough for dozens of writers at once: each round one of them succeeds. */
const ATTEMPTS = 60;
const LONGEST_PAUSE_MS = 1000;

/**
 * Reads, merges and writes until no other program has written in between. Returns what then stands there. Nothing is written
 * where nothing changes, or where entries of others stand in the way.
 */
export async function compareAndSwap<Value, Entry>(
  field: SharedField<Value>,
  merge: (current: Value) => Merge<Value, Entry>,
  pause: (attempt: number) => Promise<void> = randomPause,
): Promise<{ value: Value; ours: Entry[] }> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const { value: current, resourceVersion } = await field.read();
    const { value, ours, conflicts } = merge(current);
    if (conflicts.length > 0) throw new Error(visible(`${field.name}: ${conflicts.join("; ")}`));
    const isSame = JSON.stringify(value) === JSON.stringify(current);
    if (isSame || (await field.write(value, resourceVersion))) return { value, ours };
    await pause(attempt);
  }
  throw new Error(
    visible(
      `${field.name}: another program wrote the object between each of ${ATTEMPTS} reads and writes; try again when it is calmer`,
    ),
  );
}

/** Longer from time to time, and by chance: writers that met once shall not meet again. */
function randomPause(attempt: number): Promise<void> {
  const limit = Math.min(LONGEST_PAUSE_MS, 10 * 2 ** attempt);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * limit));
}
