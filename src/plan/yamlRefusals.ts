import type { Alias, Document, Node, Pair } from "yaml";

import { yaml } from "./yaml";

/** What YAML has and no manifest: kubectl and Helm refuse it too. */
export type RefusedYaml = "alias-circle" | "alias-bomb" | "key";

/** Where it stands. */
export interface YamlRefusal {
  kind: RefusedYaml;
  offset: number;
}

/** As many values may come from aliases. Each of them is judged, so that more would take minutes. */
const MOST_ALIASED = 100_000;

/** The first part of a document that is refused. */
export function yamlRefusal({ contents }: Document): YamlRefusal | undefined {
  const nodes = new Nodes();
  nodes.weigh(contents);
  return nodes.refusal;
}

/** Walks over a document in the order of its text, in which an alias means the last anchor of its name. */
class Nodes {
  refusal: YamlRefusal | undefined;
  readonly #anchors = new Map<string, Node>();
  /** How many values a node holds, those of aliases in it among them. Absent while the node goes on. */
  readonly #weights = new Map<Node, number>();
  #aliased = 0;

  weigh(node: unknown): number {
    const { isAlias, isCollection, isNode, isPair } = yaml();
    if (this.refusal) return 0;
    if (isPair(node)) return this.#pair(node);
    if (!isNode(node)) return 0;
    if (isAlias(node)) return this.#alias(node);
    if (node.anchor !== undefined) this.#anchors.set(node.anchor, node);
    let weight = 1;
    if (isCollection(node)) for (const item of node.items) weight += this.weigh(item);
    if (node.anchor !== undefined) this.#weights.set(node, weight);
    return weight;
  }

  #pair({ key, value }: Pair): number {
    const { isAlias, isCollection, isNode } = yaml();
    const named = isAlias(key) ? this.#anchors.get(key.source) : key;
    if (isCollection(named)) this.#refuse("key", isNode(key) ? key : named);
    return this.weigh(key) + this.weigh(value);
  }

  #alias(alias: Alias): number {
    const source = this.#anchors.get(alias.source);
    // One to nothing is a mistake that the parser names.
    if (!source) return 0;
    const weight = this.#weights.get(source);
    if (weight === undefined) this.#refuse("alias-circle", alias);
    else if ((this.#aliased += weight) > MOST_ALIASED) this.#refuse("alias-bomb", alias);
    return weight ?? 0;
  }

  #refuse(kind: RefusedYaml, { range }: Node): void {
    this.refusal ??= { kind, offset: range?.[0] ?? 0 };
  }
}
