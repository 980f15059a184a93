/**
 * A private hosted cluster on AWS with its whole network from one topology: on AWS the security groups of hosts, workers and
 * VPC endpoints and the network ACL of its own subnet; on the management cluster the HostedCluster with internal subnets and
 * proxy, and the isolation of its control plane; in the hosted cluster what a tenant may reach, and with which source addresses.
 *
 *   pulumi up
 *   pulumi config set noProxy .example.org && pulumi up      changes the proxy of the HostedCluster in place
 *
 * The parts in the hosted cluster are created once its kubeconfig is set:
 *
 *   oc extract -n clusters secret/tenant-a-admin-kubeconfig --keys=kubeconfig --to=- \
 *     | pulumi config set --secret hostedClusterKubeconfig
 *
 * `pulumi destroy` keeps the HostedCluster, its namespace and that of its control plane.
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

import { restOfSpec } from "./restOfSpec";
import { tenantsNamespaces } from "./tenants";

const config = new pulumi.Config();
const hostedClusterKubeconfig = config.getSecret("hostedClusterKubeconfig");

const management = new aws.ec2.Vpc("management", { cidrBlock: "10.1.0.0/16" });
const workers = new aws.ec2.Vpc("workers", { cidrBlock: "10.0.0.0/16" });
// It contains only the control plane of this hosted cluster.
const hosts = new aws.ec2.Subnet("hosts", { vpcId: management.id, cidrBlock: "10.1.16.0/24" });

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

// Kept when the stack is destroyed: deleting a namespace deletes everything in it.
const kept = { protect: true, retainOnDelete: true };
const clusters = new kubernetes.core.v1.Namespace("clusters", { metadata: { name: "clusters" } }, kept);
// HyperShift creates this namespace with the HostedCluster; it is here so that its policies exist first.
const controlPlane = new kubernetes.core.v1.Namespace(
  "control-plane",
  { metadata: { name: "clusters-tenant-a" } },
  kept,
);
const { shop, stream } = tenantsNamespaces(hostedClusterKubeconfig);

const zone = new HostedClusterLandingZone("tenant-a", {
  topology,
  vpcId: management.id,
  workerVpcId: workers.id,
  region: "us-east-1",
  privateEndpoint: { callers: { offices: { cidr: "10.64.0.0/12" } } },
  networkAcls: { dedicatedSubnets: { hosts: { subnetId: hosts.id } }, associatedSubnets: ["hosts"] },

  hostedCluster: { namespace: clusters.metadata.name, additionalSpecJson: restOfSpec(topology) },
  proxy: {
    httpProxy: "http://proxy.example.com:3128",
    httpsProxy: "http://proxy.example.com:3128",
    noProxy: [config.get("noProxy") ?? ".example.com"],
    region: "us-east-1",
  },
  isolation: { namespace: controlPlane.metadata.name, denyEgress: true },

  hostedClusterKubeconfig,
  egressFirewalls: {
    shop: {
      namespace: shop,
      allowApiServer: true,
      rules: [
        { type: EgressFirewallRuleType.Allow, cidr: "10.0.0.2/32" },
        { type: EgressFirewallRuleType.Deny, cidr: "0.0.0.0/0" },
      ],
    },
  },
  egressIps: {
    shop: {
      addresses: ["10.0.128.50"],
      namespaceSelector: { matchLabels: { tenant: "shop" } },
      // Nodes with the label k8s.ovn.org/egress-assignable, which their NodePool sets.
      assignableNodeCount: 2,
    },
  },
  multicastNamespaces: { stream },
});

export const securityGroups = {
  controlPlane: zone.controlPlaneSecurityGroupId,
  workers: zone.workerSecurityGroupId,
  endpoints: zone.privateEndpointSecurityGroupId,
};
export const networkAcl = zone.controlPlaneNetworkAclId;
export const hostedCluster = zone.hostedClusterReference;
export const noProxy = zone.noProxy;
export const egressAddresses = zone.egressAddresses;
export const leftOut = zone.leftOut;
export const warnings = zone.warnings;
