import { vxlanPortPlatformFaults } from "../hybridOverlay";
import { customVxlanPort } from "../../requirements/hybridOverlay";
import { mayRunOn } from "../../requirements/platforms";
import { UNKNOWN } from "../../resources/resource";
import { HYBRID_PORT } from "./hybridOverlayPort";
import type { JudgedResources } from "../../gate/judgedResources";
import { networkOperators, operatorCluster, type WrittenOperator } from "./networkOperators";
import { objectFaults } from "../../gate/objectFaults";
import { Level, unknown, type Judgement, type Rule } from "../../gate/rule";

const HYBRID_PARENT = HYBRID_PORT.slice(0, HYBRID_PORT.lastIndexOf("."));
const { platforms: WITH_PORT, documents } = customVxlanPort;

/** A VXLAN port of its own on a platform that has none. */
export const hybridOverlayPlatform: Rule = {
  id: "hybrid-overlay-platform",
  title: "A VXLAN port of its own is set where the platform has one",
  level: Level.Error,
  description: `hybridOverlayVXLANPort of Network operators against the platform of the only hosted cluster of the stack: it exists on ${WITH_PORT.join(", ")} alone, for other Windows nodes than Windows Server 2019, which no object tells. Of a cluster that is not hosted, and of one whose machines somebody else makes, nothing says the platform: that is counted.`,
  documents,
  remediation: `Leave hybridOverlayVXLANPort out where nodes do not run on ${WITH_PORT.join(", ")}.`,
  judge: (judged) =>
    networkOperators(judged, HYBRID_PORT).flatMap((operator) => judgeOperator(judged, operator)),
};

function judgeOperator(judged: JudgedResources, { resource, value }: WrittenOperator): Judgement[] {
  // A port is refused whichever it is; where the object around it is not known, there may be none.
  if (value(HYBRID_PARENT) === UNKNOWN) return [unknown({ resource, path: HYBRID_PARENT })];
  const { cluster } = operatorCluster(judged, resource);
  const { topology, platform } = cluster;
  const reason = "the platform of the nodes of the cluster in which it stands";
  if (!topology || WITH_PORT.some((one) => mayRunOn(topology.platform, one)))
    return [unknown({ resource, path: HYBRID_PORT, reason })];
  const faults = vxlanPortPlatformFaults(platform).map((fault) => ({ ...fault, remedy: "leave it out" }));
  return objectFaults(resource, faults, { hybridOverlayVXLANPort: HYBRID_PORT });
}
