import { plural } from "./plural";

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
}

/** All faults of one subject as text: a headline and one aligned line for each fault. */
export function describeFaults(subject: string, faults: readonly Fault[]): string {
  const width = Math.max(0, ...faults.map((fault) => fault.path.length));
  const lines = faults.map(({ path, problem, remedy }) => `  ${path.padEnd(width)}  ${problem}: ${remedy}`);
  return [`${subject}: ${plural(faults.length, "fault")}`, ...lines].join("\n");
}
