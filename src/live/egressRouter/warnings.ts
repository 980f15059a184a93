import { OPERATOR_NAMES } from "../../egressRouter/egressRouter";
import { nameOf, textAt } from "../../resources/objectText";
import type { LiveCluster, LiveObject } from "../../cluster/liveCluster";
import { unlessForbidden } from "../../cluster/liveFault";
import type { RouterState } from "./routerState";

/** The newest event that warns about a router's pod, or about what makes its pod: `FailedCreatePodSandBox: ...`. */
export async function newestWarning(
  cluster: LiveCluster,
  { namespace, name, router, pods }: RouterState,
): Promise<string | undefined> {
  const names = [router ? OPERATOR_NAMES.deployment : name, ...pods.map(nameOf)];
  const path = `/api/v1/namespaces/${namespace}/events?fieldSelector=${encodeURIComponent("type=Warning")}`;
  // Events only add to what is known: without the right to list them it is told without them.
  const events = ((await unlessForbidden(cluster.list(path))) ?? []).filter((event) => {
    const object = textAt(event, "involvedObject.name");
    // ReplicaSets and pods have the name of their Deployment before theirs.
    return names.some((one) => object === one || object.startsWith(`${one}-`));
  });
  const [newest] = events.sort((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1));
  return newest && [textAt(newest, "reason"), textAt(newest, "message")].filter(Boolean).join(": ");
}

const timeOf = (event: LiveObject): string =>
  textAt(event, "lastTimestamp") || textAt(event, "eventTime") || textAt(event, "metadata.creationTimestamp");
