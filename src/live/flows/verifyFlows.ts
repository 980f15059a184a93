import { probeJob } from "../../probes/objects";
import { socketText, type ProbeRequest } from "../../probes/requests";
import type { ProbeFrame } from "../../probes/frame";
import { LiveStatus, type LiveCheck } from "../../cluster/liveCheck";
import type { LiveCluster, LiveObject } from "../../cluster/liveCluster";
import { unlessForbidden } from "../../cluster/liveFault";
import type { Waiting } from "../../cluster/until";
import { askByJob } from "../probes/askByJob";
import { inPlace } from "../probes/inPlace";
import type { ProbeSettings } from "../probes/verifyTraffic";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { KONNECTIVITY_AGENT_PATH } from "./endpoints";
import { PODS, verdict, type FlowsAnswer } from "./verdict";
import { workerFlows, type WorkerFlow } from "./workerFlows";
import { nodesThatTakePods } from "./workerNodes";

/** Which flows are verified. */
export interface FlowsQuestion {
  hostedCluster: LiveObject;
  topology: NormalizedTopology;
}

/**
 * Whether workers reach what the documents demand: each flow is tried from pods on two nodes, which leave by the nodes'
 * addresses and ask the nodes' name servers. What nobody says where it is, is not tried.
 */
export async function verifyFlows(
  cluster: LiveCluster,
  { hostedCluster, topology }: FlowsQuestion,
  settings: ProbeSettings,
  waiting: Waiting,
): Promise<LiveCheck[]> {
  // Somebody who may not read it says the endpoint in the configuration.
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
  // Only then it matters, and only then the right to list nodes is needed.
  const isFromOne = answer.results.length > 0 && from.size < PODS;
  return { ...answer, ...(isFromOne && { nodes: await nodesThatTakePods(cluster) }) };
}

function flowCheck(flow: WorkerFlow, answer: FlowsAnswer, hasProxy: boolean): LiveCheck {
  const { id, whom, protocol, requirement, documented, request, missing } = flow;
  const where = request && whereOf(request);
  const { found, status, fix } = request
    ? verdict(flow, answer, hasProxy)
    : {
        found: "nobody says where it is",
        status: LiveStatus.Unknown,
        fix: `look at ${missing}`,
      };
  return {
    id,
    ...(requirement !== undefined && { requirement }),
    what: `workers reach ${whom}${requirement === undefined ? "" : ` (${requirement})`}`,
    expected: where === undefined ? "an endpoint, and an answer" : `an answer of ${where}, ${protocol}`,
    found,
    status,
    ...(status !== LiveStatus.Passed && { fix }),
    documented,
  };
}

const whereOf = ({ address, port, others = [] }: ProbeRequest): string =>
  address === undefined ? `port ${port}` : [{ address, port }, ...others].map(socketText).join(" or ");
