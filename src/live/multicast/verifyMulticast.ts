import { MULTICAST_ANNOTATION } from "../../multicast/multicast";
import { IpFamily, socketText, type ProbeRequest } from "../../probes/objects";
import { multicastRequests, receiverJob, senderName, senderPod } from "../../probes/multicast";
import type { ProbeFrame } from "../../probes/frame";
import { describeReference } from "../../requirements/documents";
import { multicastSource } from "../../requirements/probes";
import { annotationOf } from "../../resources/kubernetesObject";
import { readText } from "../../resources/read";
import {
  LiveStatus,
  type LiveCheck,
  type LiveCluster,
  type LiveObject,
  checkOf,
} from "../../cluster/liveCluster";
import {
  askByJob,
  type JobAnswer,
  podDeadline,
  podFix,
  type PodResult,
  type PodState,
  podsReady,
} from "../probes/pods";
import { createIn, faultCheck, inPlace, pathOf } from "../probes/place";
import type { ProbeSettings } from "../probes/verifyTraffic";
import { until, type Waiting } from "../../cluster/interruptible";

/**
 * Runs the verification that OCP 4.7 OVN documents for multicast in a namespace: its annotation, and a pod that receives what another pod
 * sends to a group, for each family of the cluster network. If the annotation is missing, nothing is sent, because nothing would arrive.
 * Faults become checks that did not pass; the probes are always removed.
 */
export async function verifyMulticast(
  cluster: LiveCluster,
  namespace: string,
  settings: ProbeSettings,
  waiting: Waiting,
): Promise<LiveCheck[]> {
  const annotation = await annotationCheck(cluster, namespace, waiting);
  if (annotation.status !== LiveStatus.Passed) return [annotation];
  const where = { ...settings, namespace, source: multicastSource };
  const received = await inPlace(cluster, where, waiting, async (frame, place) => {
    const { families = [IpFamily.IPv4], timeoutSeconds } = settings;
    const pod = senderPod(frame, families, podDeadline(timeoutSeconds));
    await createIn(cluster, place, pathOf("pods", namespace), pod, waiting);
    const question = {
      id: "multicast/sender",
      what: `the sending pod in namespace ${namespace}`,
      expected: "ready",
      names: [senderName(frame.name)],
      found: ([sender]: readonly PodState[]) => sender?.words ?? "",
      unscheduled: UNSCHEDULED,
      source: multicastSource,
    };
    const { check, pods } = await podsReady(cluster, frame, question, waiting);
    if (check.status !== LiveStatus.Passed) return [check];
    const requests = multicastRequests(frame, families);
    return [check, ...(await messageChecks(cluster, frame, { requests, timeoutSeconds, pods }, waiting))];
  });
  return [annotation, ...received];
}

const DOCUMENTED = describeReference(multicastSource);
const [[ANNOTATION, VALUE]] = Object.entries(MULTICAST_ANNOTATION) as [[string, string]];

async function annotationCheck(
  cluster: LiveCluster,
  namespace: string,
  waiting: Waiting,
): Promise<LiveCheck> {
  const id = "multicast/annotation";
  const what = `the annotation of namespace ${namespace}`;
  const expected = `${ANNOTATION}=${VALUE}`;
  const judged = async (): Promise<LiveCheck> => {
    const found = foundIn(await cluster.get(`/api/v1/namespaces/${namespace}`));
    const status = found === expected ? LiveStatus.Passed : LiveStatus.Failed;
    const fix = `enable multicast: oc annotate namespace ${namespace} ${expected}, or use the component MulticastNamespace`;
    return checkOf({ id, what, expected }, { found, status }, fix, DOCUMENTED);
  };
  try {
    // Only users set the annotation: waiting is pointless.
    return await until(judged, waiting, () => true);
  } catch (error) {
    return faultCheck({ id, what, expected, source: multicastSource }, error);
  }
}

function foundIn(namespace: LiveObject | undefined): string {
  if (!namespace) return "no such namespace";
  const value = annotationOf(namespace, ANNOTATION);
  return value === undefined ? "not there" : `${ANNOTATION}=${value}`;
}

const UNSCHEDULED =
  "a node must accept it: check oc get nodes, taints and capacity of the NodePools, and the node selector of the namespace";

/** The requests, and the pods that send the messages. */
interface Sending {
  requests: readonly ProbeRequest[];
  timeoutSeconds: number;
  pods: readonly LiveObject[];
}

async function messageChecks(
  cluster: LiveCluster,
  frame: ProbeFrame,
  { requests, timeoutSeconds, pods }: Sending,
  waiting: Waiting,
): Promise<LiveCheck[]> {
  const job = receiverJob(frame, requests, timeoutSeconds);
  const deadline = waiting.now() + timeoutSeconds * 1_000;
  const answer = await askByJob(cluster, frame, job, { ...waiting, deadline });
  const node = pods[0] && readText(pods[0], "spec.nodeName");
  return requests.map(({ id, address = "", port }) =>
    messageCheck(
      { id, group: socketText({ address, port }), frame, ...(typeof node === "string" && { from: node }) },
      answer,
    ),
  );
}

/** An expected message. */
export interface Message {
  /** Id of its request. */
  id: string;
  /** Group and port: `224.1.0.1:30102`. */
  group: string;
  frame: ProbeFrame;
  /** The node of the sending pod, if known. */
  from?: string;
}

/** Whether a message arrived, as reported by the receiving pod. */
function messageCheck({ id, group, frame, from }: Message, answer: JobAnswer): LiveCheck {
  const result = answer.results.find((one) => one.id === id);
  const { namespace, image, name } = frame;
  const shown = {
    id,
    what: `a pod of namespace ${namespace} receives what another pod sends to ${group}, UDP`,
    expected: `a message of pod ${senderName(name)}`,
  };
  if (!result) {
    const { problem, isOver, silent } = answer;
    const found = [problem, ...(isOver ? silent.map(({ words }) => words) : [])].join("; ");
    const fix = podFix(silent, { namespace, image, unscheduled: "a node must accept the receiving pod" });
    return checkOf(shown, { found, status: LiveStatus.Unknown }, fix, DOCUMENTED);
  }
  const found = `${result.found}${wayOf(result, from)}`;
  const status = result.answered ? LiveStatus.Passed : LiveStatus.Failed;
  return checkOf(shown, { found, status }, FIX, DOCUMENTED);
}

const FIX =
  "check NetworkPolicies of the namespace, and the logs of the ovnkube-node pods of both nodes: oc get pods -n openshift-ovn-kubernetes -o wide";

/** The nodes of the message. A message within one node proves nothing about the path between nodes. */
function wayOf({ node }: PodResult, from: string | undefined): string {
  if (node === undefined || from === undefined) return "";
  return node === from ? `, both pods on ${node}` : `, sent on ${from}, expected on ${node}`;
}
