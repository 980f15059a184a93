import type { Interrupted } from "../live";

/** What somebody hears who ended a command: what is left behind, where there was something to leave, and the way out. */
export function interruptedTexts({ by, removal }: Interrupted): { what: string; fix?: string }[] {
  if (!removal) return [{ what: `ended by ${by}` }];
  if (removal.length === 0) return [{ what: `ended by ${by}, and the probes are removed` }];
  return [
    { what: `ended by ${by}` },
    ...removal.map(({ what, found, fix = "" }) => ({ what: `${what} are not removed: ${found}`, fix })),
  ];
}
