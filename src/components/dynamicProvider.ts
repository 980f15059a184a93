import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { Fault } from "../fault";
import { SHARED_FIELD_SHARE } from "../resources/resourceTypes";
import type { SharedFieldSettings } from "./compareAndSwap/swap";

/**
 * What the engine's dynamic provider runs: it loads ours, by the name under which the package exports it, from the folder of
 * the program. `pulumi.dynamic.Resource` writes the code of a whole provider into each resource, for which it loads the
 * TypeScript compiler; the state would then hold old code after an upgrade, and delete with it.
 */
export const loaderOf = (provider: string): string =>
  `exports.handler = () => require("node:module").createRequire(process.cwd() + "/program.js")("${provider}").provider;`;

/**
 * Why fields cannot be shared by this program. A Kubernetes provider does not tell its kubeconfig to others.
 *
 * @param path the input that asks for it
 * @param type a type of the objects that are written, by which a component finds its provider
 * @param asked what the input says
 */
export function sharedFieldAccessFaults(
  component: pulumi.Resource,
  path: string,
  type: string,
  kubeconfig: pulumi.Input<string> | undefined,
  asked = "true",
): Fault[] {
  const hasProvider = component.getProvider(type) !== undefined;
  const silent: Fault = {
    path: "kubeconfig",
    problem: "missing: the component has a Kubernetes provider, which does not tell its kubeconfig",
    remedy: "write the kubeconfig of that provider here too",
  };
  return [
    ...sharedFieldFaults(path, process.cwd(), asked),
    ...(hasProvider && kubeconfig === undefined ? [silent] : []),
  ];
}

/**
 * Why a share cannot be made by this program: Pulumi's dynamic provider finds its code in the folder of the program, which
 * programs in other languages do not have there.
 */
export function sharedFieldFaults(path: string, folder = process.cwd(), asked = "true"): Fault[] {
  const program = createRequire(join(folder, "program.js"));
  const missing = ["@pulumi/pulumi", "hypershift-network"].filter((name) => !isThere(program, name));
  if (missing.length === 0) return [];
  return [
    {
      path,
      problem: `${asked}, but ${missing.join(" and ")} cannot be loaded from ${folder}, the folder of the program`,
      remedy: `write it in a Node.js program that has ${missing.join(" and ")} among its dependencies`,
    },
  ];
}

function isThere(program: NodeJS.Require, name: string): boolean {
  try {
    program.resolve(`${name}/package.json`);
    return true;
  } catch {
    return false;
  }
}

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
