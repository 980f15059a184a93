import { OCP_4_7_OVN, NETWORK_OPERATOR, OCP_RELEASE_NOTES, at } from "./documents";
import type { DocumentReference } from "./documents";
import { IPSEC } from "./networkOperator";
import { OVNKUBE_NODE } from "./internalSubnets";
import { PORT } from "./ports";
import { InfrastructurePlatform, NetworkType } from "./vocabulary";

/** Marks a Network operator's object while the network type of its cluster is changed, in releases without `spec.migration`. */
export const MIGRATION_ANNOTATION = "networkoperator.openshift.io/network-migration";

/** Bytes that the overlay network takes of each packet: so much smaller is the MTU of the cluster network than that of the nodes. */
export const OVERLAY_OVERHEAD = {
  [NetworkType.OVNKubernetes]: 100,
  [NetworkType.OpenShiftSDN]: 50,
  /** What IPsec takes beside Geneve. */
  ipsec: IPSEC.overheadBytes,
} as const;

/** A network type between which and another one clusters migrate. */
export type MigratedType = typeof NetworkType.OVNKubernetes | typeof NetworkType.OpenShiftSDN;

/** The MTU that the cluster network has at most on nodes of an MTU. */
export const overlayMtu = (nodeMtu: number, type: MigratedType): number => nodeMtu - OVERLAY_OVERHEAD[type];

/** The MTU that nodes have at least which carry a cluster network of an MTU. */
export const nodeMtuOf = (mtu: number, type: MigratedType): number => mtu + OVERLAY_OVERHEAD[type];

/** The UDP ports of the two overlay networks unless stated otherwise. Nodes have both while a migration lasts. */
export const OVERLAY_PORT = {
  [NetworkType.OVNKubernetes]: PORT.geneve,
  [NetworkType.OpenShiftSDN]: PORT.vxlan,
} as const;

/** Where it stands how a cluster changes its network type, and the MTU of its network. */
export const migrationSources = {
  steps: at(OCP_4_7_OVN, "15.2.2. Migrating to the OVN-Kubernetes default CNI network provider"),
  rollback: at(OCP_4_7_OVN, "15.3. Rolling back to the OpenShift SDN network provider"),
  operator: at(NETWORK_OPERATOR, "pkg/network/ovn_kubernetes.go"),
} as const;

/** The namespace in which the pods of a network type run. It is left over when the cluster has another type. */
export const NETWORK_NAMESPACE: Readonly<Record<MigratedType, string>> = {
  [NetworkType.OVNKubernetes]: OVNKUBE_NODE.namespace,
  [NetworkType.OpenShiftSDN]: "openshift-sdn",
};

/** The DaemonSet that the network operator rolls out when the type changes. */
export const MULTUS = { namespace: "openshift-multus", name: "multus" } as const;

const supported = at(OCP_4_7_OVN, "15.2.1. Migration to the OVN-Kubernetes network provider");
const considered = at(
  OCP_4_7_OVN,
  "15.2.1.1. Considerations for migrating to the OVN-Kubernetes network provider",
);

/** The release whose documented migration this is. */
export const MIGRATION_RELEASE = {
  release: { major: 4, minor: 7 },
  documents: [migrationSources.steps],
} as const;

/** The first release without OpenShift SDN: its network operator knows no such network, and a cluster gets none. */
export const WITHOUT_OPENSHIFT_SDN = {
  from: { major: 4, minor: 17 },
  reason: "has no OpenShift SDN any more",
  documents: [at(OCP_RELEASE_NOTES, "4.17, Networking deprecated and removed features")],
} as const;

/** Why other releases do not migrate this way. The first row that holds counts. */
export const otherMigrationReleases = [
  WITHOUT_OPENSHIFT_SDN,
  {
    from: { major: 4, minor: 8 },
    reason: "prepares its nodes by spec.migration of the network operator, which is another procedure",
  },
  { from: { major: 4, minor: 0 }, reason: "migrates by another procedure, or not at all" },
] as const;

/** The platforms on which a cluster of openshift-install migrates. */
export const migrationPlatforms: {
  platforms: readonly InfrastructurePlatform[];
  documents: readonly DocumentReference[];
} = {
  platforms: [
    InfrastructurePlatform.BareMetal,
    InfrastructurePlatform.AWS,
    InfrastructurePlatform.GCP,
    InfrastructurePlatform.Azure,
    InfrastructurePlatform.OpenStack,
    InfrastructurePlatform.VSphere,
  ],
  documents: [supported],
};

/** Marks nodes that the cluster's own Machine API made, which those of user-provisioned clusters are not. */
export const MACHINE_ANNOTATION = "machine.openshift.io/machine";

/** The isolation mode of OpenShift SDN that can migrate, which is also the one without a setting. The others cannot. */
export const MIGRATED_SDN_MODE = { mode: "NetworkPolicy", documents: [considered] } as const;

/** Objects of OpenShift SDN whose settings are not carried over. */
export const handTranslations = {
  egressNetworkPolicy: {
    instead: "an EgressFirewall named default in the same namespace",
    documents: [considered],
  },
  netNamespaceAddresses: {
    instead: "an EgressIP that selects the namespace",
    documents: [considered],
  },
  hostSubnetAddresses: {
    instead: "the label k8s.ovn.org/egress-assignable on the node",
    documents: [considered],
  },
  multicast: {
    instead: "the annotation of OVN-Kubernetes on the namespace, as MulticastNamespace writes it",
    documents: [considered],
  },
} as const satisfies Record<string, { instead: string; documents: readonly DocumentReference[] }>;

/** On a NetNamespace: multicast among the pods of its namespace. */
export const SDN_MULTICAST_ANNOTATION = "netnamespace.network.openshift.io/multicast-enabled";

/** Annotations of a node that say which machine configuration it has, which it is to have, and whether it got there. */
export const MACHINE_CONFIG_ANNOTATION = {
  current: "machineconfiguration.openshift.io/currentConfig",
  desired: "machineconfiguration.openshift.io/desiredConfig",
  state: "machineconfiguration.openshift.io/state",
  done: "Done",
} as const;

/** What a node's service runs with the network type of its cluster, which shows in the machine configuration. */
export const MACHINE_CONFIG_SCRIPT = "configure-ovs.sh";

/**
 * What this package notes on Network.config.openshift.io when it changes the type: how often Multus had been rolled out, and
 * which boots of nodes are to be over. The notes go with the last step.
 */
export const MIGRATION_RECORD_ANNOTATION = "hypershift-network/migration";
