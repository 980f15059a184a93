import { EGRESS_FIREWALL_NAME } from "..";
import { objectNameFaults } from "../faults";
import { D4, OVN_KUBERNETES, at } from "../../requirements/documents";
import { readValue } from "../../resources/read";
import { UNKNOWN } from "../../resources/resource";
import { isEgressFirewall } from "../../resources/resourceTypes";
import { Level, unknown, violated, type Rule } from "../../gate/rule";

/** An EgressFirewall has a name that the API refuses. */
export const egressFirewallName: Rule = {
  id: "egress-firewall-name",
  title: "Egress firewalls are named default",
  level: Level.Error,
  description: `The names of EgressFirewall objects. The API takes ${EGRESS_FIREWALL_NAME} alone, so that a namespace has one at most; where a program writes none, Pulumi makes one up.`,
  documents: [
    at(D4, "15.5.1.1. Limitations of an egress firewall"),
    at(OVN_KUBERNETES, "EgressFirewall CRD, metadata.name"),
  ],
  remediation: `Write ${EGRESS_FIREWALL_NAME} as metadata.name.`,
  single: isEgressFirewall,
  judge: (judged) =>
    judged.ofKind(isEgressFirewall).flatMap((firewall) => {
      const name = readValue(firewall.properties, "metadata.name");
      if (name === UNKNOWN) return [unknown({ resource: firewall, path: "metadata.name" })];
      return objectNameFaults(name).map(({ path, problem, remedy }) =>
        violated({ resource: firewall.origin, path, message: problem, fix: remedy }),
      );
    }),
};
