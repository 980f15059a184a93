import { Proof } from "../../src/reachability/proof/prove";
import { Zone } from "../../src/requirements/vocabulary";
import type { JudgedJourney } from "../../src/reachability/path/judge";
import { refutingPlaces, type Refuting } from "../../src/gate/refutedFlows";

/** Known differences between commands, and why they stay. Remove one that no longer occurs: otherwise the command and its test fail. */
export const KNOWN = {
  "acl-and-others":
    "At network ACLs prove demands all that crosses them; check leaves out what nodes of one role send each other, because within a subnet no ACL sees it, and health checks of load balancers whose subnets the topology does not state. No plan says in which subnets the nodes are.",
} as const;

export type Known = keyof typeof KNOWN;

/** The known difference that explains why a flow is refuted; undefined unless all of its refuting places have one. */
export function knownOf(flow: JudgedJourney): Known | undefined {
  if (flow.proof !== Proof.Refuted) return undefined;
  const [first, ...others] = refutingPlaces(flow).map(knownAt);
  return others.every((one) => one !== undefined) ? first : undefined;
}

/** The known difference at one place. */
export function knownAt({ hop, guard }: Refuting): Known | undefined {
  if (hop.kind !== "hosts" || guard.standing?.kind !== "networkAcl") return undefined;
  const isAmongNodes = hop.sources.some(({ zone }) => hop.destinations.some((other) => other.zone === zone));
  const isUnstated =
    hop.sources.length > 0 &&
    hop.sources.every(({ zone, prefixes }) => zone === Zone.LoadBalancers && !prefixes);
  return isAmongNodes || isUnstated ? "acl-and-others" : undefined;
}
