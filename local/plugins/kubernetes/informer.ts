import { isMap, type Props } from "../provider";
import type { KubeObject } from "./object";
import { ApiError, type ApiServer } from "./server";
import { sleep } from "./sleep";

/** Seconds after which the server ends a watch, before the client takes its silence for an end. */
const WATCH_SECONDS = 50;
const PAUSE_MS = 500;

/** What is looked at: the objects of a list that a selector chooses. */
export interface Selection {
  /** Of the list. */
  path: string;
  fieldSelector: string;
}

/**
 * The chosen objects as they are, and whenever one of them changes: a list, and a watch from there on, as Kubernetes' own clients
 * look at what they wait for. It takes the rights to both.
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

/** The changes up to one that the server does not remember: then the list is asked for anew. */
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
