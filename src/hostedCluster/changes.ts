import type { Fault } from "../fault";
import {
  couldBeSame,
  liveValue,
  pruned,
  sameValue,
  type StatedSpec,
  without,
  written,
  writtenChange,
} from "../objects/specChange";
import { immutableFields, REPLACING_DESTROYS, type ImmutableField } from "../requirements/hostedCluster";
import { EndpointAccess, Platform } from "../requirements/vocabulary";
import { holdsUnknown, isGiven, isMap, type PropertyMap } from "../resources/read";
import { UNKNOWN, type PropertyValue } from "../resources/resource";
import { placeOf, valueAt } from "./additionalSpec";

/** A change of an immutable field of a running cluster. */
export interface ImmutableChange extends Fault {
  /** The reason against it, without the current value and without what a replacement would lose: `can never change`. */
  why: string;
  /** The fix, without the input in which to write it. */
  wayOut: string;
}

/**
 * One fault for each field that a running cluster cannot change and that a new spec would change: fields that the server
 * refuses, and fields whose change it would accept although it disconnects the network of the cluster.
 *
 * @param wanted the new spec, to the extent that it is known; an absent field of its untyped part is not judged
 * @param where the cluster, if another object changes it: ` in HostedCluster tenant-a`
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
      .filter((field) => !isCompleted(field, before, wanted, platform))
      .flatMap((field) => changeOf(field, before, wanted, { isThere, where })),
    ...(platform === Platform.Azure ? azureAccessChange(before, wanted, isThere) : []),
  ];
}

/** Whether a webhook can have written a field that the program has never written. */
const isCompleted = (
  { path, completed = [] }: ImmutableField,
  { inputs }: StatedSpec,
  wanted: PropertyMap,
  platform: Platform,
): boolean =>
  completed.includes(platform) &&
  isMap(inputs) &&
  [inputs, wanted].every((spec) => !isGiven(valueAt(spec, path)));

/** How a change describes the current value and the object that holds it. */
interface Wording {
  isThere: (live: PropertyValue) => string;
  where: string;
}

function changeOf(
  field: ImmutableField,
  before: StatedSpec,
  wanted: PropertyMap,
  { isThere, where }: Wording,
): ImmutableChange[] {
  const { path, input, defaults = [], addable = false, mutable = false, emptyText, free = [] } = field;
  const live = without(liveValue(before, path, emptyText) ?? null, free);
  const next = without(valueAt(wanted, path) ?? null, free);
  if (holdsUnknown(live) || next === UNKNOWN) return [];
  if (!isGiven(next))
    return input === undefined || !isGiven(live) || isOneOf(defaults, live)
      ? []
      : [takenOut(field, isThere(live))];
  if (!isGiven(live)) return addable || isOneOf(defaults, next) ? [] : [added(field, next, where)];
  if (mutable || couldBeSame(pruned(live, next), next)) return [];
  const why = NEVER;
  // Values of the untyped part may be secret.
  const problem =
    input === undefined
      ? `${why}: for another value ${REPLACING_DESTROYS}`
      : `${changedText(live, next, where)} ${REPLACING_DESTROYS}`;
  return [change(field, { why, problem })];
}

const NEVER = "can never change";

/** What is changed, up to the consequences. */
function changedText(live: PropertyValue, next: PropertyValue, where: string): string {
  const { was, will, entry } = writtenChange(live, next);
  if (entry === undefined) return `is${where} ${was} and ${NEVER}: for ${will}`;
  if (was === undefined) return `has${where} no entry ${entry} and ${NEVER}: to add ${will}`;
  if (will === undefined) return `has${where} ${was} as entry ${entry} and ${NEVER}: without it`;
  return `has${where} ${was} as entry ${entry} and ${NEVER}: for ${will}`;
}

function takenOut(field: ImmutableField, isThere: string): ImmutableChange {
  if (field.removing !== undefined) {
    const why = `should not be removed: the API server accepts that, but ${field.removing}`;
    return change(field, { why, problem: `${isThere} and ${why}` });
  }
  if (!field.mutable) {
    const why = "cannot be removed";
    return change(field, { why, problem: `${isThere} and ${why}: ${REPLACING_DESTROYS}` });
  }
  const why = "removing it renumbers the running network to the default";
  return change(field, {
    why,
    problem: `${isThere}: ${why}`,
    wayOut: "to do that, write the default explicitly",
  });
}

function added(field: ImmutableField, next: PropertyValue, where: string): ImmutableChange {
  const why = `can only be set when the cluster is created, and ${written(next)} is not its current value`;
  return change(field, { why, problem: `${why}${where}: ${REPLACING_DESTROYS}`, wayOut: "leave it out" });
}

const change = (
  { path, input }: ImmutableField,
  {
    why,
    problem,
    wayOut = "keep the current value",
  }: Pick<ImmutableChange, "why" | "problem"> & { wayOut?: string },
): ImmutableChange => ({
  path: `spec.${path}`,
  problem,
  remedy: `${wayOut} in ${input ?? placeOf(path)}`,
  why,
  wayOut,
});

/**
 * On Azure, access changes between private modes, but neither to nor from Public, which an absent field means; a field that is set stays.
 */
function azureAccessChange(
  before: StatedSpec,
  wanted: PropertyMap,
  isThere: Wording["isThere"],
): ImmutableChange[] {
  const path = "platform.azure.topology";
  const field: ImmutableField = { path, input: "topology.endpointAccess", documents: [] };
  const stated = liveValue(before, path);
  const wish = valueAt(wanted, path);
  const live = stated ?? EndpointAccess.Public;
  const next = wish ?? EndpointAccess.Public;
  if (holdsUnknown(live) || next === UNKNOWN) return [];
  if (isGiven(stated) && !isGiven(wish)) return [takenOut(field, isThere(stated))];
  const publics = [live, next].filter((access) => access === EndpointAccess.Public);
  if (publics.length !== 1) return [];
  const why = `cannot change to ${written(next)}`;
  return [change(field, { why, problem: `${isThere(live)} and ${why}: ${REPLACING_DESTROYS}` })];
}

const isOneOf = (defaults: readonly PropertyValue[], value: PropertyValue) =>
  defaults.some((one) => sameValue(one, value));
