import { isUnknown, type NormalizedTopology } from "../../topology/normalizedTopology";
import { egressFirewallFilter } from "../filters";
import type { BalancerHop, NamespaceHop } from "../../flows/model";
import type { Guard } from "./standing";
import {
  ALLOWED_LIST,
  governedByPlace,
  type GovernedNamespace,
  placeOfNamespace,
} from "../../flows/surroundings";
import { Action } from "../filters/filter";
import { packets } from "../packets";

/** The egress firewall of a namespace. */
export function namespaceGuards(
  { cluster, namespace }: NamespaceHop,
  namespaces: readonly GovernedNamespace[],
  topology: NormalizedTopology,
): Guard[] {
  const here = governedByPlace(namespaces).get(placeOfNamespace({ cluster, namespace })) ?? [];
  return here.map(({ firewall, doubt }) => ({
    name: `egress firewall of namespace ${namespace}`,
    standing: { kind: "egressFirewall", firewall },
    filters: [egressFirewallFilter(firewall, exemptIn(cluster, topology))],
    ...(doubt && { doubtful: [doubt] }),
  }));
}

/** Destinations in the cluster network are exempt. That of the management cluster no topology says. */
function exemptIn(cluster: NamespaceHop["cluster"], topology: NormalizedTopology) {
  if (cluster === "management" || isUnknown(topology, "clusterNetwork")) return undefined;
  return topology.clusterNetwork.map(({ prefix }) => prefix);
}

/** The list as what stands at a load balancer. */
export function allowListGuard({ allowed, listedBy }: BalancerHop): Guard {
  const listed = packets({ sources: allowed });
  return {
    name: `${ALLOWED_LIST} of HostedCluster ${listedBy.name}`,
    standing: { kind: "allowList", listedBy },
    filters: [
      {
        clauses: [
          {
            resource: listedBy,
            path: `spec.${ALLOWED_LIST}`,
            actions: [Action.Allow],
            sure: listed,
            possible: listed,
            unknown: [],
          },
        ],
        otherwise: Action.Deny,
      },
    ],
  };
}
