import { Proof } from "../../src/reachability/proof/prove";
import { Zone } from "../../src/requirements/vocabulary";
import type { JudgedJourney } from "../../src/reachability/path/judge";
import { refutingPlaces, type Refuting } from "../../src/gate/refutedFlows";

/** Where commands differ, and why that is left. One that no longer occurs has to go: the command and its test fail. */
export const KNOWN = {
  "acl-and-others":
    "At network ACLs prove demands all that crosses them; check leaves out what nodes of one role send each other, because within a subnet no ACL sees it, and health checks of load balancers whose subnets the topology does not state. No plan says in which subnets the nodes are.",
} as const;

export type Known = keyof typeof KNOWN;

/** What drops a flow, where that is known to differ; undefined where any of its places is another. */
export function knownOf(flow: JudgedJourney): Known | undefined {
  if (flow.proof !== Proof.Refuted) return undefined;
  const [first, ...others] = refutingPlaces(flow).map(knownAt);
  return others.every((one) => one !== undefined) ? first : undefined;
}

/** The same of one place. */
export function knownAt({ hop, guard }: Refuting): Known | undefined {
  if (hop.kind !== "hosts" || guard.standing?.kind !== "networkAcl") return undefined;
  const isAmongNodes = hop.sources.some(({ zone }) => hop.destinations.some((other) => other.zone === zone));
  const isUnstated =
    hop.sources.length > 0 &&
    hop.sources.every(({ zone, prefixes }) => zone === Zone.LoadBalancers && !prefixes);
  return isAmongNodes || isUnstated ? "acl-and-others" : undefined;
}
