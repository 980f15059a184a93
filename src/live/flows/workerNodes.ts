import { read, readValue } from "../../resources/read";
import { LiveFault, type LiveCluster, type LiveObject } from "../liveCluster";
import { NODES_PATH } from "../subnets/nodes";

/** How many nodes take pods without tolerations; undefined for somebody who may not list nodes. */
export async function nodesThatTakePods(cluster: LiveCluster): Promise<number | undefined> {
  try {
    return (await cluster.list(NODES_PATH)).filter(takesPods).length;
  } catch (error) {
    if (error instanceof LiveFault && error.status === 403) return undefined;
    throw error;
  }
}

/** Cordoned nodes and those that are not ready have such a taint too. */
const takesPods = (node: LiveObject): boolean =>
  readValue(node, "spec.unschedulable") !== true &&
  read(node, "spec.taints[].effect").every(({ value }) => value === "PreferNoSchedule");
