import { parse, stringify } from "yaml";

import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { isHostedCluster } from "../../src/resources/resourceTypes";
import { type RuleExample, ruleExamples, rules } from "../../src/rules";
import { verdictOf } from "../../src/gate/verdict";
import { JudgedResources } from "../../src/gate/judgedResources";
import { readConfiguration } from "../../src/gate/readConfiguration";
import { Status, type Finding } from "../../src/gate/rule";
import { topologyOfHostedCluster } from "../../src/topology/topologyOfHostedCluster";
import { Folder, preview, stackExport, state, step } from "../plan/plans";
import { COMPONENT, judge, resource, urnOf, type Properties } from "./builders";
import { exampleResources } from "./exampleResources";
import type { Configuration } from "../../src/gate/configuration";

const examples = Object.entries(ruleExamples);
const ruleOf = (id: string) => rules.find((rule) => rule.id === id)!;
const configurationOf = ({ configuration = "" }: RuleExample): Configuration =>
  readConfiguration(parse(configuration), "hypershift-network.yaml").configuration;

const violationsOf = (id: string, resources: readonly Resource[], example: RuleExample): Finding[] =>
  judge(ruleOf(id), resources, configurationOf(example)).filter(({ status }) => status === Status.Violated);

const messages = (found: readonly Finding[]): string[] => found.map(({ message }) => message).sort();

/** The resources with one value replaced, at the path of a finding. */
function withValue(resources: readonly Resource[], at: Finding, value: PropertyValue): Resource[] {
  const steps = [...at.path.matchAll(/"([^"]+)"|[^.[\]"]+/g)].map(([key, quoted]) => quoted ?? key);
  return resources.map((one) =>
    one.origin.urn === at.resource.urn
      ? { ...one, properties: replaced(one.properties, steps, value) as Properties }
      : one,
  );
}

/** Replaces the part of the path that exists: a finding may name a property that is missing. */
function replaced(value: PropertyValue, [key, ...rest]: readonly string[], by: PropertyValue): PropertyValue {
  if (key === undefined) return by;
  if (Array.isArray(value)) {
    const list = value as readonly PropertyValue[];
    return list.map((entry, at) => (String(at) === key ? replaced(entry, rest, by) : entry));
  }
  if (typeof value !== "object" || value === null) return by;
  const map = value as Properties;
  return { ...map, [key]: key in map ? replaced(map[key]!, rest, by) : by };
}

/** Rules that do not depend on the value at the path of their finding, and why. */
const NOT_AT_A_VALUE: Readonly<Record<string, string>> = {
  "port-localhost-only": "the port is wrong for every source",
  "hybrid-overlay-platform": "a port is refused, whichever it is",
  "ipsec-day-two": "the setting is refused, whatever it says",
  "isolation-flow-blocked": "the flow lacks a policy, and stands at none",
};

/** A resource with the name that it has in manifests. */
const byObjectName = (one: Resource): Resource => {
  const { name } = one.properties.metadata as { name: string };
  return { ...one, name };
};

describe("the example of each rule, in every status", () => {
  test.each(examples)("%s finds nothing in an empty input or in one without its kinds", (id, example) => {
    const others = [
      resource("kubernetes:core/v1:Secret", "secret", { apiVersion: "v1", kind: "Secret", data: {} }),
      resource("aws:s3/bucket:Bucket", "bucket", { bucket: "bucket" }),
    ];
    const bare = { ...example, configuration: "" };
    expect(judge(ruleOf(id), [], configurationOf(bare))).toEqual([]);
    expect(judge(ruleOf(id), others, configurationOf(bare))).toEqual([]);
  });

  const atValues = examples.filter(([id]) => !Object.hasOwn(NOT_AT_A_VALUE, id));

  test.each(atValues)(
    "%s reports no violation at an unknown value, and the value is counted",
    (id, example) => {
      const resources = exampleResources(example.violated);
      for (const finding of violationsOf(id, resources, example)) {
        const unknown = withValue(resources, finding, UNKNOWN);
        const same = violationsOf(id, unknown, example).filter(({ path }) => path === finding.path);
        expect([finding.path, messages(same)]).toEqual([finding.path, []]);
        // Rules that check the same value count it once: only the first of them does.
        const counted = rules.filter((rule) =>
          judge(rule, unknown, configurationOf(example)).some(({ status }) => status === Status.Unknown),
        );
        expect([finding.path, counted.map((rule) => rule.id)]).not.toEqual([finding.path, []]);
      }
    },
  );

  test.each(Object.keys(NOT_AT_A_VALUE))("%s is violated even if the value at its path is unknown", (id) => {
    const [, example] = examples.find(([own]) => own === id)!;
    const resources = exampleResources(example.violated);
    const found = violationsOf(id, resources, example);
    for (const finding of found)
      expect(messages(violationsOf(id, withValue(resources, finding, UNKNOWN), example))).toEqual(
        messages(found),
      );
  });

  test.each(examples)(
    "%s is accepted by an exemption from it, and not by one from another rule",
    (id, example) => {
      const resources = exampleResources(example.violated);
      const places = violationsOf(id, resources, example).map(({ resource: { urn, file } }) => urn ?? file!);
      const verdict = (rule: string) => {
        const exemptions = [...new Set(places)].map((place, at) => ({
          path: `exemptions[${at}]`,
          rule,
          resource: place,
          reason: "accepted until the migration",
        }));
        const configuration = { ...configurationOf(example), exemptions };
        return verdictOf(new JudgedResources(resources, configuration), [ruleOf(id)]);
      };
      const { findings, exempted, stale } = verdict(id);
      expect(findings.filter(({ status }) => status === Status.Violated)).toEqual([]);
      expect(exempted.length).toBeGreaterThan(0);
      expect(exempted[0]!.exemption.reason).toBe("accepted until the migration");
      expect(stale).toEqual([]);
      const other = rules.find((rule) => rule.id !== id)!.id;
      expect(verdict(other)).toMatchObject({ exempted: [] });
      expect(messages(verdict(other).findings)).toEqual(
        messages(judge(ruleOf(id), resources, configurationOf(example))),
      );
    },
  );

  test.each(examples)(
    "%s reports nothing if it is disabled, and otherwise follows its configured level",
    (id, example) => {
      const resources = exampleResources(example.violated);
      const verdict = (level: "disabled" | "advisory" | "mandatory", key = id) => {
        const configuration = { ...configurationOf(example), levels: { [key]: level } };
        return verdictOf(new JudgedResources(resources, configuration), [ruleOf(id)]);
      };
      expect(verdict("disabled")).toMatchObject({ findings: [], rules: [] });
      expect(verdict("disabled", "all")).toMatchObject({ findings: [], rules: [] });
      expect(verdict("mandatory").findings.map(({ level }) => level)).toContain("error");
      expect(verdict("advisory").findings.map(({ level }) => level)).not.toContain("error");
    },
  );
});

describe("the example of each rule, in every form", () => {
  let folder: Folder;
  beforeEach(() => (folder = new Folder()));
  afterEach(() => folder.remove());

  const ofFile = async (id: string, file: string, text: string, example: RuleExample) => {
    folder.write(file, text);
    const { resources, faults } = await folder.read([file]);
    expect(faults).toEqual([]);
    return messages(violationsOf(id, resources, example));
  };
  const inState = ({ type, name, properties }: Resource) => state(type, name, properties);

  test.each(examples)(
    "%s is found in a preview and in a stack export as raw resources",
    async (id, example) => {
      for (const text of [example.violated, example.mended]) {
        const resources = exampleResources(text);
        const expected = messages(violationsOf(id, resources, example));
        const steps = resources.map((one) => step("create", inState(one)));
        expect(await ofFile(id, "preview.json", preview(steps), example)).toEqual(expected);
        const deployed = resources.map((one) => ({ ...inState(one), outputs: one.properties }));
        expect(await ofFile(id, "export.json", stackExport(deployed), example)).toEqual(expected);
      }
    },
  );

  const isKubernetes = ({ type }: Resource) => type.startsWith("kubernetes:") && !type.endsWith("Patch");
  const asManifests = examples.filter(([, { violated }]) => exampleResources(violated).every(isKubernetes));

  test.each(asManifests)("%s is found in manifests", async (id, example) => {
    for (const text of [example.violated, example.mended]) {
      const resources = exampleResources(text).map(byObjectName);
      const manifests = resources.map(({ properties }) => stringify(properties)).join("---\n");
      expect(await ofFile(id, "objects.yaml", manifests, example)).toEqual(
        messages(violationsOf(id, resources, example)),
      );
    }
  });

  // Components reject faults of their own cluster when they are created, so no rule finds them. Tolerations, which
  // the taints of nodes are compared with, exist only in HostedCluster objects.
  const besideComponents = examples.filter(([id, example]) => {
    if (id === "dedicated-nodes") return false;
    const found = violationsOf(id, exampleResources(example.violated), example);
    return found.every(({ resource: { urn } }) => urn !== undefined && !urn.includes(":HostedCluster"));
  });

  test.each(besideComponents)("%s is found with a component that states the topology", (id, example) => {
    for (const text of [example.violated, example.mended]) {
      const resources = exampleResources(text);
      const ofComponents = resources.map((one) =>
        isHostedCluster(one.type)
          ? {
              ...one,
              type: COMPONENT,
              origin: { urn: urnOf(COMPONENT, one.name) },
              properties: { topology: topologyOfHostedCluster(one.properties) as PropertyValue },
            }
          : one,
      );
      expect(messages(violationsOf(id, ofComponents, example))).toEqual(
        messages(violationsOf(id, resources, example)),
      );
    }
  });

  test("most rules have an example in manifests, and with components", () => {
    expect(asManifests.length).toBeGreaterThan(35);
    expect(besideComponents.length).toBeGreaterThan(30);
  });
});
