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
  /** Annotations of the node, the newest name first: JSON with one address for each family. */
  annotations: readonly string[];
}

/** Newer releases of OVN-Kubernetes no longer write them. */
const router = [
  "k8s.ovn.org/node-gateway-router-lrp-ifaddrs",
  "k8s.ovn.org/node-gateway-router-lrp-ifaddr",
] as const;
const transit = ["k8s.ovn.org/node-transit-switch-port-ifaddr"] as const;

/** Each internal subnet at the nodes. */
export const nodeSubnets: Readonly<Record<InternalSubnetProperty, NodeSubnet>> = {
  internalJoinSubnet: { family: 4, annotations: router },
  v4InternalSubnet: { family: 4, annotations: router },
  ipv6InternalJoinSubnet: { family: 6, annotations: router },
  v6InternalSubnet: { family: 6, annotations: router },
  internalTransitSwitchSubnet: { family: 4, annotations: transit },
  ipv6InternalTransitSwitchSubnet: { family: 6, annotations: transit },
};

/** A node with this label runs Windows: the hybrid overlay connects it, and OVN gives it no address in these subnets. */
export const WINDOWS_NODE = { label: "kubernetes.io/os", value: "windows" } as const;

export const nodeSubnetSource = at(OVN_KUBERNETES, "go-controller/pkg/util/node_annotations.go");
