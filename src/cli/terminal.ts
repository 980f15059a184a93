import type { AheadFile } from "../plan/readAhead";
import { visibleLines } from "../text";

/** Nothing at or above the level that fails. */
export const CLEAN = 0;
/** Findings at or above it. */
export const FINDINGS = 1;
/** The input or the command line cannot be used. */
export const UNUSABLE = 2;

/** Where a command reads and writes. */
export interface Terminal {
  out(text: string): void;
  error(text: string): void;
  stdin: AsyncIterable<Buffer | string>;
  /** Whether standard output shows colours. */
  colors: boolean;
  /** Whether a user watches standard error. */
  isWatched: boolean;
  /** A large file among the arguments that is read while the command is loaded. */
  ahead?: AheadFile | undefined;
  /** Milliseconds since some moment. */
  now(): number;
}

/** Says lines on standard error. They are all that goes there: names of files, keys and what servers answer stand in them. */
export const tell = ({ error }: Pick<Terminal, "error">, said: string | readonly string[]): void => {
  const lines = typeof said === "string" ? [said] : said;
  if (lines.length > 0) error(textOfLines(lines));
};

/** A text for people on standard output. */
export const textOfLines = (lines: readonly string[]): string => `${visibleLines(lines)}\n`;

/** After this many milliseconds a user who waits wants to know for what. */
const PATIENCE = 1_000;
/** Reading more bytes takes longer than that by itself. */
const MUCH = 128 * 1024 * 1024;

/** Says on standard error what takes long, only to people at a terminal. */
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
 * Keeps running when stdout closes. A reader of the first lines, like head, closes the pipe: the command goes on,
 * because a gate has to end with its own status, and probes have to be removed. A report that is lost otherwise is no report.
 */
export const onLostOutput =
  ({ error }: Pick<Terminal, "error">, exit: (status: number) => void) =>
  ({ code = "unknown" }: NodeJS.ErrnoException): void => {
    if (code === "EPIPE") return;
    tell(
      { error },
      `hypershift-network: standard output cannot be written (${code}): the report is not whole`,
    );
    exit(UNUSABLE);
  };

/** https://no-color.org and https://force-color.org; 0 and false turn colours off, as for Node.js and supports-color. */
export function wantsColors(
  { NO_COLOR, FORCE_COLOR, TERM }: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): boolean {
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTerminal && TERM !== "dumb";
}
