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

/**
 * Hybrid networking of OVN-Kubernetes: an additional overlay network beside Geneve, for nodes on which OVN does not run,
 * above all Windows nodes.
 */
export interface HybridOverlayNetworkArgs extends HybridOverlaySettings {
  /**
   * The hosted cluster, where it is one; give the Kubernetes provider of its own API server, not that of the management
   * cluster, because the HostedCluster object has no such setting. Plain values. Defaults to none: the cluster is one of
   * openshift-install. Changing it changes nothing by itself.
   */
  topology?: HostedClusterTopology;
  /**
   * OpenShift release as `major.minor`, in quotes: `"4.20"`. A plain value. Defaults to that of the topology. Before 4.13
   * hybrid networking is configured only at installation, which is checked. (OVN-Kubernetes, Configuring hybrid networking)
   */
  release?: string;
  /**
   * Cluster network of a cluster without topology, as CIDR blocks. Defaults to the installer's 10.128.0.0/14. Only checked.
   */
  clusterNetwork?: pulumi.Input<pulumi.Input<string>[]>;
  /** Service network of a cluster without topology, as CIDR blocks. Defaults to the installer's 172.30.0.0/16. Only checked. */
  serviceNetwork?: pulumi.Input<pulumi.Input<string>[]>;
  /** Machine network of a cluster without topology, as CIDR blocks. Defaults to the installer's 10.0.0.0/16. Only checked. */
  machineNetwork?: pulumi.Input<pulumi.Input<string>[]>;
  /**
   * Makes no resource: `installManifest` goes into the folder of openshift-install before the cluster is created, or
   * `fragment` to an IpsecEncryption of the same cluster, so that one patch holds both. Defaults to false: the Network
   * operator configuration of the cluster that the Kubernetes provider speaks to is patched. Changing it to true leaves the
   * setting of the running cluster as it is.
   */
  fragmentOnly?: boolean;
}

/** What can be chosen of the additional overlay network, whatever the cluster is. */
export interface HybridOverlaySettings {
  /**
   * The range of the additional overlay network, one entry. It shares no address with the cluster network or with any
   * other range of the cluster and around it. It can be set once: the network operator refuses every later change, and so
   * does this component, at preview. (OVN-Kubernetes, Configuring hybrid networking)
   */
  hybridClusterNetwork: pulumi.Input<pulumi.Input<HybridClusterNetworkEntry>[]>;
  /**
   * UDP port of VXLAN in the additional overlay network. Only for nodes on vSphere, where Windows nodes need one; neither
   * 4789 nor 6081, and not with Windows Server 2019. Defaults to none: 4789 is used. It can be set once.
   * (OVN-Kubernetes, Configuring hybrid networking)
   */
  hybridOverlayVXLANPort?: pulumi.Input<number>;
  /**
   * Versions of Windows Server that the cluster's Windows nodes run. Only checked: Windows Server 2019 cannot choose a
   * VXLAN port. Defaults to none stated. (OVN-Kubernetes, Configuring hybrid networking)
   */
  windowsServers?: pulumi.Input<pulumi.Input<WindowsServerVersion>[]>;
  /**
   * What the nodes run on. Defaults to what the topology says: its platform, bare metal for Agent. A plain value. Changing
   * it changes nothing by itself.
   */
  platform?: InfrastructurePlatform;
  /**
   * Networks around the cluster that the range must not overlap, beside `topology.infrastructureCidrs`: peered VPCs,
   * transit networks, on-premises, internal subnets of OVN-Kubernetes that the user chose. Defaults to none. Only checked.
   */
  otherNetworks?: pulumi.Input<pulumi.Input<SurroundingNetwork>[]>;
  /**
   * Takes the setting from another owner, for instance from a user who made it with `oc patch`. Defaults to false: the
   * deployment stops with a conflict that names the owner. Changing it has no effect on a setting that is ours.
   */
  forcePatch?: boolean;
  /**
   * Takes the setting out of the cluster when this component is deleted, after which nodes without OVN have no network.
   * Defaults to false: it stays. Deploy the change before the destroy that shall follow it.
   */
  removeOnDelete?: boolean;
}

/** A range of the additional overlay network. */
export interface HybridClusterNetworkEntry {
  /** The range as an IPv4 CIDR block of /23 or larger: `10.136.0.0/14`. Each node gets a part of it. */
  cidr: pulumi.Input<string>;
  /**
   * Prefix length of each node's part. The network operator hands only the range to OVN-Kubernetes, which gives each node
   * a /24 whatever stands here: write 24.
   */
  hostPrefix: pulumi.Input<number>;
}

/** IPsec of OVN-Kubernetes: encryption of traffic between the nodes of a cluster. */
export interface IpsecEncryptionArgs extends IpsecSettings {
  /**
   * OpenShift release as `major.minor`, in quotes: `"4.20"`. A plain value. Defaults to that of the topology. Before 4.11
   * IPsec is configured only at installation and can never be turned off; before 4.15 it has no modes. Without it the
   * setting is written as releases from 4.15 on take it, with a warning. (IPsec encryption configuration)
   */
  release?: string;
  /**
   * The hosted cluster, where it is one; give the Kubernetes provider of its own API server, not that of the management
   * cluster. Red Hat does not support IPsec in hosted clusters, which is a warning. Plain values. Defaults to none: the
   * cluster is one of openshift-install. Changing it changes nothing by itself.
   */
  topology?: HostedClusterTopology;
  /**
   * The fragment of a HybridOverlayNetwork of the same cluster, which makes no resource itself (`fragmentOnly: true`): one
   * patch then holds both settings, or one `installManifest`, because the configuration is one object. Defaults to none.
   * The hybrid network among it can be set once and never be changed.
   */
  hybridOverlay?: pulumi.Input<NetworkOperatorFragment>;
  /**
   * Makes no resource: `installManifest` goes into the folder of openshift-install before the cluster is created. Defaults
   * to false: the Network operator configuration of the cluster that the Kubernetes provider speaks to is patched, which
   * releases before 4.11 refuse. Changing it to true leaves the setting of the running cluster as it is. (IPsec encryption
   * configuration)
   */
  fragmentOnly?: boolean;
}

/** What can be chosen of IPsec, whatever the cluster is. */
export interface IpsecSettings {
  /**
   * How far the operator uses IPsec: `Full` between the nodes, `External` on the nodes for peers that you configure,
   * `Disabled` not at all. Defaults to Full. The other two need release 4.15. On a running cluster a change takes effect in
   * place and, on clusters that are not hosted, restarts the nodes one after the other. (Configuring IPsec encryption)
   */
  mode?: pulumi.Input<IpsecMode>;
  /**
   * When ESP is wrapped into UDP: `Always`, or `Auto` where there is NAT. Only with mode Full, from release 4.19 on.
   * Defaults to the operator's choice, which is Auto. Networks without ESP, such as IBM Cloud's, need Always. Changes are
   * made in place. (Configuring IPsec encryption)
   */
  encapsulation?: pulumi.Input<IpsecEncapsulation>;
  /**
   * What the nodes run on. Defaults to what the topology says: its platform, bare metal for Agent. A plain value. Changing
   * it changes nothing by itself.
   */
  platform?: InfrastructurePlatform;
  /**
   * Takes the setting from another owner. From release 4.15 on there mostly is one: the API server writes the default mode,
   * Disabled, in the name of whoever made the configuration. Defaults to false: the deployment stops with a conflict that
   * names the owner, so that no mode is overwritten unseen. Changing it has no effect on a setting that is ours.
   */
  forcePatch?: boolean;
  /**
   * Takes the setting out of the cluster when this component is deleted, which turns IPsec off. Defaults to false: it stays.
   * Deploy the change before the destroy that shall follow it.
   */
  removeOnDelete?: boolean;
}

/** Traffic of pods, and whether IPsec encrypts it. */
export interface IpsecTraffic {
  /** Where it comes from. */
  from: string;
  /** Where it goes to. */
  to: string;
  /** Whether IPsec in mode Full encrypts it. */
  encrypted: boolean;
  /** Documents and headings that say so. */
  documents: string[];
}

/** A port that nodes have to let pass among each other. */
export interface IpsecNodePort {
  /** The transport: UDP, or ESP, which has no ports. */
  protocol: string;
  /** The port. Absent for ESP. */
  port?: number;
  /** What it is needed for. */
  purpose: string;
  /** Documents and headings that say so. */
  documents: string[];
}

/** Something that documents state of IPsec and that is not configurable. */
export interface IpsecFact {
  /** Stable name: `ipsec-node-certificates`. */
  id: string;
  /** One sentence. */
  statement: string;
  /** Documents and headings that say so. */
  documents: string[];
}
