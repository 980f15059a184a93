import {
  MACHINE_CONFIGS,
  MIGRATION_LIST,
  MIGRATION_OBJECT,
  type MigrationObjects,
} from "../../../src/networkTypeMigration/cluster";
import type { MigrationWrite } from "../../../src/networkTypeMigration/patches";
import type { ServerAnswer, Method } from "../../../src/cluster/cluster";
import { PlayedCluster } from "../playedCluster";

/** An API server with the objects of a simulated cluster. */
export class MigrationServer {
  readonly cluster = new PlayedCluster();
  /** The writes that were received: `PATCH .../networks/cluster`. */
  readonly writes: string[] = [];
  /** Runs before a write is carried out; the server returns its answer, if any. */
  beforeWrite: () => ServerAnswer | undefined = () => undefined;
  /** Runs after a write was carried out, before the client receives the answer. */
  afterWrite: () => void = () => undefined;

  send(method: Method, path: string, content?: object): Promise<ServerAnswer> {
    const [at = ""] = path.split("?");
    return Promise.resolve().then(() => (isWrite(method) ? this.write(method, at, content) : this.get(at)));
  }

  private get(path: string): ServerAnswer {
    const objects = this.cluster.objects;
    const single = nameAt(MIGRATION_OBJECT, path) as keyof MigrationObjects | undefined;
    if (path.startsWith(`${MACHINE_CONFIGS}/`)) return this.machineConfig(path.split("/").at(-1)!);
    const many = nameAt(MIGRATION_LIST, path) as keyof MigrationObjects | undefined;
    const body = single ? objects[single] : many && { items: objects[many] };
    // A copy, which does not change with the cluster.
    return body ? { status: 200, body: structuredClone(body) } : { status: 404, body: {} };
  }

  private machineConfig(name: string): ServerAnswer {
    const found = this.cluster
      .list("machineConfigs")
      .find(({ metadata }) => (metadata as { name: string }).name === name);
    return found ? { status: 200, body: structuredClone(found) } : { status: 404, body: {} };
  }

  private write(method: MigrationWrite["method"], path: string, content: object | undefined): ServerAnswer {
    const refusal = this.beforeWrite();
    if (refusal) return refusal;
    this.writes.push(`${method} ${path}`);
    this.cluster.write({ what: "", method, path, body: content as MigrationWrite["body"] });
    this.afterWrite();
    return { status: 200, body: {} };
  }
}

const nameAt = (paths: Readonly<Record<string, string>>, path: string): string | undefined =>
  Object.keys(paths).find((name) => paths[name] === path);

const isWrite = (method: Method): method is MigrationWrite["method"] =>
  method === "PATCH" || method === "DELETE";
