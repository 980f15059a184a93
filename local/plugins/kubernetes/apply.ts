import type { Props } from "../provider";
import { Annotation } from "./annotations";
import type { Cluster } from "./config";
import { NoSuchKind } from "./discovery";
import { FieldConflict } from "./conflict";
import { observed } from "./informer";
import { annotation, inWords, type KubeObject } from "./object";
import { ApiError, isNotFound } from "./server";
import { sleep } from "./sleep";

/** Pauses while a create waits for the namespace or the kind of its object, which may be created at the same time. */
const RETRY_PAUSES_MS = [500, 1000, 2000, 4000, 8000];

/** Options for writing an object. */
export interface Write {
  manager: string;
  preview: boolean;
  /** Takes over fields that others manage. */
  force?: boolean;
  signal: AbortSignal;
}

/** Reads and writes objects the way the official provider does. */
export class Objects {
  constructor(private readonly cluster: Cluster) {}

  /** Undefined if the object or its kind does not exist. */
  async find(object: KubeObject, signal?: AbortSignal): Promise<KubeObject | undefined> {
    try {
      return (await this.cluster.server.send({
        method: "GET",
        path: await this.pathOf(object),
        signal,
      })) as KubeObject;
    } catch (error) {
      if (isNotFound(error) || error instanceof NoSuchKind) return undefined;
      throw error;
    }
  }

  /** Yields an object's current state and each later one; undefined if the object or its kind does not exist. */
  async *states(object: KubeObject, signal: AbortSignal): AsyncGenerator<KubeObject | undefined> {
    const { apiVersion, kind, metadata } = object;
    try {
      const endpoint = await this.cluster.discovery.endpoint(apiVersion, kind);
      const path = endpoint.path(metadata.namespace);
      const selection = { path, fieldSelector: `metadata.name=${metadata.name}` };
      // Items of a list do not contain apiVersion and kind.
      for await (const [found] of observed(this.cluster.server, selection, signal))
        yield found && { ...found, apiVersion, kind };
    } catch (error) {
      if (!isNotFound(error) && !(error instanceof NoSuchKind)) throw error;
      yield undefined;
    }
  }

  /** Yields the cluster's warnings about an object, each wording once, until cancelled. */
  async *warnings(object: KubeObject, signal: AbortSignal): AsyncGenerator<string[]> {
    const { namespace, uid } = object.metadata;
    const endpoint = await this.cluster.discovery.endpoint("v1", "Event");
    const path = endpoint.path(namespace);
    const selection = { path, fieldSelector: `involvedObject.uid=${uid as string}` };
    const told = new Set<string>();
    for await (const events of observed(this.cluster.server, selection, signal)) {
      const words = events
        .filter(({ type }) => type === "Warning")
        .map(({ reason, message }) => `${reason as string}: ${message as string}`)
        .filter((text) => !told.has(text));
      words.forEach((text) => told.add(text));
      yield words;
    }
  }

  /** Creates a new object; fails if it already exists. */
  create(object: KubeObject, { manager, preview, signal }: Write): Promise<KubeObject> {
    return this.onceThere(signal, preview, async () => {
      const { namespace } = object.metadata;
      const endpoint = await this.cluster.discovery.endpoint(object.apiVersion, object.kind);
      const query = { fieldManager: manager, fieldValidation: "Warn", dryRun: preview ? "All" : undefined };
      const path = endpoint.path(namespace);
      return (await this.cluster.server.send({
        method: "POST",
        path,
        query,
        body: object,
        signal,
      })) as KubeObject;
    });
  }

  /** Server-side apply: creates or changes the object, and owns the fields that it sets. */
  apply(object: KubeObject, write: Write): Promise<KubeObject> {
    return this.onceThere(write.signal, write.preview, () => this.applyOnce(object, write));
  }

  /** Replaces the whole object, as CustomResourceDefinitions require. */
  async replace(object: KubeObject, { manager, preview, signal }: Write): Promise<KubeObject> {
    const query = { fieldManager: manager, dryRun: preview ? "All" : undefined };
    const path = await this.pathOf(object);
    return (await this.cluster.server.send({
      method: "PUT",
      path,
      query,
      body: object,
      signal,
    })) as KubeObject;
  }

  /** Takes over the fields of client-side tools' managers, so that the next apply can change them. */
  async rewriteManagers(object: KubeObject, managedFields: Props[], signal: AbortSignal): Promise<void> {
    const body: Props[] = [
      { op: "replace", path: "/metadata/managedFields", value: managedFields },
      { op: "replace", path: "/metadata/resourceVersion", value: object.metadata.resourceVersion },
    ];
    await this.cluster.server.send({
      method: "PATCH",
      path: await this.pathOf(object),
      body,
      content: "jsonPatch",
      signal,
    });
  }

  /** Releases all fields of a manager: those that no other manager owns return to their defaults. */
  async relinquish(object: KubeObject, manager: string, signal: AbortSignal): Promise<void> {
    const { apiVersion, kind, metadata } = object;
    const bare = { apiVersion, kind, metadata: pick(metadata, ["name", "namespace"]) };
    await this.applyOnce(bare, { manager, preview: false, signal });
  }

  /** Starts the deletion. False if the object does not exist. */
  async delete(object: KubeObject, inputs: Props, signal: AbortSignal): Promise<boolean> {
    const policies: Record<string, string> = { orphan: "Orphan", foreground: "Foreground" };
    const policy = annotation(inputs, Annotation.DeletionPropagation)?.toLowerCase() ?? "";
    const body = {
      kind: "DeleteOptions",
      apiVersion: "v1",
      // The official provider uses Foreground, which ends only if a garbage collector runs: the API server of this machine has none,
      // so every deletion would hang.
      propagationPolicy: policies[policy] ?? "Background",
    };
    try {
      await this.cluster.server.send({ method: "DELETE", path: await this.pathOf(object), body, signal });
      return true;
    } catch (error) {
      if (isNotFound(error) || error instanceof NoSuchKind) return false;
      throw error;
    }
  }

  private async applyOnce(object: KubeObject, write: Write): Promise<KubeObject> {
    const { manager, preview, force = false, signal } = write;
    const query = {
      fieldManager: manager,
      force: String(force),
      fieldValidation: "Warn",
      dryRun: preview ? "All" : undefined,
    };
    const path = await this.pathOf(object);
    try {
      const request = { method: "PATCH", path, query, body: object, content: "apply", signal } as const;
      return (await this.cluster.server.send(request)) as KubeObject;
    } catch (error) {
      throw FieldConflict.from(error, inWords(object), manager) ?? error;
    }
  }

  private async pathOf({ apiVersion, kind, metadata }: KubeObject): Promise<string> {
    const endpoint = await this.cluster.discovery.endpoint(apiVersion, kind);
    return endpoint.path(metadata.namespace, metadata.name);
  }

  /** Retries if a namespace or a kind is missing; a preview does not wait for either. */
  private async onceThere<T>(signal: AbortSignal, preview: boolean, work: () => Promise<T>): Promise<T> {
    for (const pause of preview ? [] : RETRY_PAUSES_MS) {
      try {
        return await work();
      } catch (error) {
        if (!isNotFound(error) && !(error instanceof NoSuchKind)) throw error;
        await sleep(pause, signal);
      }
    }
    return work();
  }
}

/** Whether the server rejected the request because the object already exists. */
export const isAlreadyExists = (error: unknown): boolean =>
  error instanceof ApiError && error.reason === "AlreadyExists";

function pick(from: Props, names: string[]): Props {
  return Object.fromEntries(
    names.filter((name) => from[name] !== undefined).map((name) => [name, from[name]]),
  );
}
