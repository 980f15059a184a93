import { readBlock } from "../address";
import type { Fault } from "../fault";
import {
  couldBeSame,
  liveValue,
  sameValue,
  statedBefore,
  type StatedSpec,
  written,
} from "../objects/specChange";
import { LIVE_MIGRATION_ANNOTATION, MIGRATED_TYPES, MIGRATION_ANNOTATION } from "../requirements/migration";
import {
  CONFIGURED_TYPE_PATH,
  type ImmutableNetworkField,
  immutableNetworkFields,
  NETWORK_TYPE_PATH,
  TARGET_TYPE_PATH,
} from "../requirements/networkObjectFields";
import { NetworkType } from "../requirements/vocabulary";
import { isOtherNetwork, networkTypeOf } from "./network";
import { textAt } from "../resources/kubernetesObject";
import {
  holdsUnknown,
  isGiven,
  isList,
  isMap,
  propertyOf,
  type PropertyMap,
  readValue,
  stepTo,
} from "../resources/read";
import { type PropertyValue, type Resource, UNKNOWN } from "../resources/resource";
import { isNetworkConfig, isPatch } from "../resources/resourceTypes";

/** The fields of a Network object for which a running cluster refuses some or all changes. */
export const NETWORK_OBJECT_PATHS = [
  ...immutableNetworkFields.map(({ path }) => path),
  "clusterNetwork",
  "serviceNetwork",
];

/**
 * Returns one fault for each field of a Network object, either the operator's or that of the cluster's configuration, that a new spec
 * would change although the network operator of a running cluster refuses the change.
 *
 * @param isPart whether the spec is partial, so that an absent field means no change
 */
export function networkObjectChanges(before: StatedSpec, wanted: PropertyMap, isPart: boolean): Fault[] {
  const readsOvn = isOvnCompared(before);
  return [
    ...immutableNetworkFields
      .filter(({ ofOvn }) => readsOvn || ofOvn !== true)
      .flatMap((field) => fieldChange(field, before, wanted, isPart)),
    ...(isPart ? [] : lostIpsecMode(before, wanted)),
    ...emptiedForwarding(before, wanted),
    ...networkRangeChanges(before, wanted),
  ];
}

/** Whether the network operator compares the settings of OVN-Kubernetes with those of the running cluster. */
const isOvnCompared = (before: StatedSpec): boolean => {
  const networkType = liveValue(before, NETWORK_TYPE_PATH) ?? NetworkType.OVNKubernetes;
  const isOvn = networkTypeOf({ networkType }) === NetworkType.OVNKubernetes;
  return isOvn && !isGiven(liveValue(before, TARGET_TYPE_PATH));
};

/** The change of a field with one value. */
function fieldChange(
  { path, default: byDefault, target, accepts, besides, wayOut, ignoresCase }: ImmutableNetworkField,
  before: StatedSpec,
  wanted: PropertyMap,
  isPart: boolean,
): Fault[] {
  const absent = isPart ? undefined : byDefault;
  const live = liveValue(before, path) ?? absent;
  const next = liveValue({ inputs: wanted }, path) ?? absent;
  if (!isGiven(live) || !isGiven(next)) return [];
  const isSame = (value: PropertyValue) =>
    couldBeSame(value, next) || (ignoresCase && written(value).toLowerCase() === written(next).toLowerCase());
  const reached = target === undefined ? undefined : liveValue(before, target);
  if (isSame(live) || (isGiven(reached) && isSame(reached)) || accepts?.some(isSame)) return [];
  if (besides) {
    const beside = readValue(wanted, besides.path) ?? (isPart ? liveValue(before, besides.path) : undefined);
    if (isGiven(beside) && (besides.value === undefined || couldBeSame(beside, besides.value))) return [];
  }
  return [refusedByOperator(path, live, `keep the current value${wayOut ? `, or ${wayOut}` : ""}`)];
}

const TYPE_PATHS = [NETWORK_TYPE_PATH, CONFIGURED_TYPE_PATH].map((path) => `spec.${path}`);

/** Whether a plan changes the network type in a way that the network operator refuses. */
export function isTypeChangeRefused(resource: Resource): boolean {
  const { spec } = resource.properties;
  if (!resource.before || !isMap(spec)) return false;
  const changes = networkObjectChanges(statedBefore(resource), spec, isPatch(resource.type));
  return changes.some(({ path }) => TYPE_PATHS.includes(path));
}

/** Where a Network object states that a migration begins, if its `spec` does not. */
export const ANNOTATIONS = "metadata.annotations";

/** A change of a cluster's network type that one of its Network objects states. */
export interface StatedMigration {
  /** The place that states it. */
  path: string;
  /** Whether more states it than the operator's annotation, the only way in releases without `spec.migration`. */
  isStated: boolean;
  /** The type that the cluster should have; undefined if it is not stated. */
  target: NetworkType | undefined;
  /** Whether nodes are changed one by one, without manual steps. */
  isLive: boolean;
}

/** The migration that a Network object states, either the operator's or that of the cluster's configuration. */
export function statedMigration({ type, properties }: Resource): StatedMigration | undefined {
  const annotated = (key: string, more: Omit<StatedMigration, "path">): StatedMigration | undefined =>
    isGiven(propertyOf(readValue(properties, ANNOTATIONS), key))
      ? { path: `${ANNOTATIONS}${stepTo(key)}`, ...more }
      : undefined;
  if (isNetworkConfig(type)) {
    const wanted = readValue(properties, `spec.${CONFIGURED_TYPE_PATH}`);
    const target = MIGRATED_TYPES.find((one) => one === wanted);
    return target && annotated(LIVE_MIGRATION_ANNOTATION, { isStated: true, target, isLive: true });
  }
  const path = `spec.${TARGET_TYPE_PATH}`;
  const stated = readValue(properties, path);
  if (stated === UNKNOWN) return undefined;
  const target = Object.values(NetworkType).find((one) => one === stated);
  const isLive = readValue(properties, "spec.migration.mode") === "Live";
  return isGiven(stated) && stated !== ""
    ? { path, isStated: true, target, isLive }
    : annotated(MIGRATION_ANNOTATION, { isStated: false, target, isLive });
}

const refusedByOperator = (path: string, live: PropertyValue, remedy: string): Fault => ({
  path: `spec.${path}`,
  problem: `is ${written(live)} in the running cluster, whose network operator refuses this change: it applies no part of the object until the change is undone`,
  remedy,
});

/** The fault of a removed mode: the API server accepts another mode, but refuses an object that had a mode and has none now. */
function lostIpsecMode({ inputs }: StatedSpec, wanted: PropertyMap): Fault[] {
  const path = "defaultNetwork.ovnKubernetesConfig.ipsecConfig";
  const mode = readValue(inputs, `${path}.mode`);
  const config = readValue(wanted, path);
  if (!isGiven(mode) || mode === UNKNOWN || !isMap(config) || isGiven(config.mode)) return [];
  const problem = `is ${written(mode)}, and the API server refuses to remove it`;
  return [{ path: `spec.${path}.mode`, problem, remedy: "write the mode, or Disabled" }];
}

/** The fault of an emptied setting: the API server keeps an empty one, and accepts none in place of a value. */
function emptiedForwarding(before: StatedSpec, wanted: PropertyMap): Fault[] {
  const path = "defaultNetwork.ovnKubernetesConfig.gatewayConfig.ipForwarding";
  const live = liveValue(before, path);
  if (!isGiven(live) || live === UNKNOWN || readValue(wanted, path) !== "") return [];
  const problem = `is ${written(live)}, and the API server refuses an empty text in its place`;
  return [{ path: `spec.${path}`, problem, remedy: "write Restricted or Global, or leave it out" }];
}

/** A list of ranges before and after a change. */
interface RangeChange {
  was: readonly PropertyValue[];
  will: readonly PropertyValue[];
}

/** Faults of changed ranges. A second family may come or go behind the first. Otherwise services keep their ranges; pods' may grow. */
function networkRangeChanges(before: StatedSpec, wanted: PropertyMap): Fault[] {
  const changeOfList = (list: string): RangeChange | undefined => {
    const was = liveValue(before, list);
    const will = readValue(wanted, list);
    return isList(was) && isList(will) && !holdsUnknown([was, will]) ? { was, will } : undefined;
  };
  const [services, pods] = [changeOfList("serviceNetwork"), changeOfList("clusterNetwork")];
  const isMigrating = isGiven(liveValue(before, "migration"));
  if (services && !sameValue(services.was, services.will)) {
    const { was, will } = services;
    const isOfFamilies = was.length !== will.length && sameValue(was[0], will[0]);
    if (isMigrating || !isOfFamilies)
      return [
        refusedByOperator("serviceNetwork", was, "keep the current value; the first range can never change"),
      ];
    const isMore = will.length > was.length;
    if (!pods || isOfSecondFamily(isMore ? pods.was : pods.will, isMore ? pods.will : pods.was)) return [];
    const remedy = "write the ranges as they are, followed by those of the second family";
    return [refusedByOperator("clusterNetwork", pods.was, remedy)];
  }
  if (!pods || isMigrating || areGrown(pods, wanted)) return [];
  const remedy = "write the same addresses and hostPrefix, with the current mask or a shorter one";
  return [refusedByOperator("clusterNetwork", pods.was, remedy)];
}

/** Whether `dual` consists of the pod ranges in `single`, followed by ranges of the other family. */
const isOfSecondFamily = (single: readonly PropertyValue[], dual: readonly PropertyValue[]): boolean =>
  single.every((entry, position) => isSameEntry(entry, dual[position])) &&
  dual.slice(single.length).every((entry) => familyOf(entry) !== familyOf(single[0]));

/** Whether the pod ranges are unchanged, or larger, which only OVN-Kubernetes accepts. */
function areGrown({ was, will }: RangeChange, wanted: PropertyMap): boolean {
  const [old, now] = [sorted(was), sorted(will)];
  if (old.length !== now.length) return false;
  if (old.every((entry, position) => isSameEntry(entry, now[position]))) return true;
  return !isOtherNetwork(wanted) && old.every((entry, position) => isGrown(entry, now[position]!));
}

const cidrOf = (entry: PropertyValue | undefined): string => textAt(entry, "cidr");
const sorted = (entries: readonly PropertyValue[]): PropertyValue[] =>
  [...entries].sort((a, b) => (cidrOf(a) < cidrOf(b) ? -1 : 1));
const familyOf = (entry: PropertyValue | undefined): number => (cidrOf(entry).includes(":") ? 6 : 4);

/** Whether two entries have the same prefix length per node, if both state one. */
function hasSamePart(a: PropertyValue, b: PropertyValue | undefined): boolean {
  const [one, other] = [propertyOf(a, "hostPrefix"), propertyOf(b, "hostPrefix")];
  return !isGiven(one) || !isGiven(other) || one === other;
}

const isSameEntry = (a: PropertyValue, b: PropertyValue | undefined): boolean =>
  cidrOf(a) === cidrOf(b) && hasSamePart(a, b);

/** Whether a range grew. Values that are not blocks are judged elsewhere. */
function isGrown(was: PropertyValue, will: PropertyValue): boolean {
  const old = readBlock(cidrOf(was));
  const now = readBlock(cidrOf(will));
  if (!old || !now) return true;
  return hasSamePart(was, will) && old.start === now.start && now.length <= old.length;
}
