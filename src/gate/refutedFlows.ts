import type { Prefix } from "../address";
import { type FirewallRules, rulesInRelease, rulesOfFirewall } from "../reachability/filters/egressFirewall";
import { API_NAMESPACE, isInEveryCluster } from "../resources/kubernetesObject";
import { placedNear } from "../resources/managementCluster";
import { readText } from "../resources/read";
import { type Resource, UNKNOWN } from "../resources/resource";
import { isAdministratorsPolicy, isEgressFirewall, isPatch } from "../resources/resourceTypes";
import { isUnknown, type NormalizedTopology, shapeOf } from "../topology/normalizedTopology";
import type { JudgedCluster } from "./clusters";
import type { JudgedResources } from "./judgedResources";
import { append, onceForBoth, onceForEach, onceIn } from "../collections";
import type { NamespaceHop } from "../flows/model";
import { clusterByName, surroundingsOf } from "../flows/surroundings";
import { compareReleases, type Release } from "../requirements/release";
import { Direction } from "../requirements/vocabulary";
import { blocksOf } from "../reachability/packets/print";
import { describeServices, type ServiceRange } from "../reachability/packets/service";
import { intersection, isEmpty, packets, type PacketSet } from "../reachability/packets/packetSet";
import type { Fleet } from "../reachability/path/excess";
import { type JudgedGuard, type JudgedJourney, judgedJourneys } from "../reachability/path/judge";
import { isUnguarded, planGuards } from "../reachability/path/planGuards";
import { Proof } from "../reachability/proof/prove";
import { PORT } from "../requirements/ports";

/** An EgressFirewall object, or a patch that sets the rules of one. */
export interface JudgedFirewall {
  firewall: Resource;
  rules: FirewallRules;
  /** Absent: unknown. */
  namespace: string | undefined;
  /**
   * The hosted clusters that it may be in: the clusters of the component that created it, otherwise all that are not certainly of another
   * management cluster.
   */
  clusters: readonly JudgedCluster[];
  /** Of its management cluster, the hosted clusters whose control plane is in its namespace. If there are any, the firewall is there too. */
  controlPlanes: readonly JudgedCluster[];
  /** The cluster that has its namespace; undefined if that is not known. */
  cluster: NamespaceHop["cluster"] | undefined;
  /** The newest release of the hosted clusters that it may be in; undefined if it is in none of them, or if one is not known. */
  release: Release | undefined;
}

/** All egress firewalls. */
export const egressFirewalls = (judged: JudgedResources): JudgedFirewall[] =>
  judged
    .ofKind(isEgressFirewall)
    .filter(({ type, properties }) => !isPatch(type) || "spec" in properties)
    .map((firewall) => judgedFirewall(firewall, judged));

function judgedFirewall(firewall: Resource, judged: JudgedResources): JudgedFirewall {
  const stated = readText(firewall.properties, "metadata.namespace");
  const namespace = stated === UNKNOWN ? undefined : (stated ?? API_NAMESPACE);
  const maker = judged.index.at(firewall.parent);
  const { bySource, byControlPlane, namespaces, near } = clustersBy(judged);
  const owners = maker && bySource.get(maker);
  const isManagement = byControlPlane.has(namespace) || (owners === undefined && namespaces.has(namespace));
  const clusters = owners ?? near(firewall);
  const cluster = isManagement ? "management" : owners ? "hosted" : clusterByName(namespace);
  const release = cluster === "hosted" ? newestRelease(clusters) : undefined;
  return {
    firewall,
    rules: rulesInRelease(rulesOfFirewall(firewall), release),
    namespace,
    clusters,
    controlPlanes: byControlPlane.get(namespace)?.(firewall) ?? [],
    cluster,
    release,
  };
}

/** The newest release of clusters; undefined if one is not known. Found once for firewalls in one location, which share the list. */
const newestRelease = onceForEach((clusters: readonly JudgedCluster[]): Release | undefined => {
  const releases = clusters.map((cluster) => wholeTopology(cluster)?.release);
  return releases.every((one) => one !== undefined) ? releases.sort(compareReleases).at(-1) : undefined;
});

/**
 * The hosted clusters by the resources that describe them, and those near a firewall: all, and by control plane namespace. Computed once
 * for all firewalls.
 */
const clustersBy = onceForEach(({ clusters }: JudgedResources) => {
  const bySource = new Map<Resource, JudgedCluster[]>();
  const byControlPlane = new Map<string | undefined, JudgedCluster[]>();
  const namespaces = new Set<string | undefined>();
  for (const cluster of clusters) {
    for (const resource of new Set(cluster.sources.map((source) => source.resource)))
      if (resource) append(bySource, resource, [cluster]);
    if (cluster.topology) append(byControlPlane, cluster.topology.controlPlaneNamespace, [cluster]);
    if (cluster.topology && !isUnknown(cluster.topology, "namespace") && !isInEveryCluster(cluster.namespace))
      namespaces.add(cluster.namespace);
  }
  const nearOf = (those: readonly JudgedCluster[]) =>
    placedNear(those, ({ topology }) => topology?.placement);
  return {
    bySource,
    byControlPlane: new Map([...byControlPlane].map(([namespace, those]) => [namespace, nearOf(those)])),
    namespaces,
    near: nearOf(clusters),
  };
});

/** The topology of a hosted cluster; undefined if the stack only patches the cluster. */
export const wholeTopology = ({ topology, partial }: JudgedCluster): NormalizedTopology | undefined =>
  partial ? undefined : topology;

/** The described hosted clusters of a stack, which may share groups and ACLs. */
export const fleetOf = onceForEach(
  ({ index, clusters, configuredGroups: configured }: JudgedResources): Fleet => ({
    index,
    configured,
    topologies: clusters.flatMap((cluster) => wholeTopology(cluster) ?? []),
  }),
);

/** The blocks that rules with addresses never match: the cluster network. */
export const exemptBlocks = (topology: NormalizedTopology | undefined): readonly Prefix[] =>
  topology?.clusterNetwork.map(({ prefix }) => prefix) ?? [];

/** A part of a set of packets as seen from one side: the same peer addresses for each of the services. */
export interface PacketPart {
  services: readonly ServiceRange[];
  /** Addresses of the peers, of both families. */
  prefixes: readonly Prefix[];
}

/** Packets in one direction, as one part for each set of services. The hosts' own addresses are in none of the parts. */
export function packetParts(set: PacketSet, direction: Direction): PacketPart[] {
  const parts = new Map<string, { services: readonly ServiceRange[]; lists: (readonly Prefix[])[] }>();
  for (const { services, sources, destinations } of blocksOf(set)) {
    const prefixes = direction === Direction.Ingress ? sources : destinations;
    const key = servicesText(services);
    const part = parts.get(key);
    if (part) part.lists.push(prefixes);
    else parts.set(key, { services, lists: [prefixes] });
  }
  return [...parts.values()].map(({ services, lists }) => ({ services, prefixes: together(lists) }));
}

function together([first = [], second, ...others]: readonly (readonly Prefix[])[]): readonly Prefix[] {
  if (!second) return first;
  return others.length > 0 ? [first, second, ...others].flat() : bothOf(first, second);
}

/** Joins the blocks of both families, once for each pair: every rule that names a prefix list has the same blocks. */
const bothOf = onceForBoth((one: readonly Prefix[], other: readonly Prefix[]) => [...one, ...other]);

/** `TCP 443, TCP 6443` */
export const servicesText = (services: readonly ServiceRange[]): string =>
  services.flatMap(describeServices).join(", ");

/** The verdict on every documented flow of a hosted cluster in a plan, as in `prove`. Judged once for each plan and topology. */
export const flowsOfPlan = onceForBoth(
  ({ index, configuredGroups }: JudgedResources, topology: NormalizedTopology): readonly JudgedJourney[] =>
    judgedJourneys(index, topology, planGuards(index, topology, configuredGroups), configuredGroups),
);

/** Whether there are administrators' policies: without any, no flow has to be checked for their effect. */
export const haveAdministrators = (judged: JudgedResources): boolean =>
  judged.ofKind(isAdministratorsPolicy).length > 0;

/** The verdict on a documented flow. */
export interface FlowOutcome extends Pick<JudgedJourney, "proof"> {
  /** Key of the journey. */
  key: string;
  optional?: true;
}

/** Like `flowsOfPlan`, without hops: if no filter of the plan is in the way, clusters of one shape share one result. */
export function outcomesOfPlan(
  judged: JudgedResources,
  topology: NormalizedTopology,
): readonly FlowOutcome[] {
  const { index, configuredGroups } = judged;
  const { allowedBlocks } = surroundingsOf(index, topology, configuredGroups);
  const shape =
    allowedBlocks !== UNKNOWN && isUnguarded(index, topology, configuredGroups)
      ? shapeOf(topology, allowedBlocks?.blocks)
      : undefined;
  const found = () =>
    flowsOfPlan(judged, topology).map(({ proof, journey: { key, optional } }): FlowOutcome => ({
      key,
      proof,
      ...(optional && { optional }),
    }));
  // An empty list of allowed blocks is different from no list.
  return shape === undefined
    ? found()
    : onceIn(outcomesByShape(judged), `${allowedBlocks !== undefined} ${shape}`, found);
}

const outcomesByShape = onceForEach((_: JudgedResources) => new Map<string, readonly FlowOutcome[]>());

/** A place at which some packets of a flow are dropped. */
export type Refuting = Pick<JudgedGuard, "hop" | "guard" | "asked"> & { dropped: PacketSet };

/** The places at which a flow is refuted. */
export const refutingPlaces = ({ guards }: JudgedJourney): Refuting[] =>
  guards.flatMap(({ hop, guard, asked, verdict }) =>
    verdict.proof === Proof.Refuted ? [{ hop, guard, asked, dropped: verdict.dropped }] : [],
  );

/** Keys of the flows of a hosted cluster that are refuted at a place that `isMeant` accepts. */
export const flowsRefuted = (
  judged: JudgedResources,
  topology: NormalizedTopology,
  isMeant: (place: Refuting) => boolean,
): string[] =>
  flowsOfPlan(judged, topology)
    .filter((flow) => flow.proof === Proof.Refuted && refutingPlaces(flow).some(isMeant))
    .map(({ journey }) => journey.key);

/** A flow of a hosted cluster that an egress firewall cuts. */
interface CutFlow {
  cluster: JudgedCluster;
  key: string;
  isDns: boolean;
}

/** The flows that each egress firewall cuts. Found once for all firewalls, because each firewall may be in every cluster. */
const cutFlows = onceForEach((judged: JudgedResources): ReadonlyMap<Resource, readonly CutFlow[]> => {
  const found = new Map<Resource, CutFlow[]>();
  for (const cluster of judged.clusters) {
    const topology = wholeTopology(cluster);
    for (const flow of topology ? flowsOfPlan(judged, topology) : []) {
      if (flow.proof !== Proof.Refuted) continue;
      for (const { hop, guard } of refutingPlaces(flow))
        if (hop.kind === "namespace" && guard.standing?.kind === "egressFirewall")
          append(found, guard.standing.firewall, [
            { cluster, key: flow.journey.key, isDns: hop.ports?.from === PORT.dns },
          ]);
    }
  }
  return found;
});

const setOf = onceForEach((clusters: readonly JudgedCluster[]) => new Set(clusters));

/** Whether two firewalls may be in one hosted cluster. Computed once for each two lists: firewalls in one location share theirs. */
export const shareCluster = onceForBoth(
  (some: readonly JudgedCluster[], others: readonly JudgedCluster[]): boolean =>
    some.some((cluster) => setOf(others).has(cluster)),
);

/** The fields of a finding about the flows that an egress firewall cuts: flows to DNS servers, or all others. */
export function cutByFirewall(
  judged: JudgedResources,
  { firewall, clusters, namespace }: JudgedFirewall,
  isDns: boolean,
) {
  const flow = (cutFlows(judged).get(firewall) ?? [])
    .filter((one) => one.isDns === isDns && setOf(clusters).has(one.cluster))
    .map(({ key }) => key);
  return {
    ...(clusters.length === 1 && { cluster: clusters[0]!.key }),
    ...(flow.length > 0 && { flow: [...new Set(flow)] }),
    ...(namespace !== undefined && { hop: `namespace/egress/${namespace}` }),
  };
}

/** Whether some packets of a part are among the dropped packets, whatever the hosts' own addresses are. */
export function meetsPart(
  dropped: PacketSet,
  { services, prefixes }: PacketPart,
  direction: Direction,
): boolean {
  const ends = direction === Direction.Ingress ? { sources: prefixes } : { destinations: prefixes };
  return !isEmpty(intersection(dropped, packets({ services, ...ends })));
}
