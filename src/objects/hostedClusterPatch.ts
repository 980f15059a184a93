export const HOSTED_CLUSTER_API_VERSION = "hypershift.openshift.io/v1beta1";
export const HOSTED_CLUSTER_KIND = "HostedCluster";

/**
 * The names under which the server remembers which fields are ours. They never change: a patch that is applied again
 * after `destroy`, from another machine or another stack, then meets its own fields and no conflict.
 */
export const FIELD_MANAGER = {
  podSecurity: "hypershift-network-pod-security",
  ovnSubnets: "hypershift-network-ovn-subnets",
  hybridOverlay: "hypershift-network-hybrid-overlay",
  ipsec: "hypershift-network-ipsec",
  proxy: "hypershift-network-proxy",
  managementProxy: "hypershift-network-management-proxy",
  trustBundle: "hypershift-network-trust-bundle",
  multicast: "hypershift-network-multicast",
  dedicatedNodes: "hypershift-network-dedicated-nodes",
  nodeSelector: "hypershift-network-node-selector",
  taints: "hypershift-network-taints",
  workerPlacement: "hypershift-network-worker-placement",
  migration: "hypershift-network-migration",
} as const;

/** The annotations by which Pulumi's Kubernetes provider chooses the field manager and takes fields from others. */
export function patchAnnotations(fieldManager: string, force = false): Record<string, string> {
  return {
    "pulumi.com/patchFieldManager": fieldManager,
    ...(force && { "pulumi.com/patchForce": "true" }),
  };
}
