import { installCrds, chooseCrds } from "../../../local/servers/crds";
import type { ApiClient } from "../../../local/servers/apiClient";
import { startKubernetesApi } from "../../../local/servers/kubernetesApi";
import { silent } from "../../../local/report";
import { findTools } from "../../../local/toolchain/tools";
import { objectsOf } from "../examples/inventory";
import { EgressRouterWorld } from "../probes/egressRouterWorld";
import { HostedNetwork } from "../probes/hostedNetwork";
import { answers, ProbeWorld, ready, type JobStory, type PodStory } from "../probes/probeWorld";

/** An image that no node can pull: `.invalid` is not a domain. */
export const NO_IMAGE = "registry.invalid/none:1";
const JOIN = "100.99.0.0/16";

/** A separate API server on which operators, kubelets and the Job controller are simulated. */
export interface PlayedCluster {
  /** The kubeconfig of an administrator. */
  kubeconfig: string;
  /** Objects that did not exist when it started. */
  left(): Promise<string[]>;
  stop(): Promise<void>;
}

/** Simulates a hosted cluster with two nodes. */
export async function playCluster(folder: string): Promise<PlayedCluster> {
  const { kubernetes } = await findTools(silent);
  const api = await startKubernetesApi({ tools: kubernetes.tool, folder });
  const { client, kubeconfig } = api;
  await installCrds(client, chooseCrds().folder);
  const server = { kubernetes: client };
  await new HostedNetwork(server).runs(JOIN);
  const before = await objectsOf(client);
  const world = new ProbeWorld(client);
  world.pods = asKubeletsDo;
  world.jobs = asNetworkPoliciesLet(client);
  const routers = new EgressRouterWorld(server);
  return {
    kubeconfig,
    left: async () => [...(await objectsOf(client)).keys()].filter((key) => !before.has(key)),
    stop: async () => {
      await Promise.all([world.stop(), routers.stop()]);
      await api.stop();
    },
  };
}

let pods = 0;

const asKubeletsDo: PodStory = ({ spec: { containers = [] } }) =>
  containers.some(({ image }) => image === NO_IMAGE)
    ? {
        phase: "Pending",
        containerStatuses: containers.map(({ name, image }) => ({
          ...{ name, image, imageID: "", ready: false, restartCount: 0 },
          state: { waiting: { reason: "ErrImagePull", message: "no such host" } },
        })),
      }
    : ready(`10.132.${pods++ % 2}.9`);

/** Pods that a policy without rules selects cannot be reached; all other destinations answer. */
const asNetworkPoliciesLet =
  (kubernetes: ApiClient): JobStory =>
  async (job) => {
    const path = `/apis/networking.k8s.io/v1/namespaces/${job.metadata.namespace}/networkpolicies`;
    const { body } = await kubernetes.request("GET", path);
    const isClosed = (body as { items: unknown[] }).items.length > 0;
    const isOpen = (id: string) => !isClosed || !id.startsWith("pod-to-");
    const message = answers(job, isOpen);
    const failed = { reason: "BackoffLimitExceeded", message: "Job has reached the limit" };
    return { message, ...(isClosed && { failed }) };
  };
