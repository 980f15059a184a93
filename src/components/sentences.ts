import type { Fault } from "../fault";

/** Findings as log lines: place, what is the matter, and the way out. */
export const sentences = (findings: readonly Fault[]): string[] =>
  findings.map(({ path, problem, remedy }) => `${path} ${problem}: ${remedy}`);
