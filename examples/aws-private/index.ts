/**
 * A private hosted cluster on AWS: its API server and routes are reached only through VPC endpoints, by its machines and
 * by offices that are connected over a transit gateway.
 *
 *   pulumi up
 *   pulumi config set team platform && pulumi up      changes the tags of groups and rules in place
 */
import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";

import {
  EndpointAccess,
  HostedControlPlaneSecurityGroups,
  LoadBalancerTargets,
  Platform,
  PrivateEndpointSecurityGroup,
  PublishingType,
} from "hypershift-network";

const config = new pulumi.Config();
const tags = { team: config.get("team") ?? "network" };

const management = new aws.ec2.Vpc("management", { cidrBlock: "10.1.0.0/16", tags });
const workers = new aws.ec2.Vpc("workers", { cidrBlock: "10.0.0.0/16", tags });
const subnet = new aws.ec2.Subnet("workers", { vpcId: workers.id, cidrBlock: "10.0.128.0/20", tags });

const topology = {
  name: "tenant-a",
  namespace: "clusters",
  platform: Platform.AWS,
  release: "4.20",
  endpointAccess: EndpointAccess.Private,
  services: {
    apiServer: { type: PublishingType.LoadBalancer },
    oauthServer: { type: PublishingType.Route },
    konnectivity: { type: PublishingType.Route },
    ignition: { type: PublishingType.Route },
  },
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  managementClusterCidrs: ["10.1.0.0/16"],
  // With PrivateLink the hosts see the addresses of the management cluster's load balancers.
  loadBalancerTargets: LoadBalancerTargets.Instance,
  loadBalancerSubnetCidrs: ["10.1.0.0/24"],
  externalClientCidrs: ["10.200.0.0/16"],
  dnsServerCidrs: ["10.1.0.2/32", "10.0.0.2/32"],
  registryCidrs: ["198.51.100.0/24"],
};

const hosts = new HostedControlPlaneSecurityGroups("tenant-a", {
  topology,
  vpcId: management.id,
  workerVpcId: workers.id,
  tags,
});

// HyperShift creates these two when the hosted cluster starts, and names them in the AWSEndpointService objects
// private-router and kube-apiserver-private: `readEndpointServices: true` reads them from there.
const [router, api] = ["private-router", "kube-apiserver-private"].map(
  (name) =>
    new aws.ec2.VpcEndpoint(
      name,
      {
        vpcId: workers.id,
        serviceName: "com.amazonaws.vpce.us-east-1.vpce-svc-0a1b2c3d4e5f60718",
        vpcEndpointType: "Interface",
        subnetIds: [subnet.id],
        tags,
      },
      // HyperShift's controller adds its own group to an endpoint; the component below adds another one.
      { ignoreChanges: ["securityGroupIds"] },
    ),
);

const endpoint = new PrivateEndpointSecurityGroup("tenant-a-endpoint", {
  topology,
  vpcId: workers.id,
  endpointIds: { router: router!.id, api: api!.id },
  callers: {
    transit: { cidr: "10.64.0.0/12", description: "Peered networks over the transit gateway" },
    ci: { securityGroupId: hosts.workerSecurityGroupId, description: "Runners among the workers" },
  },
  tags,
});

export const endpointGroup = endpoint.securityGroupId;
export const endpointRules = endpoint.rules;
