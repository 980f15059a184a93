import * as kubernetes from "@pulumi/kubernetes";
import type * as pulumi from "@pulumi/pulumi";
import type { NodePoolPlacement } from "hypershift-network";

/** A NodePool of three virtual machines; what a component outputs about labels, taints and placement goes into its spec. */
export function nodePool(
  name: string,
  clusterName: string,
  namespace: kubernetes.core.v1.Namespace,
  fragment: pulumi.Output<{ platform?: NodePoolPlacement } | undefined>,
) {
  const spec = fragment.apply(({ platform, ...labelsAndTaints } = {}) => ({
    ...labelsAndTaints,
    clusterName,
    replicas: 3,
    management: { autoRepair: false, upgradeType: "Replace" },
    platform: {
      type: "KubeVirt",
      kubevirt: {
        rootVolume: { type: "Persistent", persistent: { size: "32Gi" } },
        ...platform?.kubevirt,
      },
    },
    release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
  }));
  return new kubernetes.apiextensions.CustomResource(name, {
    apiVersion: "hypershift.openshift.io/v1beta1",
    kind: "NodePool",
    metadata: { name, namespace: namespace.metadata.name },
    spec,
  });
}
