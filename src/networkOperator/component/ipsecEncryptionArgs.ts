import type * as pulumi from "@pulumi/pulumi";
import type { IpsecEncapsulation, IpsecMode } from "../../requirements/ipsec";
import type { InfrastructurePlatform } from "../../requirements/vocabulary";
import type { HostedClusterTopology } from "../../topology/hostedClusterTopology";
import type { NetworkOperatorFragment } from "./networkOperatorArgs";

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
