import { PULUMI_AWS, at } from "../../requirements/documents";
import { idOf, UNKNOWN } from "../../resources/resource";
import { SECURITY_GROUPS } from "../../resources/resourceTypes";
import { isByController } from "../../resources/ruleOwner";
import type { RuleSource, SecurityGroup, SecurityGroupRule } from "../../resources/securityGroups";
import { Level, describeResource, unknown, violated, type Judgement, type Rule } from "../../gate/rule";

/** Inline rules and rule resources of one group, which delete each other. */
export const securityGroupMixedRules: Rule = {
  id: "security-group-mixed-rules",
  title: "A security group has its rules inline or as resources of their own, not both",
  level: Level.Error,
  description:
    "Security groups with inline rules of a direction for which the stack also has rule resources: the provider takes the inline list for all that there is, so each update deletes what the other side wrote, and a documented flow is open or closed by turns. What the provider merely read back into a group's outputs is left alone: inline rules that a rule resource writes too, and those of controllers. A rule that somebody added by hand to a group with rule resources looks like an inline one after a refresh.",
  documents: [at(PULUMI_AWS, "aws.ec2.SecurityGroup")],
  remediation:
    "Move the inline rules into resources of their own, and leave ingress and egress of the group out.",
  judge: ({ groups }) => groups.groups.flatMap(judgeGroup),
};

function judgeGroup(judged: SecurityGroup): Judgement[] {
  const { resource: group, ruleResources } = judged;
  if (!group || !SECURITY_GROUPS.has(group.type) || ruleResources.length === 0) return [];
  const { rules } = judged;
  const inline = rules.filter(({ resource }) => resource === group);
  if (inline.length === 0 || inline.length === rules.length) return [];
  return inline.flatMap((rule) => {
    const others = rules.filter(
      ({ resource, direction }) => resource !== group && direction === rule.direction,
    );
    const [first] = others;
    // A list that is not known yet is mostly what the provider will read back.
    if (!first || rule.path === String(rule.direction) || isByController(rule)) return [];
    const written = others.flatMap((other) => piecesOf(other));
    const extra = piecesOf(rule).filter((piece) => !written.includes(piece));
    if (extra.length === 0) return [];
    if (extra.includes(NOT_KNOWN) || written.includes(NOT_KNOWN))
      return [
        unknown({
          resource: group,
          path: rule.path,
          because: others.map((other) => ({ resource: other.resource, path: other.path })),
        }),
      ];
    const count = others.length > 1 ? ` and ${others.length - 1} more` : "";
    return [
      violated({
        resource: group.origin,
        path: rule.path,
        message: `stands inline beside ${describeResource(first.resource)}${count}: each update of one side deletes the ${rule.direction} rules of the other`,
      }),
    ];
  });
}

const NOT_KNOWN = "?";

/** A rule as texts, one for each of its sources: the provider reads rules back in other lists than they were written in. */
function piecesOf({ protocol, ports, message, sources }: SecurityGroupRule): string[] {
  if (protocol === UNKNOWN || ports === UNKNOWN || message === UNKNOWN) return [NOT_KNOWN];
  const traffic = JSON.stringify([protocol, ports?.from, ports?.to, message?.type, message?.code]);
  return sources.map((source) => (source.kind === "unknown" ? NOT_KNOWN : `${traffic} ${textOf(source)}`));
}

function textOf(source: Exclude<RuleSource, { kind: "unknown" }>): string {
  if (source.kind === "prefix") return source.prefix.text;
  return source.kind === "group" ? (idOf(source.group.origin) ?? source.group.name) : source.id;
}
