import { plural, visible, visibleLines } from "./text";

/** A fault of an input, worded for the user. */
export interface Fault {
  /** The property, as the user writes it: `rules[3].ports[0].protocol`. */
  path: string;
  /** What is wrong, including the value unless it is a secret: `172.16.1.1 has no mask`. */
  problem: string;
  /** The fix: `write 172.16.1.1/32`. */
  remedy: string;
  /** Id of the rule that finds the same fault in plans: `ovn-subnet-capacity`. Absent if no rule does. */
  rule?: string;
  /** The kind of fault, for code that needs to know it: no code reads `problem`. */
  code?: string;
  /** True for a warning about the effect of a change, which is reported only if there is a change. */
  ofChange?: true;
}

/** The faults of one subject: a headline and one aligned line for each fault. */
export function faultLines(subject: string, faults: readonly Fault[]): string[] {
  const places = faults.map(({ path }) => visible(path));
  const width = places.reduce((most, { length }) => Math.max(most, length), 0);
  const lines = faults.map(
    ({ problem, remedy }, at) => `  ${places[at]!.padEnd(width)}  ${problem}: ${remedy}`,
  );
  return [`${subject}: ${plural(faults.length, "fault")}`, ...lines];
}

/** The faults of one subject as the message of an error. */
export const describeFaults = (subject: string, faults: readonly Fault[]): string =>
  visibleLines(faultLines(subject, faults));

/** What is wrong with a path, and the fix. */
export type PathCause = readonly [problem: string, remedy: string];

const NOT_READABLE: PathCause = ["may not be read", "change its permissions"];

const CAUSES: Readonly<Record<string, PathCause>> = {
  ENOENT: ["no such file or folder", "check the path"],
  EISDIR: ["is a folder", "name a file"],
  ELOOP: ["is a symbolic link that points to itself", "remove the link"],
  ENOTDIR: ["is in a file, not in a folder", "check the path"],
  ENAMETOOLONG: ["has a name that is too long", "check the path"],
  ENXIO: ["is a socket", "name a file"],
  EMFILE: ["too many files are open", "raise the limit: ulimit -n"],
  ERR_INVALID_ARG_VALUE: ["has a NUL byte in its name", "check the path"],
};

/** Explains why the operating system refused to read a file or folder. */
export function readCause(error: unknown): PathCause {
  const code = codeOf(error);
  if (code === "EACCES" || code === "EPERM") return NOT_READABLE;
  return CAUSES[code] ?? [`cannot be read${code && ` (${code})`}`, "check the file"];
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "";
