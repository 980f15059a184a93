import type { PropertyValue } from "../../resources/resource";
import type { ObjectFault } from "./fieldFaults";
import { networkSettingFaults } from "./networkFaults";
import { azureFaults } from "./platformFaults";
import { serviceListFaults } from "./serviceFaults";

/** What the fields of a HostedCluster demand of each other. */
export const hostedClusterRelations = (object: PropertyValue): ObjectFault[] => [
  ...serviceListFaults(object),
  ...networkSettingFaults(object),
  ...azureFaults(object),
];
