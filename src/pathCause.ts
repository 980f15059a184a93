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
