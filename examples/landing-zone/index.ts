/**
 * The whole network of a private hosted cluster on AWS from one topology, for a HostedCluster that exists: security groups
 * of hosts, workers and VPC endpoints, internal subnets and proxy, and in the hosted cluster what a tenant may reach.
 *
 *   pulumi up
 *   pulumi config set noProxy .example.org && pulumi up      changes the proxy of the HostedCluster in place
 *
 * The parts in the hosted cluster come when its kubeconfig is there:
 *
 *   oc extract -n clusters secret/tenant-a-admin-kubeconfig --keys=kubeconfig --to=- \
 *     | pulumi config set --secret hostedClusterKubeconfig
 */
import * as aws from "@pulumi/aws";
import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import {
  EgressFirewallRuleType,
  EndpointAccess,
  type HostedClusterTopology,
  HostedClusterLandingZone,
  LoadBalancerTargets,
  Platform,
} from "hypershift-network";

import { existingHostedCluster } from "./hostedCluster";

const config = new pulumi.Config();
const hostedClusterKubeconfig = config.getSecret("hostedClusterKubeconfig");

const management = new aws.ec2.Vpc("management", { cidrBlock: "10.1.0.0/16" });
const workers = new aws.ec2.Vpc("workers", { cidrBlock: "10.0.0.0/16" });

const topology: HostedClusterTopology = {
  name: "tenant-a",
  namespace: "clusters",
  platform: Platform.AWS,
  release: "4.20",
  endpointAccess: EndpointAccess.Private,
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  internalJoinSubnet: "100.99.0.0/16",
  internalTransitSwitchSubnet: "100.69.0.0/16",
  managementClusterCidrs: ["10.1.0.0/16"],
  loadBalancerTargets: LoadBalancerTargets.Instance,
  loadBalancerSubnetCidrs: ["10.1.0.0/24"],
  externalClientCidrs: ["10.200.0.0/16"],
  dnsServerCidrs: ["10.1.0.2/32", "10.0.0.2/32"],
  registryCidrs: ["198.51.100.0/24"],
};

const cluster = existingHostedCluster(topology);

// The tenant's namespace is in the hosted cluster, like the firewall that governs it.
const shop =
  hostedClusterKubeconfig &&
  new kubernetes.core.v1.Namespace(
    "shop",
    { metadata: { name: "shop" } },
    { provider: new kubernetes.Provider("hosted", { kubeconfig: hostedClusterKubeconfig }) },
  );

const zone = new HostedClusterLandingZone("tenant-a", {
  topology,
  vpcId: management.id,
  workerVpcId: workers.id,
  region: "us-east-1",
  existingHostedCluster: { name: cluster.metadata.name, namespace: cluster.metadata.namespace },
  privateEndpoint: { callers: { offices: { cidr: "10.64.0.0/12" } } },
  proxy: {
    httpProxy: "http://proxy.example.com:3128",
    httpsProxy: "http://proxy.example.com:3128",
    noProxy: [config.get("noProxy") ?? ".example.com"],
    region: "us-east-1",
  },
  hostedClusterKubeconfig,
  egressFirewalls: {
    shop: {
      namespace: shop?.metadata.name ?? "shop",
      allowApiServer: true,
      rules: [
        { type: EgressFirewallRuleType.Allow, cidr: "10.0.0.2/32" },
        { type: EgressFirewallRuleType.Deny, cidr: "0.0.0.0/0" },
      ],
    },
  },
});

export const controlPlaneGroup = zone.controlPlaneSecurityGroupId;
export const workerGroup = zone.workerSecurityGroupId;
export const endpointGroup = zone.privateEndpointSecurityGroupId;
export const noProxy = zone.noProxy;
export const leftOut = zone.leftOut;
