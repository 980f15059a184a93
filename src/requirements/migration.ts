import { D4, NETWORK_OPERATOR, at } from "./documents";
import { IPSEC } from "./ipsec";
import { PORT } from "./ports";
import { NetworkType } from "./vocabulary";

/** Marks a Network operator's object while the network type of its cluster is changed, in releases without `spec.migration`. */
export const MIGRATION_ANNOTATION = "networkoperator.openshift.io/network-migration";

/** Bytes that the overlay network takes of each packet: so much smaller is the MTU of the cluster network than that of the nodes. */
export const OVERLAY_OVERHEAD = {
  [NetworkType.OVNKubernetes]: 100,
  [NetworkType.OpenShiftSDN]: 50,
  /** What IPsec takes beside Geneve. */
  ipsec: IPSEC.overheadBytes,
} as const;

/** The UDP ports of the two overlay networks where nobody says otherwise. Nodes have both while a migration lasts. */
export const OVERLAY_PORT = {
  [NetworkType.OVNKubernetes]: PORT.geneve,
  [NetworkType.OpenShiftSDN]: PORT.vxlan,
} as const;

/** Where it stands how a cluster changes its network type, and the MTU of its network. */
export const migrationSources = {
  steps: at(D4, "15.2.2. Migrating to the OVN-Kubernetes default CNI network provider"),
  rollback: at(D4, "15.3. Rolling back to the OpenShift SDN network provider"),
  operator: at(NETWORK_OPERATOR, "pkg/network/ovn_kubernetes.go"),
} as const;
