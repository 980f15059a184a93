import { plural, visible, visibleLines } from "./text";

/** One thing that is wrong with an input, in the words that its reader needs. */
export interface Fault {
  /** The property, as the user writes it: `rules[3].ports[0].protocol`. */
  path: string;
  /** What is wrong, with the value in it where it is no secret: `172.16.1.1 has no mask`. */
  problem: string;
  /** The way out: `write 172.16.1.1/32`. */
  remedy: string;
  /** Id of the rule that finds the same in plans: `ovn-subnet-capacity`. Absent where none does. */
  rule?: string;
  /** What kind of fault it is, where code asks for it: nothing reads `problem`. */
  code?: string;
  /** True for a warning of what a change does, which is said when there is one. */
  ofChange?: true;
}

/** All faults of one subject: a headline and one aligned line for each fault. */
export function faultLines(subject: string, faults: readonly Fault[]): string[] {
  const places = faults.map(({ path }) => visible(path));
  const width = places.reduce((most, { length }) => Math.max(most, length), 0);
  const lines = faults.map(
    ({ problem, remedy }, at) => `  ${places[at]!.padEnd(width)}  ${problem}: ${remedy}`,
  );
  return [`${subject}: ${plural(faults.length, "fault")}`, ...lines];
}

/** The same as the message of an error. */
export const describeFaults = (subject: string, faults: readonly Fault[]): string =>
  visibleLines(faultLines(subject, faults));

/** What is wrong with a path, and the way out. */
export type PathCause = readonly [problem: string, remedy: string];

const NOT_READABLE: PathCause = ["may not be read", "change its permissions"];

const CAUSES: Readonly<Record<string, PathCause>> = {
  ENOENT: ["no such file or folder", "look at the path"],
  EISDIR: ["is a folder", "name a file"],
  ELOOP: ["is a symbolic link that leads to itself", "remove the link"],
  ENOTDIR: ["lies in a file, not in a folder", "look at the path"],
  ENAMETOOLONG: ["has a name that is too long", "look at the path"],
  ENXIO: ["is a socket", "name a file"],
  EMFILE: ["too many files are open", "raise the limit: ulimit -n"],
  ERR_INVALID_ARG_VALUE: ["has a NUL byte in its name", "look at the path"],
};

/** Why the operating system does not give a file or folder. */
export function readCause(error: unknown): PathCause {
  const code = codeOf(error);
  if (code === "EACCES" || code === "EPERM") return NOT_READABLE;
  return CAUSES[code] ?? [`cannot be read${code && ` (${code})`}`, "look at the file"];
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? "";
