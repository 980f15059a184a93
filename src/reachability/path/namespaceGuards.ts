import { parsePrefix } from "../../address";
import { isUnknown, type NormalizedTopology } from "../../topology/normalizedTopology";
import { firewallRulesFilter, rulesOfFirewall, type FirewallRules } from "../filters";
import type { NamespaceHop } from "./journey";
import type { Guard } from "./judge";
import type { GovernedNamespace } from "./surroundings";

/** The egress firewall of a namespace. One with a rule that cannot be read may not be applied at all, and then drops nothing. */
export function namespaceGuards(
  { cluster, namespace }: NamespaceHop,
  namespaces: readonly GovernedNamespace[],
  topology: NormalizedTopology,
): Guard[] {
  const here = namespaces.filter((one) => one.cluster === cluster && one.namespace === namespace);
  return here.map(({ firewall }) => {
    const rules = rulesOfFirewall(firewall);
    const path = unreadable(rules);
    const reason = "OVN-Kubernetes applies nothing of a firewall with a rule that it cannot read";
    return {
      name: `egress firewall of namespace ${namespace}`,
      standing: { kind: "egressFirewall", firewall },
      filters: [firewallRulesFilter(rules, exemptIn(cluster, topology))],
      ...(path !== undefined && { doubtful: [{ resource: firewall, path, reason }] }),
    };
  });
}

/** The first block that no address can be read from. Host bits are cleared, as OVN-Kubernetes does. */
const unreadable = ({ views }: FirewallRules): string | undefined =>
  views.find(
    ({ cidr: { value } }) => typeof value === "string" && !parsePrefix(value, { hostBits: "clear" }).prefix,
  )?.cidr.path;

/** Destinations in the cluster network are exempt. That of the management cluster no topology says. */
function exemptIn(cluster: NamespaceHop["cluster"], topology: NormalizedTopology) {
  if (cluster === "management" || isUnknown(topology, "clusterNetwork")) return undefined;
  return topology.clusterNetwork.map(({ prefix }) => prefix);
}
