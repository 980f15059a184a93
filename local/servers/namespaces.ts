import type { ApiClient } from "./apiClient";

/** How often to look for Terminating namespaces. */
const INTERVAL_MS = 500;

interface NamespaceObject {
  metadata: { name: string; uid: string; deletionTimestamp?: string };
  spec: { finalizers?: string[] };
}

/** An object in a namespace. */
interface Content {
  metadata: { name: string; uid: string };
}

interface ResourceList {
  resources?: { name: string; namespaced: boolean; verbs: string[] }[];
}

/**
 * The part of a controller manager that `pulumi destroy` requires: empties namespaces that are being deleted, then removes their
 * finalizer. Returns a function that stops it.
 */
export function finishNamespaces(client: ApiClient): () => Promise<void> {
  let stopped = false;
  let round: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    round = round.then(async () => {
      // The next round retries if the server is down for a while.
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
  const { name, uid } = namespace.metadata;
  const contents = async () => {
    const lists = await Promise.all(
      collections.map(async ([group, resource]) => {
        const path = `${group}/namespaces/${name}/${resource}`;
        const { items = [] } = (await client.request("GET", path)).body as { items?: Content[] };
        return items.map(({ metadata }) => ({ path: `${path}/${metadata.name}`, uid: metadata.uid }));
      }),
    );
    return lists.flat();
  };
  const found = await contents();
  const now = (await client.request("GET", `/api/v1/namespaces/${name}`)).body as Partial<NamespaceObject>;
  // Another process may have finalized the namespace meanwhile, and a new one of the same name may exist, with its own objects.
  if (now.metadata?.uid !== uid || now.metadata.deletionTimestamp === undefined) return;
  for (const { path, ...preconditions } of found)
    await client.request("DELETE", path, { kind: "DeleteOptions", apiVersion: "v1", preconditions });
  if (found.length > 0 && (await contents()).length > 0) return;
  await client.request("PUT", `/api/v1/namespaces/${name}/finalize`, {
    apiVersion: "v1",
    kind: "Namespace",
    ...namespace,
    spec: { ...namespace.spec, finalizers: [] },
  });
}

/** Group and resource of every namespaced kind that supports deleting a collection. */
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
