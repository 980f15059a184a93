import { D0, OVN_KUBERNETES, at } from "./documents";
import type { InternalSubnetProperty } from "./internalSubnets";

/** The DaemonSet that runs OVN on each node of a hosted cluster. (Configuring internal OVN IPv4 subnets, Verification) */
export const OVNKUBE_NODE = { namespace: "openshift-ovn-kubernetes", name: "ovnkube-node" } as const;

/** Seconds for a roll-out of ovnkube-node. The documents wait five minutes, which a cluster of many nodes does not keep. */
export const ROLL_OUT_SECONDS = { default: 1_800, min: 10, max: 14_400 } as const;

export const rollOutSource = at(D0, "Configuring internal OVN IPv4 subnets for hosted clusters");

/** Where OVN-Kubernetes writes the addresses that a node has in an internal subnet. */
export interface NodeSubnet {
  family: 4 | 6;
  /** Topology properties that say the subnet. */
  saidBy: readonly InternalSubnetProperty[];
  /** Annotations of the node, the newest name first: JSON with one address for each family. */
  annotations: readonly string[];
}

const router = [
  "k8s.ovn.org/node-gateway-router-lrp-ifaddrs",
  "k8s.ovn.org/node-gateway-router-lrp-ifaddr",
] as const;
const transit = ["k8s.ovn.org/node-transit-switch-port-ifaddr"] as const;

/** The internal subnets that can be seen at nodes. */
export const nodeSubnets: readonly NodeSubnet[] = [
  { family: 4, saidBy: ["internalJoinSubnet", "v4InternalSubnet"], annotations: router },
  { family: 6, saidBy: ["ipv6InternalJoinSubnet", "v6InternalSubnet"], annotations: router },
  { family: 4, saidBy: ["internalTransitSwitchSubnet"], annotations: transit },
  { family: 6, saidBy: ["ipv6InternalTransitSwitchSubnet"], annotations: transit },
];

export const nodeSubnetSource = at(OVN_KUBERNETES, "go-controller/pkg/util/node_annotations.go");
