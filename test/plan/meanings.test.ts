import { lineAt, meaningOf, type MeantScalar } from "../../src/plan/yamlTree";

const NUMBER = 2 ** 63;

describe("an unquoted string has the meaning that Go's YAML reader gives it:", () => {
  test.each<[text: string, tag: MeantScalar["tag"], value: MeantScalar["value"], key: string | undefined]>([
    ["", "null", null, undefined],
    ["~", "null", null, undefined],
    ["NULL", "null", null, undefined],
    ["y", "bool", true, "true"],
    ["Off", "bool", false, "false"],
    ["0", "int", 0, "0"],
    ["-0", "int", 0, "0"],
    ["+7", "int", 7, "7"],
    ["-7", "int", -7, "-7"],
    ["1_000", "int", 1000, "1000"],
    ["0120", "int", 80, "80"],
    ["-017", "int", -15, "-15"],
    ["0o17", "int", 15, "15"],
    ["0x1F", "int", 31, "31"],
    ["-0x1f", "int", -31, "-31"],
    ["0b101", "int", 5, "5"],
    ["0b-101", "int", -5, "-5"],
    ["0b+11", "int", 3, "3"],
    ["9223372036854775807", "int", NUMBER, "9223372036854775807"],
    ["-9223372036854775808", "int", -NUMBER, "-9223372036854775808"],
    ["9223372036854775808", "int", NUMBER, undefined],
    ["18446744073709551615", "int", 2 ** 64, undefined],
    ["18446744073709551616", "float", 2 ** 64, "1.8446744e+19"],
    ["+9223372036854775808", "float", NUMBER, "9.223372e+18"],
    ["-9223372036854775809", "float", -NUMBER, "-9.223372e+18"],
    ["08", "float", 8, "8"],
    ["0.0", "float", 0, "0"],
    ["1.", "float", 1, "1"],
    [".5", "float", 0.5, "0.5"],
    [".5_1", "float", 0.51, "0.51"],
    ["-.5", "float", -0.5, "-0.5"],
    ["12.50", "float", 12.5, "12.5"],
    ["-1200.25", "float", -1200.25, "-1200.25"],
    ["1e0", "float", 1, "1"],
    ["1e5", "float", 100_000, "100000"],
    ["123456.7", "float", 123_456.7, "123456.7"],
    ["1e6", "float", 1_000_000, "1e+06"],
    ["-1.5e10", "float", -1.5e10, "-1.5e+10"],
    ["0.0001", "float", 0.0001, "0.0001"],
    ["0.00012", "float", 0.00012, "0.00012"],
    ["0.00001", "float", 0.00001, "1e-05"],
    ["-0.015", "float", -0.015, "-0.015"],
    ["1e-30", "float", 1e-30, "1e-30"],
    ["1e-60", "float", 1e-60, "0"],
    ["1e39", "float", 1e39, ".inf"],
    ["-1e39", "float", -1e39, "-.inf"],
    [".inf", "float", Infinity, ".inf"],
    ["-.INF", "float", -Infinity, "-.inf"],
    [".NaN", "float", NaN, ".nan"],
  ])("%j is a %s: %p, and as a key %j", (text, tag, value, key) => {
    expect(meaningOf(text)).toEqual({ tag, value, ...(key !== undefined && { key }) });
  });

  test("a negative zero keeps its sign as a key", () => {
    expect(meaningOf("-0.0")).toEqual({ tag: "float", value: -0, key: "-0" });
  });

  test.each([
    ...[
      "yEs",
      "nUll",
      "_1",
      "1e",
      "1.2.3",
      "0x",
      "0b",
      "0b2",
      "0b-",
      "0b-2",
      "0b-12",
      "10b-1",
      "0o8",
      "1e999",
      "-1e999",
    ],
    ...[
      "--1",
      "+-1",
      ".",
      "._5",
      ".5_",
      ".5__1",
      ".5e",
      ".e5",
      "1:30",
      "2001-01-01",
      "10.0.0.0/8",
      "-",
      "+",
      "1 2",
      "a1",
      "x0b-1",
    ],
  ])("%j is a string", (text) => {
    expect(meaningOf(text)).toEqual({ tag: "str", value: text, key: text });
  });
});

test("lineAt returns the line of a value, or of its closest parent if it is absent", () => {
  const positions = {
    line: 1,
    inside: new Map([
      ["a", { line: 2, inside: [{ line: 3 }, { line: 4, inside: new Map([["b.c", { line: 5 }]]) }] }],
      ["0", { line: 6 }],
    ]),
  };
  const lines = ["", "a", "a[0]", "a[0].b", 'a[1]["b.c"]', "a[1].b", "a[2]", "0", "d"].map((path) =>
    lineAt(positions, path),
  );
  expect(lines).toEqual([1, 2, 3, 3, 5, 4, 2, 6, 1]);
});
