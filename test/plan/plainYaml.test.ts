import * as fc from "fast-check";

import { lineAt } from "../../src/plan/yamlTree";
import { plainDocument } from "../../src/plan/plainYaml";
import { readTrees } from "../../src/plan/yamlDocuments";
import { yamlCases } from "./kubectlYamlCases";
import { goodTexts, hostileTexts } from "./kubectlYamlTexts";

/** The paths of all that is inside a value. */
function pathsIn(value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [path];
  const inside = Array.isArray(value)
    ? value.map((entry: unknown, at) => [`${path}[${at}]`, entry] as const)
    : Object.entries(value).map(([key, entry]) => [`${path}["${key}"]`, entry as unknown] as const);
  return [path, ...inside.flatMap(([deeper, entry]) => pathsIn(entry, deeper))];
}

/** What is read without a tree and with one, with the line of everything; undefined where a text is left to the tree. */
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
  ["texts that people write", withoutTabs, 0.7],
  ["texts of any pieces of YAML", hostileTexts, 0.05],
] as const)("%s have the same values and lines with a tree and without", (_, texts, least) => {
  const read = fc.sample(texts, { numRuns: 2_000, seed: 17 }).flatMap((text) => {
    const both = readings(text);
    return both ? [{ text, ...both }] : [];
  });
  for (const { text, plain, tree } of read) expect({ text, read: plain }).toEqual({ text, read: tree });
  expect(read.length).toBeGreaterThan(least * 2_000);
});

it.each(yamlCases)("YAML has the same values and lines with a tree and without: $name", ({ text }) => {
  const both = readings(text);
  expect(both?.plain).toEqual(both?.tree);
});
