import { nameOf, textAt } from "../../resources/kubernetesObject";
import type { Resource } from "../../resources/resource";
import { isEgressFirewall } from "../../resources/resourceTypes";
import { controlPlaneNamespaceOf } from "../../requirements/names";

/**
 * Whether an object of a management cluster has to do with its hosted clusters: egress firewalls of other namespaces govern
 * its own pods, and rules would take them for firewalls in a hosted cluster.
 */
export function isOfManagement({ type, properties }: Resource, hosted: readonly Resource[]): boolean {
  if (!isEgressFirewall(type)) return true;
  const namespace = textAt(properties, "metadata.namespace");
  return hosted.some((cluster) => namespace === namespaceMadeFor(cluster));
}

const namespaceMadeFor = ({ properties }: Resource): string =>
  controlPlaneNamespaceOf(textAt(properties, "metadata.namespace"), nameOf(properties));
