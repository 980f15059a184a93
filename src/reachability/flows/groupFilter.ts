import type { Prefix } from "../../address";
import { Protocol, Role, Zone } from "../../requirements/vocabulary";
import type { SecurityGroupRule } from "../../resources/securityGroups";
import { everyAddress } from "../../flows/peers";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import {
  type FlowPeer,
  type RequiredFlow,
  seenAtHosts,
  type SeenPackets,
  type Traffic,
} from "../../flows/model";
import { type AddressesOfGroup, type GroupReference, securityGroupFilter } from "../filters/securityGroup";
import { allowedBy, type Decision, decisions, doubts } from "../filters/decide";
import type { Filter } from "../filters/filter";
import { isKnownProtocol } from "../filters/traffic";
import { hostsOf, peersOf } from "../../flows/hops";
import { UNKNOWN, type UnknownValue } from "../../resources/resource";
import { letsPass, type TrafficSpec } from "../../resources/trafficSpec";
import { blocksOf } from "../packets/print";
import {
  difference,
  intersection,
  isEmpty,
  NO_PACKETS,
  packets,
  type PacketSet,
  union,
} from "../packets/packetSet";
import { isStated, packetsOf } from "../path/duty";

/** The role, in the judged cluster, of a group that a rule names; undefined if it is unknown. */
export type RoleOfReference = (reference: GroupReference) => Role | undefined;

/** The zones that contain the hosts of a role. */
const ZONES: Readonly<Record<Role, ReadonlySet<Zone>>> = {
  [Role.Workers]: new Set([Zone.Workers, Zone.MachineNetwork]),
  [Role.ControlPlane]: new Set([Zone.ControlPlane, Zone.ManagementApi, Zone.ManagementKubelet, Zone.Routes]),
  [Role.PrivateEndpoint]: new Set([Zone.ControlPlane, Zone.Routes]),
};

/**
 * What the rules of all groups of some hosts do to a flow with one of its peers. A rule that names the group of the peer's hosts
 * allows the whole peer, whatever its addresses. Rules for other traffic are left out, because they match none of the flow.
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
    if (!mayBeHosts(role, [peer], flow.role)) return [];
    const isPeer = peer.zone === Zone.SameSecurityGroup || ZONES[role].has(peer.zone);
    // The zone of the control plane also contains endpoints and load balancers, which do not have its group.
    const isSaid = role === Role.ControlPlane && hostsOf(topology, role).prefixes !== undefined;
    return isPeer && peer.input !== BEHIND_NAT && !isSaid
      ? (peer.prefixes ?? everyAddress(topology))
      : addressesOfHosts(topology, role);
  });
}

/** Zones in which no interface has a group of a role: load balancers before a control plane have groups of their own, or none. */
const WITHOUT_ROLES: readonly Zone[] = [Zone.LoadBalancers];
/** Zones in which the roles of hosts are known; in other zones hosts may have any role. */
const OF_KNOWN_ROLES: ReadonlySet<Zone> = new Set([
  ...Object.values(ZONES).flatMap((zones) => [...zones]),
  ...WITHOUT_ROLES,
]);

/**
 * Whether some of the peers may be hosts of a role. EC2 matches a group by the interfaces that have it, never by addresses: workers
 * and the endpoint share the machine network, and neither has the other's group.
 */
export const mayBeHosts = (role: Role, peers: readonly FlowPeer[], self: Role): boolean =>
  peers.length === 0 ||
  peers.some(({ zone }) =>
    zone === Zone.SameSecurityGroup ? role === self : !OF_KNOWN_ROLES.has(zone) || ZONES[role].has(zone),
  );

/** Whether some of the peers may be anybody's hosts, such as those of users and outside servers. */
export const mayBeAnybody = (peers: readonly FlowPeer[]): boolean =>
  peers.some(({ zone }) => zone !== Zone.SameSecurityGroup && !OF_KNOWN_ROLES.has(zone));

/** Groups match hosts by the hosts' own addresses: addresses of NAT are in no group. */
const BEHIND_NAT = "workerNatCidrs";

/** The addresses of the hosts of a group, found by its role. */
export const addressesByRole =
  (topology: NormalizedTopology, roleOf: RoleOfReference): AddressesOfGroup =>
  (reference) => {
    const role = roleOf(reference);
    return role && hostsOf(topology, role).prefixes;
  };

/** Addresses of hosts of a role: none if the topology does not state them, since they are not the peer; undefined if not known yet. */
function addressesOfHosts(topology: NormalizedTopology, role: Role): readonly Prefix[] | undefined {
  const { prefixes, unknown } = hostsOf(topology, role);
  return prefixes ?? (unknown ? undefined : []);
}

const WITH_PORTS: ReadonlySet<Protocol> = new Set([Protocol.Tcp, Protocol.Udp, Protocol.Sctp]);

/**
 * Whether a rule can match traffic of a flow at all. Plain numbers decide this, so that only the few relevant rules of a plan
 * become packet sets.
 */
export function mayMatch({ protocol, ports }: TrafficSpec, asked: Traffic): boolean {
  if (asked.protocol === Protocol.Any || protocol === UNKNOWN) return true;
  if (!letsPass(protocol, asked.protocol)) return !isKnownProtocol(protocol);
  const isSaid = ports !== undefined && ports !== UNKNOWN && asked.ports !== undefined;
  if (!isSaid || !WITH_PORTS.has(asked.protocol) || letsPass(protocol, Protocol.Any)) return true;
  return ports.from <= asked.ports!.to && asked.ports!.from <= ports.to;
}

/** What the filters before some hosts do to a flow with one of its peers. */
export interface EndVerdict {
  /** Packets that must pass and are certainly dropped. */
  blocked: PacketSet;
  /** What drops the first of them; absent if that depends on unknown values, although every outcome drops it. */
  decision?: Decision;
  /** Values that decide about packets whose verdict is unknown. */
  values: readonly UnknownValue[];
  /** True if the verdict depends on the addresses of the peer, which the topology does not state. */
  unsaid: boolean;
}

/** The packets of a flow with one of its peers. A peer whose addresses are not stated may have any of `everywhere`. */
export const seenWith = (flow: RequiredFlow, peer: FlowPeer, everywhere: readonly Prefix[]): SeenPackets =>
  seenAtHosts(flow, [peer.prefixes ? peer : { ...peer, prefixes: everywhere }]);

/**
 * Judges packets of a flow with one peer, or the answers to them. If the topology states the peer, all of its packets must pass. Otherwise a port at which nothing passes is closed to the peer,
 * wherever it is; a port at which some addresses pass may be open to the right ones, except for `lost` packets: a flow between
 * known ends needs them and loses them here.
 */
export function judgeEnd(
  required: PacketSet,
  peer: FlowPeer,
  filters: readonly Filter[],
  lost: PacketSet = NO_PACKETS,
): EndVerdict {
  const isSaid = isStated(peer);
  const { sure, possible } = allowedBy(filters, required);
  const blocked = isSaid
    ? difference(required, possible)
    : union(difference(required, atServicesOf(possible)), intersection(required, lost));
  const rest = difference(difference(required, sure), blocked);
  const decision = isEmpty(blocked) ? undefined : decisions(filters, blocked)[0];
  return {
    blocked,
    ...(decision && { decision }),
    values: isEmpty(rest) ? [] : doubts(filters, rest),
    unsaid: !isSaid && !isEmpty(rest),
  };
}

/** All packets to the services that a set has packets for. */
const atServicesOf = (set: PacketSet): PacketSet =>
  packets({ services: blocksOf(set).flatMap(({ services }) => services) });

/** All packets of a flow with the peers whose addresses the topology states or assumes, as filters before its hosts see them. */
export function flowPackets(flow: RequiredFlow, topology: NormalizedTopology): PacketSet {
  const peers = peersOf(topology, flow).filter(({ prefixes }) => prefixes);
  return peers.length === 0 ? NO_PACKETS : packetsOf(seenAtHosts(flow, peers));
}
