import type { EgressIpInputs } from "../judge";
import { readValue } from "../../resources/read";
import type { Resource } from "../../resources/resource";
import { guestInputs } from "../../gate/guestCluster";
import type { JudgedResources } from "../../gate/judgedResources";

/** Where an EgressIP object holds the inputs of the component that makes such objects. */
export const EGRESS_IP_PATHS = {
  objectName: "metadata.name",
  annotations: "metadata.annotations",
  addresses: "spec.egressIPs",
  namespaceSelector: "spec.namespaceSelector",
  podSelector: "spec.podSelector",
} as const;

/** An EgressIP object as inputs of that component. */
export function egressIpInputs(judged: JudgedResources, { properties }: Resource): EgressIpInputs {
  const entries = Object.entries(EGRESS_IP_PATHS).map(([name, path]) => [name, readValue(properties, path)]);
  return { ...(Object.fromEntries(entries) as EgressIpInputs), ...guestInputs(judged) };
}
