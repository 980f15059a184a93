import { D4, OCP_OVN, at } from "../../requirements/documents";
import { egressRouterSupport } from "../../requirements/egressSupport";
import { isEgressRouter } from "../../resources/resourceTypes";
import { judgePlatform } from "../../gate/egressPlatform";
import { Level, type Rule } from "../../gate/rule";

/** An egress router on a platform that drops the frames of its second interface. */
export const egressRouterPlatform: Rule = {
  id: "egress-router-platform",
  title: "Egress routers are used on platforms that have them",
  level: Level.Error,
  description:
    "EgressRouter objects in a stack with one hosted cluster, against its platform: the router's second interface is a macvlan, and the network of a public cloud drops frames from a MAC address that it did not give out.",
  documents: [
    at(D4, "15.11.1. About an egress router pod"),
    at(OCP_OVN, "Considerations for the use of an egress router pod"),
  ],
  remediation: "Leave the router out; an EgressIP object gives pods an address of their own on clouds.",
  judge: (judged) =>
    judgePlatform(
      judged,
      { feature: "egress routers", support: egressRouterSupport },
      judged.ofKind(isEgressRouter),
    ),
};
