import { PROBE_LABELS, type ProbeFrame } from "../../probes/frame";
import { readResults, type ProbeResult } from "../../probes/requests";
import { nameOf } from "../../resources/kubernetesObject";
import { read, readText } from "../../resources/read";
import { LiveStatus } from "../../cluster/liveCheck";
import type { LiveCluster, LiveObject } from "../../cluster/liveCluster";
import { until, type Waiting } from "../../cluster/interruptible";
import { pathOf } from "./place";
import { podState, terminated } from "./podState";

/** What a Job's pods found, and why one said nothing. */
export interface JobAnswer {
  results: PodResult[];
  /** How far each pod is that reported nothing: `its image cannot be pulled on worker-1`. */
  silent: string[];
  /** How the Job ended, for what was not reported. */
  problem: string;
}

/** What one pod found. */
export interface PodResult extends ProbeResult {
  /** Where the pod ran. */
  node?: string;
}

/** Makes a Job, waits for its end, and reads what its pods found. Those count too that went away with the Job. */
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
  const problem =
    end.status === LiveStatus.Passed
      ? `the Job ended ${without}: ${end.found}${said ? `: ${said}` : ""}`
      : `the Job did not end in time: ${end.found}`;
  return { results, silent: silent.map((pod) => podState(pod).words), problem };
}

function resultsOf(pod: LiveObject): PodResult[] {
  const node = readText(pod, "spec.nodeName");
  const results = readResults(terminated(pod)) ?? [];
  return results.map((result) => ({ ...result, ...(typeof node === "string" && { node }) }));
}

/** How a Job ended, in words; undefined while it goes on. */
function endOf(job: LiveObject | undefined): string | undefined {
  if (!job) return "it was removed";
  const ends = read(job, "status.conditions[]").flatMap(({ value }) => {
    const condition = value as LiveObject;
    const type = readText(condition, "type");
    const isEnd = (type === "Complete" || type === "Failed") && readText(condition, "status") === "True";
    return isEnd ? [condition] : [];
  });
  const [end] = ends;
  if (!end) return undefined;
  const words = ["reason", "message"].flatMap((field) => {
    const text = readText(end, field);
    return typeof text === "string" && text !== "" ? [text] : [];
  });
  return words.join(": ") || `${readText(end, "type") as string}`;
}
