import { PROBE_LABELS } from "../../../src/probes/frame";
import type { ApiClient } from "../../../local/servers/apiClient";

/** What happens to a pod of a probe: the status that a kubelet would write, or nothing yet. */
export type PodStory = (pod: ProbeObject) => object | undefined;
/** How a Job ends, with what its pods write. Undefined: it continues. */
export type JobStory = (job: ProbeObject) => JobEnd | undefined | Promise<JobEnd | undefined>;

/** The end of a Job. */
export interface JobEnd {
  failed?: { reason: string; message: string };
  /** The termination message of each of its pods. */
  message: string;
}

/** The fields of a probe's object that the simulation reads. */
export interface ProbeObject {
  metadata: {
    name: string;
    namespace: string;
    labels: Record<string, string>;
    uid: string;
    deletionTimestamp?: string;
    finalizers?: string[];
  };
  spec: {
    /** Of a pod. */
    containers?: { name: string; image: string }[];
    /** Of a Job. */
    completions?: number;
    template: { metadata: object; spec: { containers: { env: { value: string }[] }[] } };
  };
  status?: { conditions?: { type: string }[]; phase?: string };
}

const INTERVAL_MS = 200;
const NOW = "2026-11-22T06:00:00Z";
const SELECTOR = encodeURIComponent(`${PROBE_LABELS.probe},${PROBE_LABELS.role}=server`);
const JOB_SELECTOR = encodeURIComponent(PROBE_LABELS.probe);

/** A pod that runs and is ready. */
export const ready = (address: string): object => ({
  phase: "Running",
  conditions: [{ type: "Ready", status: "True" }],
  podIP: address,
  podIPs: [{ ip: address }],
});

/** Every request is answered. */
export const everythingAnswers: JobStory = (job) => ({ message: answers(job, () => true) });

/** What the client of a Job writes. */
export function answers(job: ProbeObject, isAnswered: (id: string) => boolean): string {
  const { value } = job.spec.template.spec.containers[0]!.env[0]!;
  const requests = JSON.parse(value) as { id: string; address?: string }[];
  return JSON.stringify(
    requests.map(({ id, address }) =>
      isAnswered(id) ? [id, true, `answered by ${address}`] : [id, false, "no answer within 5 seconds"],
    ),
  );
}

let addresses = 10;

/**
 * Simulates scheduler, kubelet and Job controller for the objects of probes on an API server without them: writes to the status
 * subresource what they would write.
 */
export class ProbeWorld {
  pods: PodStory = () => ready(`10.132.0.${addresses++ % 250}`);
  jobs: JobStory = everythingAnswers;
  readonly #timer: NodeJS.Timeout;
  #round: Promise<unknown> = Promise.resolve();

  constructor(private readonly client: ApiClient) {
    this.#timer = setInterval(() => void this.turn(), INTERVAL_MS);
    this.#timer.unref();
  }

  /** Does what is pending. Returns false if the server is down for a while; the next round tries again. */
  turn(): Promise<boolean> {
    const round = this.#round
      .then(() => this.#play())
      .then(
        () => true,
        () => false,
      );
    this.#round = round;
    return round;
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#round;
  }

  async #play(): Promise<void> {
    for (const pod of await this.#list(`/api/v1/pods?labelSelector=${SELECTOR}`)) {
      const status = pod.status?.phase === "Running" ? undefined : this.pods(pod);
      if (status)
        await this.#write("v1", "Pod", `/api/v1/namespaces/${pod.metadata.namespace}/pods`, pod, status);
    }
    for (const job of await this.#list(`/apis/batch/v1/jobs?labelSelector=${JOB_SELECTOR}`)) {
      if ((job.status?.conditions ?? []).length > 0 || job.metadata.deletionTimestamp) continue;
      const end = await this.jobs(job);
      if (end) await this.#end(job, end);
    }
  }

  async #end(job: ProbeObject, { failed, message }: JobEnd): Promise<void> {
    const { name, namespace, uid } = job.metadata;
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    const { metadata, spec } = job.spec.template;
    const owner = { apiVersion: "batch/v1", kind: "Job", name, uid };
    const exit = { exitCode: failed ? 1 : 0, message, startedAt: NOW, finishedAt: NOW };
    const client = {
      name: "client",
      image: "",
      imageID: "",
      ready: false,
      restartCount: 0,
      state: { terminated: exit },
    };
    const phase = failed ? "Failed" : "Succeeded";
    for (let index = 0; index < (job.spec.completions ?? 1); index++) {
      const pod = {
        apiVersion: "v1",
        kind: "Pod",
        metadata: { ...metadata, name: `${name}-abcd${index}`, namespace, ownerReferences: [owner] },
        spec: { ...spec, nodeName: `worker-${index}` },
      };
      await this.client.request("POST", pods, pod);
      await this.#write("v1", "Pod", pods, pod, { phase, containerStatuses: [client] });
    }
    const condition = (type: string) => ({ type, status: "True", lastTransitionTime: NOW, ...failed });
    await this.#write("batch/v1", "Job", `/apis/batch/v1/namespaces/${namespace}/jobs`, job, {
      startTime: NOW,
      ...(failed ? { failed: 1 } : { succeeded: 1, completionTime: NOW }),
      conditions: (failed ? ["FailureTarget", "Failed"] : ["SuccessCriteriaMet", "Complete"]).map(condition),
    });
  }

  async #list(path: string): Promise<ProbeObject[]> {
    return ((await this.client.request("GET", path)).body as { items?: ProbeObject[] }).items ?? [];
  }

  async #write(
    apiVersion: string,
    kind: string,
    path: string,
    { metadata: { name, namespace } }: { metadata: { name: string; namespace: string } },
    status: object,
  ): Promise<void> {
    const query = "fieldManager=cluster&force=true";
    const object = { apiVersion, kind, metadata: { name, namespace }, status };
    const answer = await this.client.request("PATCH", `${path}/${name}/status?${query}`, object);
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
  }
}
