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
