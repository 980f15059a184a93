import type { AclEntry } from "../../../src/networkAcls/component/aclResources";

/** A packet at the border of a subnet. `remote` is the end outside of it. */
export interface Packet {
  egress: boolean;
  /** The protocol number of EC2. */
  protocol: 1 | 6 | 17 | 50 | 58 | 132;
  remote: string;
  /** Destination port of TCP and UDP. */
  port?: number;
  /** Type and code of ICMP. */
  message?: readonly [number, number];
}

const NUMBERS: Readonly<Record<string, number>> = { tcp: 6, udp: 17, icmp: 1 };

/** An address as a number, and its bits; independent of the package's own arithmetic. */
function numberOf(address: string): { value: bigint; bits: number } {
  if (!address.includes(":")) {
    const value = address.split(".").reduce((sum, part) => sum * 256n + BigInt(part), 0n);
    return { value, bits: 32 };
  }
  const [head = "", tail] = address.split("::");
  const groups = (text: string) => (text === "" ? [] : text.split(":"));
  const rest = tail === undefined ? [] : groups(tail);
  const zeros = 8 - groups(head).length - rest.length;
  const all = [...groups(head), ...Array.from({ length: zeros }, () => "0"), ...rest];
  return { value: all.reduce((sum, group) => sum * 65536n + BigInt(`0x${group}`), 0n), bits: 128 };
}

/** Returns a function that reports whether an address lies in a CIDR block, and caches its results. */
export function inside(block: string): (address: string) => boolean {
  const [first = "", length] = block.split("/");
  const start = numberOf(first);
  const shift = BigInt(start.bits - Number(length));
  const known = new Map<string, boolean>();
  return (address) => {
    const before = known.get(address);
    if (before !== undefined) return before;
    const point = numberOf(address);
    const lies = point.bits === start.bits && point.value >> shift === start.value >> shift;
    known.set(address, lies);
    return lies;
  };
}

function matcher(entry: AclEntry): (packet: Packet) => boolean {
  const isThere = inside(entry.cidrBlock ?? entry.ipv6CidrBlock ?? "");
  const protocol = NUMBERS[entry.protocol] ?? Number(entry.protocol);
  const { fromPort = 0, toPort = 0, icmpType, icmpCode } = entry;
  const selected = ({ port = 0, message: [type, code] = [0, 0] }: Packet): boolean => {
    if (protocol === 6 || protocol === 17) return fromPort <= port && port <= toPort;
    if (protocol !== 1 && protocol !== 58) return true;
    return (icmpType === -1 || icmpType === type) && (icmpCode === -1 || icmpCode === code);
  };
  return (packet) =>
    entry.egress === packet.egress &&
    (protocol === -1 || (protocol === packet.protocol && selected(packet))) &&
    isThere(packet.remote);
}

/** Evaluates like EC2: the first rule that matches, by number, decides; the last one denies. It keeps no state. */
export function networkAcl(entries: readonly AclEntry[]): (packet: Packet) => boolean {
  const ordered = [...entries]
    .sort((a, b) => a.ruleNumber - b.ruleNumber)
    .map((entry) => ({ allows: entry.ruleAction === "allow", matches: matcher(entry) }));
  return (packet) => ordered.find(({ matches }) => matches(packet))?.allows ?? false;
}
