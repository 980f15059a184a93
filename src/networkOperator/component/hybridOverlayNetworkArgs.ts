import type * as pulumi from "@pulumi/pulumi";
import type { WindowsServerVersion } from "../../requirements/hybridOverlay";
import type { InfrastructurePlatform } from "../../requirements/vocabulary";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import type { SurroundingNetwork } from "../../components/hostedClusterPatch";

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
