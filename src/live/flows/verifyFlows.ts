import { probeJob, type ProbeFrame } from "../../manifests/probes";
import { LiveStatus, type LiveCheck } from "../liveCheck";
import { LiveFault, type LiveCluster, type LiveObject } from "../liveCluster";
import type { Waiting } from "../until";
import { askByJob, type JobAnswer } from "../probes/askByJob";
import { inPlace, type ProbeSettings } from "../probes/verifyTraffic";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { KONNECTIVITY_AGENT_PATH } from "./endpoints";
import { workerFlows, type WorkerFlow } from "./workerFlows";

/** From how many nodes the flows are tried. */
const PODS = 2;

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
  const konnectivityAgent = await orNothing(cluster.get(KONNECTIVITY_AGENT_PATH));
  const flows = workerFlows({ hostedCluster, konnectivityAgent, topology });
  return inPlace(cluster, settings, waiting, async (frame) => {
    const answer = await asked(cluster, frame, flows, settings, waiting);
    return flows.map((flow) => flowCheck(flow, answer, topology.proxy !== undefined));
  });
}

/** Somebody who may not read it says the endpoint in the configuration. */
async function orNothing(getting: Promise<LiveObject | undefined>): Promise<LiveObject | undefined> {
  try {
    return await getting;
  } catch (error) {
    if (error instanceof LiveFault && error.status === 403) return undefined;
    throw error;
  }
}

function asked(
  cluster: LiveCluster,
  frame: ProbeFrame,
  flows: readonly WorkerFlow[],
  { timeoutSeconds }: ProbeSettings,
  waiting: Waiting,
): Promise<JobAnswer> {
  const requests = flows.flatMap(({ request }) => request ?? []);
  const job = probeJob(frame, { requests, timeoutSeconds, pods: PODS, asNode: true });
  return askByJob(cluster, frame, job, waiting);
}

function flowCheck(flow: WorkerFlow, answer: JobAnswer, hasProxy: boolean): LiveCheck {
  const { id, whom, protocol, requirement, documented, request, missing } = flow;
  const where = request && (request.address === undefined ? `port ${request.port}` : hostText(request));
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

const hostText = ({ address = "", port }: { address?: string; port: number }): string =>
  address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;

/** Each node has to have an answer. */
function verdict(flow: WorkerFlow, { results, problem }: JobAnswer, hasProxy: boolean) {
  const own = results.filter(({ id }) => id === flow.id);
  const silent = own.filter(({ answered }) => !answered);
  const texts = (silent.length > 0 ? silent : own).map(
    ({ found, node }) => `${found}${node === undefined ? "" : ` from ${node}`}`,
  );
  const found = [...new Set(texts)].join("; ");
  if (own.length === 0)
    return {
      found: problem ?? "nothing",
      status: LiveStatus.Unknown,
      fix: "look at the cluster's events, or try a longer --timeout",
    };
  if (silent.length === 0) return { found, status: LiveStatus.Passed, fix: "" };
  if (hasProxy && flow.mayUseProxy)
    return {
      found: `${found}; not by itself, and a proxy is configured by which it may go`,
      status: LiveStatus.Unknown,
      fix: "look at what bypasses the proxy, and whether the proxy lets it pass",
    };
  return {
    found,
    status: LiveStatus.Failed,
    fix: "look at the filters between workers and that endpoint: hypershift-network flows lists them, explain gives the reason",
  };
}
