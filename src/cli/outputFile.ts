import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

import { trust } from "../plan/configurationFile";
import { filesIn, STANDARD_INPUT, wouldRead, statusOf } from "../plan/files";
import { Unusable } from "./plans";
import { textOfLines, type Terminal } from "./terminal";

/** What a user writes to select standard output. */
const STANDARD_OUTPUT = "-";

/** A file that a command writes. No other code writes files. */
export class OutputFile {
  /**
   * @param inputs the files and folders that the command reads; undefined for those that were not given
   * @throws Unusable if the file is one of them, or cannot be written
   */
  constructor(
    readonly file: string,
    inputs: readonly (string | undefined)[],
  ) {
    if (this.isStandardOutput) return;
    refuseUnwritable(file);
    const named = inputs.filter((one) => one !== undefined && one !== STANDARD_INPUT.path) as string[];
    for (const input of named) refuseInput(file, input);
  }

  get isStandardOutput(): boolean {
    return this.file === STANDARD_OUTPUT;
  }

  /**
   * Writes all of the text or nothing: an existing file is replaced only when the new one is complete.
   *
   * @param done the message to print then; it is omitted if the text goes to standard output
   */
  write(text: string, done: string, terminal: Terminal): void {
    if (this.isStandardOutput) {
      terminal.out(text);
      return;
    }
    this.put(text);
    terminal.out(textOfLines([done]));
  }

  /** Writes without a message. */
  put(text: string): void {
    try {
      writeWhole(this.file, text);
    } catch (error) {
      throw unwritable(this.file, error);
    }
  }
}

function refuseInput(file: string, input: string): void {
  const output = statusOf(file);
  const read = statusOf(input)?.isDirectory() ? filesIn(input).files : [input];
  const taken = output?.isFile() ? read.find((one) => isSame(output, statusOf(one))) : undefined;
  const problem =
    taken !== undefined
      ? `is ${taken === file ? "an input" : `${taken}, an input,`} and would be overwritten`
      : [file, targetOf(file)].some((one) => wouldRead(input, one))
        ? `is in the input ${input}, which would be read with it`
        : undefined;
  if (problem !== undefined) throw new Unusable([`${file}  ${problem}: name another file to write`]);
}

const isSame = (one: Stats, other: Stats | undefined): boolean =>
  one.ino === other?.ino && one.dev === other.dev;

/** Refuses what cannot be written before anything is read and judged. */
function refuseUnwritable(file: string): void {
  try {
    const target = targetOf(file);
    const status = statusOf(target);
    if (status?.isDirectory()) throw Object.assign(new Error(), { code: "EISDIR" });
    if (status) accessSync(target, constants.W_OK);
    if (!status || status.isFile()) accessSync(`${dirname(target)}/`, constants.W_OK);
  } catch (error) {
    throw unwritable(file, error);
  }
}

function writeWhole(file: string, text: string): void {
  const target = targetOf(file);
  const status = statusOf(target);
  // Devices, pipes and shell substitutes for files are written directly.
  if (status && !status.isFile()) {
    writeFileSync(target, text);
    return;
  }
  const part = join(dirname(target), `.${basename(target).slice(0, 50)}.${process.pid}-${Date.now()}.part`);
  try {
    // Nobody can read the new text before it has the old file's permissions; a new file gets those of the umask.
    writeFileSync(part, text, { flag: "wx", flush: true, ...(status && { mode: 0o600 }) });
    if (status) chmodSync(part, status.mode & 0o777);
    renameSync(part, target);
  } catch (error) {
    rmSync(part, { force: true });
    throw error;
  }
}

/** The file behind symbolic links, which are kept. The file need not exist yet. In a shared folder a link may be somebody's trap. */
function targetOf(file: string, links = 0): string {
  const link = lstatSync(file, { throwIfNoEntry: false });
  if (!link?.isSymbolicLink()) return resolve(file);
  if (!trust()(link.uid)) throw Object.assign(new Error(), { code: STRANGE_LINK });
  if (links > MOST_LINKS) throw Object.assign(new Error(), { code: "ELOOP" });
  // Links in /dev/fd and /proc are resolved by the kernel: their text is not a path that could be followed.
  const status = statusOf(file);
  if (status && !status.isFile()) return file;
  return targetOf(resolve(dirname(file), readlinkSync(file)), links + 1);
}

const MOST_LINKS = 40;

const STRANGE_LINK = "STRANGE_LINK";

const NO_PERMISSION = [
  "is not writable",
  "change its permissions or those of its folder, or name another file",
] as const;

const CAUSES: Readonly<Record<string, readonly [problem: string, remedy: string]>> = {
  ENOENT: ["is in a folder that does not exist", "create the folder, or name a file in one that exists"],
  ENOTDIR: ["is in a file, not in a folder", "check the path"],
  EISDIR: ["is a folder", "name a file in it"],
  EACCES: NO_PERMISSION,
  EPERM: NO_PERMISSION,
  EROFS: ["is on a read-only file system", "name a file elsewhere"],
  ENOSPC: ["does not fit: the disk is full", "free some space, or name a file elsewhere"],
  EDQUOT: ["does not fit: the disk quota is exceeded", "free some space, or name a file elsewhere"],
  [STRANGE_LINK]: ["is a symbolic link of another user", "remove the link, or name its target"],
  ELOOP: ["is a symbolic link that points to itself", "remove the link"],
  ENAMETOOLONG: ["has a name that is too long", "use a shorter name"],
  ERR_INVALID_ARG_VALUE: ["has a NUL byte in its name", "check the path"],
};

function unwritable(file: string, error: unknown): Unusable {
  const { code = "" } = error as NodeJS.ErrnoException;
  const [problem, remedy] = CAUSES[code] ?? [
    `cannot be written${code && ` (${code})`}`,
    "name another file to write",
  ];
  return new Unusable([`${file}  ${problem}: ${remedy}`]);
}
