import { readFileSync } from "node:fs";
import { join } from "node:path";

import { repositoryRoot } from "../../local/repository";
import { cut, entry, mutated } from "../../local/rows/mutation";
import { mutations } from "../../local/rows/mutations";
import { proofOf } from "../../local/rows/proof";
import { BESIDE_ROWS, ROWS } from "../../local/rows/rows";
import { filesNaming, filesOfRow, rowsOf, testsOfRow, type JestReport } from "../../local/rows/rowTests";
import type { Scratch } from "../../local/rows/scratch";

const sourceOf = (file: string) => readFileSync(join(repositoryRoot, file), "utf8");
const all = Object.entries(mutations).flatMap(([row, some]) =>
  some.map((mutation) => ({ row, mutation, file: mutation.file, what: mutation.what })),
);

describe("what prove-rows takes out", () => {
  test.each(all)("of $row: $what is in $file", ({ file, mutation }) => {
    const source = sourceOf(file);
    expect(mutated(source, mutation)).not.toBe(source);
  });

  test("belongs to rows that are there", () => {
    const known = [...ROWS, ...BESIDE_ROWS];
    expect(Object.keys(mutations).filter((row) => !known.includes(row))).toEqual([]);
  });
});

describe("taking out", () => {
  const list = 'export const list = [\n  row({ id: "a", tags: ["x"] }),\n  other("b", 1),\n];\n';

  test("an element of a list, by a text in it", () => {
    expect(mutated(list, entry("list.ts", "a"))).toBe('export const list = [\n  \n  other("b", 1),\n];\n');
    expect(mutated(list, entry("list.ts", "b"))).toBe(
      'export const list = [\n  row({ id: "a", tags: ["x"] }),\n  \n];\n',
    );
  });

  test("a piece of code, or putting another in its place", () => {
    expect(mutated("a + b + c", cut("sum.ts", "b", " + b"))).toBe("a + c");
    expect(mutated("a + b + c", cut("sum.ts", "b", "b", "0"))).toBe("a + 0 + c");
  });

  test.each([
    ["an element that is not there", entry("list.ts", "c"), "no element of a list in list.ts"],
    ["a text that is not there", cut("list.ts", "it", "c("), "it: this does not stand in list.ts"],
    [
      "a text that is there twice",
      cut("list.ts", "it", "row".slice(1)),
      "it: this stands 2 times in list.ts",
    ],
  ])("fails for %s", (_, mutation, message) => {
    expect(() => mutated(`${list} // now`, mutation)).toThrow(message);
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
  test("have titles that begin with it, by itself or beside others", () => {
    expect(rowsOf(["M1 the port", "it"])).toEqual(["M1"]);
    expect(rowsOf(["M6 M8 fragments"])).toEqual(["M6", "M8"]);
    expect(rowsOf(["DRIFT a value", "DRIFTING is none"])).toEqual(["DRIFT"]);
    expect(rowsOf(["M1-M5 the golden files", "takes M6 too", "M60"])).toEqual([]);
  });

  test("are told by how they went", () => {
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

  test("are found by their titles", () => {
    expect(filesNaming(["M6"])).toContain(join("test", "topology", "ovnSubnets.test.ts"));
    expect(filesNaming(["M99"])).toEqual([]);
  });
});

describe("a proof", () => {
  const mutation = cut("a.ts", "a", "a");
  const proof = (said: JestReport, files = ["some.test.ts"]) => {
    const scratch: Scratch = { test: () => Promise.resolve(said), without: (_, work) => work() };
    return proofOf(scratch, { row: "M1", files, mutation });
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
  ])("is missing where %s", async (_, said, problem) => {
    const outcome = await proof(said);
    expect(outcome.failing).toBeUndefined();
    expect(outcome.problem).toContain(problem);
  });

  test("is missing where the row has no test", async () => {
    expect((await proof(report(), [])).problem).toBe("no unit test has a title that begins with M1");
  });
});
