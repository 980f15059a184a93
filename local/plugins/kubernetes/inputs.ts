import { hasUnknown, isMap, isUnknown, type Props, type Value } from "../provider";
import type { Cluster } from "./config";
import { metadataOf, toApi, withMetadata } from "./object";

/** Metadata that the server writes, so it is never an input. */
const SERVER_WRITTEN = [
  "creationTimestamp",
  "deletionGracePeriodSeconds",
  "deletionTimestamp",
  "generation",
  "managedFields",
  "resourceVersion",
  "selfLink",
  "uid",
];

/** The version and kind in a type token, and whether it is a patch of an object. */
export interface Type {
  apiVersion: string;
  kind: string;
  patch: boolean;
}

/** Parses a type token such as `kubernetes:core/v1:Namespace`. `kind` is the one in the inputs, which distinguishes patches. */
export function typeOf(token: string, kind?: Value): Type {
  const [, module = "", name = ""] = token.split(":");
  const apiVersion = module.startsWith("core/") ? module.slice("core/".length) : module;
  const patch = name.endsWith("Patch") && (typeof kind !== "string" || name === `${kind}Patch`);
  return { apiVersion, kind: patch ? name.slice(0, -"Patch".length) : name, patch };
}

/** The program's inputs in the normal form in which they are compared, stored and sent. */
export function normalized(given: Props, type: Type): Props {
  const object: Props = { apiVersion: type.apiVersion, kind: type.kind, ...toApi(given) };
  return encodedSecret({ ...object, metadata: ownMetadata(object) });
}

/** The inputs with the namespace that the object will be in, or without one if its kind has none. */
export async function placed(object: Props, cluster: Cluster): Promise<Props> {
  if (isUnknown(object.metadata)) return object;
  const endpoint = await cluster.discovery.endpointIfKnown(
    object.apiVersion as string,
    object.kind as string,
  );
  // A kind that does not exist yet is probably namespaced; the create corrects this.
  const namespaced = endpoint?.namespaced ?? true;
  const namespace = namespaced ? metadataOf(object).namespace || cluster.namespace : undefined;
  return withMetadata(object, { namespace });
}

/** The inputs that an imported object would have: everything except what the server writes. */
export function inputsOf(live: Props): Props {
  const { status: _status, ...rest } = live;
  return { ...rest, metadata: ownMetadata(live) };
}

/** Metadata without what the server writes; unknown metadata stays unknown. */
function ownMetadata(object: Props): Props[string] {
  if (isUnknown(object.metadata)) return object.metadata;
  return Object.fromEntries(
    Object.entries(metadataOf(object)).filter(([name]) => !SERVER_WRITTEN.includes(name)),
  );
}

/** Converts `stringData` to `data`, as the server stores it, so that old and new can be compared. */
function encodedSecret(object: Props): Props {
  const { stringData, ...rest } = object;
  if (object.kind !== "Secret" || object.apiVersion !== "v1" || !isMap(stringData)) return object;
  if (hasUnknown(stringData)) return object;
  const encoded = Object.entries(stringData).map(([name, value]) => [
    name,
    Buffer.from(value as string).toString("base64"),
  ]);
  const data = isMap(rest.data) ? rest.data : {};
  return { ...rest, data: { ...data, ...(Object.fromEntries(encoded) as Props) } };
}
