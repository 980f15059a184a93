import { isSeenAtHosts } from "../../requirements/requirement";
import { OKD_NETWORKING, HYPERSHIFT_PORTS, at } from "../../requirements/documents";
import { Zone, oppositeDirection } from "../../requirements/vocabulary";
import {
  type EndVerdict,
  groupFilter,
  judgeEnd,
  mayMatch,
  seenWith,
} from "../../reachability/flows/groupFilter";
import { packetsAsked, packetsOf } from "../../reachability/path/duty";
import { doubtfulRules } from "../../reachability/filters/securityGroup";
import { networkAclFilter } from "../../reachability/filters/networkAcl";
import { rolesOfAcl, type WrittenGuard } from "../../reachability/path/guards";
import type { NetworkAcl } from "../../resources/networkAcls";
import { reasonOfAmbiguity, UNSEEN_RULES } from "../../resources/groupRoles";
import type { DoubtfulGroups } from "../../resources/doubtfulGroups";
import type { Origin, Resource } from "../../resources/resource";
import type { ResourceIndex } from "../../resources/resourceIndex";
import { isHostedCluster, OUR_COMPONENTS } from "../../resources/resourceTypes";
import type { SecurityGroup, SecurityGroupRule } from "../../resources/securityGroups";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { readings } from "../../topology/readings";
import { append, onceForBoth, onceIn } from "../../collections";
import { everyAddress } from "../../flows/peers";
import { hostFlows, peersOf } from "../../flows/hops";
import { flowKey, type FlowPeer, neededPeers, type RequiredFlow } from "../../flows/model";
import { fromLoadBalancers } from "../../flows/required/nodes";
import { requiredFlows } from "../../flows/required/requiredFlows";
import { isOfDefaultWorkerGroup } from "../../flows/required/workers";
import { type FlowHalf, blockedByAcl, keptOutByLists, missingFinding, type Peering } from "./missingFlow";
import {
  flowsOfPlan,
  meetsPart,
  type PacketPart,
  packetParts,
  refutingPlaces,
} from "../../gate/refutedFlows";
import { undecidedFlows, type Hosts, type PerhapsMore } from "../../gate/hosts";
import type { JudgedResources } from "../../gate/judgedResources";
import { equal, isEmpty, NO_PACKETS, unionAll, type PacketSet } from "../../reachability/packets/packetSet";
import { Level, unknown, type Judgement, type Rule } from "../../gate/rule";

/** Reports required flows of a hosted cluster that the security groups or a network ACL of its hosts drop. */
export const portMissing: Rule = {
  id: "port-missing",
  title: "Documented flow is blocked by a security group or network ACL",
  level: Level.Error,
  description:
    "Reports documented flows that security groups or network ACLs drop. For each role of hosts in a hosted cluster, the rule proves in both directions that every packet which the topology requires, responses included, passes the rules of all security groups with that role taken together, and passes each network ACL with that role.",
  details: [
    "The finding names the part of a range that is left out.",
    "If the topology does not state the other end of a flow, a port that is closed to every address is a finding; a port that is open to some is counted as not judged, except for addresses at which a flow between known ends is dropped: those are findings.",
    "The rule does not require access for external users that are not named.",
    "Traffic among nodes of one role that others must allow in security groups, traffic from workers to their proxies, and what load balancers in front of node ports forward from named external users are required only of ACLs; ACLs do not see packets within one subnet, but no input states in which subnets the nodes are.",
    "What only HyperShift's group for workers allows, such as all egress, is required of security groups if defaultWorkerRules is true, and not of ACLs.",
    "If networking.apiServer.allowedCIDRBlocks of a HostedCluster leaves out the source of a documented flow, or of the control plane's own calls to the API server (managementClusterNatCidrs), the finding is an error where the platform's load balancers certainly block it, a warning elsewhere.",
    "A list for an API server that is published by NodePort is a warning, because it has no effect.",
  ],
  documents: [
    at(OKD_NETWORKING, "Table 1. Common ingress ports"),
    at(HYPERSHIFT_PORTS, "Common Ingress Ports"),
  ],
  rows: isSeenAtHosts,
  remediation: "Add the rule; HostedControlPlaneSecurityGroups creates every documented rule.",
  judge: (judged) => [
    ...judged.groups.unknown.map(unknown),
    ...judged.acls.unknown.map(unknown),
    ...unknownRoles(judged),
    ...judged.hosts.flatMap((hosts) => judgeHosts(judged, hosts)),
    ...judged.clusters.flatMap((cluster) => keptOutByLists(judged, cluster)),
  ],
};

/** Groups and ACLs for which it is unknown whether they must allow any flow. */
function unknownRoles(judged: JudgedResources): Judgement[] {
  const held = [
    ...judged.groups.groups.map((group) => ({ resource: group.resource, found: judged.roleOf(group) })),
    ...judged.acls.acls.flatMap((acl) =>
      rolesOfAcl(acl, judged.index).map((found) => ({ resource: acl.resource, found })),
    ),
  ];
  return held.flatMap(({ resource, found }) => {
    const { role, cluster, unknown: values } = found;
    if (!resource) return [];
    if (role && judged.clustersNamed(cluster).length === 0) {
      if (judged.clustersFitting(cluster).length > 1)
        return [unknown({ resource, path: "tags", reason: reasonOfAmbiguity(role, cluster) })];
      const reason = `it names the role ${role}, but no topology of ${cluster ? `cluster ${cluster}` : "its cluster"} is known`;
      const because = judged.ofKind(isHostedCluster).map((one) => ({ resource: one, path: "metadata.name" }));
      return [unknown({ resource, path: "tags", reason, because })];
    }
    return values.map(unknown);
  });
}

function judgeHosts(judged: JudgedResources, hosts: Hosts): Judgement[] {
  const holder = holderOfHosts(hosts);
  if (!holder) return [];
  return [...undecidedFlows(hosts.cluster, holder), ...judgeFlows(judged, hosts, () => true)];
}

/** The resource at which findings about hosts are shown. */
const holderOfHosts = ({ groups, rules, acls }: Hosts): Resource | undefined =>
  groups.find(({ group }) => group.resource)?.group.resource ??
  rules[0]?.resource ??
  acls.flatMap(holderOf)[0];

/** Findings for documented flows that the groups and ACLs of some hosts drop. */
export function judgeFlows(
  judged: JudgedResources,
  hosts: Hosts,
  isAsked: (flow: RequiredFlow) => boolean,
): Judgement[] {
  const { cluster, role, groups } = hosts;
  const { topology } = cluster;
  const holder = holderOfHosts(hosts);
  if (!holder) return [];
  const required = requiredFlows(topology);
  const flows = required.filter((flow) => flow.role === role && !flow.optIn && isAsked(flow));
  const components = [...new Set(groups.flatMap(({ group }) => makersOf(group, judged.index)))];
  const place: Place = { ...hosts, holder: holder.origin, components };
  // Groups outside the plan allow nodes to reach each other, workers to reach proxies, and load balancers to reach node ports: only ACLs
  // of the plan must allow them.
  const ofAcls = [...hostFlows(topology).values(), ...fromLoadBalancers(topology)].filter(
    (flow) =>
      hosts.acls.length > 0 &&
      flow.role === role &&
      !required.includes(flow) &&
      isAsked(flow) &&
      isNeeded(topology, flow),
  );
  // An ACL need not allow what only the group of workers does: what nodes need among themselves is asked of it in any case.
  const ofBoth = flows.filter((flow) => !isOfDefaultWorkerGroup(flow));
  const said = new Set(
    ofBoth.flatMap((flow) => peersNeeded(topology, flow).map((peer) => trafficOf(flow, peer))),
  );
  const isOfAcls = ({ flow, peer }: Peering) => !said.has(trafficOf(flow, peer));
  const eachPeer = (some: readonly RequiredFlow[], judge: (peering: Peering) => Judgement[]) =>
    some.flatMap((flow) => peersNeeded(topology, flow).flatMap((peer) => judge({ flow, peer, cluster })));
  return [
    ...eachPeer(flows, (peering) =>
      judgePeer(judged, peering, isOfDefaultWorkerGroup(peering.flow) ? { ...place, acls: [] } : place),
    ),
    ...eachPeer(ofAcls, (peering) =>
      isOfAcls(peering) ? judgePeer(judged, peering, { ...place, groups: [] }) : [],
    ),
  ];
}

/** Whether a cluster needs a flow whatever the values are that are not known: its network type decides on the tunnels of nodes. */
const isNeeded = (topology: NormalizedTopology, flow: RequiredFlow): boolean =>
  !flow.optIn &&
  readings(topology).every((reading) => !hostFlows(reading.topology).get(flowKey(flow))?.optIn);

const peersNeeded = (topology: NormalizedTopology, flow: RequiredFlow) =>
  neededPeers(peersOf(topology, flow));

/** A key for the packets of a flow with one peer: health checks are like other packets of load balancers. */
const trafficOf = ({ protocol, ports, direction }: RequiredFlow, { zone, input }: FlowPeer): string =>
  [direction, protocol, ports?.from, ports?.to, zone, input].join(" ");

/** Hosts, with what findings need to know about their groups. */
interface Place extends Hosts {
  /** The resource at which findings are shown. */
  holder: Origin;
  /** The components that created the groups or their rules. */
  components: readonly Resource[];
}

/** The components that created a group or its rules. */
function makersOf({ resource, rules }: SecurityGroup, index: ResourceIndex): Resource[] {
  const made = [...(resource ? [resource] : []), ...rules.map((rule) => rule.resource)];
  const parents = made.flatMap(({ parent }) => index.at(parent) ?? []);
  return parents.filter(({ type }) => type.startsWith(OUR_COMPONENTS));
}

function judgePeer(judged: JudgedResources, peering: Peering, place: Place): Judgement[] {
  const { peer, cluster } = peering;
  if (peer.unknown) {
    const { resource, holder: from, path } = cluster.locate(peer.input);
    return from
      ? [unknown({ resource: from, path })]
      : [unknownHere(resource, path, `${cluster.key}: ${peer.input}`)];
  }
  if (NOT_DEMANDED.has(peer.zone) && (!peer.prefixes || peer.assumed)) return [];
  return [
    ...(place.groups.length > 0 ? judgeGroups(judged, peering, place) : []),
    ...place.acls.flatMap((acl) => judgeAcl(judged, peering, place, acl)),
  ];
}

/** Peers that need not be allowed if none are named: external users. */
const NOT_DEMANDED: ReadonlySet<Zone> = new Set([Zone.ExternalClients]);

function judgeGroups(judged: JudgedResources, peering: Peering, place: Place): Judgement[] {
  const { flow, peer, cluster } = peering;
  const { rules, roleOf, groups } = place;
  const { topology } = place.cluster;
  const seen = seenWith(flow, peer, everyAddress(topology));
  const losing: LosingPlace = { barrier: groups[0]?.group, asked: "calls" };
  const lost = lostHere(judged, peering, losing);
  const judge = (some: readonly SecurityGroupRule[]) =>
    judgeEnd(packetsOf(seen), peer, [groupFilter(some, flow, peer, topology, roleOf)], lost);
  const verdict = judge(rules);
  const isWhole = groups.every(({ group }) => group.resource);
  const more: PerhapsMore | undefined = isWhole ? place.perhaps : { reason: UNSEEN_RULES };
  const blocked =
    !more || isEmpty(verdict.blocked)
      ? verdict.blocked
      : more.groups
        ? judge([...rules, ...rulesAbout(verdict.blocked, more.groups, flow)]).blocked
        : NO_PACKETS;
  return [
    ...packetParts(blocked, flow.direction).map((part) =>
      missingFinding(peering, place, part, refutedHere(judged, peering, part, losing)),
    ),
    ...(more && !equal(blocked, verdict.blocked)
      ? [unknownHere(place.holder, flow.direction, `${cluster.key}: ${more.reason}`)]
      : []),
    ...undecidedParts(verdict, peering, place.holder),
  ];
}

/** The rules of groups that hosts may have in addition, as far as they may match packets that the hosts' own groups drop. */
const rulesAbout = (
  dropped: PacketSet,
  lists: readonly DoubtfulGroups[],
  { direction }: RequiredFlow,
): SecurityGroupRule[] => lists.flatMap(({ groups }) => doubtfulRules(groups, direction).about(dropped));

/** Judges a flow at an ACL. Rules whose ACL is unknown may be in it, before all others. */
function judgeAcl(judged: JudgedResources, peering: Peering, place: Place, acl: NetworkAcl): Judgement[] {
  const { flow, peer } = peering;
  const seen = seenWith(flow, peer, everyAddress(place.cluster.topology));
  const judge = (asked: FlowHalf): Judgement[] => {
    const isCall = asked === "calls";
    const direction = isCall ? flow.direction : oppositeDirection(flow.direction);
    const asking = isCall ? flow : { protocol: flow.protocol };
    const rules = [...acl.rules, ...judged.acls.stray].filter((rule) => mayMatch(rule, asking));
    const filters = [networkAclFilter(rules, direction, acl.partial)];
    const losing: LosingPlace = { barrier: acl, asked };
    const lost = lostHere(judged, peering, losing);
    const verdict = judgeEnd(packetsAsked(seen, asked), peer, filters, lost);
    return [
      ...packetParts(verdict.blocked, direction).map((part) =>
        blockedByAcl(peering, acl, asked, verdict, part, refutedHere(judged, peering, part, losing)),
      ),
      ...undecidedParts(verdict, peering, holderOf(acl)[0]?.origin ?? place.holder),
    ];
  };
  return [...judge("calls"), ...judge("answers")];
}

/** The first of the groups that apply together, or an ACL. */
type Barrier = SecurityGroup | NetworkAcl;

/** The key for what is lost at hosts: the ACL, or the first of the groups that apply together. */
const barrierOf = (standing: WrittenGuard | undefined): Barrier | undefined =>
  standing?.kind === "networkAcl"
    ? standing.acl
    : standing?.kind === "securityGroups"
      ? standing.groups[0]
      : undefined;

/** The place at which packets of a flow, or the answers to them, are lost. */
interface LosingPlace {
  barrier: Barrier | undefined;
  asked: FlowHalf;
}

/** The packets that a flow loses at a place. */
interface Loss {
  flow: string;
  dropped: PacketSet;
}

/** What the flows of a cluster lose at each place of hosts. Computed once, because many ACLs need it. */
const lossesOf = onceForBoth((judged: JudgedResources, topology: NormalizedTopology) => {
  const losses = new Map<Barrier, Map<string, Map<string, PacketSet[]>>>();
  for (const flow of flowsOfPlan(judged, topology))
    for (const { hop, guard, asked, dropped } of refutingPlaces(flow)) {
      const barrier = barrierOf(guard.standing);
      if (hop.kind !== "hosts" || !barrier) continue;
      const places = onceIn(losses, barrier, () => new Map<string, Map<string, PacketSet[]>>());
      const here = onceIn(places, placeKey(hop, asked), () => new Map<string, PacketSet[]>());
      append(here, flow.journey.key, [dropped]);
    }
  const summed = (sets: Map<string, PacketSet[]>): Loss[] =>
    [...sets].map(([flow, dropped]) => ({ flow, dropped: unionAll(dropped) }));
  return new Map(
    [...losses].map(([barrier, places]) => [
      barrier,
      new Map([...places].map(([key, sets]) => [key, summed(sets)])),
    ]),
  );
});

const placeKey = ({ role, direction }: Pick<RequiredFlow, "role" | "direction">, asked: FlowHalf): string =>
  [role, direction, asked].join(" ");

/** The packets of flows, or the answers to them, that are lost at the same place. */
const lossesAt = (
  judged: JudgedResources,
  { flow, cluster: { topology } }: Peering,
  { barrier, asked }: LosingPlace,
): readonly Loss[] => (barrier && lossesOf(judged, topology!).get(barrier)?.get(placeKey(flow, asked))) ?? [];

/** Keys of the flows that lose these packets, or the answers to them, at the same place. */
function refutedHere(
  judged: JudgedResources,
  peering: Peering,
  part: PacketPart,
  losing: LosingPlace,
): string[] {
  const { direction } = peering.flow;
  const way = losing.asked === "calls" ? direction : oppositeDirection(direction);
  return lossesAt(judged, peering, losing)
    .filter(({ dropped }) => meetsPart(dropped, part, way))
    .map(({ flow }) => flow);
}

/** For an assumed peer, what flows between known ends lose at this place. A stated peer must be allowed completely. */
const lostHere = (judged: JudgedResources, peering: Peering, losing: LosingPlace): PacketSet | undefined =>
  peering.peer.assumed
    ? unionAll(lossesAt(judged, peering, losing).map(({ dropped }) => dropped))
    : undefined;

/** The resource at which findings about an ACL are shown. */
const holderOf = ({ resource, partial }: NetworkAcl): Resource[] =>
  resource ? [resource] : partial ? [partial.resource] : [];

/** Judgements for the unknown values on which the rest of a flow depends. */
function undecidedParts({ values, unsaid }: EndVerdict, { flow, peer, cluster }: Peering, holder: Origin) {
  const reason = `${cluster.key}: ${peer.input}, which the topology does not state`;
  return [...values.map(unknown), ...(unsaid ? [unknownHere(holder, flow.direction, reason)] : [])];
}

const unknownHere = (resource: Origin, path: string, message: string): Judgement => ({
  ...unknown({ resource: { origin: resource, type: "", name: "", properties: {} }, path }),
  message,
});
