import type { Props } from "../provider";
import { type ApiServer, isNotFound, Unreachable } from "./server";

/** The API endpoint of a kind. */
export interface Endpoint {
  namespaced: boolean;
  /** The path of an object, or without a name of all objects in the namespace. */
  path(namespace: string | undefined, name?: string): string;
}

/** Thrown if the server does not know the kind: usually its CustomResourceDefinition is missing. */
export class NoSuchKind extends Error {
  constructor(apiVersion: string, kind: string) {
    super(
      `the Kubernetes API server has no kind ${kind} in ${apiVersion}: check that its CustomResourceDefinition is installed`,
    );
  }
}

interface ApiResource extends Props {
  name: string;
  kind: string;
  namespaced: boolean;
}

/** Finds kinds among those that the API server reports. */
export class Discovery {
  private readonly known = new Map<string, ApiResource[]>();

  constructor(private readonly server: ApiServer) {}

  /** Finds a kind. Queries the server again for an unknown kind: its definition may be new. */
  async endpoint(apiVersion: string, kind: string): Promise<Endpoint> {
    const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const resource = this.find(root, kind) ?? (await this.load(root), this.find(root, kind));
    if (!resource) throw new NoSuchKind(apiVersion, kind);
    const { namespaced, name: plural } = resource;
    return {
      namespaced,
      path: (namespace, name) => {
        const scope = namespaced ? `/namespaces/${encodeURIComponent(namespace || "default")}` : "";
        return `${root}${scope}/${plural}${name === undefined ? "" : `/${encodeURIComponent(name)}`}`;
      },
    };
  }

  /** The kind's endpoint; undefined if the server does not have the kind or is unreachable. */
  async endpointIfKnown(apiVersion: string, kind: string): Promise<Endpoint | undefined> {
    try {
      return await this.endpoint(apiVersion, kind);
    } catch (error) {
      if (error instanceof NoSuchKind || error instanceof Unreachable) return undefined;
      throw error;
    }
  }

  private find(root: string, kind: string): ApiResource | undefined {
    return this.known.get(root)?.find((resource) => resource.kind === kind && !resource.name.includes("/"));
  }

  private async load(root: string): Promise<void> {
    try {
      const { resources } = await this.server.send({ method: "GET", path: root });
      this.known.set(root, (resources ?? []) as ApiResource[]);
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.known.delete(root);
    }
  }
}
