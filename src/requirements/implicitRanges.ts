import {
  OKD_NETWORKING,
  DOCKER,
  HYPERSHIFT,
  NETWORK_OPERATOR,
  OVN_KUBERNETES,
  SPECIAL_PURPOSE,
  at,
} from "./documents";
import type { DocumentReference } from "./documents";
import type { ReleaseRange } from "./release";
import type { InternalSubnetProperty } from "./internalSubnets";
import { ALL_PLATFORMS } from "./requirement";
import { Platform } from "./vocabulary";

/** An address range that a cluster uses although no user wrote it. */
export interface ImplicitRange {
  id: string;
  /** The range as the subject of a sentence. */
  name: string;
  cidr: string;
  family: 4 | 6;
  platforms: readonly Platform[];
  /** Releases of the hosted cluster that use it. Default: all. */
  releases?: ReleaseRange;
  /** The topology properties that replace it, the usual one first. */
  replacedBy?: readonly ("advertiseAddress" | "clusterNetwork" | "serviceNetwork" | InternalSubnetProperty)[];
  /** True: only clusters with OVN-Kubernetes use it. */
  ovnOnly: boolean;
  /** The component that refuses the cluster if a range of the user overlaps it, and the ranges it compares; if absent, nothing notices. */
  checkedBy?: { who: "HyperShift" | "OVN-Kubernetes"; against: readonly NetworkKind[] };
  /** True: it is inside nodes, so that a network around the cluster may use it too without conflict. */
  nodeLocal: boolean;
  /** True: clusters created before `releases` keep their previous range through all upgrades. */
  newClustersOnly?: boolean;
  /** The feature that uses it. If absent, every cluster does. */
  onlyWith?: OptionalFeature;
  /** What breaks if another network overlaps it. */
  breaks: string;
  documents: readonly DocumentReference[];
}

/** A feature that a cluster has only if someone enables it. */
export interface OptionalFeature {
  /** `primary user-defined networks without joinSubnets` */
  name: string;
  /** How to move the range. */
  remedy: string;
}

/** The lists of a HostedCluster's networks. */
export type NetworkKind = "machineNetwork" | "clusterNetwork" | "serviceNetwork";

/** UserDefinedNetwork API of OVN-Kubernetes: `joinSubnets` of `layer2` and `layer3`, only with the role Primary. */
const userDefinedNetworks: OptionalFeature = {
  name: "primary user-defined networks without joinSubnets",
  remedy: "write joinSubnets in each of them",
};

const OTHERS = ALL_PLATFORMS.filter((platform) => platform !== Platform.KubeVirt);
const ovnAtStart = { who: "OVN-Kubernetes", against: ["clusterNetwork", "serviceNetwork"] } as const;
const hyperShift = {
  who: "HyperShift",
  against: ["machineNetwork", "clusterNetwork", "serviceNetwork"],
} as const;
const everywhere = { platforms: ALL_PLATFORMS, nodeLocal: false, ovnOnly: false } as const;
const ovn = { ...everywhere, ovnOnly: true } as const;

const subnets = at(OKD_NETWORKING, "Configuring internal OVN IPv4 subnets for hosted clusters");
const networkOperator = at(NETWORK_OPERATOR, "pkg/network/ovn_kubernetes.go");
const ovnDefaults = at(OVN_KUBERNETES, "go-controller/pkg/config/config.go");
const guestNetwork = at(HYPERSHIFT, "control-plane-operator/hostedclusterconfigoperator (network)");
const advertised = at(HYPERSHIFT, "api/hypershift/v1beta1/hostedcluster_types.go");

const joinBreaks = "replies of pods to those addresses never leave the node";
const transitBreaks = "traffic of pods between nodes and to those addresses is lost";
const advertisedBreaks = "nodes send packets for those addresses to their own API proxy";
const linkLocalBreaks = "nodes treat those addresses as link-local and never route them";

type Row = Omit<ImplicitRange, "family">;
const withFamily = (row: Row): ImplicitRange => ({ ...row, family: row.cidr.includes(":") ? 6 : 4 });

const rows: readonly Row[] = [
  {
    ...everywhere,
    id: "cluster-network",
    name: "the default cluster network",
    cidr: "10.132.0.0/14",
    replacedBy: ["clusterNetwork"],
    checkedBy: hyperShift,
    breaks: "pods cannot reach those addresses",
    documents: [at(HYPERSHIFT, "HostedCluster CRD, spec.networking")],
  },
  {
    ...everywhere,
    id: "service-network",
    name: "the default service network",
    cidr: "172.31.0.0/16",
    replacedBy: ["serviceNetwork"],
    checkedBy: hyperShift,
    breaks: "pods cannot reach those addresses",
    documents: [at(HYPERSHIFT, "HostedCluster CRD, spec.networking")],
  },
  {
    ...ovn,
    id: "ovn-join",
    name: "OVN's default join subnet",
    cidr: "100.64.0.0/16",
    platforms: OTHERS,
    replacedBy: ["internalJoinSubnet", "v4InternalSubnet"],
    checkedBy: ovnAtStart,
    breaks: joinBreaks,
    documents: [subnets, ovnDefaults],
  },
  {
    ...ovn,
    id: "ovn-join-kubevirt",
    name: "OVN's join subnet of KubeVirt guests",
    cidr: "100.66.0.0/16",
    platforms: [Platform.KubeVirt],
    replacedBy: ["v4InternalSubnet"],
    checkedBy: hyperShift,
    breaks: joinBreaks,
    documents: [guestNetwork],
  },
  {
    ...ovn,
    id: "ovn-transit-switch",
    name: "OVN's default transit switch subnet",
    cidr: "100.88.0.0/16",
    releases: { from: { major: 4, minor: 14 } },
    replacedBy: ["internalTransitSwitchSubnet"],
    checkedBy: ovnAtStart,
    breaks: transitBreaks,
    documents: [subnets, ovnDefaults],
  },
  {
    ...ovn,
    id: "ovn-user-defined-join",
    name: "the join subnet of user-defined networks",
    onlyWith: userDefinedNetworks,
    cidr: "100.65.0.0/16",
    releases: { from: { major: 4, minor: 17 } },
    breaks: joinBreaks,
    documents: [ovnDefaults],
  },
  {
    ...ovn,
    id: "ovn-masquerade",
    newClustersOnly: true,
    name: "OVN's masquerade subnet",
    cidr: "169.254.0.0/17",
    releases: { from: { major: 4, minor: 17 } },
    nodeLocal: true,
    checkedBy: ovnAtStart,
    breaks: linkLocalBreaks,
    documents: [networkOperator],
  },
  {
    ...ovn,
    id: "ovn-masquerade-before-4.17",
    name: "OVN's masquerade subnet before 4.17, kept by upgraded clusters",
    cidr: "169.254.169.0/29",
    nodeLocal: true,
    checkedBy: ovnAtStart,
    breaks: linkLocalBreaks,
    documents: [networkOperator, ovnDefaults],
  },
  {
    ...everywhere,
    id: "advertise-address",
    name: "the address at which nodes reach the API server",
    cidr: "172.20.0.1/32",
    replacedBy: ["advertiseAddress"],
    checkedBy: hyperShift,
    breaks: advertisedBreaks,
    documents: [advertised],
  },
  {
    ...ovn,
    id: "ovn-join-v6",
    name: "OVN's default IPv6 join subnet",
    cidr: "fd98::/64",
    platforms: OTHERS,
    replacedBy: ["ipv6InternalJoinSubnet", "v6InternalSubnet"],
    checkedBy: ovnAtStart,
    breaks: joinBreaks,
    documents: [ovnDefaults],
  },
  {
    ...ovn,
    id: "ovn-join-v6-kubevirt",
    name: "OVN's IPv6 join subnet of KubeVirt guests",
    cidr: "fd99::/64",
    platforms: [Platform.KubeVirt],
    replacedBy: ["v6InternalSubnet", "ipv6InternalJoinSubnet"],
    checkedBy: hyperShift,
    breaks: joinBreaks,
    documents: [guestNetwork],
  },
  {
    ...ovn,
    id: "ovn-user-defined-join-v6",
    name: "the IPv6 join subnet of user-defined networks",
    onlyWith: userDefinedNetworks,
    cidr: "fd99::/64",
    platforms: OTHERS,
    releases: { from: { major: 4, minor: 17 } },
    breaks: joinBreaks,
    documents: [ovnDefaults],
  },
  {
    ...ovn,
    id: "ovn-transit-switch-v6",
    name: "OVN's default IPv6 transit switch subnet",
    cidr: "fd97::/64",
    releases: { from: { major: 4, minor: 14 } },
    replacedBy: ["ipv6InternalTransitSwitchSubnet"],
    checkedBy: ovnAtStart,
    breaks: transitBreaks,
    documents: [ovnDefaults],
  },
  {
    ...ovn,
    id: "ovn-masquerade-v6",
    newClustersOnly: true,
    name: "OVN's IPv6 masquerade subnet",
    cidr: "fd69::/112",
    releases: { from: { major: 4, minor: 17 } },
    nodeLocal: true,
    checkedBy: ovnAtStart,
    breaks: linkLocalBreaks,
    documents: [networkOperator],
  },
  {
    ...ovn,
    id: "ovn-masquerade-v6-before-4.17",
    name: "OVN's IPv6 masquerade subnet before 4.17, kept by upgraded clusters",
    cidr: "fd69::/125",
    nodeLocal: true,
    checkedBy: ovnAtStart,
    breaks: linkLocalBreaks,
    documents: [networkOperator, ovnDefaults],
  },
  {
    ...everywhere,
    id: "advertise-address-v6",
    name: "the IPv6 address at which nodes reach the API server",
    cidr: "fd00::1/128",
    replacedBy: ["advertiseAddress"],
    checkedBy: hyperShift,
    breaks: advertisedBreaks,
    documents: [advertised],
  },
  ...(
    [
      ["this-network", "addresses of this host on this network", "0.0.0.0/8"],
      ["loopback", "loopback addresses", "127.0.0.0/8"],
      ["link-local", "link-local addresses, instance metadata among them", "169.254.0.0/16"],
      ["multicast", "multicast addresses", "224.0.0.0/4"],
      ["reserved", "reserved addresses and the broadcast address", "240.0.0.0/4"],
      ["loopback-v6", "the IPv6 loopback address", "::1/128"],
      ["link-local-v6", "IPv6 link-local addresses", "fe80::/10"],
      ["multicast-v6", "IPv6 multicast addresses", "ff00::/8"],
    ] as const
  ).map(([id, name, cidr]) => ({
    ...everywhere,
    id,
    name,
    cidr,
    nodeLocal: true,
    breaks: "no router forwards packets to those addresses",
    documents: [at(SPECIAL_PURPOSE, "Summary of Special-Purpose IP Addresses")],
  })),
];

/** Every range that clusters use by default. The ids are stable. */
export const implicitRanges: readonly ImplicitRange[] = rows.map(withFamily);

/**
 * Ranges that machines around a cluster use by default when they run containers. An overlap breaks
 * nothing in the cluster, but these machines cannot reach those addresses.
 */
export const containerEngineRanges: readonly ImplicitRange[] = [
  withFamily({
    ...everywhere,
    id: "container-bridge",
    name: "the default bridge of Docker and engines like it",
    cidr: "172.17.0.0/16",
    breaks: "bastions, build machines and others with such an engine cannot reach those addresses",
    documents: [at(DOCKER, "Packet filtering and firewalls, bridge network driver")],
  }),
];

/** The address ranges of private networks. */
export const privateSpaces = [
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "100.64.0.0/10",
  "fd00::/8",
] as const;

/** Ranges for examples in documents, which no network uses: they stand for any address. */
export const DOCUMENTATION = { 4: "203.0.113.0/24", 6: "2001:db8::/32" } as const;

/** Blocks that hosts on the internet never have. Every other address is public and may belong to a host. */
export const notPublic: readonly string[] = [
  ...["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"],
  ...["192.0.0.0/24", "192.0.2.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24"],
  ...[DOCUMENTATION[4], "224.0.0.0/4", "240.0.0.0/4"],
  ...[
    "::/8",
    "64:ff9b:1::/48",
    "100::/64",
    DOCUMENTATION[6],
    "3fff::/20",
    "fc00::/7",
    "fe80::/10",
    "ff00::/8",
  ],
];

export const notPublicDocuments = [at(SPECIAL_PURPOSE, "Summary of Special-Purpose IP Addresses")];

/** Returns the implicit range with an id. */
export function implicitRangeOf(id: string): ImplicitRange {
  const range = implicitRanges.find((candidate) => candidate.id === id);
  if (!range) throw new Error(`no implicit range has the id ${id}`);
  return range;
}
