import { Duty } from "../requirements/othersFilters";
import { Direction, Platform, Zone } from "../requirements/vocabulary";
import { peerFrom } from "../topology/flows/peers";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { Role, type FlowPeer } from "../topology/requiredFlow";
import type { HostHop, SeenPackets } from "./journey";

const HOSTS = {
  [Role.Workers]: { zone: Zone.Workers, input: "workerCidrs" },
  [Role.ControlPlane]: { zone: Zone.ControlPlane, input: "managementClusterCidrs" },
  [Role.PrivateEndpoint]: { zone: Zone.MachineNetwork, input: "machineNetwork" },
} as const;

/** The hosts of a role, with their addresses as far as the topology says them. */
export const hostsOf = (topology: NormalizedTopology, role: Role): FlowPeer =>
  peerFrom(topology, HOSTS[role].zone, HOSTS[role].input);

/** Whether what a group or ACL says of its cluster means this one; what says nothing belongs to the only one there is. */
export const isHere = ({ name, namespace }: NormalizedTopology, cluster: string | undefined): boolean =>
  cluster === undefined || cluster === name || cluster === `${namespace}/${name}`;

/** Protocol and ports of packets. */
export type Ports = Pick<SeenPackets, "protocol" | "ports" | "portInput" | "samePortBothWays">;

/** What leaves hosts of a role. */
export const leaving = (
  topology: NormalizedTopology,
  role: Role,
  { protocol, ports, portInput, samePortBothWays }: Ports,
  destinations: readonly FlowPeer[],
): HostHop => ({
  kind: "hosts",
  role,
  direction: Direction.Egress,
  protocol,
  ...(ports && { ports }),
  ...(portInput !== undefined && { portInput }),
  ...(samePortBothWays && { samePortBothWays }),
  sources: [hostsOf(topology, role)],
  destinations,
});

/** A hop that no document asks of the plan: it is for those who look after the nodes. */
export function byNodes(topology: NormalizedTopology, hop: HostHop): HostHop {
  const duty = dutyOfNodes(topology, hop.role);
  return duty === Duty.Plan ? hop : { ...hop, duty };
}

/** What hosts of a role send each other, as it leaves one and reaches another. */
export function amongHosts(
  topology: NormalizedTopology,
  role: Role,
  ports: Ports,
  carries?: string,
): HostHop[] {
  const way = {
    ...byNodes(topology, leaving(topology, role, ports, [hostsOf(topology, role)])),
    ...(carries !== undefined && { carries }),
  };
  return [way, { ...way, direction: Direction.Ingress }];
}

/** Whose duty it is to let nodes of a cluster reach each other, and what else no document asks of the plan. */
export function dutyOfNodes({ platform, defaultWorkerRules }: NormalizedTopology, role: Role): Duty {
  if (role === Role.ControlPlane) return Duty.Installer;
  if (defaultWorkerRules) return Duty.Plan;
  return platform === Platform.AWS ? Duty.HyperShift : Duty.Others;
}
