import type { Fault } from "../fault";
import { EndpointAccess, Platform } from "../requirements/vocabulary";
import { immutableFields, REPLACING_DESTROYS, type ImmutableField } from "../requirements/hostedCluster";
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
