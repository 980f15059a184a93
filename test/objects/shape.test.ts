import {
  byKey,
  inputFaults,
  judgeShape,
  labelName,
  list,
  needed,
  number,
  object,
  ONE_AT_LEAST,
  onceEach,
  plainSwitch,
  port,
  shapeFaults,
  tableShape,
  text,
  word,
} from "../../src/objects/shape";
import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";

const rule = object(
  { name: needed(text(), "write its name"), port, protocol: needed(word(["TCP", "UDP"], "a port needs ")) },
  {
    relations: [
      (path, { name }) => (name === "80" ? [{ path, problem: "is named by a port", remedy: "name it" }] : []),
    ],
  },
);
const rules = list(rule, { size: ONE_AT_LEAST });
const faults = (value: PropertyValue) =>
  shapeFaults(rules, { path: "rules", value }).map(
    ({ path, problem, remedy }) => `${path} ${problem}: ${remedy}`,
  );

test.each<[string, PropertyValue, string[]]>([
  ["a valid value", [{ name: "a", port: 80, protocol: "TCP" }], []],
  [
    "two contradicting properties",
    [{ name: "80", protocol: "TCP" }],
    ["rules[0] is named by a port: name it"],
  ],
  ["an absent value", null, []],
  ["a value of another type", "a", ['rules "a" is not a list: write something in it, or leave it out']],
  ["an empty list", [], ["rules is empty: write something in it, or leave it out"]],
  ["a null entry", [null], ["rules[0] null is not an entry: write one, or remove it"]],
  [
    "an entry of another type",
    ["a"],
    ['rules[0] "a" is not an object: write an object with name, port, protocol'],
  ],
  [
    "several faults at once",
    [{ nam: "a", port: 0 }],
    [
      "rules[0].nam no such property: did you mean name?",
      "rules[0].name missing: write its name",
      "rules[0].port 0 is not a port: write a whole number from 1 to 65535",
      "rules[0].protocol missing: a port needs TCP or UDP",
    ],
  ],
])("faults are reported with path and fix: %s", (_, value, found) => {
  expect(faults(value)).toEqual(found);
});

test("an unknown value is not a fault, and its path is listed", () => {
  const value: PropertyValue = [{ name: UNKNOWN, port: UNKNOWN, protocol: "TCP" }, UNKNOWN];
  expect(judgeShape(rules, { path: "rules", value })).toEqual({
    faults: [],
    unknown: ["rules[0].name", "rules[0].port", "rules[1]"],
  });
});

test("an input that decides which resources exist may not be an Output", () => {
  expect(inputFaults({ enabled: plainSwitch }, { enabled: UNKNOWN })).toMatchObject([
    { path: "enabled", problem: "is an Output" },
  ]);
  expect(inputFaults({ enabled: plainSwitch }, { enabled: true })).toEqual([]);
});

test("a patch may omit required properties, except in entries of a list", () => {
  const reading = { isBuiltIn: true, isPatch: true };
  expect(judgeShape(rule, { path: "spec", value: {} }, reading).faults).toEqual([]);
  expect(judgeShape(rules, { path: "spec.rules", value: [{}] }, reading).faults).toMatchObject([
    { path: "spec.rules[0].name", problem: "missing" },
    { path: "spec.rules[0].protocol", problem: "missing" },
  ]);
});

test("in built-in Kubernetes kinds a null entry is the zero value", () => {
  const reading = { isBuiltIn: true, isPatch: false };
  const numbers = list(number({ range: { min: 1, max: 9 } }));
  expect(judgeShape(numbers, { path: "numbers", value: [null] }, reading).faults).toMatchObject([
    { path: "numbers[0]", problem: "0 is not from 1 to 9" },
  ]);
});

test("a repeated entry is reported where it occurs again", () => {
  const names = list(labelName, { once: onceEach });
  expect(shapeFaults(names, { path: "names", value: ["a", "b", "a", UNKNOWN, UNKNOWN] })).toEqual([
    { path: "names[2]", problem: '"a" is also names[0]', remedy: "remove one of the two" },
  ]);
});

test("entries of a map are checked with their keys", () => {
  const shape = byKey(text(), {
    keyFaults: (path, key) =>
      key === key.toLowerCase() ? [] : [{ path, problem: "has capitals", remedy: "write small letters" }],
  });
  expect(shapeFaults(shape, { path: "tags", value: { A: "x", b: 1, c: null } })).toMatchObject([
    { path: "tags.A", problem: "has capitals" },
    { path: "tags.b", problem: "1 is not a string" },
    { path: "tags.c", problem: "missing" },
  ]);
});

test("faults of an object have its own paths instead of those of the inputs", () => {
  const nameOf = (input: string) => `spec.${input}`;
  expect(inputFaults({ ports: list(port) }, { ports: [0] }, nameOf)).toMatchObject([
    { path: "spec.ports[0]" },
  ]);
});

describe("values with rows in a table", () => {
  const shape = tableShape([
    { path: "spec.ranges", type: "list", size: { min: 1, max: 2 } },
    { path: "spec.ranges[].cidr", type: "text", required: true },
    { path: "spec.access.port", type: "number", range: { min: 1, max: 9 } },
  ]);
  const judge = (spec: PropertyValue, isPatch = false) =>
    judgeShape(shape, { path: "", value: { spec } }, { isBuiltIn: false, isPatch });

  test.each<[string, PropertyValue, string[]]>([
    [
      "may be valid, next to values without a row",
      { ranges: [{ cidr: "a", other: 1 }], access: { port: 1 }, other: 1 },
      [],
    ],
    ["may be absent, or have empty or other values on their path", { access: "text", ranges: [7, null] }, []],
    ["may be required in an entry", { ranges: [{}] }, ["spec.ranges[0].cidr missing"]],
    ["are not shown if they have another type", { ranges: "secret" }, ["spec.ranges is not a list"]],
    [
      "have all faults reported at once",
      { ranges: [], access: { port: 10 } },
      ["spec.ranges is empty", "spec.access.port 10 is not from 1 to 9"],
    ],
  ])("%s", (_, spec, found) => {
    expect(judge(spec).faults.map(({ path, problem }) => `${path} ${problem}`)).toEqual(found);
  });

  test("may be omitted in a patch, even if required", () => {
    expect(judge({ ranges: [{}] }, true).faults).toEqual([]);
  });

  test("are listed as unknown, but values around them are not", () => {
    expect(judge({ ranges: UNKNOWN, access: UNKNOWN }).unknown).toEqual(["spec.ranges"]);
    expect(judge({ ranges: [{ cidr: UNKNOWN }, UNKNOWN] }).unknown).toEqual(["spec.ranges[0].cidr"]);
    expect(judge(UNKNOWN)).toEqual({ faults: [], unknown: [] });
  });
});

describe("the shown value of a table's field", () => {
  const table = tableShape([
    { path: "port", type: "number" },
    { path: "isOpen", type: "flag" },
    { path: "text", type: "text" },
  ]);
  const problems = (value: PropertyValue) =>
    shapeFaults(table, { path: "spec", value }).map(({ path, problem }) => `${path} ${problem}`);

  it.each<[PropertyValue, string[]]>([
    [{ port: "6443" }, ['spec.port "6443" is not a whole number']],
    [{ port: 1.5 }, ["spec.port 1.5 is not a whole number"]],
    [{ isOpen: "true" }, ['spec.isOpen "true" is neither true nor false']],
    [{ port: 6443, isOpen: true }, []],
    [{ port: UNKNOWN, isOpen: UNKNOWN }, []],
    // These may be secrets in the wrong place.
    [{ port: "hunter2" }, ["spec.port is not a whole number"]],
    [{ text: 6443 }, ["spec.text is not a string"]],
  ])("%p", (value, expected) => {
    expect(problems(value)).toEqual(expected);
  });
});
