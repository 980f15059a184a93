import { parse } from "yaml";
import fc from "fast-check";
import { JudgedResources } from "../../src/gate/judgedResources";
import { readConfiguration } from "../../src/gate/readConfiguration";
import { verdictOf } from "../../src/gate/verdict";
import { isHostedCluster } from "../../src/resources/resourceTypes";
import type { Resource } from "../../src/resources/resource";
import { type RuleExample, ruleExamples, rules } from "../../src/rules";
import { exampleResources } from "./exampleResources";

const examples = Object.entries(ruleExamples);
const NO_CONFIGURATION = {};
const configurationOf = ({ configuration = "" }: Pick<RuleExample, "configuration">) =>
  readConfiguration(parse(configuration), "hypershift-network.yaml").configuration;

/** The findings of a verdict, sorted. */
const said = (resources: readonly Resource[], example: Pick<RuleExample, "configuration">): string[] => {
  const { findings } = verdictOf(new JudgedResources(resources, configurationOf(example)), rules);
  return findings
    .map(({ rule, level, status, resource, path, message }) =>
      [rule, level, status, resource.urn, path, message].join(" "),
    )
    .sort();
};

/** The objects of an example, and each of them again under another name. */
function doubled(resources: readonly Resource[]): Resource[] {
  const again = resources
    .filter(({ type }) => !isHostedCluster(type))
    .map((one): Resource => {
      const metadata = one.properties.metadata as Record<string, string> | undefined;
      const renamed = metadata && { metadata: { ...metadata, name: `${metadata.name}-again` } };
      return {
        ...one,
        name: `${one.name}-again`,
        origin: { urn: `${one.origin.urn}-again` },
        properties: { ...one.properties, ...renamed },
      };
    });
  return [...resources, ...again];
}

const inAnyOrder = (all: readonly Resource[], numRuns: number): Resource[][] =>
  fc.sample(fc.shuffledSubarray([...all], { minLength: all.length }), { numRuns, seed: 20_261_127 });

describe("the order of objects changes no finding", () => {
  test.each(examples)("in the example of %s, with each object twice", (_, example) => {
    for (const text of [example.violated, example.mended].filter((one) => one !== undefined)) {
      const all = doubled(exampleResources(text));
      const expected = said(all, example);
      for (const order of [[...all].reverse(), ...inAnyOrder(all, 4)])
        expect(said(order, example)).toEqual(expected);
    }
  });

  test("in random selections of objects from all examples", () => {
    const [cluster] = exampleResources("");
    const everything = examples.flatMap(([id, { violated }]) =>
      doubled(exampleResources(violated))
        .filter(({ type }) => !isHostedCluster(type))
        .map((one): Resource => ({ ...one, origin: { urn: `${one.origin.urn}-${id}` } })),
    );
    const piles = fc.sample(fc.shuffledSubarray(everything, { minLength: 50, maxLength: 50 }), {
      numRuns: 8,
      seed: 20_261_127,
    });
    for (const pile of piles) {
      const all = [cluster!, ...pile];
      const expected = said(all, NO_CONFIGURATION);
      expect(expected.length).toBeGreaterThan(10);
      for (const order of inAnyOrder(all, 2)) expect(said(order, NO_CONFIGURATION)).toEqual(expected);
    }
  });
});
