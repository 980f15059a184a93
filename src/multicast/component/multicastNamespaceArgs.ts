import type * as pulumi from "@pulumi/pulumi";

/** Multicast between the pods of an existing namespace. */
export interface MulticastNamespaceArgs {
  /**
   * The namespace, which exists already or is made in the same program. Multicast goes from pod to pod of one namespace,
   * and is best for little data, such as the discovery of services. A second component for the namespace is refused.
   * Changing it turns multicast off in the first namespace and on in the other. (OVN-Kubernetes, Enabling multicast for a
   * project)
   */
  namespace: pulumi.Input<string>;
  /**
   * Whether multicast is on. Defaults to true. `false` takes the annotation of this component away, as `destroy` does;
   * one that another owner set stays. Changing it takes effect in place. (OVN-Kubernetes, Disabling multicast for a
   * project)
   */
  enabled?: boolean;
  /**
   * Takes the annotation from another owner who set it to something else than `true`. Defaults to false: the deployment
   * stops with a conflict that names the owner. Changing it has no effect on an annotation that is ours.
   */
  forcePatch?: boolean;
  /**
   * Image of the two pods in `verification`, which can install packages with `dnf`. Defaults to
   * `registry.access.redhat.com/ubi8`. Changing it changes only the output. (OVN-Kubernetes, Enabling multicast between
   * pods)
   */
  verificationImage?: pulumi.Input<string>;
}

/** How to see that multicast works between pods of the namespace. */
export interface MulticastVerification {
  /** The pod that listens, as JSON for `oc create -f -`. */
  receiver: string;
  /** The pod that sends, as JSON for `oc create -f -`. */
  sender: string;
  /** What to run when both pods are ready, in this order; the second command listens and wants a terminal of its own. */
  commands: string[];
  /** What the last command prints when multicast works. */
  expected: string;
}
