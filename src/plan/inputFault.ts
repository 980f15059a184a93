/** A place in an input that keeps it from being judged. */
export interface InputFault {
  /** The file as the user named it; `stdin` for standard input. */
  file: string;
  /** From 1; absent where the whole file is at fault. */
  line?: number;
  /** From 1. */
  column?: number;
  /** What is wrong; never a value of the input, which may be a secret. */
  problem: string;
  /** The way out. */
  remedy: string;
}

/** `plan.json:3:17` */
export function placeOf({ file, line, column }: Pick<InputFault, "file" | "line" | "column">): string {
  return [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(":");
}

/** `plan.json:3:17  ends in the middle of a value: write the file anew` */
export function describeInputFault(fault: InputFault): string {
  return `${placeOf(fault)}  ${fault.problem}: ${fault.remedy}`;
}

/** The line and column, from 1, of a position in a text. */
export function lineAndColumn(text: string, position: number): { line: number; column: number } {
  const before = text.slice(0, Math.min(position, text.length));
  const lastBreak = before.lastIndexOf("\n");
  return { line: before.split("\n").length, column: before.length - lastBreak };
}
