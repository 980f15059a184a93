import { DEEPEST } from "../../src/collections";
import { endOfJson, jsonParts, parseJson } from "../../src/plan/parseJson";
import { JsonBytes } from "../../src/plan/scan/jsonBytes";

/** JSON texts with every notation that a writer may use. */
const good = [
  '{"steps": [{"op": "create", "urn": "a"}, {}], "more": {"a": [[], [1, 2]]}}',
  "[0, -0, 10, 1.5, -0.25, 1e5, 1E+05, 2e-3, 0e0, 12.50E9]",
  "[true, false, null]",
  '["", "\\"", "\\\\", "\\/\\b\\f\\n\\r\\t", "\\u00e9\\uABCDx", "é😀", "\\\\\\"}"]',
  '\t{\r\n "a"\t:\n\n[ ]\r,  "b" : { } }\n',
  '"a text alone"',
  ' {"a":{"b":{"c":[{"d":[{}]}]}}} ',
];

describe("the position where JSON stops", () => {
  test.each(good)("is that of an invalid byte, wherever it is inserted: %j", (text) => {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at++) {
      const broken = Buffer.from(bytes);
      broken[at] = 1;
      const isWhole = isJson(bytes.toString("utf8", 0, at));
      expect([at, endOfJson(broken)]).toEqual([at, { at, isWhole, ...(!isWhole && { isTooDeep: false }) }]);
    }
    expect(endOfJson(bytes)).toEqual({ at: bytes.length, isWhole: true });
  });

  test.each(good)("is the end of a text that is cut off: %j", (text) => {
    const bytes = Buffer.from(text);
    for (let length = 0; length < bytes.length; length++) {
      const { at, isWhole } = endOfJson(bytes.subarray(0, length));
      expect([length, at, isWhole]).toEqual([length, length, isJson(bytes.toString("utf8", 0, length))]);
    }
  });

  test.each<[text: string, at: number]>([
    ['{"a": 1,}', 8],
    ["[1,]", 3],
    ["[,1]", 1],
    ["[1 2]", 3],
    ['{"a" 1}', 5],
    ['{"a":}', 5],
    ["{a: 1}", 1],
    ["{'a': 1}", 1],
    ['{"a": 1 "b": 2}', 8],
    ["[1}", 2],
    ['{"a": 1]', 7],
    ["[01]", 2],
    ["[-]", 2],
    ["[+1]", 1],
    ["[.5]", 1],
    ["[1.]", 3],
    ["[1e]", 3],
    ["[1e+]", 4],
    ["[1e-x]", 4],
    ["[0x10]", 2],
    ["[NaN]", 1],
    ["[nul]", 4],
    ["[trux]", 4],
    ["[True]", 1],
    ["[falsE]", 5],
    ['"a\n"', 2],
    ['"\\x41"', 2],
    ['"\\u12g4"', 5],
    ['"\\u 123"', 3],
    ['"\\u00/0"', 5],
    ['"\\u00:0"', 5],
    ['"\\u00@0"', 5],
    ['"\\u00`0"', 5],
    ["\u00a0{}", 0],
    ["\ufeff{}", 0],
    ["\v1", 0],
    ["// a\n{}", 0],
  ])("is in %j at byte %p", (text, at) => {
    expect(endOfJson(Buffer.from(text))).toEqual({ at, isWhole: false, isTooDeep: false });
  });

  test("is after white space of any kind and length", () => {
    for (let count = 0; count <= 40; count++)
      for (const space of [" ", "\n", "\t", "\r\n", " \n"]) {
        const spaces = space.repeat(count);
        const text = ["", "{", '"a"', ":", "[", "1", ",", "2", "]", "}", ""].join(spaces);
        expect(endOfJson(Buffer.from(text))).toEqual({ at: text.length, isWhole: true });
        const broken = `[1${spaces}x`;
        expect(endOfJson(Buffer.from(broken)).at).toBe(broken.length - 1);
        expect(endOfJson(Buffer.from(spaces))).toEqual({
          at: spaces.length,
          isWhole: false,
          isTooDeep: false,
        });
      }
  });

  test.each([
    ["lists", "[", "]", ""],
    ["objects", '{"a":', "}", "1"],
  ])("is at %s that are nested too deeply", (_, open, close, inside) => {
    const nested = (levels: number) =>
      Buffer.from(`${open.repeat(levels)}${inside || "[]"}${close.repeat(levels)}`);
    expect(endOfJson(nested(DEEPEST))).toEqual({ at: nested(DEEPEST).length, isWhole: true });
    const deepest = open.length * DEEPEST;
    expect(endOfJson(nested(DEEPEST + 1))).toEqual({ at: deepest, isWhole: false, isTooDeep: true });
    expect(parseJson(nested(DEEPEST + 1), "a.json")).toEqual({
      fault: {
        file: "a.json",
        line: 1,
        column: deepest + 1,
        problem: `is nested more than ${DEEPEST} levels deep`,
        remedy: "write it flatter",
      },
      isFollowed: false,
    });
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe("bytes of JSON", () => {
  const over = (text: string) => {
    const json = new JsonBytes(Buffer.from(text));
    return { json, to: json.afterValue(0) };
  };

  test.each([
    ['"a"', false],
    ['"\\n"', true],
    ['"\\u0041"', true],
    ['"a\\\\"', true],
    ['"é"', false],
    ['""', false],
  ])("%s has an escape: %p", (text, expected) => {
    expect(over(text).json.hasEscape(0)).toBe(expected);
  });

  test("have no escape in a string after one that has an escape", () => {
    const json = new JsonBytes(Buffer.from('"\\n""a"'));
    const second = json.afterText(0);
    json.afterText(second);
    expect([json.hasEscape(0), json.hasEscape(second)]).toEqual([true, false]);
  });

  test.each([
    ['"[secret]"', true],
    ['"[secreT]"', true],
    ['"[secret"', false],
    ['"[secret]]"', false],
    ['"secret"', false],
    ['["a", "[secret]", "b"]', true],
    ['{"4dabf18193072939515e22adb298388d": 1}', true],
    ['{"4dabf18193072939515e22adb298388": 1}', false],
    ['{"a": "\\u005bsecret]"}', true],
    ['{"a": "\\n"}', false],
    ['{"a": "b"}', false],
  ])("%s may hold a secret: %p", (text, expected) => {
    expect(over(text).json.mayHoldSecret(0)).toBe(expected);
  });

  test("hold no secret after a value that may hold one", () => {
    const json = new JsonBytes(Buffer.from('"[secret]"["a"]'));
    const second = json.afterValue(0);
    json.afterValue(second);
    expect([json.mayHoldSecret(0), json.mayHoldSecret(second)]).toEqual([true, false]);
  });

  test.each<[string, boolean]>([
    ["{}", true],
    ["[]", true],
    ["[ \n          ]", true],
    ["[0]", false],
    ['{"a":1}', false],
    ["[[]]", false],
  ])("%j is empty: %p", (text, expected) => {
    const { json, to } = over(text);
    expect(json.isEmpty({ from: 0, to })).toBe(expected);
  });

  test.each(['"é"', '"a"', '"\\u00e9\\n"', '{"é": "😀"}', "[1, null]", "true", "-1.5"])(
    "are parsed as by JSON.parse: %s",
    (text) => {
      const { json, to } = over(text);
      expect(json.parsed({ from: 0, to })).toEqual(JSON.parse(text));
      const ascii = new JsonBytes(Buffer.from(`${text}\n"é"`));
      expect(ascii.parsed({ from: 0, to })).toEqual(JSON.parse(text));
    },
  );
});

describe("several JSON values, one after the other:", () => {
  const parts = (text: string) =>
    jsonParts(Buffer.from(text))?.map(({ value, bytes, line }) => [value, bytes.toString(), line]);

  test.each<[string, unknown]>([
    [
      '{"a":1}\n{"a":\n2}\n\n [3]\n',
      [
        [{ a: 1 }, '{"a":1}', 1],
        [{ a: 2 }, '{"a":\n2}', 2],
        [[3], "[3]", 5],
      ],
    ],
    [
      '\n{}"é"',
      [
        [{}, "{}", 2],
        ["é", '"é"', 2],
      ],
    ],
    ["{}", undefined],
    ["", undefined],
    ["{} x", undefined],
    ["{} {", undefined],
    ["x {}", undefined],
  ])("%j", (text, expected) => {
    expect(parts(text)).toEqual(expected);
  });
});
