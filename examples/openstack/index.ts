/**
 * A hosted cluster on OpenStack, and the rules that the security groups of its hosts and workers need there: this package
 * creates security groups only on AWS, so the output has the commands that create OpenStack's rules.
 *
 *   pulumi up
 *   pulumi config set joinSubnet 100.98.0.0/16 && pulumi up      changes the subnet in place and rolls out ovnkube-node
 *   pulumi stack output securityGroupRules --json | jq -r '.[]' | sh
 */
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import {
  Direction,
  HostedClusterNetwork,
  Platform,
  type HostedClusterTopology,
  type RequiredFlowRow,
} from "hypershift-network";

const config = new pulumi.Config();

const topology: HostedClusterTopology = {
  name: "tenant-a",
  namespace: "clusters",
  platform: Platform.OpenStack,
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  internalJoinSubnet: config.get("joinSubnet") ?? "100.99.0.0/16",
  internalTransitSwitchSubnet: "100.69.0.0/16",
  managementClusterCidrs: ["10.1.0.0/16"],
  loadBalancerSubnetCidrs: ["10.1.0.0/24"],
  controlPlaneEndpointCidrs: ["192.0.2.0/24"],
  externalClientCidrs: ["203.0.113.0/24"],
  dnsServerCidrs: ["10.1.0.2/32", "10.0.0.2/32"],
  registryCidrs: ["198.51.100.0/24"],
};

// Kept when the stack is destroyed: deleting a namespace deletes everything in it.
const namespace = new kubernetes.core.v1.Namespace(
  "clusters",
  { metadata: { name: topology.namespace } },
  { protect: true, retainOnDelete: true },
);

const cluster = new HostedClusterNetwork("tenant-a", {
  topology,
  namespace: namespace.metadata.name,
  additionalSpecJson: JSON.stringify({
    release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
    pullSecret: { name: "pull-secret" },
    dns: { baseDomain: "example.com" },
    platform: { openstack: { identityRef: { name: "openstack-credentials", cloudName: "openstack" } } },
  }),
});

/** One command for each peer, for groups called `tenant-a-control-plane` and `tenant-a-workers`. */
function commandsFor({ role, direction, protocol, ports, peers, purpose }: RequiredFlowRow): string[] {
  const way = direction === Direction.Ingress ? "--ingress" : "--egress";
  const port = ports === "all" ? "" : ` --dst-port ${ports.replace("-", ":")}`;
  return peers.map(
    (peer) =>
      `openstack security group rule create tenant-a-${role} ${way}` +
      ` --protocol ${protocol.toLowerCase()}${port} --remote-ip ${peer} --description '${purpose.replace(/'/g, "")}'`,
  );
}

export const securityGroupRules = cluster.requiredFlows.apply((flows) =>
  flows.filter(({ hostPort }) => hostPort).flatMap(commandsFor),
);
