import { EGRESS_ASSIGNABLE } from "../egressIp";
import { D4, OCP_OVN, at } from "../../requirements/documents";
import { read, readValue } from "../../resources/read";
import { UNKNOWN, type Resource } from "../../resources/resource";
import { isEgressIp, isNode, isNodePool } from "../../resources/resourceTypes";
import type { JudgedResources } from "../../gate/judgedResources";
import { nodesOf } from "../../gate/nodePools";
import { Level, unknown, violated, type Judgement, type Rule } from "../../gate/rule";
import { plural } from "../../plural";

const [KEY] = Object.keys(EGRESS_ASSIGNABLE) as [string];

/** An EgressIP object with more addresses than there are nodes that may hold one. */
export const egressIpNodes: Rule = {
  id: "egress-ip-nodes",
  title: "There is a node for each egress IP address of an object",
  level: Level.Error,
  description: `EgressIP objects against the nodes of the stack that have the label ${KEY}: nodes themselves, and NodePools that give it to theirs. A node holds one address of an object at most. Where the stack labels none, the count is not known.`,
  documents: [
    at(D4, "15.9.1.3. Assignment of egress IPs to nodes"),
    at(OCP_OVN, "Configuring an egress IP address"),
  ],
  remediation: `Label more nodes with ${KEY}, or spread the addresses over several objects.`,
  judge: (judged) => {
    const objects = judged.ofKind(isEgressIp);
    return objects.length === 0 ? [] : judgeObjects(judged, objects);
  },
};

function judgeObjects(judged: JudgedResources, objects: readonly Resource[]): Judgement[] {
  const counts = judged.ofKind(isLabelled).flatMap(labelledNodes);
  const isKnown = counts.length > 0 && !counts.includes(UNKNOWN);
  const nodes = counts.reduce<number>((sum, count) => sum + (count === UNKNOWN ? 0 : count), 0);
  const because = judged
    .ofKind(isLabelled)
    .filter((one) => labelledNodes(one).includes(UNKNOWN))
    .flatMap((one) => COUNTED.map((counted) => ({ resource: one, path: counted })));
  return objects.flatMap((resource) => {
    const path = "spec.egressIPs";
    const addresses = read(resource.properties, `${path}[]`).length;
    if (!isKnown) {
      const reason = `how many nodes have the label ${KEY}`;
      return [unknown({ resource, path, reason, because })];
    }
    if (addresses <= nodes) return [];
    const message = `${addresses} addresses for ${plural(nodes, "node")} with the label ${KEY}, each of which holds one of them at most`;
    return [violated({ resource: resource.origin, path, message })];
  });
}

/** What says how many nodes have the label. */
const COUNTED = ["spec.replicas", "spec.autoScaling", "metadata.labels", "spec.nodeLabels"];

const isLabelled = (type: string): boolean => isNode(type) || isNodePool(type);

/** How many nodes with the label a resource stands for; none for most. */
function labelledNodes(resource: Resource): (number | typeof UNKNOWN)[] {
  const { type, properties } = resource;
  const labels = readValue(properties, isNode(type) ? "metadata.labels" : "spec.nodeLabels");
  if (labels === UNKNOWN) return [UNKNOWN];
  if (typeof labels !== "object" || labels === null || !Object.hasOwn(labels, KEY)) return [];
  return [isNode(type) ? 1 : nodesOf(resource).most];
}
