import { Zone } from "../../requirements/vocabulary";
import { peerFrom } from "../../topology/flows/peers";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { Role, type FlowPeer } from "../../topology/requiredFlow";

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
