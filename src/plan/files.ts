import { isAscii, isUtf8 } from "node:buffer";
import { readdirSync, readFileSync, realpathSync, type Stats, statSync } from "node:fs";
import { readCause } from "../fault";
import type { InputFault } from "./inputs";
import { basename, dirname, extname, isAbsolute, join, relative, resolve, sep } from "node:path";

/** The path that a user writes for standard input, and its name in faults. */
export const STANDARD_INPUT = { path: "-", file: "stdin" } as const;

/** Undefined if nothing exists there, or if that is unknown; reading it reports why. */
export function statusOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** UTF-8 bytes without a byte order mark, or why they cannot be read. */
export type ReadBytes = { bytes: Buffer; fault?: undefined } | { bytes?: undefined; fault: InputFault };

/** The largest size: Node reads no more into one buffer, and positions are 32-bit numbers. */
const MOST_BYTES = 2 ** 31 - 1;

/**
 * Reads the bytes of a file and checks that they are UTF-8.
 *
 * @param there the bytes, if the file was read already
 */
export function readBytes(file: string, there?: Buffer): ReadBytes {
  try {
    if (there) return utf8(there, file);
    const status = statSync(file);
    // /dev/zero never ends.
    if (status.isBlockDevice() || (status.isCharacterDevice() && file !== "/dev/null"))
      return refused(file, "is a device", "name a file, or - for standard input");
    if (status.size > MOST_BYTES) return tooLarge(file);
    return utf8(readFileSync(file), file);
  } catch (error) {
    return { fault: unreadable(file, error) };
  }
}

/** Reads the bytes of standard input to its end. */
export async function readStandardInput(stream: AsyncIterable<Buffer | string>): Promise<ReadBytes> {
  const { file } = STANDARD_INPUT;
  try {
    const parts: Buffer[] = [];
    let size = 0;
    for await (const part of stream) {
      const bytes = typeof part === "string" ? Buffer.from(part) : part;
      size += bytes.length;
      if (size > MOST_BYTES) return tooLarge(file);
      parts.push(bytes);
    }
    return utf8(Buffer.concat(parts), file);
  } catch (error) {
    return { fault: unreadable(file, error) };
  }
}

function utf8(bytes: Buffer, file: string): ReadBytes {
  const nul = bytes.indexOf(0);
  if (startsWith(bytes, 0xff, 0xfe) || startsWith(bytes, 0xfe, 0xff) || isUtf16WithoutMark(bytes, nul))
    return refused(
      file,
      "is UTF-16, not UTF-8",
      "write it as UTF-8; in PowerShell with | Out-File -Encoding utf8",
    );
  if (nul !== -1) return refused(file, "has a NUL byte", "write it as UTF-8 text", lineAt(bytes, nul));
  // Most files are ASCII, which takes half the time to check.
  if (!isAscii(bytes) && !isUtf8(bytes))
    return refused(file, "is not UTF-8", "write it as UTF-8 text", lineOfFirstBadByte(bytes));
  return { bytes: startsWith(bytes, 0xef, 0xbb, 0xbf) ? bytes.subarray(3) : bytes };
}

const startsWith = (bytes: Buffer, ...start: number[]) =>
  start.every((byte, position) => bytes[position] === byte);

/** Whether every other byte at the beginning is NUL, as for ASCII characters in UTF-16. */
function isUtf16WithoutMark(bytes: Buffer, nul: number): boolean {
  const start = bytes.subarray(0, 16);
  return (
    nul >= 0 && nul < 2 && start.length > 1 && start.every((byte, at) => (byte === 0) === (at % 2 === nul))
  );
}

const lineAt = (bytes: Buffer, end: number): number => bytes.toString("latin1", 0, end).split("\n").length;

/** The first line that is not UTF-8. */
function lineOfFirstBadByte(bytes: Buffer): number {
  let line = 1;
  for (let from = 0; from < bytes.length; line++) {
    const end = bytes.indexOf(0x0a, from);
    const next = end === -1 ? bytes.length : end + 1;
    if (!isUtf8(bytes.subarray(from, next))) break;
    from = next;
  }
  return line;
}

const refused = (file: string, problem: string, remedy: string, line?: number): ReadBytes => ({
  fault: { file, ...(line !== undefined && { line }), problem, remedy },
});

const tooLarge = (file: string): ReadBytes => refused(file, "is larger than 2 GiB", "split it");

/** Why the operating system refused to read a file or folder. */
export function unreadable(file: string, error: unknown): InputFault {
  // An empty variable in a script becomes an empty argument.
  if (file === "") return { file: '""', problem: "is not a path", remedy: "name a file or folder" };
  const [problem, remedy] = readCause(error);
  return { file, problem, remedy };
}

/** The files in a folder that may have something to judge. */
export interface FolderFiles {
  files: string[];
  faults: InputFault[];
}

/** Whether reading a folder would read a file in it. The file need not exist yet. */
export function wouldRead(folder: string, file: string): boolean {
  try {
    const [around, inside] = [realpathSync(folder), realpathSync(dirname(resolve(file)))];
    if (!statSync(around).isDirectory()) return false;
    const steps = relative(around, join(inside, basename(file))).split(sep);
    return steps.every((step) => !isPassedOver(step)) && hasReadName(file);
  } catch {
    return false;
  }
}

const EXTENSIONS: ReadonlySet<string> = new Set([".yaml", ".yml", ".json"]);

/** The names that Kustomize looks for. */
const KUSTOMIZATIONS: ReadonlySet<string> = new Set([
  "kustomization.yaml",
  "kustomization.yml",
  "Kustomization",
]);

/** Whether a file is a kustomization. */
export const isKustomization = (file: string): boolean => KUSTOMIZATIONS.has(basename(file));

/** Whether a file in a folder is read, according to its name. */
const hasReadName = (file: string): boolean =>
  EXTENSIONS.has(extname(file).toLowerCase()) || isKustomization(file);

/** Names that tools put into folders and that the user does not mean. */
const PASSED_OVER: ReadonlySet<string> = new Set(["node_modules"]);
const isPassedOver = (name: string): boolean => name.startsWith(".") || PASSED_OVER.has(name);

/**
 * Lists the YAML and JSON files in a folder and its subfolders, sorted by name. Follows links, each folder once. A link that leads out of
 * the folder is a fault, so that someone who can write into the folder cannot make the tool read and show other files of the user.
 *
 * @param given the other inputs: links that lead into one of them are skipped, because it is read by its own name
 */
export function filesIn(folder: string, given: readonly string[] = []): FolderFiles {
  const found: FolderFiles = { files: [], faults: [] };
  collect(folder, { folder, given, seen: new Set() }, found);
  return found;
}

/** The state of reading a folder: the folder, all inputs that the user named, and the folders that were read already. */
interface Reading {
  folder: string;
  given: readonly string[];
  seen: Set<string>;
}

function collect(folder: string, reading: Reading, found: FolderFiles): void {
  try {
    // Identified by device and inode: the real path is resolved step by step, which is slow for deep folders.
    const { dev, ino } = statSync(folder);
    const real = `${dev}:${ino}`;
    if (reading.seen.has(real)) return;
    reading.seen.add(real);
    const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !isPassedOver(name));
    entries.sort(({ name: one }, { name: other }) => (one < other ? -1 : 1));
    for (const entry of entries) visit(join(folder, entry.name), entry.isSymbolicLink(), reading, found);
  } catch (error) {
    found.faults.push(unreadable(folder, error));
  }
}

/** Reads a file or folder. A broken link is a fault if its name shows that it would be read. */
function visit(path: string, isLink: boolean, reading: Reading, found: FolderFiles): void {
  const isNamed = hasReadName(path);
  try {
    const status = statSync(path);
    const isRead = status.isDirectory() || (isNamed && status.isFile());
    if (!isRead || (isLink && leadsOut(path, reading, found.faults))) return;
    if (status.isDirectory()) collect(path, reading, found);
    else found.files.push(path);
  } catch (error) {
    if (isNamed) found.faults.push(unreadable(path, error));
  }
}

function leadsOut(link: string, { folder, given }: Reading, faults: InputFault[]): boolean {
  if (isWithin(folder, link)) return false;
  if (!given.some((other) => isWithin(other, link))) faults.push(outOf(folder, link));
  return true;
}

/** Whether a path, with links resolved, is a given file or folder or is inside it. */
export function isWithin(folder: string, path: string): boolean {
  try {
    const steps = relative(realpathSync(folder), realpathSync(path));
    return steps !== ".." && !steps.startsWith(`..${sep}`) && !isAbsolute(steps);
  } catch {
    return false;
  }
}

/** The fault of a link in a folder that leads out of it. */
export const outOf = (folder: string, link: string): InputFault => ({
  file: link,
  problem: `is a symbolic link that leads out of ${folder}`,
  remedy: "replace it with its target, or name the target as an input too",
});
