import { Duty } from "../requirements/othersFilters";
import {
  Direction,
  Platform,
  Zone,
  Role,
  Protocol,
  PublishingType,
  type Service,
} from "../requirements/vocabulary";
import { append, onceForEach } from "../collections";
import { nodeFlows, type NodeRole } from "./required/nodes";
import { peerFrom } from "./peers";
import { proxyFlows } from "./required/fromRow";
import { namesOfCluster, type NormalizedTopology } from "../topology/normalizedTopology";
import {
  flowKey,
  neededPeers,
  seenAtHosts,
  type FlowPeer,
  type HostHop,
  type RequiredFlow,
  type PodHop,
  type PodSender,
  type SenderHop,
} from "./model";
import { requiredFlows } from "./required/requiredFlows";
import {
  MANAGEMENT_NAMESPACE,
  NAMESPACE_LABEL,
  POD_LABEL,
  POLICY_GROUP,
} from "../requirements/networkPolicies";
import { LISTENER, type Listener, ROUTER } from "../requirements/publishedServices";
import { port } from "../requirements/requirement";
import { requirementOf } from "../requirements/requirements";
import { routerOf, servingPods } from "../topology/publishing";

const HOSTS = {
  [Role.Workers]: { zone: Zone.Workers, input: "workerCidrs" },
  [Role.ControlPlane]: { zone: Zone.ControlPlane, input: "managementClusterCidrs" },
  [Role.PrivateEndpoint]: { zone: Zone.MachineNetwork, input: "machineNetwork" },
} as const;

/** The hosts of a role, with their addresses if the topology states them. */
export const hostsOf = (topology: NormalizedTopology, role: Role): FlowPeer =>
  peerFrom(topology, HOSTS[role].zone, HOSTS[role].input);

/** The peers of a flow: a group that references itself means its own hosts. */
export const peersOf = (
  topology: NormalizedTopology,
  { role, peers }: Pick<RequiredFlow, "role" | "peers">,
): FlowPeer[] => peers.map((peer) => (peer.zone === Zone.SameSecurityGroup ? hostsOf(topology, role) : peer));

/** Whether the cluster that a group or ACL names is this one; without a name, it belongs to the only cluster there is. */
export const isHere = (topology: NormalizedTopology, cluster: string | undefined): boolean =>
  cluster === undefined || namesOfCluster(topology).includes(cluster);

/** The clusters of a plan that the name in a group or ACL may mean: those for which `isHere` holds, found without asking each. */
export const clustersMeant = onceForEach((topologies: readonly NormalizedTopology[]) => {
  const byName = new Map<string, NormalizedTopology[]>();
  for (const one of topologies) for (const name of namesOfCluster(one)) append(byName, name, [one]);
  return (cluster: string | undefined): readonly NormalizedTopology[] =>
    cluster === undefined ? topologies : (byName.get(cluster) ?? []);
});

/** Every flow that hosts of a cluster need, including flows among themselves, by key. */
export const hostFlows = onceForEach(
  (topology: NormalizedTopology): ReadonlyMap<string, RequiredFlow> =>
    new Map(
      [
        ...requiredFlows(topology),
        ...([Role.ControlPlane, Role.Workers] as const).flatMap((role) => nodeFlows(topology, role)),
        ...proxyFlows(topology),
      ].map((flow) => [flowKey(flow), flow]),
    ),
);

/** The reference by which a hop names its flow. */
export const nameOf = (flow: RequiredFlow): NonNullable<HostHop["flow"]> => ({
  key: flowKey(flow),
  requirement: flow.requirement,
});

/** A required flow as the filter of its hosts sees it; `peers` are the peers on one path. */
export function hopOf(
  topology: NormalizedTopology,
  flow: RequiredFlow,
  peers: readonly FlowPeer[] = neededPeers(flow.peers),
): HostHop {
  const { role, direction } = flow;
  const packets = seenAtHosts(flow, peers, [hostsOf(topology, role)]);
  return { kind: "hosts", role, direction, flow: nameOf(flow), ...packets };
}

/** Assigns a hop that no document requires of the plan to whoever manages the nodes. */
export function byNodes(topology: NormalizedTopology, hop: HostHop): HostHop {
  const duty = dutyOfNodes(topology, hop.role);
  return duty === Duty.Plan ? hop : { ...hop, duty };
}

/** The hops of node-to-node flows, at the node that the packets leave and at the node that they reach. */
export const amongNodes = (
  topology: NormalizedTopology,
  role: NodeRole,
  isMeant: (flow: RequiredFlow) => boolean,
  carries?: string,
): HostHop[] =>
  nodeFlows(topology, role)
    .filter((flow) => flow.direction === Direction.Egress && isMeant(flow))
    .flatMap((flow) => [flow, { ...flow, direction: Direction.Ingress }])
    .map((flow) => ({
      ...byNodes(topology, hopOf(topology, flow)),
      ...(carries !== undefined && { carries }),
    }));

/** Who has to allow traffic among the nodes of a cluster, and other traffic that no document requires of the plan. */
function dutyOfNodes({ platform, defaultWorkerRules }: NormalizedTopology, role: Role): Duty {
  if (role === Role.ControlPlane) return Duty.Installer;
  if (defaultWorkerRules) return Duty.Plan;
  return platform === Platform.AWS ? Duty.HyperShift : Duty.Others;
}

/** Node ports and load balancers replace the addresses of clients by others, which are not stated. */
const HIDDEN: FlowPeer = { zone: Zone.Any, input: "" };

/** The pods behind a published service, with incoming packets as their network policies see them. */
export function podHops(
  topology: NormalizedTopology,
  service: Service,
  { type, isPrivate }: { type: PublishingType; isPrivate: boolean },
): PodHop[] {
  const hop = ({ app, port: number }: Listener, from: PodHop["from"]): PodHop => ({
    kind: "pods",
    app,
    from,
    protocol: Protocol.Tcp,
    ports: port(number),
    sources: [HIDDEN],
    destinations: [],
    service,
  });
  const listeners = servingPods(topology, service);
  if (type !== PublishingType.Route) return listeners.map((listener) => hop(listener, "addresses"));
  return routerOf(topology, isPrivate) === ROUTER.own
    ? [hop(LISTENER.router, "addresses"), ...listeners.map((listener) => hop(listener, OWN_ROUTER))]
    : listeners.map((listener) => hop(listener, MANAGEMENT_ROUTER));
}

const OWN_ROUTER: PodSender = { labels: { [POD_LABEL.app]: LISTENER.router.app } };
const MANAGEMENT_ROUTER: PodSender = {
  namespaceLabels: { [NAMESPACE_LABEL.policyGroup]: POLICY_GROUP.ingress },
  labels: {},
};

/** Flows that control-plane pods send; nodes send the rest. For DNS, pods see pods behind a Service, with the ports of these rows. */
const SENT: ReadonlyMap<string, string | undefined> = new Map([
  ["https", undefined],
  ["management-api", undefined],
  ["dns-tcp", "up-openshift-dns-tcp"],
  ["dns-udp", "up-openshift-dns-udp"],
]);

/** The hop at the control-plane pods that send a flow, before it leaves their hosts. */
export function senderHops(flow: RequiredFlow): SenderHop[] {
  const { role, direction, key, peers } = flow;
  if (role !== Role.ControlPlane || direction !== Direction.Egress || !SENT.has(key)) return [];
  const row = SENT.get(key);
  const { protocol, ports } = row === undefined ? flow : requirementOf(row);
  return [
    {
      kind: "senders",
      protocol,
      ...(ports && { ports }),
      sources: [],
      destinations: row === undefined ? peers : [],
      to: row === undefined ? "addresses" : { [NAMESPACE_LABEL.name]: MANAGEMENT_NAMESPACE.dns },
    },
  ];
}
