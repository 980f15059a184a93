import { rowsBehind } from "../../../src/reachability/answers/describeAnswer";
import { placeOf } from "../../../src/reachability/answers/places";
import { journeys } from "../../../src/flows/journeys";
import { surroundingsOf } from "../../../src/flows/surroundings";
import type { Resource } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import type { NormalizedTopology } from "../../../src/topology/normalizedTopology";
import { expectGolden } from "../../objects/golden";
import { pinned, said } from "../path/clusters";

/** An egress firewall of a namespace, which is a place of its own. */
const firewall: Resource = {
  origin: {},
  type: "kubernetes:k8s.ovn.org/v1:EgressFirewall",
  name: "default",
  properties: { metadata: { name: "default", namespace: "web" }, spec: { egress: [] } },
};

/** The rows that require what passes each place of each journey. */
function linesOf(topology: NormalizedTopology): string[] {
  const surroundings = surroundingsOf(new ResourceIndex([firewall]), topology);
  return journeys(topology, surroundings).flatMap((journey) => [
    journey.key,
    ...journey.hops.map((hop) => {
      const rows = rowsBehind(topology, journey, hop).map(({ id }) => id);
      return `  ${placeOf(hop)}: ${rows.join(", ") || "none"}`;
    }),
  ]);
}

test.each([
  ["none-node-ports", said({ platform: "None", services: pinned })],
  ["aws-public-and-private", said({ platform: "AWS", endpointAccess: "PublicAndPrivate" })],
])("the rows that require what passes each place match the golden file: %s", (name, topology) => {
  expectGolden(`answers/rows-${name}.txt`, `${linesOf(topology).join("\n")}\n`);
});
