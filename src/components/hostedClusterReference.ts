import type * as pulumi from "@pulumi/pulumi";

/** A HostedCluster object that exists on the management cluster. */
export interface HostedClusterReference {
  /** Name of the HostedCluster. Changing it patches another one and leaves the first one as it is. */
  name: pulumi.Input<string>;
  /** Namespace of the HostedCluster: `clusters`. Not that of its control plane. Changing it patches another one. */
  namespace: pulumi.Input<string>;
}

/** A NodePool object that exists on the management cluster. */
export interface NodePoolReference {
  /** Name of the NodePool. A plain value. Changing it labels another one. */
  name: string;
  /** Namespace of the NodePool, that of its HostedCluster: `clusters`. A plain value. Changing it labels another one. */
  namespace: string;
}

/** A network around the cluster. */
export interface SurroundingNetwork {
  /** What it is called in messages: `corporate`. */
  name: pulumi.Input<string>;
  /** Its CIDR block, IPv4 or IPv6. */
  cidr: pulumi.Input<string>;
}
