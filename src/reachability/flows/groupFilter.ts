import type { Prefix } from "../../address";
import { Protocol, Role, Zone } from "../../requirements/vocabulary";
import type { SecurityGroupRule } from "../../resources/securityGroups";
import { everyAddress } from "../../flows/peers";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { type FlowPeer, type RequiredFlow, seenAtHosts, type SeenPackets } from "../../flows/model";
import { type AddressesOfGroup, type GroupReference, securityGroupFilter } from "../filters/securityGroup";
import { allowedBy, type Decision, decisions, doubts } from "../filters/decide";
import type { Filter } from "../filters/filter";
import { hostsOf, peersOf } from "../../flows/hops";
import type { PortRange } from "../../requirements/requirement";
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
import { answersTo, packetsOf } from "../path/duty";

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
    if (!mayBeHosts(role, [peer], flow.role)) return [];
    const isPeer = peer.zone === Zone.SameSecurityGroup || ZONES[role].has(peer.zone);
    // Its zone has endpoints and load balancers, too, which do not have its group.
    const isSaid = role === Role.ControlPlane && hostsOf(topology, role).prefixes !== undefined;
    return isPeer && peer.input !== BEHIND_NAT && !isSaid
      ? (peer.prefixes ?? everyAddress(topology))
      : addressesOfHosts(topology, role);
  });
}

/** Where no interface has a group of a role: load balancers in front of a control plane have their own, or none. */
const WITHOUT_ROLES: readonly Zone[] = [Zone.LoadBalancers];
/** Where the roles of hosts are known; elsewhere they may have any. */
const OF_KNOWN_ROLES: ReadonlySet<Zone> = new Set([
  ...Object.values(ZONES).flatMap((zones) => [...zones]),
  ...WITHOUT_ROLES,
]);

/**
 * Whether some of the peers of hosts may be hosts of a role. EC2 matches a group by the interfaces that have it, never by addresses: workers
 * and the endpoint share the machine network, and neither has the other's group.
 */
export const mayBeHosts = (role: Role, peers: readonly FlowPeer[], self: Role): boolean =>
  peers.length === 0 ||
  peers.some(({ zone }) =>
    zone === Zone.SameSecurityGroup ? role === self : !OF_KNOWN_ROLES.has(zone) || ZONES[role].has(zone),
  );

/** Whether some peers of hosts may be anybody's hosts, such as those of users and of servers outside. */
export const mayBeAnybody = (peers: readonly FlowPeer[]): boolean =>
  peers.some(({ zone }) => zone !== Zone.SameSecurityGroup && !OF_KNOWN_ROLES.has(zone));

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

/** What the filters before some hosts make of a flow with one of its peers. */
export interface EndVerdict {
  /** Packets that have to pass and are dropped for sure. */
  blocked: PacketSet;
  /** What drops the first of them; absent where that hangs on unknown values, although every way of them drops it. */
  decision?: Decision;
  /** Values that decide on packets whose verdict is unknown. */
  values: readonly UnknownValue[];
  /** True where it hangs on the addresses of the peer, which the topology does not say. */
  unsaid: boolean;
}

/** The packets of a flow with one of its peers. One whose addresses are not stated may be any of `everywhere`. */
export const seenWith = (flow: RequiredFlow, peer: FlowPeer, everywhere: readonly Prefix[]): SeenPackets =>
  seenAtHosts(flow, [peer.prefixes ? peer : { ...peer, prefixes: everywhere }]);

/** What becomes of the packets of a flow with one peer. */
export const judgeCalls = (
  seen: SeenPackets,
  peer: FlowPeer,
  filters: readonly Filter[],
  lost?: PacketSet,
): EndVerdict => judgeEnd(packetsOf(seen), peer, filters, lost);

/** What becomes of the answers, which filters that keep no state judge in the other direction. */
export const judgeAnswers = (
  seen: SeenPackets,
  peer: FlowPeer,
  filters: readonly Filter[],
  lost?: PacketSet,
): EndVerdict => judgeEnd(answersTo(seen), peer, filters, lost);

/**
 * Where the topology says the peer, all of its packets have to pass. Where it does not, a port at which nothing passes is
 * closed to it, wherever it is; a port at which some addresses pass may be open to the right ones, but for those packets
 * that a flow between known ends needs and loses here.
 */
function judgeEnd(
  required: PacketSet,
  peer: FlowPeer,
  filters: readonly Filter[],
  lost: PacketSet = NO_PACKETS,
): EndVerdict {
  const isSaid = peer.prefixes !== undefined && !peer.assumed;
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

/** Everything that asks for what some packet of a set asks for. */
const atServicesOf = (set: PacketSet): PacketSet =>
  packets({ services: blocksOf(set).flatMap(({ services }) => services) });

/** All packets of a flow with the peers whose addresses the topology says, or has assumed, as filters before its hosts see them. */
export function flowPackets(flow: RequiredFlow, topology: NormalizedTopology): PacketSet {
  const peers = peersOf(topology, flow).filter(({ prefixes }) => prefixes);
  return peers.length === 0 ? NO_PACKETS : packetsOf(seenAtHosts(flow, peers));
}
