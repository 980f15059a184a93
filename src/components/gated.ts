import * as pulumi from "@pulumi/pulumi";
import { randomUUID } from "node:crypto";

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

/** Whether there is an engine that calls hooks: mocks stand in for it without them. */
export function hasHooks(): boolean {
  const monitor = pulumi.runtime.getMonitor() as { registerResourceHook?: unknown } | undefined;
  return typeof monitor?.registerResourceHook === "function";
}

/**
 * A name for a hook: they are unique in a deployment, in which several programs and providers may take part, and two components
 * of one name can stand under different parents.
 */
export const hookName = (what: string): string => `${what} (${randomUUID().slice(0, 8)})`;
