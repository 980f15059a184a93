import { readFileSync } from "node:fs";

import { parse } from "yaml";

import { judge, previewOf, type ConfigurationDocument } from "../../src/testing";
import type { Resource } from "../../src/resources/resource";
import { examples } from "./example";

const example = examples().find(({ name }) => name === "policy-gate")!;
const file = example.configuration!;
const { exemptions: _, ...withoutExemptions } = parse(readFileSync(file, "utf8")) as ConfigurationDocument;

/** examples/policy-gate by itself; `test/e2e/examples/life.ts` runs it with the pack on the real engine. */
describe("the example of the policy gate", () => {
  let resources: Resource[];
  beforeAll(async () => {
    resources = await previewOf(() => jest.requireActual<object>(example.program));
  });

  it("passes, and its exemption is needed", () => {
    const { violated, unknown, exempted, stale, hostedClusters } = judge(resources, file);
    expect(hostedClusters).toEqual(["clusters/tenant-a"]);
    expect([violated, unknown, stale]).toEqual([[], [], []]);
    expect(exempted.map(({ finding }) => finding.path)).toHaveLength(1);
    expect(exempted[0]?.exemption.reason).toContain("CHG-1234");
  });

  it("fails without the exemption only at the rule for metrics, because port-excess is mandatory there", () => {
    const { violated } = judge(resources, withoutExemptions);
    expect(
      violated.map(({ rule, level, resource }) => [rule, level, resource.urn?.split("::").pop()]),
    ).toEqual([["port-excess", "error", "in-metrics"]]);
    const { rules: _levels, ...byDefault } = withoutExemptions;
    expect(judge(resources, byDefault).violated.map(({ level }) => level)).toEqual(["warning"]);
  });

  it("has a finding of port-missing if a rule is removed from its program", () => {
    const left = resources.filter(({ name }) => name !== "in-router");
    expect(judge(left, file).violated.map(({ rule }) => rule)).toContain("port-missing");
  });
});
