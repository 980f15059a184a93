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
