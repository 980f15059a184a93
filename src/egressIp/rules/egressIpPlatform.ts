import { D4, OCP_OVN, at } from "../../requirements/documents";
import { egressIpSupport } from "../../requirements/egressSupport";
import { isEgressIp } from "../../resources/resourceTypes";
import { judgePlatform } from "../../gate/egressPlatform";
import { Level, type Rule } from "../../gate/rule";

/** Egress IP addresses on a platform that cannot move addresses between nodes. */
export const egressIpPlatform: Rule = {
  id: "egress-ip-platform",
  title: "Egress IP addresses are used on platforms that have them",
  level: Level.Error,
  description:
    "EgressIP objects in a stack with one hosted cluster, against its platform and release: clouds in which no node can take an address over leave the object without effect.",
  documents: [
    at(D4, "15.9.1.1. Platform support"),
    at(OCP_OVN, "Configuring an egress IP address, Platform support"),
  ],
  remediation:
    "Leave the object out, or move the cluster to a release or platform that has egress IP addresses.",
  judge: (judged) =>
    judgePlatform(
      judged,
      { feature: "egress IP addresses", support: egressIpSupport },
      judged.ofKind(isEgressIp),
    ),
};
