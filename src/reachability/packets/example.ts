import { readPrefix, type Family, FAMILIES } from "../../address";
import { formatAddress } from "../../address/prefix";
import { DOCUMENTATION } from "../../requirements/implicitRanges";
import type { Whole } from "./algebra";
import type { PacketSet } from "./packetSet";
import { PROTOCOL_NUMBER, protocolOf, service, type ServiceRange } from "./service";

/** One packet. */
export interface Packet {
  /** Canonical text of an address. */
  source: string;
  /** Canonical text of an address. */
  destination: string;
  /** Protocol number. */
  protocol: number;
  /** Destination port; for ICMP, 256 times the type plus the code; 0 for other protocols. */
  port: number;
}

interface Range<N extends Whole = Whole> {
  readonly from: N;
  readonly to: N;
}

interface Senders extends Range {
  readonly rest: readonly Range[];
}

/**
 * A packet of a set that one host can send to another, if the set has such packets: two different addresses, neither of them a
 * network or broadcast address, preferably a protocol with ports, and no port 0.
 */
export function exampleOf(set: PacketSet): Packet | undefined {
  for (const family of FAMILIES) {
    const run = likeliest<Range<number> & { rest: readonly Senders[] }>(set[family]);
    if (!run) continue;
    const [source, destination] = twoEnds(family, run.rest);
    return {
      source: formatAddress(family, source),
      destination: formatAddress(family, destination),
      ...protocolOf(serviceIn(run)),
    };
  }
  return undefined;
}

/** Services that real packets have, the usual ones first. */
const USUAL: readonly ServiceRange[] = [PROTOCOL_NUMBER.tcp, PROTOCOL_NUMBER.udp, PROTOCOL_NUMBER.sctp].map(
  (number) => service(number, { from: 1, to: 65_535 }),
);
const POSSIBLE: readonly ServiceRange[] = [...USUAL, { from: service(1).from, to: Number.MAX_SAFE_INTEGER }];

const meets = (a: Range<number>, b: Range<number>): boolean => a.from <= b.to && b.from <= a.to;

const likeliest = <R extends Range<number>>(runs: readonly R[]): R | undefined =>
  POSSIBLE.flatMap((usual) => runs.find((run) => meets(run, usual)) ?? [])[0] ?? runs[0];

function serviceIn(run: Range<number>): number {
  const usual = POSSIBLE.find((one) => meets(run, one));
  return usual ? Math.max(usual.from, run.from) : run.from;
}

/** Two different addresses, if there are any. */
function twoEnds(family: Family, senders: readonly Senders[]): [bigint, bigint] {
  for (const run of senders) {
    const source = hostIn(family, run);
    for (const other of run.rest) {
      const destination = hostIn(family, other, source);
      // If the other end has only one address, this end gives way to it.
      const another = hostIn(family, run, destination);
      if (another !== destination) return [another, destination];
    }
  }
  const [run] = senders;
  return [hostIn(family, run!), hostIn(family, run!.rest[0]!)];
}

const ANYBODY = { 4: readPrefix(DOCUMENTATION[4])!, 6: readPrefix(DOCUMENTATION[6])! } as const;
/** A run that is wider than any network stands for every address: its lowest addresses belong to no host. */
const WIDEST = { 4: 2n ** 24n, 6: 2n ** 96n } as const;

/** The address of a host within a run, different from that of the other end. */
function hostIn(family: Family, range: Range, other?: bigint): bigint {
  const [from, to] = [BigInt(range.from), BigInt(range.to)];
  const anybody = ANYBODY[family];
  const isWide = to - from > WIDEST[family] && from <= anybody.start && anybody.end <= to;
  const [first, last] = isWide ? [anybody.start, anybody.end] : [from, to];
  // A run of four or more addresses is a network or contains one: its ends are not hosts.
  const inner = last - first >= 3n ? first + 1n : first;
  for (let address = inner; address <= last; address += 1n)
    if (address !== other && (family === 6 || isHostPart(address))) return address;
  return inner === other && inner < last ? inner + 1n : inner;
}

const isHostPart = (address: bigint): boolean => address % 256n !== 0n && address % 256n !== 255n;
