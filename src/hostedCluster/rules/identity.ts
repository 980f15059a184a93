import { at, HYPERSHIFT, KUBERNETES, NETWORK_OPERATOR, OVN_KUBERNETES } from "../../requirements/documents";
import {
  isHostedCluster,
  isNetwork,
  isNodePool,
  isPatch,
  isUserDefinedNetwork,
} from "../../resources/resourceTypes";
import { clustersThatMeet, NAME_PATH, namesOfObject, objectNameFaults } from "../../gate/clusterFaults";
import {
  describeResource,
  type Judgement,
  Level,
  type Rule,
  secretOnly,
  Status,
  unknown,
  violated,
  violatedBy,
} from "../../gate/rule";
import type { Fault } from "../../fault";
import { LIMIT } from "../../requirements/limits";
import {
  holdsUnknown,
  isGiven,
  isList,
  isMap,
  type PropertyMap,
  propertyOf,
  readText,
} from "../../resources/read";
import { type PropertyValue, type Resource, UNKNOWN } from "../../resources/resource";
import { controlPlaneNamespaceOf } from "../../requirements/names";
import { DEFAULT_NAMESPACE } from "../../topology/normalizeTopology";
import { immutableChanges } from "../changes";
import { couldBeSame, liveValue, statedBefore, type StatedSpec } from "../../objects/specChange";
import { networkObjectChanges, NETWORK_OBJECT_PATHS } from "../../networkOperator/networkChanges";
import { userNetworkChanges, userNetworkPaths } from "../../addressRanges/userNetworkFaults";
import { valueAt } from "../additionalSpec";
import { IMMUTABLE_POOL_PATHS } from "../../requirements/networkObjectFields";
import { immutableFields } from "../../requirements/hostedCluster";
import { Platform } from "../../requirements/vocabulary";
import type { JudgedResources } from "../../gate/judgedResources";

/** A HostedCluster with an invalid name, or with the control plane namespace of another one. */
export const hostedClusterName: Rule = {
  id: "hosted-cluster-name",
  title: "Hosted cluster name is invalid or used twice",
  level: Level.Error,
  description:
    "Reports HostedClusters whose name or namespace the API server refuses, or whose control plane namespace has more than 63 characters. The control plane namespace is <namespace>-<name>, with dashes for dots. Also reports two HostedClusters of one management cluster with the same name and namespace, or with the same control plane namespace: tenant.a and tenant-a, or b-c in a and c in a-b. Generated names (generateName) are counted as unknown.",
  documents: [
    at(KUBERNETES, "Object names and IDs"),
    at(HYPERSHIFT, "hypershift-operator/controllers/manifests/manifests.go"),
  ],
  remediation: "Give each HostedCluster a short, unique name of lowercase letters, digits and hyphens.",
  single: isHostedCluster,
  judge: (judged) => [
    ...judged.ofKind(isHostedCluster).flatMap(hostedClusterNameFaults),
    ...clustersThatMeet(judged.clusters),
  ],
};

const { name: NAME, prefix: GENERATED, namespace: NAMESPACE } = NAME_PATH;

/** Faults of a HostedCluster's name that show without other objects. */
function hostedClusterNameFaults(resource: Resource): Judgement[] {
  const wrong = objectNameFaults(resource, "hosted cluster");
  const { name, prefix, namespace } = namesOfObject(resource);
  if (wrong.length > 0 || (!isGiven(name) && !isGiven(prefix))) return wrong;
  return longNamespace(resource, { name, prefix, namespace });
}

/** How many characters of `generateName` the API server keeps, and how many it adds. */
const KEPT = 58;
const ADDED = 5;

/** Namespaces are labels: HyperShift cannot create a namespace with more characters. */
function longNamespace(
  resource: Resource,
  {
    name,
    prefix,
    namespace = DEFAULT_NAMESPACE,
  }: Partial<Record<"name" | "prefix" | "namespace", PropertyValue>>,
): Judgement[] {
  const path = isGiven(name) ? NAME : GENERATED;
  const stated = isGiven(name) ? name : prefix;
  if (typeof stated !== "string" || typeof namespace !== "string")
    return [unknown({ resource, path: typeof stated === "string" ? NAMESPACE : path })];
  const made = isGiven(name) ? stated : `${stated.slice(0, KEPT)}${"x".repeat(ADDED)}`;
  const { length } = controlPlaneNamespaceOf(namespace, made);
  const most = LIMIT.labelLength;
  if (length > most)
    return [
      violated({
        resource: resource.origin,
        path,
        message: `${controlPlaneNamespaceOf(namespace, stated)}${made === stated ? "" : "..."}, the namespace of the control plane, has ${length} characters, and HyperShift cannot create it`,
        fix: `shorten name or namespace: ${most} characters at most`,
      }),
    ];
  if (made === stated || isPatch(resource.type)) return [];
  return [
    unknown({
      resource,
      path,
      reason: "the API server generates the name: whether another object already has it",
    }),
  ];
}

/** A change of an immutable field of a hosted cluster. */
export const immutableField: Rule = {
  id: "immutable-field",
  title: "Immutable field is changed",
  level: Level.Error,
  description:
    "Reports changes to immutable fields of HostedClusters: in a preview, whose steps contain the previous state, and in a stack that patches a HostedCluster that it also creates. The API server refuses most of these changes, but accepts some that disconnect the network.",
  details: [
    "A replacement destroys the cluster: a preview that replaces a HostedCluster, for another name for example, is reported, unless retainOnDelete keeps the old object.",
    "Network objects in previews, the operator's and that of the cluster's configuration: the network operator applies nothing of an object while it contains a network type to which no migration has begun in an earlier deployment, another target of a migration that has begun, another MTU without a migration, Geneve port, hybrid network or disableMultiNetwork, another service network, or a cluster network other than a larger range from the same address. A second family can be added and removed. The API server refuses to remove the mode of IPsec and to empty ipForwarding.",
    "NodePools in previews: the hosted cluster, the platform and the subnet on Azure are immutable.",
    "User-defined networks in previews: their subnets are immutable, but later API versions accept further ones on layer 3.",
    "Manifests, stack exports and the resources that the engine passes to policies contain only one state: there HostedClusterNetwork refuses the change, and this rule judges only patches.",
  ],
  documents: [
    at(HYPERSHIFT, "HostedCluster CRD, spec"),
    at(NETWORK_OPERATOR, "pkg/network/render.go"),
    at(OVN_KUBERNETES, "go-controller/pkg/crd/userdefinednetwork/v1/shared.go"),
  ],
  remediation: "Keep the current value of the field; another value needs another cluster next to this one.",
  judge: (judged) => [
    ...judged
      .ofKind(isHostedCluster)
      .filter(({ before }) => before)
      .flatMap((cluster) => {
        const changes = judgeChange(cluster, statedBefore(cluster), specOf(cluster), "");
        return [...changes, ...judgeReplacement(cluster, changes)];
      }),
    ...judged
      .ofKind(isHostedCluster)
      .filter(({ type }) => isPatch(type))
      .flatMap((resource) => secretOnly({ resource, path: "metadata.name" })),
    ...patched(judged).flatMap(({ patch, cluster }) => {
      const own = specOf(cluster);
      const message = ` in ${describeResource(cluster)}`;
      return judgeChange(patch, { inputs: own, outputs: own }, merged(own, specOf(patch)), message);
    }),
    ...judged
      .ofKind(isNodePool)
      // Another NodePool in its place may have other values.
      .filter(({ before }) => before && !before.isDestroyed)
      .flatMap(judgePoolChange),
    ...judged
      .ofKind(isNetwork)
      .filter(({ before }) => before)
      .flatMap(judgeNetworkChange),
    ...judged
      .ofKind(isUserDefinedNetwork)
      .filter(({ before }) => before)
      .flatMap(judgeUserNetworkChange),
  ],
};

const specOf = ({ properties }: Pick<Resource, "properties">): PropertyValue => properties.spec ?? {};

/** Reports that a plan replaces a HostedCluster: for another name, or for a reason that no immutable field tells. */
function judgeReplacement(
  { origin, properties, before }: Resource,
  changes: readonly Judgement[],
): Judgement[] {
  if (!before?.isDestroyed) return [];
  const destroyed = (path: string, what: string) =>
    violated({
      resource: origin,
      path,
      message: `${what}: the plan deletes the hosted cluster and creates another one in its place`,
      fix: "undo the change; for another cluster, write a HostedCluster next to this one",
    });
  const renamed = ["metadata.namespace", "metadata.name"].flatMap((path) => {
    const [was, will] = [before.inputs, properties].map((part) => readText(part, path) ?? "");
    const isChanged = was !== will && was !== UNKNOWN && will !== UNKNOWN;
    return isChanged ? destroyed(path, `${will} replaces ${was}`) : [];
  });
  const isTold = renamed.length > 0 || changes.some(({ status }) => status === Status.Violated);
  return isTold ? renamed : [destroyed("metadata.name", "the object is replaced")];
}

/** Patches on HostedClusters of the same stack. */
function patched({ clusters }: JudgedResources): { patch: Resource; cluster: Resource }[] {
  return clusters.flatMap(({ sources }) => {
    const objects = sources.flatMap(({ resource }) =>
      resource && isHostedCluster(resource.type) ? [resource] : [],
    );
    const cluster = objects.find(({ type }) => !isPatch(type));
    if (!cluster) return [];
    return objects.filter(({ type }) => isPatch(type)).map((patch) => ({ patch, cluster }));
  });
}

function judgeChange(
  resource: Resource,
  before: StatedSpec,
  wanted: PropertyValue,
  where: string,
): Judgement[] {
  const live = before.outputs ?? before.inputs;
  const known = filled(wanted, live);
  if (!isMap(known)) return [];
  const platform = Object.values(Platform).find((word) => word === readText(known, "platform.type"));
  return [
    ...immutableChanges(before, known, platform ?? Platform.None, where).map((change) =>
      violatedBy(resource, change, { fix: change.wayOut }),
    ),
    ...unknownChanges(
      resource,
      immutableFields.map(({ path }) => path),
      [live, wanted],
    ),
  ];
}

/** Reports immutable fields with values that are not known yet, so that it is open whether they change. */
function unknownChanges(
  resource: Resource,
  paths: readonly string[],
  [live, wanted]: readonly [live: PropertyValue | undefined, wanted: PropertyValue],
): Judgement[] {
  return paths
    .filter((path) => {
      const was = valueAt(live, path);
      const will = valueAt(wanted, path);
      return isGiven(was) && isGiven(will) && (holdsUnknown(was) || holdsUnknown(will));
    })
    .map((path) => unknown({ resource, path: `spec.${path}`, reason: "whether it changes" }));
}

/** Reports changes of a NodePool that the API server refuses. */
const judgePoolChange = (resource: Resource): Judgement[] =>
  judgeObjectChange(resource, IMMUTABLE_POOL_PATHS, (before, wanted) =>
    IMMUTABLE_POOL_PATHS.filter((path) => {
      const was = liveValue(before, path);
      const will = valueAt(wanted, path);
      return isGiven(was) && isGiven(will) && !couldBeSame(was, will);
    }).map((path) => ({
      path: `spec.${path}`,
      problem: "can never change in a NodePool",
      remedy: "keep the current value, and write another NodePool for another one",
    })),
  );

/** Reports changes that the network operator of a running cluster refuses. */
const judgeNetworkChange = (resource: Resource): Judgement[] =>
  judgeObjectChange(resource, NETWORK_OBJECT_PATHS, (before, wanted) =>
    networkObjectChanges(before, wanted, isPatch(resource.type)),
  );

/** Reports changes of a user-defined network that the API server refuses. */
function judgeUserNetworkChange(resource: Resource): Judgement[] {
  const paths = userNetworkPaths(isMap(propertyOf(specOf(resource), "network")));
  return judgeObjectChange(resource, paths, (before, wanted) =>
    userNetworkChanges(before, wanted, paths, isPatch(resource.type)),
  );
}

/** Faults of the change of an object with few immutable fields. */
function judgeObjectChange(
  resource: Resource,
  paths: readonly string[],
  changesOf: (before: StatedSpec, wanted: PropertyMap) => readonly Fault[],
): Judgement[] {
  const before = statedBefore(resource);
  const wanted = specOf(resource);
  const changes = isMap(wanted) ? changesOf(before, wanted) : [];
  return [
    ...changes.map((fault) => violatedBy(resource, fault)),
    ...unknownChanges(resource, paths, [before.outputs ?? before.inputs, wanted]),
  ];
}

/** A spec with the old value in place of each new one that is not known: a possible change is not reported as one. */
function filled(value: PropertyValue, live: PropertyValue | undefined): PropertyValue {
  if (value === UNKNOWN) return live ?? null;
  if (isList(value))
    return value.map((entry, position) => filled(entry, isList(live) ? live[position] : undefined));
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, filled(entry, isMap(live) ? live[key] : undefined)]),
  );
}

/** The object after a patch: lists and plain values replace the old ones. */
function merged(value: PropertyValue, patch: PropertyValue): PropertyValue {
  if (!isMap(value) || !isMap(patch)) return patch;
  const entries = Object.entries(patch).map(
    ([key, entry]) => [key, merged(value[key] ?? null, entry)] as const,
  );
  const both: PropertyMap = { ...value, ...Object.fromEntries(entries) };
  return both;
}
