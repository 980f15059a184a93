import { append, grouped, onceForEach } from "../collections";
import { every, type Maybe } from "../resources/kubernetesObject";
import { areOneObject, eachOnce, withPatches } from "../resources/oneObject";
import { type Read, read, readNumber, readText, readValue } from "../resources/read";
import { keyOfPlace, managementOf, notElsewhere } from "../resources/managementCluster";
import { type Origin, type Resource, UNKNOWN } from "../resources/resource";
import { isNodePool, isPatch, OUR_COMPONENTS } from "../resources/resourceTypes";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import type { JudgedResources } from "./judgedResources";
import { describeResource, type Judgement, secretOnly, unknown, violated } from "./rule";
import {
  type ClusterInputs,
  egressCluster,
  type EgressCluster,
  otherNetworkProblem,
  platformFindings,
  type PlatformGate,
} from "../objects/egressCluster";
import { DEFAULT_NAMESPACE } from "../topology/normalizeTopology";
import type { JudgedCluster } from "./clusters";

/** A NodePool of a cluster, with the number of its nodes. */
export interface JudgedNodePool {
  resource: Resource;
  /** With autoscaling, `least` and `most` are its bounds; without it, both are the replicas. */
  least: number | typeof UNKNOWN;
  most: number | typeof UNKNOWN;
}

/** The NodePools of a hosted cluster in a stack. */
export function nodePoolsOf(
  judged: Pick<JudgedResources, "ofKind">,
  { name, namespace, placement }: NormalizedTopology,
): JudgedNodePool[] {
  const pools = poolsByCluster(judged).get(name) ?? [];
  const own = notElsewhere(placement, pools).filter((pool) => isPoolOf(pool, { name, namespace }) !== false);
  return eachOnce(own).map((resource) => ({ resource, ...nodesOf(resource) }));
}

/** Whether a NodePool belongs to a hosted cluster. Without a namespace, it is applied in that of the cluster. */
export function isPoolOf(pool: Resource, cluster: ClusterReference): Maybe {
  const { name, namespace } = clusterOfPool(pool);
  const is = (said: Read<string>, own: Read<string>): Maybe =>
    said === UNKNOWN || own === UNKNOWN ? undefined : said === own;
  return every([is(name, cluster.name), namespace === undefined || is(namespace, cluster.namespace)]);
}

/** A reference to a hosted cluster, as far as it is stated. */
interface ClusterReference {
  name: Read<string>;
  namespace: Read<string>;
}

/** The hosted cluster that a NodePool names; unknown for a patch that does not name it. */
export const clusterOfPool = ({ type, properties }: Resource): ClusterReference => ({
  name: readText(properties, "spec.clusterName") ?? (isPatch(type) ? UNKNOWN : undefined),
  namespace: readText(properties, "metadata.namespace"),
});

/**
 * NodePools, with what patches set, by cluster name. Indexed once, because every cluster reads its own and there may be as many pools as
 * clusters.
 */
const poolsByCluster = onceForEach((judged: Pick<JudgedResources, "ofKind">) =>
  grouped(withPatches(judged.ofKind(isNodePool)), ({ properties }) =>
    readText(properties, "spec.clusterName"),
  ),
);

/** Whether the nodes of a NodePool are on secondary networks only, without the default pod network. */
export const isSecondaryAlone = ({ type, properties }: Resource): boolean =>
  isNodePool(type) &&
  readValue(properties, "spec.platform.kubevirt.attachDefaultNetwork") === false &&
  read(properties, "spec.platform.kubevirt.additionalNetworks[]").length > 0;

/** Judgements for NodePools whose cluster name is a secret: they may be of any cluster. */
export const hiddenNodePools = onceForEach((judged: Pick<JudgedResources, "ofKind">): readonly Judgement[] =>
  judged.ofKind(isNodePool).flatMap((resource) => secretOnly({ resource, path: "spec.clusterName" })),
);

/** The number of nodes of a NodePool; unknown for a patch that does not set it. */
export function nodesOf({ type, properties }: Resource): Pick<JudgedNodePool, "least" | "most"> {
  const count = (path: string) => readNumber(properties, path) ?? (isPatch(type) ? UNKNOWN : 0);
  if (readValue(properties, "spec.autoScaling") === undefined)
    return { least: count("spec.replicas"), most: count("spec.replicas") };
  return { least: count("spec.autoScaling.min"), most: count("spec.autoScaling.max") };
}

/**
 * The hosted cluster that an object of a stack is in: the only one that the stack or the configuration describes. Objects do not
 * name their cluster, so with several clusters it is unknown.
 */
export function guestCluster({ clusters }: JudgedResources): JudgedCluster | undefined {
  const [only, ...others] = clusters;
  return only && !only.partial && others.length === 0 ? only : undefined;
}

/**
 * Identifies the cluster of an object by its server, its provider or, among several hosted clusters, the folder of its file.
 * Objects with the same scope are assumed to be in one cluster.
 */
export interface GuestScope {
  key: string;
  /** True if objects of another folder may still be in this cluster. */
  isFolder: boolean;
}

export function guestScope({ clusters }: Pick<JudgedResources, "clusters">, resource: Resource): GuestScope {
  const place = managementOf(resource);
  const isFolder = place?.by === "folder";
  if (!place || (isFolder && clusters.length <= 1)) return { key: "", isFolder: false };
  return { key: keyOfPlace(place), isFolder };
}

/** A finding that holds only if objects of two folders are in one cluster, in a stack with several hosted clusters. */
export const ifInOneCluster = (resource: Resource, { path, message }: Judgement): Judgement =>
  unknown({ resource, path, reason: `${message}, if both are in one cluster` });

/** Something of an object that must be unique in its cluster. */
export interface OwnThing {
  resource: Resource;
  key: string;
}

/**
 * The things that an earlier object of the same cluster already has, unless the two are one object, written twice or patched. With several
 * hosted clusters, objects of two folders are not certain to be in one cluster (`isSure` is false).
 *
 * @param areApart whether two things with the same key do not collide
 */
export function hadBefore<Thing extends OwnThing>(
  judged: JudgedResources,
  things: readonly Thing[],
  areApart: (one: Thing, other: Thing) => boolean = () => false,
): { one: Thing; first: Thing; isSure: boolean }[] {
  const firsts = new Map<string, Thing[]>();
  const meets = (one: Thing, key: string): Thing | undefined => {
    const before = firsts.get(key) ?? [];
    if (before.some((other) => areOneObject(one.resource, other.resource))) return undefined;
    const found = before.find((other) => !areApart(one, other));
    if (!found) append(firsts, key, [one]);
    return found;
  };
  return things.flatMap((one) => {
    const { key, isFolder } = guestScope(judged, one.resource);
    const sure = meets(one, `${key} ${one.key}`);
    const elsewhere = isFolder ? meets(one, `folders ${one.key}`) : undefined;
    const first = sure ?? elsewhere;
    return first ? [{ one, first, isSure: sure !== undefined }] : [];
  });
}

/** The result of `guestCluster` as inputs of the components for objects of hosted clusters. */
export function guestInputs(judged: JudgedResources): ClusterInputs {
  const cluster = guestCluster(judged);
  if (!cluster?.topology) return {};
  // A name that the API server refuses is a separate finding and does not keep anything else from being judged.
  const isNameRefused = cluster.faults.some(({ path }) => path === "name" || path === "namespace");
  return {
    topology: { ...cluster.raw, ...(isNameRefused && { name: "unknown", namespace: DEFAULT_NAMESPACE }) },
  };
}

/** Judges whether the platform and the release of the hosted cluster support these objects. */
export const judgePlatform = (
  judged: JudgedResources,
  gate: PlatformGate,
  objects: readonly Resource[],
): Judgement[] =>
  objects.flatMap((resource) => {
    const described = describedCluster(resource, judged);
    return described.guest.platform
      ? judgeObject(resource, gate, described)
      : unknown({ resource, path: "", reason: "which hosted cluster it belongs to, and its platform" });
  });

/** The cluster of an object, and where its properties are written. */
interface Described {
  guest: EgressCluster;
  locate: (property: "platform" | "release" | "networkType") => {
    resource: Origin;
    holder?: Resource;
    path: string;
  };
}

/** The platform and release of the component that created the object take precedence over those of the stack's cluster. */
function describedCluster({ parent, origin }: Resource, judged: JudgedResources): Described {
  const parentResource = judged.index.at(parent);
  const maker = parentResource?.type.startsWith(OUR_COMPONENTS) ? parentResource : undefined;
  const cluster = clusterOf(maker, judged);
  const stated: ClusterInputs = maker?.properties ?? {};
  return {
    guest: egressCluster({
      topology: cluster && { ...cluster.raw },
      platform: stated.platform,
      release: stated.release,
    }),
    locate: (property) => {
      if (maker && property !== "networkType" && typeof stated[property] === "string")
        return { resource: maker.origin, holder: maker, path: property };
      return cluster?.locate(property) ?? { resource: origin, path: "" };
    },
  };
}

/** The cluster of the component, otherwise the only cluster. */
function clusterOf(maker: Resource | undefined, judged: JudgedResources): JudgedCluster | undefined {
  const own = judged.clusters.find(
    ({ sources }) => maker && sources.some(({ resource }) => resource === maker),
  );
  const cluster = own ?? guestCluster(judged);
  return cluster?.topology && cluster;
}

function judgeObject(resource: Resource, gate: PlatformGate, { guest, locate }: Described): Judgement[] {
  const { faults } = platformFindings(gate, guest, {});
  const row = guest.platform && gate.support[guest.platform];
  const { resource: origin, path } = locate("platform");
  const { holder, path: release } = locate("release");
  const otherNetwork = otherNetworkProblem(guest.topology);
  const network = locate("networkType");
  return [
    ...(otherNetwork === undefined
      ? []
      : [
          violated({
            resource: network.resource,
            path: network.path,
            message: `${describeResource(resource)}: ${otherNetwork}`,
            fix: "leave the object out",
          }),
        ]),
    ...faults.map(({ problem }) =>
      violated({ resource: origin, path, message: `${describeResource(resource)}: ${problem}` }),
    ),
    ...(row?.since && !guest.release && holder
      ? [unknown({ resource: holder, path: release, reason: `whether it has ${gate.feature}` })]
      : []),
  ];
}
