import type { ProviderDefinition } from "../provider";
import { type Cluster, clusterOf } from "./config";
import { diffConfig } from "./kubeconfig";
import { KubernetesKind } from "./kind";
import { LostCreates } from "./lostCreates";

/** The version of the official provider that this one follows. */
const FOLLOWS = "4.34.2";

const METADATA = { metadata: { $ref: "#/types/kubernetes:meta/v1:ObjectMeta" } };

/** The types that the YAML examples use: the engine gets kinds from the API server, but YAML needs a schema. */
const SCHEMA = {
  resources: { "kubernetes:core/v1:Namespace": { inputProperties: METADATA, properties: METADATA } },
  types: {
    "kubernetes:meta/v1:ObjectMeta": { type: "object", properties: { name: { type: "string" } } },
  },
};

/** The provider definition for the engine. */
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
    schema: SCHEMA,
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
