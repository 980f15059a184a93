import type { ObjectField } from "./hostedCluster/fields";

/** Fields of a NodePool's network. */
export const nodePoolFields: readonly ObjectField[] = [
  {
    path: "spec.platform.kubevirt.additionalNetworks",
    rule: "ovn-subnet-invalid",
    type: "list",
    size: { min: 0, max: 20 },
  },
  {
    path: "spec.platform.kubevirt.additionalNetworks[].name",
    rule: "ovn-subnet-invalid",
    type: "text",
    required: true,
    size: { min: 0, max: 255 },
  },
  {
    path: "spec.platform.kubevirt.attachDefaultNetwork",
    rule: "ovn-subnet-invalid",
    type: "flag",
  },
];
