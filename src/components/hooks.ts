import { randomUUID } from "node:crypto";

import * as pulumi from "@pulumi/pulumi";

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
