import type { PortRange } from "../../requirements/requirement";
import { Protocol } from "../../requirements/vocabulary";
import type { Family } from "../../address";

/**
 * Services as numbers: the protocol number, then 16 bits. Those are the port for TCP, UDP and SCTP, and type and code for ICMP.
 * They mean nothing for other protocols, which have all of them.
 */
export interface ServiceRange {
  readonly from: number;
  readonly to: number;
}

/** 16 bits. */
const WIDTH = 65_536;
/** IANA, Assigned Internet Protocol Numbers. */
export const PROTOCOL_NUMBER = { icmp: 1, tcp: 6, udp: 17, esp: 50, icmpV6: 58, sctp: 132 } as const;
/** The numbers of the protocols that Kubernetes names. */
export const TRANSPORT_NUMBER: Readonly<Record<string, number>> = {
  [Protocol.Tcp]: PROTOCOL_NUMBER.tcp,
  [Protocol.Udp]: PROTOCOL_NUMBER.udp,
  [Protocol.Sctp]: PROTOCOL_NUMBER.sctp,
};

/** The protocol as Kubernetes names it; undefined if it does not. */
export const transportName = (protocol: number | undefined): string | undefined =>
  Object.keys(TRANSPORT_NUMBER).find((name) => TRANSPORT_NUMBER[name] === protocol);

const WITH_PORTS: ReadonlySet<number> = new Set(Object.values(TRANSPORT_NUMBER));

/** Everything: all protocols with all of their ports. */
export const EVERY_SERVICE: ServiceRange = { from: 0, to: 256 * WIDTH - 1 };

export const NO_SERVICE: ServiceRange = { from: 1, to: 0 };

/** A protocol by its number, with ports. Default: all ports. */
export const service = (
  protocol: number,
  { from, to }: PortRange = { from: 0, to: WIDTH - 1 },
): ServiceRange => ({ from: protocol * WIDTH + from, to: protocol * WIDTH + to });

/** ICMP of a type and code; -1, the default, means all. The code counts only together with a type. */
export function icmp(family: Family, type = -1, code = -1): ServiceRange {
  const number = family === 4 ? PROTOCOL_NUMBER.icmp : PROTOCOL_NUMBER.icmpV6;
  if (type < 0) return service(number);
  return service(number, { from: type * 256 + Math.max(code, 0), to: type * 256 + (code < 0 ? 255 : code) });
}

/** Protocol and 16 bits of a service. */
export const protocolOf = (number: number): { protocol: number; port: number } => ({
  protocol: Math.floor(number / WIDTH),
  port: number % WIDTH,
});

/** The protocol of a requirement as numbers. ICMP has a different number in each family. */
export function servicesOf(protocol: Protocol, ports: PortRange | undefined, family: Family): ServiceRange {
  switch (protocol) {
    case Protocol.Any:
      return EVERY_SERVICE;
    case Protocol.Icmp:
      return icmp(family);
    case Protocol.Esp:
      return service(PROTOCOL_NUMBER.esp);
    case Protocol.Tcp:
      return service(PROTOCOL_NUMBER.tcp, ports);
    case Protocol.Udp:
      return service(PROTOCOL_NUMBER.udp, ports);
    case Protocol.Sctp:
      return service(PROTOCOL_NUMBER.sctp, ports);
  }
}

const NAMES: Readonly<Record<number, string>> = {
  [PROTOCOL_NUMBER.icmp]: "ICMP",
  [PROTOCOL_NUMBER.tcp]: "TCP",
  [PROTOCOL_NUMBER.udp]: "UDP",
  [PROTOCOL_NUMBER.esp]: "ESP",
  [PROTOCOL_NUMBER.icmpV6]: "ICMPv6",
  [PROTOCOL_NUMBER.sctp]: "SCTP",
};

/** `TCP`, `protocol 47` */
export const protocolName = (number: number): string => NAMES[number] ?? `protocol ${number}`;

/** Services as readable text: `TCP 443`, `TCP 30000-32767`, `ICMP`, `every protocol`. */
export function describeServices({ from, to }: ServiceRange): string[] {
  if (from === EVERY_SERVICE.from && to === EVERY_SERVICE.to) return ["every protocol"];
  const [first, last] = [Math.floor(from / WIDTH), Math.floor(to / WIDTH)];
  const wholeFrom = from % WIDTH === 0 ? first : first + 1;
  const wholeTo = to % WIDTH === WIDTH - 1 ? last : last - 1;
  if (wholeFrom > wholeTo)
    return first === last
      ? [portsOf(first, from % WIDTH, to % WIDTH)]
      : [portsOf(first, from % WIDTH, WIDTH - 1), portsOf(last, 0, to % WIDTH)];
  return [
    ...(wholeFrom > first ? [portsOf(first, from % WIDTH, WIDTH - 1)] : []),
    wholeFrom === wholeTo ? protocolName(wholeFrom) : `protocols ${wholeFrom}-${wholeTo}`,
    ...(wholeTo < last ? [portsOf(last, 0, to % WIDTH)] : []),
  ];
}

const IS_ICMP: ReadonlySet<number> = new Set([PROTOCOL_NUMBER.icmp, PROTOCOL_NUMBER.icmpV6]);

function portsOf(protocol: number, from: number, to: number): string {
  const name = protocolName(protocol);
  if (WITH_PORTS.has(protocol)) return from === to ? `${name} ${from}` : `${name} ${from}-${to}`;
  const [first, last] = [from >> 8, to >> 8];
  if (from % 256 === 0 && to % 256 === 255)
    return first === last ? `${name} type ${first}` : `${name} types ${first}-${last}`;
  // Only ICMP has a type and a code.
  if (from === to) return IS_ICMP.has(protocol) ? `${name} type ${first} code ${from % 256}` : name;
  return `${name} from type ${first} code ${from % 256} to type ${last} code ${to % 256}`;
}
