import { plainDocument } from "../../src/plan/plainYaml";
import { readJsonPart, readPart, yamlParts } from "../../src/plan/yamlDocuments";

const read = (text: string, line = 1) => readPart({ text, line }, "a.yaml");
const fault = (text: string, line = 1) => read(text, line).map((one) => one.fault);

describe("a file is split where documents start", () => {
  test.each<[what: string, text: string, parts: [text: string, line: number][]]>([
    ["an empty file", "", [["", 1]]],
    ["one document", "a: 1\n", [["a: 1\n", 1]]],
    ["one document after a marker", "---\na: 1\n", [["---\na: 1\n", 1]]],
    [
      "two documents",
      "a: 1\n---\nb: 2\n",
      [
        ["a: 1\n", 1],
        ["---\nb: 2\n", 2],
      ],
    ],
    [
      "markers with text after them, and a marker at the end",
      "a: 50%\n--- # b\n\n---\tc\n---",
      [
        ["a: 50%\n", 1],
        ["--- # b\n\n", 2],
        ["---\tc\n", 4],
        ["---", 5],
      ],
    ],
    [
      "Windows line ends",
      "a: 1\r\n---\r\nb: 2\r\n",
      [
        ["a: 1\r\n", 1],
        ["---\r\nb: 2\r\n", 2],
      ],
    ],
    [
      "no split at dashes within lines or words",
      "a: |\n  ---\nb: ---\n---c\n ---\n",
      [["a: |\n  ---\nb: ---\n---c\n ---\n", 1]],
    ],
    [
      "directives, which stay with their document",
      "# a\n%YAML 1.1\n---\na: 1\n---\nb: 2\n%\n---\nc: 3\n",
      [
        ["# a\n%YAML 1.1\n---\na: 1\n", 1],
        ["---\nb: 2\n%\n", 5],
        ["---\nc: 3\n", 8],
      ],
    ],
    [
      "no split at other line ends, where kubectl does not split either",
      "a: 1\r---\rb: 2\n---\rc: 3\u0085---\u0085d: 4\n",
      [["a: 1\r---\rb: 2\n---\rc: 3\u0085---\u0085d: 4\n", 1]],
    ],
  ])("%s", (_, text, parts) => {
    expect(yamlParts(text)).toEqual(parts.map(([part, line]) => ({ text: part, line })));
    expect(parts.map(([part]) => part).join("")).toBe(text);
  });
});

test("comments in front of a document are searched for directives in linear time", () => {
  expect(yamlParts(`${"# a\r\n".repeat(10_000)}---\r\na: 1\r\n`)).toHaveLength(2);
});

describe("a part of a file", () => {
  test.each([
    ["by the plain reader", ""],
    ["by the tree reader", "\t"],
  ])("has the lines of the file if it is read %s", (_, tab) => {
    const [document] = read(`---\nkind: A # ${tab}\nspec:\n  a: [1,\n    2]\n`, 11);
    const lines = ["", "kind", "spec", "spec.a", "spec.a[1]", "spec.b"].map(
      (path) => document?.fault ?? document!.lineOf(path),
    );
    expect(lines).toEqual([12, 12, 14, 14, 15, 14]);
  });

  test.each(['{\n\n"a": 1, "b": [\n2]}', '{\n\n\t"a": 1, "b": [\n2]}'])(
    "of JSON has the lines of the file: %j",
    (text) => {
      const { value, repeated, document, lineOf } = readJsonPart({ text, line: 11 }, { b: [3] });
      expect([value, repeated, document]).toEqual([{ b: [3] }, [], 0]);
      expect(["", "a", "b[0]"].map(lineOf)).toEqual([11, 13, 14]);
    },
  );

  test("of JSON records equal keys", () => {
    const { repeated } = readJsonPart(
      { text: '{"a": {"b": 1, "b": 2},\n"c": [{"d": 1, "d": 2}]}', line: 1 },
      {},
    );
    expect(repeated).toEqual(["a.b", "c[0].d"]);
  });

  test("of YAML records equal keys, whatever characters they contain", () => {
    const [document] = read('a:\n- {b: 1, b: 2}\n"c.d": {"": 1, "": 2}\n1: x\n0x1: y\n');
    expect(document).toMatchObject({ repeated: ["a[0].b", '["c.d"][""]', "1"] });
  });

  test("is one document if only comments follow it", () => {
    expect(fault("a: 1\n...\n# the end\n")).toEqual([undefined]);
    expect(fault("a: 1\n...\nb: 2\n", 5)).toEqual([
      undefined,
      {
        file: "a.yaml",
        line: 7,
        problem: "is a document that kubectl skips, because it does not begin with ---",
        remedy: "write --- above it",
      },
    ]);
  });

  test.each([
    ["carriage returns", "a: 1\r---\rb: 2\r", 7],
    ["next line characters", "a: 1\u0085---\u0085b: 2\u0085", 7],
    ["a carriage return behind ---", "a: 1\n---\rb: 2\n", 7],
  ])("has a second document that kubectl skips, after %s", (_, text, line) => {
    expect(fault(text, 5)).toEqual([
      undefined,
      {
        file: "a.yaml",
        line,
        problem: "is a document that kubectl skips, because its --- is not between line feeds",
        remedy: "end lines with line feeds",
      },
    ]);
    expect(fault(text.replace("b: 2", "# b"))).toEqual([undefined, undefined]);
  });

  test("of a file loses the byte order mark below its ---, and keeps its lines", () => {
    const [, document] = yamlParts("a: 1\n--- # c\n\ufeffb: 2\n").flatMap((part) => readPart(part, "a.yaml"));
    expect([document!.value, document!.fault ?? document!.lineOf("b")]).toEqual([{ b: 2 }, 3]);
  });

  test("has at most 32 MiB of YAML", () => {
    const most = 32 * 1024 * 1024;
    const comment = (length: number) => `#${"x".repeat(length - 1)}`;
    expect(fault(comment(most))).toEqual([undefined]);
    expect(fault(comment(most + 1), 3)).toEqual([
      { file: "a.yaml", line: 3, problem: "is a document of more than 32 MiB of YAML", remedy: "split it" },
    ]);
  });
});

describe("levels of YAML", () => {
  const tooDeep = { problem: "is nested more than 500 levels deep", remedy: "write it flatter" };
  const nested = (levels: number, inside = "") => `${"[".repeat(levels)}${inside}${"]".repeat(levels)}`;

  test("are limited to 500", () => {
    expect(fault(nested(500))).toEqual([undefined]);
    expect(fault(nested(501), 7)).toEqual([{ file: "a.yaml", line: 7, ...tooDeep }]);
    expect(fault("- ".repeat(501), 7)).toEqual([{ file: "a.yaml", line: 7, ...tooDeep }]);
    expect(fault(`${'{"a": '.repeat(501)}1${"}".repeat(501)}`)).toEqual([
      { file: "a.yaml", line: 1, ...tooDeep },
    ]);
  });

  test("include the levels of aliased values", () => {
    const text = (levels: number) => `\na: &a ${nested(300)}\nb: ${nested(levels, "*a")}\n`;
    expect(fault(text(199))).toEqual([undefined]);
    expect(fault(text(200), 7)).toEqual([{ file: "a.yaml", line: 8, column: 1, ...tooDeep }]);
  });
});

describe("values that come from aliases", () => {
  const bomb = (line: number, column: number) => [
    {
      file: "a.yaml",
      line,
      column,
      problem: "has aliases that expand to more than can be read",
      remedy: "write the values out",
    },
  ];
  // A list of 99 strings counts as 100 values, and so does a map of 49 entries with its keys.
  const list = `[${Array(99).fill("x").join()}]`;
  const map = `{${Array.from({ length: 49 }, (_, n) => `k${n}: x`).join()}}`;

  test.each([
    ["lists", `a: &a ${list}`],
    ["lists in lists", `a: &a [${list.replace("x,", "")}]`],
    ["maps", `a: &a ${map.replace("}", ", l: x}").replace("k0: x,", "")}`],
  ])("are limited to 100,000: %s", (_, first) => {
    const weight = first.includes("{") ? 99 : 100;
    const most = Math.floor(100_000 / weight);
    const text = (count: number) => `${first}\nb:\n${"- *a\n".repeat(count)}`;
    expect(fault(text(most))).toEqual([undefined]);
    expect(fault(text(most + 1))).toEqual(bomb(most + 3, 3));
  });

  test.each([
    ["merges", (before: string) => `{${Array(10).fill(`<<: *${before}`).join()}}`],
    ["lists of merges", (before: string) => `{<<: [${Array(10).fill(`*${before}`).join()}]}`],
    ["merges of maps with merges", (before: string) => `{<<: {${Array(10).fill(`<<: *${before}`).join()}}}`],
  ])("are also counted in %s", (_, line) => {
    const lines = [..."bcdefgh"].map((name, n) => `${name}: &${name} ${line("abcdefg"[n]!)}`);
    expect(fault(`a: &a ${map}\n${lines.join("\n")}\n`)).toMatchObject([{ problem: bomb(1, 1)[0]!.problem }]);
    expect(fault(`a: &a ${map}\n${lines.slice(0, 2).join("\n")}\n`)).toEqual([undefined]);
  });
});

describe("a fault of YAML", () => {
  const TREE = "# \t, for which a tree is made\n";

  test.each<[text: string, column: number | undefined, problem: string, remedy: string]>([
    ["!!int b: 1", 7, "has a value that does not match its tag", "leave the tag out"],
    ["? [a]\n: 1", 3, "has a key that is a map or a list", "write a string"],
    [
      "a: {b:}",
      5,
      "has a string between brackets that YAML 1.1 and YAML 1.2 read differently",
      "write it in quotes",
    ],
    [
      "a: {b:[c]}",
      5,
      "has a string between brackets that YAML 1.1 and YAML 1.2 read differently",
      "write it in quotes",
    ],
    [
      "a: [?b]",
      5,
      "has a string between brackets that YAML 1.1 and YAML 1.2 read differently",
      "write it in quotes",
    ],
    [
      "a: [:b]",
      5,
      "has a string between brackets that YAML 1.1 and YAML 1.2 read differently",
      "write it in quotes",
    ],
    [
      "a: {b: :c}",
      8,
      "has a string between brackets that YAML 1.1 and YAML 1.2 read differently",
      "write it in quotes",
    ],
    ["a: &a [*a]", 8, "has an alias inside the value that it refers to", "write the values out"],
    [
      "a: -.inf",
      4,
      "has a number that JSON cannot represent",
      "write it in quotes, or write a finite number",
    ],
    ["a: !!binary a b", 13, "has a value that does not match its tag", "leave the tag out"],
    ["a: !!null 7", 11, "has a value that does not match its tag", "leave the tag out"],
    ["a: !!float yes", 12, "has a value that does not match its tag", "leave the tag out"],
    ["a: }} b: {{", 4, "is not YAML (Unexpected flow-map-end token in YAML stream)", "check this place"],
    ["{{ a }}", 2, "is a template, not YAML", "render the chart first: helm template"],
    ["a: }}{{", 4, "is not YAML (Unexpected flow-map-end token in YAML stream)", "check this place"],
  ])("is reported with its position for %j", (text, column, problem, remedy) => {
    const place = { file: "a.yaml", line: 12, ...(column !== undefined && { column }) };
    expect(fault(`${TREE}${text}\n`, 11)[0]).toEqual({ ...place, problem, remedy });
    expect(fault(`# no tab\n${text}\n`, 11)[0]).toEqual({ ...place, problem, remedy });
  });

  test.each([
    ["a: !!binary |\n  aGVs\n  bG8=\n", { a: "hello" }],
    ["a: !!float 3\nb: !!str 7\n? c\n: 1\n", { a: 3, b: "7", c: 1 }],
    ["a: {b: c:d, ?: 1}\n", undefined],
    ["a: {<<: {b: 1, c: 2}, b: 3}\n", { a: { b: 3, c: 2 } }],
    ["a: {b: 3, <<: {b: 1}}\n", { a: { b: 1 } }],
    ["a: {<<: &x {b: 1}, c: *x}\n", { a: { b: 1, c: { b: 1 } } }],
  ])("is absent where a value is read: %j", (text, value) => {
    const [document] = read(TREE + text);
    expect(document?.fault ? undefined : document?.value).toEqual(value);
  });
});

test.each<[text: string, isPlain: boolean]>([
  ["a: 1\n", true],
  ["# nothing above\n---\n- a\n- b: c\n", true],
  ["a:\nb:\n  - c\n", true],
  ["{a: [b, {c: d}], \"e\": 'f'}\n", true],
  ["a: |\n  b\nc: >-\n  d\n", true],
  ["a: b:c\nd: -e\n", true],
  ["a: 1\nb: 2\n---\n", false],
  ["a text\n", false],
  ["", false],
  ["a: 1\na: 2\n", false],
  ["__proto__: 1\n", false],
  ["~: 1\n", false],
  ["a: .nan\n", false],
  ["[a]: b\n", false],
  ["a: {b: }\n", false],
  ["a: [b, ]\n- ", false],
  ["-\n- a\n", false],
  ["a: {b:[c]}\n", false],
  ["a: ?b\n", false],
  ["a: *b\n", false],
  ["a: &b c\n", false],
  ["a: !!str 1\n", false],
  ["<<: {a: 1}\n", false],
  ["a:\tb\n", false],
  ["a: b\r\n", false],
  ["\ufeffa: b\n", false],
  ["a: b\n...\n", false],
  [`${"k".repeat(999)}: 1\n`, true],
  [`${"k".repeat(1000)}: 1\n`, false],
  ['"a\n  b": 1\n', false],
  ["a: 'b\n", false],
  [`${"[".repeat(99)}${"]".repeat(99)}\n`, true],
  [`${"[".repeat(120)}${"]".repeat(120)}\n`, false],
])("%j is read by the plain reader: %p", (text, isPlain) => {
  expect(plainDocument(text) !== undefined).toBe(isPlain);
});
