import { isSeenAtHosts } from "../../requirements/requirement";
import {
  PROTOCOL_NUMBER,
  describeServices,
  service,
  type ServiceRange,
} from "../../reachability/packets/service";
import {
  contains,
  difference,
  intersection,
  isEmpty,
  packets,
  NO_PACKETS,
  union,
  type PacketSet,
} from "../../reachability/packets/packetSet";
import {
  bootstrapPackets,
  neededByNone,
  neededBySharers,
  neededPackets,
  openToOthers,
  type HostPackets,
} from "../../reachability/path/excess";
import type { OpenToOthers, WrittenGuard } from "../../reachability/path/guards";
import { packetLines } from "../../reachability/answers/places";
import { excessOf, type Excess } from "../../reachability/proof/prove";
import type { Clause, Filter } from "../../reachability/filters/filter";
import { OKD_NETWORKING, HYPERSHIFT_PORTS, at } from "../../requirements/documents";
import { Direction, Phase } from "../../requirements/vocabulary";
import { OUR_COMPONENTS } from "../../resources/resourceTypes";
import { declaredRules } from "../../gate/securityGroupRules";
import { onceForEach } from "../../collections";
import { undecidedFlows, type Hosts } from "../../gate/hosts";
import type { JudgedResources } from "../../gate/judgedResources";
import { Level, unknown, violated, type Judgement, type Rule } from "../../gate/rule";
import { exampleHost, HOSTS, prefixText } from "../../gate/finding";
import { isUnknown, type NormalizedTopology } from "../../topology/normalizedTopology";
import { addressesByRole } from "../../reachability/flows/groupFilter";
import { securityGroupFilter } from "../../reachability/filters/securityGroup";
import { isByController, isOwnedByCluster, type SecurityGroupRule } from "../../resources/securityGroups";
import { merge, type Prefix } from "../../address";
import { PORT } from "../../requirements/ports";
import { blocksOf, leftOut } from "../../reachability/packets/print";
import { fleetOf, packetParts } from "../../gate/refutedFlows";
import { firstOf } from "../../text";

/** Reports rules that allow what no documented flow needs and the user did not declare. */
export const portExcess: Rule = {
  id: "port-excess",
  title: "Security group allows undocumented traffic",
  level: Level.Warning,
  description:
    "Reports rules of security groups with a role in a hosted cluster that allow packets which no documented flow of the cluster or its nodes needs there.",
  details: [
    "Each rule is judged separately; a group that several hosted clusters share may open what any of them needs.",
    "A rule that names the group of another hosted cluster's workers or private endpoint counts too, except at ports that users or servers outside of any cluster may need.",
    "Flows on request, ports on which the documents disagree, node ports that are not pinned and peers that the topology does not state count as needed.",
    "The rule does not judge additionalRules and callers of this package's components, which declare their purpose; rules that controllers write; groups that a cluster's controllers own; or groups without a role.",
  ],
  documents: [at(HYPERSHIFT_PORTS, "Common Ingress Ports"), at(HYPERSHIFT_PORTS, "Source IP Restrictions")],
  rows: isSeenAtHosts,
  remediation:
    "Narrow the rule to what documented flows need, or declare it: among additionalRules of HostedControlPlaneSecurityGroups, or by an exemption with its reason.",
  judge: (judged) => judged.hosts.flatMap((hosts) => judgeHosts(judged, hosts)),
};

function judgeHosts(judged: JudgedResources, hosts: Hosts): Judgement[] {
  const { cluster, role, rules } = hosts;
  const [first] = rules;
  if (!first) return [];
  const undecided = undecidedFlows(cluster, first.resource);
  if (undecided.length > 0) return undecided;
  const fleet = fleetOf(judged);
  const standing = standingAt(hosts);
  const isDeclared = declaredRules(judged.index);
  return Object.values(Direction).flatMap((direction) => {
    const filter = openFilter(hosts, direction, ({ resource }) => isDeclared(resource));
    const open = allowedPackets(cluster.topology)(role, direction);
    const place = { role, direction };
    const found = excessOf(open, [filter]);
    const excess = neededByNone(found, standing, place, fleet, allowedPackets);
    const ofOthers = neededBySharers(standing, place, fleet, allowedPackets);
    const together = onceForEach((others: PacketSet) => union(open, others));
    return [
      ...excess.map((one) => excessFinding(hosts, direction, one)),
      ...toOthers(judged, hosts, direction)
        .filter(({ clause, packets }) => !isEmpty(packets) && !isDeclared(clause.resource))
        .map((opened) => othersFinding(hosts, direction, opened)),
      ...filter.clauses.flatMap((clause) =>
        undecidedParts(judged, clause, () => together(ofOthers(clause) ?? NO_PACKETS)),
      ),
    ];
  });
}

/** The groups of hosts as the filter of their interfaces. */
const standingAt = ({ groups }: Hosts): WrittenGuard => ({
  kind: "securityGroups",
  groups: groups.map(({ group }) => group),
});

/** The packets that hosts need, including those of joining nodes, which are left to `bootstrap-port-open`. */
const allowedPackets = onceForEach((topology: NormalizedTopology): HostPackets => {
  const needed = neededPackets(topology);
  if (topology.bootstrap) return needed;
  const joining = bootstrapPackets(topology);
  return (role, direction) => union(needed(role, direction), joining(role, direction));
});

/** The fix for a rule that its author intends. */
const MEANT =
  "if it is intended, declare it in additionalRules of HostedControlPlaneSecurityGroups or, with a reason, in exemptions";

function opens({ role, cluster }: Hosts, direction: Direction, what: string): string {
  const us = `${HOSTS[role]} of ${cluster.key}`;
  return `lets ${direction === Direction.Ingress ? `${what} reach ${us}` : `${us} send ${what}`}, which no documented flow needs`;
}

function excessFinding(hosts: Hosts, direction: Direction, { clause, packets }: Excess): Judgement {
  const { resource, path, sure } = clause!;
  const what = openedText(packets, direction, sure);
  const needed = difference(sure, packets);
  const narrowed = openedText(needed, direction, sure);
  return violated({
    resource: resource.origin,
    path: path === "" ? direction : path,
    message: opens(hosts, direction, what),
    witness: openedPacket(packets, direction, HOSTS[hosts.role]),
    fix: `${narrowed === "" ? "remove the rule" : `narrow it to ${narrowed}`}; ${MEANT}`,
  });
}

const toOthers = (
  { index, configuredGroups: configured }: JudgedResources,
  hosts: Hosts,
  direction: Direction,
) =>
  openToOthers(
    hosts.groups.map(({ group }) => group),
    hosts.role,
    direction,
    hosts.cluster.topology,
    { index, configured },
  );

function othersFinding(hosts: Hosts, direction: Direction, { clause, packets, peers, path }: OpenToOthers) {
  const what = packetLines(packets, direction, peers).join("; ");
  return violated({
    resource: clause.resource.origin,
    path,
    message: opens(hosts, direction, what),
    fix: `remove the group from the rule; ${MEANT}`,
  });
}

/** Unknown values that decide whether a rule opens more. Rules of our components are left out: users declared their groups and lists. */
function undecidedParts({ index }: JudgedResources, clause: Clause, needed: () => PacketSet): Judgement[] {
  const isOurs = index.at(clause.resource.parent)?.type.startsWith(OUR_COMPONENTS) === true;
  if (isOurs || clause.unknown.length === 0 || contains(needed(), clause.possible)) return [];
  return clause.unknown.map(unknown);
}

/** Reports ports for joining nodes that are still open after all nodes have joined. */
export const bootstrapPortOpen: Rule = {
  id: "bootstrap-port-open",
  title: "Ignition port is open after the nodes have joined",
  level: Level.Warning,
  description:
    "Reports rules of security groups with a role in a hosted cluster that still open a port which only joining nodes need, if the cluster's topology states `bootstrap: false`. Joining nodes fetch keys and certificates there. Ports that other flows share, such as 443 of a router, are not judged.",
  documents: [
    at(OKD_NETWORKING, "Common ingress ports, NodePort"),
    at(HYPERSHIFT_PORTS, "Source IP Restrictions"),
  ],
  rows: ({ phase }) => phase === Phase.Bootstrap,
  remediation:
    "Remove the port from the rule, and open it again, with `bootstrap: true`, before nodes are added.",
  judge: (judged) => judged.hosts.flatMap((hosts) => judgeBootstrap(judged, hosts)),
};

function judgeBootstrap(judged: JudgedResources, hosts: Hosts): Judgement[] {
  const { cluster, role, rules } = hosts;
  const { topology } = cluster;
  const [first] = rules;
  if (!first) return [];
  if (isUnknown(topology, "bootstrap")) {
    const { holder, path } = cluster.locate("bootstrap");
    return [unknown({ resource: holder ?? first.resource, path })];
  }
  if (topology.bootstrap) return [];
  const joining = bootstrapPackets(topology);
  const us = `${HOSTS[role]} of ${cluster.key}`;
  return Object.values(Direction).flatMap((direction) => {
    const own = joining(role, direction);
    if (isEmpty(own)) return [];
    const place = { role, direction };
    const ofOthers = neededBySharers(standingAt(hosts), place, fleetOf(judged), neededPackets);
    const without = onceForEach((others: PacketSet) => difference(own, others));
    return openFilter(hosts, direction).clauses.flatMap((clause) => {
      const { resource, path, sure, possible, unknown: values } = clause;
      const closed = without(ofOthers(clause) ?? NO_PACKETS);
      const open = intersection(sure, closed);
      if (isEmpty(open)) return isEmpty(intersection(possible, closed)) ? [] : values.map(unknown);
      const what = openedText(open, direction, open);
      return [
        violated({
          resource: resource.origin,
          path: path === "" ? direction : path,
          message: `keeps ports open that only joining nodes need at ${us}: ${what}. The topology states bootstrap: false`,
          witness: openedPacket(open, direction, HOSTS[role]),
          fix: `remove ${what} from the rule; write bootstrap: true before nodes are added`,
        }),
      ];
    });
  });
}

/**
 * What hosts' security groups allow in one direction. Rules that controllers write, and groups that controllers own, are left
 * out, because the user of a plan does not decide on them. Rules for which `isDeclared` holds are left out too.
 */
function openFilter(
  { groups, roleOf, cluster }: Hosts,
  direction: Direction,
  isDeclared: (rule: SecurityGroupRule) => boolean = () => false,
): Filter {
  const rules = groups
    .filter(({ group }) => !isOwnedByCluster(group.resource))
    .flatMap(({ group }) => group.rules.filter((rule) => !isByController(rule) && !isDeclared(rule)));
  return securityGroupFilter(rules, direction, addressesByRole(cluster.topology, roleOf));
}

/** The maximum number of parts in a sentence, and of services in each part. */
const MOST = 3;
const MOST_SERVICES = 6;

/**
 * Packets that a rule allows, in as few words as possible: `TCP 22 from 10.0.0.0/16`, with exceptions if that is shorter:
 * `TCP 443 from 0.0.0.0/0 except 10.0.0.0/16`.
 */
export function openedText(set: PacketSet, direction: Direction, rule: PacketSet): string {
  const whole = packetParts(rule, direction);
  // A single part is already merged, and all rules that name a prefix list share its list.
  const prefixes = whole.length === 1 ? whole[0]!.prefixes : merge(whole.flatMap((part) => part.prefixes));
  const services = whole.flatMap((part) => part.services);
  const side = direction === Direction.Ingress ? "from" : "to";
  const parts = packetParts(set, direction).map(
    (part) => `${servicesShort(part.services, services)} ${side} ${prefixesShort(part.prefixes, prefixes)}`,
  );
  const more = parts.length > MOST ? `; and ${parts.length - MOST} more` : "";
  return `${parts.slice(0, MOST).join("; ")}${more}`;
}

function prefixesShort(prefixes: readonly Prefix[], whole: readonly Prefix[]): string {
  const except = prefixes === whole ? undefined : leftOut(prefixes, whole);
  return except ? `${prefixText(whole)} except ${prefixText(except)}` : prefixText(prefixes);
}

function servicesShort(services: readonly ServiceRange[], whole: readonly ServiceRange[]): string {
  const rest = blocksOf(difference(packets({ services: whole }), packets({ services })))[0]?.services ?? [];
  const [named, all, except] = [services, whole, rest].map((some) => some.flatMap(describeServices));
  return all!.length + except!.length < named!.length
    ? `${firstOf(all!, MOST_SERVICES)} except ${firstOf(except!, MOST_SERVICES)}`
    : firstOf(named!, MOST_SERVICES);
}

/** An example of an allowed packet: with an address of the first block, at port 22 if that is among the ports. */
function openedPacket(set: PacketSet, direction: Direction, hosts: string): string {
  const [{ services, prefixes }] = packetParts(set, direction) as [ReturnType<typeof packetParts>[number]];
  const address = exampleHost(prefixes[0]!);
  const [port] = describeServices(exampleOf(services));
  return direction === Direction.Ingress
    ? `${address} -> ${hosts}, ${port}`
    : `${hosts} -> ${address}, ${port}`;
}

function exampleOf(services: readonly ServiceRange[]): ServiceRange {
  const ssh = service(PROTOCOL_NUMBER.tcp, { from: PORT.ssh, to: PORT.ssh });
  const holds = ({ from, to }: ServiceRange) => from <= ssh.from && ssh.to <= to;
  if (services.some(holds)) return ssh;
  for (const protocol of [PROTOCOL_NUMBER.tcp, PROTOCOL_NUMBER.udp]) {
    const all = service(protocol);
    const open = services.find(({ from, to }) => from <= all.to && all.from <= to);
    if (!open) continue;
    // Nobody connects to port 0.
    const first = Math.min(Math.max(open.from, all.from + 1), open.to);
    return { from: first, to: first };
  }
  const { from } = services[0]!;
  return { from, to: from };
}
