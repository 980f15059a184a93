import type { Direction } from "../../../requirements/vocabulary";
import type { Written, WrittenRule } from "../places";

/** A rule of a security group, in the words of AWS. */
export interface SecurityGroupRepair {
  kind: "security-group-rule";
  /** A group of the interface, as good as any other of its groups. Absent: the plan has only rules of it. */
  group?: Written;
  /** How rules of that group are written: inside it, as SecurityGroupRule, or as SecurityGroupIngressRule and SecurityGroupEgressRule. Absent: it has none. */
  form?: "inline" | "classic" | "split";
  direction: Direction;
  /** `tcp`, `icmp`, `50`, `-1`. */
  protocol: string;
  fromPort: number;
  toPort: number;
  cidrBlocks: readonly string[];
  ipv6CidrBlocks: readonly string[];
}

/** A rule of a network ACL, in the words of AWS. */
export interface NetworkAclRepair {
  kind: "network-acl-rule";
  acl?: Written;
  direction: Direction;
  /** Whether it is the answers to the flow that have to pass. */
  asked: "calls" | "answers";
  /** A number that no rule of this direction has. */
  ruleNumber: number;
  protocol: string;
  fromPort: number;
  toPort: number;
  /** Only for ICMP: -1 is every one. */
  icmpType?: number;
  icmpCode?: number;
  cidrBlock?: string;
  ipv6CidrBlock?: string;
  /** The rule that denies today, before which this one stands. Absent: none matches. */
  before?: WrittenRule;
}

/** What a rule of a network policy lets in. */
export interface PolicyRuleRepair {
  /** Absent: every port. */
  ports?: readonly { protocol: string; port: number; endPort?: number }[];
  /** Absent: everybody. */
  from?: readonly (
    | { ipBlock: { cidr: string } }
    | {
        podSelector?: { matchLabels: Readonly<Record<string, string>> };
        namespaceSelector?: { matchLabels: Readonly<Record<string, string>> };
      }
  )[];
}

/** A network policy with one rule: policies add up, and one of its own opens only the pods of the flow. */
export interface NetworkPolicyRepair {
  kind: "network-policy";
  namespace: string;
  podSelector: { matchLabels: Readonly<Record<string, string>> };
  ingress: PolicyRuleRepair;
}

/** A rule of an egress firewall. */
export interface EgressFirewallRepair {
  kind: "egress-firewall-rule";
  firewall: Written;
  /** Its place in `spec.egress`, counted from 0, when the repairs before it stand. */
  index: number;
  rule: {
    type: "Allow";
    to: { cidrSelector: string };
    /** Absent: every port of every protocol. */
    ports?: readonly { protocol: string; port: number }[];
  };
  before?: WrittenRule;
}

/** One rule that has to be written. */
export type Repair = SecurityGroupRepair | NetworkAclRepair | NetworkPolicyRepair | EgressFirewallRepair;

/** What lets a flow pass that is dropped today, and nothing else. */
export interface RepairAdvice {
  /** As few rules as the place takes for it; all of them are needed. Empty: see `obstacle`. */
  rules: readonly Repair[];
  /** Why no rule can be named: what the user has to state or move first. */
  obstacle?: string;
}
