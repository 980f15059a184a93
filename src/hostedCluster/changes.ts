import { readBlock } from "../address";
import type { Fault } from "../fault";
import { EndpointAccess, NetworkType, Platform } from "../requirements/vocabulary";
import { immutableFields, REPLACING_DESTROYS, type ImmutableField } from "../requirements/hostedCluster";
import { immutableNetworkFields } from "../requirements/networkObjectFields";
import { textAt } from "../resources/kubernetesObject";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import { holdsUnknown, isGiven, isList, isMap, propertyOf, type PropertyMap } from "../resources/read";
import { placeOf, valueAt } from "./additionalSpec";
import { sortedJson } from "../collections";

/** The `spec` of a HostedCluster as a stack's state holds it. */
export interface StatedSpec {
  /** What the program wrote last. */
  inputs?: PropertyValue | undefined;
  /** What the server had then, its defaults included. */
  outputs?: PropertyValue | undefined;
}

/** A change of an immutable field of a running cluster. */
export interface ImmutableChange extends Fault {
  /** What stands against it, without what is there and what a replacement would lose: `can never change`. */
  why: string;
  /** The way out, without the input in which it is written. */
  wayOut: string;
}

/**
 * One fault for each field that a running cluster cannot change and that a new spec would change: those that the server
 * refuses, and those that it would let through although they take the network away from under the cluster.
 *
 * @param wanted the new spec, as far as it is known; a field of its untyped part that is absent is not judged
 * @param where the cluster, where another object is what changes it: ` in HostedCluster tenant-a`
 */
export function immutableChanges(
  before: StatedSpec,
  wanted: PropertyMap,
  platform: Platform,
  where = "",
): ImmutableChange[] {
  const isThere = (live: PropertyValue) => `is${where} ${written(live)}`;
  return [
    ...immutableFields
      .filter(({ except = [] }) => !except.includes(platform))
      .flatMap((field) => changeOf(field, before, wanted, { isThere, where })),
    ...(platform === Platform.Azure ? azureAccessChange(before, wanted, isThere) : []),
  ];
}

/** How a change says what is there, and in which object. */
interface Wording {
  isThere: (live: PropertyValue) => string;
  where: string;
}

/** The live value, which the program's last word may have failed to change; where the server does not show it, that word. */
function liveValue({ inputs, outputs }: StatedSpec, path: string): PropertyValue | undefined {
  const live = valueAt(outputs, path) ?? valueAt(inputs, path);
  return live === "" ? undefined : (live ?? undefined);
}

function changeOf(
  field: ImmutableField,
  before: StatedSpec,
  wanted: PropertyMap,
  { isThere, where }: Wording,
): ImmutableChange[] {
  const { path, input, defaults = [], addable = false, mutable = false } = field;
  const live = liveValue(before, path);
  const next = valueAt(wanted, path);
  if (holdsUnknown(live) || next === UNKNOWN) return [];
  if (!isGiven(next))
    return input === undefined || !isGiven(live) || isOneOf(defaults, live)
      ? []
      : [takenOut(field, isThere(live))];
  if (!isGiven(live)) return addable || isOneOf(defaults, next) ? [] : [added(field, next, where)];
  if (mutable || couldBeSame(pruned(live, next), next)) return [];
  const why = "can never change";
  // Values of the untyped part may be secret.
  const problem =
    input === undefined
      ? `${why}: for another value ${REPLACING_DESTROYS}`
      : `${isThere(live)} and ${why}: for ${written(next)} ${REPLACING_DESTROYS}`;
  return [change(field, { why, problem })];
}

function takenOut(field: ImmutableField, isThere: string): ImmutableChange {
  if (!field.mutable) {
    const why = "cannot be taken out";
    return change(field, { why, problem: `${isThere} and ${why}: ${REPLACING_DESTROYS}` });
  }
  const why = "taking it out renumbers the running network to the default";
  return change(field, {
    why,
    problem: `${isThere}: ${why}`,
    wayOut: "write the default itself to mean that",
  });
}

function added(field: ImmutableField, next: PropertyValue, where: string): ImmutableChange {
  const why = `is set once, when the cluster is made, and ${written(next)} is not what it has`;
  return change(field, { why, problem: `${why}${where}: ${REPLACING_DESTROYS}`, wayOut: "leave it out" });
}

const change = (
  { path, input }: ImmutableField,
  {
    why,
    problem,
    wayOut = "write it as it is",
  }: Pick<ImmutableChange, "why" | "problem"> & { wayOut?: string },
): ImmutableChange => ({
  path: `spec.${path}`,
  problem,
  remedy: `${wayOut} in ${input ?? placeOf(path)}`,
  why,
  wayOut,
});

/** On Azure access can move among private modes, and neither into Public, which an absent field means, nor out of it. */
function azureAccessChange(
  before: StatedSpec,
  wanted: PropertyMap,
  isThere: Wording["isThere"],
): ImmutableChange[] {
  const path = "platform.azure.topology";
  const live = liveValue(before, path) ?? EndpointAccess.Public;
  const next = valueAt(wanted, path) ?? EndpointAccess.Public;
  if (holdsUnknown([live, next])) return [];
  const publics = [live, next].filter((access) => access === EndpointAccess.Public);
  if (publics.length !== 1) return [];
  const field: ImmutableField = { path, input: "topology.endpointAccess", documents: [] };
  const why = `never becomes ${written(next)}`;
  return [change(field, { why, problem: `${isThere(live)} and ${why}: ${REPLACING_DESTROYS}` })];
}

/**
 * One fault for each field of a Network object, the operator's or that of the cluster's configuration, that a new spec would change and
 * that the network operator of a running cluster refuses to change.
 *
 * @param isPatch whether the spec is a part, in which an absent field says nothing
 */
export function networkObjectChanges(before: StatedSpec, wanted: PropertyMap, isPatch: boolean): Fault[] {
  return [
    ...immutableNetworkFields.flatMap(({ path, default: byDefault, unless }) => {
      const absent = isPatch ? undefined : byDefault;
      const live = liveValue(before, path) ?? absent;
      const next = valueAt(wanted, path) ?? absent;
      // The last step of a migration writes the new value and takes the migration out.
      const isStepwise =
        unless !== undefined && [liveValue(before, unless), valueAt(wanted, unless)].some(isGiven);
      if (!isGiven(live) || !isGiven(next) || isStepwise || couldBeSame(live, next)) return [];
      const stepwise = unless === undefined ? "" : `, or change it by spec.${unless}`;
      return [refusedByOperator(path, live, `write it as it is${stepwise}`)];
    }),
    ...(isPatch ? [] : lostIpsecMode(before, wanted)),
    ...networkRangeChanges(before, wanted),
  ];
}

const refusedByOperator = (path: string, live: PropertyValue, remedy: string): Fault => ({
  path: `spec.${path}`,
  problem: `is ${written(live)} in the running cluster, whose network operator refuses this change: it applies nothing of the object until that is undone`,
  remedy,
});

/** The API server lets a mode become another one, and refuses an object that had one and has none. */
function lostIpsecMode({ inputs }: StatedSpec, wanted: PropertyMap): Fault[] {
  const path = "defaultNetwork.ovnKubernetesConfig.ipsecConfig";
  const mode = valueAt(inputs, `${path}.mode`);
  const config = valueAt(wanted, path);
  if (!isGiven(mode) || mode === UNKNOWN || !isMap(config) || isGiven(config.mode)) return [];
  const problem = `is ${written(mode)}, and the API server refuses to remove it`;
  return [{ path: `spec.${path}.mode`, problem, remedy: "write the mode, or Disabled" }];
}

/** A list of ranges before and after a change. */
interface RangeChange {
  was: readonly PropertyValue[];
  will: readonly PropertyValue[];
}

/** Services stay, but for a second family that comes or goes behind the first; so do pods, whose ranges may also grow. */
function networkRangeChanges(before: StatedSpec, wanted: PropertyMap): Fault[] {
  const changeOfList = (list: string): RangeChange | undefined => {
    const was = liveValue(before, list);
    const will = valueAt(wanted, list);
    return isList(was) && isList(will) && !holdsUnknown([was, will]) ? { was, will } : undefined;
  };
  const [services, pods] = [changeOfList("serviceNetwork"), changeOfList("clusterNetwork")];
  const isMigrating = isGiven(liveValue(before, "migration"));
  if (services && !sameValue(services.was, services.will)) {
    const { was, will } = services;
    const isOfFamilies = was.length !== will.length && sameValue(was[0], will[0]);
    if (isMigrating || !isOfFamilies)
      return [refusedByOperator("serviceNetwork", was, "write it as it is, first a range that stays")];
    const isMore = will.length > was.length;
    if (!pods || isOfSecondFamily(isMore ? pods.was : pods.will, isMore ? pods.will : pods.was)) return [];
    const remedy = "write the ranges as they are, and behind them those of the second family";
    return [refusedByOperator("clusterNetwork", pods.was, remedy)];
  }
  if (!pods || isMigrating || areGrown(pods, wanted)) return [];
  const remedy = "write the same addresses and hostPrefix, with the mask that is there or a shorter one";
  return [refusedByOperator("clusterNetwork", pods.was, remedy)];
}

/** Whether a list of ranges of pods is another one, and behind it ranges of the other family. */
const isOfSecondFamily = (single: readonly PropertyValue[], dual: readonly PropertyValue[]): boolean =>
  single.every((entry, position) => isSameEntry(entry, dual[position])) &&
  dual.slice(single.length).every((entry) => familyOf(entry) !== familyOf(single[0]));

/** Whether the ranges of pods are as they were, or larger, which only OVN-Kubernetes takes. */
function areGrown({ was, will }: RangeChange, wanted: PropertyMap): boolean {
  const [old, now] = [sorted(was), sorted(will)];
  if (old.length !== now.length) return false;
  if (old.every((entry, position) => isSameEntry(entry, now[position]))) return true;
  const type = valueAt(wanted, "defaultNetwork.type") ?? valueAt(wanted, "networkType");
  const isOther = typeof type === "string" && type.toLowerCase() !== NetworkType.OVNKubernetes.toLowerCase();
  return !isOther && old.every((entry, position) => isGrown(entry, now[position]!));
}

const cidrOf = (entry: PropertyValue | undefined): string => textAt(entry, "cidr");
const sorted = (entries: readonly PropertyValue[]): PropertyValue[] =>
  [...entries].sort((a, b) => (cidrOf(a) < cidrOf(b) ? -1 : 1));
const familyOf = (entry: PropertyValue | undefined): number => (cidrOf(entry).includes(":") ? 6 : 4);

/** Whether two entries have the same part for each node, as far as both say one. */
function hasSamePart(a: PropertyValue, b: PropertyValue | undefined): boolean {
  const [one, other] = [propertyOf(a, "hostPrefix"), propertyOf(b, "hostPrefix")];
  return !isGiven(one) || !isGiven(other) || one === other;
}

const isSameEntry = (a: PropertyValue, b: PropertyValue | undefined): boolean =>
  cidrOf(a) === cidrOf(b) && hasSamePart(a, b);

/** What is no block is judged elsewhere. */
function isGrown(was: PropertyValue, will: PropertyValue): boolean {
  const old = readBlock(cidrOf(was));
  const now = readBlock(cidrOf(will));
  if (!old || !now) return true;
  return hasSamePart(was, will) && old.start === now.start && now.length <= old.length;
}

/** What no version of the API lets change in a user-defined network. (OVN-Kubernetes, go-controller/pkg/crd/userdefinednetwork) */
const IN_USER_NETWORK = [
  "topology",
  "layer2",
  "layer3.role",
  "layer3.mtu",
  "layer3.joinSubnets",
  "localnet.subnets",
];

/** Subnets of layer 3 stay, too; later versions of the API let further ones come. */
const GROWING_SUBNETS = "layer3.subnets";

/** The immutable fields of a user-defined network, of a namespace or of the cluster. */
export const userNetworkPaths = (isOfSeveral: boolean): string[] =>
  [...IN_USER_NETWORK, GROWING_SUBNETS].map((path) => (isOfSeveral ? `network.${path}` : path));

/** One fault for each field of a user-defined network that a new spec would change and that the API server refuses to change. */
export const userNetworkChanges = (
  before: StatedSpec,
  wanted: PropertyMap,
  paths: readonly string[],
): Fault[] =>
  paths.flatMap((path) => {
    const live = liveValue(before, path);
    const next = valueAt(wanted, path);
    if (!isGiven(live) || !isGiven(next)) return [];
    const stays =
      path.endsWith(GROWING_SUBNETS) && isList(live) && isList(next)
        ? areAllIn(live, next)
        : couldBeSame(pruned(live, next), next);
    if (stays) return [];
    const problem = `is ${written(live)}, and the API server refuses to change it`;
    return [
      {
        path: `spec.${path}`,
        problem,
        remedy: "write it as it is, or create another network next to this one",
      },
    ];
  });

/** Whether every entry of a list stands in another, as far as both are known. */
function areAllIn(entries: readonly PropertyValue[], others: readonly PropertyValue[]): boolean {
  if (holdsUnknown([entries, others])) return true;
  const texts = new Set(others.map((other) => sortedJson(other)));
  return entries.every((entry) => texts.has(sortedJson(entry)));
}

/** The part of a live value that a new one speaks of: the server may have added defaults. */
function pruned(live: PropertyValue, next: PropertyValue): PropertyValue {
  if (isMap(live) && isMap(next))
    return Object.fromEntries(
      Object.keys(next).flatMap((key) => {
        const value = live[key];
        return value === undefined ? [] : [[key, pruned(value, next[key]!)] as const];
      }),
    );
  if (isList(live) && isList(next) && live.length === next.length)
    return live.map((entry, position) => pruned(entry, next[position]!));
  return live;
}

/** Whether two values are the same as far as both are known. */
function couldBeSame(a: PropertyValue | undefined, b: PropertyValue | undefined): boolean {
  if (a === UNKNOWN || b === UNKNOWN) return true;
  if (isList(a) && isList(b))
    return a.length === b.length && a.every((entry, position) => couldBeSame(entry, b[position]));
  if (isMap(a) && isMap(b))
    return Object.keys({ ...a, ...b }).every((key) => couldBeSame(propertyOf(a, key), propertyOf(b, key)));
  return sameValue(a, b);
}

/** Whether two values are the same, in whatever order their keys stand. */
export function sameValue(a: PropertyValue | undefined, b: PropertyValue | undefined): boolean {
  return sortedJson(a) === sortedJson(b);
}

const withoutUnknown = (_: string, value: unknown): unknown => (value === UNKNOWN ? "not known" : value);

const isOneOf = (defaults: readonly PropertyValue[], value: PropertyValue) =>
  defaults.some((one) => sameValue(one, value));

const LONGEST = 120;

/** A value as it stands in a manifest, on one line. */
function written(value: PropertyValue): string {
  const text = typeof value === "string" ? value : JSON.stringify(value, withoutUnknown);
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 3)}...` : text;
}
