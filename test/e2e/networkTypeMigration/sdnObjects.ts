import type { Session } from "../../../local/session";
import { MIGRATION_LIST } from "../../../src/networkTypeMigration/cluster";
import { applied } from "../applied";

type Server = Pick<Session, "kubernetes">;
const apiVersion = "network.openshift.io/v1";

/** An EgressNetworkPolicy of an existing namespace: what its pods may reach. */
export function egressNetworkPolicy(
  session: Server,
  namespace: string,
  ...rules: readonly [type: "Allow" | "Deny", to: { cidrSelector: string } | { dnsName: string }][]
): Promise<void> {
  const [root, kinds] = MIGRATION_LIST.egressNetworkPolicies.split(/\/(?=\w+$)/);
  return applied(session, `${root}/namespaces/${namespace}/${kinds}/default`, {
    apiVersion,
    kind: "EgressNetworkPolicy",
    metadata: { name: "default" },
    spec: { egress: rules.map(([type, to]) => ({ type, to })) },
  });
}

/** What OpenShift SDN stores for a namespace, whether the namespace exists or not. */
export function netNamespace(
  session: Server,
  name: string,
  { multicast, ...addresses }: { egressIPs?: string[]; multicast?: "true" | "false" } = {},
): Promise<void> {
  const annotations = { "netnamespace.network.openshift.io/multicast-enabled": multicast };
  return applied(session, `${MIGRATION_LIST.netNamespaces}/${name}`, {
    apiVersion,
    kind: "NetNamespace",
    metadata: { name, ...(multicast && { annotations }) },
    netname: name,
    netid: 4711,
    ...addresses,
  });
}

/** What OpenShift SDN stores for a node. */
export function hostSubnet(
  session: Server,
  name: string,
  addresses: { egressIPs?: string[]; egressCIDRs?: string[] } = {},
): Promise<void> {
  return applied(session, `${MIGRATION_LIST.hostSubnets}/${name}`, {
    apiVersion,
    kind: "HostSubnet",
    metadata: { name },
    host: name,
    hostIP: "10.0.0.1",
    subnet: "10.128.0.0/23",
    ...addresses,
  });
}
