import { prefixesBetween, type Prefix } from "../../src/address";
import type { OrderedRule } from "../../src/reachability/firstMatch/trie";
import { PROTOCOL_NUMBER, service } from "../../src/reachability/packets/service";
import { numbers } from "../prefixes";

/** How the blocks of a firewall's rules relate to each other. */
export const SHAPES = ["random", "nested", "tiled"] as const;
export type Shape = (typeof SHAPES)[number];

/**
 * Rules of an egress firewall, the same in every run: allows and denies, half of them for a few ports of a few protocols, the others
 * for all ports.
 */
export function firewallRules(shape: Shape, count: number, seed: number): OrderedRule[] {
  const next = numbers(seed);
  return Array.from({ length: count }, (_, position) => ({
    allow: next() % 2 === 0,
    prefix: BLOCKS[shape](position, next),
    services: next() % 2 === 0 ? [] : Array.from({ length: 1 + (next() % 3) }, () => somePort(next)),
  }));
}

/** One of a few thousand ports. */
const somePort = (next: () => number): number => {
  const protocol = [PROTOCOL_NUMBER.tcp, PROTOCOL_NUMBER.udp, PROTOCOL_NUMBER.sctp][next() % 3]!;
  const port = next() % 1_000;
  return service(protocol, { from: port, to: port }).from;
};

const BLOCKS: Readonly<Record<Shape, (position: number, next: () => number) => Prefix>> = {
  random: (_, next) => blockAt(next(), 8 + (next() % 25)),
  // Chains from /8 to /32, each ending at its own address.
  nested: (position, next) =>
    blockAt(Math.imul(Math.floor(position / 25) + 1, 0x9e37_79b1) ^ (next() & 0xff), 8 + (position % 25)),
  // Adjacent blocks of one size, some of them twice, and sometimes one around sixteen of them.
  tiled: (position, next) => blockAt((10 << 24) | ((next() % 6_000) << 8), position % 16 === 0 ? 20 : 24),
};

function blockAt(address: number, length: number): Prefix {
  const size = 2 ** (32 - length);
  const from = Math.floor((address >>> 0) / size) * size;
  return prefixesBetween(4, BigInt(from), BigInt(from + size - 1))[0]!;
}
