import {
  probeJob,
  ProbeManager,
  probeService,
  socketText,
  serverNames,
  serverPod,
  trafficRequests,
  type IpFamily,
  type ProbeFrame,
  type ProbeRequest,
} from "../../manifests/probes";
import { describeReference } from "../../requirements/documents";
import { PROBE, PROBE_IMAGE, trafficSource } from "../../requirements/probes";
import { read, readText } from "../../resources/read";
import { LiveStatus, type LiveCheck } from "../liveCheck";
import { LiveFault, type LiveCluster, type LiveObject } from "../liveCluster";
import { until, type Waiting } from "../until";
import { askByJob } from "./askByJob";
import { Interrupted } from "../interrupted";
import { closePlace, createIn, openPlace, pathOf, removeProbes, type ProbePlace } from "./place";
import { podState } from "./podState";

/** How probes are made. */
export interface ProbeSettings {
  /** Distinguishes this run from others: lower-case letters and digits. */
  run: string;
  /** A namespace that exists. Absent: one of our own, which goes with the probes. */
  namespace?: string | undefined;
  /** Image with Python. Defaults to the one that the components take. */
  image?: string | undefined;
  /** Address families that have to work. Absent: those that pods and Service have. */
  families?: readonly IpFamily[] | undefined;
  /** Seconds for the pods, and as many for the Job. */
  timeoutSeconds: number;
}

/** Two pods, a Service and a Job, while they are in the cluster. */
interface Probe {
  cluster: LiveCluster;
  frame: ProbeFrame;
  settings: ProbeSettings;
  waiting: Waiting;
}

/**
 * The verification of document D0 by traffic: two pods on two nodes, a Service before both, and requests to each. What was
 * made is removed whatever happens, and what an interrupted run left is removed first. What goes wrong is a check that did
 * not pass, so that other checks are reported beside it.
 */
export async function verifyTraffic(
  cluster: LiveCluster,
  settings: ProbeSettings,
  waiting: Waiting,
): Promise<LiveCheck[]> {
  return inPlace(cluster, settings, waiting, async (frame, place) => {
    const probe = { cluster, frame, settings, waiting };
    const names = serverNames(frame.name);
    const deadline = 2 * settings.timeoutSeconds + SPARE_SECONDS;
    for (const name of names)
      await createIn(
        cluster,
        place,
        pathOf("pods", frame.namespace),
        serverPod(frame, name, deadline),
        waiting,
      );
    const service = await cluster.create(pathOf("services", frame.namespace), probeService(frame));
    const { check, pods } = await podsReady(probe, names);
    if (check.status !== LiveStatus.Passed) return [check];
    return [check, ...(await requestChecks(probe, pods, service))];
  });
}

/** Seconds after which pods end by themselves where nobody is left to remove them, beyond the time of the run. */
const SPARE_SECONDS = 60;

/**
 * Makes room for probes and clears up after them. Faults become checks.
 *
 * @throws Interrupted with what became of the probes
 */
export async function inPlace(
  cluster: LiveCluster,
  { run, namespace, image = PROBE_IMAGE }: Pick<ProbeSettings, "run" | "namespace" | "image">,
  waiting: Waiting,
  probe: (frame: ProbeFrame, place: ProbePlace) => Promise<LiveCheck[]>,
): Promise<LiveCheck[]> {
  let place: ProbePlace | undefined;
  const checks: LiveCheck[] = [];
  try {
    place = await openPlace(cluster, namespace, waiting);
    await removeProbes(cluster, place.namespace);
    const frame = {
      name: `verify-${run}`,
      namespace: place.namespace,
      manager: ProbeManager.Command,
      image,
    };
    checks.push(...(await probe(frame, place)));
  } catch (error) {
    if (!(error instanceof LiveFault)) {
      const removal = place && (await cleared(cluster, place));
      if (error instanceof Interrupted && removal) error.removal = removal;
      throw error;
    }
    checks.push(faultCheck("probes", `probes in ${cluster.name}`, "made and asked", error));
  }
  return [...checks, ...(place ? await cleared(cluster, place) : [])];
}

async function cleared(cluster: LiveCluster, place: ProbePlace): Promise<LiveCheck[]> {
  try {
    await closePlace(cluster, place);
    return [];
  } catch (error) {
    return [faultCheck("probe-removal", `probes in namespace ${place.namespace}`, "removed", error)];
  }
}

/** @throws what is no fault of a cluster */
function faultCheck(id: string, what: string, expected: string, error: unknown): LiveCheck {
  if (!(error instanceof LiveFault)) throw error;
  const { message: found, remedy: fix } = error;
  return { id, what, expected, found, status: LiveStatus.Unknown, fix, documented: DOCUMENTED };
}

const DOCUMENTED = describeReference(trafficSource);

async function podsReady({ cluster, frame, waiting }: Probe, names: readonly string[]) {
  let pods: LiveObject[] = [];
  let isHopeless = false;
  const check = await until(
    async (): Promise<LiveCheck> => {
      const found = await Promise.all(
        names.map((name) => cluster.get(`${pathOf("pods", frame.namespace)}/${name}`)),
      );
      const states = found.map(podState);
      pods = found.flatMap((pod) => (pod ? [pod] : []));
      isHopeless = states.some((state) => state.isHopeless);
      return podsCheck(
        frame,
        states.map(({ words }, index) => `pod ${ORDINALS[index]}: ${words}`).join("; "),
        states.every(({ isReady }) => isReady),
      );
    },
    waiting,
    () => isHopeless,
  );
  const timedOut = check.status !== LiveStatus.Passed && !isHopeless;
  return { pods, check: timedOut ? { ...check, found: `${check.found}, when the time was over` } : check };
}

const ORDINALS = ["one", "two"] as const;

const podsCheck = ({ namespace, image }: ProbeFrame, found: string, isReady: boolean): LiveCheck => ({
  id: "probe-pods",
  what: `two pods on different nodes, in namespace ${namespace}`,
  expected: "both ready",
  found,
  status: isReady ? LiveStatus.Passed : LiveStatus.Failed,
  ...(!isReady && { fix: fixOf(found, { namespace, image }) }),
  documented: DOCUMENTED,
});

/** What to do about pods that do not get ready. */
function fixOf(found: string, { namespace, image }: Pick<ProbeFrame, "namespace" | "image">): string {
  if (found.includes("image"))
    return `name an image with --probe-image that the nodes can pull and that runs as any user: a copy of ${image} in your registry`;
  if (found.includes("not scheduled"))
    return "two nodes have to take pods: look at oc get nodes, and at taints and room of the NodePools; --no-probes leaves the probes out";
  return `look at them while they are there: oc get pods,events -n ${namespace}; or try a longer --timeout`;
}

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
        addresses: textsOf(pod, "status.podIPs[].ip"),
        port: PROBE.targetPort,
        answers: [servers[index]!],
      })),
      {
        id: "pod-to-service",
        addresses: textsOf(service, "spec.clusterIPs[]"),
        port: PROBE.servicePort,
        answers: servers,
      },
    ],
    settings.families,
  );
  const nodes = pods.map((pod) => readText(pod, "spec.nodeName"));
  const deadline = waiting.now() + settings.timeoutSeconds * 1_000;
  const { timeoutSeconds } = settings;
  const { results, problem } = await askByJob(cluster, frame, probeJob(frame, { requests, timeoutSeconds }), {
    ...waiting,
    deadline,
  });
  return requests.map((request): LiveCheck => {
    const result = results.find(({ id }) => id === request.id);
    const status = result ? (result.answered ? LiveStatus.Passed : LiveStatus.Failed) : LiveStatus.Unknown;
    return {
      id: request.id,
      what: whatOf(request, nodes),
      expected:
        request.address === undefined
          ? "an address, and an answer"
          : `an answer of ${socketText({ ...request, address: request.address })}`,
      found: result?.found ?? problem ?? "nothing",
      status,
      ...(status === LiveStatus.Failed && { fix: FIX }),
      ...(status === LiveStatus.Unknown && {
        fix: "look at the cluster's events, or try a longer --timeout",
      }),
      documented: DOCUMENTED,
    };
  });
}

const FIX =
  "look at the ovnkube-node pods of both nodes and at their logs, and at NetworkPolicies of the namespace: oc get pods -n openshift-ovn-kubernetes -o wide";

function whatOf({ id }: ProbeRequest, nodes: readonly unknown[]): string {
  const [kind, ,] = id.split("/");
  const family = id.split("/").at(-1);
  if (kind === "pod-to-service") return `a pod reaches the Service before both pods by ${family}`;
  const index = id.includes("/two/") ? 1 : 0;
  const node = nodes[index];
  return `a pod reaches pod ${ORDINALS[index]}${typeof node === "string" ? ` on ${node}` : ""} by ${family}`;
}

const textsOf = (object: LiveObject, path: string): string[] =>
  read(object, path).flatMap(({ value }) => (typeof value === "string" ? [value] : []));
