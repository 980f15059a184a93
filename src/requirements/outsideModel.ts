import { AWS_NETWORK_ACLS, AWS_VPC, OCP_4_7_OVN, HYPERSHIFT, at, type DocumentReference } from "./documents";
import { networkPolicySource } from "./networkPolicies";

/** Things that affect packets but are in no plan, or that are assumed here. The values are stable ids. */
export enum Outside {
  Routes = "routes",
  AddressTranslation = "address-translation",
  DnsAnswers = "dns-answers",
  LoadBalancerListeners = "load-balancer-listeners",
  AllowedBlocks = "allowed-blocks",
  ControllerGroups = "controller-groups",
  AttachedGroups = "attached-groups",
  UntaggedAcls = "untagged-acls",
  SameSubnet = "same-subnet",
  VpcServices = "vpc-services",
  PrivateEndpoints = "private-endpoints",
  ClientNetworks = "client-networks",
  OtherEnd = "other-end",
  HttpProxy = "http-proxy",
  NodeListeners = "node-listeners",
  NodeFirewalls = "node-firewalls",
  ClusterOfObjects = "cluster-of-objects",
  HyperShiftPolicies = "hypershift-policies",
  HostNetworkRouters = "host-network-routers",
  EgressAddresses = "egress-addresses",
  TunnelledPods = "tunnelled-pods",
  PacketSize = "packet-size",
}

/** One thing that proofs do not cover. */
export interface OutsideEntry {
  id: Outside;
  /** The thing as the subject of a sentence. */
  what: string;
  /** Why no proof covers it, and what is assumed instead. */
  why: string;
  /** True if it applies to every flow. */
  everywhere?: true;
  documents?: readonly DocumentReference[];
}

const unfiltered = at(AWS_NETWORK_ACLS, "Network ACL basics");

const entries: Readonly<Record<Outside, Omit<OutsideEntry, "id">>> = {
  [Outside.Routes]: {
    what: "Routes",
    why: "plans do not show every table on the way; every hop is assumed to be routed",
    everywhere: true,
  },
  [Outside.AddressTranslation]: {
    what: "Address translation",
    why: "NAT and load balancers choose addresses at run time; the topology states them as workerNatCidrs and loadBalancerSubnetCidrs",
  },
  [Outside.DnsAnswers]: {
    what: "Answers of DNS",
    why: "names are resolved at run time; they are assumed to resolve to the addresses that the topology states",
  },
  [Outside.LoadBalancerListeners]: {
    what: "Listeners and target groups of load balancers",
    why: "controllers of the management cluster create them at run time; they are assumed to lead to the service",
  },
  [Outside.AllowedBlocks]: {
    what: "Blocks that the API server is reached from",
    why: "public load balancers of the API server and of the control plane's own router allow what networking.apiServer.allowedCIDRBlocks of the HostedCluster lists; on Azure, GCP, and AWS with IP targets, they certainly block clients that the list leaves out; elsewhere this is unknown",
    documents: [at(HYPERSHIFT, "HostedCluster CRD, spec.networking.apiServer")],
  },
  [Outside.ControllerGroups]: {
    what: "Security groups that controllers create",
    why: "no plan shows the groups of load balancers, or the rules that their controllers add to groups of nodes",
  },
  [Outside.AttachedGroups]: {
    what: "Which security groups a machine carries",
    why: "machines of node pools do not exist yet; every host of a role is assumed to carry all groups of that role; HyperShift's own groups can only open more",
    everywhere: true,
    documents: [at(HYPERSHIFT, "support/awsutil/sg.go")],
  },
  [Outside.UntaggedAcls]: {
    what: "Network ACLs without a role",
    why: "an ACL that gets no role from a tag, its component or a tag of its subnets is assumed to filter subnets of others",
    everywhere: true,
  },
  [Outside.SameSubnet]: {
    what: "Packets within one subnet",
    why: "no network ACL sees them; hosts are assumed to be in different subnets, so that all their ACLs count",
    everywhere: true,
    documents: [unfiltered],
  },
  [Outside.VpcServices]: {
    what: "The VPC's own DNS resolver, instance metadata, time and DHCP",
    why: "neither security groups nor network ACLs filter them; a missing DNS rule is still a finding, because the hosts may use another resolver",
    documents: [unfiltered, at(AWS_VPC, "Subnet sizing for IPv4")],
  },
  [Outside.PrivateEndpoints]: {
    what: "Private endpoints, apart from the VPC endpoint's security group",
    why: "endpoint services, their acceptance and their policies are created while the cluster is installed",
  },
  [Outside.ClientNetworks]: {
    what: "The networks of users",
    why: "these networks decide what they allow out",
  },
  [Outside.OtherEnd]: {
    what: "The other end of a call",
    why: "registries, DNS servers and external APIs decide what they allow in",
  },
  [Outside.HttpProxy]: {
    what: "The HTTP proxy",
    why: "its configuration defines what it allows, and the path from the proxy onward",
  },
  [Outside.NodeListeners]: {
    what: "The API proxy on each node",
    why: "packets to it stay on the node: groups and ACLs never see them",
    documents: [at(HYPERSHIFT, "api/hypershift/v1beta1/hostedcluster_types.go")],
  },
  [Outside.NodeFirewalls]: {
    what: "Firewalls on the nodes themselves",
    why: "nftables rules and Windows firewalls are set by machine configuration; they are assumed to allow what security groups allow",
    everywhere: true,
  },
  [Outside.ClusterOfObjects]: {
    what: "The cluster that a Kubernetes object is in",
    why: "plans do not name it: objects of a component are in the cluster of its topology; objects in the namespace of the control plane, administrators' policies and the namespaces of operators and DNS are in the management cluster; egress firewalls of other namespaces are in the hosted cluster, and those of the namespace of DNS in either; administrators' policies and namespaces of another provider of the HostedCluster's stack, or of another server, are in another cluster",
  },
  [Outside.HyperShiftPolicies]: {
    what: "Network policies that HyperShift writes",
    why: "HyperShift writes them while it creates the control plane, and they add to those of the plan: what they let into pods is assumed to be allowed, whatever a plan's policies drop; policies that are in the files, and all policies of a running cluster that was read, are judged instead; what they prevent pods from sending is not judged",
    documents: [networkPolicySource],
  },
  [Outside.HostNetworkRouters]: {
    what: "Routers of the management cluster on the host network",
    why: "an IngressController decides whether its routers are pods of their namespace or use the network of their node; policies are judged as if they were pods",
  },
  [Outside.EgressAddresses]: {
    what: "Source addresses of pods outside their cluster",
    why: "they are those of the node, or of an egress IP that moves between nodes; security groups of the nodes are assumed to see the nodes' own addresses",
    documents: [at(OCP_4_7_OVN, "15.9.1. Egress IP address architectural design and implementation")],
  },
  [Outside.TunnelledPods]: {
    what: "Pods behind the tunnel",
    why: "no plan of the control plane shows network policies of the hosted cluster that keep the tunnel's agents from reaching pods",
  },
  [Outside.PacketSize]: {
    what: "Sizes of packets",
    why: "a path that is too narrow for packets with tunnel headers loses only large ones",
  },
};

/** Everything that proofs do not cover. */
export const outsideEntries: readonly OutsideEntry[] = Object.values(Outside).map((id) => ({
  id,
  ...entries[id],
}));

/** What the verdicts on `flows` do not cover, each entry once: one list for a whole cluster. */
export function outsideModel(flows: readonly { outside: readonly Outside[] }[]): OutsideEntry[] {
  const named = new Set(flows.flatMap(({ outside }) => outside));
  return outsideEntries.filter(({ id, everywhere }) => everywhere === true || named.has(id));
}
