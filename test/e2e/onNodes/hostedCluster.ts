import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import type { ApiClient } from "../../../local/servers/apiClient";
import { readText } from "../../../src/resources/read";
import type { PropertyValue } from "../../../src/resources/resource";
import { applied } from "../applied";
import { currentContext, RememberingClient } from "./kubeconfig";
import { playCluster } from "./playedCluster";

/** Names the kubeconfig of a hosted cluster whose nodes run the pods of these tests. */
const VARIABLE = "HYPERSHIFT_NETWORK_E2E_KUBECONFIG";
const JOIN_SUBNET = "spec.defaultNetwork.ovnKubernetesConfig.ipv4.internalJoinSubnet";
/** What the tests create, and operators act on. */
const KINDS = [
  ["EgressFirewall", "/apis/k8s.ovn.org/v1"],
  ["EgressRouter", "/apis/network.operator.openshift.io/v1"],
  ["NetworkAttachmentDefinition", "/apis/k8s.cni.cncf.io/v1"],
] as const;

/** The hosted cluster of the tests. */
export interface HostedCluster {
  /** The kubeconfig of an administrator. */
  kubeconfig: string;
  kubernetes: ApiClient;
  /** The folder for files that the tests write. */
  stateFolder: string;
  /** The value in its Network operator. */
  internalJoinSubnet: string;
  /** For a verification with pods, for which nodes may have to pull an image. */
  timeoutSeconds: number;
  /** Removes what the tests created, and waits until it is gone. Fails if something is left that only the tests create. */
  close(): Promise<void>;
}

/**
 * The cluster that the variable names, or a simulated one. The tests use either only through its kubeconfig, and do the same with
 * both.
 */
export async function openHostedCluster(folder: string): Promise<HostedCluster> {
  const file = process.env[VARIABLE];
  if (file !== undefined && file !== "") return openedCluster(file, folder, 300);
  const played = await playCluster(join(folder, "played"));
  const cluster = await openedCluster(played.kubeconfig, folder, 60);
  return {
    ...cluster,
    close: async () => {
      await cluster.close();
      const left = await played.left();
      await played.stop();
      if (left.length > 0) throw new Error(`left in the cluster: ${left.join(", ")}`);
    },
  };
}

/** The cluster of a kubeconfig. Fails if these tests cannot run on it. */
async function openedCluster(
  file: string,
  stateFolder: string,
  timeoutSeconds: number,
): Promise<HostedCluster> {
  mkdirSync(stateFolder, { recursive: true, mode: 0o700 });
  const context = currentContext(file);
  const kubeconfig = join(stateFolder, "kubeconfig.json");
  writeFileSync(kubeconfig, JSON.stringify({ apiVersion: "v1", kind: "Config", ...context }), {
    mode: 0o600,
  });
  const kubernetes = RememberingClient.of(context);
  const internalJoinSubnet = await suitable(kubernetes);
  const cluster = { kubeconfig, kubernetes, stateFolder, internalJoinSubnet, timeoutSeconds };
  return {
    ...cluster,
    close: async () => {
      for (const path of await kubernetes.forget()) await untilGone(cluster, path);
    },
  };
}

/**
 * The join subnet of a cluster that these tests can run on.
 *
 * @throws Error that names everything that it lacks
 */
export async function suitable(kubernetes: Pick<ApiClient, "request">): Promise<string> {
  const { body } = await kubernetes.request("GET", "/apis/operator.openshift.io/v1/networks/cluster");
  const subnet = readText(body as PropertyValue, JOIN_SUBNET);
  const lacking = subnet === undefined ? [`its Network operator has no ${JOIN_SUBNET}`] : [];
  for (const [kind, version] of KINDS) {
    const { body: known } = await kubernetes.request("GET", version);
    const { resources = [] } = known as { resources?: { kind: string }[] };
    if (!resources.some((one) => one.kind === kind))
      lacking.push(`it has no ${kind} of ${version.slice("/apis/".length)}`);
  }
  if (typeof subnet === "string" && lacking.length === 0) return subnet;
  throw new Error(
    `${VARIABLE}: ${lacking.join("; ")}. Take a hosted cluster with OVN-Kubernetes that sets that subnet`,
  );
}

/** Denies all ingress to the pods of a namespace. */
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

/** Waits until no object is at a path, because namespaces and pods take a while to go. */
export async function untilGone(
  { kubernetes }: Pick<HostedCluster, "kubernetes">,
  path: string,
): Promise<void> {
  for (let waited = 0; waited < 120_000; waited += 200) {
    if ((await kubernetes.request("GET", path)).status === 404) return;
    await sleep(200);
  }
  throw new Error(`${path} is still there`);
}
