import { append, onceForEach } from "../collections";
import { NAMESPACE_LABEL } from "../requirements/networkPolicies";
import { API_NAMESPACE, type KnownLabels } from "./kubernetesObject";
import { areInTwo, nearestOf } from "./managementCluster";
import { isFilled, isList, isMap, type PropertyMap, readText, readValue } from "./read";
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
  isNetworkPolicy,
  isPatch,
  NETWORK_ACLS,
  ROUTE_TABLES,
  SECURITY_GROUPS,
  SUBNETS,
  TYPE,
  VPCS,
} from "./resourceTypes";

/** What tells an object of one API server from all others, and is the same of its patches; undefined where that is unknown or made up. */
const nameKeyOf = onceForEach(({ type, properties }: Resource): string | undefined => {
  const name = readText(properties, "metadata.name");
  const namespace = readText(properties, "metadata.namespace") ?? API_NAMESPACE;
  if (typeof name !== "string" || name === "" || namespace === UNKNOWN) return undefined;
  // Versions of an API are views of one object.
  return `${type.replace(/\/[^/:]*:/, "/:").replace(/Patch$/, "")} ${namespace}/${name}`;
});

/** That of an object; undefined of patches. */
export const keyOfObject = (object: Resource): string | undefined =>
  isPatch(object.type) ? undefined : nameKeyOf(object);

/** Objects that are written several times, each with all its versions. Mostly there are none. */
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

/** What an object says: one text for all who say the same, with what the API server fills in and without empty lists. */
export const textOfSpec = onceForEach(({ type, properties: { spec } }: Resource): string =>
  textOf(isNetworkPolicy(type) && isMap(spec) ? withPolicyTypes(spec) : spec),
);

/** Without types a policy is about what comes in, and about what goes out where it has rules for that. */
function withPolicyTypes(spec: PropertyMap): PropertyMap {
  const { policyTypes = [], egress = [] } = spec;
  if (!isList(policyTypes) || policyTypes.includes(UNKNOWN)) return spec;
  const meant = isList(egress) && egress.length === 0 ? ["Ingress"] : ["Egress", "Ingress"];
  return { ...spec, policyTypes: policyTypes.length > 0 ? [...policyTypes].sort() : meant };
}

const textOf = (value: PropertyValue | undefined): string =>
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
 * Objects as an API server has them: each once, whoever writes it and however often. Of versions that differ one stands, and which
 * one is not known: nor thus what they do not have in common.
 *
 * @param owner a resource of the management cluster that is asked about, where there is one: of versions in several folders those
 * nearest to it count, as of its Proxy
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

/** Kinds of resources of AWS that are two types. */
const KINDS: readonly ReadonlySet<string>[] = [SECURITY_GROUPS, NETWORK_ACLS, VPCS, SUBNETS, ROUTE_TABLES];

/** The kinds of some resources of AWS. */
function kindsOf(resources: readonly Resource[]): ReadonlySet<ReadonlySet<string>> {
  const types = new Set(resources.map(({ type }) => type).filter((type) => TYPES.has(type)));
  return new Set([...types].map((type) => KINDS.find((kind) => kind.has(type)) ?? new Set([type])));
}

const TYPES: ReadonlySet<string> = new Set(Object.values(TYPE));

/**
 * Resources of AWS, each once: what one program manages others may read by its id, with `SecurityGroup.get`. What is read shows the same
 * thing, at another time; who names either names the one that is managed, or else the first.
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

/** The object of which these are versions. What a plan says takes the place of what runs. */
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
 * Objects with the patches that are written for them: what a patch says otherwise than its object is not known to either. A patch on
 * what is not here stays.
 */
export function withPatches(objects: readonly Resource[]): readonly Resource[] {
  const patches = new Map<string, Resource[]>();
  for (const object of objects) {
    const key = isPatch(object.type) && isMap(object.properties.spec) ? nameKeyOf(object) : undefined;
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
  if (!isMap(spec)) return object;
  const differing = Object.entries(specOf(patch) as PropertyMap).flatMap(([name, value]) =>
    textOf(value) === textOf(spec[name]) ? [] : [[name, UNKNOWN] as const],
  );
  if (differing.length === 0) return object;
  return {
    ...withProperties(object, { ...object.properties, spec: { ...spec, ...Object.fromEntries(differing) } }),
    versions: [...(object.versions ?? [object.origin]), patch.origin],
  };
}

/** The properties in which all agree; UNKNOWN in place of the others. */
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

/** What objects state of the labels of the namespace that they are versions and patches of. */
export interface StatedLabels {
  labels: Readonly<Record<string, string>>;
  /** True where it surely has no others. */
  complete: boolean;
  /** Whether it may have a label whose value is not known. */
  mayHave: (key: string) => boolean;
}

/**
 * The labels on which versions of a namespace and the patches on it agree, and its name, which the API server writes over whatever
 * they say. Whoever else writes labels may add some, but for an object that was read where it runs.
 */
export function statedLabels(name: string, all: readonly Resource[]): StatedLabels {
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
    labels: { ...Object.fromEntries(agreed), [NAMESPACE_LABEL.name]: name },
    complete: !all.some(isPlanned),
    mayHave: (key) => areOpen || stated.has(key) || key === NAMESPACE_LABEL.name,
  };
}

/** What is stated of the labels of a namespace; undefined where nothing is. */
export type NamespaceLabels = (name: string) => StatedLabels | undefined;

/** What is known of a namespace's labels, with what is stated of them. */
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

/** Whether two versions surely are two objects: what runs is no version of what is planned, and one server or provider is no other. */
export const areApart = (a: Resource, b: Resource): boolean =>
  isPlanned(a) !== isPlanned(b) || areInTwo(a, b);

/** Why a value is not known, where its object is written several times and its reader knows no other reason. */
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
  return `it is written at ${places}, which say different things`;
}

/** `policies.yaml:12` */
export const placeOf = (origin: Origin): string =>
  `${sourceOf(origin) ?? "here"}${origin.line === undefined || origin.file === undefined || origin.urn !== undefined ? "" : `:${origin.line}`}`;
