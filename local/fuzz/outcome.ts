import type { Sample } from "./samples";

/** What one side says of one thing. */
export interface Said {
  rule: string;
  level: string;
  status: "violated" | "unknown";
  /** The resource's URN; empty where it is about none. */
  urn: string;
  path: string;
  /** As it is read by people. */
  text: string;
}

/** What `check` made of an input. */
export interface Checked {
  status: number;
  said: readonly Said[];
  /** What keeps the input from being judged, and what is said beside findings; one line each. */
  faults: readonly string[];
  notes: readonly string[];
}

/** What the pack made of a stack. */
export interface Packed {
  /** `port-public <what the engine is told>` */
  violations: readonly string[];
  /** What counts as unknown, as the pack words it. */
  unknown: readonly string[];
}

/** Something that must not be. */
export interface Breach {
  invariant: "throws" | "exit status" | "check and pack differ" | "silence" | "order" | "forms differ";
  /** What was seen. */
  detail: string;
}

/** A sample with what is said of it as it is. */
export interface Baseline {
  sample: Sample;
  /** The file with its configuration. */
  config: string | undefined;
  said: readonly Said[];
  /** The same of a stack that is there. */
  ofExport: readonly Said[];
  notes: ReadonlySet<string>;
  /** What rules read, resource by resource. */
  read: readonly ReadonlySet<string>[];
}
