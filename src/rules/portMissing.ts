import { D0, D2, at } from "../requirements/documents";
import { Zone } from "../requirements/vocabulary";
import type { Origin, Resource } from "../resources/resource";
import type { ResourceIndex } from "../resources/resourceIndex";
import { OUR_COMPONENTS } from "../resources/resourceTypes";
import type { SecurityGroup, SecurityGroupRule } from "../resources/securityGroups";
import { EVERY_PORT } from "../resources/trafficSpec";
import { isUnknown, type NormalizedTopology } from "../topology/normalizedTopology";
import { everyAddress } from "../topology/flows/peers";
import { Role } from "../topology/requiredFlow";
import { requiredFlows } from "../topology/requiredFlows";
import type { JudgedCluster } from "./clusters";
import {
  allowances,
  closedParts,
  gaps,
  mayBeClosed,
  type Allowance,
  type Gap,
  type RoleOf,
} from "./coverage";
import type { GroupInRole, JudgedResources } from "./judgedResources";
import { missingFinding, type Peering } from "./missingFlow";
import { Level, unknown, type Judgement, type Rule } from "./rule";

/** A flow that a hosted cluster needs is allowed by no rule of the hosts' security groups. */
export const portMissing: Rule = {
  id: "port-missing",
  title: "Security groups let every documented flow of the hosted cluster pass",
  level: Level.Error,
  description:
    "For every security group with a role in a hosted cluster: the addresses, ports and protocols that the cluster's topology requires, minus what all rules of the groups with that role allow together. Where the topology does not say the other end of a flow, a port without any rule is a finding, and a port with a rule for some addresses is counted as not judged. Users outside whom nobody names are not demanded.",
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
  const components = [...new Set(groups.flatMap(({ group }) => makersOf(group, judged.index)))];
  const roleOf: RoleOf = (source, rule) => roleOfSource(judged, cluster, source, rule, groups);
  const judgements = flows.flatMap((flow) =>
    flow.peers.flatMap((peer) =>
      judgePeer({ flow, peer, rules, roleOf, holder: holder.origin, isWhole, cluster, components }),
    ),
  );
  const undecided = undecidedProperties(topology).map((property) => {
    const { holder: from, path } = cluster.locate(property);
    return unknown({ resource: from ?? holder, path });
  });
  return [...undecided, ...judgements];
}

/** The components to which a group or rules of it belong. */
function makersOf({ resource, rules }: SecurityGroup, index: ResourceIndex): Resource[] {
  const made = [...(resource ? [resource] : []), ...rules.map((rule) => rule.resource)];
  const parents = made.flatMap(({ parent }) => index.at(parent) ?? []);
  return parents.filter(({ type }) => type.startsWith(OUR_COMPONENTS));
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

function judgePeer(peering: Peering): Judgement[] {
  const { flow, peer, rules, roleOf, cluster } = peering;
  if (peer.unknown) {
    const { resource, holder: from, path } = cluster.locate(peer.input);
    return [
      from
        ? unknown({ resource: from, path })
        : { ...unknownHere(resource, path, `${cluster.key}: ${peer.input}`) },
    ];
  }
  const allowed = allowances(rules, flow, peer, roleOf);
  if (!peer.prefixes || peer.assumed) return judgeUndeclared(peering, allowed);
  const missing = gaps(peer.prefixes, flow.ports ?? EVERY_PORT, allowed);
  const certain = missing.filter((gap) => !mayBeClosed(gap, allowed));
  if (missing.length > 0 && certain.length === 0) return perhaps(allowed);
  return findingsOf(peering, certain);
}

function findingsOf(peering: Peering, missing: readonly Gap[]): Judgement[] {
  const { flow, holder, cluster, isWhole } = peering;
  if (isWhole || missing.length === 0) return missing.map((gap) => missingFinding(peering, gap));
  const reason = "the other rules of a security group that is not in this stack";
  return [unknownHere(holder, flow.direction, `${cluster.key}: ${reason}`)];
}

/**
 * A flow whose other end the topology does not say. A port without any rule is closed to it, wherever it is; a rule for
 * some addresses may be the right one, and nobody can say.
 */
function judgeUndeclared(peering: Peering, allowed: readonly Allowance[]): Judgement[] {
  const { flow, peer, holder, cluster } = peering;
  const { topology } = cluster;
  if (!topology || NOT_DEMANDED.has(peer.zone)) return [];
  const { closed, others } = closedParts(flow.ports ?? EVERY_PORT, allowed);
  const prefixes = [...(peer.prefixes ?? [])];
  const wanted = prefixes.length > 0 ? prefixes : everyAddress(topology);
  const undecided = others.some((part) => gaps(wanted, part, allowed).length > 0);
  const unsaid = `${cluster.key}: ${peer.input}, which the topology does not say`;
  return [
    ...findingsOf(
      peering,
      closed.map((ports) => ({ ports, prefixes })),
    ),
    ...(undecided ? [...perhaps(allowed), unknownHere(holder, flow.direction, unsaid)] : []),
  ];
}

/** Who need not be let in: users outside, where nobody names any. */
const NOT_DEMANDED: ReadonlySet<Zone> = new Set([Zone.ExternalClients]);

const unknownHere = (resource: Origin, path: string, message: string): Judgement => ({
  ...unknown({ resource: { origin: resource, type: "", name: "", properties: {} }, path }),
  message,
});

/** The values that would decide. */
function perhaps(allowed: readonly Allowance[]): Judgement[] {
  return allowed.flatMap(({ rule, perhaps: values }) =>
    values.map(({ path, reason }) =>
      unknown({ resource: rule.resource, path, ...(reason !== undefined && { reason }) }),
    ),
  );
}
