import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { silent } from "../../../local/report";
import { installCrds, readCrds, type Crd } from "../../../local/servers/crds";
import { startKubernetesApi, type KubernetesApi } from "../../../local/servers/kubernetesApi";
import { findTools } from "../../../local/toolchain/tools";
import type { KubernetesObject } from "./objects";

/** An API server's answer to an object: the status, and what it would store. */
export interface Answer {
  readonly status: number;
  readonly stored: unknown;
  readonly message: string;
}

/** A Kubernetes API with one set of definitions. */
export class Server {
  private constructor(
    private readonly api: KubernetesApi,
    private readonly folder: string,
    private readonly crds: readonly Crd[],
  ) {}

  static async start(definitions: string, isWanted: (name: string) => boolean): Promise<Server> {
    const folder = mkdtempSync(join(tmpdir(), "definitions-"));
    const { kubernetes } = await findTools(silent);
    const api = await startKubernetesApi({ tools: kubernetes.tool, folder });
    await installCrds(api.client, definitions, isWanted);
    for (const name of ["clusters", "sample"]) {
      await api.client.request("POST", "/api/v1/namespaces", { metadata: { name } });
    }
    return new Server(
      api,
      folder,
      readCrds(definitions).filter(({ metadata }) => isWanted(metadata.name)),
    );
  }

  async stop(): Promise<void> {
    await this.api.stop();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Creates an object without storing it; unknown fields are dropped silently, or refused. */
  async create(
    object: KubernetesObject,
    more = "&dryRun=All",
    validation: "Ignore" | "Strict" = "Ignore",
  ): Promise<Answer> {
    return this.answer("POST", `${this.collection(object)}?fieldValidation=${validation}${more}`, object);
  }

  /** Creates the first state and replaces it by the second. */
  async change(name: string, before: KubernetesObject, after: KubernetesObject): Promise<Answer> {
    const at = (state: KubernetesObject, metadata: object = {}) => ({
      ...state,
      metadata: { ...state.metadata, name, ...metadata },
    });
    const made = await this.answer("POST", this.collection(before), at(before));
    if (made.status !== 201) return made;
    const path = `${this.collection(before)}/${name}`;
    const { body } = await this.api.client.request("GET", path);
    const { resourceVersion } = (body as { metadata: { resourceVersion: string } }).metadata;
    return this.answer("PUT", `${path}?dryRun=All`, at(after, { resourceVersion }));
  }

  private async answer(method: "POST" | "PUT", path: string, sent: object): Promise<Answer> {
    const { status, body } = await this.api.client.request(method, path, sent);
    const { message = "", spec } = body as { message?: string; spec?: unknown };
    return { status, stored: status < 300 ? spec : undefined, message };
  }

  private collection(object: KubernetesObject): string {
    const { spec } = this.definitionOf(object)!;
    const namespace =
      spec.scope === "Namespaced" ? `/namespaces/${object.metadata.namespace ?? "sample"}` : "";
    return `/apis/${object.apiVersion}${namespace}/${spec.names.plural}`;
  }

  private definitionOf({ apiVersion, kind }: KubernetesObject): Crd | undefined {
    const [group, version] = apiVersion.split("/");
    return this.crds.find(
      ({ spec }) =>
        spec.group === group &&
        spec.names.kind === kind &&
        spec.versions.some(({ name }) => name === version),
    );
  }
}
