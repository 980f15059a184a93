import type { Family } from "../../address/prefix";
import { Protocol, type Role } from "../../requirements/vocabulary";
import type { PlannedRule, RulePeer } from "../../components/hostRules/plannedRule";

/** Protocol and ports of a rule as EC2 takes them. */
export interface RuleTraffic {
  ipProtocol: string;
  fromPort?: number;
  toPort?: number;
}

/** Protocols as EC2 names them. */
const IP_PROTOCOL: Readonly<Record<Protocol, string>> = {
  [Protocol.Tcp]: "tcp",
  [Protocol.Udp]: "udp",
  [Protocol.Icmp]: "icmp",
  [Protocol.Sctp]: "132",
  [Protocol.Esp]: "50",
  [Protocol.Any]: "-1",
};
const EVERY_PORT = { fromPort: 0, toPort: 65535 };
const EVERY_ICMP_TYPE = { fromPort: -1, toPort: -1 };

/** What a rule lets pass, as properties of its resource. */
export function ruleTraffic({
  protocol,
  ports,
  peer,
}: Pick<PlannedRule, "protocol" | "ports" | "peer">): RuleTraffic {
  if (protocol === Protocol.Icmp) {
    const overIPv6 = peer.kind === "prefix" && peer.prefix.family === 6;
    return { ipProtocol: overIPv6 ? "icmpv6" : IP_PROTOCOL[protocol], ...EVERY_ICMP_TYPE };
  }
  if (protocol !== Protocol.Tcp && protocol !== Protocol.Udp) return { ipProtocol: IP_PROTOCOL[protocol] };
  return {
    ipProtocol: IP_PROTOCOL[protocol],
    ...(ports ? { fromPort: ports.from, toPort: ports.to } : EVERY_PORT),
  };
}

/** The other end of a rule as properties of its resource. `Value` is what holds ids and blocks of other resources. */
export interface PeerProperties<Value> {
  cidrIpv4?: string | Value;
  cidrIpv6?: string | Value;
  referencedSecurityGroupId?: Value;
  prefixListId?: Value;
}

/** Where ids and blocks of other resources come from. */
export interface PeerValues<Value> {
  /** Ids of the component's groups. */
  groups: Readonly<Partial<Record<Role, Value>>>;
  /** Ids and CIDR blocks of other resources, by the path at which the inputs have them. */
  values: { get: (path: string) => Value | undefined };
  /** The block where it is one of that family, and nothing where it is of the other. */
  ofFamily: (cidr: Value, family: Family) => Value;
}

/** Whom a rule lets pass, as properties of its resource. */
export function rulePeer<Value>(
  peer: RulePeer,
  { groups, values, ofFamily }: PeerValues<Value>,
): PeerProperties<Value> {
  switch (peer.kind) {
    case "prefix":
      return peer.prefix.family === 4 ? { cidrIpv4: peer.prefix.text } : { cidrIpv6: peer.prefix.text };
    case "group":
      return withValue("referencedSecurityGroupId", groups[peer.role]);
    case "reference": {
      const isGroup = peer.reference.kind === "securityGroup";
      return withValue(
        isGroup ? "referencedSecurityGroupId" : "prefixListId",
        values.get(peer.reference.path),
      );
    }
    case "eventual": {
      const cidr = values.get(peer.path);
      return cidr === undefined ? {} : { cidrIpv4: ofFamily(cidr, 4), cidrIpv6: ofFamily(cidr, 6) };
    }
  }
}

const withValue = <Value>(
  key: keyof PeerProperties<Value>,
  value: Value | undefined,
): PeerProperties<Value> => (value === undefined ? {} : { [key]: value });
