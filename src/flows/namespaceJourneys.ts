import { Direction, Phase, Protocol, Zone, Role } from "../requirements/vocabulary";
import { peerFrom, whereSaid } from "./peers";
import { proxyEndpoints } from "./required/fromRow";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import type { FlowPeer, HostHop, Journey, NamespaceHop, SeenPackets } from "./model";
import { requiredFlows } from "./required/requiredFlows";
import { byNodes, hopOf, hostFlows } from "./hops";
import { nodeApiPackets, nodeApiStretch } from "./tunnels";
import { Outside } from "../requirements/outsideModel";
import { governedByPlace, type GovernedNamespace, type Surroundings } from "./surroundings";

/** What pods of namespaces with an egress firewall reach outside their cluster. */
export const namespaceJourneys = (
  topology: NormalizedTopology,
  { namespaces }: Surroundings,
  published: readonly Journey[],
): Journey[] =>
  // There may be two entries of one namespace if the namespace of a firewall is unknown.
  [...governedByPlace(namespaces).values()].flatMap(([governed]) =>
    governed!.cluster === "hosted"
      ? ofHostedCluster(topology, governed!, published)
      : ofControlPlane(topology, governed!),
  );

const leavingNamespace = (
  { cluster, namespace }: GovernedNamespace,
  { protocol, ports, portInput, destinations }: Omit<SeenPackets, "sources">,
): NamespaceHop => ({
  kind: "namespace",
  cluster,
  namespace,
  protocol,
  ...(ports && { ports }),
  ...(portInput !== undefined && { portInput }),
  sources: [],
  destinations,
});

type Parts = Pick<Journey, "hops" | "missing" | "outside" | "optional">;

const journeyOf = ({ namespace }: GovernedNamespace, key: string, what: string, parts: Parts): Journey => ({
  key: `namespace-${namespace}-${key}`,
  title: `Pods of the namespace ${namespace} reach ${what}`,
  from: Zone.Pods,
  phase: Phase.Always,
  ...parts,
  outside: [Outside.ClusterOfObjects, Outside.EgressAddresses, ...parts.outside],
});

/** Every pod needs the API server of its cluster; only pods that do not leave the rest to nodes and cluster services need the rest. */
function ofHostedCluster(
  topology: NormalizedTopology,
  governed: GovernedNamespace,
  published: readonly Journey[],
): Journey[] {
  const api = nodeApiStretch(topology, published);
  const first = leavingNamespace(governed, nodeApiPackets(topology));
  const asked = (key: string, what: string, hop: HostHop, outside: Outside): Journey =>
    journeyOf(governed, key, what, {
      hops: [leavingNamespace(governed, hop), hop],
      missing: [],
      outside: [outside, Outside.DnsAnswers],
      optional: true,
    });
  const call = (key: string, peer: FlowPeer): HostHop =>
    hopOf(topology, hostFlows(topology).get(`${Role.Workers}/${Direction.Egress}/${key}`)!, [peer]);
  const dns = whereSaid(peerFrom(topology, Zone.DnsServers, "dnsServerCidrs"));
  const registries = whereSaid(peerFrom(topology, Zone.ContainerRegistry, "registryCidrs"));
  return [
    journeyOf(governed, "kube-apiserver", "the API server", { ...api, hops: [first, ...api.hops] }),
    ...dns.flatMap((peer) =>
      [Protocol.Tcp, Protocol.Udp].map((protocol) => {
        const key = `dns-${protocol.toLowerCase()}`;
        return asked(key, `DNS servers outside over ${protocol}`, call(key, peer), Outside.VpcServices);
      }),
    ),
    ...registries.map((peer) => asked("registries", "registries", call("https", peer), Outside.OtherEnd)),
    ...proxyEndpoints(topology).map(({ setting, flow }) =>
      asked(
        flow.key,
        `the proxy that ${setting} names`,
        byNodes(topology, hopOf(topology, flow)),
        Outside.HttpProxy,
      ),
    ),
  ];
}

/** Pods of the control plane need the documented calls of its hosts. */
function ofControlPlane(topology: NormalizedTopology, governed: GovernedNamespace): Journey[] {
  const calls = requiredFlows(topology).filter(
    ({ role, direction, optIn }) => role === Role.ControlPlane && direction === Direction.Egress && !optIn,
  );
  return calls.map((flow) => {
    const hop = hopOf(topology, flow);
    return {
      ...journeyOf(governed, flow.key, "", {
        hops: [leavingNamespace(governed, hop), hop],
        missing: [],
        outside: [Outside.OtherEnd, Outside.DnsAnswers],
      }),
      title: `${flow.purpose}, from pods of the namespace ${governed.namespace}`,
    };
  });
}
