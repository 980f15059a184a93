import { read, readFlag, readText } from "./read";
import type { PropertyValue } from "./resource";

/**
 * The kind of the controller that writes an object, and would write it again after a change: `ReplicaSet`,
 * `HostedControlPlane`. Undefined: nobody but people and their tools. (Kubernetes, Owners and Dependents)
 */
export function controllerOf(object: PropertyValue): string | undefined {
  const owner = read(object, "metadata.ownerReferences[]").find(
    ({ value }) => readFlag(value, "controller") === true,
  );
  const kind = owner && readText(owner.value, "kind");
  return typeof kind === "string" ? kind : undefined;
}
