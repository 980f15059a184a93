import * as fc from "fast-check";

import { lineAt } from "../../src/plan/yamlTree";
import { plainDocument } from "../../src/plan/plainYaml";
import { readTrees } from "../../src/plan/yamlDocuments";
import { yamlCases } from "./kubectlYamlCases";
import { goodTexts, hostileTexts } from "./kubectlYamlTexts";

/** The paths of a value and of everything inside it. */
function pathsIn(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [path];
  const inside = Array.isArray(value)
    ? value.map((entry: unknown, at) => [`${path}[${at}]`, entry] as const)
    : Object.entries(value).map(([key, entry]) => [`${path}["${key}"]`, entry as unknown] as const);
  return [path, ...inside.flatMap(([deeper, entry]) => pathsIn(entry, deeper))];
}

/** The value and all lines by the plain reader and by the tree reader; undefined if the plain reader declines. */
function readings(text: string) {
  const plain = plainDocument(text);
  if (!plain) return undefined;
  const positions = plain.positions();
  const trees = readTrees({ text, line: 1 }, "a.yaml");
  const paths = pathsIn(plain.value);
  return {
    plain: [{ value: plain.value, lines: [plain.line, ...paths.map((path) => lineAt(positions, path))] }],
    tree: trees.map(({ value, ...tree }) =>
      tree.fault ? tree.fault : { value, lines: ["", ...paths].map((path) => tree.lineOf(path)) },
    ),
  };
}

const withoutTabs = goodTexts.map((text) => text.replaceAll("\t", " "));

it.each([
  ["usual texts", withoutTabs, 0.7],
  ["texts of random pieces of YAML", hostileTexts, 0.05],
] as const)(
  "%s have the same values and lines with the plain reader and the tree reader",
  (_, texts, least) => {
    const read = fc.sample(texts, { numRuns: 2_000, seed: 17 }).flatMap((text) => {
      const both = readings(text);
      return both ? [{ text, ...both }] : [];
    });
    for (const { text, plain, tree } of read) expect({ text, read: plain }).toEqual({ text, read: tree });
    expect(read.length).toBeGreaterThan(least * 2_000);
  },
);

it.each(yamlCases)("the plain reader and the tree reader agree on values and lines: $name", ({ text }) => {
  const both = readings(text);
  expect(both?.plain).toEqual(both?.tree);
});
