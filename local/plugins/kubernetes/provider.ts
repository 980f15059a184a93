import type { ProviderDefinition } from "../provider";
import { type Cluster, clusterOf } from "./config";
import { diffConfig } from "./kubeconfig";
import { KubernetesKind } from "./kind";
import { LostCreates } from "./lostCreates";

/** The version of the official provider whose behaviour this one follows. */
const FOLLOWS = "4.34.2";

/** The provider as the engine sees it. */
export function kubernetesProvider(): ProviderDefinition {
  let cluster: Cluster | undefined;
  const creates = new LostCreates();
  const kind = new KubernetesKind(() => {
    if (!cluster) throw new Error("the Kubernetes provider was not configured");
    return cluster;
  }, creates);
  return {
    name: "kubernetes",
    version: FOLLOWS,
    kinds: (type) =>
      /^kubernetes:(?!helm\.sh\/|yaml[:/]|kustomize[:/])[^:]+\/[^:]+:[^:]+$/.test(type) ? kind : undefined,
    configure: (config) => {
      cluster = clusterOf(config);
    },
    diffConfig,
    finish: ({ cancelled }) => {
      if (!cancelled) creates.allSettled();
    },
  };
}
