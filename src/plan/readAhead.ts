import { closeSync, fstatSync, openSync, read, statSync } from "node:fs";

/** Smaller files are there as soon as they are asked for. */
const LARGE = 8 * 1024 * 1024;
/** Linux reads no more at once. */
const MOST = 2 ** 31 - 4096;

/** A large file that is read while something else is done. */
export interface AheadFile {
  file: string;
  /** Undefined where it cannot be read, or changes meanwhile: then it has to be read again. */
  bytes: Promise<Buffer | undefined>;
}

/** Begins to read the first large file among some paths; undefined where there is none. Nothing throws. */
export function readAhead(paths: readonly string[]): AheadFile | undefined {
  const file = paths.find((path) => isLarge(path));
  return file === undefined ? undefined : { file, bytes: wholeOf(file).catch(() => undefined) };
}

/** What was read of a file; undefined where it has to be read. */
export const bytesAhead = (ahead: AheadFile | undefined, file: string): Promise<Buffer | undefined> =>
  ahead?.file === file ? ahead.bytes : Promise.resolve(undefined);

function isLarge(path: string): boolean {
  try {
    const status = statSync(path);
    return status.isFile() && status.size >= LARGE && status.size <= MOST;
  } catch {
    return false;
  }
}

// Not readFile of node:fs/promises: it asks for part after part, and nothing answers while modules are loaded.
async function wholeOf(file: string): Promise<Buffer | undefined> {
  const descriptor = openSync(file, "r");
  try {
    const bytes = Buffer.allocUnsafeSlow(fstatSync(descriptor).size);
    const count = await new Promise<number>((resolve, reject) =>
      read(descriptor, bytes, 0, bytes.length, 0, (error, done) => (error ? reject(error) : resolve(done))),
    );
    return count === fstatSync(descriptor).size ? bytes : undefined;
  } finally {
    closeSync(descriptor);
  }
}
