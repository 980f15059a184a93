import { plural } from "../text";

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

/** No user reads more, and a log takes no hundred thousand. */
const MOST_SHOWN = 100;

/** The faults that are shown, and what is said of the others. */
export function shownFaults<Fault>(faults: readonly Fault[]): { shown: readonly Fault[]; rest: string[] } {
  const more = faults.length - MOST_SHOWN;
  return {
    shown: faults.slice(0, MOST_SHOWN),
    rest:
      more > 0
        ? [`${plural(more, "fault")} more, which ${more === 1 ? "is" : "are"} not shown: mend these first`]
        : [],
  };
}

/** A line for each fault, as far as they are shown. */
export function describeInputFaults(faults: readonly InputFault[]): string[] {
  const { shown, rest } = shownFaults(faults);
  return [...shown.map(describeInputFault), ...rest];
}

/** The line and column, from 1, of a byte of UTF-8; columns count as editors and JavaScript do, in UTF-16. */
export function lineAndColumn(bytes: Buffer, position: number): { line: number; column: number } {
  let line = 1;
  let start = 0;
  for (let end = bytes.indexOf(0x0a); end !== -1 && end < position; end = bytes.indexOf(0x0a, start)) {
    line++;
    start = end + 1;
  }
  let column = 1;
  for (let at = start; at < position; at++) column += unitsOf(bytes[at]!);
  return { line, column };
}

/** Bytes that go on begin no character; those that begin four have two units. */
const unitsOf = (byte: number): number => ((byte & 0xc0) === 0x80 ? 0 : byte >= 0xf0 ? 2 : 1);
