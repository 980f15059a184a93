import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import type { Family } from "../../address/prefix";
import { Direction, Protocol } from "../../requirements/vocabulary";
import type { Role } from "../../topology/requiredFlow";
import { mergedKeys, ruleDescription, ruleKey, type PlannedRule, type RulePeer } from "./plannedRule";
import { REQUIREMENT_TAG } from "./tags";

/** What the rules of a component have around them. */
export interface RuleSurroundings {
  /** The component's name, with which theirs begin. */
  name: string;
  /** The component as parent, and the check of its inputs, before which nothing is made: `gated`. */
  options: pulumi.CustomResourceOptions;
  /** Ids of the component's groups. */
  groups: Readonly<Partial<Record<Role, pulumi.Output<string>>>>;
  /** Ids and CIDR blocks of other resources, by the path at which the inputs have them. */
  values: ReadonlyMap<string, pulumi.Output<string>>;
  region?: pulumi.Input<string>;
  tags: Record<string, pulumi.Input<string>>;
}

type RuleArgs = aws.vpc.SecurityGroupIngressRuleArgs & aws.vpc.SecurityGroupEgressRuleArgs;

/**
 * One rule of one group as a resource of its own, so that nobody else's rule is ever touched. A rule that takes the place
 * of others is one of them, changed in place: a group that is full has no room for one more before the others go.
 */
export function createRule(
  rule: PlannedRule,
  { name, options, ...around }: RuleSurroundings,
): pulumi.Resource {
  const Rule =
    rule.direction === Direction.Ingress ? aws.vpc.SecurityGroupIngressRule : aws.vpc.SecurityGroupEgressRule;
  const requirements = rule.requirements.join(" ");
  const args: RuleArgs = {
    securityGroupId: around.groups[rule.role]!,
    ...transport(rule),
    ...peerArgs(rule.peer, around),
    description: ruleDescription(rule),
    ...(around.region !== undefined && { region: around.region }),
    tags: { ...around.tags, ...(requirements !== "" && { [REQUIREMENT_TAG]: requirements }) },
  };
  const named = (key: string) => [name, rule.role, rule.direction, key].join("-");
  const aliases = mergedKeys(rule).map((key) => ({ name: named(key) }));
  return new Rule(named(ruleKey(rule)), args, { ...options, ...(aliases.length > 0 && { aliases }) });
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

function transport({
  protocol,
  ports,
  peer,
}: PlannedRule): Pick<RuleArgs, "ipProtocol" | "fromPort" | "toPort"> {
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

type PeerArgs = Pick<RuleArgs, "cidrIpv4" | "cidrIpv6" | "referencedSecurityGroupId" | "prefixListId">;

function peerArgs(peer: RulePeer, { groups, values }: Pick<RuleSurroundings, "groups" | "values">): PeerArgs {
  switch (peer.kind) {
    case "prefix":
      return peer.prefix.family === 4 ? { cidrIpv4: peer.prefix.text } : { cidrIpv6: peer.prefix.text };
    case "group":
      return { referencedSecurityGroupId: groups[peer.role] };
    case "reference": {
      const id = values.get(peer.reference.path);
      return peer.reference.kind === "securityGroup"
        ? { referencedSecurityGroupId: id }
        : { prefixListId: id };
    }
    case "eventual": {
      // Of which family a block is shows only when it is known. Older types of the SDK have no Output of undefined.
      const cidr = values.get(peer.path);
      const ofFamily = (family: Family) =>
        cidr?.apply((block) => (block.includes(":") === (family === 6) ? block : undefined)) as
          pulumi.Output<string> | undefined;
      return { cidrIpv4: ofFamily(4), cidrIpv6: ofFamily(6) };
    }
  }
}
