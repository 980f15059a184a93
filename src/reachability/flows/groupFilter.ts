import type { Prefix } from "../../address";
import { Zone, Role } from "../../requirements/vocabulary";
import type { SecurityGroupRule } from "../../resources/securityGroups";
import { everyAddress } from "../../flows/peers";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import type { FlowPeer, RequiredFlow } from "../../flows/model";
import { securityGroupFilter, type AddressesOfGroup, type Filter, type GroupReference } from "../filters";
import { hostsOf } from "../../flows/hosts";
import { mayMatch } from "./mayMatch";

/** The role, in the cluster that is judged, of a group that a rule names; undefined where nobody knows it. */
export type RoleOfReference = (reference: GroupReference) => Role | undefined;

/** In which zones the hosts of a role are. */
const ZONES: Readonly<Record<Role, ReadonlySet<Zone>>> = {
  [Role.Workers]: new Set([Zone.Workers, Zone.MachineNetwork]),
  [Role.ControlPlane]: new Set([Zone.ControlPlane, Zone.ManagementApi, Zone.ManagementKubelet, Zone.Routes]),
  [Role.PrivateEndpoint]: new Set([Zone.ControlPlane, Zone.Routes]),
};

/**
 * What the rules of all groups of some hosts make of a flow with one of its peers. A rule that names a group whose hosts are
 * that peer lets all of it pass, whatever its addresses. Rules for other traffic are left out: they match none of it.
 */
export function groupFilter(
  rules: readonly SecurityGroupRule[],
  flow: RequiredFlow,
  peer: FlowPeer,
  topology: NormalizedTopology,
  roleOf: RoleOfReference,
): Filter {
  const touching = rules.filter((rule) => rule.direction === flow.direction && mayMatch(rule, flow));
  return securityGroupFilter(touching, flow.direction, (reference) => {
    const role = roleOf(reference);
    if (role === undefined) return undefined;
    const isPeer = peer.zone === Zone.SameSecurityGroup ? role === flow.role : ZONES[role].has(peer.zone);
    return isPeer && peer.input !== BEHIND_NAT
      ? (peer.prefixes ?? everyAddress(topology))
      : addressesOfHosts(topology, role);
  });
}

/** Groups know their hosts by their own addresses: what NAT puts in place of them is in no group. */
const BEHIND_NAT = "workerNatCidrs";

/** The addresses behind groups with a role, wherever they are named. */
export const addressesByRole =
  (topology: NormalizedTopology, roleOf: RoleOfReference): AddressesOfGroup =>
  (reference) => {
    const role = roleOf(reference);
    return role && hostsOf(topology, role).prefixes;
  };

/** Hosts whose addresses the topology does not say are taken for nobody here: they are not the peer. */
function addressesOfHosts(topology: NormalizedTopology, role: Role): readonly Prefix[] | undefined {
  const { prefixes, unknown } = hostsOf(topology, role);
  return prefixes ?? (unknown ? undefined : []);
}
