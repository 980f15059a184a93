import type { HostedClusterTopology } from "hypershift-network";

/** What a HostedCluster has besides its network: `hypershift create iam aws` creates the roles. */
export function restOfSpec({ name, release }: HostedClusterTopology): string {
  const roles = [
    "controlPlaneOperator",
    "imageRegistry",
    "ingress",
    "kubeCloudController",
    "network",
    "nodePoolManagement",
    "storage",
  ].map((role) => [`${role}ARN`, `arn:aws:iam::123456789012:role/${name}-${role}`]);
  return JSON.stringify({
    release: { image: `quay.io/openshift-release-dev/ocp-release:${release}.4-x86_64` },
    pullSecret: { name: "pull-secret" },
    dns: { baseDomain: "example.com" },
    platform: { aws: { region: "us-east-1", rolesRef: Object.fromEntries(roles) as object } },
  });
}
