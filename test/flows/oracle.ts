/**
 * The expected packets at each hop, written by hand from the sources that each case names. Plain literals, independent of the
 * code that derives flows.
 *
 * A hop reads `PLACE: SOURCE -> DESTINATION PROTOCOL PORTS (DUTY)`; `?` is an address that is not stated.
 */
export interface OracleCase {
  about: string;
  /** Where the packets are documented. */
  source: string;
  topology: object;
  flow: string;
  hops: readonly string[];
}

/** The networks around a cluster, as stated in every topology here. */
export const around = {
  name: "tenant-a",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  managementClusterCidrs: ["10.1.0.0/16"],
  loadBalancerSubnetCidrs: ["10.1.0.0/24"],
  workerNatCidrs: ["198.51.100.7/32"],
  externalClientCidrs: ["203.0.113.0/24"],
  controlPlaneEndpointCidrs: ["192.0.2.0/24"],
  dnsServerCidrs: ["10.1.0.2/32"],
  registryCidrs: ["198.51.100.128/25"],
};
const aws = {
  ...around,
  platform: "AWS",
  endpointAccess: "PublicAndPrivate",
  loadBalancerTargets: "instance",
};
const awsPublic = { ...aws, endpointAccess: "Public" };
const awsIp = { ...awsPublic, loadBalancerTargets: "ip" };
const nodePorts = {
  ...around,
  platform: "None",
  services: {
    apiServer: { type: "NodePort", nodePort: 31443 },
    oauthServer: { type: "NodePort", nodePort: 31444 },
    konnectivity: { type: "NodePort", nodePort: 31091 },
    ignition: { type: "NodePort", nodePort: 31090 },
  },
};
const nodePortAt = (address: string) => ({
  ...nodePorts,
  services: { ...nodePorts.services, konnectivity: { ...nodePorts.services.konnectivity, address } },
});
const balanced = {
  apiServer: { type: "LoadBalancer" },
  oauthServer: { type: "Route" },
  konnectivity: { type: "LoadBalancer" },
  ignition: { type: "Route" },
};

const KAS = "hypershift control-plane-operator/controllers/hostedcontrolplane/kas/service.go";
const NLB = "Elastic Load Balancing, Edit target group attributes for your Network Load Balancer";
const CCM = "cloud-provider-aws pkg/providers/v1/aws_loadbalancer.go, updateInstanceSecurityGroupsForNLB";
const ROUTER = "hypershift control-plane-operator/controllers/hostedcontrolplane/ingress/router.go";
const WORKER_GROUP = "hypershift support/awsutil/sg.go";
const INSTALLER = "openshift/installer data/data/aws/cluster/vpc/sg-master.tf";
const OKD = "OKD, Networking for hosted control planes";
const PORTS = "HyperShift, HCP networking requirements";

/** Platforms on which HyperShift creates no security group for the nodes. */
const elsewhere = ["Azure", "GCP", "IBMCloud", "PowerVS", "KubeVirt", "OpenStack", "Agent", "None"];

export const oracle: readonly OracleCase[] = [
  {
    about:
      "workers of a private cluster reach the API server through PrivateLink, which shows the balancer's address",
    source: `${KAS}, ReconcilePrivateService; awsprivatelink_controller.go`,
    topology: aws,
    flow: "workers-kube-apiserver",
    hops: [
      "workers egress: 10.0.0.0/16 -> 10.0.0.0/16 TCP 6443 (plan)",
      "private-endpoint ingress: 10.0.0.0/16 -> 10.0.0.0/16 TCP 6443 (hypershift unless planned)",
      "control-plane ingress: 10.1.0.0/24 -> 10.1.0.0/16 TCP 30000-32767 (plan)",
      "pods kube-apiserver: ? -> ? TCP 6443",
    ],
  },
  {
    about: "users keep their addresses behind instance targets, and the cloud controller lets them in",
    source: `${NLB}, Client IP preservation; ${CCM}`,
    topology: aws,
    flow: "users-kube-apiserver",
    hops: [
      "control-plane ingress: 203.0.113.0/24 -> 10.1.0.0/16 TCP 30000-32767 (others)",
      "pods kube-apiserver: ? -> ? TCP 6443",
    ],
  },
  {
    about: "health checks come from the subnets of the load balancer, and the cloud controller lets them in",
    source: CCM,
    topology: aws,
    flow: "control-plane-ingress-load-balancer-health",
    hops: ["control-plane ingress: 10.1.0.0/24 -> 10.1.0.0/16 TCP 30000-32767 (others)"],
  },
  {
    about: "konnectivity by Route goes through the private router, whose pods listen at 8443",
    source: `${ROUTER}; ${PORTS}, Private Clusters (AWS/Azure/GCP)`,
    topology: aws,
    flow: "workers-konnectivity",
    hops: [
      "workers egress: 10.0.0.0/16 -> 10.0.0.0/16 TCP 443 (plan)",
      "private-endpoint ingress: 10.0.0.0/16 -> 10.0.0.0/16 TCP 443 (hypershift unless planned)",
      "control-plane ingress: 10.1.0.0/24 -> 10.1.0.0/16 TCP 30000-32767 (plan)",
      "pods private-router: ? -> ? TCP 8443",
      "pods konnectivity-server: ? -> ? TCP 8091",
      "pods kube-apiserver: ? -> ? TCP 8091",
    ],
  },
  {
    about: "workers of a public cluster come to node ports from their NAT address",
    source: `${NLB}, Client IP preservation`,
    topology: awsPublic,
    flow: "workers-kube-apiserver",
    hops: [
      "workers egress: 10.0.0.0/16 -> 192.0.2.0/24 TCP 6443 (plan)",
      "control-plane ingress: 198.51.100.7/32 -> 10.1.0.0/16 TCP 30000-32767 (plan)",
      "pods kube-apiserver: ? -> ? TCP 6443",
    ],
  },
  {
    about: "IP targets see the balancer's address in the place of workers",
    source: `${NLB}, Default settings: IP type target groups (TCP, TLS) disabled`,
    topology: awsIp,
    flow: "workers-kube-apiserver",
    hops: [
      "workers egress: 10.0.0.0/16 -> 192.0.2.0/24 TCP 6443 (plan)",
      "control-plane ingress: 10.1.0.0/24 -> 10.1.0.0/16 TCP 6443 (plan)",
      "pods kube-apiserver: ? -> ? TCP 6443",
    ],
  },
  {
    about: "IP targets see the balancer's address in the place of users",
    source: `${NLB}, Default settings: IP type target groups (TCP, TLS) disabled`,
    topology: awsIp,
    flow: "users-kube-apiserver",
    hops: [
      "control-plane ingress: 10.1.0.0/24 -> 10.1.0.0/16 TCP 6443 (plan)",
      "pods kube-apiserver: ? -> ? TCP 6443",
    ],
  },
  {
    about: "IP targets of the control plane's own router are its pods at 8443",
    source: ROUTER,
    topology: { ...aws, loadBalancerTargets: "ip" },
    flow: "workers-konnectivity",
    hops: [
      "workers egress: 10.0.0.0/16 -> 10.0.0.0/16 TCP 443 (plan)",
      "private-endpoint ingress: 10.0.0.0/16 -> 10.0.0.0/16 TCP 443 (hypershift unless planned)",
      "control-plane ingress: 10.1.0.0/24 -> 10.1.0.0/16 TCP 8443 (plan)",
      "pods private-router: ? -> ? TCP 8443",
      "pods konnectivity-server: ? -> ? TCP 8091",
      "pods kube-apiserver: ? -> ? TCP 8091",
    ],
  },
  {
    about: "a node port is dialled and seen as it is, from the NAT address",
    source: `${OKD}, Table 1. Common ingress ports; ${KAS}, ReconcileKonnectivityServerService`,
    topology: nodePorts,
    flow: "workers-konnectivity",
    hops: [
      "workers egress: 10.0.0.0/16 -> 10.1.0.0/16 TCP 31091 (plan)",
      "control-plane ingress: 198.51.100.7/32 -> 10.1.0.0/16 TCP 31091 (plan)",
      "pods konnectivity-server: ? -> ? TCP 8091",
      "pods kube-apiserver: ? -> ? TCP 8091",
    ],
  },
  {
    about: "an IP address of a node port is what workers dial, also that of a load balancer before the nodes",
    source: "hypershift api/hypershift/v1beta1/hostedcluster_types.go, NodePortPublishingStrategy.Address",
    topology: nodePortAt("10.9.0.5"),
    flow: "workers-konnectivity",
    hops: [
      "workers egress: 10.0.0.0/16 -> 10.9.0.5/32 TCP 31091 (plan)",
      "control-plane ingress: 198.51.100.7/32 -> 10.1.0.0/16 TCP 31091 (plan)",
      "pods konnectivity-server: ? -> ? TCP 8091",
      "pods kube-apiserver: ? -> ? TCP 8091",
    ],
  },
  {
    about: "an IP address of one node is the only one that workers dial",
    source: "hypershift api/hypershift/v1beta1/hostedcluster_types.go, NodePortPublishingStrategy.Address",
    topology: nodePortAt("10.1.0.10"),
    flow: "workers-konnectivity",
    hops: [
      "workers egress: 10.0.0.0/16 -> 10.1.0.10/32 TCP 31091 (plan)",
      "control-plane ingress: 198.51.100.7/32 -> 10.1.0.0/16 TCP 31091 (plan)",
      "pods konnectivity-server: ? -> ? TCP 8091",
      "pods kube-apiserver: ? -> ? TCP 8091",
    ],
  },
  {
    about: "a host name of a node port may be that of any node",
    source: "hypershift api/hypershift/v1beta1/hostedcluster_types.go, NodePortPublishingStrategy.Address",
    topology: nodePortAt("nodes.example.com"),
    flow: "workers-konnectivity",
    hops: [
      "workers egress: 10.0.0.0/16 -> 10.1.0.0/16 TCP 31091 (plan)",
      "control-plane ingress: 198.51.100.7/32 -> 10.1.0.0/16 TCP 31091 (plan)",
      "pods konnectivity-server: ? -> ? TCP 8091",
      "pods kube-apiserver: ? -> ? TCP 8091",
    ],
  },
  {
    about: "users reach the node port of OAuth, whose pods listen at 6443",
    source: "hypershift control-plane-operator/controllers/hostedcontrolplane/oauth/service.go",
    topology: nodePorts,
    flow: "users-oauth",
    hops: [
      "control-plane ingress: 203.0.113.0/24 -> 10.1.0.0/16 TCP 31444 (plan)",
      "pods oauth-openshift: ? -> ? TCP 6443",
    ],
  },
  {
    about: "ignition by node port leads to the proxy at 8443",
    source: "hypershift control-plane-operator/controllers/hostedcontrolplane/v2/ignitionserver_proxy",
    topology: nodePorts,
    flow: "workers-ignition",
    hops: [
      "workers egress: 10.0.0.0/16 -> 10.1.0.0/16 TCP 31090 (plan)",
      "control-plane ingress: 198.51.100.7/32 -> 10.1.0.0/16 TCP 31090 (plan)",
      "pods ignition-server-proxy: ? -> ? TCP 8443",
    ],
  },
  {
    about: "the load balancer of an API server on Azure listens at 7443, its pods at 6443",
    source: `${PORTS}, Platform-Specific Port Configurations, Azure`,
    topology: { ...around, platform: "Azure", endpointAccess: "Public", loadBalancerTargets: "instance" },
    flow: "workers-kube-apiserver",
    hops: [
      "workers egress: 10.0.0.0/16 -> 192.0.2.0/24 TCP 7443 (plan)",
      "control-plane ingress: 198.51.100.7/32 -> 10.1.0.0/16 TCP 30000-32767 (plan)",
      "pods kube-apiserver: ? -> ? TCP 6443",
    ],
  },
  {
    about: "on IBM Cloud load balancer and pods are at 2040",
    source: `${PORTS}, Platform-Specific Port Configurations, IBM Cloud`,
    topology: { ...around, platform: "IBMCloud", loadBalancerTargets: "ip" },
    flow: "workers-kube-apiserver",
    hops: [
      "workers egress: 10.0.0.0/16 -> 192.0.2.0/24 TCP 2040 (plan)",
      "control-plane ingress: 10.1.0.0/24 -> 10.1.0.0/16 TCP 2040 (plan)",
      "pods kube-apiserver: ? -> ? TCP 2040",
    ],
  },
  {
    about: "konnectivity behind a load balancer of OpenStack is at 8091 throughout",
    source: `${OKD}, Common ingress ports, LoadBalancer`,
    topology: { ...around, platform: "OpenStack", loadBalancerTargets: "ip", services: balanced },
    flow: "workers-konnectivity",
    hops: [
      "workers egress: 10.0.0.0/16 -> 192.0.2.0/24 TCP 8091 (plan)",
      "control-plane ingress: 10.1.0.0/24 -> 10.1.0.0/16 TCP 8091 (plan)",
      "pods konnectivity-server: ? -> ? TCP 8091",
      "pods kube-apiserver: ? -> ? TCP 8091",
    ],
  },
  {
    about: "kubelets are reached from node to node at 10250, which HyperShift's group lets in on AWS",
    source: WORKER_GROUP,
    topology: aws,
    flow: "workers-ingress-nodes-kubelet",
    hops: ["workers ingress: 10.0.0.0/16 -> 10.0.0.0/16 TCP 10250 (hypershift)"],
  },
  {
    about: "where workers carry only the plan's groups, it is the plan's part",
    source: WORKER_GROUP,
    topology: { ...aws, defaultWorkerRules: true },
    flow: "workers-ingress-nodes-kubelet",
    hops: ["workers ingress: 10.0.0.0/16 -> 10.0.0.0/16 TCP 10250 (plan)"],
  },
  ...elsewhere.map((platform) => ({
    about: `on ${platform} who made the nodes lets them in`,
    source: `${PORTS}; no group of HyperShift's outside AWS`,
    topology: { ...around, platform },
    flow: "workers-ingress-nodes-kubelet",
    hops: ["workers ingress: 10.0.0.0/16 -> 10.0.0.0/16 TCP 10250 (others)"],
  })),
  ...elsewhere
    .filter((platform) => platform !== "KubeVirt")
    .map((platform) => ({
      about: `on ${platform} pods of workers talk by Geneve at 6081`,
      source: "cluster-network-operator pkg/network/ovn_kubernetes.go, the default genevePort",
      topology: { ...around, platform },
      flow: "workers-pods-between-nodes",
      hops: [
        "workers egress: 10.0.0.0/16 -> 10.0.0.0/16 UDP 6081 (others)",
        "workers ingress: 10.0.0.0/16 -> 10.0.0.0/16 UDP 6081 (others)",
      ],
    })),
  ...["AWS", ...elsewhere].flatMap((platform) => [
    {
      about: `on ${platform} the management cluster has its own nodes' tunnel, whatever the workers' is`,
      source: `${INSTALLER}, master_ingress_geneve`,
      topology: { ...around, platform },
      flow: "control-plane-pods-between-nodes",
      hops: [
        "control-plane egress: 10.1.0.0/16 -> 10.1.0.0/16 UDP 6081 (installer)",
        "control-plane ingress: 10.1.0.0/16 -> 10.1.0.0/16 UDP 6081 (installer)",
      ],
    },
    {
      about: `on ${platform} workers ask DNS over TCP too`,
      source: `${OKD}, Table 5. Compute node egress requirements`,
      topology: { ...around, platform },
      flow: "workers-egress-dns-tcp",
      hops: ["workers egress: 10.0.0.0/16 -> 10.1.0.2/32 TCP 53 (plan)"],
    },
    {
      about: `on ${platform} the control plane resolves names`,
      source: `${OKD}, Table 4. Common egress ports; facts/upstream.md 4.9`,
      topology: { ...around, platform },
      flow: "control-plane-egress-dns-udp",
      hops: ["senders: ? -> ? UDP 5353", "control-plane egress: 10.1.0.0/16 -> 10.1.0.2/32 UDP 53 (plan)"],
    },
  ]),
  {
    about: "pods of workers talk by Geneve at 6081",
    source: WORKER_GROUP,
    topology: aws,
    flow: "workers-pods-between-nodes",
    hops: [
      "workers egress: 10.0.0.0/16 -> 10.0.0.0/16 UDP 6081 (hypershift)",
      "workers ingress: 10.0.0.0/16 -> 10.0.0.0/16 UDP 6081 (hypershift)",
    ],
  },
  {
    about: "on KubeVirt by Geneve at 9880",
    source: "hypershift control-plane-operator/hostedclusterconfigoperator/controllers/resources/network",
    topology: { ...around, platform: "KubeVirt" },
    flow: "workers-pods-between-nodes",
    hops: [
      "workers egress: 10.0.0.0/16 -> 10.0.0.0/16 UDP 9880 (others)",
      "workers ingress: 10.0.0.0/16 -> 10.0.0.0/16 UDP 9880 (others)",
    ],
  },
  {
    about: "etcd of the management cluster is what its installer opens",
    source: `${INSTALLER}, master_ingress_etcd`,
    topology: aws,
    flow: "control-plane-ingress-nodes-etcd-client",
    hops: ["control-plane ingress: 10.1.0.0/16 -> 10.1.0.0/16 TCP 2379 (installer)"],
  },
  {
    about: "workers resolve names",
    source: `${OKD}, Table 5. Compute node egress requirements`,
    topology: aws,
    flow: "workers-egress-dns-udp",
    hops: ["workers egress: 10.0.0.0/16 -> 10.1.0.2/32 UDP 53 (plan)"],
  },
  {
    about: "the control plane calls the API of the management cluster",
    source: `${OKD}, egress requirements of the control plane`,
    topology: aws,
    flow: "control-plane-egress-management-api",
    hops: [
      "senders: ? -> 10.1.0.0/16 TCP 6443",
      "control-plane egress: 10.1.0.0/16 -> 10.1.0.0/16 TCP 6443 (plan)",
    ],
  },
];
