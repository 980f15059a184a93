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
