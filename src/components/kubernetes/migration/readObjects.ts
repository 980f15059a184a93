import { MIGRATION_LIST, MIGRATION_OBJECT, type MigrationObjects } from "../../../manifests/migration";
import { entriesOf, isMap, type PropertyMap } from "../../../manifests/places";
import type { PropertyValue } from "../../../resources/resource";
import type { Answer, Cluster } from "../compareAndSwap/cluster";

/** What a phase asks of a cluster. */
export type MigrationServer = Pick<Cluster, "send">;

/**
 * Reads what decides on phases.
 *
 * @throws Error where the cluster does not answer, or forbids it: which verb on which resource
 */
export async function readObjects(cluster: MigrationServer): Promise<MigrationObjects> {
  const get = async (path: string): Promise<PropertyMap | undefined> => {
    const answer = await cluster.send("GET", path);
    if (answer.status === 404) return undefined;
    return granted(answer, path);
  };
  const single = Object.entries(MIGRATION_OBJECT).map(
    async ([name, path]) => [name, await get(path)] as const,
  );
  const many = Object.entries(MIGRATION_LIST).map(async ([name, path]) => {
    const list = await get(path);
    return [name, entriesOf(list?.items).filter(isMap)] as const;
  });
  const objects = await Promise.all([...single, ...many]);
  return Object.fromEntries(objects.filter(([, object]) => object !== undefined)) as MigrationObjects;
}

/** The body of an answer, unless it is a refusal. */
export function granted({ status, body }: Answer, path: string): PropertyMap {
  const value = body as PropertyValue | undefined;
  if (status < 300 && isMap(value)) return value;
  const said = isMap(value) && typeof value.message === "string" ? value.message : `status ${status}`;
  const remedy =
    status === 403
      ? ": bind the role in rbac/migration.yaml of this package to the user of the kubeconfig"
      : "";
  throw new Error(`${path}: ${said}${remedy}`);
}
