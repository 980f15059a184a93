import type * as pulumi from "@pulumi/pulumi";

/**
 * Options of a child that is registered only when the check of the inputs has passed, and after the siblings that it
 * needs. Its properties stay as they are: what a preview knows of them is shown and judged although it does not know the
 * rest.
 */
export function gated(
  parent: pulumi.Resource,
  check: pulumi.Output<unknown>,
  after: readonly pulumi.Resource[] = [],
): pulumi.CustomResourceOptions {
  return { parent, dependsOn: check.apply((): pulumi.Resource[] => [...after]) };
}
