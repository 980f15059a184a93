import { isNamespacedName } from "../../requirements/hostedClusterFields";
import { read, readFlag, readValue } from "../../resources/read";
import { UNKNOWN, type PropertyValue } from "../../resources/resource";
import { entriesOf } from "../../objects/places";
import type { ObjectFault } from "./fieldFaults";

const KUBEVIRT = "spec.platform.kubevirt";

/** What the networks of a NodePool's machines demand beyond their fields. */
export const nodePoolNetworkFaults = (object: PropertyValue): ObjectFault[] => [
  ...defaultNetworkFaults(object),
  ...nameFaults(object),
];

/** Later versions of the API take no network without its namespace; KubeVirt looks for one in that of the machines. */
const nameFaults = (object: PropertyValue): ObjectFault[] =>
  read(object, `${KUBEVIRT}.additionalNetworks[].name`).flatMap(({ path, value }) =>
    typeof value !== "string" || isNamespacedName(value)
      ? []
      : [
          {
            path,
            problem: "is no namespace and name, and later versions of the API refuse it",
            remedy: "write namespace/name of the network attachment definition",
            rule: "ovn-subnet-invalid",
            isWarning: true,
          } as const,
        ],
  );

/** A virtual machine without the default pod network needs another one. */
function defaultNetworkFaults(object: PropertyValue): ObjectFault[] {
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
