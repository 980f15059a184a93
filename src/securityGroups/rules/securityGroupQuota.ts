import type { Family } from "../../address";
import { LIMIT, limitSources } from "../../requirements/limits";
import { Direction } from "../../requirements/vocabulary";
import { FAMILIES, ruleWeight } from "../../resources/ruleWeight";
import type { SecurityGroup } from "../../resources/securityGroups";
import { countedRules, mostCounted, type CountedRule } from "../../gate/countedRules";
import type { JudgedResources } from "../../gate/judgedResources";
import { Level, describeResource, unknown, violated, type Judgement, type Rule } from "../../gate/rule";

const { default: USUAL, highest: HIGHEST } = LIMIT.securityGroupRules;

/** More rules in a group than AWS takes. */
export const securityGroupQuota: Rule = {
  id: "security-group-quota",
  title: "Security groups have no more rules than AWS's quota",
  level: Level.Warning,
  description: `The rules of each security group, inbound and outbound, IPv4 and IPv6 counted apart: each block counts once in its family, each security group once in both, a prefix list as often as it may have entries, in both. More than ${USUAL} need a higher quota, which AWS grants up to ${HIGHEST} for interfaces with one group; beyond the quota an update stops in the middle, with some of the rules. The quota of an account is in no plan: a component's ruleQuota is taken for it, else AWS's default. Prefix lists that are not in the stack are counted as unknown.`,
  documents: [limitSources.securityGroupRules],
  remediation: "Write wider CIDR blocks, or spread the rules over several groups of the same hosts.",
  judge: (judged) => judged.groups.groups.flatMap((group) => judgeGroup(judged, group)),
};

function judgeGroup(judged: JudgedResources, group: SecurityGroup): Judgement[] {
  const quota = quotaOf(judged, group);
  if (mostCounted(group) <= quota) return [];
  const counted = countedRules(judged.index, group);
  return Object.values(Direction).flatMap((direction) =>
    FAMILIES.flatMap((family) => judgeList({ group, direction, family, quota }, counted)),
  );
}

interface RuleList {
  group: SecurityGroup;
  direction: Direction;
  family: Family;
  quota: number;
}

function judgeList(
  { group, direction, family, quota }: RuleList,
  counted: readonly CountedRule[],
): Judgement[] {
  const own = counted.filter((rule) => rule.direction === direction);
  const known = own.flatMap(({ peer }) => (peer ? ruleWeight(peer, family) : []));
  const count = known.reduce((total, weight) => total + weight, 0);
  const holder = group.resource ?? own[0]?.resource;
  if (!holder) return [];
  if (count > quota)
    return [
      violated({
        resource: holder.origin,
        path: direction,
        message: `${describeResource(holder)} has ${count} ${direction} rules of IPv${family} as AWS counts them, and the quota is ${quota}`,
        fix: wayOut(count, own, family),
      }),
    ];
  const [pending] = own.filter(({ peer }) => peer === undefined);
  if (!pending) return [];
  const reason = "how many entries the prefix list may have";
  const because = pending.list ? [{ resource: pending.list, path: "maxEntries" }] : [];
  return [unknown({ resource: pending.resource, path: pending.path, reason, because })];
}

function wayOut(count: number, rules: readonly CountedRule[], family: Family): string {
  const lists = rules.flatMap(({ peer }) => (peer?.kind === "prefixList" ? ruleWeight(peer, family) : []));
  const entries = lists.reduce((total, weight) => total + weight, 0);
  const raise =
    count > HIGHEST
      ? `AWS grants ${HIGHEST} at most`
      : `or have AWS raise the quota, at most to ${HIGHEST} divided by the groups of an interface`;
  return [
    "write wider CIDR blocks",
    "spread the rules over several groups of the same hosts",
    ...(entries > 0 ? [`make prefix lists smaller, which count for ${entries}`] : []),
    raise,
  ].join(", ");
}

/** What a component was told that AWS granted. */
function quotaOf({ index }: JudgedResources, { resource }: SecurityGroup): number {
  const stated = index.at(resource?.parent)?.properties.ruleQuota;
  return typeof stated === "number" && stated > 0 ? stated : USUAL;
}
