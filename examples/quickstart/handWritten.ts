import * as aws from "@pulumi/aws";
import * as kubernetes from "@pulumi/kubernetes";

import { hostedCluster } from "./hostedCluster";
import type { Networks } from "./networks";
import { topology } from "./topology";

/**
 * The same cluster as it is often written: the subnets of OVN-Kubernetes left at their defaults, which the company already uses,
 * and a security group from memory, without the router's port and with the tunnel's port open to everybody.
 */
export function createHandWrittenNetwork(networks: Networks, namespace: kubernetes.core.v1.Namespace) {
  const group = new aws.ec2.SecurityGroup("control-plane", {
    vpcId: networks.managementVpc.id,
    description: "Control plane hosts",
    tags: { "hypershift-network/cluster": topology.name, "hypershift-network/role": "control-plane" },
    ingress: [
      { protocol: "tcp", fromPort: 6443, toPort: 6443, cidrBlocks: ["10.0.0.0/17"] },
      { protocol: "tcp", fromPort: 8091, toPort: 8091, cidrBlocks: ["0.0.0.0/0"] },
    ],
    egress: [{ protocol: "tcp", fromPort: 443, toPort: 443, cidrBlocks: ["0.0.0.0/0"] }],
  });
  hostedCluster(namespace, {});
  return { groups: { controlPlane: group.id }, rules: [], objects: [] };
}
