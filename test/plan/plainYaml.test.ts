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

/** The cases that the plain reader does not decline. */
const taken = yamlCases.flatMap(({ name, text }) => {
  const both = readings(text);
  return both ? [{ name, ...both }] : [];
});

it.each(taken)("the plain reader and the tree reader agree on values and lines: $name", ({ plain, tree }) => {
  expect(plain).toEqual(tree);
});

it("the plain reader does not decline usual values and layouts", () => {
  const usual = ["words for true", "words in quotes", "integers", "floats", "escapes", "blocks of text"];
  const layouts = ["texts of several lines", "lists at the column of their key"];
  expect(taken.map(({ name }) => name)).toEqual(expect.arrayContaining([...usual, ...layouts]));
});

/** The length in characters from which a literal block is decoded in parts. */
const LONG = 65_536;

describe("a literal block of several parts", () => {
  const lines = fc.array(fc.constantFrom("", " ", "a line", "  deeper ", "é", "# no comment"), {
    minLength: 1,
  });
  const blocks = fc.record({
    header: fc.constantFrom("|", "|-", "|+"),
    start: lines,
    fill: fc.constantFrom("", "x".repeat(60), " y"),
    end: lines,
    next: fc.constantFrom("", "after: b\n"),
  });

  test("has the value and the lines that the tree reader has", () => {
    const texts = blocks.map(({ header, start, fill, end, next }) => {
      const filling = Array<string>(Math.ceil((2.5 * LONG) / (fill.length + 5))).fill(fill);
      const body = [...start, ...filling, ...end].map((line) => `    ${line}\n`).join("");
      return `text: ${header}\n    first\n${body}${next}`;
    });
    const read = fc.sample(texts, { numRuns: 60, seed: 23 }).flatMap((text) => {
      const both = readings(text);
      return both ? [both] : [];
    });
    for (const { plain, tree } of read) expect(plain).toEqual(tree);
    expect(read.length).toBeGreaterThan(50);
  });

  test("is empty if all of its lines are, except for line breaks that are kept", () => {
    for (const header of ["|", "|-", "|+"]) {
      const both = readings(`text: ${header}\n${"  \n".repeat(LONG)}`)!;
      expect(both.plain).toEqual(both.tree);
      expect(both.plain[0]!.value).toEqual({ text: header === "|+" ? "\n".repeat(LONG) : "" });
    }
  });
});
