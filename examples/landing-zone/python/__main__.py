"""The landing zone in Python: `pulumi package add <path of the package>` in this folder, then `pulumi up`."""

import json

import pulumi
import pulumi_aws as aws
import pulumi_hypershift_network as hypershift_network
import pulumi_kubernetes as kubernetes

management = aws.ec2.Vpc("management", cidr_block="10.1.0.0/16")
workers = aws.ec2.Vpc("workers", cidr_block="10.0.0.0/16")
hosts = aws.ec2.Subnet("hosts", vpc_id=management.id, cidr_block="10.1.16.0/24")
clusters = kubernetes.core.v1.Namespace(
    "clusters",
    metadata={"name": "clusters"},
    opts=pulumi.ResourceOptions(protect=True, retain_on_delete=True),
)

# What a HostedCluster has beside its network; `hypershift create iam aws` makes the roles.
roles = [
    "controlPlaneOperator",
    "imageRegistry",
    "ingress",
    "kubeCloudController",
    "network",
    "nodePoolManagement",
    "storage",
]
roles_ref = {f"{role}ARN": f"arn:aws:iam::123456789012:role/tenant-a-{role}" for role in roles}
rest_of_spec = {
    "release": {"image": "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64"},
    "pullSecret": {"name": "pull-secret"},
    "dns": {"baseDomain": "example.com"},
    "platform": {"aws": {"region": "us-east-1", "rolesRef": roles_ref}},
}

zone = hypershift_network.HostedClusterLandingZone(
    "tenant-a",
    topology={
        "name": "tenant-a",
        "namespace": "clusters",
        "platform": hypershift_network.Platform.AWS,
        "release": "4.20",
        "endpoint_access": hypershift_network.EndpointAccess.PRIVATE,
        "machine_network": [{"cidr": "10.0.0.0/16"}],
        "internal_join_subnet": "100.99.0.0/16",
        "internal_transit_switch_subnet": "100.69.0.0/16",
        "management_cluster_cidrs": ["10.1.0.0/16"],
        "load_balancer_targets": hypershift_network.LoadBalancerTargets.INSTANCE,
        "load_balancer_subnet_cidrs": ["10.1.0.0/24"],
        "external_client_cidrs": ["10.200.0.0/16"],
        "dns_server_cidrs": ["10.1.0.2/32", "10.0.0.2/32"],
        "registry_cidrs": ["198.51.100.0/24"],
    },
    vpc_id=management.id,
    worker_vpc_id=workers.id,
    region="us-east-1",
    private_endpoint={"callers": {"offices": {"cidr": "10.64.0.0/12"}}},
    network_acls={
        "dedicated_subnets": {"hosts": {"subnet_id": hosts.id}},
        "associated_subnets": ["hosts"],
    },
    proxy={
        "http_proxy": "http://proxy.example.com:3128",
        "https_proxy": "http://proxy.example.com:3128",
        "no_proxy": [".example.com"],
        "region": "us-east-1",
    },
    hosted_cluster={
        "namespace": clusters.metadata["name"],
        "additional_spec_json": json.dumps(rest_of_spec),
    },
)

pulumi.export("hostedCluster", zone.hosted_cluster_reference)
pulumi.export("leftOut", zone.left_out)
pulumi.export("warnings", zone.warnings)
