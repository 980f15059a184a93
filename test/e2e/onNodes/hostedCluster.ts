import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import type { ApiClient } from "../../../local/servers/apiClient";
import type { Session } from "../../../local/session";
import { readText } from "../../../src/resources/read";
import type { PropertyValue } from "../../../src/resources/resource";
import { applied } from "../applied";
import { HostedNetwork } from "../probes/hostedNetwork";
import { answers, ProbeWorld, ready, type JobStory, type PodStory } from "../probes/probeWorld";
import { currentContext, RememberingClient } from "./kubeconfig";

/** Names the kubeconfig of a hosted cluster whose nodes run the pods of these tests. */
const VARIABLE = "HYPERSHIFT_NETWORK_E2E_KUBECONFIG";
/** An image that no node can pull: `.invalid` is no domain. */
export const NO_IMAGE = "registry.invalid/none:1";
const JOIN = "100.99.0.0/16";

/** The hosted cluster of the tests. */
export interface HostedCluster {
  /** Of an administrator. */
  kubeconfig: string;
  kubernetes: ApiClient;
  /** For what tests write. */
  stateFolder: string;
  /** What its Network operator has. */
  internalJoinSubnet: string;
  /** For a verification of pods, which nodes may have to pull an image for. */
  timeoutSeconds: number;
  /** Removes what the tests made, and waits until a namespace has gone. */
  close(): Promise<void>;
}

/**
 * The one of the variable; without it the API server of the session, where the test writes what operators, kubelets and the
 * controller of Jobs would write.
 */
export function openHostedCluster(session: Session): Promise<HostedCluster> {
  const file = process.env[VARIABLE];
  return file === undefined || file === "" ? played(session) : real(file, join(session.stateFolder, "nodes"));
}

async function real(file: string, stateFolder: string): Promise<HostedCluster> {
  mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
  const context = currentContext(file);
  const kubeconfig = join(stateFolder, "kubeconfig.json");
  writeFileSync(kubeconfig, JSON.stringify({ apiVersion: "v1", kind: "Config", ...context }), {
    mode: 0o600,
  });
  const kubernetes = RememberingClient.of(context);
  const { body } = await kubernetes.request("GET", "/apis/operator.openshift.io/v1/networks/cluster");
  const place = "spec.defaultNetwork.ovnKubernetesConfig.ipv4.internalJoinSubnet";
  const internalJoinSubnet = readText(body as PropertyValue, place);
  if (typeof internalJoinSubnet !== "string")
    throw new Error(`${VARIABLE}: its Network operator has no ${place}; take a hosted cluster that sets one`);
  return {
    ...{ kubeconfig, kubernetes, stateFolder, internalJoinSubnet, timeoutSeconds: 300 },
    close: () => kubernetes.forget(),
  };
}

async function played(session: Session): Promise<HostedCluster> {
  const { kubeconfig, kubernetes, stateFolder } = session;
  const network = new HostedNetwork(session);
  await network.runs(JOIN);
  const world = new ProbeWorld(kubernetes);
  world.pods = asKubeletsDo;
  world.jobs = asNetworkPoliciesLet(kubernetes);
  return {
    ...{ kubeconfig, kubernetes, stateFolder, internalJoinSubnet: JOIN, timeoutSeconds: 60 },
    close: () => world.stop(),
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

/** Pods that a policy without rules selects get no answer through; whom they ask elsewhere answers. */
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

/** Pods of a namespace take nothing in. */
export async function closed(cluster: HostedCluster, namespace: string): Promise<() => Promise<unknown>> {
  const path = `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies/closed`;
  await applied(cluster, path, {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: "closed" },
    spec: { podSelector: {}, policyTypes: ["Ingress"] },
  });
  return () => cluster.kubernetes.request("DELETE", path);
}

/** Waits until nothing is at a path: namespaces and pods take their time. */
export async function untilGone({ kubernetes }: HostedCluster, path: string): Promise<void> {
  for (let waited = 0; waited < 120_000; waited += 200) {
    if ((await kubernetes.request("GET", path)).status === 404) return;
    await sleep(200);
  }
  throw new Error(`${path} is still there`);
}
