import { type Family, Prefix } from "./prefix";

const LANE = 32;
/** Wider than nothing: a part of the space in which everything is taken. */
const TAKEN = 255;
const NO_CHILD = 0;

/**
 * The addresses of one family that nothing takes, for planners that ask and take thousands of times: each question is answered in as
 * many steps as an address has bits. A binary tree by bits; parts of which all or nothing is taken have no branches.
 */
export class FreeSpace {
  /** Length of the widest free block in the part that a node stands for; `TAKEN` where there is none. */
  #widest: number[];
  #branches: number[];

  constructor(
    readonly family: Family,
    like?: FreeSpace,
  ) {
    this.#widest = like ? [...like.#widest] : [0];
    this.#branches = like ? [...like.#branches] : [NO_CHILD, NO_CHILD];
  }

  /** The same space, which is taken on its own. */
  copy(): FreeSpace {
    return new FreeSpace(this.family, this);
  }

  /** Takes every address of a block, also those that are taken already. */
  take(block: Prefix): void {
    const lanes = lanesOf(block);
    const way: number[] = [];
    let node = 0;
    for (let depth = 0; depth < block.length; depth++) {
      if (this.#widest[node] === TAKEN) return;
      way.push(node);
      if (this.#isLeaf(node)) this.#split(node, depth);
      node = this.#branches[2 * node + bitOf(lanes, depth)]!;
    }
    this.#widest[node] = TAKEN;
    this.#branches[2 * node] = this.#branches[2 * node + 1] = NO_CHILD;
    for (let at = way.length - 1; at >= 0; at--) this.#sumUp(way[at]!);
  }

  /** Whether every address of a block is free. */
  isFree(block: Prefix): boolean {
    const { widest } = this.#partOf(block);
    return widest <= block.length;
  }

  /**
   * The free block of one length with the lowest address in a pool; undefined where none is.
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

  /** The length of the widest free block in a pool; undefined where everything is taken. */
  widest(pool: Prefix): number | undefined {
    const { widest } = this.#partOf(pool);
    return widest === TAKEN ? undefined : Math.max(widest, pool.length);
  }

  /** How many blocks of one length are free in a pool, side by side. */
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

  /** Gives a part that is free as a whole its two halves. */
  #split(node: number, depth: number): void {
    for (const side of [0, 1]) {
      this.#branches[2 * node + side] = this.#widest.length;
      this.#widest.push(depth + 1);
      this.#branches.push(NO_CHILD, NO_CHILD);
    }
  }

  #sumUp(node: number): void {
    const [left, right] = [this.#branches[2 * node]!, this.#branches[2 * node + 1]!];
    const widest = Math.min(this.#widest[left]!, this.#widest[right]!);
    this.#widest[node] = widest;
    if (widest === TAKEN) this.#branches[2 * node] = this.#branches[2 * node + 1] = NO_CHILD;
  }
}

/** The bits of the first address, 32 a lane. */
function lanesOf({ family, start }: Prefix): number[] {
  if (family === 4) return [Number(start)];
  return [96n, 64n, 32n, 0n].map((shift) => Number((start >> shift) & 0xffff_ffffn));
}

const bitOf = (lanes: readonly number[], depth: number): 0 | 1 =>
  ((lanes[depth >> 5]! >>> (LANE - 1 - (depth & 31))) & 1) as 0 | 1;

function setBit(lanes: number[], depth: number): void {
  lanes[depth >> 5] = (lanes[depth >> 5]! | (1 << (LANE - 1 - (depth & 31)))) >>> 0;
}

const valueOf = (lanes: readonly number[]): bigint =>
  lanes.reduce((value, lane) => (value << 32n) | BigInt(lane), 0n);
