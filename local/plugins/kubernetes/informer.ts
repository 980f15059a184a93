import { isMap, type Props } from "../provider";
import type { KubeObject } from "./object";
import { ApiError, type ApiServer } from "./server";
import { sleep } from "./sleep";

/** Seconds after which the server ends a watch, before the client would treat its silence as a failure. */
const WATCH_SECONDS = 50;
const PAUSE_MS = 500;

/** The objects of a list that a selector matches. */
export interface Selection {
  /** Path of the list. */
  path: string;
  fieldSelector: string;
}

/**
 * Yields the selected objects, and again whenever one of them changes: a list and then a watch, as Kubernetes clients do. Requires
 * the permission for both.
 */
export async function* observed(
  server: ApiServer,
  { path, fieldSelector }: Selection,
  signal: AbortSignal,
): AsyncGenerator<KubeObject[]> {
  for (;;) {
    const list = await server.send({ method: "GET", path, query: { fieldSelector }, signal });
    const objects = new Map((list.items as KubeObject[]).map((object) => [object.metadata.uid, object]));
    yield [...objects.values()];
    const { resourceVersion } = list.metadata as { resourceVersion: string };
    const query = { fieldSelector, resourceVersion, watch: "true", timeoutSeconds: `${WATCH_SECONDS}` };
    for await (const change of unlessForgotten(server.follow({ method: "GET", path, query, signal }))) {
      const object = change.object as KubeObject;
      if (change.type === "DELETED") objects.delete(object.metadata.uid);
      else objects.set(object.metadata.uid, object);
      yield [...objects.values()];
    }
    await sleep(PAUSE_MS, signal);
  }
}

const GONE = 410;

/** Yields changes until the server no longer has the history: then the caller lists again. */
async function* unlessForgotten(changes: AsyncGenerator<Props>): AsyncGenerator<Props> {
  try {
    for await (const change of changes) {
      if (change.type !== "ERROR") yield change;
      else if (isMap(change.object) && change.object.code === GONE) return;
      else throw new ApiError(0, isMap(change.object) ? change.object : {});
    }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== GONE) throw error;
  }
}
