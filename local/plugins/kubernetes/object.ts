import { isMap, type Props, type Value } from "../provider";

/** A Kubernetes object in the API's format. */
export interface KubeObject extends Props {
  apiVersion: string;
  kind: string;
  metadata: Metadata;
}
export interface Metadata extends Props {
  name?: string;
  namespace?: string;
  annotations?: Record<string, string>;
}

/** The SDK writes these names with underscores, because dashes are not valid in identifiers. */
const dashed = (name: string): string =>
  name.startsWith("x_kubernetes_") ? name.replaceAll("_", "-") : name;
const underscored = (name: string): string =>
  name.startsWith("x-kubernetes-") ? name.replaceAll("-", "_") : name;

/** Converts a program's properties to the API's format: omits undefined values, renames fields. */
export const toApi = (value: Props): Props => renamed(value, dashed) as Props;

/** Converts an API object to the format that programs see. */
export const fromApi = (value: Props): Props => renamed(value, underscored) as Props;

function renamed(value: Value, rename: (name: string) => string): Value {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined && inner !== null)
      .map(([name, inner]) => [rename(name), renamed(inner, rename)]),
  );
}

/** The metadata of an object; empty if it is missing or unknown. */
export function metadataOf(object: Props): Metadata {
  return isMap(object.metadata) ? object.metadata : {};
}

/** The value of an annotation, if it is known. */
export function annotation(object: Props, name: string): string | undefined {
  const { annotations } = metadataOf(object);
  const value: Value = isMap(annotations) ? annotations[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** The object with changed metadata; undefined values are omitted. */
export function withMetadata(object: Props, changes: Metadata): Props {
  const metadata = Object.entries({ ...metadataOf(object), ...changes }).filter(
    ([, value]) => value !== undefined,
  );
  return { ...object, metadata: Object.fromEntries(metadata) };
}

/** The id of an object in Pulumi's state: `namespace/name`, or `name` for kinds without namespace. */
export function idOf({ metadata: { namespace, name } }: KubeObject): string {
  return namespace ? `${namespace}/${name}` : `${name}`;
}

/** Splits an id into namespace and name. */
export function parseId(id: string): { namespace: string | undefined; name: string } {
  const slash = id.indexOf("/");
  return slash < 0
    ? { namespace: undefined, name: id }
    : { namespace: id.slice(0, slash), name: id.slice(slash + 1) };
}

/** Describes an object: `ConfigMap default/settings`. */
export const inWords = (object: KubeObject): string => `${object.kind} ${idOf(object)}`;
