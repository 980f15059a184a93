import type { ApiClient } from "../../../local/servers/apiClient";
import { MIGRATION_LIST, MIGRATION_OBJECT } from "../../../src/networkTypeMigration/cluster";

interface Stored {
  metadata: { name: string; resourceVersion: string; generation: number; deletionTimestamp?: string };
  spec: object;
  status?: object;
}

const OBJECTS = [MIGRATION_OBJECT.config, MIGRATION_OBJECT.operator];
const NAMESPACES = [MIGRATION_OBJECT.sdnNamespace, MIGRATION_OBJECT.ovnNamespace];

/**
 * What the phases of a migration and then operators write, at one moment. Boots and generations of Multus only grow, so that
 * recorded values stay older.
 */
export class Snapshot {
  private constructor(
    private readonly client: ApiClient,
    private readonly taken: ReadonlyMap<string, Stored | undefined>,
    private readonly pools: readonly string[],
  ) {}

  static async of(client: ApiClient): Promise<Snapshot> {
    const { body } = await client.request("GET", MIGRATION_LIST.pools);
    const pools = (body as { items: Stored[] }).items.map(
      ({ metadata }) => `${MIGRATION_LIST.pools}/${metadata.name}`,
    );
    const objects = [...OBJECTS, ...pools, ...NAMESPACES].map(
      async (path) => [path, await read(client, path)] as const,
    );
    return new Snapshot(client, new Map(await Promise.all(objects)), pools);
  }

  async restore(): Promise<void> {
    await Promise.all([
      ...OBJECTS.map((path) => this.write(path)),
      ...this.pools.map((path) => this.pool(path)),
      ...NAMESPACES.map((path) => this.namespace(path)),
    ]);
  }

  private async write(path: string): Promise<Stored> {
    const { metadata, ...rest } = this.taken.get(path)!;
    const { resourceVersion } = (await read(this.client, path))!.metadata;
    return must(
      await this.client.request("PUT", path, { ...rest, metadata: { ...metadata, resourceVersion } }),
    );
  }

  /** Its operator has seen the generation that this starts. */
  private async pool(path: string): Promise<void> {
    const { metadata, ...rest } = await this.write(path);
    const status = { ...this.taken.get(path)!.status, observedGeneration: metadata.generation };
    must(await this.client.request("PUT", `${path}/status`, { ...rest, metadata, status }));
  }

  private async namespace(path: string): Promise<void> {
    const wanted = this.taken.get(path);
    const now = await read(this.client, path);
    if ((now === undefined || now.metadata.deletionTimestamp !== undefined) === (wanted === undefined))
      return;
    if (now) await this.remove(path);
    const { name } = (wanted ?? now!).metadata;
    const object = { apiVersion: "v1", kind: "Namespace", metadata: { name } };
    if (wanted) must(await this.client.request("POST", "/api/v1/namespaces", object));
  }

  /** It is already empty. */
  private async remove(path: string): Promise<void> {
    await this.client.request("DELETE", path);
    const namespace = await read(this.client, path);
    const body = { ...namespace, apiVersion: "v1", kind: "Namespace", spec: { finalizers: [] } };
    if (namespace) await this.client.request("PUT", `${path}/finalize`, body);
  }
}

async function read(client: ApiClient, path: string): Promise<Stored | undefined> {
  const answer = await client.request("GET", path);
  return answer.status === 404 ? undefined : must(answer);
}

function must({ status, body }: { status: number; body: unknown }): Stored {
  if (status >= 300) throw new Error(JSON.stringify(body));
  return body as Stored;
}
