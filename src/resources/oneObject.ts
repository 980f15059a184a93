import { append, onceForEach } from "../collections";
import { NAMESPACE_LABEL } from "../requirements/networkPolicies";
import { API_NAMESPACE, type KnownLabels } from "./kubernetesObject";
import { nearestOf } from "./managementCluster";
import { isFilled, isGiven, isList, isMap, type PropertyMap, readText, readValue } from "./read";
import {
  type Origin,
  type PropertyValue,
  type Resource,
  sourceOf,
  UNKNOWN,
  type UnknownValue,
  withProperties,
} from "./resource";
import {
  isClusterScoped,
  isNetworkPolicy,
  isPatch,
  NETWORK_ACLS,
  ROUTE_TABLES,
  SECURITY_GROUPS,
  SUBNETS,
  TYPE,
  unversioned,
  VPCS,
} from "./resourceTypes";

/** The identity of an object within one API server, shared by its patches; undefined if its name is unknown or generated. */
const nameKeyOf = onceForEach(({ type, properties }: Resource): string | undefined => {
  const name = readText(properties, "metadata.name");
  const namespace = isClusterScoped(type)
    ? ""
    : (readText(properties, "metadata.namespace") ?? API_NAMESPACE);
  if (typeof name !== "string" || name === "" || namespace === UNKNOWN) return undefined;
  // Versions of an API are views of one object.
  return `${unversioned(type)} ${namespace}/${name}`;
});

/** The identity of an object within one API server; undefined for patches. */
export const keyOfObject = (object: Resource): string | undefined =>
  isPatch(object.type) ? undefined : nameKeyOf(object);

/** Objects that are written several times, each with all its versions. Usually empty. */
export const writtenTwice = onceForEach(
  (objects: readonly Resource[]): ReadonlyMap<string, readonly Resource[]> => {
    const byKey = new Map<string, Resource[]>();
    for (const object of objects) {
      const key = keyOfObject(object);
      if (key !== undefined) append(byKey, key, [object]);
    }
    return new Map([...byKey].filter(([, versions]) => versions.length > 1));
  },
);

/** The spec as a text that is equal for equal specs: with the defaults of the API server, without empty lists. */
export const textOfSpec = onceForEach(({ type, properties: { spec } }: Resource): string =>
  textOf(isNetworkPolicy(type) && isMap(spec) ? withPolicyTypes(spec) : spec),
);

/** A key that is equal for identical copies of one object; undefined if its name is unknown, and for patches. */
export const keyOfCopies = onceForEach((object: Resource): string | undefined => {
  const key = keyOfObject(object);
  return key === undefined ? undefined : `${key} ${textOfSpec(object)}`;
});

/** Whether two resources are one object: identical copies of it, or a patch of it and the object or another patch. */
export function areOneObject(one: Resource, other: Resource): boolean {
  const key = nameKeyOf(one);
  if (key === undefined || key !== nameKeyOf(other)) return false;
  return [one, other].some(({ type }) => isPatch(type)) || textOfSpec(one) === textOfSpec(other);
}

/** Adds the default policy types: Ingress, and Egress if the policy has egress rules. */
function withPolicyTypes(spec: PropertyMap): PropertyMap {
  const { policyTypes = [], egress = [] } = spec;
  if (!isList(policyTypes) || policyTypes.includes(UNKNOWN)) return spec;
  const meant = isList(egress) && egress.length === 0 ? ["Ingress"] : ["Egress", "Ingress"];
  return { ...spec, policyTypes: policyTypes.length > 0 ? [...policyTypes].sort() : meant };
}

/** A value as a text that is equal for equal values: sorted keys, the default protocol of ports, no empty lists. */
export const textOf = (value: PropertyValue | undefined): string =>
  JSON.stringify(value, (_, part: PropertyValue) => {
    if (part === UNKNOWN) return { "": "unknown" };
    if (!isMap(part)) return part;
    const defaults = Object.hasOwn(part, "port") ? { protocol: "TCP" } : {};
    return Object.fromEntries(
      Object.entries({ ...defaults, ...part })
        .filter(([, entry]: [string, PropertyValue]) => !isList(entry) || entry.length > 0)
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    );
  }) ?? "";

/**
 * Objects as an API server has them: each once, however often it is written. If versions differ, it is unknown which one applies, so
 * what they do not have in common is UNKNOWN.
 *
 * @param owner a resource of the management cluster in question, if there is one: of versions in several folders, those nearest to
 * it count, as for its Proxy
 */
export function eachOnce(
  objects: readonly Resource[],
  owner?: () => Resource | undefined,
): readonly Resource[] {
  const twice = writtenTwice(objects);
  if (twice.size === 0) return objects;
  const near = owner?.();
  const standing = new Map([...twice].map(([key, versions]) => [key, oneOf(nearestOf(versions, near))]));
  const taken = new Set<string>();
  return objects.flatMap((object) => {
    const key = keyOfObject(object);
    const one = key === undefined ? undefined : standing.get(key);
    if (key === undefined || !one) return [object];
    if (taken.has(key)) return [];
    taken.add(key);
    return [one];
  });
}

/** Kinds of AWS resources that have two types. */
const KINDS: readonly ReadonlySet<string>[] = [SECURITY_GROUPS, NETWORK_ACLS, VPCS, SUBNETS, ROUTE_TABLES];

/** The kinds of some AWS resources. */
function kindsOf(resources: readonly Resource[]): ReadonlySet<ReadonlySet<string>> {
  const types = new Set(resources.map(({ type }) => type).filter((type) => TYPES.has(type)));
  return new Set([...types].map((type) => KINDS.find((kind) => kind.has(type)) ?? new Set([type])));
}

const TYPES: ReadonlySet<string> = new Set(Object.values(TYPE));

/**
 * AWS resources, each once: other programs may read a managed resource by its id, with `SecurityGroup.get`, and show it as of another
 * time. References to any of them mean the managed resource, or else the first.
 */
export function eachThingOnce(resources: readonly Resource[]): readonly Resource[] {
  const read = new Map<Resource, Resource[]>();
  for (const kind of kindsOf(resources.filter(({ isRead }) => isRead))) {
    const things = resources.filter(({ type }) => kind.has(type));
    const byId = new Map<string, Resource[]>();
    for (const thing of things) {
      const id = readText(thing.properties, "id");
      if (isFilled(id)) append(byId, id, [thing]);
    }
    for (const same of byId.values()) {
      const standing = same.find(({ isRead }) => !isRead) ?? same[0]!;
      const others = same.filter((one) => one !== standing && one.isRead);
      if (others.length > 0) read.set(standing, others);
    }
  }
  if (read.size === 0) return resources;
  const others = new Set([...read.values()].flat());
  return resources.flatMap((one) => {
    const readBy = read.get(one);
    if (others.has(one)) return [];
    return [readBy ? { ...withProperties(one, one.properties), readBy } : one];
  });
}

/** Merges the versions of one object. Planned versions replace running ones. */
export function oneOf(all: readonly Resource[]): Resource {
  const planned = all.filter(isPlanned);
  const versions = [...(planned.length > 0 ? planned : all)].sort((a, b) =>
    placeOf(a.origin) < placeOf(b.origin) ? -1 : 1,
  );
  const [first] = versions as [Resource];
  const texts = new Set(versions.map(textOfSpec));
  if (texts.size === 1) return first;
  return {
    ...withProperties(first, { ...first.properties, spec: common(versions.map(specOf)) }),
    versions: versions.map(({ origin }) => origin),
  };
}

const specOf = ({ properties }: Resource): PropertyValue => readValue(properties, "spec") ?? {};

/**
 * Merges patches into their objects: properties of the spec in which a patch differs from its object become UNKNOWN, and the whole spec
 * if that of the patch is. A patch whose object is not in the list is kept.
 */
export function withPatches(objects: readonly Resource[]): readonly Resource[] {
  const patches = new Map<string, Resource[]>();
  for (const object of objects) {
    const key = isPatch(object.type) && isGiven(object.properties.spec) ? nameKeyOf(object) : undefined;
    if (key !== undefined) append(patches, key, [object]);
  }
  if (patches.size === 0) return objects;
  const there = new Set(objects.map(keyOfObject));
  return objects.flatMap((object) => {
    const key = nameKeyOf(object);
    if (isPatch(object.type)) return key !== undefined && there.has(key) ? [] : [object];
    const own = (key !== undefined && patches.get(key)) || [];
    return [own.reduce(patched, object)];
  });
}

function patched(object: Resource, patch: Resource): Resource {
  const spec = specOf(object);
  const stated = specOf(patch);
  if (!isMap(spec)) return object;
  const differing = Object.entries(isMap(stated) ? stated : {}).flatMap(([name, value]) =>
    textOf(value) === textOf(spec[name]) ? [] : [[name, UNKNOWN] as const],
  );
  if (isMap(stated) && differing.length === 0) return object;
  const merged = isMap(stated) ? { ...spec, ...Object.fromEntries(differing) } : UNKNOWN;
  return {
    ...withProperties(object, { ...object.properties, spec: merged }),
    versions: [...(object.versions ?? [object.origin]), patch.origin],
  };
}

/** The properties on which all specs agree, and UNKNOWN for the others. */
function common(specs: readonly PropertyValue[]): PropertyValue {
  if (!specs.every(isMap)) return UNKNOWN;
  const names = new Set(specs.flatMap((map) => Object.keys(map)));
  return Object.fromEntries(
    [...names].map((name) => {
      const isSame = new Set(specs.map((map) => textOf(map[name]))).size === 1;
      return [name, isSame ? (specs[0]![name] ?? null) : UNKNOWN];
    }),
  );
}

/** The labels that the versions and patches of an object state. */
export interface StatedLabels {
  labels: Readonly<Record<string, string>>;
  /** True if the object certainly has no others. */
  complete: boolean;
  /** Whether the object may have a label whose value is unknown. */
  mayHave: (key: string) => boolean;
}

/** The labels of a namespace, see `labelsOf`, and its name label, which the API server always sets. */
export function statedLabels(name: string, all: readonly Resource[]): StatedLabels {
  const { labels, complete, mayHave } = labelsOf(all);
  return {
    labels: { ...labels, [NAMESPACE_LABEL.name]: name },
    complete,
    mayHave: (key) => key === NAMESPACE_LABEL.name || mayHave(key),
  };
}

/**
 * The labels on which the versions and patches of an object agree. Others may add labels, unless the object was read from a running
 * cluster.
 */
export function labelsOf(all: readonly Resource[]): StatedLabels {
  const isMade = all.some((one) => isPlanned(one) && !isPatch(one.type));
  const versions = isMade ? all.filter(isPlanned) : all;
  const objects = versions.filter(({ type }) => !isPatch(type));
  const lists = versions.map(({ properties }) => readValue(properties, "metadata.labels") ?? {});
  const areOpen = lists.includes(UNKNOWN);
  const stated = new Map<string, PropertyValue[]>();
  const patched = new Set<string>();
  versions.forEach(({ type }, at) => {
    const list = lists[at]!;
    for (const [key, value] of isMap(list) ? Object.entries(list) : []) {
      append(stated, key, [value]);
      if (isPatch(type)) patched.add(key);
    }
  });
  const agreed = [...stated].flatMap(([key, values]): [string, string][] => {
    const [value] = values;
    const isSure = (patched.has(key) || values.length === objects.length) && new Set(values).size === 1;
    return isSure && typeof value === "string" ? [[key, value]] : [];
  });
  return {
    labels: Object.fromEntries(agreed),
    complete: !all.some(isPlanned),
    mayHave: (key) => areOpen || stated.has(key),
  };
}

/** Returns the stated labels of a namespace; undefined if none are stated. */
export type NamespaceLabels = (name: string) => StatedLabels | undefined;

/** Merges the stated labels of a namespace into its known labels. */
export const withStated = (
  { absent, ...known }: KnownLabels,
  { labels, complete, mayHave }: StatedLabels,
): KnownLabels => ({
  ...known,
  labels: { ...known.labels, ...labels },
  complete: known.complete || complete,
  ...(absent && { absent: absent.filter((key) => !mayHave(key)) }),
});

export const isPlanned = ({ origin }: Resource): boolean => origin.live === undefined;

/** Whether an object is shown as a cluster has it, which its API server has thus accepted. */
export const isStored = (object: Resource): boolean => !isPlanned(object) || object.isRead === true;

/** Why a value is unknown: the given reason, or else a deletion by the update, or the differing versions of its object. */
export function reasonOf({
  resource,
  reason,
}: Pick<UnknownValue, "resource" | "reason">): string | undefined {
  const { versions, revoked } = resource;
  if (reason === undefined && revoked)
    return `the update deletes ${revoked[0]!.by.name} with the same ${revoked[0]!.once}`;
  if (reason !== undefined || !versions) return reason;
  const [first, second] = versions.map(placeOf);
  const more = versions.length - 2;
  const places = more > 0 ? `${first}, ${second} and ${more} more` : `${first} and ${second}`;
  return `it is written at ${places}, with different content`;
}

/** `policies.yaml:12` */
export const placeOf = (origin: Origin): string =>
  `${sourceOf(origin) ?? "here"}${origin.line === undefined || origin.file === undefined || origin.urn !== undefined ? "" : `:${origin.line}`}`;
