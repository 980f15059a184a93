import { pushAll } from "../pushAll";
import type { Prefix } from "../address";
import { Direction } from "../requirements/vocabulary";
import { blocksOf } from "../reachability/packets/print";
import { describeServices, type PacketSet, type ServiceRange } from "../reachability/packets";

/** A part of a set of packets as one side sees it: the same addresses of its peers at each of these services. */
export interface PacketPart {
  services: readonly ServiceRange[];
  /** Addresses of the peers, of both families. */
  prefixes: readonly Prefix[];
}

/** Packets in one direction, in as few parts as there are. Hosts' own addresses stand in none of them. */
export function packetParts(set: PacketSet, direction: Direction): PacketPart[] {
  const parts = new Map<string, { services: readonly ServiceRange[]; prefixes: Prefix[] }>();
  for (const { services, sources, destinations } of blocksOf(set)) {
    const prefixes = direction === Direction.Ingress ? sources : destinations;
    const key = servicesText(services);
    const part = parts.get(key);
    if (part) pushAll(part.prefixes, prefixes);
    else parts.set(key, { services, prefixes: [...prefixes] });
  }
  return [...parts.values()];
}

/** `TCP 443, TCP 6443` */
export const servicesText = (services: readonly ServiceRange[]): string =>
  services.flatMap(describeServices).join(", ");
