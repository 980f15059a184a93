import type { Fault } from "../../fault";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import type { Step } from "../runBook";
import type { Change } from "../patches";

/** A step whose place among the others is still open. */
export interface Draft extends Omit<Step, "number"> {
  /** The properties that it carries out, by their places in the topology. */
  facets: string[];
}

/** What the makers of steps look at. */
export interface Way {
  current: NormalizedTopology;
  /** The wanted topology as far as this cluster can get there. */
  reachable: NormalizedTopology;
  /** Places in the topology that differ between the two. */
  differing: readonly string[];
  change: Change;
  /** What is wrong with the reachable topology. */
  mixed: readonly Fault[];
}

/** The places that differ and belong to some properties. */
export const differingOf = ({ differing }: Way, ...properties: readonly string[]): string[] =>
  differing.filter((facet) =>
    properties.some((property) => facet === property || facet.startsWith(`${property}.`)),
  );

export const keyOf = ({ namespace, name }: NormalizedTopology): string => `${namespace}/${name}`;
