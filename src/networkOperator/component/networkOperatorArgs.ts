import type * as pulumi from "@pulumi/pulumi";
import type { IpsecEncapsulation, IpsecMode, WindowsServerVersion } from "../../requirements/networkOperator";
import type { InfrastructurePlatform } from "../../requirements/vocabulary";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import type { SurroundingNetwork } from "../../components/hostedClusterPatch";

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
  /** The additional overlay network, for nodes without OVN. Absent if there is none. */
  hybridOverlayConfig?: NetworkOperatorHybridOverlay;
  /** IPsec. Absent if it is off. */
  ipsecConfig?: NetworkOperatorIpsec;
}

/** The additional overlay network in a Network operator configuration. */
export interface NetworkOperatorHybridOverlay {
  /** The ranges from which its nodes get their subnets. */
  hybridClusterNetwork: NetworkOperatorNodeNetwork[];
  /** UDP port of VXLAN. Defaults to 4789. */
  hybridOverlayVXLANPort?: number;
}

/** A range from which each node gets a subnet. */
export interface NetworkOperatorNodeNetwork {
  /** The range as a CIDR block. */
  cidr: string;
  /** Prefix length of each node's subnet. */
  hostPrefix: number;
}

/** IPsec in a Network operator configuration. */
export interface NetworkOperatorIpsec {
  /** The IPsec mode. Absent before release 4.15, in which the setting by itself means Full. */
  mode?: IpsecMode;
  /** Settings of mode Full. */
  full?: NetworkOperatorIpsecFull;
}

/** Settings of IPsec between nodes in a Network operator configuration. */
export interface NetworkOperatorIpsecFull {
  /** When ESP is encapsulated in UDP. Defaults to the operator's choice. */
  encapsulation?: IpsecEncapsulation;
}

/**
 * Hybrid networking of OVN-Kubernetes: an overlay network in addition to Geneve, for nodes on which OVN does not run, especially
 * Windows nodes.
 */
export interface HybridOverlayNetworkArgs extends HybridOverlaySettings {
  /**
   * The hosted cluster, if the cluster is hosted. Give the Kubernetes provider of its own API server, not that of the management
   * cluster, because the HostedCluster object has no such setting. Plain values. Defaults to none: the cluster is installed with
   * openshift-install. Changing it changes nothing by itself.
   */
  topology?: HostedClusterTopology;
  /**
   * OpenShift release as `major.minor`, in quotes: `"4.20"`. A plain value. Defaults to that of the topology. Before 4.13, hybrid
   * networking can be configured only at installation, which is checked. (OVN-Kubernetes, Configuring hybrid networking)
   */
  release?: string;
  /** Cluster network of a cluster without topology, as CIDR blocks. Defaults to the installer's 10.128.0.0/14. Used only for checks. */
  clusterNetwork?: pulumi.Input<pulumi.Input<string>[]>;
  /** Service network of a cluster without topology, as CIDR blocks. Defaults to the installer's 172.30.0.0/16. Used only for checks. */
  serviceNetwork?: pulumi.Input<pulumi.Input<string>[]>;
  /** Machine network of a cluster without topology, as CIDR blocks. Defaults to the installer's 10.0.0.0/16. Used only for checks. */
  machineNetwork?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Creates no resource. Put `installManifest` into the folder of openshift-install before the cluster is created, or give `fragment`
   * to an IpsecEncryption of the same cluster, so that one patch holds both. Defaults to false: the Network operator configuration of
   * the Kubernetes provider's cluster is patched. Changing it to true leaves the setting of the running cluster as it is.
   */
  fragmentOnly?: boolean;
}

/** Settings of the additional overlay network that do not depend on the cluster. */
export interface HybridOverlaySettings {
  /**
   * The range of the additional overlay network, as one entry. It must not overlap the cluster network or any other range in and
   * around the cluster. It can be set only once: the network operator refuses every later change, and so does this component, at
   * preview. (OVN-Kubernetes, Configuring hybrid networking)
   */
  hybridClusterNetwork: pulumi.Input<pulumi.Input<HybridClusterNetworkEntry>[]>;
  /**
   * UDP port of VXLAN in the additional overlay network. Only for nodes on vSphere, on which Windows nodes require one; not 4789 or
   * 6081, and not with Windows Server 2019. Defaults to none: 4789 is used. It can be set only once. (OVN-Kubernetes, Configuring
   * hybrid networking)
   */
  hybridOverlayVXLANPort?: pulumi.Input<number>;
  /**
   * Versions of Windows Server that the cluster's Windows nodes run. Used only for checks: Windows Server 2019 does not support a
   * custom VXLAN port. Defaults to none. (OVN-Kubernetes, Configuring hybrid networking)
   */
  windowsServers?: pulumi.Input<pulumi.Input<WindowsServerVersion>[]>;
  /**
   * The platform on which the nodes run. Defaults to the platform of the topology, which is bare metal for Agent. A plain value.
   * Changing it changes nothing by itself.
   */
  platform?: InfrastructurePlatform;
  /**
   * Networks around the cluster that the range must not overlap, in addition to `topology.infrastructureCidrs`: peered VPCs, transit
   * networks, on-premises networks, custom internal subnets of OVN-Kubernetes. Defaults to none. Used only for checks.
   */
  otherNetworks?: pulumi.Input<pulumi.Input<SurroundingNetwork>[]>;
  /**
   * Takes the setting over from another owner, for example from a user who set it with `oc patch`. Defaults to false: the deployment
   * stops with a conflict that names the owner. Changing it has no effect on a setting that this component already owns.
   */
  forcePatch?: boolean;
  /**
   * Removes the setting from the cluster when this component is deleted, after which nodes without OVN have no network. Defaults to
   * false: it stays. Deploy a change of this setting before you destroy the component.
   */
  removeOnDelete?: boolean;
}

/** A range of the additional overlay network. */
export interface HybridClusterNetworkEntry {
  /** The range as an IPv4 CIDR block of /23 or larger: `10.136.0.0/14`. Each node gets a subnet of it. */
  cidr: pulumi.Input<string>;
  /**
   * Prefix length of each node's subnet. Write 24: the network operator passes only the range to OVN-Kubernetes, which gives each
   * node a /24 whatever this value is.
   */
  hostPrefix: pulumi.Input<number>;
}

/** IPsec of OVN-Kubernetes: encryption of traffic between the nodes of a cluster. */
export interface IpsecEncryptionArgs extends IpsecSettings {
  /**
   * OpenShift release as `major.minor`, in quotes: `"4.20"`. A plain value. Defaults to that of the topology. Before 4.11, IPsec can
   * be configured only at installation and never turned off; before 4.15, it has no modes. Without a release, the setting is written
   * for releases from 4.15 on, with a warning. (IPsec encryption configuration)
   */
  release?: string;
  /**
   * The hosted cluster, if the cluster is hosted. Give the Kubernetes provider of its own API server, not that of the management
   * cluster. Red Hat does not support IPsec in hosted clusters, which is a warning. Plain values. Defaults to none: the cluster is
   * installed with openshift-install. Changing it changes nothing by itself.
   */
  topology?: HostedClusterTopology;
  /**
   * The fragment of a HybridOverlayNetwork of the same cluster, which must not create a resource itself (`fragmentOnly: true`). One
   * patch, or one `installManifest`, then holds both settings, because the configuration is one object. Defaults to none. The hybrid
   * network in it can be set only once and never changed.
   */
  hybridOverlay?: pulumi.Input<NetworkOperatorFragment>;
  /**
   * Creates no resource. Put `installManifest` into the folder of openshift-install before the cluster is created. Defaults to false:
   * the Network operator configuration of the Kubernetes provider's cluster is patched, which releases before 4.11 refuse. Changing
   * it to true leaves the setting of the running cluster as it is. (IPsec encryption configuration)
   */
  fragmentOnly?: boolean;
}

/** Settings of IPsec that do not depend on the cluster. */
export interface IpsecSettings {
  /**
   * The IPsec mode: `Full` between the nodes, `External` on the nodes for peers that you configure, or `Disabled`. Defaults to Full.
   * The other modes require release 4.15. On a running cluster, a change takes effect in place and, on clusters that are not hosted,
   * restarts the nodes one after the other. (Configuring IPsec encryption)
   */
  mode?: pulumi.Input<IpsecMode>;
  /**
   * When ESP is encapsulated in UDP: `Always`, or `Auto` if there is NAT. Only with mode Full, from release 4.19 on. Defaults to the
   * operator's choice, which is Auto. Networks without ESP, such as IBM Cloud's, require Always. Changes are made in place.
   * (Configuring IPsec encryption)
   */
  encapsulation?: pulumi.Input<IpsecEncapsulation>;
  /**
   * The platform on which the nodes run. Defaults to the platform of the topology, which is bare metal for Agent. A plain value.
   * Changing it changes nothing by itself.
   */
  platform?: InfrastructurePlatform;
  /**
   * Takes the setting over from another owner. From release 4.15 on there usually is one: the API server writes the default mode,
   * Disabled, in the name of whoever created the configuration. Defaults to false: the deployment stops with a conflict that names
   * the owner, so that no mode is overwritten unnoticed. Changing it has no effect on a setting that this component already owns.
   */
  forcePatch?: boolean;
  /**
   * Removes the setting from the cluster when this component is deleted, which turns IPsec off. Defaults to false: it stays. Deploy a
   * change of this setting before you destroy the component.
   */
  removeOnDelete?: boolean;
}

/** A kind of pod traffic, and whether IPsec encrypts it. */
export interface IpsecTraffic {
  /** The source. */
  from: string;
  /** The destination. */
  to: string;
  /** Whether IPsec in mode Full encrypts it. */
  encrypted: boolean;
  /** Documents and headings that state it. */
  documents: string[];
}

/** A port or protocol that nodes must allow among each other. */
export interface IpsecNodePort {
  /** The transport: UDP, or ESP, which has no ports. */
  protocol: string;
  /** The port. Absent for ESP. */
  port?: number;
  /** What it is required for. */
  purpose: string;
  /** Documents and headings that state it. */
  documents: string[];
}

/** A property of IPsec that documents state and that is not configurable. */
export interface IpsecFact {
  /** Stable name: `ipsec-node-certificates`. */
  id: string;
  /** The fact in one sentence. */
  statement: string;
  /** Documents and headings that state it. */
  documents: string[];
}
