import { OCP_4_7_OVN, NETWORK_OPERATOR, OCP_RELEASE_NOTES, at } from "./documents";
import type { DocumentReference } from "./documents";
import { IPSEC } from "./networkOperator";
import { OVNKUBE_NODE } from "./internalSubnets";
import { PORT } from "./ports";
import { InfrastructurePlatform, NetworkType } from "./vocabulary";

/** Marks a Network operator's object during a change of its cluster's network type, in releases without `spec.migration`. */
export const MIGRATION_ANNOTATION = "networkoperator.openshift.io/network-migration";

/** Begins a live migration to the type that the same object states: Network.config.openshift.io of releases that migrate live. */
export const LIVE_MIGRATION_ANNOTATION = "network.openshift.io/network-type-migration";

/** Bytes of each packet that the overlay uses: the MTU of the cluster network is smaller than that of the nodes by this number. */
export const OVERLAY_OVERHEAD = {
  [NetworkType.OVNKubernetes]: 100,
  [NetworkType.OpenShiftSDN]: 50,
  /** The overhead of IPsec in addition to Geneve. */
  ipsec: IPSEC.overheadBytes,
} as const;

/** The network types that clusters migrate from and to. */
export const MIGRATED_TYPES = [NetworkType.OVNKubernetes, NetworkType.OpenShiftSDN] as const;
export type MigratedType = (typeof MIGRATED_TYPES)[number];

/** The greatest MTU of the cluster network on nodes with an MTU. */
export const overlayMtu = (nodeMtu: number, type: MigratedType): number => nodeMtu - OVERLAY_OVERHEAD[type];

/** The smallest MTU of nodes that carry a cluster network with an MTU. */
export const nodeMtuOf = (mtu: number, type: MigratedType): number => mtu + OVERLAY_OVERHEAD[type];

/** The default UDP ports of the two overlay networks. Nodes use both during a migration. */
export const OVERLAY_PORT = {
  [NetworkType.OVNKubernetes]: PORT.geneve,
  [NetworkType.OpenShiftSDN]: PORT.vxlan,
} as const;

/** The documents on changing a cluster's network type and the MTU of its network. */
export const migrationSources = {
  steps: at(OCP_4_7_OVN, "15.2.2. Migrating to the OVN-Kubernetes default CNI network provider"),
  rollback: at(OCP_4_7_OVN, "15.3. Rolling back to the OpenShift SDN network provider"),
  operator: at(NETWORK_OPERATOR, "pkg/network/ovn_kubernetes.go"),
  live: at(NETWORK_OPERATOR, "pkg/network/cluster_config.go"),
} as const;

/** The namespace in which the pods of a network type run. It remains when the cluster has another type. */
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

/** The release for which this migration is documented. */
export const MIGRATION_RELEASE = {
  release: { major: 4, minor: 7 },
  documents: [migrationSources.steps],
} as const;

/** The first release without OpenShift SDN: its network operator does not support the type, and a cluster gets no network. */
export const WITHOUT_OPENSHIFT_SDN = {
  from: { major: 4, minor: 17 },
  reason: "has no OpenShift SDN any more",
  documents: [at(OCP_RELEASE_NOTES, "4.17, Networking deprecated and removed features")],
} as const;

/** Why other releases do not migrate this way. The first matching row applies. */
export const otherMigrationReleases = [
  WITHOUT_OPENSHIFT_SDN,
  {
    from: { major: 4, minor: 8 },
    reason: "prepares its nodes by spec.migration of the network operator, which is another procedure",
  },
  { from: { major: 4, minor: 0 }, reason: "migrates by another procedure, or not at all" },
] as const;

/** The platforms on which clusters of openshift-install can migrate. */
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

/** Marks nodes that the cluster's own Machine API created. Nodes of user-provisioned clusters do not have it. */
export const MACHINE_ANNOTATION = "machine.openshift.io/machine";

/** The only isolation mode of OpenShift SDN that can migrate, which is also the default. */
export const MIGRATED_SDN_MODE = { mode: "NetworkPolicy", documents: [considered] } as const;

/** The isolation mode of OpenShift SDN from which the network operator refuses a live migration. */
export const NOT_LIVE_SDN_MODE = "Multitenant";

/** Objects of OpenShift SDN whose settings are not migrated. */
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

/** On a NetNamespace: enables multicast among the pods of its namespace. */
export const SDN_MULTICAST_ANNOTATION = "netnamespace.network.openshift.io/multicast-enabled";

/** Annotations of a node with its current machine configuration, the desired one, and whether it has reached that. */
export const MACHINE_CONFIG_ANNOTATION = {
  current: "machineconfiguration.openshift.io/currentConfig",
  desired: "machineconfiguration.openshift.io/desiredConfig",
  state: "machineconfiguration.openshift.io/state",
  done: "Done",
} as const;

/** The script that a node's service runs with the network type of its cluster, as the machine configuration shows. */
export const MACHINE_CONFIG_SCRIPT = "configure-ovs.sh";

/**
 * What this package records on Network.config.openshift.io when it changes the type: how often Multus
 * had been rolled out, and which boots of nodes must end. The last step removes the record.
 */
export const MIGRATION_RECORD_ANNOTATION = "hypershift-network/migration";
