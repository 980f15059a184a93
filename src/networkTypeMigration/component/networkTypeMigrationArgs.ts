import type * as pulumi from "@pulumi/pulumi";
import type { MigrationPhase } from "../phases";

/**
 * A change of the network type of a cluster of OpenShift 4.7 from OpenShift SDN to OVN-Kubernetes, or back, phase by phase.
 */
export interface NetworkTypeMigrationArgs {
  /**
   * The phase to go to. Each is a `pulumi up` of its own: `begin`, `pausePools`, `changeNetworkType`, then every node is
   * restarted by hand, `resumePools`, `endMigration`, `removeOldNetwork`. The way back has the same steps, which begin with
   * `rollBack`. Before each, the cluster is read; it is refused where the one before it is not done, or the cluster is not
   * ready for it. Changes are made in place. (Migrating to the OVN-Kubernetes default CNI network provider; Rolling back)
   */
  phase: pulumi.Input<MigrationPhase>;
  /**
   * Says that there are recent backups of etcd and of the network's configuration. Defaults to false, with which `begin` and
   * `changeNetworkType` are refused. Changing it changes nothing by itself. (Migrating to the OVN-Kubernetes default CNI
   * network provider)
   */
  backupsTaken?: pulumi.Input<boolean>;
  /**
   * Says that what OVN-Kubernetes does not take over is written anew for it: egress network policies, egress addresses,
   * multicast. Defaults to false: where the cluster has any of it, `begin` and `changeNetworkType` are refused with a list of
   * it. Pods of egress routers are not found; OVN-Kubernetes does not run them. Changing it changes nothing by itself.
   * (Considerations for migrating to the OVN-Kubernetes network provider)
   */
  translationsPrepared?: pulumi.Input<boolean>;
  /**
   * The MTU in bytes of the node that has the smallest. The cluster network gets 100 less with OVN-Kubernetes, 50 less with
   * OpenShift SDN. Defaults to what the MTU of the present cluster network leaves room for. Written with the phase that
   * changes the type.
   */
  smallestNodeMtu?: pulumi.Input<number>;
  /**
   * UDP port of OVN-Kubernetes' Geneve. Defaults to none: nothing is written, and the operator uses 6081. Not the port of
   * VXLAN. Written by `changeNetworkType`.
   */
  genevePort?: pulumi.Input<number>;
  /**
   * UDP port of OpenShift SDN's VXLAN. Defaults to none: nothing is written, and the operator uses 4789. Not the port of
   * Geneve. Written by `rollBackNetworkType`.
   */
  vxlanPort?: pulumi.Input<number>;
  /**
   * The cluster network that the new type gets. Defaults to the present one. It stays apart from 100.64.0.0/16, from the
   * service network, which cannot change, and from the nodes. Written with the phase that changes the type: on the way back
   * write the first one here.
   */
  clusterNetwork?: pulumi.Input<pulumi.Input<MigratedClusterNetwork>[]>;
  /**
   * How long in seconds a phase waits for what it brings about: Multus after the change of the type, the MachineConfigPools
   * after they run again. Defaults to 600, for the pools to 7200. Then it fails, and the next `pulumi up` waits again without writing anything
   * twice. Changing it changes nothing by itself.
   */
  timeoutSeconds?: pulumi.Input<number>;
  /**
   * A kubeconfig of the cluster, its content or the path of a file; a secret. Its user needs the role in
   * `rbac/migration.yaml`. Defaults to the one of the default Kubernetes provider: `kubernetes:kubeconfig` in the stack's
   * configuration, else KUBECONFIG, else `~/.kube/config`. Needed where the component is given a Kubernetes provider.
   * Changing it changes nothing by itself: the next phase goes there.
   */
  kubeconfig?: pulumi.Input<string>;
  /**
   * The context in that kubeconfig. Defaults to `kubernetes:context` in the stack's configuration, else to the current one.
   * Changing it changes nothing by itself.
   */
  context?: pulumi.Input<string>;
}

/** A part of the cluster network. */
export interface MigratedClusterNetwork {
  /** The range as a CIDR block: `10.128.0.0/14`. */
  cidr: pulumi.Input<string>;
  /** Prefix length of each node's part: 23. */
  hostPrefix: pulumi.Input<number>;
}

/** Something of OpenShift SDN that OVN-Kubernetes does not take over. */
export interface MigrationTranslation {
  /** The object: `EgressNetworkPolicy shop/default`. */
  object: string;
  /** What of it gets lost: `addresses 192.0.2.1`. */
  what: string;
  /** What does the same with OVN-Kubernetes. */
  instead: string;
}
