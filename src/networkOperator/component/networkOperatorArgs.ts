import type { IpsecEncapsulation, IpsecMode } from "../../requirements/ipsec";

/** Settings of OVN-Kubernetes in the spec of a cluster's Network operator configuration. */
export interface NetworkOperatorFragment {
  /** `spec.defaultNetwork` of the configuration. */
  defaultNetwork: NetworkOperatorDefaultNetwork;
}

/** The default network in a Network operator configuration. */
export interface NetworkOperatorDefaultNetwork {
  /** Settings of OVN-Kubernetes. */
  ovnKubernetesConfig: NetworkOperatorOvnConfig;
}

/** Settings of OVN-Kubernetes in a Network operator configuration. */
export interface NetworkOperatorOvnConfig {
  /** The additional overlay network, for nodes without OVN. Absent: there is none. */
  hybridOverlayConfig?: NetworkOperatorHybridOverlay;
  /** IPsec. Absent: it is off. */
  ipsecConfig?: NetworkOperatorIpsec;
}

/** The additional overlay network in a Network operator configuration. */
export interface NetworkOperatorHybridOverlay {
  /** The ranges from which its nodes get their parts. */
  hybridClusterNetwork: NetworkOperatorNodeNetwork[];
  /** UDP port of VXLAN. Absent: 4789. */
  hybridOverlayVXLANPort?: number;
}

/** A range of which each node gets a part. */
export interface NetworkOperatorNodeNetwork {
  /** The range as a CIDR block. */
  cidr: string;
  /** Prefix length of each node's part. */
  hostPrefix: number;
}

/** IPsec in a Network operator configuration. */
export interface NetworkOperatorIpsec {
  /** How far the operator uses IPsec. Absent before release 4.15, where the setting by itself means Full. */
  mode?: IpsecMode;
  /** Settings of mode Full. */
  full?: NetworkOperatorIpsecFull;
}

/** Settings of IPsec between nodes in a Network operator configuration. */
export interface NetworkOperatorIpsecFull {
  /** When ESP is wrapped into UDP. Absent: the operator chooses. */
  encapsulation?: IpsecEncapsulation;
}
