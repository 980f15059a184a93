import { describeFaults } from "../../src/fault";
import { ManagementCluster } from "../../src/isolation/egress";
import { isolationPolicies } from "../../src/isolation/judge";
import { networkPolicySpec } from "../../src/isolation/networkPolicy";
import { ALL_PLATFORMS } from "../../src/requirements/requirement";
import { EndpointAccess } from "../../src/requirements/vocabulary";
import { endpointAccessModes } from "../../src/requirements/platforms";
import { machines, openly, published } from "../topology/topologies";
import { expectGolden } from "../objects/golden";
import { normalizeTopology } from "../../src/topology/normalizeTopology";

const stated = {
  ...machines,
  name: "tenant-a",
  release: "4.20",
  managementClusterCidrs: ["10.1.0.0/16"],
  registryCidrs: ["198.51.100.0/24"],
};

const strategies = Object.entries(published);
const cases = ALL_PLATFORMS.flatMap((platform) => [
  ...strategies.map(([strategy, services]) => ({
    name: `${platform}-${strategy}`,
    platform,
    services,
    ...openly(platform),
  })),
  ...(endpointAccessModes(platform).includes(EndpointAccess.Private)
    ? [{ name: `${platform}-Route-Private`, platform, services: published.Route, endpointAccess: "Private" }]
    : []),
]);

/** Every policy with its spec and purpose, or the faults of a topology that HyperShift refuses. */
function golden(given: object): string {
  const { topology, faults } = normalizeTopology({ ...stated, ...given });
  if (!topology) return `${describeFaults("topology", faults)}\n`;
  const lines = isolationPolicies(topology, { denyEgress: true }).map((policy) => {
    const rows = policy.requirements.length > 0 ? ` (${policy.requirements.join(", ")})` : "";
    return `${policy.name}: ${policy.purpose}${rows}\n  ${JSON.stringify(networkPolicySpec(policy))}\n`;
  });
  return lines.join("");
}

describe("M12 the policies of every platform and publishing strategy match the golden files", () => {
  it.each(cases.map((each) => [each.name, each] as const))("%s", (_, { name, ...given }) => {
    expectGolden(`isolation/${name}.txt`, golden(given));
  });
});

test("the documents and notes of all policies match the golden file", () => {
  const reasons = cases.flatMap(({ name: _, ...given }) => {
    const { topology } = normalizeTopology({ ...stated, ...given });
    const made = topology
      ? Object.values(ManagementCluster).flatMap((managementCluster) =>
          isolationPolicies(topology, { denyEgress: true, managementCluster }),
        )
      : [];
    return made.map(({ name, requirements, documents, notes }) =>
      [
        [name, ...requirements].join(" "),
        ...documents.map((one) => `  ${one}`),
        ...notes.map((one) => `  note: ${one}`),
      ].join("\n"),
    );
  });
  expectGolden("isolation/reasons.txt", `${[...new Set(reasons)].sort().join("\n\n")}\n`);
});
