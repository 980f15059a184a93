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
import type { MulticastNamespaceArgs, MulticastVerification } from "./multicastNamespaceArgs";

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
