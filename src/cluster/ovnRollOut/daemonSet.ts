import { describeReference } from "../../requirements/documents";
import { OVNKUBE_NODE, rollOutSource } from "../../requirements/ovnNodes";
import { rollOutOf } from "../../resources/daemonSet";
import { LiveStatus, type LiveCheck } from "../liveCheck";
import type { LiveObject } from "../liveCluster";

/** The DaemonSet that rolls out where internal subnets change. */
export const ROLL_OUT_PATH = `/apis/apps/v1/namespaces/${OVNKUBE_NODE.namespace}/daemonsets/${OVNKUBE_NODE.name}`;

/**
 * Whether ovnkube-node is rolled out on every node.
 *
 * @param since the generation that it had before the change: an equal one is the old state, and never passes
 */
export function rollOutCheck(daemonSet: LiveObject | undefined, since: number | undefined): LiveCheck {
  const { found, isDone } = daemonSet
    ? stateOf(daemonSet, since)
    : { found: "no such DaemonSet", isDone: false };
  const newer = since === undefined ? "" : ` of a generation after ${since}`;
  return {
    id: "ovnkube-node-roll-out",
    what: `the roll-out of DaemonSet ${OVNKUBE_NODE.namespace}/${OVNKUBE_NODE.name}`,
    expected: `every pod updated and available${newer}`,
    found,
    status: isDone ? LiveStatus.Passed : LiveStatus.Failed,
    ...(!isDone && { fix: `look at its pods: oc get pods -n ${OVNKUBE_NODE.namespace} -o wide` }),
    documented: describeReference(rollOutSource),
  };
}

function stateOf(daemonSet: LiveObject, since: number | undefined): { found: string; isDone: boolean } {
  const { generation, isSeen, wanted, isDone, progress } = rollOutOf(daemonSet);
  if (since !== undefined && generation <= since)
    return { found: `${progress}: still the generation from before the change`, isDone: false };
  if (!isSeen)
    return { found: `${progress}: its controller has not seen this generation yet`, isDone: false };
  if (wanted === 0) return { found: `${progress}: the cluster has no node for it`, isDone: false };
  return { found: progress, isDone };
}
