/**
 * A hosted cluster on machines that its owner provides, in a data center behind a VPN. Its control plane runs on hosts on AWS
 * and is published by their node ports, which the security groups open only to those machines and to the users.
 *
 *   pulumi up
 *   pulumi config set team platform && pulumi up      changes the tags of groups and rules in place
 */
import * as aws from "@pulumi/aws";
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import {
  HostedClusterNetwork,
  HostedControlPlaneSecurityGroups,
  Platform,
  PublishingType,
  Role,
  type HostedClusterTopology,
} from "hypershift-network";

const config = new pulumi.Config();
const tags = { team: config.get("team") ?? "network" };

/** Pinned: otherwise, a firewall has to allow the whole range of node ports. */
const at = (nodePort: number) => ({ type: PublishingType.NodePort, address: "10.1.16.10", nodePort });

const topology: HostedClusterTopology = {
  name: "tenant-a",
  namespace: "clusters",
  platform: Platform.None,
  release: "4.20",
  services: { apiServer: at(30643), oauthServer: at(30644), konnectivity: at(31091), ignition: at(31443) },
  machineNetwork: [{ cidr: "10.20.0.0/16" }],
  managementClusterCidrs: ["10.1.0.0/16"],
  externalClientCidrs: ["10.200.0.0/16"],
  dnsServerCidrs: ["10.1.0.2/32"],
  registryCidrs: ["198.51.100.0/24"],
};

const management = new aws.ec2.Vpc("management", { cidrBlock: "10.1.0.0/16", tags });

const groups = new HostedControlPlaneSecurityGroups("tenant-a", { topology, vpcId: management.id, tags });

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
  }),
});

export const controlPlaneGroup = groups.controlPlaneSecurityGroupId;
export const services = cluster.spec.services;
/** What the data center's firewall must let out: the security groups of AWS end at the VPN. */
export const dataCenterFirewall = cluster.requiredFlows.apply((flows) =>
  flows
    .filter(({ role, hostPort }) => role === Role.Workers && hostPort)
    .map(({ direction, protocol, ports, peers }) => [direction, protocol, ports, peers.join(",")].join(" ")),
);
