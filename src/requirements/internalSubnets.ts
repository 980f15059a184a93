import { at, OKD_NETWORKING, type DocumentReference, HYPERSHIFT, OVN_KUBERNETES } from "./documents";
import { INTERNAL_SUBNETS_SINCE, LIMIT } from "./limits";
import type { Release } from "./release";
import { Platform } from "./vocabulary";

/** Why a platform's guests cannot have an internal subnet, and the fix. */
export interface InternalSubnetRefusal {
  platform: Platform;
  problem: string;
  remedy: string;
}

/** A subnet that OVN-Kubernetes uses internally and that a HostedCluster can set. */
export interface InternalSubnet {
  /** The subnet as the subject of a sentence. */
  name: string;
  family: 4 | 6;
  /** Its path under `ovnKubernetesConfig` of a HostedCluster. */
  field: readonly string[];
  /** Longest mask that the API accepts; the effective limit depends on the node count. */
  longestMask: number;
  /** The first release whose HostedCluster has it. */
  since?: Release;
  /** If no release can be named: since when HyperShift has the field, `since May 2026`. */
  news?: string;
  /** Whether a running cluster can change it. */
  mutable: boolean;
  /** The property from which the network operator derives the same subnet: only one of the two can be set. */
  sameAs?: string;
  refused?: InternalSubnetRefusal;
  documents: readonly DocumentReference[];
}

const documented = at(OKD_NETWORKING, "Configuring internal OVN IPv4 subnets for hosted clusters");
const api = at(HYPERSHIFT, "HostedCluster CRD, spec.operatorConfiguration");
const ipv4 = {
  family: 4,
  longestMask: LIMIT.internalSubnetMask.max,
} as const;
const ipv6 = {
  family: 6,
  longestMask: LIMIT.internalSubnetV6Mask.max,
} as const;
const since420 = { since: INTERNAL_SUBNETS_SINCE, mutable: true, documents: [documented] } as const;
const withIpv6 = { news: "since May 2026", mutable: false, documents: [api] } as const;
const withSingle = { news: "since June 2026", mutable: false, documents: [api] } as const;

/** The internal subnets by the topology property that sets them. */
export const internalSubnets = {
  internalJoinSubnet: {
    ...ipv4,
    ...since420,
    name: "OVN's join subnet",
    field: ["ipv4", "internalJoinSubnet"],
    sameAs: "v4InternalSubnet",
    refused: {
      platform: Platform.KubeVirt,
      problem: "refused on KubeVirt, whose guests have a join subnet of their own",
      remedy: "leave it out; v4InternalSubnet moves that one, and internalTransitSwitchSubnet can be set",
    },
  },
  internalTransitSwitchSubnet: {
    ...ipv4,
    ...since420,
    name: "OVN's transit switch subnet",
    field: ["ipv4", "internalTransitSwitchSubnet"],
  },
  v4InternalSubnet: {
    ...ipv4,
    ...withSingle,
    name: "OVN's internal IPv4 subnet",
    field: ["v4InternalSubnet"],
    sameAs: "internalJoinSubnet",
  },
  v6InternalSubnet: {
    ...ipv6,
    ...withSingle,
    name: "OVN's internal IPv6 subnet",
    field: ["v6InternalSubnet"],
    sameAs: "ipv6InternalJoinSubnet",
  },
  ipv6InternalJoinSubnet: {
    ...ipv6,
    ...withIpv6,
    name: "OVN's IPv6 join subnet",
    field: ["ipv6", "internalJoinSubnet"],
    sameAs: "v6InternalSubnet",
  },
  ipv6InternalTransitSwitchSubnet: {
    ...ipv6,
    ...withIpv6,
    name: "OVN's IPv6 transit switch subnet",
    field: ["ipv6", "internalTransitSwitchSubnet"],
  },
} as const satisfies Readonly<Record<string, InternalSubnet>>;

/** A topology property that sets an internal subnet. */
export type InternalSubnetProperty = keyof typeof internalSubnets;

/** The topology properties that set internal subnets. */
export const internalSubnetProperties = Object.keys(internalSubnets) as InternalSubnetProperty[];

/** Returns the row of an internal subnet, in its general type. */
export const internalSubnet = (property: InternalSubnetProperty): InternalSubnet => internalSubnets[property];

/** The addresses to which OVN-Kubernetes translates those of a node: only the object of the network operator sets them. */
export interface MasqueradeSubnet {
  /** The subnet as the subject of a sentence. */
  name: string;
  family: 4 | 6;
  /** Its path under `ovnKubernetesConfig` of the operator's object. */
  field: string;
  /** The row of its default range. */
  row: string;
}

/** The masquerade subnet of each family. */
export const masqueradeSubnets: readonly MasqueradeSubnet[] = [
  {
    name: "OVN's masquerade subnet",
    family: 4,
    field: "gatewayConfig.ipv4.internalMasqueradeSubnet",
    row: "ovn-masquerade",
  },
  {
    name: "OVN's IPv6 masquerade subnet",
    family: 6,
    field: "gatewayConfig.ipv6.internalMasqueradeSubnet",
    row: "ovn-masquerade-v6",
  },
];

/** Every subnet that the object of the network operator can set: its name, and its path under `ovnKubernetesConfig`. */
export const operatorSubnets: readonly Pick<MasqueradeSubnet, "name" | "field">[] = [
  ...Object.values(internalSubnets).map(({ name, field }) => ({ name, field: field.join(".") })),
  ...masqueradeSubnets,
];

/** The DaemonSet that runs OVN on each node of a hosted cluster. (Configuring internal OVN IPv4 subnets, Verification) */
export const OVNKUBE_NODE = { namespace: "openshift-ovn-kubernetes", name: "ovnkube-node" } as const;

/** Seconds for a roll-out of ovnkube-node. The documents wait five minutes, which is too short for a cluster of many nodes. */
export const ROLL_OUT_SECONDS = { default: 1_800, min: 10, max: 14_400 } as const;

export const rollOutSource = at(OKD_NETWORKING, "Configuring internal OVN IPv4 subnets for hosted clusters");

/** Newer releases of OVN-Kubernetes no longer set these annotations. */
const router = [
  "k8s.ovn.org/node-gateway-router-lrp-ifaddrs",
  "k8s.ovn.org/node-gateway-router-lrp-ifaddr",
] as const;
const transit = ["k8s.ovn.org/node-transit-switch-port-ifaddr"] as const;

/** Annotations of a node with its addresses in each internal subnet, the newest name first: JSON with one for each family. */
export const nodeAnnotations: Readonly<Record<InternalSubnetProperty, readonly string[]>> = {
  internalJoinSubnet: router,
  v4InternalSubnet: router,
  ipv6InternalJoinSubnet: router,
  v6InternalSubnet: router,
  internalTransitSwitchSubnet: transit,
  ipv6InternalTransitSwitchSubnet: transit,
};

/** The label of a Windows node: the hybrid overlay connects it, and OVN gives it no address in these subnets. */
export const WINDOWS_NODE = { label: "kubernetes.io/os", value: "windows" } as const;

export const nodeSubnetSource = at(OVN_KUBERNETES, "go-controller/pkg/util/node_annotations.go");
