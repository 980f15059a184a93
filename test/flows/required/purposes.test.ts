import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ALL_PLATFORMS } from "../../../src/requirements/requirement";
import { describeReference } from "../../../src/requirements/documents";
import { requirementOf } from "../../../src/requirements/requirements";
import { flowKey } from "../../../src/flows/model";
import { requiredFlows } from "../../../src/flows/required/requiredFlows";
import { least, machines, openly, published } from "../../topology/topologies";
import { normalizeTopology } from "../../../src/topology/normalizeTopology";

const targets = [{}, { loadBalancerTargets: "instance" }, { loadBalancerTargets: "ip" }];
const pinned = Object.fromEntries(
  ["apiServer", "oauthServer", "konnectivity", "ignition"].map((service, position) => [
    service,
    { type: "NodePort", nodePort: 31_001 + position },
  ]),
);

/** Every flow of all platforms and strategies: its key, whether it may be public, and its purpose. */
test("the reviewed purposes of all flows", () => {
  const lines = ALL_PLATFORMS.flatMap((platform) =>
    [...Object.values(published), pinned].flatMap((services) =>
      targets.flatMap((target) => {
        const raw = { ...least, ...machines, ...openly(platform), ...target, platform, services };
        const { topology } = normalizeTopology({ ...raw, externalClientCidrs: ["203.0.113.0/24"] });
        return topology ? requiredFlows(topology) : [];
      }),
    ),
  ).map((flow) => `${flowKey(flow)}${flow.publicAllowed ? " (public)" : ""}: ${flow.purpose}`);
  const text = `${[...new Set(lines)].sort().join("\n")}\n`;
  const file = join(__dirname, "flows.golden", "purposes.txt");
  if (process.env.UPDATE_GOLDEN && !process.env.CI) writeFileSync(file, text);
  expect(existsSync(file)).toBe(true);
  expect(text).toBe(readFileSync(file, "utf8"));
});

test("a flow has the note and upstream remark of its row, its own notes, and documents with headings", () => {
  const { topology } = normalizeTopology({ ...least, ...machines, loadBalancerTargets: "instance" });
  const flow = (wanted: string) => requiredFlows(topology!).find(({ key }) => key === wanted);
  const { note, upstream, documents } = requirementOf(flow("ignition-server")!.requirement);
  expect(note).toBeDefined();
  expect(flow("ignition-server")?.notes).toEqual([note, `Upstream: ${upstream}`]);
  expect(flow("ignition-server")?.documents).toEqual(documents.map(describeReference));
  expect(flow("management-api")?.notes).toEqual([]);
  expect(flow("load-balancer-node-ports")?.notes).toEqual([
    expect.stringMatching(
      /^Upstream: .* keep client addresses\. The cloud controller .* opens the node ports/,
    ),
  ]);
});
