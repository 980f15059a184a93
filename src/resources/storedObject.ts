import { KNOWN_API_VERSIONS } from "../requirements/networkObjectFields";
import { type PropertyValue, type Resource, UNKNOWN } from "./resource";
import { isKubernetes, OUR_COMPONENTS, typeOfObject, unversioned } from "./resourceTypes";
import { isMap } from "./read";

type Properties = Resource["properties"];

/**
 * The client that sends an object: kubectl sends null as it is; Pulumi's Kubernetes provider omits null properties, but sends null
 * entries of lists.
 */
export type SentBy = "kubectl" | "pulumi";

/**
 * A Kubernetes object as the API server stores it if it contains null: built-in kinds get Go's zero value there, so that a bare `-` under
 * `ingress:` allows all traffic. Custom resources drop null properties; in their lists null stays, which the API server rejects.
 */
export function asStored(type: string, properties: Properties, by: SentBy): Properties {
  if (!isKubernetes(type)) return properties;
  return stored(properties, "", { type, by, isBuiltIn: isBuiltIn(type) }) as Properties;
}

/** The known API version by type without version. */
const KNOWN_VERSION: ReadonlyMap<string, string> = new Map(
  KNOWN_API_VERSIONS.flatMap(([apiVersion, kinds]) =>
    kinds.map((kind) => [unversioned(typeOfObject(apiVersion, kind)), apiVersion]),
  ),
);

/** Why an object may not be stored: its API version is not the known one. A server converts objects that it serves. */
export function doubtfulVersion({ type, origin }: Resource): { path: string; reason: string } | undefined {
  const known = KNOWN_VERSION.get(unversioned(type));
  if (known === undefined || type.includes(`:${known}:`) || origin.live !== undefined) return undefined;
  const reason = `whether a server has this version: the object is judged by the fields of ${known}`;
  return { path: "apiVersion", reason };
}

/** Whether objects of a type are Go structs of the API server, and not custom resources. */
const isBuiltIn = (type: string): boolean => BUILT_IN.has(type.split(/[:/]/, 2)[1] ?? "");

const BUILT_IN: ReadonlySet<string> = new Set([
  ...["core", "apps", "batch", "autoscaling", "policy"],
  ...["networking", "rbac.authorization", "storage", "scheduling", "discovery"].map(
    (group) => `${group}.k8s.io`,
  ),
]);

/** Fields of built-in kinds that are lists of texts or numbers, by their names; entries of every other list are objects. */
export const TEXT_LISTS: ReadonlySet<string> = new Set(
  (
    "finalizers except values policyTypes podCIDRs names volumesInUse clusterIPs externalIPs ipFamilies loadBalancerSourceRanges " +
    "matchLabelKeys mismatchLabelKeys namespaces args command add drop nameservers searches hostnames monitors accessModes " +
    "targetWWNs wwids portals failed succeeded"
  ).split(" "),
);
export const NUMBER_LISTS: ReadonlySet<string> = new Set(["supplementalGroups"]);
/** Fields of built-in kinds that are maps with text values. */
export const TEXT_MAPS: ReadonlySet<string> = new Set(
  (
    "annotations labels matchLabels allocatable capacity binaryData data limits requests nodeSelector overhead volumeAttributes options " +
    "allocatedResources allocatedResourceStatuses"
  ).split(" "),
);
/** Kinds whose selector is a map with text values; in all other kinds it is an object with fields. */
export const TEXT_SELECTORS = /^kubernetes:core\/v1:(Service|ReplicationController)(Patch)?$/;

interface Kind {
  type: string;
  by: SentBy;
  isBuiltIn: boolean;
}

/** Copies only values that contain null. */
function stored(value: PropertyValue, field: string, kind: Kind): PropertyValue {
  if (typeof value !== "object" || value === null) return value;
  return Array.isArray(value)
    ? storedList(value as readonly PropertyValue[], field, kind)
    : storedObject(value as Properties, field, kind);
}

function storedList(list: readonly PropertyValue[], field: string, kind: Kind): PropertyValue {
  let copy: PropertyValue[] | undefined;
  for (let position = 0; position < list.length; position++) {
    const entry = list[position]!;
    const made = entry === null && kind.isBuiltIn ? zeroEntry(field) : stored(entry, field, kind);
    if (made !== entry) (copy ??= [...list])[position] = made;
  }
  return copy ?? list;
}

const zeroEntry = (field: string): PropertyValue =>
  TEXT_LISTS.has(field) ? "" : NUMBER_LISTS.has(field) ? 0 : {};

function storedObject(object: Properties, field: string, kind: Kind): PropertyValue {
  let copy: Record<string, PropertyValue> | undefined;
  for (const key of Object.keys(object)) {
    const value = object[key]!;
    const made = value === null ? zeroProperty(field, kind) : stored(value, key, kind);
    if (made === value) continue;
    copy ??= { ...object };
    if (made === undefined) delete copy[key];
    else copy[key] = made;
  }
  return copy ?? object;
}

/** The empty text in a map of texts; undefined if the property is dropped or has its default. */
function zeroProperty(field: string, { type, by, isBuiltIn: hasZero }: Kind): PropertyValue | undefined {
  if (!hasZero || by === "pulumi") return undefined;
  return TEXT_MAPS.has(field) || (field === "selector" && TEXT_SELECTORS.test(type)) ? "" : undefined;
}

/**
 * Outputs, with the inputs in place of unknown outputs. The cloud may decide values later that the program did not request: an unknown
 * output without an input counts as absent. A secret output stays secret, whatever its input.
 */
export function knownProperties(
  type: string,
  outputs: Resource["properties"],
  inputs: Resource["properties"],
): Resource["properties"] {
  const known = withInputs(outputs, inputs) as Resource["properties"];
  // Components output what others build on, and not all of their inputs.
  return type.startsWith(OUR_COMPONENTS) ? { ...inputs, ...known } : known;
}

/** Returns the same object if nothing in it changes, because most of a plan is known. */
function withInputs(output: PropertyValue, input: PropertyValue | undefined): PropertyValue {
  if (output === UNKNOWN) return input ?? null;
  if (typeof output !== "object" || output === null) return output;
  if (Array.isArray(output)) return withEntries(output as PropertyValue[], input);
  const object = output as Properties;
  const given = isMap(input) ? input : {};
  const keys = Object.keys(object);
  let known: [string, PropertyValue][] | undefined;
  for (const [position, key] of keys.entries()) {
    const value = object[key]!;
    const made = withInputs(value, given[key]);
    if (known === undefined && made === value && made !== null) continue;
    known ??= keys.slice(0, position).map((before) => [before, object[before]!]);
    if (made !== null) known.push([key, made]);
  }
  return known ? Object.fromEntries(known) : object;
}

function withEntries(output: readonly PropertyValue[], input: PropertyValue | undefined): PropertyValue {
  const given = Array.isArray(input) && input.length === output.length ? (input as PropertyValue[]) : [];
  let known: PropertyValue[] | undefined;
  for (const [position, value] of output.entries()) {
    const made = agree(value, given[position]) ? withInputs(value, given[position]) : value;
    if (made !== value) (known ??= [...output])[position] = made;
  }
  return known ?? output;
}

/** Whether an output entry may come from an input entry: sets come back in another order, so nothing may contradict it. */
function agree(output: PropertyValue, input: PropertyValue | undefined): boolean {
  if (!isMap(output) || !isMap(input)) return isHidden(output) ? input !== undefined : true;
  return Object.keys(output).every((key) => {
    const value = output[key]!;
    return (
      typeof value === "object" || isHidden(value) || isHidden(input[key]) || (input[key] ?? value) === value
    );
  });
}

const isHidden = (value: PropertyValue | undefined): boolean => typeof value === "symbol";
