import { createRequire } from "node:module";
import { join } from "node:path";

import type * as pulumi from "@pulumi/pulumi";
import type { Fault } from "../fault";

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
