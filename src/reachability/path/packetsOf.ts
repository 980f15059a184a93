import { type Direction, Protocol, type Role, Zone } from "../../requirements/vocabulary";
import type { Prefix } from "../../address";
import { CLIENT_EPHEMERAL, HOST_EPHEMERAL } from "../../requirements/ports";
import type { PortRange } from "../../requirements/requirement";
import type { FlowPeer, SeenPackets } from "../../flows/model";
import { type PacketSet, PacketsOfBox } from "../packets/packetSet";
import { servicesOf } from "../packets/service";

/** The same answer for each role and direction, found once: many journeys pass one place. */
export function onceForPlace<T>(
  find: (role: Role, direction: Direction) => T,
): (role: Role, direction: Direction) => T {
  const found = new Map<string, { value: T }>();
  return (role, direction) => {
    const place = `${role} ${direction}`;
    let known = found.get(place);
    if (!known) found.set(place, (known = { value: find(role, direction) }));
    return known.value;
  };
}

// Many thousands of questions come by here: a folder's index is a detour at each.

/** All packets that have to pass a place. An end that is not stated may have any address. */
export const packetsOf = ({ protocol, ports, sources, destinations }: SeenPackets): PacketSet =>
  packetsBetween(sources, destinations, protocol, ports);

function packetsBetween(
  sources: readonly FlowPeer[],
  destinations: readonly FlowPeer[],
  protocol: Protocol,
  ports: PortRange | undefined,
): PacketSet {
  const from = addressesOf(sources);
  const to = addressesOf(destinations);
  const asked = new PacketsOfBox(servicesOf(protocol, ports, 4), from, to);
  if (protocol !== Protocol.Icmp) return asked;
  // Messages of ICMP have another number in each family, everything else is the same in both.
  return { 4: asked[4], 6: new PacketsOfBox(servicesOf(protocol, ports, 6), from, to)[6] };
}

/** The addresses of an end; undefined where some of them are not stated. */
function addressesOf(peers: readonly FlowPeer[]): readonly Prefix[] | undefined {
  if (peers.length < 2) return peers[0]?.prefixes;
  return peers.every(({ prefixes }) => prefixes)
    ? peers.flatMap(({ prefixes }) => prefixes ?? [])
    : undefined;
}

/** The answers to packets, which filters that keep no state judge as packets of the other direction. */
export const answersTo = (hop: SeenPackets): PacketSet =>
  packetsBetween(hop.destinations, hop.sources, hop.protocol, portsOfAnswers(hop));

/** The port from which the callers called. */
function portsOfAnswers({ protocol, ports, samePortBothWays, sources }: SeenPackets): PortRange | undefined {
  const hasPorts = protocol === Protocol.Tcp || protocol === Protocol.Udp;
  if (!hasPorts || samePortBothWays) return ports;
  return sources.every(({ zone }) => HOSTS.has(zone)) ? HOST_EPHEMERAL : CLIENT_EPHEMERAL;
}

/** Callers that are hosts themselves, and call from the ports of their system. */
const HOSTS: ReadonlySet<Zone> = new Set([Zone.Workers, Zone.ControlPlane, Zone.MachineNetwork]);
