import { contains, type Family } from "../../address";
import type { PortRange } from "../../flows/model";
import { Protocol } from "../../requirements/vocabulary";
import { type PlannedRule, ruleKey } from "../../components/hostRules/plannedRule";

/** One rule of a network ACL, which lets packets pass, before it has a number. */
export interface AclRule extends PlannedRule {
  /** True for the one ICMP message by which routers say that a packet was too big. */
  tooBig?: true;
}

/**
 * The name of a rule in its ACL and direction: `tcp-6443-10.0.0.0-16`. It is made of the packets that the rule lets pass,
 * so a rule keeps its name, and with it its resource and its number, whatever other rules come and go.
 */
export function aclRuleKey(rule: AclRule): string {
  const key = ruleKey(rule);
  return rule.tooBig ? key.replace(/^icmp/, "icmp-too-big") : key;
}

/** The families that a rule counts for: both, while its CIDR block is not known. */
export function familiesOf({ peer }: AclRule): readonly Family[] {
  return peer.kind === "prefix" ? [peer.prefix.family] : [4, 6];
}

/** Whether every packet that the inner rule lets pass passes by the outer one as well. */
export function holds(outer: AclRule, inner: AclRule): boolean {
  return (
    outer.role === inner.role &&
    outer.direction === inner.direction &&
    (outer.protocol === Protocol.Any || outer.protocol === inner.protocol) &&
    (!outer.tooBig || inner.tooBig === true) &&
    (outer.ports === undefined || (inner.ports !== undefined && within(outer.ports, inner.ports))) &&
    outer.peer.kind === "prefix" &&
    inner.peer.kind === "prefix" &&
    contains(outer.peer.prefix, inner.peer.prefix)
  );
}

const within = (outer: PortRange, inner: PortRange): boolean =>
  outer.from <= inner.from && inner.to <= outer.to;
