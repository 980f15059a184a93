import { nameOf, textAt } from "../../resources/kubernetesObject";
import { read, readText, isMap } from "../../resources/read";
import {
  checkOf,
  type LiveCheck,
  type LiveCluster,
  type LiveObject,
  LiveStatus,
} from "../../cluster/liveCluster";
import { describeReference, type DocumentReference } from "../../requirements/documents";
import { until, type Waiting } from "../../cluster/interruptible";
import { pathOf } from "./place";
import { PROBE_LABELS, type ProbeFrame } from "../../probes/frame";
import { type ProbeResult, readResults } from "../../probes/objects";

/** The state of a pod. */
export interface PodState {
  isReady: boolean;
  /** Whether it will never be ready. */
  isHopeless: boolean;
  /** What it waits for, if known: its image, or a node that accepts it. */
  lacks?: "image" | "node";
  /** In words: `ready on worker-0`, `not scheduled: 0/1 nodes are available`. */
  words: string;
}

/** Reasons why a container does not start, with their meaning; for other reasons, the container is still starting. */
const REASONS: Readonly<Record<string, Pick<PodState, "words" | "isHopeless" | "lacks">>> = {
  ErrImagePull: { words: "its image cannot be pulled", isHopeless: false, lacks: "image" },
  ImagePullBackOff: { words: "its image cannot be pulled", isHopeless: false, lacks: "image" },
  ErrImageNeverPull: { words: "its image cannot be pulled", isHopeless: true, lacks: "image" },
  InvalidImageName: { words: "its image has no valid name", isHopeless: true, lacks: "image" },
  CreateContainerConfigError: { words: "its container cannot be created", isHopeless: true },
  CreateContainerError: { words: "its container cannot be started", isHopeless: true },
  CrashLoopBackOff: { words: "its container keeps exiting", isHopeless: true },
};

/** Reads the state of a pod, in words for the user who started it. */
export function podState(pod: LiveObject | undefined): PodState {
  if (!pod) return { isReady: false, isHopeless: true, words: "it was removed" };
  const node = textAt(pod, "spec.nodeName");
  const on = node === "" ? "" : ` on ${node}`;
  const conditions = objectsIn(pod, "status.conditions[]");
  const condition = (type: string) => conditions.find((one) => textAt(one, "type") === type);
  if (textAt(condition("Ready"), "status") === "True")
    return { isReady: true, isHopeless: false, words: `ready${on}` };
  const phase = textAt(pod, "status.phase");
  if (phase === "Failed" || phase === "Succeeded") {
    const why = said(pod, "status.reason", "status.message") || terminated(pod);
    return { isReady: false, isHopeless: true, words: `it ended${on}${why && `: ${why}`}` };
  }
  const scheduled = condition("PodScheduled");
  if (textAt(scheduled, "status") === "False")
    return {
      isReady: false,
      isHopeless: false,
      lacks: "node",
      words: `not scheduled: ${said(scheduled!, "message") || said(scheduled!, "reason")}`,
    };
  return { isReady: false, ...container(pod, on) };
}

function container(pod: LiveObject, on: string): Omit<PodState, "isReady"> {
  const waiting = objectsIn(pod, "status.containerStatuses[].state.waiting")[0];
  const reason = waiting && REASONS[textAt(waiting, "reason")];
  if (!waiting || !reason) {
    const step = textAt(waiting, "reason");
    return { isHopeless: false, words: `starting${on}${step && `: ${step}`}` };
  }
  const image = textAt(objectsIn(pod, "spec.containers[]")[0], "image");
  const message = said(waiting, "message");
  return {
    ...reason,
    words: `${reason.words}${on}, ${image}${message && `: ${message}`}`,
  };
}

/** The termination message of a container. */
export function terminated(pod: LiveObject): string {
  const state = objectsIn(pod, "status.containerStatuses[].state.terminated")[0];
  return state ? said(state, "message") || said(state, "reason") : "";
}

const said = (object: LiveObject, ...paths: readonly string[]): string =>
  paths
    .map((path) => textAt(object, path))
    .filter((text) => text !== "")
    .join(": ");

const objectsIn = (object: LiveObject, path: string): LiveObject[] =>
  read(object, path).flatMap(({ value }) => (isMap(value) ? [value] : []));

/** Seconds that pods may outlive a run. */
const SPARE_SECONDS = 60;

/** Seconds after which pods end by themselves if nothing removes them: one time-out for the pods, one for their requests. */
export const podDeadline = (timeoutSeconds: number): number => 2 * timeoutSeconds + SPARE_SECONDS;

/** The pods that are waited for, and the check of them. */
export interface PodsQuestion extends Pick<LiveCheck, "id" | "what" | "expected"> {
  names: readonly string[];
  /** What was found, from the state of each pod. */
  found: (states: readonly PodState[]) => string;
  /** The fix if no node accepts a pod. */
  unscheduled: string;
  source: DocumentReference;
}

/** Waits until pods are ready, or never will be. */
export async function podsReady(
  cluster: LiveCluster,
  { namespace, image }: ProbeFrame,
  { names, found: foundIn, unscheduled, source, ...subject }: PodsQuestion,
  waiting: Waiting,
): Promise<{ check: LiveCheck; pods: LiveObject[] }> {
  let pods: LiveObject[] = [];
  let isHopeless = false;
  const seen = await until(
    async (): Promise<LiveCheck> => {
      const found = await Promise.all(
        names.map((name) => cluster.get(`${pathOf("pods", namespace)}/${name}`)),
      );
      const states = found.map(podState);
      pods = found.flatMap((pod) => (pod ? [pod] : []));
      isHopeless = states.some((state) => state.isHopeless);
      const status = states.every(({ isReady }) => isReady) ? LiveStatus.Passed : LiveStatus.Failed;
      const fix = podFix(states, { namespace, image, unscheduled });
      return checkOf(subject, { found: foundIn(states), status }, fix, describeReference(source));
    },
    waiting,
    () => isHopeless,
  );
  const timedOut = seen.status !== LiveStatus.Passed && !isHopeless;
  return { pods, check: timedOut ? { ...seen, found: `${seen.found}, when the timeout expired` } : seen };
}

/** The fix for pods that do not become ready. */
export function podFix(
  states: readonly PodState[],
  { namespace, image, unscheduled }: { namespace: string; image: string; unscheduled: string },
): string {
  if (states.some(({ lacks }) => lacks === "image"))
    return `name an image with --probe-image that the nodes can pull and that runs as any user: a copy of ${image} in your registry`;
  if (states.some(({ lacks }) => lacks === "node")) return unscheduled;
  return `check them while they exist: oc get pods,events -n ${namespace}; or try a longer --timeout`;
}

/** The results of a Job's pods, and why a pod reported nothing. */
export interface JobAnswer {
  results: PodResult[];
  /** The states of the pods that reported nothing. */
  silent: PodState[];
  /** How the Job ended, for missing reports. */
  problem: string;
  /** Whether it ended in time; if not, `problem` states how far each pod got. */
  isOver: boolean;
}

/** What one pod found. */
export interface PodResult extends ProbeResult {
  /** Where the pod ran. */
  node?: string;
}

/** Creates a Job, waits for its end, and reads the results of its pods, including pods that were deleted with the Job. */
export async function askByJob(
  cluster: LiveCluster,
  { name, namespace }: ProbeFrame,
  job: object,
  waiting: Waiting,
): Promise<JobAnswer> {
  await cluster.create(pathOf("jobs", namespace), job);
  const selector = encodeURIComponent(`${PROBE_LABELS.probe}=${name},${PROBE_LABELS.role}=client`);
  const pods = new Map<string, LiveObject>();
  const end = await until(async () => {
    const state = endOf(await cluster.get(`${pathOf("jobs", namespace)}/${name}`));
    for (const pod of await cluster.list(`${pathOf("pods", namespace)}?labelSelector=${selector}`))
      pods.set(nameOf(pod), pod);
    const words = [...pods.values()].map((pod) => podState(pod).words);
    return {
      what: "requests of the probes",
      found: state ?? ([...new Set(words)].join("; ") || "no pod yet"),
      status: state ? LiveStatus.Passed : LiveStatus.Failed,
    };
  }, waiting);
  const all = [...pods.values()];
  const results = all.flatMap(resultsOf);
  const silent = all.filter((pod) => !readResults(terminated(pod)));
  const said = silent.map(terminated).find((text) => text !== "");
  const without = results.length > 0 ? "before each pod reported" : "without results";
  const isOver = end.status === LiveStatus.Passed;
  const problem = isOver
    ? `the Job ended ${without}: ${end.found}${said ? `: ${said}` : ""}`
    : `the Job did not end in time: ${end.found}`;
  return { results, silent: silent.map(podState), problem, isOver };
}

function resultsOf(pod: LiveObject): PodResult[] {
  const node = readText(pod, "spec.nodeName");
  const results = readResults(terminated(pod)) ?? [];
  return results.map((result) => ({ ...result, ...(typeof node === "string" && { node }) }));
}

/** How a Job ended, in words; undefined while it runs. */
function endOf(job: LiveObject | undefined): string | undefined {
  if (!job) return "it was removed";
  const end = objectsIn(job, "status.conditions[]").find(
    (one) => ["Complete", "Failed"].includes(textAt(one, "type")) && textAt(one, "status") === "True",
  );
  return end && (said(end, "reason", "message") || textAt(end, "type"));
}
