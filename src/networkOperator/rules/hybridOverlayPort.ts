import { vxlanPortNumberFaults } from "../hybridOverlay";
import { D4, OCP_OVN, at } from "../../requirements/documents";
import { UNKNOWN } from "../../resources/resource";
import { isNetworkOperator } from "../../resources/resourceTypes";
import { networkOperators, OVN_CONFIG } from "./networkOperators";
import { objectFaults } from "../../gate/objectFaults";
import { Level, unknown, type Rule } from "../../gate/rule";

/** Where a Network operator holds the port. */
export const HYBRID_PORT = `${OVN_CONFIG}.hybridOverlayConfig.hybridOverlayVXLANPort`;

/** A VXLAN port of its own that nodes use for something else. */
export const hybridOverlayPort: Rule = {
  id: "hybrid-overlay-port",
  title: "The VXLAN port of the additional overlay network is a free one",
  level: Level.Error,
  description:
    "hybridOverlayVXLANPort of Network operators: a UDP port, and neither the usual one of VXLAN nor that of Geneve, which nodes have in use. The network operator checks neither.",
  documents: [
    at(D4, "15.15.1. Configuring hybrid networking with OVN-Kubernetes"),
    at(OCP_OVN, "Configuring hybrid networking"),
  ],
  remediation: "Choose a free UDP port, such as 9898.",
  single: isNetworkOperator,
  judge: (judged) =>
    networkOperators(judged, HYBRID_PORT).flatMap(({ resource, value }) => {
      const port = value(HYBRID_PORT);
      if (port === UNKNOWN) return [unknown({ resource, path: HYBRID_PORT })];
      return objectFaults(resource, vxlanPortNumberFaults(port), { hybridOverlayVXLANPort: HYBRID_PORT });
    }),
};
