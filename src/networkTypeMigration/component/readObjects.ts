import { MACHINE_CONFIGS, MIGRATION_LIST, MIGRATION_OBJECT, type MigrationObjects } from "../cluster";
import { readsMachineConfigs } from "../steps";
import type { MigrationPhase } from "../phases";
import { entriesOf, isMap, type PropertyMap, readText } from "../../resources/read";
import type { PropertyValue } from "../../resources/resource";
import { mayAnswerLater, Unreachable, type Answer, type Cluster } from "../../cluster/cluster";
import { FORBIDDEN } from "../../cluster/liveCheck";
import { visible } from "../../text";

/** What a phase asks of a cluster. */
export type MigrationServer = Pick<Cluster, "send">;

/**
 * Reads what decides on a phase.
 *
 * @throws Error where the cluster does not answer, or forbids it: which verb on which resource
 */
export async function readObjects(
  cluster: MigrationServer,
  phase: MigrationPhase,
): Promise<MigrationObjects> {
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
  const read = await Promise.all([...single, ...many]);
  const objects = Object.fromEntries(read.filter(([, object]) => object !== undefined)) as MigrationObjects;
  if (!readsMachineConfigs(phase)) return objects;
  const configs = await Promise.all(
    configurationsOf(objects).map((name) => get(`${MACHINE_CONFIGS}/${name}`)),
  );
  return { ...objects, machineConfigs: configs.filter((one) => one !== undefined) };
}

/** The names of the machine configurations that pools have and are to have. */
function configurationsOf({ pools }: MigrationObjects): string[] {
  const names = pools.flatMap((pool) =>
    ["spec", "status"].map((part) => readText(pool, `${part}.configuration.name`)),
  );
  return [...new Set(names.filter((name) => typeof name === "string" && name !== ""))] as string[];
}

/** The body of an answer, unless it is a refusal. */
export function granted({ status, body }: Answer, path: string): PropertyMap {
  const value = body as PropertyValue | undefined;
  if (status < 300 && isMap(value)) return value;
  const said = isMap(value) && typeof value.message === "string" ? value.message : `status ${status}`;
  const remedy =
    status === FORBIDDEN
      ? ": bind the role in rbac/migration.yaml of this package to the user of the kubeconfig"
      : "";
  throw new (mayAnswerLater(status) ? Unreachable : Error)(visible(`${path}: ${said}${remedy}`));
}
