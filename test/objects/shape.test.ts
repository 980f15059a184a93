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
  ["right", [{ name: "a", port: 80, protocol: "TCP" }], []],
  ["two properties together", [{ name: "80", protocol: "TCP" }], ["rules[0] is named by a port: name it"]],
  ["absent", null, []],
  ["of another type", "a", ['rules "a" is not a list: write something in it, or leave it out']],
  ["empty", [], ["rules is empty: write something in it, or leave it out"]],
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
])("what is wrong is named at its place with the way out: %s", (_, value, found) => {
  expect(faults(value)).toEqual(found);
});

test("what is not known is no fault, and is counted at its place", () => {
  const value: PropertyValue = [{ name: UNKNOWN, port: UNKNOWN, protocol: "TCP" }, UNKNOWN];
  expect(judgeShape(rules, { path: "rules", value })).toEqual({
    faults: [],
    unknown: ["rules[0].name", "rules[0].port", "rules[1]"],
  });
});

test("what decides which resources there are may not be an Output", () => {
  expect(inputFaults({ enabled: plainSwitch }, { enabled: UNKNOWN })).toMatchObject([
    { path: "enabled", problem: "is an Output" },
  ]);
  expect(inputFaults({ enabled: plainSwitch }, { enabled: true })).toEqual([]);
});

test("a patch may leave out what is demanded, but not in the entries of a list", () => {
  const reading = { isBuiltIn: true, isPatch: true };
  expect(judgeShape(rule, { path: "spec", value: {} }, reading).faults).toEqual([]);
  expect(judgeShape(rules, { path: "spec.rules", value: [{}] }, reading).faults).toMatchObject([
    { path: "spec.rules[0].name", problem: "missing" },
    { path: "spec.rules[0].protocol", problem: "missing" },
  ]);
});

test("in kinds of Kubernetes itself a null entry is the zero value", () => {
  const reading = { isBuiltIn: true, isPatch: false };
  const numbers = list(number({ range: { min: 1, max: 9 } }));
  expect(judgeShape(numbers, { path: "numbers", value: [null] }, reading).faults).toMatchObject([
    { path: "numbers[0]", problem: "0 is not from 1 to 9" },
  ]);
});

test("an entry that stands there once is found where it stands again", () => {
  const names = list(labelName, { once: onceEach });
  expect(shapeFaults(names, { path: "names", value: ["a", "b", "a", UNKNOWN, UNKNOWN] })).toEqual([
    { path: "names[2]", problem: '"a" is also names[0]', remedy: "remove one of the two" },
  ]);
});

test("entries under keys are judged with their keys", () => {
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

test("an object that says the same as inputs has the places of its own", () => {
  const nameOf = (input: string) => `spec.${input}`;
  expect(inputFaults({ ports: list(port) }, { ports: [0] }, nameOf)).toMatchObject([
    { path: "spec.ports[0]" },
  ]);
});

describe("rows of a table", () => {
  const shape = tableShape([
    { path: "spec.ranges", type: "list", size: { min: 1, max: 2 } },
    { path: "spec.ranges[].cidr", type: "text", required: true },
    { path: "spec.access.port", type: "number", range: { min: 1, max: 9 } },
  ]);
  const judge = (spec: PropertyValue, isPatch = false) =>
    judgeShape(shape, { path: "", value: { spec } }, { isBuiltIn: false, isPatch });

  test.each<[string, PropertyValue, string[]]>([
    [
      "right, beside what has no row",
      { ranges: [{ cidr: "a", other: 1 }], access: { port: 1 }, other: 1 },
      [],
    ],
    ["absent, empty and of other types on the way", { access: "text", ranges: [7, null] }, []],
    ["what an entry cannot do without", { ranges: [{}] }, ["spec.ranges[0].cidr missing"]],
    ["of another type, of which nothing is shown", { ranges: "secret" }, ["spec.ranges is not a list"]],
    [
      "several at once",
      { ranges: [], access: { port: 10 } },
      ["spec.ranges is empty", "spec.access.port 10 is not from 1 to 9"],
    ],
  ])("%s", (_, spec, found) => {
    expect(judge(spec).faults.map(({ path, problem }) => `${path} ${problem}`)).toEqual(found);
  });

  test("a patch may leave out what is demanded", () => {
    expect(judge({ ranges: [{}] }, true).faults).toEqual([]);
  });

  test("what is not known is counted where it has a row, and not around that", () => {
    expect(judge({ ranges: UNKNOWN, access: UNKNOWN }).unknown).toEqual(["spec.ranges"]);
    expect(judge({ ranges: [{ cidr: UNKNOWN }, UNKNOWN] }).unknown).toEqual(["spec.ranges[0].cidr"]);
    expect(judge(UNKNOWN)).toEqual({ faults: [], unknown: [] });
  });
});
