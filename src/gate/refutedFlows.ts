import type { Prefix } from "../address";
import { type FirewallRules, rulesOfFirewall } from "../reachability/filters/egressFirewall";
import { API_NAMESPACE, isInEveryCluster } from "../resources/kubernetesObject";
import { readText } from "../resources/read";
import { type Resource, UNKNOWN } from "../resources/resource";
import { isAdministratorsPolicy, isEgressFirewall, isPatch } from "../resources/resourceTypes";
import { isUnknown, type NormalizedTopology, shapeOf } from "../topology/normalizedTopology";
import type { JudgedCluster } from "./clusters";
import type { JudgedResources } from "./judgedResources";
import { append, onceForBoth, onceForEach, onceIn } from "../collections";
import { surroundingsOf } from "../flows/surroundings";
import { Direction } from "../requirements/vocabulary";
import { blocksOf } from "../reachability/packets/print";
import { describeServices, type ServiceRange } from "../reachability/packets/service";
import { intersection, isEmpty, packets, type PacketSet } from "../reachability/packets/packetSet";
import { type JudgedGuard, type JudgedJourney, judgedJourneys } from "../reachability/path/judge";
import { isUnguarded, planGuards } from "../reachability/path/planGuards";
import { Proof } from "../reachability/proof/prove";
import { PORT } from "../requirements/ports";

/** An EgressFirewall object, or a patch that gives one its rules. */
export interface JudgedFirewall {
  firewall: Resource;
  rules: FirewallRules;
  /** Absent: unknown. */
  namespace: string | undefined;
  /** The hosted clusters in which it may be: that of the component that made it, else all that are known. */
  clusters: readonly JudgedCluster[];
  /** Hosted clusters with their control plane in its namespace: where there are some, it lies in the management cluster. */
  controlPlanes: readonly JudgedCluster[];
  /** Whether its namespace holds HostedClusters: no pod of theirs is in it. */
  isBesideHostedClusters: boolean;
}

/** The egress firewalls that there are. */
export const egressFirewalls = (judged: JudgedResources): JudgedFirewall[] =>
  judged
    .ofKind(isEgressFirewall)
    .filter(({ type, properties }) => !isPatch(type) || "spec" in properties)
    .map((firewall) => judgedFirewall(firewall, judged));

function judgedFirewall(firewall: Resource, judged: JudgedResources): JudgedFirewall {
  const stated = readText(firewall.properties, "metadata.namespace");
  const namespace = stated === UNKNOWN ? undefined : (stated ?? API_NAMESPACE);
  const maker = judged.index.at(firewall.parent);
  const { bySource, byControlPlane, namespaces } = clustersBy(judged);
  const owners = maker && bySource.get(maker);
  return {
    firewall,
    rules: rulesOfFirewall(firewall),
    namespace,
    clusters: owners ?? judged.clusters,
    controlPlanes: byControlPlane.get(namespace) ?? [],
    isBesideHostedClusters: owners === undefined && namespaces.has(namespace),
  };
}

/** The hosted clusters by what says them, and by the namespaces of their control planes: each firewall asks. */
const clustersBy = onceForEach(({ clusters }: JudgedResources) => {
  const bySource = new Map<Resource, JudgedCluster[]>();
  const byControlPlane = new Map<string | undefined, JudgedCluster[]>();
  const namespaces = new Set<string | undefined>();
  for (const cluster of clusters) {
    for (const resource of new Set(cluster.sources.map((source) => source.resource)))
      if (resource) append(bySource, resource, [cluster]);
    append(byControlPlane, cluster.topology?.controlPlaneNamespace, [cluster]);
    if (cluster.topology && !isUnknown(cluster.topology, "namespace") && !isInEveryCluster(cluster.namespace))
      namespaces.add(cluster.namespace);
  }
  return { bySource, byControlPlane, namespaces };
});

/** What is known of a hosted cluster; nothing where the stack only patches it. */
export const wholeTopology = ({ topology, partial }: JudgedCluster): NormalizedTopology | undefined =>
  partial ? undefined : topology;

/** The blocks that rules with addresses never match. */
export const exemptBlocks = (topology: NormalizedTopology | undefined): readonly Prefix[] =>
  topology?.clusterNetwork.map(({ prefix }) => prefix) ?? [];

/** A part of a set of packets as one side sees it: the same addresses of its peers at each of these services. */
export interface PacketPart {
  services: readonly ServiceRange[];
  /** Addresses of the peers, of both families. */
  prefixes: readonly Prefix[];
}

/** Packets in one direction, in as few parts as there are. Hosts' own addresses stand in none of them. */
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

/** Blocks of both families: those of a prefix list are the same in every rule that names it. */
const bothOf = onceForBoth((one: readonly Prefix[], other: readonly Prefix[]) => [...one, ...other]);

/** `TCP 443, TCP 6443` */
export const servicesText = (services: readonly ServiceRange[]): string =>
  services.flatMap(describeServices).join(", ");

/** Every documented flow of a hosted cluster as the plan has it: the same that `prove` counts. Judged once for each plan. */
export const flowsOfPlan = onceForBoth(
  ({ index, configuredGroups }: JudgedResources, topology: NormalizedTopology): readonly JudgedJourney[] =>
    judgedJourneys(index, topology, planGuards(index, topology, configuredGroups), configuredGroups),
);

/** Whether there are policies of administrators: without any, no flow has to be asked for what they do. */
export const haveAdministrators = (judged: JudgedResources): boolean =>
  judged.ofKind(isAdministratorsPolicy).length > 0;

/** How a documented flow comes out. */
export interface FlowOutcome extends Pick<JudgedJourney, "proof"> {
  /** Key of its journey. */
  key: string;
  optional?: true;
}

/** The same without its hops: where nothing of a plan stands in their way, clusters of one shape have one answer. */
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
  // A list that lets in nobody is not a list that is not there.
  return shape === undefined
    ? found()
    : onceIn(outcomesByShape(judged), `${allowedBlocks !== undefined} ${shape}`, found);
}

const outcomesByShape = onceForEach((_: JudgedResources) => new Map<string, readonly FlowOutcome[]>());

/** One place of a flow at which some of its packets are dropped. */
export type Refuting = Pick<JudgedGuard, "hop" | "guard" | "asked"> & { dropped: PacketSet };

/** The places at which a flow is refuted. */
export const refutingPlaces = ({ guards }: JudgedJourney): Refuting[] =>
  guards.flatMap(({ hop, guard, asked, verdict }) =>
    verdict.proof === Proof.Refuted ? [{ hop, guard, asked, dropped: verdict.dropped }] : [],
  );

/** Keys of the flows of a hosted cluster that are refuted at such a place. */
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

/** What each egress firewall cuts: found once for all of them, because every one may be in every cluster. */
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

/** What a finding about an egress firewall names of the flows that it cuts: those to DNS servers, or all others. */
export function cutByFirewall(
  judged: JudgedResources,
  { firewall, clusters, namespace }: JudgedFirewall,
  isDns: boolean,
) {
  const flow = (cutFlows(judged).get(firewall) ?? [])
    .filter((one) => one.isDns === isDns && (clusters === judged.clusters || clusters.includes(one.cluster)))
    .map(({ key }) => key);
  return {
    ...(clusters.length === 1 && { cluster: clusters[0]!.key }),
    ...(flow.length > 0 && { flow: [...new Set(flow)] }),
    ...(namespace !== undefined && { hop: `namespace/egress/${namespace}` }),
  };
}

/** Whether some of the packets of a part, whatever the hosts' own addresses are, are among those that are dropped. */
export function meetsPart(
  dropped: PacketSet,
  { services, prefixes }: PacketPart,
  direction: Direction,
): boolean {
  const ends = direction === Direction.Ingress ? { sources: prefixes } : { destinations: prefixes };
  return !isEmpty(intersection(dropped, packets({ services, ...ends })));
}
