import * as pulumi from "@pulumi/pulumi";
import { loaderOf } from "../../components/dynamicProvider";
import type { PhaseSettings, TranslationState } from "./settings";

/** By this name the package exports the provider. */
const PROVIDER = "hypershift-network/networkTypeMigration";

/** What a phase is made of. */
export type PhaseInputs = {
  [Name in keyof PhaseSettings]: pulumi.Input<NonNullable<PhaseSettings[Name]>>;
};

/** The phase that a cluster is in. Another phase is an update in place; deleting it changes nothing in the cluster. */
export class NetworkTypePhase extends pulumi.CustomResource {
  /** What the phase wrote. */
  declare public readonly written: pulumi.Output<string[]>;
  /** What the user has to write anew. */
  declare public readonly translations: pulumi.Output<TranslationState[]>;

  constructor(name: string, inputs: PhaseInputs, opts?: pulumi.CustomResourceOptions) {
    const { kubeconfig, ...settings } = inputs;
    super(
      "pulumi-nodejs:dynamic/hypershift-network:NetworkTypePhase",
      name,
      {
        ...settings,
        ...(kubeconfig !== undefined && { kubeconfig: pulumi.secret(kubeconfig) }),
        written: undefined,
        translations: undefined,
        __provider: loaderOf(PROVIDER),
      },
      pulumi.mergeOptions({ additionalSecretOutputs: ["kubeconfig"] }, opts),
    );
  }
}
