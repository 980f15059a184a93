import { CLIENT_EPHEMERAL } from "../../requirements/ports";
import { Direction, oppositeDirection, Platform, Role } from "../../requirements/vocabulary";
import { FAMILIES } from "../../address";
import { onceForEach } from "../../collections";
import { disputedFlows } from "../../flows/required/requiredFlows";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { seenAtHosts, type FlowPeer, type HostHop, type SeenPackets, type Traffic } from "../../flows/model";
import { readings } from "../../topology/readings";
import { difference, isEmpty, packets, union, unionAll, type PacketSet } from "../packets/packetSet";
import { icmp, servicesOf } from "../packets/service";
import { packetsOfTraffic, unknownTraffic } from "../filters/traffic";
import { groupClause, namesGroups, type GroupReference } from "../filters/securityGroup";
import { mayBeAnybody } from "../flows/groupFilter";
import {
  foreignGroups,
  isByController,
  isOwnedByCluster,
  type SecurityGroup,
} from "../../resources/securityGroups";
import { clustersWith, type GroupsOfPlan, knownClusters, ownerOf } from "../../resources/groupRoles";
import { excessOf, type Excess } from "../proof/prove";
import { hostFlows, peersOf } from "../../flows/hops";
import { journeys } from "../../flows/journeys";
import { onceForPlace, packetsOf } from "./duty";
import type { OpenToOthers } from "./guards";
import type { Guards } from "./judge";

/** What hosts of a role let pass and need not. */
export interface HostExcess extends Excess {
  role: Role;
  direction: Direction;
  /** What lets it pass: `security groups of workers`. */
  guard: string;
}

/** Packets at each role and direction. */
export type HostPackets = (role: Role, direction: Direction) => PacketSet;

/**
 * What a plan opens at the hosts of a cluster beyond all that any documented flow needs, rule by rule. Flows that are opened on
 * request only are not among it: who opens them has a document for it. `declared` is what the user wants open besides.
 */
export function hostExcess(
  topology: NormalizedTopology,
  guards: Guards,
  declared: (role: Role, direction: Direction) => PacketSet | undefined = () => undefined,
): HostExcess[] {
  const needed = neededPackets(topology);
  return Object.values(Role).flatMap((role) =>
    Object.values(Direction).flatMap((direction) => {
      const more = declared(role, direction);
      const and = (open: PacketSet) => (more ? union(open, more) : open);
      return guards
        .hosts(role, direction)
        .filter(({ doubtful = [] }) => doubtful.length === 0)
        .flatMap(({ name, filters, standing, openToOthers }) => {
          const isAcl = standing?.kind === "networkAcl";
          const open = and((isAcl ? neededInSubnets(topology) : needed)(role, direction));
          const toOthers = (openToOthers?.() ?? []).filter(({ packets }) => !isEmpty(packets));
          const found = [...excessOf(open, filters), ...toOthers];
          return found.map((excess) => ({ role, direction, guard: name, ...excess }));
        });
    }),
  );
}

/** Hosts that have one hosted cluster. Nodes of a management cluster run the control planes of many. */
const OF_ONE_CLUSTER: Readonly<Partial<Record<Role, string>>> = {
  [Role.Workers]: "workers",
  [Role.PrivateEndpoint]: "the private endpoint",
};

/**
 * Rules of hosts' groups that name a group of another hosted cluster's hosts: its addresses need not be known to say that no
 * documented flow needs the rule. Flows whose other end may be anybody's host, such as those of users, need theirs.
 */
export function openToOthers(
  groups: readonly SecurityGroup[],
  role: Role,
  direction: Direction,
  topology: NormalizedTopology,
  plan: GroupsOfPlan,
): OpenToOthers[] {
  // Several guests may have their machines on one node.
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
        const isGroup = source.kind === "group" || source.kind === "foreignGroup";
        const peers = isGroup ? othersIn(source, holders, topology, plan) : undefined;
        return peers === undefined ? [] : [{ peers, path: source.path }];
      });
      if (named.length === 0) return [];
      const opened = difference(packetsOfTraffic(rule, {}), neededByAnybody(topology)(role, direction));
      const areAll = named.length === rule.sources.length;
      return named.map((one) => ({ clause: groupClause(rule), packets: opened, areAll, ...one }));
    });
  });
}

/** The hosts of other hosted clusters that have a group; undefined where hosts of this one or of its holders may have it too. */
function othersIn(
  reference: GroupReference,
  holders: readonly (string | undefined)[],
  topology: NormalizedTopology,
  plan: GroupsOfPlan,
): string | undefined {
  const group =
    reference.kind === "group"
      ? { resource: reference.group }
      : (foreignGroups(plan.index).get(reference.id) ?? { id: reference.id });
  const said = ownerOf(group, plan).role;
  const hosts = said && OF_ONE_CLUSTER[said];
  const clusters = clustersWith(group, plan);
  const known = knownClusters(plan.index, plan.configured);
  const ours = [`${topology.namespace}/${topology.name}`, ...holders];
  const isOurs = clusters.some((one) => one === undefined || ours.includes(one) || !known.has(one));
  return hosts === undefined || isOurs || holders.includes(undefined)
    ? undefined
    : `${hosts} of ${[...new Set(clusters)].join(", ")}`;
}

/** What documented flows ask for whose other end may be anybody's host. */
const neededByAnybody = onceForEach((topology: NormalizedTopology): HostPackets => {
  const parts = partsNeeded(topology, mayBeAnybody);
  return onceForPlace((role, direction) =>
    unionAll(
      [...(parts.get(`${role} ${direction}`)?.values() ?? [])].map(({ protocol, ports }) =>
        packets({ services: FAMILIES.map((family) => servicesOf(protocol, ports, family)) }),
      ),
    ),
  );
});

/**
 * All that any documented flow needs at each role and direction, flows on request and those on which the documents disagree
 * among them, whatever
 * the values are that are not known yet. The hosts' own side is open: filters do not look at it.
 */
export const neededPackets = onceForEach((topology: NormalizedTopology): HostPackets => {
  const parts = partsNeeded(topology);
  return onceForPlace((role, direction) =>
    unionAll([...(parts.get(`${role} ${direction}`)?.values() ?? [])].map(packetsOf)),
  );
});

/** What routers on the way say of packets that are too big: "fragmentation needed" of IPv4, "Packet Too Big" of IPv6. (RFC 792, RFC 4443) */
export const PATH_MTU: PacketSet = packets({ services: [icmp(4, 3, 4), icmp(6, 2)] });

/**
 * All that has to cross the borders of subnets with hosts of a role. Network ACLs keep no state: the answers to whatever is needed
 * in the other direction are needed too, and so is path MTU discovery.
 */
const neededInSubnets = onceForEach((topology: NormalizedTopology): HostPackets => {
  const parts = partsNeeded(topology);
  const needed = neededPackets(topology);
  return onceForPlace((role, direction) => {
    // The VPC endpoint stands in the workers' subnets.
    const behind = role === Role.ControlPlane ? [role] : [Role.Workers, Role.PrivateEndpoint];
    const called = behind.flatMap((one) => [
      ...(parts.get(`${one} ${oppositeDirection(direction)}`)?.values() ?? []),
    ]);
    return unionAll([
      ...behind.map((one) => needed(one, direction)),
      ...called.map((part) => packetsOf(answeredBy(part))),
      PATH_MTU,
    ]);
  });
});

/** The answers to packets, whichever of the ports of callers they go to. */
function answeredBy({ sources, destinations, ports, ...part }: SeenPackets): SeenPackets {
  const answered = part.samePortBothWays || !ports ? ports : CLIENT_EPHEMERAL;
  return { ...part, sources: destinations, destinations: sources, ...(answered && { ports: answered }) };
}

/** What nodes need only while they join: nothing of it is needed where `bootstrap` is false. */
export const bootstrapPackets = onceForEach((topology: NormalizedTopology): HostPackets => {
  const joining = neededPackets(withBootstrap(topology, true));
  const later = neededPackets(withBootstrap(topology, false));
  return onceForPlace((role, direction) => difference(joining(role, direction), later(role, direction)));
});

/** The topology itself where it says so already: what it needs is found once. */
function withBootstrap(topology: NormalizedTopology, bootstrap: boolean): NormalizedTopology {
  const unknown = topology.unknown.filter((property) => property !== "bootstrap");
  const isSaid = topology.bootstrap === bootstrap && unknown.length === topology.unknown.length;
  return isSaid ? topology : { ...topology, unknown, bootstrap };
}

/** What makes up the packets of each role and direction, each part once: the many readings of a topology differ in few. */
type Parts = Map<string, Map<string, SeenPackets>>;

function partsNeeded(topology: NormalizedTopology, isAsked: IsAsked = () => true): Parts {
  const parts: Parts = new Map();
  for (const reading of readings(topology)) addParts(parts, reading.topology, isAsked);
  return parts;
}

/** Whether flows with some peers are asked about. */
type IsAsked = (peers: readonly FlowPeer[]) => boolean;

function addParts(parts: Parts, topology: NormalizedTopology, isAsked: IsAsked): void {
  const add = (part: Traffic & Pick<HostHop, "role" | "direction">, peers: readonly FlowPeer[]) => {
    if (!isAsked(peers)) return;
    const { role, direction, protocol, ports, samePortBothWays } = part;
    const place = `${role} ${direction}`;
    const here = parts.get(place) ?? new Map<string, SeenPackets>();
    const addresses = peers.map(({ prefixes }) => prefixes?.map(String) ?? null);
    const what = JSON.stringify([protocol, ports, samePortBothWays, addresses]);
    if (!here.has(what)) here.set(what, seenAtHosts(part, peers));
    parts.set(place, here);
  };
  for (const flow of [...hostFlows(topology).values(), ...disputedFlows(topology)])
    add(flow, peersOf(topology, flow));
  for (const { hops } of journeys(topology))
    for (const hop of hops)
      if (hop.kind === "hosts")
        add(hop, hop.direction === Direction.Ingress ? hop.sources : hop.destinations);
}
