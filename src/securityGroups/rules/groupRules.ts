import {
  at,
  OKD_NETWORKING,
  HYPERSHIFT_PORTS,
  describeReference,
  PULUMI_AWS,
} from "../../requirements/documents";
import { idOf, type Resource, UNKNOWN, type PropertyValue } from "../../resources/resource";
import {
  isKubernetes,
  SECURITY_GROUPS,
  NETWORK_ACLS,
  SPLIT_RULES,
  TYPE,
} from "../../resources/resourceTypes";
import {
  isByController,
  type RuleSource,
  ruleWeight,
  type SecurityGroup,
  type SecurityGroupRule,
} from "../../resources/securityGroups";
import { describeResource, type Judgement, Level, type Rule, unknown, violated } from "../../gate/rule";
import type { Family } from "../../address";
import { LIMIT, limitSources } from "../../requirements/limits";
import { Direction, Perspective, Protocol, Role, Zone } from "../../requirements/vocabulary";
import {
  blockOf,
  isReadBack,
  judgeRevoked,
  type MixedList,
  mixedLists,
  PEER_LISTS,
  type SecondWriter,
  secondWriters,
  strayWriters,
} from "../../gate/readBack";
import { type CountedRule, countedRules, mostCounted } from "../../gate/coverage";
import type { GroupInRole, JudgedResources } from "../../gate/judgedResources";
import { requirements } from "../../requirements/requirements";
import type { Requirement } from "../../requirements/requirement";
import type { NetworkAcl } from "../../resources/networkAcls";
import type { NetworkAclRule } from "../../resources/networkAclRule";
import {
  arePorts,
  EVERY_PORT,
  isPort,
  letsPass,
  mayHavePorts,
  readProtocol,
} from "../../resources/trafficSpec";
import { exampleHost, HOSTS, portText } from "../../gate/finding";
import { inlineFacts } from "../../gate/securityGroupRules";
import { entriesOf, isFilled, type Read, readNumber, readText, valueAt } from "../../resources/read";
import { FAMILIES } from "../../address";
import { firstOf } from "../../text";
import { onceIn } from "../../collections";
import { touches } from "./portPublic";

/** Reports lists with both inline entries and entries from other resources, which delete each other. */
export const securityGroupMixedRules: Rule = {
  id: "security-group-mixed-rules",
  title: "A list has both inline entries and separate resources",
  level: Level.Error,
  description:
    "Reports security groups and network ACLs with both inline rules and rule resources for one direction, default network ACLs with rule resources, whatever they list, and route tables, prefix lists and subnets of network ACLs that the program states partly inline and partly as separate resources. The provider treats the inline list as complete, so each update deletes what the other side wrote, and a documented flow is alternately open and closed.",
  details: [
    "Groups and rules that the stack only reads, or releases while `retainOnDelete` lets the cloud keep them, are not judged. Neither is what the provider only read back into outputs: lists that the program does not state, inline rules that a rule resource also writes, and rules of controllers.",
    "Also reports rules that a VpcSecurityGroupRulesExclusive of the group does not list, because each of its updates deletes them.",
    "Also reports rules with the permission, or the number, of a rule resource that a preview deletes last, because its name changes or its replacement is created first, and likewise routes and prefix list entries: EC2 stores each once; what such rules allow is unknown.",
    "Also reports a permission, route or prefix list entry that two resources write, a block or prefix list that a SecurityGroupRule lists twice, and, in the groups of a hosted cluster, a permission that two inline rules with different descriptions contain: EC2 refuses the whole list.",
  ],
  documents: ["SecurityGroup", "NetworkAcl", "RouteTable", "ManagedPrefixListEntry"].map((name) =>
    at(PULUMI_AWS, `aws.ec2.${name}`),
  ),
  remediation:
    "Move the inline rules into separate resources, and leave out ingress and egress; keep all rules of a default network ACL inline.",
  judge: (judged) => [
    ...judged.groups.groups.flatMap((group) => [
      ...judgeForms(group),
      ...judgeTakenOut(group),
      // Lists of other groups of a large plan are not read.
      ...(judged.roleOf(group).role ? judgeRepeated(group) : []),
    ]),
    ...judged.acls.acls.flatMap(judgeAclForms),
    ...mixedLists(judged.index).map(judgeMixedList),
    ...strayWriters(judged.index).map(({ writer, path }) =>
      unknown({ resource: writer, path, reason: "whether its list also has inline entries" }),
    ),
    ...judged.index.resources.filter(({ type }) => !isKubernetes(type)).flatMap(judgeRevoked),
    ...secondWriters(judged.index).map(judgeSecond),
    ...judged.ofKind(LEGACY_RULES).flatMap(judgeListedTwice),
  ],
};

const judgeSecond = ({ writer, by, once }: SecondWriter): Judgement =>
  violated({
    resource: writer.origin,
    path: "",
    message: `has the same ${once} as ${describeResource(by)}: EC2 stores it once, so it refuses the second resource, and deleting either one removes it for both`,
    fix: "keep only one of them",
  });

const LEGACY_RULES: ReadonlySet<string> = new Set([TYPE.securityGroupRule]);

/** Reports blocks and prefix lists that a rule resource lists twice. The provider removes duplicates only from inline rules. */
function judgeListedTwice(rule: Resource): Judgement[] {
  const { origin, properties, isRead } = rule;
  if (isRead || origin.live !== undefined) return [];
  return PEER_LISTS.flatMap((list) => {
    const first = new Map<string, number>();
    return entriesOf(properties[list]).flatMap((peer, position) => {
      if (!isFilled(peer)) return [];
      const before = onceIn(first, blockOf(peer), () => position);
      if (before === position) return [];
      return [
        violated({
          resource: origin,
          path: `${list}[${position}]`,
          message: `${peer} is already ${list}[${before}]: EC2 refuses a rule that contains one permission twice`,
          fix: "remove one of them",
        }),
      ];
    });
  });
}

/** Reports inline rules with one permission and several descriptions, which the provider sends as two: EC2 refuses the whole list. */
function judgeRepeated({ resource: group, rules }: SecurityGroup): Judgement[] {
  if (!group || !SECURITY_GROUPS.has(group.type) || group.isRead || group.origin.live !== undefined)
    return [];
  const first = new Map<string, SecurityGroupRule>();
  const descriptionOf = ({ path }: SecurityGroupRule) =>
    readText(valueAt(group.properties, path), "description") ?? "";
  return rules.flatMap((rule) => {
    const { resource, direction, path } = rule;
    if (resource !== group || path === String(direction) || isReadBack(group, direction)) return [];
    const others = piecesOf(rule).flatMap((piece) =>
      piece === NOT_KNOWN ? [] : onceIn(first, `${direction} ${piece}`, () => rule),
    );
    const own = others.some((other) => other !== rule) ? descriptionOf(rule) : UNKNOWN;
    const other = others.find((one) => one !== rule && ![own, UNKNOWN].includes(descriptionOf(one)));
    if (own === UNKNOWN || !other) return [];
    return [
      violated({
        resource: group.origin,
        path,
        message: `has the same permission as ${other.path} with another description: EC2 refuses every ${direction} rule of the list`,
        fix: "write one rule, with one description",
      }),
    ];
  });
}

/** A reason of its own: findings of other rules about a list do not answer this question. */
const IN_BOTH_FORMS = "whether it also lists what separate resources write";

function judgeMixedList({ holder, list, writers, isKnown }: MixedList): Judgement {
  const because = writers.map((resource) => ({ resource, path: "" }));
  if (!isKnown) return unknown({ resource: holder, path: list, reason: IN_BOTH_FORMS, because });
  const beside = firstOf(writers.map(describeResource), 1);
  return violated({
    resource: holder.origin,
    path: list,
    message: `is inline next to ${beside}: each update of one side deletes what the other side wrote`,
    fix: "write all of them in one form",
  });
}

/** Reports rules that one resource writes and another removes. */
const judgeTakenOut = ({ takenOut = [] }: SecurityGroup): Judgement[] =>
  takenOut
    .filter(({ rule }) => !rule.resource.isRead && !isByController(rule))
    .map(({ rule: { resource, path, direction }, by }) =>
      violated({
        resource: resource.origin,
        path,
        message: `is not among ${direction}RuleIds of ${describeResource(by)}: each update of that resource removes the rule from the group`,
        fix: `add it to ${direction}RuleIds of ${describeResource(by)}, or remove the rule`,
      }),
    );

function judgeForms(judged: SecurityGroup): Judgement[] {
  const { resource: group, ruleResources } = judged;
  // The stack does not update groups that it only reads or has released.
  if (!group || !SECURITY_GROUPS.has(group.type) || group.isRead || ruleResources.length === 0) return [];
  return Object.values(Direction).flatMap((direction) => judgeList(group, direction, judged.rules));
}

function judgeList(group: Resource, direction: Direction, rules: readonly SecurityGroupRule[]): Judgement[] {
  const here = rules.filter((rule) => rule.direction === direction);
  const others = here.filter(({ resource }) => resource !== group && !resource.isRead);
  if (others.length === 0 || isReadBack(group, direction)) return [];
  const written = new Set(others.flatMap(piecesOf));
  const because = others.map(({ resource, path }) => ({ resource, path }));
  const beside = othersText(others);
  return here.flatMap((rule) => {
    const { resource, path } = rule;
    // A list that is not known yet is usually one that the provider will read back.
    if (resource !== group || path === String(direction) || isByController(rule)) return [];
    const extra = piecesOf(rule).filter((piece) => !written.has(piece));
    if (extra.length === 0) return [];
    if (extra.includes(NOT_KNOWN) || written.has(NOT_KNOWN))
      return [unknown({ resource: group, path, reason: IN_BOTH_FORMS, because })];
    return [
      violated({
        resource: group.origin,
        path,
        message: `is inline next to ${beside}: each update of one side deletes the ${direction} rules of the other`,
      }),
    ];
  });
}

function judgeAclForms({ resource: acl, rules }: NetworkAcl): Judgement[] {
  if (!acl || acl.isRead) return [];
  return Object.values(Direction).flatMap((direction) => judgeAclList(acl, direction, rules));
}

/** Judges one direction of an ACL. A default ACL removes every rule that it does not list, even if it lists none. */
function judgeAclList(acl: Resource, direction: Direction, rules: readonly NetworkAclRule[]): Judgement[] {
  const here = rules.filter((rule) => rule.direction === direction);
  const others = here.filter(({ path, resource }) => path === "" && !resource.isRead);
  // A list that is not known yet is usually one that the provider will read back.
  const isInline = ({ path }: NetworkAclRule) => path !== "" && path !== String(direction);
  const inline = isReadBack(acl, direction) ? [] : here.filter(isInline);
  const [written, listed] = [new Set(others.map(numberedSaying)), new Set(inline.map(numberedSaying))];
  const isDefault = acl.type === TYPE.defaultNetworkAcl;
  const lost = isDefault ? others.filter((rule) => !listed.has(numberedSaying(rule))) : [];
  const isLost = lost.length > 0;
  const named = isLost ? lost : others;
  if (named.length === 0 || (!isLost && inline.every((rule) => written.has(numberedSaying(rule))))) return [];
  const because = others.map(({ resource, path }) => ({ resource, path }));
  if ([...written, ...listed].some((rule) => rule.includes(NOT_KNOWN)))
    return [unknown({ resource: acl, path: direction, reason: IN_BOTH_FORMS, because })];
  const beside = othersText(named);
  return [
    violated({
      resource: acl.origin,
      path: direction,
      message: isLost
        ? `removes ${beside}: a default network ACL keeps no ${direction} rules but those that it lists`
        : `is inline next to ${beside}: each update of one side deletes the ${direction} rules of the other`,
    }),
  ];
}

const othersText = (rules: readonly { resource: Resource }[]): string =>
  firstOf(
    rules.map(({ resource }) => describeResource(resource)),
    1,
  );

const numberedSaying = (rule: NetworkAclRule): string =>
  `${rule.number === UNKNOWN ? NOT_KNOWN : rule.number} ${sayingOf(rule)}`;

const NOT_KNOWN = "?";

/** A rule as one text per source, because the provider may read rules back in different lists than they were written in. */
function piecesOf({ protocol, ports, message, sources }: SecurityGroupRule): string[] {
  if (protocol === UNKNOWN || ports === UNKNOWN || message === UNKNOWN) return [NOT_KNOWN];
  const traffic = JSON.stringify([protocol, ports?.from, ports?.to, message?.type, message?.code]);
  return sources.map((source) => (source.kind === "unknown" ? NOT_KNOWN : `${traffic} ${textOf(source)}`));
}

function textOf(source: Exclude<RuleSource, { kind: "unknown" }>): string {
  switch (source.kind) {
    case "prefix":
      return source.prefix.text;
    case "list":
      return nameOf(source.list);
    case "group":
      return nameOf(source.group);
    case "foreignGroup":
      return source.id;
  }
}

const nameOf = ({ origin, name }: Resource): string => idOf(origin) ?? name;

const { default: USUAL, highest: HIGHEST } = LIMIT.securityGroupRules;

/** Reports groups with more rules than AWS accepts. */
export const securityGroupQuota: Rule = {
  id: "security-group-quota",
  title: "Security group has more rules than the AWS quota",
  level: Level.Warning,
  description:
    "Reports security groups with more rules than their quota, counted separately for inbound and outbound, IPv4 and IPv6. Each block counts once in its family, each security group once in both, and each prefix list in both as often as the maximum number of its entries.",
  details: [
    `More than ${USUAL} rules need a higher quota, which AWS grants up to ${HIGHEST} for interfaces with one group.`,
    "Beyond the quota an update stops halfway, with some of the rules.",
    "A plan does not contain the quota of the account: the rule uses a component's ruleQuota, or else AWS's default.",
    "Prefix lists that are not in the stack are counted as unknown.",
  ],
  documents: [limitSources.securityGroupRules],
  remediation: "Write wider CIDR blocks, or spread the rules over several groups of the same hosts.",
  judge: (judged) => judged.groups.groups.flatMap((group) => judgeCount(judged, group)),
};

function judgeCount(judged: JudgedResources, group: SecurityGroup): Judgement[] {
  const quota = quotaOf(judged, group);
  if (mostCounted(group) <= quota) return [];
  const counted = countedRules(judged.index, group);
  return Object.values(Direction).flatMap((direction) =>
    FAMILIES.flatMap((family) => judgeFamily({ group, direction, family, quota }, counted)),
  );
}

interface RuleList {
  group: SecurityGroup;
  direction: Direction;
  family: Family;
  quota: number;
}

function judgeFamily(
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
    ...(entries > 0 ? [`lower the maximum size of prefix lists, which count as ${entries} rules`] : []),
    raise,
  ].join(", ");
}

/** The quota: the component's `ruleQuota`, otherwise AWS's default. */
function quotaOf({ index }: JudgedResources, { resource }: SecurityGroup): number {
  const stated = index.at(resource?.parent)?.properties.ruleQuota;
  return typeof stated === "number" && stated > 0 ? stated : USUAL;
}

/** Reports rules that open the port of a component that listens only on localhost. */
export const portLocalhostOnly: Rule = {
  id: "port-localhost-only",
  title: "Localhost-only port is open in a security group",
  level: Level.Error,
  description:
    "Reports inbound rules of control-plane hosts that open a port of a component which listens on 127.0.0.1 only, on the platforms that run it: the metrics of the Cluster API provider for Agent. Rules between the hosts of one group are not judged.",
  documents: [
    at(OKD_NETWORKING, "Table 2. Platform-specific ingress port configurations"),
    at(HYPERSHIFT_PORTS, "Source IP Restrictions"),
  ],
  rows: ({ openInFirewall }) => !openInFirewall,
  remediation: "Remove the port from the rule; nothing outside the pod can reach it.",
  single: (type) => SECURITY_GROUPS.has(type),
  judge: (judged) => judged.groupsInRoles().flatMap(judgeGroup),
};

const localhostOnly = requirements.filter(
  (row) =>
    !row.openInFirewall &&
    row.direction === Direction.Ingress &&
    row.perspective === Perspective.ControlPlane &&
    row.sources.every((source) => source === Zone.Localhost) &&
    // Rows that are based only on source code are not rules of the documents.
    row.documents.some(({ document }) => document.repository === undefined),
);

function judgeGroup({ group, role, cluster }: GroupInRole): Judgement[] {
  const { topology } = cluster;
  if (role !== Role.ControlPlane || !topology) return [];
  const rows = localhostOnly.filter(({ platforms }) => platforms.includes(topology.platform));
  return group.rules
    .filter(({ direction }) => direction === Direction.Ingress)
    .flatMap((rule) => rows.flatMap((row) => judgeRule(rule, row, cluster.key, group.resource)));
}

function judgeRule(
  rule: SecurityGroupRule,
  row: Requirement,
  cluster: string,
  own: Resource | undefined,
): Judgement[] {
  const { resource, path, ports, protocol } = rule;
  const outside = rule.sources.filter((source) => source.kind !== "group" || source.group !== own);
  if (outside.length === 0) return [];
  if (protocol === UNKNOWN || ports === UNKNOWN) {
    const property = protocol === UNKNOWN ? "protocol" : "fromPort";
    return [unknown({ resource, path: path === "" ? property : `${path}.${property}` })];
  }
  if (!letsPass(protocol, row.protocol) || !touches(ports ?? EVERY_PORT, row.ports!)) return [];
  const what = `${row.protocol} ${portText(row.ports)}`;
  return [
    violated({
      resource: resource.origin,
      path: outside[0]!.path,
      message: `${HOSTS[Role.ControlPlane]} of ${cluster} are opened at ${what}, which listens only on localhost. ${row.purpose}`,
      witness: `${sourceText(outside[0]!)} -> ${HOSTS[Role.ControlPlane]}, ${what}`,
      fix: `remove ${what} from the rule; nothing outside the pod can reach it`,
      requirement: row.id,
      documents: row.documents.map(describeReference),
    }),
  ];
}

function sourceText(source: RuleSource): string {
  if (source.kind === "prefix") return exampleHost(source.prefix);
  if (source.kind === "list") return exampleHost(source.blocks[0]!);
  if (source.kind === "unknown") return "some address";
  return source.kind === "group" ? `security group ${source.group.name}` : `security group ${source.id}`;
}

/** Reports rules of security groups and network ACLs with ports that EC2 refuses. */
export const reversedPorts: Rule = {
  id: "port-range-reversed",
  title: "Rule has ports that EC2 refuses",
  level: Level.Error,
  description: `Reports TCP and UDP rules of security groups and network ACLs, inline and as separate resources, whose fromPort is greater than toPort, or whose ports are not from ${EVERY_PORT.from} to ${EVERY_PORT.to}.`,
  details: [
    "Rules of security groups need both ports; in rules of network ACLs, a missing one counts as 0, which the provider sends.",
    "EC2 refuses any other rule in the middle of an update; every other rule treats it as open to no port.",
    "Also reports inline rules for every protocol (-1) with other ports than 0, which the provider refuses.",
    "For ICMP these fields hold types and codes.",
  ],
  documents: [at(PULUMI_AWS, "aws.ec2.SecurityGroup")],
  remediation: "Write the lowest port as fromPort and the highest as toPort.",
  single: (type) => HOLDERS.has(type) || RESOURCES.has(type),
  judge: (judged) => [
    ...judged
      .ofKind(HOLDERS)
      .flatMap((holder) => Object.values(Direction).flatMap((direction) => inList(holder, direction))),
    ...judged.ofKind(RESOURCES).flatMap((rule) => judgePorts(rule, rule.properties, "")),
  ],
};

const HOLDERS: ReadonlySet<string> = new Set([...SECURITY_GROUPS, ...NETWORK_ACLS]);
const RESOURCES: ReadonlySet<string> = new Set([...SPLIT_RULES, TYPE.networkAclRule]);
/** Resources with rules of network ACLs, for which the provider sends 0 as a missing port. */
const OF_ACLS: ReadonlySet<string> = new Set([...NETWORK_ACLS, TYPE.networkAclRule]);

/** Judges a list of inline rules. Cached facts clear most groups without building their lists. */
const inList = (holder: Resource, direction: Direction): Judgement[] =>
  SECURITY_GROUPS.has(holder.type) && inlineFacts(holder, direction).arePortsRight
    ? []
    : entriesOf(holder.properties[direction]).flatMap((entry, position) =>
        judgePorts(holder, entry, `${direction}[${position}].`),
      );

function judgePorts(resource: Resource, rule: PropertyValue, place: string): Judgement[] {
  const isVpcRule = resource.type === TYPE.ingressRule || resource.type === TYPE.egressRule;
  const protocolKey = isVpcRule ? "ipProtocol" : "protocol";
  const protocol = readProtocol(rule, protocolKey);
  if (!mayHavePorts(protocol))
    return protocol === Protocol.Any ? judgeUnusedPorts(resource, rule, place) : [];
  const absent = OF_ACLS.has(resource.type) ? 0 : undefined;
  const from = readNumber(rule, "fromPort") ?? absent;
  const to = readNumber(rule, "toPort") ?? absent;
  if (arePorts(from, to)) return [];
  const ends = Object.entries<Read<number>>({ fromPort: from, toPort: to });
  const refused = ends.find(([, port]) => port !== UNKNOWN && !isPort(port));
  const pending = refused ? undefined : ends.find(([, port]) => port === UNKNOWN)?.[0];
  const open = pending ?? (protocol === UNKNOWN ? protocolKey : undefined);
  if (open !== undefined) return [unknown({ resource, path: `${place}${open}` })];
  const [path, port] = refused ?? ["fromPort", from];
  return [
    violated({
      resource: resource.origin,
      path: `${place}${path}`,
      ...(refused
        ? {
            message:
              port === undefined
                ? "missing: EC2 refuses a rule for TCP or UDP without fromPort and toPort"
                : `${String(port)} is not a port: EC2 accepts ${EVERY_PORT.from} to ${EVERY_PORT.to} and refuses the rule`,
            fix: `write the ${path === "toPort" ? "last" : "first"} port of the range; ${EVERY_PORT.from} and ${EVERY_PORT.to} for every port`,
          }
        : {
            message: `${String(from)} is above toPort ${String(to)}: EC2 refuses the rule`,
            fix: `write fromPort ${String(to)} and toPort ${String(from)}`,
          }),
    }),
  ];
}

/** Judges the ports of a rule for every protocol, which the provider refuses in inline rules and ignores in rule resources. */
function judgeUnusedPorts(resource: Resource, rule: PropertyValue, place: string): Judgement[] {
  if (place === "" || resource.origin.live !== undefined) return [];
  const ports = ["fromPort", "toPort"].map((name) => ({
    path: `${place}${name}`,
    port: readNumber(rule, name),
  }));
  const refused = ports.find(({ port }) => port !== undefined && port !== UNKNOWN && port !== 0);
  const pending = ports.find(({ port }) => port === UNKNOWN);
  if (!refused) return pending ? [unknown({ resource, path: pending.path })] : [];
  return [
    violated({
      resource: resource.origin,
      path: refused.path,
      message: `${String(refused.port)} in a rule for every protocol: the provider refuses the rule in the middle of the update`,
      fix: "write 0 for both ports; for some ports only, write a protocol that has ports",
    }),
  ];
}

const { min: LOWEST_NUMBER, max: HIGHEST_NUMBER } = LIMIT.networkAclRuleNumber;

/** Reports rules of network ACLs with numbers that EC2 refuses. */
export const networkAclNumber: Rule = {
  id: "network-acl-number",
  title: "Network ACL rule has a number that EC2 refuses",
  level: Level.Error,
  description: `Reports rules of network ACLs, inline and as separate resources, whose number is outside ${LOWEST_NUMBER} to ${HIGHEST_NUMBER}, or is used twice for one direction, IPv4 and IPv6 together. EC2 refuses such a rule in the middle of an update. Which of two rules with one number applies is unknown. A rule that an ACL lists and a resource writes counts once.`,
  documents: [limitSources.networkAclRuleNumber],
  remediation: "Give each rule of a direction a unique number.",
  judge: ({ acls }) => acls.acls.flatMap(judgeNumbers),
};

function judgeNumbers({ rules }: NetworkAcl): Judgement[] {
  const first = new Map<string, NetworkAclRule>();
  return rules.flatMap((rule) => {
    const { resource, path, number, direction } = rule;
    // EC2 already accepted the numbers of running rules, and rules that are only read belong to others.
    if (resource.origin.live !== undefined || resource.isRead) return [];
    const at = path === "" ? "ruleNumber" : `${path}.ruleNo`;
    if (number === UNKNOWN) return [unknown({ resource, path: at })];
    if (number < LOWEST_NUMBER || number > HIGHEST_NUMBER)
      return [
        violated({
          resource: resource.origin,
          path: at,
          message: `${number} is not a rule number: EC2 accepts ${LOWEST_NUMBER} to ${HIGHEST_NUMBER}`,
          fix: `write a number from ${LOWEST_NUMBER} to ${HIGHEST_NUMBER} that no other ${direction} rule of the ACL has`,
        }),
      ];
    const key = `${direction} ${number}`;
    const other = first.get(key);
    if (!other) first.set(key, rule);
    if (!other || isShown(rule, other)) return [];
    return [
      violated({
        resource: resource.origin,
        path: at,
        message: `${number} is also the number of ${describeResource(other.resource)}${other.path === "" ? "" : ` ${other.path}`}: EC2 accepts only one ${direction} rule per number in a network ACL`,
        fix: `write a number that no other ${direction} rule of the ACL has`,
      }),
    ];
  });
}

/** Whether one rule is only the inline form of the other, a rule resource: the provider reads such rules back. */
const isShown = (a: NetworkAclRule, b: NetworkAclRule): boolean =>
  (a.path === "") !== (b.path === "") && sayingOf(a) === sayingOf(b);

const sayingOf = ({ action, egress, peer, protocol, ports, message }: NetworkAclRule): string =>
  JSON.stringify([
    ...[action, egress, protocol, ports, message].map((part) => (part === UNKNOWN ? NOT_KNOWN : part)),
    peer === UNKNOWN ? NOT_KNOWN : peer?.text,
  ]);
