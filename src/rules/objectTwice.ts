import { grouped, least, onceForEach } from "../collections";
import { at, describeReference, HYPERSHIFT, KUBERNETES, PULUMI_KUBERNETES } from "../requirements/documents";
import type { JudgedResources } from "../gate/judgedResources";
import { isJudged } from "../gate/coverage";
import { judgeRevoked } from "../gate/readBack";
import { type Judgement, Level, unknown, violated, type Rule } from "../gate/rule";
import {
  keyOfPlace,
  type ManagementLocation,
  managementOf,
  nearestOf,
  ThingsByPlace,
} from "../resources/managementCluster";
import { isPlanned, placeOf, textOfSpec, writtenTwice } from "../resources/oneObject";
import { type ObjectField, judgedFields } from "../requirements/hostedCluster";
import { networkObjectFields, nodePoolFields } from "../requirements/networkObjectFields";
import { readText, entriesOf, read, type Found } from "../resources/read";
import type { Resource } from "../resources/resource";
import { doubtfulVersion } from "../resources/storedObject";
import {
  isAnyNetworkPolicy,
  isHostedCluster,
  isNetworkPolicy,
  isClusterProxy,
  isKubernetes,
  isNetwork,
  isNodePool,
} from "../resources/resourceTypes";

/** Reports two objects that are one to the API server. */
export const objectTwice: Rule = {
  id: "object-twice",
  title: "Object is defined twice",
  level: Level.Error,
  description:
    "Reports NetworkPolicy, AdminNetworkPolicy, BaselineAdminNetworkPolicy and ClusterNetworkPolicy objects with the same kind, namespace and name. The API server treats them as one object: the one applied last overwrites the other, or is refused. The parts in which they differ are unknown to every rule.",
  details: [
    "Identical objects count once and are a note.",
    "Objects of two folders that nothing tells apart, and objects in namespaces that may be in several hosted clusters, are also a note.",
    "Also reports an object of any judged kind that a preview creates, under another resource name or as a replacement, before it deletes the old one: if the provider overwrites existing objects (upsertExistingObjects, and provider releases that always do), the object is gone after the update; otherwise the update stops.",
    "A replacement by another or a replaced provider may be in another cluster and is not reported.",
    "HostedClusters are judged by hosted-cluster-name, EgressFirewalls by egress-firewall-duplicate.",
  ],
  documents: [
    at(KUBERNETES, "Object names and IDs"),
    at(PULUMI_KUBERNETES, "kubernetes.Provider, upsertExistingObjects"),
  ],
  remediation: "Keep only one of them, or give the others different names.",
  judge: (judged) => [
    ...[...writtenTwice(judged.ofKind(isAnyNetworkPolicy)).values()].flatMap((versions) =>
      judgeVersions(versions, judged),
    ),
    ...judged
      .ofKind(isKubernetes)
      .filter(({ type }) => isJudged(type))
      .flatMap(judgeRevoked),
  ],
};

function judgeVersions(versions: readonly Resource[], judged: JudgedResources): Judgement[] {
  const objects = [...grouped(versions, isPlanned).values()].flatMap(objectsOf);
  return objects.flatMap((all) => (all.length > 1 ? judgeOne(all, judged) : []));
}

/** Versions by object: each joins the first object whose first version is not certainly in another cluster, see `areInTwo`. */
function objectsOf(versions: readonly Resource[]): Resource[][] {
  const objects: { at: number; all: Resource[] }[] = [];
  const byPlace = new ThingsByPlace(({ all }: (typeof objects)[number]) => sureLocationOf(all[0]!));
  for (const one of versions) {
    const fitting = byPlace.notInAnother(sureLocationOf(one)).flatMap(([earliest]) => earliest?.at ?? []);
    if (fitting.length > 0) {
      objects[least(fitting)]!.all.push(one);
      continue;
    }
    const object = { at: objects.length, all: [one] };
    objects.push(object);
    byPlace.add(object);
  }
  return objects.map(({ all }) => all);
}

/** The location of an object, unless it is a folder: a cluster's files may be in several. */
function sureLocationOf(object: Resource): ManagementLocation | undefined {
  const place = managementOf(object);
  return place?.by === "folder" ? undefined : place;
}

/** Judges versions that are not known to be different objects. */
function judgeOne(all: readonly Resource[], judged: JudgedResources): Judgement[] {
  const isDifferent = new Set(all.map(textOfSpec)).size > 1;
  const isSure = new Set(all.map((one) => managementOf(one)?.is)).size === 1;
  if (!isSure && (!isDifferent || areToldApart(all, judged))) return [];
  const what = isDifferent
    ? "another object of this name has different content"
    : "this object is written again";
  const becomes = isSure ? "the API server keeps one of them" : "in one cluster they are one object";
  const places = all.map(({ origin }) => placeOf(origin)).sort();
  return all.map((one) => {
    const others = besides(places, placeOf(one.origin));
    return violated({
      resource: one.origin,
      path: "metadata.name",
      message: `${what}, and ${becomes}`,
      ...(!(isDifferent && isSure && isOfManagement(one, judged)) && { level: Level.Note }),
      fix: isSure
        ? `keep only one of them, or give each its own name: another one is at ${others}`
        : `keep a folder for each management cluster, with its HostedClusters, or keep only one of them: another one is at ${others}`,
    });
  });
}

/** The number of other places that a message names. */
const NAMED = 3;

/** The first places other than one's own, and the number of further ones. */
function besides(places: readonly string[], own: string): string {
  const first = places.slice(0, NAMED + 1);
  const at = first.indexOf(own);
  const named = first.filter((_, place) => place !== at).slice(0, NAMED);
  const more = places.length - 1 - named.length;
  return `${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Whether every HostedCluster has one version that is nearest to it. */
function areToldApart(versions: readonly Resource[], judged: JudgedResources): boolean {
  const clusters = clustersByPlace(judged);
  return clusters.length > 0 && clusters.every((cluster) => nearestOf(versions, cluster).length === 1);
}

/** One HostedCluster of each location: the same objects are nearest to all others there. */
const clustersByPlace = onceForEach((judged: JudgedResources): readonly Resource[] => {
  const byPlace = grouped(judged.ofKind(isHostedCluster), (cluster) => {
    const place = managementOf(cluster);
    return place && keyOfPlace(place);
  });
  return Array.from(byPlace.values(), ([first]) => first);
});

/** Whether an object is certainly in the management cluster, and not in one of several hosted clusters. */
function isOfManagement({ type, properties }: Resource, { clusters }: JudgedResources): boolean {
  if (!isNetworkPolicy(type) || clusters.length < 2) return true;
  const namespace = readText(properties, "metadata.namespace");
  return clusters.some(({ topology }) => topology?.controlPlaneNamespace === namespace);
}

/** Reports Kubernetes objects that differ from what the API server stores. */
export const objectInvalid: Rule = {
  id: "object-invalid",
  title: "Kubernetes object has values that the API server refuses or drops",
  level: Level.Error,
  description:
    "Reports duplicate keys in manifests, of which kubectl silently uses the last; null in lists of custom resources, which the API server refuses; and booleans and numbers in labels, annotations, selectors and data, which YAML makes of unquoted yes, on, 1 and 0120.",
  details: [
    "In lists of built-in kinds null is stored as an empty entry, and rules judge it so: a bare - under ingress allows everybody.",
    "HostedClusters and NodePools of an API version that HyperShift no longer serves are a warning.",
    "Judged objects of any other API version than the one whose fields the rules know are counted as unknown.",
  ],
  documents: [at(KUBERNETES, "Objects In Kubernetes")],
  remediation: "Write each key once, put texts in quotes, and leave no entry without a value.",
  single: isKubernetes,
  judge: (judged) =>
    judged
      .ofKind(isKubernetes)
      .flatMap((object) => [...repeated(object), ...nullEntries(object), ...ofOtherVersion(object)]),
};

function ofOtherVersion(resource: Resource): Judgement[] {
  const doubt = doubtfulVersion(resource);
  if (!doubt) return [];
  return [resource.type.includes(`:${V1ALPHA1}:`) ? ofOldVersion(resource) : unknown({ resource, ...doubt })];
}

const V1ALPHA1 = "hypershift.openshift.io/v1alpha1";

/** HyperShift has removed the version and its conversion. (openshift/hypershift pull request 4977) */
const ofOldVersion = ({ origin }: Resource): Judgement =>
  violated({
    level: Level.Warning,
    resource: origin,
    path: "apiVersion",
    message: `${V1ALPHA1} is not served by HyperShift of 2025 and later: the object is judged as v1beta1`,
    fix: "write hypershift.openshift.io/v1beta1, with the fields of that version",
    documents: [describeReference(at(HYPERSHIFT, "api/hypershift/v1beta1/hostedcluster_types.go"))],
  });

const repeated = ({ origin, repeated: paths = [] }: Resource): Judgement[] =>
  paths.map((path) =>
    violated({
      resource: origin,
      path,
      message: "is set twice in one object; kubectl silently uses the last value",
      fix: "leave one of them out",
    }),
  );

/** The lists of a table: those that have a row, and those whose entries have one. */
const listsOf = (fields: readonly ObjectField[]): string[] => [
  ...new Set(
    fields.flatMap(({ path, type }) => {
      const steps = path.split("[]");
      const around = steps.slice(1).map((_, inner) => steps.slice(0, inner + 1).join("[]"));
      return type === "list" ? [...around, path] : around;
    }),
  ),
];

/** Lists of custom resources that rules read, and in which no other rule reports null. */
const LISTS: readonly (readonly [kind: (type: string) => boolean, paths: readonly string[]])[] = [
  [isHostedCluster, [...listsOf(judgedFields), "spec.tolerations"]],
  [isNodePool, [...listsOf(nodePoolFields), "spec.taints"]],
  [
    isNetwork,
    [
      ...listsOf(networkObjectFields),
      "spec.additionalNetworks",
      "spec.defaultNetwork.ovnKubernetesConfig.hybridOverlayConfig.hybridClusterNetwork",
    ],
  ],
  [isClusterProxy, ["spec.readinessEndpoints"]],
];

const nullEntries = ({ origin, type, properties }: Resource): Judgement[] =>
  LISTS.flatMap(([holds, paths]) => (holds(type) ? paths : []))
    .flatMap((path) => read(properties, path).flatMap(nullsIn))
    .map((path) =>
      violated({
        resource: origin,
        path,
        message: "is null, which the API server refuses in a list",
        fix: "write a value, or leave the entry out",
      }),
    );

const nullsIn = ({ path, value }: Found): string[] =>
  entriesOf(value).flatMap((entry, position) => (entry === null ? [`${path}[${position}]`] : []));
