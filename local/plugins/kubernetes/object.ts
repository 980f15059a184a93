import { isMap, type Props, type Value } from "../provider";

/** A Kubernetes object as the API spells it. */
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

/** Names that the SDK spells with underscores, because dashes are no identifiers, as the API spells them. */
const dashed = (name: string): string =>
  name.startsWith("x_kubernetes_") ? name.replaceAll("_", "-") : name;
const underscored = (name: string): string =>
  name.startsWith("x-kubernetes-") ? name.replaceAll("-", "_") : name;

/** Properties of a program as the API wants them: absent values left out, names in its spelling. */
export const toApi = (value: Props): Props => renamed(value, dashed) as Props;

/** An object of the API as programs see it. */
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

/** The metadata of an object; an empty one where a program gave none, or none that is known yet. */
export function metadataOf(object: Props): Metadata {
  return isMap(object.metadata) ? object.metadata : {};
}

/** The value of an annotation, where it is known. */
export function annotation(object: Props, name: string): string | undefined {
  const { annotations } = metadataOf(object);
  const value: Value = isMap(annotations) ? annotations[name] : undefined;
  return typeof value === "string" ? value : undefined;
}

/** The object with other metadata; what is undefined is left out. */
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

/** What an id says. */
export function parseId(id: string): { namespace: string | undefined; name: string } {
  const slash = id.indexOf("/");
  return slash < 0
    ? { namespace: undefined, name: id }
    : { namespace: id.slice(0, slash), name: id.slice(slash + 1) };
}

/** An object in words: `ConfigMap default/settings`. */
export const inWords = (object: KubeObject): string => `${object.kind} ${idOf(object)}`;
