import type { Prefix } from "../../address";
import { Protocol, Role, Zone } from "../../requirements/vocabulary";
import type { SecurityGroupRule } from "../../resources/securityGroups";
import { everyAddress } from "../../flows/peers";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import type { FlowPeer, RequiredFlow } from "../../flows/model";
import { securityGroupFilter, type AddressesOfGroup, type GroupReference } from "../filters";
import type { Filter } from "../filters/filter";
import { hostsOf } from "../../flows/hosts";
import type { PortRange } from "../../requirements/requirement";
import { UNKNOWN } from "../../resources/resource";
import { letsPass, type TrafficSpec } from "../../resources/trafficSpec";

/** The role, in the cluster that is judged, of a group that a rule names; undefined where it is unknown. */
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

/** Hosts whose addresses the topology does not say count as no host here: they are not the peer. */
function addressesOfHosts(topology: NormalizedTopology, role: Role): readonly Prefix[] | undefined {
  const { prefixes, unknown } = hostsOf(topology, role);
  return prefixes ?? (unknown ? undefined : []);
}

/** What a flow asks for. */
interface Asked {
  protocol: Protocol;
  ports?: PortRange;
}

const NAMED: ReadonlySet<string> = new Set(Object.values(Protocol));
const WITH_PORTS: ReadonlySet<Protocol> = new Set([Protocol.Tcp, Protocol.Udp, Protocol.Sctp]);

/**
 * Whether a rule can match traffic of a flow at all. Plain numbers say it, so that of a plan's many rules only the few that
 * speak of a flow become sets of packets.
 */
export function mayMatch({ protocol, ports }: TrafficSpec, asked: Asked): boolean {
  if (asked.protocol === Protocol.Any || protocol === UNKNOWN) return true;
  if (!letsPass(protocol, asked.protocol)) return !isKnown(protocol);
  const isSaid = ports !== undefined && ports !== UNKNOWN && asked.ports !== undefined;
  if (!isSaid || !WITH_PORTS.has(asked.protocol) || letsPass(protocol, Protocol.Any)) return true;
  return ports.from <= asked.ports!.to && asked.ports!.from <= ports.to;
}

/** An unknown protocol may be any. */
const isKnown = (protocol: string): boolean => NAMED.has(protocol) || /^\d{1,3}$/.test(protocol);
