import { closeSync, fstatSync, openSync, read, statSync } from "node:fs";

/** The least size worth reading ahead: smaller files are read at once. */
const LARGE = 8 * 1024 * 1024;
/** Linux reads no more in one call. */
const MOST = 2 ** 31 - 4096;

/** A large file that is read in the background. */
export interface AheadFile {
  file: string;
  /** Undefined if the file cannot be read or changes meanwhile; it then has to be read again. */
  bytes: Promise<Buffer | undefined>;
}

/** Begins to read the first large file among some paths; undefined if there is none. Never throws. */
export function readAhead(paths: readonly string[]): AheadFile | undefined {
  const file = paths.find((path) => isLarge(path));
  return file === undefined ? undefined : { file, bytes: wholeOf(file).catch(() => undefined) };
}

/** The bytes of a file that was read ahead; undefined if it still has to be read. */
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

// Does not use readFile of node:fs/promises, which reads part after part and makes no progress while modules are loaded.
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
