import { LiveStatus, type LiveCheck } from "../../cluster/liveCheck";
import type { JobAnswer, PodResult } from "../probes/askByJob";
import type { WorkerFlow } from "./workerFlows";

/** From how many nodes the flows are tried. */
export const PODS = 2;

/** What the pods found. */
export interface FlowsAnswer extends JobAnswer {
  /**
   * How many nodes take pods: fewer reports are no proof for them. Absent where the reports come from as many nodes as there are
   * pods, and where nobody may list nodes.
   */
  nodes?: number | undefined;
}

type Verdict = Pick<LiveCheck, "found" | "status"> & { fix: string };

/** What the answers to a flow come to: each node has to have one. */
export function verdict(flow: WorkerFlow, answer: FlowsAnswer, hasProxy: boolean): Verdict {
  const own = answer.results.filter(({ id }) => id === flow.id);
  const unanswered = own.filter(({ answered }) => !answered);
  const found = foundText(unanswered.length > 0 ? unanswered : own);
  if (unanswered.length === 0) return complete(own, answer, found);
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

const foundText = (results: readonly PodResult[]): string => {
  const texts = results.map(({ found, node }) => `${found}${node === undefined ? "" : ` from ${node}`}`);
  return [...new Set(texts)].join("; ");
};

/** Where nobody went without an answer, each pod has to have reported, from a node of its own as far as there are so many. */
function complete(
  own: readonly PodResult[],
  { silent, problem, nodes }: FlowsAnswer,
  found: string,
): Verdict {
  const pods = silent.length === 0 ? "" : `; the other pod: ${[...new Set(silent)].join("; ")}`;
  if (own.length < PODS)
    return {
      found:
        own.length === 0
          ? `${problem}${pods}`
          : `${found}, and from ${PODS - own.length} of ${PODS} pods nothing: ${problem}${pods}`,
      status: LiveStatus.Unknown,
      fix: "look at the cluster's events, or try a longer --timeout; --probe-image names an image that the nodes can pull",
    };
  const [node, ...others] = new Set(own.map((result) => result.node));
  if (others.length === 0 && (nodes === undefined || nodes > 1))
    return {
      found: `${found}; from ${node ?? "one node"} alone, ${nodes === undefined ? "and nobody may list the nodes" : `although ${nodes} nodes take pods`}`,
      status: LiveStatus.Unknown,
      fix: "look at the room on the other nodes, and try again; listing nodes needs the role of rbac/verify-hosted.yaml",
    };
  return { found, status: LiveStatus.Passed, fix: "" };
}
