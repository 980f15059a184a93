import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import type { Family } from "../../address/prefix";
import { Direction, type Role } from "../../requirements/vocabulary";
import {
  mergedKeys,
  ruleDescription,
  ruleKey,
  type PlannedRule,
} from "../../components/hostRules/plannedRule";
import { rulePeer, ruleTraffic } from "./ruleProperties";
import { REQUIREMENT_TAG } from "../../components/hostRules/tags";

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
    ...ruleTraffic(rule),
    ...rulePeer<pulumi.Output<string>>(rule.peer, { ...around, ofFamily }),
    description: ruleDescription(rule),
    ...(around.region !== undefined && { region: around.region }),
    tags: { ...around.tags, ...(requirements !== "" && { [REQUIREMENT_TAG]: requirements }) },
  };
  const named = (key: string) => [name, rule.role, rule.direction, key].join("-");
  const aliases = mergedKeys(rule).map((key) => ({ name: named(key) }));
  return new Rule(named(ruleKey(rule)), args, { ...options, ...(aliases.length > 0 && { aliases }) });
}

/** Of which family a block is shows only when it is known. Older types of the SDK have no Output of undefined. */
const ofFamily = (cidr: pulumi.Output<string>, family: Family): pulumi.Output<string> =>
  cidr.apply((block) =>
    block.includes(":") === (family === 6) ? block : undefined,
  ) as pulumi.Output<string>;
