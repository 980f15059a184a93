import { contains, equal, merge, outermost, overlap, readPrefix, type Prefix } from "../../address";
import { append, onceForEach } from "../../collections";
import { D2, at, describeReference } from "../../requirements/documents";
import { requirements } from "../../requirements/requirements";
import type { PortRange, Requirement } from "../../requirements/requirement";
import { Direction, Perspective, Protocol, Role } from "../../requirements/vocabulary";
import { UNKNOWN } from "../../resources/resource";
import type { RuleSource, SecurityGroupRule } from "../../resources/securityGroups";
import { SECURITY_GROUPS } from "../../resources/resourceTypes";
import { EVERY_PORT, letsPass } from "../../resources/trafficSpec";
import { holds } from "../../flows/required/fromRow";
import { nodeFlows } from "../../flows/required/nodes";
import { requiredFlows } from "../../flows/required/requiredFlows";
import type { JudgedCluster } from "../../gate/clusters";
import { Level, unknown, violated, type Judgement, type Rule } from "../../gate/rule";
import { HOSTS, outsider, portText } from "../../gate/finding";

/** Everybody can reach a port that the documents keep to the workers or to the management cluster. */
export const portPublic: Rule = {
  id: "port-public",
  title: "Port for workers or probes is open to everybody",
  level: Level.Error,
  description:
    "For every security group with a role in a hosted cluster: inbound rules that together open a port which the documents or upstream limit to some sources (8091, 8443, 9090, health and metrics ports, the ports of nodes such as SSH and the kubelet's, those of the private endpoint) to everybody. Everybody is 0.0.0.0/0, ::/0, every set of blocks that adds up to them, and every block too wide to be one network: IPv4 wider than /8, IPv6 wider than /16. Ports that the cluster's publishing makes public are not judged.",
  documents: [at(D2, "Source IP Restrictions")],
  rows: ({ publicAllowed, openInFirewall }) => publicAllowed === false && openInFirewall,
  remediation: "Allow the worker nodes' addresses only.",
  single: (type) => SECURITY_GROUPS.has(type),
  judge: (judged) =>
    judged.groupsInRoles().flatMap(({ group, role, cluster }) => judgeHosts(role, cluster, group.rules)),
};

function judgeHosts(role: Role, cluster: JudgedCluster, rules: readonly SecurityGroupRule[]): Judgement[] {
  const inbound = rules.filter(({ direction }) => direction === Direction.Ingress);
  const opened = restrictedPorts(role, cluster).flatMap((restricted) =>
    openings(inbound.filter((rule) => opens(rule, restricted))).map((opening) => ({
      ...opening,
      row: restricted.row,
      ports: common(restricted.ports, opening.rule),
    })),
  );
  const byRule = new Map<SecurityGroupRule, (typeof opened)[number][]>();
  for (const entry of opened) append(byRule, entry.rule, [entry]);
  return [
    ...[...byRule.values()].map((entries) => publicFinding(role, cluster, entries)),
    ...undecided(role, cluster, inbound),
  ];
}

/** A block of a rule by which everybody can come, by itself or together with other blocks. */
interface Opening {
  rule: SecurityGroupRule;
  path: string;
  block: Prefix;
  /** Everybody: the block itself, or what it adds up to with others. */
  everybody: Prefix;
}

/** The blocks of rules for one port that let everybody in; of blocks inside each other the widest. */
function openings(rules: readonly SecurityGroupRule[]): Opening[] {
  // Many rules name one prefix list: what everybody comes by is found from each list once.
  const lists = new Set(rules.flatMap(({ sources }) => sources.map(blocksOf)));
  const everybodies = merge([...lists].flat()).filter(isEverybody);
  if (everybodies.length === 0) return [];
  const widest = new Set(outermost([...lists].flat()).map(({ text }) => text));
  const blocks = rules.flatMap((rule) =>
    rule.sources.flatMap((source) =>
      blocksOf(source).flatMap((block) =>
        widest.has(block.text) ? [{ rule, path: source.path, block }] : [],
      ),
    ),
  );
  return everybodies.flatMap((everybody) =>
    blocks.filter(({ block }) => contains(everybody, block)).map((opening) => ({ ...opening, everybody })),
  );
}

const PERSPECTIVES: Readonly<Record<Role, readonly Perspective[]>> = {
  [Role.ControlPlane]: [Perspective.ControlPlane, Perspective.Management],
  [Role.Workers]: [Perspective.Worker],
  [Role.PrivateEndpoint]: [],
};

/** The rows of what listens at hosts of a role. Control planes run on nodes, which have a kubelet and the like as workers have. */
const ROWS: Readonly<Record<Role, (row: Requirement) => boolean>> = {
  [Role.ControlPlane]: (row) => isOf(Role.ControlPlane, row) || isOfNodes(row),
  [Role.Workers]: (row) => isOf(Role.Workers, row) && !row.privateOnly,
  [Role.PrivateEndpoint]: (row) => isOf(Role.Workers, row) && row.privateOnly,
};

const isOf = (role: Role, { perspective }: Requirement): boolean => PERSPECTIVES[role].includes(perspective);

const isOfNodes = (row: Requirement): boolean =>
  isOf(Role.Workers, row) && row.ports !== undefined && row.openInFirewall && !row.privateOnly;

/** Ports of a row that no outside client may reach. */
interface Restricted {
  row: Requirement;
  ports: PortRange;
}

/** The ports that no outside client may reach, without those that this cluster publishes for everybody. */
function restrictedPorts(role: Role, { topology }: JudgedCluster): Restricted[] {
  const rows = requirements.filter((row) => row.direction === Direction.Ingress && ROWS[role](row));
  const flows = topology ? [...requiredFlows(topology), ...nodeFlows(topology, Role.ControlPlane)] : [];
  const published = [
    ...rows,
    ...flows.filter((flow) => flow.role === role && flow.direction === Direction.Ingress),
  ].filter(({ publicAllowed }) => publicAllowed);
  return rows
    .filter(({ publicAllowed }) => publicAllowed === false)
    .flatMap((row) =>
      published
        .filter(({ protocol }) => protocol === row.protocol)
        .reduce<PortRange[]>(
          (left, { ports }) => left.flatMap((range) => without(range, ports)),
          [row.ports ?? EVERY_PORT],
        )
        .map((ports) => ({ row, ports })),
    );
}

/** What is left of a range of ports. */
function without(range: PortRange, taken: PortRange | undefined): PortRange[] {
  if (!taken || !touches(range, taken)) return [range];
  return [
    { from: range.from, to: taken.from - 1 },
    { from: taken.to + 1, to: range.to },
  ].filter(({ from, to }) => from <= to);
}

const touches = (a: PortRange, b: PortRange) => a.from <= b.to && b.from <= a.to;

/** Whether a rule lets packets to the port of a row pass, for sure. */
function opens({ protocol, ports }: SecurityGroupRule, { row, ports: restricted }: Restricted): boolean {
  return letsPass(protocol, row.protocol) && ports !== UNKNOWN && touches(ports ?? EVERY_PORT, restricted);
}

/** The part of a restricted range that a rule opens. */
function common(restricted: PortRange, { ports }: SecurityGroupRule): PortRange {
  if (ports === undefined || ports === UNKNOWN) return restricted;
  return { from: Math.max(restricted.from, ports.from), to: Math.min(restricted.to, ports.to) };
}

const NONE: readonly Prefix[] = [];

function blocksOf(source: RuleSource): readonly Prefix[] {
  if (source.kind === "list") return source.blocks;
  return source.kind === "prefix" ? [source.prefix] : NONE;
}

const letsEverybodyIn = onceForEach((blocks: readonly Prefix[]) => blocks.some(isEverybody));

const uniqueLocal = readPrefix("fc00::/7")!;

function isEverybody(block: Prefix): boolean {
  if (block.family === 4) return block.length < 8;
  return block.length < 16 && !(block.length >= uniqueLocal.length && overlap(block, uniqueLocal));
}

function publicFinding(
  role: Role,
  cluster: JudgedCluster,
  entries: readonly (Restricted & Opening)[],
): Judgement {
  const { topology } = cluster;
  // Several rows may have one port: that of the cluster's platform and publishing says what listens there.
  const own = topology && entries.find(({ row }) => holds(row, topology));
  const { rule, path, block, everybody, row, ports } = own ?? entries[0]!;
  const opened = openedBy(rule) ?? [
    ...new Set(entries.map((entry) => `${entry.row.protocol} ${portText(entry.ports)}`)),
  ];
  const together = equal(block, everybody) ? "" : `, together with other blocks than ${block.text}`;
  return violated({
    resource: rule.resource.origin,
    path,
    message: `${HOSTS[role]} of ${cluster.key} are open to ${everybody.text} at ${opened.join(", ")}${together}. ${row.purpose}`,
    witness: `${outsider(everybody)} -> ${HOSTS[role]}, ${row.protocol === Protocol.Any ? opened[0]! : `${row.protocol} ${ports.from}`}`,
    fix: fixFor(cluster, whoNeeds(role, entries), opened),
    requirement: row.id,
    documents: [...new Set(entries.flatMap((entry) => entry.row.documents.map(describeReference)))],
  });
}

/** What a rule for everything opens, in words that say so; undefined for others. */
function openedBy({ protocol, ports = EVERY_PORT }: SecurityGroupRule): string[] | undefined {
  const isWhole = ports !== UNKNOWN && ports.from === EVERY_PORT.from && ports.to === EVERY_PORT.to;
  if (!isWhole || protocol === UNKNOWN) return undefined;
  return [protocol === Protocol.Any ? "every port" : `every ${protocol} port`];
}

/** Who dials the ports: nodes of the management cluster those that every node has, else the workers first of all. */
function whoNeeds(role: Role, entries: readonly Restricted[]): "workerCidrs" | "managementClusterCidrs" {
  const isAmongNodes = role === Role.ControlPlane && entries.every(({ row }) => isOfNodes(row));
  return isAmongNodes ? "managementClusterCidrs" : "workerCidrs";
}

function fixFor(
  { topology }: JudgedCluster,
  needing: ReturnType<typeof whoNeeds>,
  ports: readonly string[],
): string {
  const blocks = topology?.[needing].join(", ");
  const isWorkers = needing === "workerCidrs";
  const who = isWorkers ? "the workers" : "the management cluster's nodes";
  const addresses = isWorkers ? "the worker nodes' addresses" : `the addresses of ${who}`;
  return `allow ${blocks ? `${who} ${blocks}` : addresses} only, or take ${ports.length > 1 ? "the ports" : ports[0]!.startsWith("every") ? "the rule" : "the port"} out`;
}

/** Rules that may open a restricted port to everybody: their ports or sources are not known. */
function undecided(role: Role, cluster: JudgedCluster, inbound: readonly SecurityGroupRule[]): Judgement[] {
  const restricted = restrictedPorts(role, cluster);
  return inbound.flatMap((rule) => {
    const { protocol, ports, sources, resource } = rule;
    const at = (property: string) => (rule.path === "" ? property : `${rule.path}.${property}`);
    const wide = sources.some((source) =>
      source.kind === "list" ? letsEverybodyIn(source.blocks) : blocksOf(source).some(isEverybody),
    );
    if (wide && protocol === UNKNOWN) return [unknown({ resource, path: at("protocol") })];
    if (wide && ports === UNKNOWN) return [unknown({ resource, path: at("fromPort") })];
    const mayOpen = restricted.some((one) => protocol === UNKNOWN || ports === UNKNOWN || opens(rule, one));
    if (!mayOpen) return [];
    return sources.flatMap((source) =>
      source.kind === "unknown"
        ? [
            unknown({
              resource,
              path: source.path,
              ...(source.reason !== undefined && { reason: source.reason }),
              ...(source.because && { because: source.because }),
            }),
          ]
        : [],
    );
  });
}
