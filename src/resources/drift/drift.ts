import { append, onceIn, pushAll } from "../../collections";
import { isHostedCluster, isPatch, type KubernetesKind, SHARED_FIELD_SHARE } from "../resourceTypes";
import type { Origin, Resource } from "../resource";
import { comparedKind, type Identity, identityOf } from "./comparedObjects";
import { type Difference, differences, statedTogether, without } from "./differences";
import { entriesOf, readText } from "../read";
import { firstOf } from "../../text";

/** An object of a plan, as a report names it. */
export interface PlannedObject {
  resource: Origin;
  /** `HostedCluster clusters/tenant-a` */
  object: string;
}

/** A value of a plan that differs in the running object. */
export type DriftedValue = PlannedObject & Difference;

/** How a plan and what runs differ, apart from packets. */
export interface Drift {
  values: DriftedValue[];
  /** Objects of the plan that do not exist. */
  missing: PlannedObject[];
  /** What was not compared, and why. */
  notes: string[];
}

/** What to compare. */
export interface DriftQuestion {
  /** The kinds whose every object was read. */
  kinds: readonly Pick<KubernetesKind, "group" | "kind">[];
  /** Selects objects of the plan. Default: all. */
  isAsked?: (resource: Resource) => boolean;
}

/**
 * The values that a plan states and that differ in the running objects, and the objects that do not exist. What the plan
 * leaves open is ignored, because servers and operators fill it in. Objects that the plan does not have are ignored too,
 * because other stacks create some.
 */
export function driftOf(
  plan: readonly Resource[],
  live: readonly Resource[],
  { kinds, isAsked = () => true }: DriftQuestion,
): Drift {
  const read = new Set(kinds.map(({ group, kind }) => `${group} ${kind}`));
  const isRead = ({ group, kind }: Identity): boolean => read.has(`${group} ${kind}`);
  const running = new Map(objectsOf(live).map(({ identity, resources }) => [identity.key, resources[0]!]));
  const asked = objectsOf(plan.filter(isAsked)).filter(({ identity }) => isRead(identity));
  const { here, unclear } = ofCluster(
    asked.flatMap(({ resources }) => resources),
    plan,
    live,
  );
  const several = providersOf(here).size > 1;
  const drift = new Drifting(running, sharedFields(plan));
  for (const object of objectsOf(here)) drift.compare(object, several);
  for (const { identity } of objectsOf(unclear)) drift.leaveOut(UNCLEAR, identity);
  return drift.result;
}

const SEVERAL_PROVIDERS = "several providers of the plan manage them";
const UNCLEAR =
  "the plan also has HostedClusters, and the input does not state whether the objects are in the management cluster or in a hosted one";
const OTHER_VERSION = "the plan has them in another API version than the cluster";
const SEVERAL_CLUSTERS =
  "missing objects are not listed, because the plan has several providers and the objects may be in another cluster";

/** Limits the objects named in a note, because a folder of manifests may hold hundreds. */
const MOST_NAMED = 10;

class Drifting {
  readonly #values: DriftedValue[] = [];
  readonly #missing: PlannedObject[] = [];
  readonly #left = new Map<string, Set<string>>();
  #isVague = false;

  constructor(
    private readonly running: ReadonlyMap<string, Resource>,
    private readonly shared: ReadonlyMap<string, readonly string[][]>,
  ) {}

  /** Compares what the resources of one object state with the running object. */
  compare({ identity, origin, resources }: ObjectOfPlan, isOfSeveral: boolean): void {
    const found = this.running.get(identity.key);
    const object = { resource: origin, object: identity.object };
    if (providersOf(resources).size > 1) this.leaveOut(SEVERAL_PROVIDERS, identity);
    else if (found) pushAll(this.#values, this.#against(found, identity, resources, object));
    else if (isOfSeveral) this.#isVague = true;
    else this.#missing.push(object);
  }

  leaveOut(why: string, { object }: Identity): void {
    onceIn(this.#left, why, () => new Set()).add(object);
  }

  get result(): Drift {
    const left = [...this.#left].map(
      ([why, objects]) => `not compared, because ${why}: ${firstOf([...objects], MOST_NAMED)}`,
    );
    return {
      values: this.#values,
      missing: this.#missing,
      notes: [...left, ...(this.#isVague ? [SEVERAL_CLUSTERS] : [])],
    };
  }

  #against(
    found: Resource,
    identity: Identity,
    resources: readonly Resource[],
    object: PlannedObject,
  ): DriftedValue[] {
    // Versions of a kind differ in the names and shapes of fields.
    const fitting = resources.filter((one) => identityOf(one)!.version === identityOf(found)!.version);
    if (fitting.length < resources.length) this.leaveOut(OTHER_VERSION, identity);
    const fields = this.shared.get(identity.key) ?? [];
    const stated = fields.reduce((all, path) => without(all, path) as typeof all, statedTogether(fitting));
    return differences(comparedKind(found.type)!, stated, found.properties).map((difference) => ({
      ...object,
      ...difference,
    }));
  }
}

/** An object that is compared, with all resources that state it: the object itself and patches on it. */
export interface ObjectOfPlan {
  identity: Identity;
  /** The object itself if the plan has it, otherwise the first patch. */
  origin: Origin;
  resources: Resource[];
}

/** The objects that resources are or patch, without those that are not compared. */
export function objectsOf(resources: readonly Resource[]): ObjectOfPlan[] {
  const objects = new Map<string, { identity: Identity; resources: Resource[] }>();
  for (const resource of resources) {
    const identity = identityOf(resource);
    if (!identity) continue;
    onceIn(objects, identity.key, () => ({ identity, resources: [] })).resources.push(resource);
  }
  return [...objects.values()].map((object) => {
    const { origin } = object.resources.find(({ type }) => !isPatch(type)) ?? object.resources[0]!;
    return { ...object, origin };
  });
}

/** The providers that resources of a stack name. */
const providersOf = (resources: readonly Resource[]): ReadonlySet<string> =>
  new Set(resources.flatMap(({ provider }) => provider ?? []));

/** The objects of a plan that are in the cluster that was read, and those for which that is unknown. */
export interface OfCluster {
  here: Resource[];
  unclear: Resource[];
}

/**
 * A management cluster and its hosted clusters have objects of the same names, such as `Proxy cluster`. If a hosted cluster is
 * read and the plan has HostedClusters, providers tell the objects apart: the provider of a HostedCluster leads to the
 * management cluster. From a management cluster, nothing is read that could be meant for a hosted one.
 */
export function ofCluster(
  objects: readonly Resource[],
  plan: readonly Resource[],
  live: readonly Resource[],
): OfCluster {
  const isOfManagement = ({ type }: Resource): boolean => isHostedCluster(type);
  const managing = new Set(plan.filter(isOfManagement).map(({ provider }) => provider));
  if (managing.size === 0 || live.some(isOfManagement)) return { here: [...objects], unclear: [] };
  const found: OfCluster = { here: [], unclear: [] };
  for (const object of objects)
    if (isOfManagement(object)) found.here.push(object);
    else if (object.provider === undefined || managing.has(undefined)) found.unclear.push(object);
    else if (!managing.has(object.provider)) found.here.push(object);
  return found;
}

/** The paths of the object fields that the plan shares with others, by object key. */
function sharedFields(plan: readonly Resource[]): ReadonlyMap<string, readonly string[][]> {
  const fields = new Map<string, string[][]>();
  for (const resource of plan) {
    if (resource.type !== SHARED_FIELD_SHARE) continue;
    const { properties } = resource;
    const [apiVersion, kind] = ["apiVersion", "object"].map((name) => String(readText(properties, name)));
    const { name, namespace } = properties;
    const key = identityOf({
      type: `kubernetes:${apiVersion}:${kind}`,
      properties: { metadata: { name: name ?? null, namespace: namespace ?? null } },
    })?.key;
    const path = entriesOf(properties.path).filter((step) => typeof step === "string");
    if (key !== undefined && path.length > 0) append(fields, key, [path]);
  }
  return fields;
}
