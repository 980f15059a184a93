import * as core from "@pulumi/kubernetes/core/v1";
import * as pulumi from "@pulumi/pulumi";
import { FIELD_MANAGER, patchAnnotations } from "../../objects/hostedClusterReference";
import {
  MULTICAST_ANNOTATION,
  multicastFaults,
  multicastVerification,
  type MulticastInputs,
} from "../multicast";
import { checked, ownOutputs } from "../../components/checked";
import { takenFaults } from "../../components/claims";
import { gated } from "../../components/settled";

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

/**
 * Multicast between the pods of a namespace: one annotation, which goes when the component goes. The smallest role for it is
 * rbac/multicast-namespace.yaml.
 */
export class MulticastNamespace extends pulumi.ComponentResource {
  /** The namespace. */
  public readonly namespace: pulumi.Output<string>;
  /** How to see that multicast works: a sender, a receiver and what to run in them. */
  public readonly verification: pulumi.Output<MulticastVerification>;

  constructor(name: string, args: MulticastNamespaceArgs, opts?: pulumi.ComponentResourceOptions) {
    super("hypershift-network:index:MulticastNamespace", name, args, opts);
    const inputs = { ...args };
    const subject = `MulticastNamespace ${name}`;
    const check = checked(this, subject, inputs, (known) => {
      const { namespace } = known as MulticastInputs;
      return [
        ...multicastFaults(known as MulticastInputs),
        ...takenFaults(this, subject, { path: "namespace", value: namespace }, "multicast settings"),
      ];
    });

    const { namespace, enabled, forcePatch } = args;
    if (enabled !== false) {
      const annotations = {
        ...patchAnnotations(FIELD_MANAGER.multicast, forcePatch),
        ...MULTICAST_ANNOTATION,
      };
      new core.NamespacePatch(name, { metadata: { name: namespace, annotations } }, gated(this, check));
    }

    const image = args.verificationImage ?? "registry.access.redhat.com/ubi8";
    this.namespace = pulumi.output(namespace);
    this.verification = pulumi
      .all([namespace, image])
      .apply(([where, what]) => multicastVerification(where, what));
    this.registerOutputs(ownOutputs(this));
  }
}
