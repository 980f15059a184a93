import { parse } from "yaml";

import { isHostedCluster, isKubernetes } from "../../src/resources/resourceTypes";
import { ruleExamples, rules } from "../../src/rules";
import { Level } from "../../src/gate/rule";
import type { Resource } from "../../src/resources/resource";
import { readConfiguration } from "../../src/gate/readConfiguration";
import { judge } from "./builders";
import { exampleResources } from "./exampleResources";

/** Two files about one cluster of a ledger are a conflict, whatever they state. */
const fixes = Object.entries(ruleExamples).filter(([id]) => id !== "address-plan-conflict");

/** Resources whose Kubernetes objects are in a file. */
const inFile = (file: string, resources: readonly Resource[]): Resource[] =>
  resources.map((one, position) =>
    isKubernetes(one.type) ? { ...one, origin: { file, line: 1 + position * 10 } } : one,
  );

describe("objects that a second file repeats get no further verdict", () => {
  it.each(fixes)("in the fix of %s", (_, { mended, configuration: text = "" }) => {
    const { configuration } = readConfiguration(parse(text), "hypershift-network.yaml");
    const found = (resources: readonly Resource[]): string[] => {
      const all = rules.flatMap((rule) => judge(rule, resources, configuration));
      const beyondNotes = all.filter(({ level }) => level !== Level.Note);
      return [
        ...new Set(
          beyondNotes.map(({ rule, status, path, message }) => `${rule} ${status} ${path} ${message}`),
        ),
      ].sort();
    };
    const once = inFile("a.yaml", exampleResources(mended));
    const again = inFile("b.yaml", once).filter(({ type }) => isKubernetes(type) && !isHostedCluster(type));
    expect(found([...once, ...again])).toEqual(found(once));
  });
});
