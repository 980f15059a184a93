import { at, PULUMI_AWS } from "../../requirements/documents";
import { type Judgement, Level, type Rule, unknown, violated } from "../../gate/rule";
import { areOrdered, inlineFacts } from "../../gate/securityGroupRules";
import { Direction } from "../../requirements/vocabulary";
import { entriesOf, readNumber } from "../../resources/read";
import { type PropertyValue, type Resource, UNKNOWN } from "../../resources/resource";
import { NETWORK_ACLS, SECURITY_GROUPS, SPLIT_RULES, TYPE } from "../../resources/resourceTypes";
import { readProtocol, WITH_PORTS } from "../../resources/trafficSpec";

/** A rule of a security group or network ACL has its ports the wrong way round. */
export const reversedPorts: Rule = {
  id: "port-range-reversed",
  title: "Port range ends before it begins",
  level: Level.Error,
  description:
    "Rules of security groups and network ACLs for TCP and UDP, inline and as resources of their own: fromPort is at most toPort. EC2 refuses the rule otherwise, in the middle of an update; to every other rule here it lets no port pass. ICMP has types and codes in these places.",
  documents: [at(PULUMI_AWS, "aws.ec2.SecurityGroup")],
  remediation: "Write the lower port as fromPort.",
  single: (type) => HOLDERS.has(type) || RESOURCES.has(type),
  judge: (judged) => [
    ...judged
      .ofKind(HOLDERS)
      .flatMap((holder) => Object.values(Direction).flatMap((direction) => inList(holder, direction))),
    ...judged.ofKind(RESOURCES).flatMap((rule) => judgeRule(rule, rule.properties, "")),
  ],
};

const HOLDERS: ReadonlySet<string> = new Set([...SECURITY_GROUPS, ...NETWORK_ACLS]);
const RESOURCES: ReadonlySet<string> = new Set([...SPLIT_RULES, TYPE.networkAclRule]);

/** Of most groups it is known without making their lists. */
const inList = (holder: Resource, direction: Direction): Judgement[] =>
  SECURITY_GROUPS.has(holder.type) && inlineFacts(holder, direction).arePortsOrdered
    ? []
    : entriesOf(holder.properties[direction]).flatMap((entry, position) =>
        judgeRule(holder, entry, `${direction}[${position}].`),
      );

function judgeRule(resource: Resource, rule: PropertyValue, place: string): Judgement[] {
  const isVpcRule = resource.type === TYPE.ingressRule || resource.type === TYPE.egressRule;
  const protocol = readProtocol(rule, isVpcRule ? "ipProtocol" : "protocol");
  if (protocol !== UNKNOWN && !WITH_PORTS.has(protocol)) return [];
  const [from, to] = [readNumber(rule, "fromPort"), readNumber(rule, "toPort")];
  if (from === undefined || to === undefined) return [];
  if (from !== UNKNOWN && to !== UNKNOWN && areOrdered(from, to)) return [];
  const pending = Object.entries({ fromPort: from, toPort: to }).find(([, value]) => value === UNKNOWN);
  if (pending) return [unknown({ resource, path: `${place}${pending[0]}` })];
  if (protocol === UNKNOWN)
    return [unknown({ resource, path: `${place}${isVpcRule ? "ipProtocol" : "protocol"}` })];
  return [
    violated({
      resource: resource.origin,
      path: `${place}fromPort`,
      message: `${String(from)} is above toPort ${String(to)}: EC2 refuses the rule`,
      fix: `write fromPort ${String(to)} and toPort ${String(from)}`,
    }),
  ];
}
