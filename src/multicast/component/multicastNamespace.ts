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
import { gated, givenPart } from "../../components/settled";

/** Multicast between the pods of an existing namespace. */
export interface MulticastNamespaceArgs {
  /**
   * The namespace, which exists already or is created in the same program. Multicast works only between pods of one namespace, and is
   * best for small amounts of data, such as service discovery. A second component for the same namespace is refused. Changing it
   * turns multicast off in the first namespace and on in the other. (OVN-Kubernetes, Enabling multicast for a project)
   */
  namespace: pulumi.Input<string>;
  /**
   * Whether multicast is on. Defaults to true. `false` removes the annotation of this component, as `destroy` does; an annotation
   * that another owner set stays. Changing it takes effect in place. (OVN-Kubernetes, Disabling multicast for a project)
   */
  enabled?: boolean;
  /**
   * Takes the annotation over from another owner that set it to another value than `true`. Defaults to false: the deployment stops
   * with a conflict that names the owner. Changing it has no effect on an annotation that this component already owns.
   */
  forcePatch?: boolean;
  /**
   * Image of the two pods in `verification`, which must be able to install packages with `dnf`. Defaults to
   * `registry.access.redhat.com/ubi8`. Changing it changes only the output. (OVN-Kubernetes, Enabling multicast between pods)
   */
  verificationImage?: pulumi.Input<string>;
}

/** How to verify that multicast works between pods of the namespace. */
export interface MulticastVerification {
  /** The pod that receives, as JSON for `oc create -f -`. */
  receiver: string;
  /** The pod that sends, as JSON for `oc create -f -`. */
  sender: string;
  /** Commands to run when both pods are ready, in this order. The second command listens and needs a terminal of its own. */
  commands: string[];
  /** The output of the last command if multicast works. */
  expected: string;
}

/**
 * Multicast between the pods of a namespace: one annotation, which is removed together with the component. The smallest role for it
 * is rbac/multicast-namespace.yaml.
 */
export class MulticastNamespace extends pulumi.ComponentResource {
  /** The namespace. */
  public readonly namespace: pulumi.Output<string>;
  /** How to verify that multicast works: a sender, a receiver and the commands to run in them. */
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
    const given = givenPart(inputs);

    const { namespace, enabled, forcePatch } = given;
    if (enabled !== false) {
      const annotations = {
        ...patchAnnotations(FIELD_MANAGER.multicast, forcePatch),
        ...MULTICAST_ANNOTATION,
      };
      new core.NamespacePatch(name, { metadata: { name: namespace, annotations } }, gated(this, check));
    }

    const image = given.verificationImage ?? "registry.access.redhat.com/ubi8";
    this.namespace = pulumi.output(namespace);
    this.verification = pulumi
      .all([namespace, image])
      .apply(([where, what]) => multicastVerification(where, what));
    this.registerOutputs(ownOutputs(this));
  }
}
