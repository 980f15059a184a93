import { isDeepStrictEqual } from "node:util";

import type { Item, Merge } from "../../objects/sharedField";
import { type ServerAnswer, Cluster, type ClusterAccess } from "../../cluster/cluster";
import { API_NAMESPACE } from "../../resources/kubernetesObject";
import { visible } from "../../text";
import type { dynamic } from "@pulumi/pulumi";

/** An entry of a shared field: a text, or an item of a list. */
export type Entry = string | Item;

/** How a shared field holds several entries. */
export type FieldShape =
  | {
      /** The comma-separated text of a proxy's exceptions. */
      kind: "noProxy";
    }
  | {
      /** A list of items. */
      kind: "keyedItems";
      /** The properties that identify an item. */
      keys: string[];
    };

/** A field of an existing object, and the entries wanted in it. Plain JSON, because the engine stores it. */
export interface SharedFieldSettings {
  apiVersion: string;
  /** The kind of the object: `Node`. */
  object: string;
  namespace?: string;
  name: string;
  /** The path to the field: `["spec", "noProxy"]`. */
  path: string[];
  shape: FieldShape;
  entries: Entry[];
  /** The name under which the server records who wrote the field. */
  fieldManager: string;
  /** The content or path of a kubeconfig. Default: the cluster of the stack's configuration and the environment. */
  kubeconfig?: string;
  /** The context in the kubeconfig. */
  context?: string;
}

/** The field after the last write. */
export interface SharedFieldState extends SharedFieldSettings {
  /** The entries in the field that this share added. */
  ours: Entry[];
  /** The whole field. */
  value: unknown;
  /** Wanted entries that a refresh did not find. */
  lost?: Entry[];
}

/** The properties that identify the field: a change of one of them means another resource. */
export const IDENTITY = ["apiVersion", "object", "namespace", "name", "path", "shape"] as const;

/** The properties that the provider computes: they do not state what is wanted. */
export const COMPUTED: readonly string[] = ["ours", "value"] satisfies (keyof SharedFieldState)[];

/** The object does not exist. */
export class NoSuchObject extends Error {}

type Json = { readonly [key: string]: unknown };

/** A field of an object in a cluster. */
export async function objectField(
  cluster: Pick<Cluster, "send">,
  settings: SharedFieldSettings,
): Promise<SharedField<unknown>> {
  const { object, namespace, name, path, fieldManager } = settings;
  const subject = `${object} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
  const address = await addressOf(cluster, settings, subject);
  return {
    name: `${path.join(".")} of ${subject}`,
    read: async () => {
      const body = granted(await cluster.send("GET", address), subject) as Json;
      const value = path.reduce<unknown>((at, key) => (at as Json | undefined)?.[key], body);
      return { value, resourceVersion: (body.metadata as { resourceVersion: string }).resourceVersion };
    },
    write: async (value, resourceVersion) => {
      const change = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), emptied(value)) as Json;
      // With the version that was read, the server refuses the patch if the object has changed since.
      const metadata = { ...(change.metadata as Json | undefined), resourceVersion };
      const query = `?fieldManager=${encodeURIComponent(fieldManager)}`;
      const answer = await cluster.send("PATCH", address + query, { ...change, metadata });
      if (answer.status === 409) return false;
      granted(answer, subject);
      return true;
    },
  };
}

/** Removes the field together with its last entry, because the field may not have existed before the first. */
const emptied = (value: unknown): unknown =>
  value === undefined || (value as { length: number }).length === 0 ? null : value;

/** Returns the API path of the object. The server states how the kind is spelled in paths. */
async function addressOf(
  cluster: Pick<Cluster, "send">,
  { apiVersion, object, namespace, name }: SharedFieldSettings,
  subject: string,
): Promise<string> {
  const group = `/${apiVersion.includes("/") ? "apis" : "api"}/${apiVersion}`;
  const answer = await cluster.send("GET", group);
  const known = answer.status === 404 ? [] : (granted(answer, subject) as { resources: Json[] }).resources;
  const kind = known.find((one) => one.kind === object && !(one.name as string).includes("/"));
  if (!kind) throw new NoSuchObject(visible(`${subject}: the server knows no ${object} of ${apiVersion}`));
  const space =
    kind.namespaced === true ? `/namespaces/${encodeURIComponent(namespace ?? API_NAMESPACE)}` : "";
  return `${group}${space}/${kind.name as string}/${encodeURIComponent(name)}`;
}

/** The body of a response; throws if the server refused the request. */
function granted({ status, body }: ServerAnswer, subject: string): unknown {
  if (status < 400) return body;
  const said = (body as { message?: string } | undefined)?.message ?? `the server answered ${status}`;
  if (status === 404) throw new NoSuchObject(visible(`${subject}: ${said}`));
  throw new Error(visible(`${subject}: ${said}`));
}

/** A field of an object on a server that detects whether another program wrote the object in between. */
export interface SharedField<Value> {
  /** The name of the object and the field, for errors. */
  readonly name: string;
  read(): Promise<{ value: Value; resourceVersion: string }>;
  /** Writes unless the object has changed since it was read; returns whether it was written. */
  write(value: Value, resourceVersion: string): Promise<boolean>;
}

/** Enough for dozens of concurrent writers: in each round one of them succeeds. */
const ATTEMPTS = 60;
const LONGEST_PAUSE_MS = 1000;

/**
 * Reads, merges and writes until no other program has written in between. Returns the resulting field. Writes nothing if
 * nothing changes, and throws if entries of others conflict.
 */
export async function compareAndSwap<Value, Entry>(
  field: SharedField<Value>,
  merge: (current: Value) => Merge<Value, Entry>,
  pause: (attempt: number) => Promise<void> = randomPause,
): Promise<{ value: Value; ours: Entry[] }> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const { value: current, resourceVersion } = await field.read();
    const { value, ours, conflicts } = merge(current);
    if (conflicts.length > 0) throw new Error(visible(`${field.name}: ${conflicts.join("; ")}`));
    const isSame = JSON.stringify(value) === JSON.stringify(current);
    if (isSame || (await written(field, value, resourceVersion, pause))) return { value, ours };
    await pause(attempt);
  }
  throw new Error(
    visible(
      `${field.name}: another program changed the object between read and write in each of ${ATTEMPTS} attempts; try again later`,
    ),
  );
}

/** How often the field is read after a write whose result is unknown. */
const LOOKS = 5;

/**
 * Writes the field. If the response is lost, the write may still have been carried out, so the field is read again. A write
 * that is wrongly reported as failed would leave entries that no state lists as ours, and nothing would remove them.
 */
async function written<Value>(
  field: SharedField<Value>,
  value: Value,
  resourceVersion: string,
  pause: (attempt: number) => Promise<void>,
): Promise<boolean> {
  try {
    return await field.write(value, resourceVersion);
  } catch (error) {
    for (let look = 1; look <= LOOKS; look++) {
      const now = await field.read().catch(() => undefined);
      if (now) {
        const isCarriedOut = now.resourceVersion !== resourceVersion && isDeepStrictEqual(now.value, value);
        if (isCarriedOut) return true;
        break;
      }
      await pause(look);
    }
    throw error;
  }
}

/** Grows with each attempt and has random jitter, so that writers that collided do not collide again. */
function randomPause(attempt: number): Promise<void> {
  const limit = Math.min(LONGEST_PAUSE_MS, 10 * 2 ** attempt);
  return new Promise((resolve) => setTimeout(resolve, Math.random() * limit));
}

/** The engine's placeholder for a value that a preview does not know. */
export const UNKNOWN_VALUE = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The cluster for resources that do not name one: from the configuration that the default Kubernetes provider reads. */
const configured: ClusterAccess = {};

/** Stores the configuration that the engine passes once to a dynamic provider. */
export function configure({ config }: dynamic.ConfigureRequest): Promise<void> {
  // The provider reads an empty setting as none.
  configured.kubeconfig = config.get("kubernetes:kubeconfig") || undefined;
  configured.context = config.get("kubernetes:context") || undefined;
  return Promise.resolve();
}

/** The cluster that a resource names, or that of the configuration. */
export const clusterOf = ({ kubeconfig, context }: ClusterAccess): Promise<Cluster> =>
  Cluster.open(
    kubeconfig === undefined ? { ...configured, ...(context && { context }) } : { kubeconfig, context },
  );
