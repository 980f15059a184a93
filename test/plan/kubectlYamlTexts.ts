import * as fc from "fast-check";

const words = [
  ..."a yes No on off true null ~ 0120 0o17 0x1f 1_000 1e3 08 .5 +1 -0b11 1:30 2001-01-01 10.0.0.0/8 :: * fd00::/8".split(
    " ",
  ),
  ...["b c", "it's", "a#b", "a:b", "-x", "?x", "99999999999999999999", "1.", "0b-1", ".5_1", "é"],
];
const keys = [
  "a",
  "b",
  "c",
  "yes",
  "on",
  "1",
  "1.5",
  "0x10",
  "a b",
  '"q r"',
  "'s'",
  "<<x",
  '"<<"',
  "1e20",
  "!!str 7",
  "__proto__",
];

interface Style {
  kind: "scalar" | "list" | "map";
  flow: boolean;
}

/** A value with its notation. */
type Written = Style & { text?: string; entries?: readonly Written[]; keys?: readonly string[] };

const scalar: fc.Arbitrary<Written> = fc
  .tuple(fc.constantFrom(...words), fc.constantFrom("plain", "plain", "plain", "double", "single"))
  .map(([word, quotes]) => ({
    kind: "scalar",
    flow: false,
    text:
      quotes === "double"
        ? JSON.stringify(word)
        : quotes === "single"
          ? `'${word.replaceAll("'", "''")}'`
          : word,
  }));

const { value } = fc.letrec<{ value: Written }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    scalar,
    fc
      .tuple(fc.array(tie("value"), { maxLength: 3 }), fc.boolean())
      .map(([entries, flow]): Written => ({ kind: "list", flow, entries })),
    fc
      .tuple(fc.array(fc.tuple(fc.constantFrom(...keys), tie("value")), { maxLength: 3 }), fc.boolean())
      .map(([pairs, flow]): Written => ({
        kind: "map",
        flow,
        keys: pairs.map(([key]) => key),
        entries: pairs.map(([, entry]) => entry),
      })),
  ),
}));

/** A value as YAML; everything inside brackets is in flow notation too. */
function write(
  { kind, flow, text, entries = [], keys: names = [] }: Written,
  indent: string,
  inside: boolean,
): string {
  if (kind === "scalar") return text!;
  if (flow || inside || entries.length === 0) {
    const parts = entries.map((entry, at) => {
      const own = inBrackets(write(entry, indent, true));
      return kind === "list" ? own : `${names[at]!}: ${own}`;
    });
    return kind === "list" ? `[${parts.join(",\t")}]` : `{${parts.join(", ")}\n${indent}}`;
  }
  const deeper = `${indent}  `;
  return entries
    .map((entry, at) => {
      const isBlock = entry.kind !== "scalar" && !entry.flow && (entry.entries?.length ?? 0) > 0;
      const own = write(entry, deeper, false);
      return `\n${indent}${kind === "list" ? "-" : `${names[at]!}:`}${isBlock ? own : ` ${own}`}`;
    })
    .join("");
}

/** YAML 1.1 and YAML 1.2 differ on question marks and colons at the ends of strings between brackets. */
const inBrackets = (text: string): string => (/^[?:]|:$/.test(text) ? JSON.stringify(text) : text);

/** Manifests as people write them: in block and flow notation, with and without quotes, with tabs and line breaks. */
export const goodTexts: fc.Arbitrary<string> = value.map(
  (one) =>
    `apiVersion: v1\nspec:${one.kind === "scalar" || one.flow || !one.entries?.length ? " " : ""}${write(one, "  ", false)}\nend: yes\n`,
);

const pieces = [
  ...[
    "a",
    "b:",
    "c: ",
    "- ",
    "- - ",
    "? ",
    ": ",
    "[",
    "]",
    "{",
    "}",
    ",",
    ", ",
    " ",
    "  ",
    "\t",
    "\n",
    "\n  ",
    "\n    ",
    "\n\t",
    '"',
    "'",
  ],
  ...[
    '"x"',
    "'y'",
    "|",
    "|\n",
    "|-\n",
    "|+\n",
    ">\n",
    ">2\n",
    "#",
    " # c",
    "&x ",
    "*x",
    "<<: ",
    "<<: *x",
    "!!str ",
    "!!int ",
    "!t ",
    "! ",
  ],
  ...[
    "yes",
    "no",
    "0120",
    "1_0",
    "~",
    "null",
    "1e3",
    ".5",
    "0x1F",
    "@",
    "`",
    "%",
    "\\",
    "\\n",
    "\n---\n",
    "\n...\n",
    "key: value",
  ],
  ...[
    "\nk: v",
    "\n- i",
    "é",
    "=",
    "!",
    '""',
    "''",
    "k: [1, 2]",
    "k: {a: b}",
    '"a\n b"',
    "'a\n\n b'",
    "text text",
    "a:b",
    "-",
    "--",
  ],
  ...["?x", ":x", "::", "x#y", "1.5: z", "yes: 1", "\r\n", "a\rb", "\u0085"],
];

const soup = (most: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: most }).map((parts) => parts.join(""));

/** Pieces of YAML in any order: at the top level, in a map, between brackets. */
export const hostileTexts: fc.Arbitrary<string> = fc.oneof(
  soup(12).map((text) => `${text}\n`),
  soup(10).map((text) => `kind: A\n${text}\n`),
  soup(10).map((text) => `kind: A\nspec:\n  a: 1\n  ${text}\n`),
  soup(8).map((text) => `k: [${text}]\nl: 1\n`),
  soup(8).map((text) => `k: {${text}}\nl: 1\n`),
);
