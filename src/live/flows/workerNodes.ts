import { read, readValue } from "../../resources/read";
import type { LiveCluster, LiveObject } from "../../cluster/liveCluster";
import { unlessForbidden } from "../../cluster/liveFault";
import { NODES_PATH } from "../../cluster/ovnRollOut/nodes";

/** How many nodes take pods without tolerations; undefined for somebody who may not list nodes. */
export async function nodesThatTakePods(cluster: LiveCluster): Promise<number | undefined> {
  return (await unlessForbidden(cluster.list(NODES_PATH)))?.filter(takesPods).length;
}

/** Cordoned nodes and those that are not ready have such a taint too. */
const takesPods = (node: LiveObject): boolean =>
  readValue(node, "spec.unschedulable") !== true &&
  read(node, "spec.taints[].effect").every(({ value }) => value === "PreferNoSchedule");
