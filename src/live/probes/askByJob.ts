import { PROBE_LABELS, readResults, type ProbeFrame, type ProbeResult } from "../../manifests/probes";
import { read, readText } from "../../resources/read";
import { LiveStatus } from "../liveCheck";
import type { LiveCluster, LiveObject } from "../liveCluster";
import { until, type Waiting } from "../until";
import { pathOf } from "./place";
import { podState, terminated } from "./podState";

/** What a Job's pod found, or why it said nothing. */
export interface JobAnswer {
  results: PodResult[];
  problem?: string;
}

/** What one pod found. */
export interface PodResult extends ProbeResult {
  /** Where the pod ran. */
  node?: string;
}

/** Makes a Job, waits for its end, and reads what its pod found. */
export async function askByJob(
  cluster: LiveCluster,
  { name, namespace }: ProbeFrame,
  job: object,
  waiting: Waiting,
): Promise<JobAnswer> {
  await cluster.create(pathOf("jobs", namespace), job);
  const selector = encodeURIComponent(`${PROBE_LABELS.probe}=${name},${PROBE_LABELS.role}=client`);
  const pods = () => cluster.list(`${pathOf("pods", namespace)}?labelSelector=${selector}`);
  const end = await until(async () => {
    const found = await cluster.get(`${pathOf("jobs", namespace)}/${name}`);
    const state = endOf(found);
    const [pod] = state ? [] : await pods();
    const words = pod ? podState(pod).words : "no pod yet";
    return {
      what: "requests of the probes",
      found: state ?? words,
      status: state ? LiveStatus.Passed : LiveStatus.Failed,
    };
  }, waiting);
  const all = await pods();
  const results = all.flatMap(resultsOf);
  const said = all.map(terminated).find((text) => text !== "" && !readResults(text));
  const problem =
    end.status === LiveStatus.Passed
      ? `the Job ended without results: ${end.found}${said ? `: ${said}` : ""}`
      : `the Job did not end in time: ${end.found}`;
  return { results, problem };
}

function resultsOf(pod: LiveObject): PodResult[] {
  const node = readText(pod, "spec.nodeName");
  const results = readResults(terminated(pod)) ?? [];
  return results.map((result) => ({ ...result, ...(typeof node === "string" && { node }) }));
}

/** How a Job ended, in words; undefined while it goes on. */
function endOf(job: LiveObject | undefined): string | undefined {
  if (!job) return "somebody removed it";
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
