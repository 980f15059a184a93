import type { Rule } from "./rule";

/**
 * What a rule finds, and what it takes, as YAML: objects of Kubernetes, and resources of a stack with type, name and properties.
 * A document that is neither is a part of the spec of the hosted cluster of the examples.
 */
export interface RuleExample {
  violated: string;
  mended: string;
  /** The hypershift-network.yaml beside both, where the rule needs one. */
  configuration?: string;
}

/** A rule in the list of all, with its example or why it has none. */
export type ListedRule = { rule: Rule } & (
  (RuleExample & { withoutExample?: undefined }) | { withoutExample: string }
);
