import { merge } from "../address";
import { D0, D2, at } from "../requirements/documents";
import { Direction } from "../requirements/vocabulary";
import type { Origin } from "../resources/resource";
import type { SecurityGroupRule } from "../resources/securityGroups";
import { EVERY_PORT } from "../resources/trafficSpec";
import { isUnknown, type NormalizedTopology } from "../topology/normalizedTopology";
import { Role, type FlowPeer, type RequiredFlow } from "../topology/requiredFlow";
import { requiredFlows } from "../topology/requiredFlows";
import type { JudgedCluster } from "./clusters";
import { allowances, gaps, mayBeClosed, type Allowance, type Gap, type RoleOf } from "./coverage";
import type { GroupInRole, JudgedResources } from "./judgedResources";
import { Level, unknown, violated, type Judgement, type Rule } from "./rule";
import { HOSTS, hostOf, portText, prefixText, zoneText } from "./wording";

/** A flow that a hosted cluster needs is allowed by no rule of the hosts' security groups. */
export const portMissing: Rule = {
  id: "port-missing",
  title: "Security groups let every documented flow of the hosted cluster pass",
  level: Level.Error,
  description:
    "For every security group with a role in a hosted cluster: the addresses, ports and protocols that the cluster's topology requires, minus what all rules of the groups with that role allow together. What the topology does not say is not demanded.",
  documents: [at(D0, "Table 1. Common ingress ports"), at(D2, "Common Ingress Ports")],
  remediation: "Add the rule; HostedControlPlaneSecurityGroups makes every documented rule.",
  judge: (judged) => [
    ...judged.groups.unknown.map(unknown),
    ...unknownRoles(judged),
    ...rolesOfClusters(judged.groupsInRoles()).flatMap((hosts) => judgeHosts(judged, hosts)),
  ],
};

/** The groups of one role in one cluster: the groups of an interface add up. */
interface Hosts {
  cluster: JudgedCluster;
  role: Role;
  groups: GroupInRole[];
}

function rolesOfClusters(groups: readonly GroupInRole[]): Hosts[] {
  const hosts = new Map<string, Hosts>();
  for (const group of groups) {
    const key = `${group.cluster.key} ${group.role}`;
    const entry = hosts.get(key) ?? { cluster: group.cluster, role: group.role, groups: [] };
    entry.groups.push(group);
    hosts.set(key, entry);
  }
  return [...hosts.values()];
}

/** Groups of which nobody can say whether they have to allow something. */
function unknownRoles(judged: JudgedResources): Judgement[] {
  return judged.groups.groups.flatMap((group) => {
    const { resource } = group;
    const { role, cluster, unknown: values } = judged.roleOf(group);
    if (!resource) return [];
    if (role && !judged.clusterNamed(cluster)) {
      const reason = `it names the role ${role}, but no topology of ${cluster ? `cluster ${cluster}` : "its cluster"} is known`;
      return [unknown({ resource, path: "tags", reason })];
    }
    return values.map(unknown);
  });
}

function judgeHosts(judged: JudgedResources, { cluster, role, groups }: Hosts): Judgement[] {
  const { topology, partial } = cluster;
  const [first] = groups;
  const holder =
    groups.find(({ group }) => group.resource)?.group.resource ?? first?.group.rules[0]?.resource;
  if (!topology || partial || !holder) return [];
  const flows = requiredFlows(topology).filter((flow) => flow.role === role && !flow.optIn);
  const rules = groups.flatMap(({ group }) => group.rules);
  const isWhole = groups.every(({ group }) => group.resource);
  const roleOf: RoleOf = (source, rule) => roleOfSource(judged, cluster, source, rule, groups);
  const judgements = flows.flatMap((flow) =>
    flow.peers.flatMap((peer) =>
      judgePeer({ flow, peer, rules, roleOf, holder: holder.origin, isWhole, cluster }),
    ),
  );
  const undecided = undecidedProperties(topology).map((property) => {
    const { holder: from, path } = cluster.locate(property);
    return unknown({ resource: from ?? holder, path });
  });
  return [...undecided, ...judgements];
}

/** Properties that are not known and that decide which flows there are. */
const DECIDING = ["platform", "services", "endpointAccess", "loadBalancerTargets", "bootstrap"];

function undecidedProperties(topology: NormalizedTopology): string[] {
  return DECIDING.filter((property) => isUnknown(topology, property));
}

function roleOfSource(
  judged: JudgedResources,
  cluster: JudgedCluster,
  source: SecurityGroupRule["sources"][number],
  rule: SecurityGroupRule,
  own: readonly GroupInRole[],
): Role | "self" | undefined {
  if (source.kind === "prefix" || source.kind === "unknown") return undefined;
  const group = source.kind === "group" ? { resource: source.group } : { id: source.id };
  const isOwn = own.some(
    ({ group: { resource, id, rules } }) =>
      rules.includes(rule) && (source.kind === "group" ? resource === source.group : id === source.id),
  );
  if (isOwn) return "self";
  const { role, cluster: name } = judged.roleOf(group);
  return role && judged.clusterNamed(name) === cluster ? role : undefined;
}

interface Peering {
  flow: RequiredFlow;
  peer: FlowPeer;
  rules: readonly SecurityGroupRule[];
  roleOf: RoleOf;
  holder: Origin;
  isWhole: boolean;
  cluster: JudgedCluster;
}

function judgePeer(peering: Peering): Judgement[] {
  const { flow, peer, rules, roleOf, cluster, holder, isWhole } = peering;
  if (peer.unknown) {
    const { resource, holder: from, path } = cluster.locate(peer.input);
    return [
      from
        ? unknown({ resource: from, path })
        : { ...unknownHere(resource, path, `${cluster.key}: ${peer.input}`) },
    ];
  }
  if (!peer.prefixes) return [];
  const allowed = allowances(rules, flow, peer, roleOf);
  const missing = gaps(peer.prefixes, flow.ports ?? EVERY_PORT, allowed);
  if (missing.length === 0 || (peer.assumed && isPartlyAllowed(missing, peer))) return [];
  const certain = missing.filter((gap) => !mayBeClosed(gap, allowed));
  if (certain.length === 0) return perhaps(allowed);
  if (!isWhole)
    return [
      unknownHere(
        holder,
        flow.direction,
        `${cluster.key}: the other rules of a security group that is not in this stack`,
      ),
    ];
  return certain.map((gap) => missingFinding(peering, gap));
}

const unknownHere = (resource: Origin, path: string, message: string): Judgement => ({
  ...unknown({ resource: { origin: resource, type: "", name: "", properties: {} }, path }),
  message,
});

/** Where the topology does not say the addresses, some rule for each port is all that can be demanded. */
function isPartlyAllowed(missing: readonly Gap[], { prefixes = [] }: FlowPeer): boolean {
  const all = merge(prefixes).join();
  return missing.every((gap) => gap.prefixes.join() !== all);
}

/** The values that would decide. */
function perhaps(allowed: readonly Allowance[]): Judgement[] {
  return allowed.flatMap(({ rule, perhaps: values }) =>
    values.map(({ path, reason }) =>
      unknown({ resource: rule.resource, path, ...(reason !== undefined && { reason }) }),
    ),
  );
}

function missingFinding({ flow, peer, holder, cluster }: Peering, { ports, prefixes }: Gap): Judgement {
  const isIngress = flow.direction === Direction.Ingress;
  const what = flow.ports ? `${flow.protocol} ${portText(ports)}` : flow.protocol;
  const them = `${zoneText(peer.zone)} ${prefixText(prefixes)}`;
  const us = `${HOSTS[flow.role]} of ${cluster.key}`;
  const host = hostOf(prefixes[0]!);
  const port = flow.ports ? `${flow.protocol} ${ports.from}` : flow.protocol;
  return violated({
    resource: holder,
    path: flow.direction,
    message: isIngress
      ? `no rule lets ${them} reach ${us} at ${what}. ${flow.purpose}`
      : `no rule lets ${us} reach ${them} at ${what}. ${flow.purpose}`,
    witness: isIngress
      ? `${host} -> ${HOSTS[flow.role]}, ${port}`
      : `${HOSTS[flow.role]} -> ${host}, ${port}`,
    fix: `allow ${what} ${isIngress ? "from" : "to"} ${prefixText(prefixes)}; HostedControlPlaneSecurityGroups makes this rule`,
    requirement: flow.requirement,
    documents: flow.documents,
  });
}
