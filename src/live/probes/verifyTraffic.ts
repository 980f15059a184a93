import {
  probeJob,
  probeService,
  serverNames,
  serverPod,
  socketText,
  trafficRequests,
  type IpFamily,
  type ProbeRequest,
} from "../../probes/objects";
import type { ProbeFrame } from "../../probes/frame";
import { describeReference } from "../../requirements/documents";
import { PROBE, trafficSource } from "../../requirements/probes";
import { readText, readTexts } from "../../resources/read";
import {
  type LiveCheck,
  type LiveCluster,
  type LiveObject,
  LiveStatus,
  checkOf,
} from "../../cluster/liveCluster";
import type { Waiting } from "../../cluster/interruptible";
import { askByJob, podDeadline, podsReady, type PodState } from "./pods";
import { createIn, inPlace, pathOf, type PlaceSettings } from "./place";

/** Settings of probes. */
export interface ProbeSettings extends Omit<PlaceSettings, "source"> {
  /** Address families that must work. Default: the families of the pods and the Service. */
  families?: readonly IpFamily[] | undefined;
  /** Seconds to wait for the pods, and again for the Job. */
  timeoutSeconds: number;
}

/** Two pods, a Service and a Job in the cluster. */
interface Probe {
  cluster: LiveCluster;
  frame: ProbeFrame;
  settings: ProbeSettings;
  waiting: Waiting;
}

/**
 * Runs the verification by traffic that OKD networking documents: two pods on two nodes, a Service in front of both, and requests to each.
 * The probes are always removed, and leftovers of an interrupted run are removed first. Faults become checks that did not pass, so that
 * other checks are still reported.
 */
export async function verifyTraffic(
  cluster: LiveCluster,
  settings: ProbeSettings,
  waiting: Waiting,
): Promise<LiveCheck[]> {
  return inPlace(cluster, settings, waiting, async (frame, place) => {
    const probe = { cluster, frame, settings, waiting };
    const { namespace } = frame;
    const names = serverNames(frame.name);
    for (const name of names) {
      const pod = serverPod(frame, name, podDeadline(settings.timeoutSeconds));
      await createIn(cluster, place, pathOf("pods", namespace), pod, waiting);
    }
    const service = await cluster.create(pathOf("services", namespace), probeService(frame));
    const question = {
      id: "probe-pods",
      what: `two pods on different nodes, in namespace ${namespace}`,
      expected: "both ready",
      names,
      found: (states: readonly PodState[]) =>
        states.map(({ words }, index) => `pod ${ORDINALS[index]}: ${words}`).join("; "),
      unscheduled: UNSCHEDULED,
      source: trafficSource,
    };
    const { check, pods } = await podsReady(cluster, frame, question, waiting);
    if (check.status !== LiveStatus.Passed) return [check];
    return [check, ...(await requestChecks(probe, pods, service))];
  });
}

const DOCUMENTED = describeReference(trafficSource);

const ORDINALS = ["one", "two"] as const;

const UNSCHEDULED =
  "two nodes must accept pods: check oc get nodes, and taints and capacity of the NodePools; --no-probes skips the probes";

async function requestChecks(
  { cluster, frame, settings, waiting }: Probe,
  pods: readonly LiveObject[],
  service: LiveObject,
): Promise<LiveCheck[]> {
  const servers = serverNames(frame.name);
  const requests = trafficRequests(
    [
      ...pods.map((pod, index) => ({
        id: `pod-to-pod/${ORDINALS[index]}`,
        addresses: readTexts(pod, "status.podIPs[].ip"),
        port: PROBE.targetPort,
        answers: [servers[index]!],
      })),
      {
        id: "pod-to-service",
        addresses: readTexts(service, "spec.clusterIPs[]"),
        port: PROBE.servicePort,
        answers: servers,
      },
    ],
    settings.families,
  );
  const nodes = pods.map((pod) => readText(pod, "spec.nodeName"));
  const { timeoutSeconds } = settings;
  const deadline = waiting.now() + timeoutSeconds * 1_000;
  const job = probeJob(frame, { requests, timeoutSeconds });
  const { results, problem } = await askByJob(cluster, frame, job, { ...waiting, deadline });
  return requests.map((request): LiveCheck => {
    const result = results.find(({ id }) => id === request.id);
    const status = result ? (result.answered ? LiveStatus.Passed : LiveStatus.Failed) : LiveStatus.Unknown;
    const expected =
      request.address === undefined
        ? "an address, and an answer"
        : `an answer of ${socketText({ ...request, address: request.address })}`;
    return checkOf(
      { id: request.id, what: whatOf(request, nodes), expected },
      { found: result?.found ?? problem ?? "nothing", status },
      result ? FIX : "check the cluster's events, or try a longer --timeout",
      DOCUMENTED,
    );
  });
}

const FIX =
  "check the ovnkube-node pods of both nodes and their logs, and NetworkPolicies of the namespace: oc get pods -n openshift-ovn-kubernetes -o wide";

function whatOf({ id }: ProbeRequest, nodes: readonly unknown[]): string {
  const [kind, ,] = id.split("/");
  const family = id.split("/").at(-1);
  if (kind === "pod-to-service") return `a pod reaches the Service in front of both pods by ${family}`;
  const index = id.includes("/two/") ? 1 : 0;
  const node = nodes[index];
  return `a pod reaches pod ${ORDINALS[index]}${typeof node === "string" ? ` on ${node}` : ""} by ${family}`;
}
