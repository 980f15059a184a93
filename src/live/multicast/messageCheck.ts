import { senderName } from "../../probes/multicast";
import type { ProbeFrame } from "../../probes/frame";
import { describeReference } from "../../requirements/documents";
import { multicastSource } from "../../requirements/multicast";
import { LiveStatus, type LiveCheck } from "../../cluster/liveCheck";
import type { JobAnswer, PodResult } from "../probes/askByJob";
import { podFix } from "../probes/podsReady";

/** A message that is waited for. */
export interface Message {
  /** Id of its request. */
  id: string;
  /** Group and port: `224.1.0.1:30102`. */
  group: string;
  frame: ProbeFrame;
  /** The node of the pod that sends it, as far as it is known. */
  from?: string;
}

/** Whether a message arrived, as the pod says that waited for it. */
export function messageCheck({ id, group, frame, from }: Message, answer: JobAnswer): LiveCheck {
  const result = answer.results.find((one) => one.id === id);
  const { namespace, image, name } = frame;
  const shown = {
    id,
    what: `a pod of namespace ${namespace} receives what another one sends to ${group}, UDP`,
    expected: `a message of pod ${senderName(name)}`,
    documented: describeReference(multicastSource),
  };
  if (!result) {
    const found = [answer.problem, ...answer.silent.filter((words) => !answer.problem.includes(words))].join(
      "; ",
    );
    const fix = podFix(found, { namespace, image, unscheduled: "a node has to take the pod that receives" });
    return { ...shown, found, status: LiveStatus.Unknown, fix };
  }
  const found = `${result.found}${wayOf(result, from)}`;
  if (result.answered) return { ...shown, found, status: LiveStatus.Passed };
  return { ...shown, found, status: LiveStatus.Failed, fix: FIX };
}

const FIX =
  "look at NetworkPolicies of the namespace, and at the logs of the ovnkube-node pods of both nodes: oc get pods -n openshift-ovn-kubernetes -o wide";

/** A message within one node says nothing about the way between nodes. */
function wayOf({ node }: PodResult, from: string | undefined): string {
  if (node === undefined || from === undefined) return "";
  return node === from ? `, both pods on ${node}` : `, sent on ${from}, waited for on ${node}`;
}
