import { D0, D2, at, describeReference } from "../../requirements/documents";
import { requirements } from "../../requirements/requirements";
import type { PortRange, Requirement } from "../../requirements/requirement";
import { Direction, Perspective, Zone, Role } from "../../requirements/vocabulary";
import { UNKNOWN, type Resource } from "../../resources/resource";
import type { RuleSource, SecurityGroupRule } from "../../resources/securityGroups";
import { SECURITY_GROUPS } from "../../resources/resourceTypes";
import { EVERY_PORT, letsPass } from "../../resources/trafficSpec";
import type { GroupInRole } from "../../gate/judgedResources";
import { Level, unknown, violated, type Judgement, type Rule } from "../../gate/rule";
import { HOSTS, hostOf, portText } from "../../gate/finding";

/** A rule opens a port that listens only on localhost. */
export const portLocalhostOnly: Rule = {
  id: "port-localhost-only",
  title: "Localhost-only port is open in a security group",
  level: Level.Error,
  description:
    "Inbound rules of control-plane hosts that open a port of a component which listens on 127.0.0.1 only, on the platforms that run it: the metrics of the Cluster API provider for Agent. Rules between the hosts of one group are not judged.",
  documents: [
    at(D0, "Table 2. Platform-specific ingress port configurations"),
    at(D2, "Source IP Restrictions"),
  ],
  rows: ({ openInFirewall }) => !openInFirewall,
  remediation: "Take the port out of the rule; nothing outside the pod can reach it.",
  single: (type) => SECURITY_GROUPS.has(type),
  judge: (judged) => judged.groupsInRoles().flatMap(judgeGroup),
};

const localhostOnly = requirements.filter(
  (row) =>
    !row.openInFirewall &&
    row.direction === Direction.Ingress &&
    row.perspective === Perspective.ControlPlane &&
    row.sources.every((source) => source === Zone.Localhost) &&
    // What only the source code shows is no rule of the documents.
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
      fix: `take ${what} out of the rule; nothing outside the pod can reach it`,
      requirement: row.id,
      documents: row.documents.map(describeReference),
    }),
  ];
}

const touches = (a: PortRange, b: PortRange) => a.from <= b.to && b.from <= a.to;

function sourceText(source: RuleSource): string {
  if (source.kind === "prefix") return hostOf(source.prefix);
  if (source.kind === "unknown") return "some address";
  return source.kind === "group" ? `security group ${source.group.name}` : `security group ${source.id}`;
}
