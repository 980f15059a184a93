import * as kubernetes from "@pulumi/kubernetes";
import type { HostedClusterTopology } from "hypershift-network";

/** Stands for the NodePool that `hypershift create nodepool` or GitOps created before. */
export function existingNodePool({ name, namespace, platform }: HostedClusterTopology) {
  const clusters = new kubernetes.core.v1.Namespace("clusters", { metadata: { name: namespace } });
  return new kubernetes.apiextensions.CustomResource(
    name,
    {
      apiVersion: "hypershift.openshift.io/v1beta1",
      kind: "NodePool",
      metadata: { name, namespace: clusters.metadata.name },
      spec: {
        clusterName: name,
        replicas: 2,
        management: { upgradeType: "InPlace" },
        platform: { type: platform, agent: {} },
        release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
      },
    },
    // Stands for an object of another owner: `ignoreChanges` keeps this program from reverting the patched label.
    { ignoreChanges: ["spec"] },
  );
}
