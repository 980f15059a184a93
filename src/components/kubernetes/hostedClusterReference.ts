import type * as pulumi from "@pulumi/pulumi";

/** A HostedCluster object that exists on the management cluster. */
export interface HostedClusterReference {
  /** Name of the HostedCluster. Changing it patches another one and leaves the first one as it is. */
  name: pulumi.Input<string>;
  /** Namespace of the HostedCluster: `clusters`. Not that of its control plane. Changing it patches another one. */
  namespace: pulumi.Input<string>;
}
