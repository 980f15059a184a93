import { type Family } from "../../address";
import { Direction, Protocol } from "../../requirements/vocabulary";
import { describePeer, describePorts } from "../../components/hostRules/plannedRule";
import { numberKey, type NumberedRule } from "./ruleNumbers";
import type { NetworkAclRuleRow } from "./hostedControlPlaneNetworkAclsArgs";
/** A rule as EC2 takes it. A block that is not known yet is left out. */
export interface AclEntry {
  ruleNumber: number;
  egress: boolean;
  ruleAction: "allow";
  protocol: string;
  fromPort?: number;
  toPort?: number;
  icmpType?: number;
  icmpCode?: number;
  cidrBlock?: string;
  ipv6CidrBlock?: string;
}

/** The entry that a rule becomes. */
export function aclEntry(rule: NumberedRule): AclEntry {
  const { number, direction, peer } = rule;
  return {
    ruleNumber: number,
    egress: direction === Direction.Egress,
    ruleAction: "allow",
    ...transport(rule),
    ...(peer.kind === "prefix" &&
      (peer.prefix.family === 4 ? { cidrBlock: peer.prefix.text } : { ipv6CidrBlock: peer.prefix.text })),
  };
}

/** Protocols as EC2 names or numbers them. */
const PROTOCOL: Readonly<Record<Protocol, string>> = {
  [Protocol.Tcp]: "tcp",
  [Protocol.Udp]: "udp",
  [Protocol.Icmp]: "icmp",
  [Protocol.Sctp]: "132",
  [Protocol.Esp]: "50",
  [Protocol.Any]: "-1",
};
/** ICMP is another protocol over IPv6. */
export const icmpOf = (family: Family): string => (family === 6 ? "58" : PROTOCOL[Protocol.Icmp]);

const EVERY_PORT = { from: 0, to: 65535 };
const EVERY_MESSAGE = { icmpType: -1, icmpCode: -1 };
/** "Fragmentation needed" of IPv4, "Packet Too Big" of IPv6. */
const TOO_BIG = { 4: { icmpType: 3, icmpCode: 4 }, 6: { icmpType: 2, icmpCode: -1 } } as const;

type Transport = Pick<AclEntry, "protocol" | "fromPort" | "toPort" | "icmpType" | "icmpCode">;

function transport({ protocol, ports = EVERY_PORT, peer, tooBig }: NumberedRule): Transport {
  if (protocol === Protocol.Icmp) {
    const family = peer.kind === "prefix" ? peer.prefix.family : 4;
    return {
      protocol: icmpOf(family),
      ...(tooBig ? TOO_BIG[family] : EVERY_MESSAGE),
    };
  }
  if (protocol !== Protocol.Tcp && protocol !== Protocol.Udp) return { protocol: PROTOCOL[protocol] };
  return { protocol: PROTOCOL[protocol], fromPort: ports.from, toPort: ports.to };
}

/** A rule as tables and reports show it. */
export function aclRuleRow(rule: NumberedRule): NetworkAclRuleRow {
  const { role, direction, number, protocol, ports, tooBig, peer } = rule;
  return {
    key: numberKey(rule),
    role,
    direction,
    ruleNumber: number,
    protocol,
    ports: tooBig ? "packet too big" : describePorts(ports),
    peer: describePeer(peer),
    flows: [...rule.flows],
    requirements: [...rule.requirements],
    purpose: rule.purposes.join("; "),
    documents: [...rule.documents],
  };
}
