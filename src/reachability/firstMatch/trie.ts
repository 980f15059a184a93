import { BITS, type Prefix } from "../../address";

/** A prefix as bits. */
export interface Bits {
  length: number;
  /** 32 bits each, one for IPv4 and four for IPv6. */
  lanes: readonly number[];
}

export function bitsOf({ family, start, length }: Prefix): Bits {
  const count = BITS[family] / 32;
  const lanes = Array.from({ length: count }, (_, lane) =>
    Number((start >> BigInt(32 * (count - 1 - lane))) & 0xffffffffn),
  );
  return { length, lanes };
}

/** Whether the bit at this depth is set. */
export const isOne = ({ lanes }: Bits, depth: number): boolean =>
  ((lanes[depth >> 5]! >>> (31 - (depth & 31))) & 1) === 1;

/** Nodes of binary tries: two references each, in two lists. */
class Nodes {
  readonly #branches: readonly [number[], number[]] = [[], []];

  make(zero: number, one: number): number {
    this.#branches[1].push(one);
    return this.#branches[0].push(zero) - 1;
  }

  branch(node: number, isSet: boolean): number {
    return this.#branches[isSet ? 1 : 0][node]!;
  }

  set(node: number, isSet: boolean, to: number): void {
    this.#branches[isSet ? 1 : 0][node] = to;
  }
}

/** No address, and every address: references to sets below all nodes. */
export const EMPTY = -1;
export const FULL = -2;

/** Sets of addresses. One is the reference of its root; adding to it makes another and leaves it as it was. */
export class Covers {
  readonly #nodes = new Nodes();

  /** The part of a set whose next bit is this. */
  branch(set: number, isSet: boolean): number {
    return set < 0 ? set : this.#nodes.branch(set, isSet);
  }

  /** The set with a prefix added. */
  with(set: number, prefix: Bits, depth = 0): number {
    if (set === FULL || depth === prefix.length) return FULL;
    const isSet = isOne(prefix, depth);
    const added = this.with(this.branch(set, isSet), prefix, depth + 1);
    const other = this.branch(set, !isSet);
    if (added === FULL && other === FULL) return FULL;
    return isSet ? this.#nodes.make(other, added) : this.#nodes.make(added, other);
  }
}

/** For every address a number: that of the prefix that was painted over it last. A root below zero is one number for all. */
export class Paintings {
  readonly #nodes = new Nodes();

  static plain(label: number): number {
    return -1 - label;
  }

  branch(painting: number, isSet: boolean): number {
    return painting < 0 ? painting : this.#nodes.branch(painting, isSet);
  }

  /** Paints in place, and says the root that it has then. */
  paint(painting: number, prefix: Bits, label: number, depth = 0): number {
    if (depth === prefix.length) return Paintings.plain(label);
    const node = painting < 0 ? this.#nodes.make(painting, painting) : painting;
    const isSet = isOne(prefix, depth);
    this.#nodes.set(node, isSet, this.paint(this.#nodes.branch(node, isSet), prefix, label, depth + 1));
    return node;
  }
}
