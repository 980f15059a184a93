import { journeys } from "../../src/flows/journeys";
import { surroundingsOf } from "../../src/flows/surroundings";
import type { Resource } from "../../src/resources/resource";
import { ResourceIndex } from "../../src/resources/resourceIndex";
import { expectGolden } from "../objects/golden";
import { said } from "../reachability/path/clusters";

const firewallOf = (namespace: string): Resource => ({
  origin: {},
  type: "kubernetes:k8s.ovn.org/v1:EgressFirewall",
  name: "default",
  properties: { metadata: { name: "default", namespace }, spec: { egress: [] } },
});

test("the reviewed titles, phases and outside parts of all journeys", () => {
  const topology = said({
    platform: "AWS",
    endpointAccess: "PublicAndPrivate",
    proxy: { httpProxy: "http://10.9.0.1:3128", httpsProxy: "http://10.9.0.2:3128", noProxy: "10.0.0.0/8" },
  });
  const plan = [firewallOf("web"), firewallOf("clusters-tenant-a")];
  const lines = journeys(topology, surroundingsOf(new ResourceIndex(plan), topology)).flatMap(
    ({ key, title, phase, optional, outside }) => [
      `${key}: ${title} (${phase}${optional ? ", not every pod" : ""})`,
      ...(outside.length > 0 ? [`  outside: ${outside.join(", ")}`] : []),
    ],
  );
  expectGolden("path/titles.txt", `${lines.join("\n")}\n`);
});
