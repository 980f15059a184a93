import { parseAddress, parsePrefix } from "../../src/address/parse";
import type { Prefix } from "../../src/address";
import { difference, packets, type PacketSet } from "../../src/reachability/packets/packetSet";
import { allowedBy } from "../../src/reachability/filters/decide";
import type { Filter } from "../../src/reachability/filters/filter";

/** One packet of IPv4 in the small universe. */
export interface SmallPacket {
  /** Last eight bits of the addresses: `10.0.0.x`. */
  source: number;
  destination: number;
  protocol: number;
  port: number;
}

export const address = (bits: number): string => `10.0.0.${bits}`;

export const prefix = (text: string): Prefix => parsePrefix(text).prefix!;

/** Whether a set has a packet, looked up in its runs without using its operations. */
export function has(set: PacketSet, { source, destination, protocol, port }: SmallPacket): boolean {
  const at = (number: number) => (run: { from: number; to: number }) =>
    run.from <= number && number <= run.to;
  const service = set[4].find(at(protocol * 65_536 + port));
  const from = service?.rest.find(at(valueOf(source)));
  return from?.rest.some(at(valueOf(destination))) ?? false;
}

const BASE = Number(parseAddress("10.0.0.0").address!.value);
const valueOf = (bits: number): number => BASE + bits;

const TCP = 6;
const UDP = 17;

/** Every packet between these sources and destinations, at 8 ports of two protocols. */
export function* everyPacket(
  sources: readonly number[],
  destinations: readonly number[],
): Generator<SmallPacket> {
  for (const protocol of [TCP, UDP])
    for (let port = 0; port < 8; port++)
      for (const source of sources)
        for (const destination of destinations) yield { source, destination, protocol, port };
}

export const EVERY_ADDRESS: readonly number[] = Array.from({ length: 256 }, (_, bits) => bits);

/** The packets on which a set and a model differ. */
export function differences(
  set: PacketSet,
  model: (packet: SmallPacket) => boolean,
  among: Iterable<SmallPacket>,
): SmallPacket[] {
  return [...among].filter((packet) => has(set, packet) !== model(packet));
}

/** All packets between two blocks. */
export const between = (source: string, destination: string): PacketSet =>
  packets({ sources: [prefix(source)], destinations: [prefix(destination)] });

/** The packets that may pass `after` and certainly do not pass `before`, and the reverse. */
export function changeBetween(before: readonly Filter[], after: readonly Filter[]) {
  const [old, now] = [allowedBy(before), allowedBy(after)];
  return { opened: difference(now.possible, old.possible), closed: difference(old.sure, now.sure) };
}
