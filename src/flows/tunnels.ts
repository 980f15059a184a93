import { readHost } from "../address";
import {
  type ApiProxyChoice,
  apiProxyChoice,
  nodeApiHost,
  NodeApiProxy,
  unsaidNodeApiHost,
} from "../topology/proxy/apiProxy";
import { port } from "../requirements/requirement";
import { Phase, Protocol, Role, Zone } from "../requirements/vocabulary";
import { nodeApiServerPort } from "../topology/publishing";
import { workers } from "./peers";
import { proxyEndpoints } from "./required/fromRow";
import { isUnknown, type NormalizedTopology } from "../topology/normalizedTopology";
import { amongNodes, byNodes, hopOf, hostsOf } from "./hops";
import type { HostHop, Journey, MissingInput, PodHop, RequiredFlow, SeenPackets } from "./model";
import { Outside } from "../requirements/outsideModel";
import { POD_LABEL } from "../requirements/networkPolicies";
import { PORT } from "../requirements/ports";
import { LISTENER } from "../requirements/publishedServices";
import { UNKNOWN } from "../resources/resource";
import { listedIn } from "../text";
import type { NodeRole } from "./required/nodes";
import type { Surroundings } from "./surroundings";

/** A part of a path that several journeys share. */
export type Stretch = Pick<Journey, "hops" | "missing" | "outside">;

/** Packets to the address at which each node answers for the API server, behind the service `kubernetes`. */
export function nodeApiPackets(topology: NormalizedTopology): SeenPackets {
  const host = readHost(nodeApiHost(topology));
  const unsaid = unsaidNodeApiHost(topology);
  const known = host && { prefixes: [host] };
  return {
    protocol: Protocol.Tcp,
    ...(isUnknown(topology, "apiServerPort")
      ? { portInput: "apiServerPort" }
      : { ports: port(nodeApiServerPort(topology)) }),
    sources: [],
    destinations: [
      {
        zone: Zone.Localhost,
        input: unsaid ?? "advertiseAddress",
        ...(unsaid === undefined ? known : { unknown: true }),
      },
    ],
  };
}

/**
 * The path from the API proxy on a node to the API server: as workers reach it, or through the HTTP proxy of the cluster if
 * HyperShift chooses the API proxy that uses it. `published` are the journeys to published services.
 */
export function nodeApiStretch(topology: NormalizedTopology, published: readonly Journey[]): Stretch {
  const { proxy: listener, undecided } = choiceOf(topology);
  // The values of these properties decide whether the path leads through the HTTP proxy.
  if (undecided)
    return {
      hops: [],
      missing: undecided.map((input) => ({ input, why: WHETHER_COVERED })),
      outside: [Outside.NodeListeners],
    };
  const through = listener === NodeApiProxy.ControlPlaneOperator ? throughHttpProxy(topology) : undefined;
  const onward = through ?? published.find(({ key }) => key === "workers-kube-apiserver");
  const unsaid: MissingInput[] = isUnknown(topology, "proxy")
    ? [{ input: "proxy", why: "whether nodes reach the API server through an HTTP proxy" }]
    : [];
  return {
    hops: [{ kind: "node", listener, ...nodeApiPackets(topology) }, ...(onward?.hops ?? [])],
    missing: [...unsaid, ...(onward?.missing ?? [])],
    outside: [Outside.NodeListeners, ...(onward?.outside ?? [])],
  };
}

const WHETHER_COVERED =
  "whether an entry of noProxy covers the API server, and nodes reach it without the HTTP proxy";

function choiceOf(topology: NormalizedTopology): ApiProxyChoice {
  const { httpsProxy, noProxy = "" } = topology.proxy ?? {};
  const isSet = httpsProxy !== undefined && httpsProxy !== "";
  return apiProxyChoice(topology, { httpsProxy: isSet, noProxy: listedIn(noProxy) });
}

function throughHttpProxy(topology: NormalizedTopology): Stretch | undefined {
  const proxy = proxyEndpoints(topology).find(({ setting }) => setting === "httpsProxy");
  return (
    proxy && {
      hops: [byNodes(topology, hopOf(topology, proxy.flow))],
      missing: [],
      outside: [Outside.HttpProxy, Outside.DnsAnswers],
    }
  );
}

/** Kubelets and pods of a node reach the API server through the proxy on it. */
export const nodeApiJourney = (topology: NormalizedTopology, published: readonly Journey[]): Journey => ({
  key: "workers-node-api-proxy",
  title: `Kubelets and pods on workers reach the API server by the proxy on their node`,
  from: workers(topology).zone,
  phase: Phase.Always,
  ...nodeApiStretch(topology, published),
});

const TUNNELS: ReadonlySet<string> = new Set(["nodes-geneve", "nodes-vxlan"]);

/** Whether a flow among nodes is for the tunnels of pod traffic. */
export const isTunnel = ({ key }: RequiredFlow): boolean => TUNNELS.has(key);

const CARRIED = "traffic of pods between nodes";

/**
 * Pod traffic as it appears between two nodes: as Geneve or VXLAN, or encrypted by IPsec. Groups and ACLs see the nodes' addresses
 * and the tunnel's port, never those of pods.
 */
export function betweenNodes(
  topology: NormalizedTopology,
  role: NodeRole,
  { ipsec }: Surroundings,
): { hops: HostHop[]; missing: MissingInput[] } {
  const encrypted = ipsec[role];
  if (encrypted === UNKNOWN) {
    const why = "whether IPsec encrypts the traffic between nodes, and thus what security groups see of it";
    return { hops: [], missing: [{ input: "ipsecConfig.mode", why }] };
  }
  const isSeen = (flow: RequiredFlow) =>
    encrypted?.length
      ? encrypted.some(({ protocol, port }) => flow.protocol === protocol && flow.ports?.from === port)
      : isTunnel(flow) && !flow.optIn;
  const hops = amongNodes(topology, role, isSeen, CARRIED);
  const why = `which protocol and ports the network type ${topology.networkType} uses between nodes`;
  return { hops, missing: hops.length > 0 ? [] : [{ input: "networkType", why }] };
}

/** Pods of each cluster reach pods on other nodes. */
export function podJourneys(topology: NormalizedTopology, surroundings: Surroundings): Journey[] {
  const nodes = [
    { role: Role.Workers, of: "the hosted cluster" },
    { role: Role.ControlPlane, of: "the management cluster" },
  ] as const;
  return nodes.map(({ role, of }) => ({
    key: `${role}-pods-between-nodes`,
    title: `Pods of ${of} reach pods on other nodes`,
    from: hostsOf(topology, role).zone,
    phase: Phase.Always,
    ...betweenNodes(topology, role, surroundings),
    outside: [Outside.PacketSize],
  }));
}

/**
 * Calls of the control plane to nodes and to pods on them. They send no packets to workers: agents on the nodes have dialled the
 * konnectivity server, and each call leaves that connection at one of the agents. Any agent may be used, so the last part of the
 * path leads from one node to another, whose groups see it.
 */
export function tunnelJourneys(
  topology: NormalizedTopology,
  surroundings: Surroundings,
  published: readonly Journey[],
): Journey[] {
  const dialled = published.find(({ key }) => key === "workers-konnectivity");
  if (!dialled) return [];
  const journey = (
    key: string,
    title: string,
    last: Pick<Journey, "hops" | "missing">,
    outside: readonly Outside[],
  ): Journey => ({
    key: `control-plane-${key}`,
    title: `The control plane ${title} through the tunnel of konnectivity`,
    from: Zone.ControlPlane,
    phase: Phase.Always,
    hops: [...serverHops(), ...dialled.hops, ...last.hops],
    missing: [...dialled.missing, ...last.missing],
    outside: [...dialled.outside, ...outside],
  });
  return [
    journey(
      "kubelet",
      "reaches kubelets, for logs, exec and metrics,",
      { hops: amongNodes(topology, Role.Workers, ({ key }) => key === "nodes-kubelet"), missing: [] },
      [],
    ),
    journey(
      "webhooks",
      "reaches webhooks and APIs in pods of the hosted cluster",
      betweenNodes(topology, Role.Workers, surroundings),
      [Outside.TunnelledPods, Outside.PacketSize],
    ),
  ];
}

/** From the API server to the konnectivity server, which newer releases run in the same pod. */
const serverHops = (): PodHop[] =>
  [LISTENER.konnectivity, LISTENER.konnectivityInApiServer].map(({ app }) => ({
    kind: "pods",
    app,
    from: { labels: { [POD_LABEL.app]: LISTENER.apiServer.app } },
    protocol: Protocol.Tcp,
    ports: port(PORT.konnectivityLocal),
    sources: [{ zone: Zone.SameNamespace, input: "" }],
    destinations: [],
  }));
