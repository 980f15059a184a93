import { readFlag, readValue } from "../../resources/read";
import { UNKNOWN, type PropertyValue } from "../../resources/resource";
import { entriesOf } from "../places";
import type { ObjectFault } from "./fieldFaults";

const KUBEVIRT = "spec.platform.kubevirt";

/** A virtual machine without the default pod network needs another one. */
export function nodePoolNetworkFaults(object: PropertyValue): ObjectFault[] {
  const path = `${KUBEVIRT}.attachDefaultNetwork`;
  const networks = readValue(object, `${KUBEVIRT}.additionalNetworks`);
  if (readFlag(object, path) !== false || networks === UNKNOWN || entriesOf(networks).length > 0) return [];
  return [
    {
      path,
      problem: "false leaves the machines without a network: additionalNetworks names none",
      remedy: "name a network in additionalNetworks, or leave attachDefaultNetwork out",
      rule: "ovn-subnet-invalid",
    },
  ];
}
