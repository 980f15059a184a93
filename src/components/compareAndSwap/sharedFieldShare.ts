import * as pulumi from "@pulumi/pulumi";
import { SHARED_FIELD_SHARE } from "../../resources/resourceTypes";
import { loaderOf } from "../dynamicProvider";
import type { SharedFieldSettings } from "./swap";

/** By this name the package exports the provider. */
const PROVIDER = "hypershift-network/compareAndSwap";

/** What a share of a field is made of. */
export type SharedFieldInputs = {
  [Name in keyof SharedFieldSettings]: pulumi.Input<SharedFieldSettings[Name]>;
};

/**
 * Entries in a field of an object that exists, and whose other entries belong to others: it reads the object, adds what is
 * missing, writes unless another program has written since, and begins anew if so. Deleting it takes away what it added.
 */
export class SharedFieldShare extends pulumi.CustomResource {
  /** The whole field as it was left, entries of others included. */
  declare public readonly value: pulumi.Output<unknown>;

  constructor(name: string, inputs: SharedFieldInputs, opts?: pulumi.CustomResourceOptions) {
    const { kubeconfig, ...settings } = inputs;
    super(
      SHARED_FIELD_SHARE,
      name,
      {
        ...settings,
        ...(kubeconfig !== undefined && { kubeconfig: pulumi.secret(kubeconfig) }),
        value: undefined,
        __provider: loaderOf(PROVIDER),
      },
      pulumi.mergeOptions({ additionalSecretOutputs: ["kubeconfig"] }, opts),
    );
  }

  /**
   * The whole field, once a check has passed that the share waits for: the output of a resource that is never made stays open
   * for ever, so the check has to be asked too.
   */
  valueAfter(check: pulumi.Output<unknown>): pulumi.Output<unknown> {
    return pulumi.all([this.value, check]).apply(([value]) => value);
  }
}
