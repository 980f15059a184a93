import type { AheadFile } from "../plan/readAhead";
import { visibleLines } from "../text";

/** Exit status: no finding at or above the failing level. */
export const CLEAN = 0;
/** Exit status: findings at or above the failing level. */
export const FINDINGS = 1;
/** Exit status: the input or the command line cannot be used. */
export const UNUSABLE = 2;

/** Where a command reads and writes. */
export interface Terminal {
  out(text: string): void;
  error(text: string): void;
  stdin: AsyncIterable<Buffer | string>;
  /** Whether standard output shows colors. */
  colors: boolean;
  /** Whether a user watches standard error. */
  isWatched: boolean;
  /** A large file among the arguments that is read while the command is loaded. */
  ahead?: AheadFile | undefined;
  /** Milliseconds since an arbitrary moment. */
  now(): number;
}

/** Prints lines to standard error with invisible characters escaped: they may contain file names, keys and answers of servers. */
export const tell = ({ error }: Pick<Terminal, "error">, said: string | readonly string[]): void => {
  const lines = typeof said === "string" ? [said] : said;
  if (lines.length > 0) error(textOfLines(lines));
};

/** Prints what the user should know although nothing is wrong. */
export const tellNotes = (terminal: Pick<Terminal, "error">, notes: readonly string[]): void =>
  tell(terminal, notes.map(noteLine));

export const noteLine = (note: string): string => `note  ${note}`;

/** Formats text for people on standard output. */
export const textOfLines = (lines: readonly string[]): string => `${visibleLines(lines)}\n`;

/** Milliseconds after which progress is reported. */
const PATIENCE = 1_000;
/** Number of bytes that take longer than that to read. */
const MUCH = 128 * 1024 * 1024;

/** Reports long operations on standard error, only at a terminal. */
export class Progress {
  readonly #start: number;

  constructor(readonly terminal: Terminal) {
    this.#start = terminal.now();
  }

  reading(file: string, bytes = 0): void {
    const size = bytes >= 1024 * 1024 ? ` (${Math.round(bytes / 1024 / 1024)} MiB)` : "";
    this.#say(`reading ${file}${size}`, bytes > MUCH);
  }

  judging(resources: number): void {
    this.#say(`judging ${resources} resources`);
  }

  #say(what: string, isLong = false): void {
    const { terminal } = this;
    if (terminal.isWatched && (isLong || terminal.now() - this.#start > PATIENCE))
      tell(terminal, `hypershift-network: ${what} ...`);
  }
}

/**
 * Handles errors of standard output. If a reader such as `head` closes the pipe, the command goes on, because a gate must end with its own
 * exit status and probes must be removed. After any other error the report is incomplete, so the process exits.
 */
export const onLostOutput =
  ({ error }: Pick<Terminal, "error">, exit: (status: number) => void) =>
  ({ code = "unknown" }: NodeJS.ErrnoException): void => {
    if (code === "EPIPE") return;
    tell(
      { error },
      `hypershift-network: standard output cannot be written (${code}): the report is incomplete`,
    );
    exit(UNUSABLE);
  };

/** See https://no-color.org and https://force-color.org; 0 and false disable colors, as in Node.js and supports-color. */
export function wantsColors(
  { NO_COLOR, FORCE_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): boolean {
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTerminal && TERM !== "dumb";
}
