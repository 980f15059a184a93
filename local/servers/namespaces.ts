import type { ApiClient } from "./apiClient";

/** How often Terminating namespaces are looked for. */
const INTERVAL_MS = 500;

interface NamespaceObject {
  metadata: { name: string };
  spec: { finalizers?: string[] };
}

interface ResourceList {
  resources?: { name: string; namespaced: boolean; verbs: string[] }[];
}

/**
 * The part of a controller manager that `pulumi destroy` cannot do without: empties namespaces that are being deleted,
 * then lets them go. Returns what stops it.
 */
export function finishNamespaces(client: ApiClient): () => Promise<void> {
  let stopped = false;
  let round: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    round = round.then(async () => {
      // A server that is down for a while is asked again in the next round.
      if (!stopped) await finishTerminating(client).catch(() => undefined);
    });
  }, INTERVAL_MS);
  timer.unref();
  return async () => {
    stopped = true;
    clearInterval(timer);
    await round;
  };
}

async function finishTerminating(client: ApiClient): Promise<void> {
  const terminating = await client.request(
    "GET",
    "/api/v1/namespaces?fieldSelector=status.phase%3DTerminating",
  );
  const { items = [] } = terminating.body as { items?: NamespaceObject[] };
  if (items.length === 0) return;
  const collections = await namespacedCollections(client);
  for (const namespace of items) await finish(client, namespace, collections);
}

async function finish(
  client: ApiClient,
  namespace: NamespaceObject,
  collections: readonly string[][],
): Promise<void> {
  const { name } = namespace.metadata;
  const paths = collections.map(([group, resource]) => `${group}/namespaces/${name}/${resource}`);
  await Promise.all(paths.map((path) => client.request("DELETE", path)));
  const left = await Promise.all(paths.map((path) => client.request("GET", `${path}?limit=1`)));
  const isEmpty = left.every(({ body }) => ((body as { items?: unknown[] }).items ?? []).length === 0);
  if (!isEmpty) return;
  await client.request("PUT", `/api/v1/namespaces/${name}/finalize`, {
    apiVersion: "v1",
    kind: "Namespace",
    ...namespace,
    spec: { ...namespace.spec, finalizers: [] },
  });
}

/** Group and resource of everything that lives in namespaces and can be deleted all at once. */
async function namespacedCollections(client: ApiClient): Promise<string[][]> {
  const { body } = await client.request("GET", "/apis");
  const groups = (body as { groups?: { preferredVersion: { groupVersion: string } }[] }).groups ?? [];
  const paths = [
    "/api/v1",
    ...groups.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`),
  ];
  const lists = await Promise.all(paths.map((path) => client.request("GET", path)));
  return lists.flatMap((list, index) =>
    ((list.body as ResourceList).resources ?? [])
      .filter(({ namespaced, verbs }) => namespaced && verbs.includes("deletecollection"))
      .map(({ name }) => [paths[index]!, name]),
  );
}
