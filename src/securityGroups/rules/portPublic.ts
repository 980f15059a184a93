import {
  contains,
  equal,
  type Family,
  merge,
  outermost,
  overlap,
  readPrefix,
  type Prefix,
} from "../../address";
import { grouped, onceForEach, onceIn, onlyOnce } from "../../collections";
import { HYPERSHIFT_PORTS, at, describeReference } from "../../requirements/documents";
import { requirements } from "../../requirements/requirements";
import type { PortRange, Requirement } from "../../requirements/requirement";
import { Direction, Perspective, Protocol, Role } from "../../requirements/vocabulary";
import { UNKNOWN } from "../../resources/resource";
import type { RuleSource, SecurityGroup, SecurityGroupRule } from "../../resources/securityGroups";
import { SECURITY_GROUPS } from "../../resources/resourceTypes";
import { EVERY_PORT, letsPass, WITH_PORTS } from "../../resources/trafficSpec";
import { servicesOfTraffic } from "../../reachability/filters/traffic";
import { describeServices } from "../../reachability/packets/service";
import { holds } from "../../flows/required/fromRow";
import { nodeFlows } from "../../flows/required/nodes";
import { requiredFlows } from "../../flows/required/requiredFlows";
import type { JudgedCluster } from "../../gate/clusters";
import type { JudgedResources } from "../../gate/judgedResources";
import { firstOf } from "../../text";
import { Level, unknown, violated, type Judgement, type Rule } from "../../gate/rule";
import { exampleHost, HOSTS, portText } from "../../gate/finding";

/** Reports ports that everybody can reach although the documents limit them to the workers or the management cluster. */
export const portPublic: Rule = {
  id: "port-public",
  title: "Port for workers or probes is open to everybody",
  level: Level.Error,
  description:
    "Reports inbound rules of security groups with a role in a hosted cluster that together open a restricted port to everybody.",
  details: [
    "A port is restricted if the documents or upstream limit it to some sources: 8091, 8443, 9090, health and metrics ports, ports of nodes such as those of SSH and the kubelet, and ports of the private endpoint.",
    "Everybody is 0.0.0.0/0, ::/0, every set of blocks that adds up to them, and every block too wide to be one network: IPv4 wider than /8, IPv6 wider than /16.",
    "Ports that the cluster's publishing makes public are not judged.",
  ],
  documents: [at(HYPERSHIFT_PORTS, "Source IP Restrictions")],
  rows: ({ publicAllowed, openInFirewall }) => publicAllowed === false && openInFirewall,
  remediation: "Allow the worker nodes' addresses only.",
  single: (type) => SECURITY_GROUPS.has(type),
  judge: (judged) => [
    ...judged.groupsInRoles().flatMap(({ group, role, cluster }) => judgeHosts(role, cluster, group.rules)),
    ...judged.groups.groups.flatMap((group) => judgeInEither(judged, group)),
  ],
};

function judgeHosts(role: Role, cluster: JudgedCluster, rules: readonly SecurityGroupRule[]): Judgement[] {
  const restricted = restrictedPorts(role, cluster);
  const inbound = rules.filter(({ direction }) => direction === Direction.Ingress);
  return [...publicFindings(role, cluster, inbound, restricted), ...undecided(restricted, inbound)];
}

/** Judges a group that may be of several clusters: what must not be public in any of them. */
function judgeInEither(judged: JudgedResources, group: SecurityGroup): Judgement[] {
  const { role, cluster, sharedWith } = judged.roleOf(group);
  const fitting = role && !sharedWith ? judged.clustersFitting(cluster) : [];
  if (!role || fitting.length < 2 || judged.clustersNamed(cluster).length > 0) return [];
  const inbound = group.rules.filter(({ direction }) => direction === Direction.Ingress);
  return publicFindings(role, { key: oneOf(fitting) }, inbound, restrictedInAll(fitting)[role]());
}

/** Some clusters in one text, whatever the order in which they were read. */
const oneOf = onceForEach((clusters: readonly JudgedCluster[]): string =>
  firstOf(clusters.map(({ key }) => key).sort(), 2, " or "),
);

/** The ports that external clients must reach in none of some clusters. Found once for all groups of these clusters. */
const restrictedInAll = onceForEach((clusters: readonly JudgedCluster[]) => {
  const common = (some: readonly Restricted[], others: readonly Restricted[]) =>
    some.flatMap(({ row, ports }) =>
      others
        .filter((other) => other.row === row && touches(other.ports, ports))
        .map((other) => ({
          row,
          ports: { from: Math.max(ports.from, other.ports.from), to: Math.min(ports.to, other.ports.to) },
        })),
    );
  const of = (role: Role) =>
    onlyOnce(() => clusters.map((cluster) => restrictedPorts(role, cluster)).reduce(common));
  return {
    [Role.ControlPlane]: of(Role.ControlPlane),
    [Role.Workers]: of(Role.Workers),
    [Role.PrivateEndpoint]: of(Role.PrivateEndpoint),
  };
});

/** A hosted cluster as findings name it. */
type NamedCluster = Pick<JudgedCluster, "key" | "topology">;

function publicFindings(
  role: Role,
  cluster: NamedCluster,
  inbound: readonly SecurityGroupRule[],
  restricted: readonly Restricted[],
): Judgement[] {
  const opened = restricted.flatMap((one) =>
    openings(
      inbound.filter((rule) => opens(rule, one)),
      one.ports,
    ).map((opening) => ({ ...opening, row: one.row })),
  );
  return [...grouped(opened, ({ rule }) => rule).values()].map((entries) =>
    publicFinding(role, cluster, entries),
  );
}

/** A block of a rule that admits everybody, by itself or together with other blocks. */
interface Opening {
  rule: SecurityGroupRule;
  path: string;
  block: Prefix;
  /** Everybody: the block itself, or the block that it forms together with others at the same ports. */
  everybody: Prefix;
  ports: PortRange;
}

/** The openings that admit everybody at some ports of a range. */
function openings(rules: readonly SecurityGroupRule[], range: PortRange): Opening[] {
  // Fast path: usually not even all rules together, whatever their ports, admit everybody.
  if (openingsAt(rules, range).length === 0) return [];
  const found = new Map<SecurityGroupRule, Map<string, Opening[]>>();
  for (const ports of segmentsOf(rules, range)) {
    const here = rules.filter((rule) => touches(portsOf(rule), ports));
    for (const opening of openingsAt(here, ports)) {
      const { rule, path, block, everybody } = opening;
      const ofRule = onceIn(found, rule, () => new Map<string, Opening[]>());
      const before = onceIn(ofRule, `${path} ${block.text} ${everybody.text}`, () => []);
      const last = before.at(-1);
      if (last && last.ports.to + 1 === ports.from)
        before[before.length - 1] = { ...last, ports: { from: last.ports.from, to: ports.to } };
      else before.push(opening);
    }
  }
  return [...found.values()].flatMap((ofRule) => [...ofRule.values()].flat());
}

/** Splits a range of ports into parts within which each rule applies to all ports or to none. */
function segmentsOf(rules: readonly SecurityGroupRule[], { from, to }: PortRange): PortRange[] {
  const starts = rules.flatMap((rule) => [portsOf(rule).from, portsOf(rule).to + 1]);
  const inside = [...new Set([from, ...starts])].filter((port) => port >= from && port <= to);
  inside.sort((a, b) => a - b);
  return inside.map((start, place) => ({ from: start, to: (inside[place + 1] ?? to + 1) - 1 }));
}

/** The ports of a rule whose ports are known. */
const portsOf = ({ ports }: SecurityGroupRule): PortRange =>
  ports === undefined || ports === UNKNOWN ? EVERY_PORT : ports;

/** The blocks of rules for the same ports that admit everybody; of nested blocks only the widest. */
function openingsAt(rules: readonly SecurityGroupRule[], ports: PortRange): Opening[] {
  // Many rules may name one prefix list: each list is merged only once.
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
    blocks
      .filter(({ block }) => contains(everybody, block))
      .map((opening) => ({ ...opening, everybody, ports })),
  );
}

const PERSPECTIVES: Readonly<Record<Role, readonly Perspective[]>> = {
  [Role.ControlPlane]: [Perspective.ControlPlane, Perspective.Management],
  [Role.Workers]: [Perspective.Worker],
  [Role.PrivateEndpoint]: [],
};

/** The rows for listeners on hosts of a role. Control planes run on nodes, which have a kubelet and similar services, as workers do. */
const ROWS: Readonly<Record<Role, (row: Requirement) => boolean>> = {
  [Role.ControlPlane]: (row) => isOf(Role.ControlPlane, row) || isOfNodes(row),
  [Role.Workers]: (row) => isOf(Role.Workers, row) && !row.privateOnly,
  [Role.PrivateEndpoint]: (row) => isOf(Role.Workers, row) && row.privateOnly,
};

const isOf = (role: Role, { perspective }: Requirement): boolean => PERSPECTIVES[role].includes(perspective);

const isOfNodes = (row: Requirement): boolean =>
  isOf(Role.Workers, row) && row.ports !== undefined && row.openInFirewall && !row.privateOnly;

/** Ports of a row that external clients must not reach. */
interface Restricted {
  row: Requirement;
  ports: PortRange;
}

/** The ports that external clients must not reach, without the ports that this cluster publishes for everybody. */
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

/** What is left of a range of ports without the ports `taken`. */
function without(range: PortRange, taken: PortRange | undefined): PortRange[] {
  if (!taken || !touches(range, taken)) return [range];
  return [
    { from: range.from, to: taken.from - 1 },
    { from: taken.to + 1, to: range.to },
  ].filter(({ from, to }) => from <= to);
}

export const touches = (a: PortRange, b: PortRange) => a.from <= b.to && b.from <= a.to;

/** Whether a rule certainly allows packets to a port of a row. */
function opens({ protocol, ports }: SecurityGroupRule, { row, ports: restricted }: Restricted): boolean {
  return letsPass(protocol, row.protocol) && ports !== UNKNOWN && touches(ports ?? EVERY_PORT, restricted);
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
  cluster: NamedCluster,
  entries: readonly (Opening & Pick<Restricted, "row">)[],
): Judgement {
  const { topology } = cluster;
  // Several rows may share a port: the row for the cluster's platform and publishing names what listens there.
  const own = topology && entries.find(({ row }) => holds(row, topology));
  const { rule, path, block, everybody, row, ports } = own ?? entries[0]!;
  const opened = openedBy(rule, everybody.family) ?? [
    ...new Set(entries.map((entry) => `${entry.row.protocol} ${portText(entry.ports)}`)),
  ];
  const isAtPort = WITH_PORTS.has(row.protocol);
  const packet = isAtPort ? `${row.protocol} ${ports.from}` : opened[0]!;
  const together = equal(block, everybody) ? "" : `, together with blocks other than ${block.text}`;
  return violated({
    resource: rule.resource.origin,
    path,
    message: `${HOSTS[role]} of ${cluster.key} are open to ${everybody.text} at ${opened.join(", ")}${together}. ${row.purpose}`,
    witness: `${exampleHost(everybody)} -> ${HOSTS[role]}, ${packet}`,
    fix: fixFor(cluster, whoNeeds(role, entries), opened),
    requirement: row.id,
    documents: [...new Set(entries.flatMap((entry) => entry.row.documents.map(describeReference)))],
  });
}

/** What a rule opens if it is for every port or for a protocol without ports; undefined for other rules. */
function openedBy(rule: SecurityGroupRule, family: Family): string[] | undefined {
  const { protocol, ports = EVERY_PORT } = rule;
  const isWhole = ports !== UNKNOWN && ports.from === EVERY_PORT.from && ports.to === EVERY_PORT.to;
  if (!isWhole || protocol === UNKNOWN) return undefined;
  if (protocol === Protocol.Any) return ["every port"];
  return WITH_PORTS.has(protocol)
    ? [`every ${protocol} port`]
    : describeServices(servicesOfTraffic(rule, family));
}

/** Who needs the ports: for ports that every node has, the nodes of the management cluster; for others mainly the workers. */
function whoNeeds(
  role: Role,
  entries: readonly Pick<Restricted, "row">[],
): "workerCidrs" | "managementClusterCidrs" {
  const isAmongNodes = role === Role.ControlPlane && entries.every(({ row }) => isOfNodes(row));
  return isAmongNodes ? "managementClusterCidrs" : "workerCidrs";
}

function fixFor(
  { topology }: NamedCluster,
  needing: ReturnType<typeof whoNeeds>,
  ports: readonly string[],
): string {
  const blocks = topology?.[needing].join(", ");
  const isWorkers = needing === "workerCidrs";
  const who = isWorkers ? "the workers" : "the management cluster's nodes";
  const addresses = isWorkers ? "the worker nodes' addresses" : `the addresses of ${who}`;
  const needed = blocks ? `${who} ${blocks}` : addresses;
  // Such a rule also allows flows from other sources.
  if (ports[0]!.startsWith("every"))
    return `replace it with a rule for each documented flow: ports that documents limit are for ${needed} only`;
  return `allow ${needed} only, or remove ${ports.length > 1 ? "the ports" : "the port"}`;
}

/** Rules that may open a restricted port to everybody, because their protocol, ports or sources are unknown. */
function undecided(restricted: readonly Restricted[], inbound: readonly SecurityGroupRule[]): Judgement[] {
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
