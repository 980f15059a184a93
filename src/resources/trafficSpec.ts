import { Protocol } from "../requirements/vocabulary";
import type { PortRange } from "../requirements/requirement";
import { isMap, readNumber, readValue, type Read } from "./read";
import { UNKNOWN, type PropertyValue } from "./resource";

/** The protocol of a rule: one that requirements use, another one by number or name, or UNKNOWN. */
export type RuleProtocol = string | typeof UNKNOWN;

/** ICMP of each family, by protocol number: a rule for one matches no packet of the other. */
const ICMP = "1";
const ICMP_V6 = "58";
/** Protocols whose rules have ICMP messages instead of ports. */
export const WITH_MESSAGES: ReadonlySet<RuleProtocol> = new Set([Protocol.Icmp, ICMP, ICMP_V6]);

/** Names and numbers of protocols; AWS accepts names in any case. */
const protocols: ReadonlyMap<string, RuleProtocol> = new Map(
  Object.entries<RuleProtocol>({
    "-1": Protocol.Any,
    all: Protocol.Any,
    tcp: Protocol.Tcp,
    "6": Protocol.Tcp,
    udp: Protocol.Udp,
    "17": Protocol.Udp,
    icmp: ICMP,
    "1": ICMP,
    icmpv6: ICMP_V6,
    "58": ICMP_V6,
    sctp: Protocol.Sctp,
    "132": Protocol.Sctp,
    esp: Protocol.Esp,
    "50": Protocol.Esp,
    "ipv6-icmp": ICMP_V6,
    // Others that the provider accepts by name for network ACLs.
    ...{ hopopt: "0", igmp: "2", ipv4: "4", egp: "8", igp: "9", dccp: "33", ipv6: "41", "ipv6-route": "43" },
    ...{ "ipv6-frag": "44", rsvp: "46", gre: "47", ah: "51", "ipv6-nonxt": "59", "ipv6-opts": "60" },
    ...{ eigrp: "88", ospfigp: "89", ipip: "94", etherip: "97", encap: "98", pim: "103", ipcomp: "108" },
    ...{ vrrp: "112", l2tp: "115", stp: "118", "isis-over-ipv4": "124", "mobility-header": "135" },
    ...{
      udplite: "136",
      "mpls-in-ip": "137",
      manet: "138",
      hip: "139",
      shim6: "140",
      wesp: "141",
      rohc: "142",
    },
  }),
);

/** The protocols for which AWS checks ports; for every other protocol it ignores the ports of a rule. */
export const WITH_PORTS: ReadonlySet<RuleProtocol> = new Set([Protocol.Tcp, Protocol.Udp]);

/** Whether AWS checks the ports of a rule for a protocol, or may do so. */
export const mayHavePorts = (protocol: RuleProtocol): boolean =>
  protocol === UNKNOWN || WITH_PORTS.has(protocol);

/** Whether a rule of one protocol certainly allows packets of another. */
export const letsPass = (protocol: RuleProtocol, wanted: Protocol): boolean => PASSING[wanted].has(protocol);

/** For each protocol, the rule protocols that allow it. Precomputed, because every rule is checked for every flow. */
const PASSING = Object.fromEntries(
  Object.values(Protocol).map((wanted) => [
    wanted,
    new Set<RuleProtocol>([Protocol.Any, wanted, ...(wanted === Protocol.Icmp ? [ICMP, ICMP_V6] : [])]),
  ]),
) as unknown as Readonly<Record<Protocol, ReadonlySet<RuleProtocol>>>;

const NO_PORT: PortRange = { from: 1, to: 0 };

export const EVERY_PORT: PortRange = { from: 0, to: 65535 };

/** Whether a value is a port that EC2 accepts in rules for TCP and UDP. */
export const isPort = (value: Read<PropertyValue>): value is number =>
  typeof value === "number" && value >= EVERY_PORT.from && value <= EVERY_PORT.to && Number.isInteger(value);

/** Whether EC2 accepts two ports in a rule for TCP or UDP. */
export const arePorts = (from: Read<PropertyValue>, to: Read<PropertyValue>): boolean =>
  isPort(from) && isPort(to) && from <= to;

/** Whether the provider and EC2 accept the ports of an inline rule. For every protocol, the provider accepts only 0. */
export const areInlinePorts = (
  protocol: RuleProtocol,
  from: Read<PropertyValue>,
  to: Read<PropertyValue>,
): boolean =>
  mayHavePorts(protocol) ? arePorts(from, to) : protocol !== Protocol.Any || (isUnset(from) && isUnset(to));

const isUnset = (port: Read<PropertyValue>): boolean => port === undefined || port === null || port === 0;

/** What a rule matches: protocol and ports. */
export interface TrafficSpec {
  protocol: RuleProtocol;
  /** Default: every port. `from` greater than `to`: none. */
  ports?: PortRange | typeof UNKNOWN | undefined;
  /** ICMP type and code; -1 means every one. Default: every message. */
  message?: { type: number; code: number } | typeof UNKNOWN | undefined;
}

/** The protocol and ports of a rule; `key` is the property of the protocol. */
export function readTraffic(rule: PropertyValue, key: "protocol" | "ipProtocol"): TrafficSpec {
  return plainTraffic(rule, key) ?? carefullyRead(rule, key);
}

/** Reads the form of nearly all rules of a plan: `tcp` or `udp` in lowercase and two ports. Undefined for any other form. */
export function plainTraffic(rule: PropertyValue, key: "protocol" | "ipProtocol"): TrafficSpec | undefined {
  if (!isMap(rule)) return undefined;
  const name = key === "protocol" ? rule.protocol : rule.ipProtocol;
  const protocol = name === "tcp" ? Protocol.Tcp : name === "udp" ? Protocol.Udp : undefined;
  if (!protocol) return undefined;
  const { fromPort: from, toPort: to } = rule;
  return isPort(from) && isPort(to) ? { protocol, ports: { from, to } } : undefined;
}

function carefullyRead(rule: PropertyValue, key: "protocol" | "ipProtocol"): TrafficSpec {
  const protocol = readProtocol(rule, key);
  const hasMessages = WITH_MESSAGES.has(protocol);
  if (!hasMessages && !mayHavePorts(protocol)) return { protocol };
  const from = readNumber(rule, "fromPort");
  const to = readNumber(rule, "toPort");
  if (hasMessages) return { protocol, ...readMessage(from, to) };
  const ports = readPorts(from, to);
  return protocol === UNKNOWN && ports === NO_PORT ? { protocol } : { protocol, ports };
}

/** ICMP type and code, which AWS uses in place of ports; -1 and absent mean every one. Without a type, the code means nothing. */
export function readMessage(type: Read<number>, code: Read<number>): Pick<TrafficSpec, "message"> {
  if (type === undefined || (type !== UNKNOWN && type < 0)) return {};
  return { message: type === UNKNOWN || code === UNKNOWN ? UNKNOWN : { type, code: code ?? -1 } };
}

/** The protocol of a rule; absent means every one. */
export function readProtocol(rule: PropertyValue, key: string): RuleProtocol {
  const word = readValue(rule, key);
  if (word === undefined) return Protocol.Any;
  if (typeof word !== "string" && typeof word !== "number") return UNKNOWN;
  // Nearly all rules write it in lowercase.
  const text = String(word);
  const known = protocols.get(text);
  if (known !== undefined) return known;
  const name = text.toLowerCase();
  return protocols.get(name) ?? name;
}

/** The ports of a rule for TCP or UDP: none if EC2 refuses the rule, because an end is missing or is not a port. */
function readPorts(...ends: [from: Read<number>, to: Read<number>]): PortRange | typeof UNKNOWN {
  if (ends.some((end) => end !== UNKNOWN && !isPort(end))) return NO_PORT;
  const [from, to] = ends;
  return isPort(from) && isPort(to) ? { from, to } : UNKNOWN;
}
