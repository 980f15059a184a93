import type { CST, Document, Lexer, LineCounter as Lines } from "yaml";
import { DEEPEST } from "../collections";
import { stepsAlong } from "../resources/read";

const OPTIONS = {
  // The meaning of scalars, equal keys and merges follow kubectl: see yamlValue.ts.
  schema: "failsafe",
  resolveKnownTags: false,
  uniqueKeys: false,
  // Without code frames, because they would show values.
  prettyErrors: false,
  logLevel: "error",
} as const;

/** The documents of a text as trees with positions. */
export interface YamlTrees {
  documents: Document[];
  lines: Lines;
  /** True if the text is nested too deeply, so that nothing was composed from it. */
  tooDeep: boolean;
}

/** Parses YAML as `parseAllDocuments` does, but checks the depth first. */
export function yamlTrees(text: string): YamlTrees {
  const { Composer, LineCounter, Parser } = yaml();
  const lines = new LineCounter();
  const parser = new Parser(lines.addNewLine);
  Object.assign(parser, { lexer: new (kubectlLexer())() });
  const tokens = [...parser.parse(withNewlines(text))];
  if (isDeeperThan(DEEPEST, tokens)) return { documents: [], lines, tooDeep: true };
  return { documents: [...new Composer(OPTIONS).compose(tokens)], lines, tooDeep: false };
}

/** Replaces the other line breaks of YAML 1.1. */
const withNewlines = (text: string): string =>
  /[\r\u0085]/.test(text) ? text.replace(/\r(?!\n)|\u0085/g, "\n") : text;

/** Private members of the lexer. */
interface Indented {
  indentNext: number;
  parseQuotedScalar(): Generator<string, unknown, unknown>;
  parseFlowCollection(): Generator<string, unknown, unknown>;
}

let made: (new () => Lexer) | undefined;

/** A lexer that, like libyaml, requires no indentation for lines between quotes and brackets. */
function kubectlLexer(): new () => Lexer {
  if (made) return made;
  class KubectlLexer extends yaml().Lexer {}
  const own = KubectlLexer.prototype as unknown as Indented;
  for (const parse of ["parseQuotedScalar", "parseFlowCollection"] as const) {
    const strict = own[parse] as Indented[typeof parse] | undefined;
    // A version of `yaml` without the method stays strict.
    if (strict === undefined) continue;
    own[parse] = function* (this: Indented) {
      const { indentNext } = this;
      this.indentNext = 0;
      try {
        return yield* strict.call(this);
      } finally {
        this.indentNext = indentNext;
      }
    };
  }
  return (made = KubectlLexer);
}

function isDeeperThan(limit: number, tokens: readonly CST.Token[]): boolean {
  const open: { token: CST.Token; depth: number }[] = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = open.pop(); next; next = open.pop()) {
    if (next.depth > limit) return true;
    const depth = next.depth + 1;
    for (const token of partsOf(next.token)) open.push({ token, depth });
  }
  return false;
}

function partsOf(token: CST.Token): CST.Token[] {
  const items = "items" in token ? (token.items as CST.CollectionItem[]) : [];
  const own = "value" in token ? [token.value] : [];
  return [...own, ...items.flatMap(({ key, value }) => [key, value])].filter(
    (part): part is CST.Token => typeof part === "object" && part !== null,
  );
}

/** The `yaml` package, loaded on first use: that takes twenty milliseconds, and plans are JSON. */
export function yaml(): typeof import("yaml") {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it with this file
  return require("yaml") as typeof import("yaml");
}

/** The line on which a value begins, and the lines of the values in it. Much smaller than the parser's tree. */
export interface Positions {
  /** From 1, counted in the text that was parsed. */
  line: number;
  inside?: ReadonlyMap<string, Positions> | readonly Positions[];
}

/** The line of the value at a path, or of what would contain it. */
export function lineAt(positions: Positions, path: string): number {
  let place = positions;
  for (const step of stepsAlong(path)) {
    const { inside } = place;
    const next = inside && ("get" in inside ? inside.get(step) : inside[Number(step)]);
    if (!next) break;
    place = next;
  }
  return place.line;
}

/** The meaning of a text without quotes to kubectl, with the tag that go-yaml gives it. */
export interface MeantScalar {
  tag: "null" | "bool" | "int" | "float" | "str";
  value: null | boolean | number | string;
  /** Its text as the key of an object; absent if it cannot be a key. */
  key?: string;
}

const words: readonly (readonly [value: null | boolean | number, tag: MeantScalar["tag"], texts: string])[] =
  [
    [true, "bool", "y Y yes Yes YES true True TRUE on On ON"],
    [false, "bool", "n N no No NO false False FALSE off Off OFF"],
    [null, "null", "~ null Null NULL"],
    [Number.NaN, "float", ".nan .NaN .NAN"],
    [Number.POSITIVE_INFINITY, "float", ".inf .Inf .INF +.inf +.Inf +.INF"],
    [Number.NEGATIVE_INFINITY, "float", "-.inf -.Inf -.INF"],
  ];

const FLOAT_KEYS: ReadonlyMap<number, string> = new Map([
  [Number.NaN, ".nan"],
  [Number.POSITIVE_INFINITY, ".inf"],
  [Number.NEGATIVE_INFINITY, "-.inf"],
]);

const NOTHING: MeantScalar = { tag: "null", value: null };

const meanings: ReadonlyMap<string, MeantScalar> = new Map([
  ["", NOTHING],
  ...words.flatMap(([value, tag, texts]) =>
    texts.split(" ").map((text): [string, MeantScalar] => [text, withKey(tag, value)]),
  ),
]);

function withKey(tag: MeantScalar["tag"], value: MeantScalar["value"]): MeantScalar {
  if (value === null) return { tag, value };
  return { tag, value, key: typeof value === "number" ? FLOAT_KEYS.get(value)! : String(value) };
}

/**
 * The meaning of a text without quotes and tag, as sigs.k8s.io/yaml reads it: words of YAML 1.1 and numbers of Go. The base-60
 * numbers of YAML 1.1 and dates stay texts.
 */
export function meaningOf(text: string): MeantScalar {
  const known = meanings.get(text);
  if (known) return known;
  return /^[-+.\d]/.test(text) ? (numberIn(text) ?? textOf(text)) : textOf(text);
}

/** A text that means itself. */
export const textOf = (text: string): MeantScalar => ({ tag: "str", value: text, key: text });

function numberIn(text: string): MeantScalar | undefined {
  if (text.startsWith(".")) return POINT.test(text) ? float(Number(text.replaceAll("_", ""))) : undefined;
  const plain = text.replaceAll("_", "");
  return integer(plain) ?? (FLOAT.test(plain) ? float(Number(plain)) : undefined) ?? signedBits(plain);
}

const INTEGER = /^([-+]?)(0[xX][\da-fA-F]+|0[bB][01]+|0[oO][0-7]+|0[0-7]*|[1-9]\d*)$/;
/** Go itself parses these numbers, and accepts underscores between digits. */
const POINT = /^\.\d+(_\d+)*([eE][-+]?\d+(_\d+)*)?$/;
const FLOAT = /^[-+]?(\.\d+|\d+(\.\d*)?)([eE][-+]?\d+)?$/;
/** Limits of signed and unsigned 64-bit integers. */
const LEAST = -(2n ** 63n);
const MOST = 2n ** 63n - 1n;
const MOST_UNSIGNED = 2n ** 64n - 1n;

function integer(plain: string): MeantScalar | undefined {
  const [, sign, digits] = INTEGER.exec(plain) ?? [];
  if (digits === undefined) return undefined;
  const amount = BigInt(/^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits);
  const value = sign === "-" ? -amount : amount;
  if (value >= LEAST && value <= MOST) return { tag: "int", value: Number(value), key: String(value) };
  return sign === "" && value <= MOST_UNSIGNED ? { tag: "int", value: Number(value) } : undefined;
}

/** `0b-1`: a quirk of go-yaml. */
function signedBits(plain: string): MeantScalar | undefined {
  const [, sign, bits] = /^0b([-+])([01]+)$/.exec(plain) ?? [];
  return bits === undefined ? undefined : integer(`${sign}0b${bits}`);
}

/** A number that is too large for a float stays a text. */
const float = (value: number): MeantScalar | undefined =>
  Number.isFinite(value) ? { tag: "float", value, key: floatKey(value) } : undefined;

/** The shortest text of a 32-bit float, as Go writes it. */
function floatKey(value: number): string {
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return FLOAT_KEYS.get(single)!;
  if (single === 0) return Object.is(single, -0) ? "-0" : "0";
  const digits = Array.from({ length: 9 }, (_, more) => single.toExponential(more));
  const [mantissa, power] = digits.find((text) => Math.fround(Number(text)) === single)!.split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 6) return decimal(mantissa!, exponent);
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}

function decimal(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith("-") ? "-" : "";
  const digits = mantissa.replace(/\D/g, "");
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const rest = digits.slice(exponent + 1);
  return rest === "" ? `${sign}${whole}` : `${sign}${whole}.${rest}`;
}
