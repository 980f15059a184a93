import type * as pulumi from "@pulumi/pulumi";
import type {
  ClusterNetworkEntry,
  MachineNetworkEntry,
  ServiceNetworkEntry,
} from "../../topology/hostedClusterTopology";

/** Which cluster of a fleet is meant, and where its ranges are written. */
export interface HostedClusterAddressPlanArgs {
  /**
   * The ledger of the fleet: the folder that `hypershift-network plan --fleet FILE --write` fills, with one committed file for each cluster.
   * A plain path, from the folder of the program. Only the file of the cluster is read, and none is written: a preview allocates nothing.
   * Changing it changes nothing by itself.
   */
  ledger: string;
  /** Name of the HostedCluster. A plain value. A cluster without a file in the ledger is refused. Changing it replaces allocations in IPAM. */
  cluster: string;
  /** Its namespace. A plain value. Defaults to `clusters`. */
  namespace?: string;
  /** Its management cluster, as the fleet calls it. A plain value. Defaults to none, as in fleets that name none. */
  managementCluster?: string;
  /**
   * Pools of AWS VPC IPAM in which the chosen IPv4 blocks are recorded, each by an allocation with that CIDR block. Which kinds have one is
   * plain. Defaults to none. A pool in place of another one replaces the allocation. (Amazon VPC IPAM, Allocate CIDRs)
   */
  ipamPools?: HostedClusterIpamPools;
}

/** Pools of AWS VPC IPAM: `ipam-pool-...`. */
export interface HostedClusterIpamPools {
  /** The pool for the machine network. Not needed where a VPC is made with that block out of the pool. Defaults to none. */
  machineNetwork?: pulumi.Input<string>;
  /** The pool for the cluster network. Defaults to none. */
  clusterNetwork?: pulumi.Input<string>;
  /** The pool for the service network. Defaults to none. */
  serviceNetwork?: pulumi.Input<string>;
}

/** The ranges of a hosted cluster under the names of its topology; those that the fleet does not plan are absent. */
export interface HostedClusterRanges {
  /** Address ranges of the machines. */
  machineNetwork?: MachineNetworkEntry[];
  /** Address ranges of the pods. */
  clusterNetwork?: ClusterNetworkEntry[];
  /** Address ranges of the services. */
  serviceNetwork?: ServiceNetworkEntry[];
  /** OVN-Kubernetes join subnet. */
  internalJoinSubnet?: string;
  /** OVN-Kubernetes transit switch subnet. */
  internalTransitSwitchSubnet?: string;
}
