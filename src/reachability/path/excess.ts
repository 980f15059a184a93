import { CLIENT_EPHEMERAL } from "../../requirements/ports";
import { Direction, oppositeDirection, Platform, Role } from "../../requirements/vocabulary";
import { FAMILIES } from "../../address";
import { onceForBoth, onceForEach, onceIn, onlyOnce } from "../../collections";
import { possibleFlows } from "../../flows/required/requiredFlows";
import { namesOfCluster, type NormalizedTopology } from "../../topology/normalizedTopology";
import {
  namedEnds,
  seenAtHosts,
  type FlowPeer,
  type HostHop,
  type SeenPackets,
  type Traffic,
} from "../../flows/model";
import { readings } from "../../topology/readings";
import { difference, isEmpty, packets, unionAll, type PacketSet } from "../packets/packetSet";
import { icmp, servicesOf } from "../packets/service";
import { packetsOfTraffic, unknownTraffic } from "../filters/traffic";
import type { Clause } from "../filters/filter";
import { groupClause, isReference, namesGroups, type GroupReference } from "../filters/securityGroup";
import { mayBeAnybody } from "../flows/groupFilter";
import {
  foreignGroups,
  isByController,
  isOwnedByCluster,
  type SecurityGroup,
} from "../../resources/securityGroups";
import {
  clustersOf,
  clustersWith,
  type GroupsOfPlan,
  knownClusters,
  type NamedGroup,
  ownerOf,
} from "../../resources/groupRoles";
import type { NetworkAcl } from "../../resources/networkAcls";
import type { Resource } from "../../resources/resource";
import type { ResourceIndex } from "../../resources/resourceIndex";
import { excessOf, type Excess } from "../proof/prove";
import { clustersMeant, hostFlows, peersOf } from "../../flows/hops";
import { journeys } from "../../flows/journeys";
import { onceForPlace, packetsOf } from "./duty";
import { type OpenToOthers, rolesOfAcl, standsBefore, type WrittenGuard } from "./guards";
import type { Guards } from "./judge";

/** What hosts of a role allow without need. */
export interface HostExcess extends Excess {
  role: Role;
  direction: Direction;
  /** The filter that allows it: `security groups of workers`. */
  guard: string;
}

/** The packets for each role and direction. */
export type HostPackets = (role: Role, direction: Direction) => PacketSet;

/**
 * What a plan opens at the hosts of a cluster beyond the needs of all documented flows, rule by rule. Flows that are opened only on
 * request are no excess, because they are documented. `declared` is what the user wants open in addition. With a `fleet`, what other
 * clusters with the same group or ACL need is no excess either.
 */
export function hostExcess(
  topology: NormalizedTopology,
  guards: Guards,
  declared: (role: Role, direction: Direction) => PacketSet | undefined = () => undefined,
  fleet?: Fleet,
): HostExcess[] {
  return Object.values(Role).flatMap((role) =>
    Object.values(Direction).flatMap((direction) => {
      const more = declared(role, direction);
      const undeclared = ({ packets, ...one }: Excess): Excess[] => {
        const left = more ? difference(packets, more) : packets;
        return more && isEmpty(left) ? [] : [{ ...one, packets: left }];
      };
      return guards
        .hosts(role, direction)
        .filter(({ doubtful = [] }) => doubtful.length === 0)
        .flatMap(({ name, filters, standing, openToOthers }) => {
          const needs = standing?.kind === "networkAcl" ? neededInSubnets : neededPackets;
          const beyond = excessOf(needs(topology)(role, direction), filters);
          const left =
            fleet && standing ? neededByNone(beyond, standing, { role, direction }, fleet, needs) : beyond;
          const toOthers = (openToOthers?.() ?? []).filter(({ packets }) => !isEmpty(packets));
          const found = [...left.flatMap(undeclared), ...toOthers];
          return found.map((excess) => ({ role, direction, guard: name, ...excess }));
        });
    }),
  );
}

/** The hosted clusters of a plan, and what assigns groups to them. */
export interface Fleet extends GroupsOfPlan {
  topologies: readonly NormalizedTopology[];
}

/** What a cluster needs at its hosts. */
export type NeedsOf = (topology: NormalizedTopology) => HostPackets;

/** The clusters whose hosts have a filter: one list for all filters of the same clusters, so that their needs are summed once. */
const sharersIn = onceForEach(({ topologies }: Fleet) => {
  const lists = new Map<string, readonly NormalizedTopology[]>();
  const find = (names: readonly (string | undefined)[]) =>
    names.includes(undefined) ? topologies : [...new Set(names.flatMap(clustersMeant(topologies)))];
  return (names: readonly (string | undefined)[]) =>
    onceIn(lists, JSON.stringify([...new Set(names)]), () => find(names));
});

const sharersOfGroup = onceForBoth((fleet: Fleet, group: SecurityGroup) =>
  sharersIn(fleet)(clustersOf(ownerOf(group, fleet))),
);

const sharersOfAcl = onceForBoth((fleet: Fleet, acl: NetworkAcl) => {
  const said = rolesOfAcl(acl, fleet.index);
  const before = (role: Role) =>
    said.flatMap((one) => (one.role === standsBefore(role) ? clustersOf(one) : []));
  return new Map(Object.values(Role).map((role) => [role, sharersIn(fleet)(before(role))]));
});

/** What several clusters need together, and the rules that open more than that, which are the same for each of them. */
const together = onceForBoth((needs: NeedsOf, sharers: readonly NormalizedTopology[]) => ({
  needed: onceForPlace((role, direction) => unionAll(sharers.map((one) => needs(one)(role, direction)))),
  left: new Map<Resource, Map<string, PacketSet>>(),
}));

/** A place at hosts. */
type HostPlace = Pick<HostHop, "role" | "direction">;

/** What the clusters that share the filter of a rule need together; undefined for rules of a filter that only one cluster has. */
export function neededBySharers(
  standing: WrittenGuard,
  { role, direction }: HostPlace,
  fleet: Fleet,
  needs: NeedsOf,
): (rule: Pick<Clause, "resource">) => PacketSet | undefined {
  const shared = onlyOnce(() => sharersByResource(standing, role, fleet));
  return ({ resource }) => {
    const sharers = shared().get(resource);
    return sharers && together(needs, sharers).needed(role, direction);
  };
}

/** Leaves out what other clusters need that share the filter: its hosts are theirs, too. */
export function neededByNone(
  excess: readonly Excess[],
  standing: WrittenGuard,
  { role, direction }: HostPlace,
  fleet: Fleet,
  needs: NeedsOf,
): Excess[] {
  const shared = onlyOnce(() => sharersByResource(standing, role, fleet));
  return excess.flatMap((one): Excess[] => {
    const { clause, packets } = one;
    const sharers = clause && shared().get(clause.resource);
    if (!clause || !sharers || sharers.length < 2) return [one];
    const { needed, left } = together(needs, sharers);
    const find = () => difference(packets, needed(role, direction));
    // The addresses behind a named group depend on the cluster.
    const found = clause.assumed
      ? find()
      : onceIn(
          onceIn(left, clause.resource, () => new Map<string, PacketSet>()),
          [role, direction, clause.path].join(" "),
          find,
        );
    return isEmpty(found) ? [] : [{ clause, packets: found }];
  });
}

/** The clusters that share a filter, by each resource with rules of the filter. */
function sharersByResource(
  standing: WrittenGuard,
  role: Role,
  fleet: Fleet,
): ReadonlyMap<Resource, readonly NormalizedTopology[]> {
  const found = new Map<Resource, readonly NormalizedTopology[]>();
  const add = (sharers: readonly NormalizedTopology[], rules: readonly { resource: Resource }[]) => {
    if (sharers.length > 1) for (const { resource } of rules) found.set(resource, sharers);
  };
  if (standing.kind === "securityGroups")
    for (const group of standing.groups) add(sharersOfGroup(fleet, group), group.rules);
  if (standing.kind === "networkAcl")
    add(sharersOfAcl(fleet, standing.acl).get(role) ?? [], standing.acl.rules);
  return found;
}

/** Hosts that belong to one hosted cluster. Nodes of a management cluster run the control planes of many. */
const OF_ONE_CLUSTER: Readonly<Partial<Record<Role, string>>> = {
  [Role.Workers]: "workers",
  [Role.PrivateEndpoint]: "the private endpoint",
};

/**
 * Rules of hosts' groups that name a group of another hosted cluster's hosts: no documented flow needs such a rule, whatever the
 * addresses of those hosts. Exceptions are flows whose other end may be anybody's host, such as flows of users.
 */
export function openToOthers(
  groups: readonly SecurityGroup[],
  role: Role,
  direction: Direction,
  topology: NormalizedTopology,
  plan: GroupsOfPlan,
): OpenToOthers[] {
  // Several guest clusters may have machines on one node.
  if (topology.platform === Platform.KubeVirt) return [];
  return groups.flatMap((group) => {
    const naming = isOwnedByCluster(group.resource)
      ? []
      : group.rules.filter((rule) => rule.direction === direction && namesGroups(rule));
    if (naming.length === 0) return [];
    const holders = clustersWith(group, plan);
    return naming.flatMap((rule): OpenToOthers[] => {
      if (unknownTraffic(rule).length > 0 || isByController(rule)) return [];
      const named = rule.sources.flatMap((source) => {
        const peers = isReference(source) ? othersIn(source, holders, topology, plan) : undefined;
        return peers === undefined ? [] : [{ peers, path: source.path }];
      });
      if (named.length === 0) return [];
      const opened = difference(packetsOfTraffic(rule, {}), neededByAnybody(topology)(role, direction));
      const areAll = named.length === rule.sources.length;
      return named.map((one) => ({ clause: groupClause(rule), packets: opened, areAll, ...one }));
    });
  });
}

/** The group that a rule names. Rules in a group may state its role; a rule that names the group does not. */
export const groupNamed = (reference: GroupReference, index: ResourceIndex): NamedGroup =>
  reference.kind === "group"
    ? { resource: reference.group }
    : (foreignGroups(index).get(reference.id) ?? { id: reference.id });

/** The hosts of other hosted clusters that have a group; undefined if hosts of this cluster or of the rule's group may have it too. */
function othersIn(
  reference: GroupReference,
  holders: readonly (string | undefined)[],
  topology: NormalizedTopology,
  plan: GroupsOfPlan,
): string | undefined {
  const group = groupNamed(reference, plan.index);
  const said = ownerOf(group, plan).role;
  const hosts = said && OF_ONE_CLUSTER[said];
  const clusters = clustersWith(group, plan);
  const known = knownClusters(plan.index, plan.configured);
  const ours = [...namesOfCluster(topology), ...holders];
  const isOurs = clusters.some((one) => one === undefined || ours.includes(one) || !known.has(one));
  return hosts === undefined || isOurs || holders.includes(undefined)
    ? undefined
    : `${hosts} of ${[...new Set(clusters)].join(", ")}`;
}

/** The needs of documented flows whose other end may be anybody's host. */
const neededByAnybody = onceForEach((topology: NormalizedTopology): HostPackets => {
  const parts = partsNeeded(topology, mayBeAnybody);
  return onceForPlace((role, direction) =>
    unionAll(
      partsAt(parts, role, direction).map(({ protocol, ports }) =>
        packets({ services: FAMILIES.map((family) => servicesOf(protocol, ports, family)) }),
      ),
    ),
  );
});

/**
 * Everything that documented flows need at each role and direction, including flows on request and possible flows, for all values
 * that unknown properties may have. The hosts' own side is open, because filters do not check it.
 */
export const neededPackets = onceForEach((topology: NormalizedTopology): HostPackets => {
  const parts = partsNeeded(topology);
  return onceForPlace((role, direction) => unionAll(partsAt(parts, role, direction).map(packetsOf)));
});

/** How routers report packets that are too big: "fragmentation needed" in IPv4, "Packet Too Big" in IPv6. (RFC 792, RFC 4443) */
export const PATH_MTU: PacketSet = packets({ services: [icmp(4, 3, 4), icmp(6, 2)] });

/**
 * Everything that must cross the borders of subnets with hosts of a role. Network ACLs are stateless: they must also allow the
 * answers to everything needed in the other direction, and path MTU discovery.
 */
const neededInSubnets = onceForEach((topology: NormalizedTopology): HostPackets => {
  const parts = partsNeeded(topology);
  const needed = neededPackets(topology);
  return onceForPlace((role, direction) => {
    // The VPC endpoint is in the workers' subnets.
    const behind = role === Role.ControlPlane ? [role] : [Role.Workers, Role.PrivateEndpoint];
    const called = behind.flatMap((one) => partsAt(parts, one, oppositeDirection(direction)));
    return unionAll([
      ...behind.map((one) => needed(one, direction)),
      ...called.map((part) => packetsOf(answeredBy(part))),
      PATH_MTU,
    ]);
  });
});

/** The answers to packets, for any port that callers may use. */
function answeredBy({ sources, destinations, ports, ...part }: SeenPackets): SeenPackets {
  const answered = part.samePortBothWays || !ports ? ports : CLIENT_EPHEMERAL;
  return { ...part, sources: destinations, destinations: sources, ...(answered && { ports: answered }) };
}

/** What nodes need only while they join: none of it is needed if `bootstrap` is false. */
export const bootstrapPackets = onceForEach((topology: NormalizedTopology): HostPackets => {
  const joining = neededPackets(withBootstrap(topology, true));
  const later = neededPackets(withBootstrap(topology, false));
  return onceForPlace((role, direction) => difference(joining(role, direction), later(role, direction)));
});

/** Returns the topology itself if it has this value already, so that its needs are computed only once. */
function withBootstrap(topology: NormalizedTopology, bootstrap: boolean): NormalizedTopology {
  const unknown = topology.unknown.filter((property) => property !== "bootstrap");
  const isSaid = topology.bootstrap === bootstrap && unknown.length === topology.unknown.length;
  return isSaid ? topology : { ...topology, unknown, bootstrap };
}

/** The distinct parts of the packets of each role and direction: the many readings of a topology differ in few. */
type Parts = Map<string, Map<string, SeenPackets>>;

const partsAt = (parts: Parts, role: Role, direction: Direction): SeenPackets[] => [
  ...(parts.get(`${role} ${direction}`)?.values() ?? []),
];

function partsNeeded(topology: NormalizedTopology, isAsked: IsAsked = () => true): Parts {
  const parts: Parts = new Map();
  for (const reading of readings(topology)) addParts(parts, reading.topology, isAsked);
  return parts;
}

/** Whether flows with some peers are included. */
type IsAsked = (peers: readonly FlowPeer[]) => boolean;

function addParts(parts: Parts, topology: NormalizedTopology, isAsked: IsAsked): void {
  const add = (part: Traffic & Pick<HostHop, "role" | "direction">, peers: readonly FlowPeer[]) => {
    if (!isAsked(peers)) return;
    const { role, direction, protocol, ports, samePortBothWays } = part;
    const here = onceIn(parts, `${role} ${direction}`, () => new Map<string, SeenPackets>());
    const addresses = peers.map(({ prefixes }) => prefixes?.map(String) ?? null);
    const what = JSON.stringify([protocol, ports, samePortBothWays, addresses]);
    if (!here.has(what)) here.set(what, seenAtHosts(part, peers));
  };
  for (const flow of [...hostFlows(topology).values(), ...possibleFlows(topology)])
    add(flow, peersOf(topology, flow));
  for (const { hops } of journeys(topology))
    for (const hop of hops) if (hop.kind === "hosts") add(hop, namedEnds(hop.direction, hop));
}
