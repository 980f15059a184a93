import type { Sample } from "./samples";

/** A finding or an unknown, as `check` or the pack reports it. */
export interface Said {
  rule: string;
  level: string;
  status: "violated" | "unknown";
  /** The resource's URN; empty if it concerns no resource. */
  urn: string;
  path: string;
  /** The text for people. */
  text: string;
}

/** The result of `check` for an input. */
export interface Checked {
  status: number;
  said: readonly Said[];
  /** The reasons why the input cannot be judged, and the remarks next to findings; one line each. */
  faults: readonly string[];
  notes: readonly string[];
}

/** The result of the pack for a stack. */
export interface Packed {
  /** `port-public <message for the engine>` */
  violations: readonly string[];
  /** The unknowns, in the pack's words. */
  unknown: readonly string[];
}

/** A violated invariant. */
export interface Breach {
  invariant: "throws" | "exit status" | "check and pack differ" | "silence" | "order" | "forms differ";
  /** What was observed. */
  detail: string;
}

/** A sample with the results for its unchanged form. */
export interface Baseline {
  sample: Sample;
  /** The file with its configuration. */
  config: string | undefined;
  said: readonly Said[];
  /** The results for its stack export. */
  ofExport: readonly Said[];
  notes: ReadonlySet<string>;
  /** The places that rules read, for each resource. */
  read: readonly ReadonlySet<string>[];
}
