import { describeInputFaults, Lines, placeOf, shownFaults } from "../../src/plan/inputs";
import { MOST_LISTED } from "../../src/collections";

test.each([
  [{ file: "plan.json" }, "plan.json"],
  [{ file: "plan.json", line: 3 }, "plan.json:3"],
  [{ file: "plan.json", line: 3, column: 17 }, "plan.json:3:17"],
  [{ file: "plan.json", column: 17 }, "plan.json"],
])("a location states the file, and line and column if they are known: %j", (place, text) => {
  expect(placeOf(place)).toBe(text);
});

test.each([
  [0, []],
  [1, ["1 fault more, which is not shown: fix these first"]],
  [2, ["2 faults more, which are not shown: fix these first"]],
])("only the first faults are shown, and %p more are counted", (more, rest) => {
  const faults = Array.from({ length: MOST_LISTED + more }, (_, at) => ({
    file: `${at}.yaml`,
    problem: "is no YAML",
    remedy: "look at it",
  }));
  expect(shownFaults(faults)).toEqual({ shown: faults.slice(0, MOST_LISTED), rest });
  expect(describeInputFaults(faults)).toEqual([
    ...faults.slice(0, MOST_LISTED).map(({ file }) => `${file}  is no YAML: look at it`),
    ...rest,
  ]);
});

test("an object with its own line keeps it, and otherwise has the line of its document", () => {
  const lines = new Lines();
  expect(lines.lineOf({ line: 7 }, "spec")).toBe(7);
  const origin = { line: 7 };
  lines.remember(origin, { part: { text: "a: 1\n", line: 7 }, document: 1, path: "" });
  expect(lines.lineOf(origin, "a")).toBe(7);
});

test.each([
  ["in plain YAML", "a: 1\nitems:\n- b: 1\n  c: 2\n"],
  ["in YAML that needs a full parser", "a: 1\nitems:\n- b: 1 # \t\n  c: !!int 2\n"],
])("an object of a list %s has the lines of its item", (_, text) => {
  const lines = new Lines();
  const [list, item] = [{}, {}];
  const part = { text, line: 11 };
  lines.remember(list, { part, document: 0, path: "" });
  lines.remember(item, { part, document: 0, path: "items[0]" });
  expect([lines.lineOf(list, "items"), lines.lineOf(list, "")]).toEqual([13, 11]);
  expect([lines.lineOf(item, ""), lines.lineOf(item, "c"), lines.lineOf(item, "d")]).toEqual([13, 14, 13]);
});
