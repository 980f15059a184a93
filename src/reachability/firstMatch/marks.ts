import { pushAll } from "../../pushAll";
import { isOne, type Bits } from "./trie";

const NOWHERE = 0;

/** Services at prefixes: which of them are at addresses of another prefix. */
export class Marks {
  // Nodes of a binary trie; the first is the root, and none leads to it.
  readonly #branches: readonly [number[], number[]] = [[NOWHERE], [NOWHERE]];
  readonly #here: (number[] | undefined)[] = [undefined];

  add(prefix: Bits, services: readonly number[]): void {
    let node = 0;
    for (let depth = 0; depth < prefix.length; depth++) {
      const branch = this.#branches[isOne(prefix, depth) ? 1 : 0];
      if (branch[node] === NOWHERE) branch[node] = this.make();
      node = branch[node]!;
    }
    pushAll((this.#here[node] ??= []), services);
  }

  /** Each service at a prefix that shares addresses with this one, once. */
  *about(prefix: Bits): Generator<number> {
    const seen = new Set<number>();
    let node = 0;
    for (let depth = 0; depth < prefix.length; depth++) {
      yield* this.unseen(node, seen);
      node = this.#branches[isOne(prefix, depth) ? 1 : 0][node]!;
      if (node === NOWHERE) return;
    }
    const open = [node];
    for (let inner = open.pop(); inner !== undefined; inner = open.pop()) {
      yield* this.unseen(inner, seen);
      for (const branch of this.#branches) if (branch[inner] !== NOWHERE) open.push(branch[inner]!);
    }
  }

  private *unseen(node: number, seen: Set<number>): Generator<number> {
    for (const service of this.#here[node] ?? []) if (seen.size < seen.add(service).size) yield service;
  }

  private make(): number {
    for (const branch of this.#branches) branch.push(NOWHERE);
    return this.#here.push(undefined) - 1;
  }
}
