import { Duty } from "../requirements/othersFilters";
import { Direction, Platform, Zone, Role } from "../requirements/vocabulary";
import { onceForEach } from "../collections";
import { nodeFlows, type NodeRole } from "./required/nodes";
import { peerFrom } from "./peers";
import { proxyFlows } from "./required/fromRow";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { flowKey, seenAtHosts, type FlowPeer, type HostHop, type RequiredFlow } from "./model";
import { requiredFlows } from "./required/requiredFlows";

const HOSTS = {
  [Role.Workers]: { zone: Zone.Workers, input: "workerCidrs" },
  [Role.ControlPlane]: { zone: Zone.ControlPlane, input: "managementClusterCidrs" },
  [Role.PrivateEndpoint]: { zone: Zone.MachineNetwork, input: "machineNetwork" },
} as const;

/** The hosts of a role, with their addresses as far as the topology says them. */
export const hostsOf = (topology: NormalizedTopology, role: Role): FlowPeer =>
  peerFrom(topology, HOSTS[role].zone, HOSTS[role].input);

/** The peers of a flow: a group that names itself means its own hosts. */
export const peersOf = (
  topology: NormalizedTopology,
  { role, peers }: Pick<RequiredFlow, "role" | "peers">,
): FlowPeer[] => peers.map((peer) => (peer.zone === Zone.SameSecurityGroup ? hostsOf(topology, role) : peer));

/** Whether what a group or ACL says of its cluster means this one; what says nothing belongs to the only one there is. */
export const isHere = ({ name, namespace }: NormalizedTopology, cluster: string | undefined): boolean =>
  cluster === undefined || cluster === name || cluster === `${namespace}/${name}`;

/** Every flow that some hosts of a cluster need, among themselves too, by its key. */
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

/** By what a hop names its flow. */
export const nameOf = (flow: RequiredFlow): NonNullable<HostHop["flow"]> => ({
  key: flowKey(flow),
  requirement: flow.requirement,
});

/** A required flow as the filter of its hosts sees it, with the peers that one way of it has. */
export function hopOf(
  topology: NormalizedTopology,
  flow: RequiredFlow,
  peers: readonly FlowPeer[] = flow.peers,
): HostHop {
  const { role, direction } = flow;
  const packets = seenAtHosts(flow, peers, [hostsOf(topology, role)]);
  return { kind: "hosts", role, direction, flow: nameOf(flow), ...packets };
}

/** A hop that no document asks of the plan: it is for those who look after the nodes. */
export function byNodes(topology: NormalizedTopology, hop: HostHop): HostHop {
  const duty = dutyOfNodes(topology, hop.role);
  return duty === Duty.Plan ? hop : { ...hop, duty };
}

/** What nodes send each other by some of their flows, as it leaves one and reaches another. */
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

/** Whose duty it is to let nodes of a cluster reach each other, and what else no document asks of the plan. */
function dutyOfNodes({ platform, defaultWorkerRules }: NormalizedTopology, role: Role): Duty {
  if (role === Role.ControlPlane) return Duty.Installer;
  if (defaultWorkerRules) return Duty.Plan;
  return platform === Platform.AWS ? Duty.HyperShift : Duty.Others;
}
