import type { Fault } from "../fault";
import type { PropertyValue } from "../resources/resource";
import type { JudgedResources } from "../gate/judgedResources";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import type { RawTopology } from "../topology/rawTopology";

/** One of the two states that are compared. */
export interface Side {
  topology: NormalizedTopology;
  /** The same as it was written. */
  raw: RawTopology;
  /** What is wrong with it. */
  faults: readonly Fault[];
  /** The HostedCluster object, where the inputs hold it. */
  object?: PropertyValue;
  /** Everything beside it: policies, firewalls, NodePools. */
  judged: JudgedResources;
}

/** From where to where. */
export interface Change {
  current: Side;
  wanted: Side;
}
