import { probeJob, socketText, type ProbeRequest } from "../../probes/objects";
import type { ProbeFrame } from "../../probes/frame";
import {
  type LiveCheck,
  type LiveCluster,
  type LiveObject,
  LiveStatus,
  unlessForbidden,
  checkOf,
} from "../../cluster/liveCluster";
import type { Waiting } from "../../cluster/interruptible";
import { askByJob, type JobAnswer, type PodResult } from "../probes/pods";
import { inPlace } from "../probes/place";
import type { ProbeSettings } from "../probes/verifyTraffic";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { KONNECTIVITY_AGENT_PATH } from "./endpoints";
import { workerFlows, type WorkerFlow } from "./workerFlows";
import { read, readValue } from "../../resources/read";
import { NODES_PATH } from "../../cluster/ovnRollOut/nodes";

/** The hosted cluster whose flows are verified. */
export interface FlowsQuestion {
  hostedCluster: LiveObject;
  topology: NormalizedTopology;
}

/**
 * Verifies that workers reach what the documents require: each flow is tried from pods on two nodes, which use the nodes' addresses and
 * name servers. Flows whose endpoint is not stated are not tried.
 */
export async function verifyFlows(
  cluster: LiveCluster,
  { hostedCluster, topology }: FlowsQuestion,
  settings: ProbeSettings,
  waiting: Waiting,
): Promise<LiveCheck[]> {
  // A user without the right to read it can state the endpoint in the configuration.
  const konnectivityAgent = await unlessForbidden(cluster.get(KONNECTIVITY_AGENT_PATH));
  const flows = workerFlows({ hostedCluster, konnectivityAgent, topology });
  return inPlace(cluster, settings, waiting, async (frame) => {
    const answer = await asked(cluster, frame, flows, settings, waiting);
    return flows.map((flow) => flowCheck(flow, answer, topology.proxy !== undefined));
  });
}

async function asked(
  cluster: LiveCluster,
  frame: ProbeFrame,
  flows: readonly WorkerFlow[],
  { timeoutSeconds }: ProbeSettings,
  waiting: Waiting,
): Promise<FlowsAnswer> {
  const requests = flows.flatMap(({ request }) => request ?? []);
  const job = probeJob(frame, { requests, timeoutSeconds, pods: PODS, asNode: true });
  const answer = await askByJob(cluster, frame, job, waiting);
  const from = new Set(answer.results.map(({ node }) => node));
  // The number of nodes matters only then, so the right to list nodes is needed only then.
  const isFromOne = answer.results.length > 0 && from.size < PODS;
  return { ...answer, ...(isFromOne && { nodes: await nodesThatTakePods(cluster) }) };
}

function flowCheck(flow: WorkerFlow, answer: FlowsAnswer, hasProxy: boolean): LiveCheck {
  const { id, whom, protocol, requirement, documented, request, missing } = flow;
  const where = request && whereOf(request);
  const { fix, ...outcome } = request
    ? verdict(flow, answer, hasProxy)
    : { found: "its place is not stated", status: LiveStatus.Unknown, fix: `check ${missing}` };
  const subject = {
    id,
    ...(requirement !== undefined && { requirement }),
    what: `workers reach ${whom}${requirement === undefined ? "" : ` (${requirement})`}`,
    expected: where === undefined ? "an endpoint, and an answer" : `an answer of ${where}, ${protocol}`,
  };
  return checkOf(subject, outcome, fix, documented);
}

const whereOf = ({ address, port, others = [] }: ProbeRequest): string =>
  address === undefined ? `port ${port}` : [{ address, port }, ...others].map(socketText).join(" or ");

/** The number of nodes from which flows are tried. */
export const PODS = 2;

/** What the pods found. */
export interface FlowsAnswer extends JobAnswer {
  /**
   * The number of nodes that accept pods; if it is higher than the number of reporting nodes, the reports are no proof. Undefined if there
   * is one reporting node for each pod, or if listing nodes is forbidden.
   */
  nodes?: number | undefined;
}

type Verdict = Pick<LiveCheck, "found" | "status"> & { fix: string };

/** Judges the answers to a flow: each node must have one. */
export function verdict(flow: WorkerFlow, answer: FlowsAnswer, hasProxy: boolean): Verdict {
  const own = answer.results.filter(({ id }) => id === flow.id);
  const unanswered = own.filter(({ answered }) => !answered);
  const found = foundText(unanswered.length > 0 ? unanswered : own);
  if (unanswered.length === 0) return complete(own, answer, found);
  if (hasProxy && flow.mayUseProxy)
    return {
      found: `${found}; not directly, but a proxy is configured that the request may use`,
      status: LiveStatus.Unknown,
      fix: "check what bypasses the proxy, and whether the proxy allows it",
    };
  return {
    found,
    status: LiveStatus.Failed,
    fix: "check the filters between workers and that endpoint: hypershift-network flows lists them, explain gives the reason",
  };
}

const foundText = (results: readonly PodResult[]): string => {
  const texts = results.map(({ found, node }) => `${found}${node === undefined ? "" : ` from ${node}`}`);
  return [...new Set(texts)].join("; ");
};

/** The verdict if no pod failed to get an answer: each pod must have reported, from different nodes if there are enough. */
function complete(
  own: readonly PodResult[],
  { silent, problem, nodes }: FlowsAnswer,
  found: string,
): Verdict {
  const pods =
    silent.length === 0
      ? ""
      : `; the other pod: ${[...new Set(silent.map(({ words }) => words))].join("; ")}`;
  if (own.length < PODS)
    return {
      found:
        own.length === 0
          ? `${problem}${pods}`
          : `${found}, and nothing from ${PODS - own.length} of ${PODS} pods: ${problem}${pods}`,
      status: LiveStatus.Unknown,
      fix: "check the cluster's events, or try a longer --timeout; --probe-image names an image that the nodes can pull",
    };
  const [node, ...others] = new Set(own.map((result) => result.node));
  if (others.length === 0 && (nodes === undefined || nodes > 1))
    return {
      found: `${found}; only from ${node ?? "one node"}, ${nodes === undefined ? "and the user is not allowed to list nodes" : `although ${nodes} nodes accept pods`}`,
      status: LiveStatus.Unknown,
      fix: "check the free capacity of the other nodes, and try again; listing nodes needs the role of rbac/verify-hosted.yaml",
    };
  return { found, status: LiveStatus.Passed, fix: "" };
}

/** The number of nodes that accept pods without tolerations; undefined if the user may not list nodes. */
async function nodesThatTakePods(cluster: LiveCluster): Promise<number | undefined> {
  return (await unlessForbidden(cluster.list(NODES_PATH)))?.filter(takesPods).length;
}

/** Cordoned nodes, and nodes that are not ready, have such a taint too. */
const takesPods = (node: LiveObject): boolean =>
  readValue(node, "spec.unschedulable") !== true &&
  read(node, "spec.taints[].effect").every(({ value }) => value === "PreferNoSchedule");
