import * as aws from "@pulumi/aws";

/** The three networks of the example: the management cluster's, the workers', and one that the company already had. */
export interface Networks {
  managementVpc: aws.ec2.Vpc;
  workerVpc: aws.ec2.Vpc;
}

/** A company that already uses 100.64.0.0/16, and peers that network with the workers' VPC. */
export function createNetworks(): Networks {
  const managementVpc = new aws.ec2.Vpc("management", {
    cidrBlock: "10.1.0.0/16",
    enableDnsHostnames: true,
    tags: { Name: "management" },
  });
  new aws.ec2.Subnet("management-nodes", { vpcId: managementVpc.id, cidrBlock: "10.1.16.0/20" });
  new aws.ec2.Subnet("management-load-balancers", { vpcId: managementVpc.id, cidrBlock: "10.1.0.0/24" });

  const workerVpc = new aws.ec2.Vpc("workers", {
    cidrBlock: "10.0.0.0/16",
    enableDnsHostnames: true,
    tags: { Name: "workers" },
  });
  const workerSubnet = new aws.ec2.Subnet("workers", { vpcId: workerVpc.id, cidrBlock: "10.0.128.0/20" });

  const corporateVpc = new aws.ec2.Vpc("corporate", {
    cidrBlock: "100.64.0.0/16",
    tags: { Name: "corporate" },
  });
  const peering = new aws.ec2.VpcPeeringConnection("workers-to-corporate", {
    vpcId: workerVpc.id,
    peerVpcId: corporateVpc.id,
    autoAccept: true,
  });
  const routes = new aws.ec2.RouteTable("workers", { vpcId: workerVpc.id });
  new aws.ec2.RouteTableAssociation("workers", { routeTableId: routes.id, subnetId: workerSubnet.id });
  new aws.ec2.Route("workers-to-corporate", {
    routeTableId: routes.id,
    destinationCidrBlock: corporateVpc.cidrBlock,
    vpcPeeringConnectionId: peering.id,
  });
  return { managementVpc, workerVpc };
}
