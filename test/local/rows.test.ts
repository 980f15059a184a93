import { readFileSync } from "node:fs";
import { join } from "node:path";

import { repositoryRoot } from "../../local/repository";
import { entries } from "../../local/rows/entries";
import { proofOf } from "../../local/rows/proof";
import { filesNaming, filesOfRow, rowsOf, testsOfRow, type JestReport } from "../../local/rows/rowTests";
import type { Scratch } from "../../local/rows/scratch";
import { entriesOf, withoutEntry } from "../../local/rows/withoutEntry";

const sourceOf = (file: string) => readFileSync(join(repositoryRoot, file), "utf8");
describe("the entries that prove-rows removes", () => {
  test.each(entriesOf(Object.keys(entries)))("$row: $id is in $file", (entry) => {
    const source = sourceOf(entry.file);
    expect(withoutEntry(source, entry)).not.toBe(source);
  });
});

describe("withoutEntry", () => {
  const list = 'export const list = [\n  row({ id: "a", tags: ["x"] }),\n  other("b", 1),\n];\n';
  const without = (id: string, source = list) => withoutEntry(source, { file: "list.ts", id });

  test("removes the element of a list that contains a text", () => {
    expect(without("a")).toBe('export const list = [\n  \n  other("b", 1),\n];\n');
    expect(without("b")).toBe('export const list = [\n  row({ id: "a", tags: ["x"] }),\n  \n];\n');
  });

  test("fails if no element or more than one contains the text", () => {
    expect(() => without("c")).toThrow('no element of a list in list.ts with "c"');
    expect(() => without("a", `${list}${list}`)).toThrow('2 elements of a list in list.ts with "a"');
  });
});

const report = (...tests: [title: string, status: string][]): JestReport => ({
  testResults: [
    {
      name: "some.test.ts",
      message: tests.length === 0 ? "SyntaxError" : "",
      assertionResults: tests.map(([title, status]) => ({
        ancestorTitles: ["outer", title],
        title: "it",
        status,
      })),
    },
  ],
});

describe("the tests of a row", () => {
  test("have titles that begin with its name, by itself or next to others", () => {
    expect(rowsOf(["M1 the port", "it"])).toEqual(["M1"]);
    expect(rowsOf(["M6 M8 fragments"])).toEqual(["M6", "M8"]);
    expect(rowsOf(["M1-M5 the golden files", "takes M6 too", "M60"])).toEqual([]);
  });

  test("are grouped by their outcome", () => {
    const run = report(
      ["M1 one", "passed"],
      ["M1 two", "failed"],
      ["M10 other", "failed"],
      ["M1 three", "pending"],
    );
    expect(testsOfRow(run, "M1")).toEqual({
      passed: ["outer M1 one it"],
      failed: ["outer M1 two it"],
      unloaded: [],
    });
    expect(filesOfRow(run, "M1")).toEqual(["some.test.ts"]);
    expect(filesOfRow(run, "M2")).toEqual([]);
    expect(testsOfRow(report(), "M1").unloaded).toEqual(["some.test.ts"]);
  });

  test("are in the files whose titles name the row", () => {
    expect(filesNaming(["M6"])).toContain(join("test", "topology", "ovnSubnets.test.ts"));
    expect(filesNaming(["M99"])).toEqual([]);
  });
});

describe("a proof", () => {
  const entry = { row: "M1", file: "a.ts", id: "a" };
  const proof = (said: JestReport, files = ["some.test.ts"]) => {
    const scratch: Scratch = { test: () => Promise.resolve(said), without: (_, work) => work() };
    return proofOf(scratch, entry, files);
  };

  test("is a failing test", async () => {
    const failing = report(["M1 one", "failed"], ["M1 two", "failed"]);
    expect(await proof(failing)).toMatchObject({ row: "M1", failing: "outer M1 one it, and 1 more" });
  });

  test.each([
    ["every test passes", report(["M1 one", "passed"]), "1 tests, and none fails"],
    ["tests of another row fail", report(["M1 one", "passed"], ["M2 two", "failed"]), "none fails"],
    ["the file cannot be loaded", report(), "could not be loaded"],
    ["the tests were killed", { testResults: [] }, "did not end"],
  ])("is missing if %s", async (_, said, problem) => {
    const outcome = await proof(said);
    expect(outcome.failing).toBeUndefined();
    expect(outcome.problem).toContain(problem);
  });

  test("is missing if the row has no test", async () => {
    expect((await proof(report(), [])).problem).toBe("no unit test has a title that begins with M1");
  });
});
