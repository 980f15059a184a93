import { FAMILIES, merge, type Prefix } from "../../address";
import { othersFilters, type OthersFilter, type OthersPeer } from "../../requirements/othersFilters";
import {
  Direction,
  LoadBalancerTargets,
  PublishingType,
  Zone,
  Role,
  Protocol,
} from "../../requirements/vocabulary";
import { onceIn } from "../../collections";
import { publishedBy } from "../../topology/publishing";
import { EVERY_IPV4, everyAddress } from "../../flows/peers";
import { isUnknown, type NormalizedTopology } from "../../topology/normalizedTopology";
import { seenAtHosts, type FlowPeer, type SeenPackets } from "../../flows/model";
import { Action, type Filter } from "../filters/filter";
import { hostsOf } from "../../flows/hops";
import { CLIENT_EPHEMERAL, HOST_EPHEMERAL } from "../../requirements/ports";
import type { PortRange } from "../../requirements/requirement";
import {
  difference,
  intersection,
  NO_PACKETS,
  packets,
  type PacketSet,
  unionAll,
} from "../packets/packetSet";
import { packetsBetween } from "../filters/traffic";
import { blocksOf } from "../packets/print";
import { servicesOf } from "../packets/service";

/** Caches the result for each role and direction, because many journeys pass one place. */
export function onceForPlace<T>(
  find: (role: Role, direction: Direction) => T,
): (role: Role, direction: Direction) => T {
  const found = new Map<string, T>();
  return (role, direction) => onceIn(found, `${role} ${direction}`, () => find(role, direction));
}

/** All packets that must pass a place. An end that is not stated may have any address. */
export const packetsOf = ({
  protocol,
  ports,
  sources,
  destinations,
}: Omit<SeenPackets, "portInput">): PacketSet =>
  packetsBetween((family) => servicesOf(protocol, ports, family), {
    sources: addressesOf(sources),
    destinations: addressesOf(destinations),
  });

/** The addresses of an end; undefined if some of them are not stated. */
function addressesOf(peers: readonly FlowPeer[]): readonly Prefix[] | undefined {
  if (peers.length < 2) return peers[0]?.prefixes;
  return peers.every(({ prefixes }) => prefixes)
    ? peers.flatMap(({ prefixes }) => prefixes ?? [])
    : undefined;
}

/** The answers to packets, which stateless filters judge as packets of the other direction. */
export function answersTo(hop: SeenPackets): PacketSet {
  const ports = portsOfAnswers(hop);
  const { protocol, sources, destinations } = hop;
  return packetsOf({ protocol, sources: destinations, destinations: sources, ...(ports && { ports }) });
}

/** The packets, or the answers to them, that must pass a place. */
export const packetsAsked = (hop: SeenPackets, asked: "calls" | "answers"): PacketSet =>
  asked === "calls" ? packetsOf(hop) : answersTo(hop);

/** Whether the topology states the addresses of a peer. */
export const isStated = ({ prefixes, assumed }: FlowPeer): boolean => prefixes !== undefined && !assumed;

/** A hop with only the stated peers at each end that has both stated and other ones: packets of each peer must pass. */
export function statedPart<Seen extends SeenPackets>(hop: Seen): Seen {
  const [sources, destinations] = [statedAmong(hop.sources), statedAmong(hop.destinations)];
  const isWhole = sources === hop.sources && destinations === hop.destinations;
  return isWhole ? hop : { ...hop, sources, destinations };
}

function statedAmong(peers: readonly FlowPeer[]): readonly FlowPeer[] {
  const stated = peers.filter(isStated);
  return stated.length > 0 && stated.length < peers.length ? stated : peers;
}

/**
 * The part of the dropped packets that is dropped whatever the addresses and the port are that are not stated: for the same stated
 * values, nothing passes. An end that is not stated may have addresses of only one family, so both families must lose packets.
 */
export function droppedAnyway(hop: SeenPackets, asked: "calls" | "answers", dropped: PacketSet): PacketSet {
  const required = packetsAsked(hop, asked);
  const lost = intersection(dropped, required);
  const [from, to] = asked === "calls" ? [hop.sources, hop.destinations] : [hop.destinations, hop.sources];
  const [isFromOpen, isToOpen] = [from, to].map((peers) => !peers.every(isStated));
  const passing = blocksOf(difference(required, lost)).map(({ services, sources, destinations }) =>
    packets({
      ...(hop.portInput === undefined && { services }),
      ...(!isFromOpen && { sources }),
      ...(!isToOpen && { destinations }),
    }),
  );
  const surely = difference(lost, unionAll(passing));
  const isInEach = FAMILIES.every((family) => required[family].length === 0 || surely[family].length > 0);
  return isInEach || (!isFromOpen && !isToOpen) ? surely : NO_PACKETS;
}

/** The ports that answers go to: those that the callers used. */
function portsOfAnswers({ protocol, ports, samePortBothWays, sources }: SeenPackets): PortRange | undefined {
  const hasPorts = protocol === Protocol.Tcp || protocol === Protocol.Udp;
  if (!hasPorts || samePortBothWays) return ports;
  return sources.every(({ zone }) => HOSTS.has(zone)) ? HOST_EPHEMERAL : CLIENT_EPHEMERAL;
}

/** Callers that are hosts themselves and use the ephemeral ports of their operating system. */
const HOSTS: ReadonlySet<Zone> = new Set([Zone.Workers, Zone.ControlPlane, Zone.MachineNetwork]);

/** What another owner has before hosts, as rules that add up with those of a plan. */
export interface OthersStanding {
  by: OthersFilter;
  filter: Filter;
}

/** The other owners' groups before hosts. `isRead`: HyperShift's group is among the inputs, and is judged with the plan's groups. */
export function othersAt(
  topology: NormalizedTopology,
  role: Role,
  direction: Direction,
  isRead: boolean,
): OthersStanding[] {
  return othersFilters
    .filter((one) => one.before === role && isThere(one, topology) && !(isRead && one.idIn))
    .map((by) => ({ by, filter: filterOf(by, topology, role, direction) }));
}

function isThere({ platforms, behindInstanceTargets, before }: OthersFilter, topology: NormalizedTopology) {
  // With default worker rules, nodes have only the plan's groups.
  if (before === Role.Workers && topology.defaultWorkerRules) return false;
  if (behindInstanceTargets && !leadsToNodePorts(topology)) return false;
  return platforms?.includes(topology.platform) ?? true;
}

const leadsToNodePorts = (topology: NormalizedTopology): boolean =>
  topology.loadBalancerTargets === LoadBalancerTargets.Instance &&
  publishedBy(topology, PublishingType.LoadBalancer, PublishingType.Route).length > 0;

function filterOf(by: OthersFilter, topology: NormalizedTopology, role: Role, direction: Direction): Filter {
  const resource = { origin: {}, type: "", name: by.name, properties: {} };
  const clauses = by.rules
    .filter((rule) => rule.direction === direction)
    .map((rule, position) => {
      const packets = packetsOf(seenAtHosts(rule, peersOf(rule.peer, topology, role)));
      const match = { sure: packets, possible: packets, unknown: [] };
      return { resource, path: `${direction}[${position}]`, actions: [Action.Allow], ...match };
    });
  return { clauses, otherwise: Action.Deny };
}

/** The peers of a rule. A group names its own hosts directly: it allows them even if the topology does not state their addresses. */
function peersOf(peer: OthersPeer, topology: NormalizedTopology, role: Role): FlowPeer[] {
  switch (peer) {
    case "its own hosts":
      return [hostsOf(topology, role)];
    case "machine network":
      return [
        { zone: Zone.MachineNetwork, input: "machineNetwork", prefixes: merge(topology.machineNetwork) },
      ];
    case "everybody (IPv4)":
      return isIPv4Only(topology) ? [] : [{ zone: Zone.Any, input: "", prefixes: [EVERY_IPV4] }];
  }
}

/** Whether every address is IPv4: a rule for all IPv4 addresses then also allows ends that are not stated. */
const isIPv4Only = (topology: NormalizedTopology): boolean =>
  everyAddress(topology).every(({ family }) => family === 4) &&
  !DECIDE_FAMILIES.some((property) => isUnknown(topology, property));

const DECIDE_FAMILIES = ["machineNetwork", "workerCidrs", "clusterNetwork"];
