import type { Alias, Document, LineCounter, Node, Pair, Scalar, YAMLMap, YAMLSeq } from "yaml";
import { stepTo } from "../resources/read";
import { yaml, meaningOf, textOf, type MeantScalar, type Positions } from "./yamlTree";

/** What YAML allows but manifests do not have: kubectl rejects it too. */
export type RefusedYaml =
  | "alias-circle"
  | "alias-bomb"
  | "alias-to-nothing"
  | "key"
  | "key-type"
  | "merge"
  | "number"
  | "tag"
  | "flow-text";

/** A refused part and its place. */
export interface YamlRefusal {
  kind: RefusedYaml;
  offset: number;
}

/** A document as plain values. */
export interface YamlContent {
  value: unknown;
  /** Paths of values that override an earlier value under the same key. */
  repeated: readonly string[];
  /** The first part of the document that is refused. */
  refusal?: YamlRefusal;
}

/** The most values that may come from aliases. Each of them is judged, so more would take minutes. */
const MOST_ALIASED = 100_000;

/**
 * Reads a document as kubectl does: with sigs.k8s.io/yaml, which is go-yaml and then JSON.
 *
 * @param text the text that the document was parsed from
 */
export function contentOf({ contents }: Document, text: string): YamlContent {
  const reader = new Reader(text);
  const { value } = reader.node(contents);
  return { value, repeated: reader.repeated, ...(reader.refusal && { refusal: reader.refusal }) };
}

/** The key that a node of a map stands for; undefined if it cannot be a key. */
export const keyOf = (node: unknown): string | undefined =>
  yaml().isScalar(node) ? scalarOf(node)?.key : undefined;

/** A value, and the number of values that it contains, including those of aliases. */
interface Weighed {
  value: unknown;
  weight: number;
}

/** What an anchor stands for; `read` is absent while the reader is inside it. */
interface Anchored {
  isMap: boolean;
  read?: Weighed;
}

type Entries = Record<string, unknown>;

const NOTHING: Weighed = { value: null, weight: 1 };

/** Walks over a document in the order of its text, in which an alias means the last anchor of its name. */
class Reader {
  readonly repeated: string[] = [];
  refusal: YamlRefusal | undefined;
  readonly #anchors = new Map<string, Anchored>();
  readonly #path: (string | number)[] = [];
  #aliased = 0;

  constructor(private readonly text: string) {}

  node(node: unknown): Weighed {
    const { isAlias, isMap, isNode, isScalar, isSeq } = yaml();
    if (this.refusal || !isNode(node)) return NOTHING;
    if (isAlias(node)) return this.#alias(node) ?? NOTHING;
    const anchored: Anchored = { isMap: isMap(node) };
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, anchored);
    const read = isMap(node)
      ? this.#map(node)
      : isSeq(node)
        ? this.#list(node)
        : { value: isScalar(node) ? this.#scalar(node) : null, weight: 1 };
    return (anchored.read = read);
  }

  #scalar(node: Scalar): MeantScalar["value"] {
    const meant = scalarOf(node);
    if (!meant) return this.#refuse("tag", node);
    const isNumber = typeof meant.value === "number";
    return isNumber && !Number.isFinite(meant.value) ? this.#refuse("number", node) : meant.value;
  }

  #list({ items, flow }: YAMLSeq): Weighed {
    let weight = 1;
    const value = items.map((item, position) => {
      if (flow) this.#refuseDoubtful(item);
      const read = this.#inside(position, item);
      weight += read.weight;
      return read.value;
    });
    return { value, weight };
  }

  /** The entries of a map. Unlike in YAML, merged entries override the entries before them. */
  #map({ items, flow }: YAMLMap): Weighed {
    const into: Entries = {};
    let weight = 1;
    const own = new Set<string>();
    const repeated = new Set<string>();
    for (const pair of items) {
      if (flow) {
        this.#refuseDoubtful(pair.key, "key");
        this.#refuseDoubtful(pair.value);
      }
      if (this.refusal) break;
      if (isMerge(pair.key)) weight += this.#merge(pair, into);
      else {
        const key = this.#key(pair);
        if (key === undefined) continue;
        if (own.has(key)) repeated.add(key);
        own.add(key);
        const read = this.#inside(key, pair.value);
        set(into, key, read.value);
        weight += 1 + read.weight;
      }
    }
    for (const key of repeated) this.repeated.push(pathOf([...this.#path, key]));
    return { value: into, weight };
  }

  #key({ key }: Pair): string | undefined {
    const { isAlias, isNode, isScalar } = yaml();
    const read = isAlias(key) ? this.#alias(key) : undefined;
    if (read && typeof read.value !== "object") return meantKey(read.value);
    if (!isScalar(key)) {
      this.#refuse(isAlias(key) && read?.value === null ? "key-type" : "key", isNode(key) ? key : undefined);
      return undefined;
    }
    if (key.anchor !== undefined) this.node(key);
    const meant = scalarOf(key);
    if (!meant) this.#refuse("tag", key);
    else if (meant.key === undefined) this.#refuse("key-type", key);
    return meant?.key;
  }

  #merge({ value }: Pair, into: Entries): number {
    const { isAlias, isMap, isNode, isSeq } = yaml();
    const isList = isSeq(value);
    const from: unknown[] = isList ? value.items : [value];
    const read = from.map((one) => {
      const isEntries = isMap(one) || (isAlias(one) && this.#anchors.get(one.source)?.isMap !== false);
      if (!isEntries) this.#refuse("merge", isNode(one) ? one : isNode(value) ? value : undefined);
      return this.node(one);
    });
    if (this.refusal) return 0;
    // If several maps are merged, the first takes precedence.
    for (const one of [...read].reverse())
      for (const [key, entry] of Object.entries(one.value as Entries)) set(into, key, entry);
    return read.reduce((sum, { weight }) => sum + weight, 0);
  }

  #alias(alias: Alias): Weighed | undefined {
    const anchored = this.#anchors.get(alias.source);
    const read = anchored?.read;
    if (!read) this.#refuse(anchored ? "alias-circle" : "alias-to-nothing", alias);
    else if ((this.#aliased += read.weight) > MOST_ALIASED) this.#refuse("alias-bomb", alias);
    return read;
  }

  /** Refuses ambiguous texts: YAML 1.1 reads `[?a]` as a key, `[:a]` as the value of one, and the colon of `{a:}` as text. */
  #refuseDoubtful(node: unknown, role?: "key"): void {
    if (!yaml().isScalar(node) || node.type !== "PLAIN" || !node.range) return;
    const isDoubtful =
      /^[?:]/.test(node.source ?? "") ||
      (role && /^:[,[\]{}]/.test(this.text.slice(node.range[1], node.range[1] + 2)));
    if (isDoubtful) this.#refuse("flow-text", node);
  }

  #inside(step: string | number, node: unknown): Weighed {
    this.#path.push(step);
    const read = this.node(node);
    this.#path.pop();
    return read;
  }

  #refuse(kind: RefusedYaml, node: Node | undefined): null {
    this.refusal ??= { kind, offset: node?.range?.[0] ?? 0 };
    return null;
  }
}

const pathOf = (steps: readonly (string | number)[]): string =>
  steps
    .map((step) => (typeof step === "number" ? `[${step}]` : stepTo(step)))
    .join("")
    .replace(/^\./, "");

/** Sets an entry; `__proto__` is a key like any other. */
function set(into: Entries, key: string, value: unknown): void {
  if (key !== "__proto__") into[key] = value;
  else Object.defineProperty(into, key, { value, writable: true, enumerable: true, configurable: true });
}

const PREFIX = "tag:yaml.org,2002:";

function isMerge(node: unknown): boolean {
  if (!yaml().isScalar(node) || node.source !== "<<") return false;
  return (
    node.tag === `${PREFIX}merge` || node.tag === "!" || (node.tag === undefined && node.type === "PLAIN")
  );
}

/** The meaning of a scalar; undefined if it does not fit its tag. */
function scalarOf(node: Scalar): MeantScalar | undefined {
  const text = node.source ?? "";
  const { tag } = node;
  if (tag === undefined) return node.type === "PLAIN" ? meaningOf(text) : textOf(text);
  switch (tag) {
    case `${PREFIX}str`:
      return textOf(text);
    case `${PREFIX}binary`:
      return isBase64(text) ? textOf(Buffer.from(text, "base64").toString()) : undefined;
    case `${PREFIX}timestamp`:
      return /^\d{4}-/.test(text) ? textOf(text) : undefined;
    case `${PREFIX}bool`:
    case `${PREFIX}int`:
    case `${PREFIX}float`:
    case `${PREFIX}null`: {
      const meant = meaningOf(text);
      const needs = tag.slice(PREFIX.length);
      return meant.tag === needs || (needs === "float" && meant.tag === "int") ? meant : undefined;
    }
    default:
      return textOf(text);
  }
}

const isBase64 = (text: string): boolean =>
  /^([A-Za-z\d+/]{4})*([A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)?$/.test(text.replace(/[\r\n]/g, ""));

const meantKey = (value: unknown): string | undefined =>
  typeof value === "string"
    ? value
    : typeof value === "number" || typeof value === "boolean"
      ? String(value)
      : undefined;

/** The positions of everything in a document. An aliased value has the position of its alias. */
export const positionsOf = ({ contents }: Document, lines: LineCounter): Positions =>
  positionsIn(contents, lines, 1);

/** @param outside the line of what contains the node */
function positionsIn(node: unknown, lines: LineCounter, outside: number): Positions {
  const { isMap, isNode, isSeq } = yaml();
  const line = isNode(node) && node.range ? lines.linePos(node.range[0]).line : outside;
  if (isSeq(node)) return { line, inside: node.items.map((item) => positionsIn(item, lines, line)) };
  if (!isMap(node)) return { line };
  const inside = new Map<string, Positions>();
  for (const { key, value } of node.items) {
    const name = keyOf(key);
    if (name !== undefined) inside.set(name, positionsIn(value, lines, line));
  }
  return { line, inside };
}
