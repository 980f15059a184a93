import { pushAll } from "../collections";
import { bitOf, BITS, type Family, lanesOf, Prefix, valueOf } from "./prefix";

/** Longer than any prefix: marks a part of the space in which everything is taken. */
const TAKEN = 255;
const NO_CHILD = 0;

/**
 * The free addresses of one family, for planners that query and take blocks thousands of times: each query is answered in as many
 * steps as an address has bits. A binary tree by bits; parts that are entirely taken or entirely free have no branches.
 */
export class FreeSpace {
  /** Length of the widest free block in the part that a node stands for; `TAKEN` if there is none. */
  readonly #widest: number[] = [0];
  readonly #branches: number[] = [NO_CHILD, NO_CHILD];
  /** The nodes before a trial, four numbers each: node, widest and both branches. */
  #before: number[] | undefined;

  constructor(readonly family: Family) {}

  /**
   * Runs a function that takes blocks, and then frees all of them.
   *
   * @param isKept whether the blocks stay taken after this answer. Defaults to never
   */
  tried<Answer>(run: () => Answer, isKept: (answer: Answer) => boolean = () => false): Answer {
    const [outside, size] = [this.#before, this.#widest.length];
    const before: number[] = (this.#before = []);
    let answer: { is: Answer } | undefined;
    try {
      answer = { is: run() };
      return answer.is;
    } finally {
      this.#before = outside;
      if (answer && isKept(answer.is)) {
        if (outside) pushAll(outside, before);
      } else this.#giveBack(before, size);
    }
  }

  #giveBack(before: readonly number[], size: number): void {
    for (let at = before.length - 4; at >= 0; at -= 4) {
      const node = before[at]!;
      this.#widest[node] = before[at + 1]!;
      this.#branches[2 * node] = before[at + 2]!;
      this.#branches[2 * node + 1] = before[at + 3]!;
    }
    this.#widest.length = size;
    this.#branches.length = 2 * size;
  }

  /** Takes every address of a block, including those that are taken already. */
  take(block: Prefix): void {
    const lanes = lanesOf(block);
    const size = this.#widest.length;
    let node = 0;
    for (let depth = 0; depth < block.length; depth++) {
      if (this.#widest[node] === TAKEN) return;
      way[depth] = node;
      if (this.#isLeaf(node)) this.#split(node, depth);
      node = this.#branches[2 * node + bitOf(lanes, depth)]!;
    }
    this.#set(node, TAKEN, NO_CHILD, NO_CHILD);
    const isSplit = this.#widest.length > size;
    for (let at = block.length - 1; at >= 0; at--) if (!this.#sumUp(way[at]!) && !isSplit) return;
  }

  /** Whether every address of a block is free. */
  isFree(block: Prefix): boolean {
    const { widest } = this.#partOf(block);
    return widest <= block.length;
  }

  /**
   * The free block of one length with the lowest address in a pool; undefined if none is free.
   *
   * @param length prefix length of the block, at least that of the pool
   */
  first(pool: Prefix, length: number): Prefix | undefined {
    const { node, widest } = this.#partOf(pool);
    if (length < pool.length || widest > length) return undefined;
    const lanes = lanesOf(pool);
    let place = node;
    for (let depth = pool.length; depth < length && place !== undefined && !this.#isLeaf(place); depth++) {
      const [left, right] = [this.#branches[2 * place]!, this.#branches[2 * place + 1]!];
      const isRight = this.#widest[left]! > length;
      if (isRight) setBit(lanes, depth);
      place = isRight ? right : left;
    }
    return new Prefix(this.family, valueOf(lanes), length);
  }

  /** The length of the widest free block in a pool; undefined if everything is taken. */
  widest(pool: Prefix): number | undefined {
    const { widest } = this.#partOf(pool);
    return widest === TAKEN ? undefined : Math.max(widest, pool.length);
  }

  /** How many disjoint blocks of one length are free in a pool. */
  count(pool: Prefix, length: number): bigint {
    const { node, widest } = this.#partOf(pool);
    if (length < pool.length || widest === TAKEN) return 0n;
    if (node === undefined) return 1n << BigInt(length - pool.length);
    return this.#countIn(node, pool.length, length);
  }

  #countIn(node: number, depth: number, length: number): bigint {
    if (this.#widest[node]! > length) return 0n;
    if (this.#isLeaf(node)) return 1n << BigInt(length - depth);
    const [left, right] = [this.#branches[2 * node]!, this.#branches[2 * node + 1]!];
    return this.#countIn(left, depth + 1, length) + this.#countIn(right, depth + 1, length);
  }

  /** What the tree knows of a block: its node, or only that all of it is free or taken. */
  #partOf(block: Prefix): { node?: number; widest: number } {
    const lanes = lanesOf(block);
    let node = 0;
    for (let depth = 0; depth < block.length; depth++) {
      if (this.#isLeaf(node)) return { widest: this.#widest[node]! };
      node = this.#branches[2 * node + bitOf(lanes, depth)]!;
    }
    return { node, widest: this.#widest[node]! };
  }

  #isLeaf(node: number): boolean {
    return this.#branches[2 * node] === NO_CHILD;
  }

  /** Adds the two halves to a part that is entirely free. */
  #split(node: number, depth: number): void {
    const left = this.#widest.length;
    this.#widest.push(depth + 1, depth + 1);
    this.#branches.push(NO_CHILD, NO_CHILD, NO_CHILD, NO_CHILD);
    this.#set(node, depth + 1, left, left + 1);
  }

  /** Updates a node from its halves. Returns whether it changed. */
  #sumUp(node: number): boolean {
    const [left, right] = [this.#branches[2 * node]!, this.#branches[2 * node + 1]!];
    const widest = Math.min(this.#widest[left]!, this.#widest[right]!);
    if (widest === this.#widest[node]) return false;
    if (widest === TAKEN) this.#set(node, TAKEN, NO_CHILD, NO_CHILD);
    else this.#set(node, widest, left, right);
    return true;
  }

  #set(node: number, widest: number, left: number, right: number): void {
    this.#before?.push(node, this.#widest[node]!, this.#branches[2 * node]!, this.#branches[2 * node + 1]!);
    this.#widest[node] = widest;
    this.#branches[2 * node] = left;
    this.#branches[2 * node + 1] = right;
  }
}

/** The nodes from the root to a block. One list is enough, because only one block is taken at a time. */
const way = new Int32Array(BITS[6]);

function setBit(lanes: number[], depth: number): void {
  lanes[depth >> 5] = (lanes[depth >> 5]! | (1 << (31 - (depth & 31)))) >>> 0;
}
