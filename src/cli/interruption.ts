import type { Interrupted } from "../live";

/** What somebody hears who ended a command: what is left behind, where there was something to leave. */
export function interruptedTexts({ by, removal }: Interrupted): string[] {
  if (!removal) return [`ended by ${by}`];
  if (removal.length === 0) return [`ended by ${by}, and the probes are removed`];
  return [
    `ended by ${by}`,
    ...removal.map(({ what, found, fix = "" }) => `${what} are not removed: ${found}\n  fix  ${fix}`),
  ];
}
