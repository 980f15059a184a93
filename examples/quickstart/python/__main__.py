"""The quick start's network in Python: `pulumi package add <path of the package>` in this folder, then `pulumi up`."""

import pulumi
import pulumi_aws as aws
import pulumi_hypershift_network as hypershift_network

topology: hypershift_network.HostedClusterTopologyArgsDict = {
    "name": "tenant-a",
    "platform": hypershift_network.Platform.AWS,
    "release": "4.20",
    "endpoint_access": hypershift_network.EndpointAccess.PUBLIC_AND_PRIVATE,
    "machine_network": [{"cidr": "10.0.0.0/16"}],
    "internal_join_subnet": "100.99.0.0/16",
    "internal_transit_switch_subnet": "100.69.0.0/16",
    "infrastructure_cidrs": [{"name": "corporate", "cidr": "100.64.0.0/16"}],
    "management_cluster_cidrs": ["10.1.0.0/16"],
    "load_balancer_targets": hypershift_network.LoadBalancerTargets.INSTANCE,
    "load_balancer_subnet_cidrs": ["10.1.0.0/24"],
    "worker_nat_cidrs": ["198.51.100.7/32"],
    "external_client_cidrs": ["203.0.113.0/24"],
    "dns_server_cidrs": ["10.1.0.2/32", "10.0.0.2/32"],
    "registry_cidrs": ["198.51.100.0/24"],
}

management = aws.ec2.Vpc("management", cidr_block="10.1.0.0/16")
workers = aws.ec2.Vpc("workers", cidr_block="10.0.0.0/16")

groups = hypershift_network.HostedControlPlaneSecurityGroups(
    "tenant-a",
    topology=topology,
    vpc_id=management.id,
    worker_vpc_id=workers.id,
)
hypershift_network.OvnSubnetConfig("tenant-a", topology=topology)
proxy = hypershift_network.ProxyConfig(
    "tenant-a",
    topology=topology,
    region="us-east-1",
    http_proxy="http://proxy.example.com:3128",
    https_proxy="http://proxy.example.com:3128",
    no_proxy=[".example.com"],
)

pulumi.export("controlPlane", groups.control_plane_security_group_id)
pulumi.export("workers", groups.worker_security_group_id)
pulumi.export("noProxy", proxy.no_proxy)
