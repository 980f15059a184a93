import { createRequire } from "node:module";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { Fault } from "../fault";
import { SHARED_FIELD_SHARE } from "../resources/resourceTypes";
import type { SharedFieldSettings } from "./compareAndSwap/swap";

/**
 * The code that the engine's dynamic provider runs: it loads the provider of this package by its exported name, from the folder
 * of the program. `pulumi.dynamic.Resource` would write the code of a whole provider into each resource, for which it loads the
 * TypeScript compiler; after an upgrade the state would then hold old code, and delete with it.
 */
export const loaderOf = (provider: string): string =>
  `exports.handler = () => require("node:module").createRequire(process.cwd() + "/program.js")("${provider}").provider;`;

/**
 * Why this program cannot share fields. A Kubernetes provider does not expose its kubeconfig.
 *
 * @param path the input that requests it
 * @param type a type of the objects that are written, by which a component finds its provider
 * @param asked the value of that input
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
    problem: "missing: the component cannot read the kubeconfig of its Kubernetes provider",
    remedy: "write the kubeconfig of that provider here too",
  };
  return [
    ...sharedFieldFaults(path, process.cwd(), asked),
    ...(hasProvider && kubeconfig === undefined ? [silent] : []),
  ];
}

/**
 * Why this program cannot create a share: Pulumi's dynamic provider finds its code in the folder of the program, where programs
 * in other languages do not have it.
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

/** The name under which the package exports the provider. */
const PROVIDER = "hypershift-network/compareAndSwap";

/** The inputs of a share of a field. */
export type SharedFieldInputs = {
  [Name in keyof SharedFieldSettings]: pulumi.Input<SharedFieldSettings[Name]>;
};

/**
 * Entries in a field of an existing object whose other entries belong to others. The provider reads the object, adds what is missing, and
 * writes unless another program has written since; in that case it starts again. Deleting the share removes what it added.
 */
export class SharedFieldShare extends pulumi.CustomResource {
  /** The whole field after the last write, including entries of others. */
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
   * The whole field, once a check has passed that the share waits for. The output of a resource that is never created stays
   * pending forever, so the result must depend on the check too.
   */
  valueAfter(check: pulumi.Output<unknown>): pulumi.Output<unknown> {
    return pulumi.all([this.value, check]).apply(([value]) => value);
  }
}
