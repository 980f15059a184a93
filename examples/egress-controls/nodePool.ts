import * as kubernetes from "@pulumi/kubernetes";
import type { HostedClusterTopology } from "hypershift-network";

/** Stands for the NodePool that `hypershift create nodepool` or GitOps has made before. */
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
    // Its owner is elsewhere: the label that is patched into it is not taken back by this program.
    { ignoreChanges: ["spec"] },
  );
}
