import { awsParts } from "./aws";
import { controlPlaneParts } from "./controlPlane";
import { egressParts } from "./egress";
import { hostedClusterParts, networkOperatorParts } from "./hostedCluster";

/** Every part of a landing zone, in the order in which they are made: a part takes what earlier ones have made. */
export const parts = [
  ...awsParts,
  ...hostedClusterParts,
  ...controlPlaneParts,
  ...networkOperatorParts,
  ...egressParts,
];
