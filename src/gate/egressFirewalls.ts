import type { Prefix } from "../address";
import { rulesOfFirewall, type FirewallRules } from "../reachability/filters";
import { API_NAMESPACE } from "../resources/objectText";
import { readText } from "../resources/read";
import { UNKNOWN, type Resource } from "../resources/resource";
import { isEgressFirewall, isPatch } from "../resources/resourceTypes";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import type { JudgedCluster } from "./clusters";
import type { JudgedResources } from "./judgedResources";

/** An EgressFirewall object, or a patch that gives one its rules. */
export interface JudgedFirewall {
  firewall: Resource;
  rules: FirewallRules;
  /** Absent: unknown. */
  namespace: string | undefined;
  /** The hosted clusters in which it may be: that of the component that made it, else all that are known. */
  clusters: readonly JudgedCluster[];
  /** True where it governs pods of a hosted control plane, and thus lies in the management cluster. */
  isOnManagementCluster: boolean;
}

/** The egress firewalls that there are. */
export const egressFirewalls = (judged: JudgedResources): JudgedFirewall[] =>
  judged
    .ofKind(isEgressFirewall)
    .filter(({ type, properties }) => !isPatch(type) || "spec" in properties)
    .map((firewall) => judgedFirewall(firewall, judged));

function judgedFirewall(firewall: Resource, { clusters, index }: JudgedResources): JudgedFirewall {
  const stated = readText(firewall.properties, "metadata.namespace");
  const namespace = stated === UNKNOWN ? undefined : (stated ?? API_NAMESPACE);
  const maker = index.at(firewall.parent);
  const own = clusters.filter(({ sources }) => maker && sources.some(({ resource }) => resource === maker));
  const here = clusters.some(({ topology }) => topology?.controlPlaneNamespace === namespace);
  return {
    firewall,
    rules: rulesOfFirewall(firewall),
    namespace,
    clusters: own.length > 0 ? own : clusters,
    isOnManagementCluster: here,
  };
}

/** What is known of a hosted cluster; nothing where the stack only patches it. */
export const wholeTopology = ({ topology, partial }: JudgedCluster): NormalizedTopology | undefined =>
  partial ? undefined : topology;

/** The blocks that rules with addresses never match. */
export const exemptBlocks = (topology: NormalizedTopology | undefined): readonly Prefix[] =>
  topology?.clusterNetwork.map(({ prefix }) => prefix) ?? [];
