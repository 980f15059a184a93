import { prefixesBetween } from "../../address";
import { LARGE_NUMBERS, NUMBERS, type Line, type Whole } from "./algebra";

/** What addresses of a family are like. */
interface AddressKind<N extends Whole> {
  line: Line<N>;
  /** Whether a range is the block of a prefix: what differs between its ends are low bits, none of them in the first. */
  isBlock: (from: N, to: N) => boolean;
  /** A range as such blocks. */
  split: (from: N, to: N) => { from: N; to: N }[];
}

const IPV4: AddressKind<number> = {
  line: NUMBERS,
  isBlock: (from, to) => {
    const differing = from ^ to;
    return (differing & (differing + 1)) === 0 && (from & differing) === 0;
  },
  split: (first, last) =>
    prefixesBetween(4, BigInt(first), BigInt(last)).map(({ start, end }) => ({
      from: Number(start),
      to: Number(end),
    })),
};

const IPV6: AddressKind<bigint> = {
  line: LARGE_NUMBERS,
  isBlock: (from, to) => {
    const differing = from ^ to;
    return (differing & (differing + 1n)) === 0n && (from & differing) === 0n;
  },
  split: (first, last) => prefixesBetween(6, first, last).map(({ start, end }) => ({ from: start, to: end })),
};

// Plans have thousands of these with hundreds of thousands of entries. What belongs together stands together in one list, so
// many numbers for each entry or block: lists of objects take several times the memory, and most of the time is that of memory.
const [FROM, TO, LOW, HIGH, POSITION, ENTRY] = [0, 1, 2, 3, 4, 5];
const [START, END, PARENT, FIRST_ENTRY, FIRST_RANGE, BLOCK] = [0, 1, 2, 3, 4, 5];
const RANGE = 2;

/**
 * Services at blocks of addresses of one family. Two blocks nest or share nothing: sorted, with the nearest block around each,
 * they answer in the logarithm of their number.
 */
export class BlockIndex<N extends Whole> {
  /** First and last address, first and last service, and the position: its complement where the entry does not count. */
  readonly #entries: (N | number)[] = [];
  /** Where entries begin, in the order of their blocks and of services in each block. Absent before anything is asked. */
  #order: number[] | undefined;
  /** For each place in that order the highest service of its block so far. */
  #reach: number[] = [];
  /** The distinct blocks, the widest of those that begin at one address first; one more at the end. */
  readonly #blocks: (N | number)[] = [];
  /** The services that count, block by block, as few ranges as possible. */
  readonly #ranges: number[] = [];

  private constructor(private readonly kind: AddressKind<N>) {}

  static readonly ipv4 = (): BlockIndex<number> => new BlockIndex(IPV4);
  static readonly ipv6 = (): BlockIndex<bigint> => new BlockIndex(IPV6);

  /** Services between two numbers at addresses between two others; before anything is asked. */
  add(from: N, to: N, low: number, high: number, position: number, counts: boolean): void {
    if (this.kind.isBlock(from, to)) this.addBlock(from, to, low, high, position, counts);
    else
      for (const block of this.kind.split(from, to))
        this.addBlock(block.from, block.to, low, high, position, counts);
  }

  /** The same for addresses that are known to be those of one prefix. */
  addBlock(from: N, to: N, low: number, high: number, position: number, counts: boolean): void {
    this.#entries.push(from, to, low, high, counts ? position : ~position);
  }

  /** The positions of entries that another index does not hold, as far as it sees. */
  notIn(other: BlockIndex<N> | undefined, found: Set<number>): void {
    for (let at = 0; at < this.#entries.length; at += ENTRY) {
      const [from, to] = [this.#entries[at + FROM] as N, this.#entries[at + TO] as N];
      if (!other?.holds(this.number(at + LOW), this.number(at + HIGH), from, to))
        found.add(this.positionOf(at));
    }
  }

  /**
   * Whether the entries that count hold all services between two numbers at all addresses between two others. False also
   * where they do so only by halves: some of the services here, others there.
   */
  holds(low: number, high: number, from: N, to: N): boolean {
    this.seal();
    const blocks = this.#blocks;
    let at = from;
    for (;;) {
      let reached: N | undefined;
      for (let block = this.lastBlock(at); block >= 0; block = blocks[block + PARENT] as number)
        if ((blocks[block + END] as N) >= at && this.hasRange(block, low, high)) {
          reached = blocks[block + END] as N;
          if (reached >= to) return true;
        }
      if (reached === undefined) return false;
      at = this.kind.line.next(reached);
    }
  }

  /** The position of every entry that shares a service and an address with these. */
  meeting(low: number, high: number, from: N, to: N, found: Set<number>): void {
    this.seal();
    const blocks = this.#blocks;
    const before = this.lastBlock(from);
    for (let block = before; block >= 0; block = blocks[block + PARENT] as number)
      if ((blocks[block + END] as N) >= from) this.meetingAt(block, low, high, found);
    const behind = blocks.length - BLOCK;
    for (let block = before < 0 ? 0 : before + BLOCK; block < behind; block += BLOCK) {
      if ((blocks[block + START] as N) > to) return;
      this.meetingAt(block, low, high, found);
    }
  }

  private meetingAt(block: number, low: number, high: number, found: Set<number>): void {
    const order = this.#order!;
    const first = this.#blocks[block + FIRST_ENTRY] as number;
    let [begin, end] = [first, this.#blocks[block + BLOCK + FIRST_ENTRY] as number];
    while (begin < end) {
      const middle = (begin + end) >> 1;
      if (this.number(order[middle]! + LOW) <= high) begin = middle + 1;
      else end = middle;
    }
    for (let place = begin - 1; place >= first && this.#reach[place]! >= low; place--)
      if (this.number(order[place]! + HIGH) >= low) found.add(this.positionOf(order[place]!));
  }

  private hasRange(block: number, low: number, high: number): boolean {
    const first = this.#blocks[block + FIRST_RANGE] as number;
    let [begin, end] = [first, this.#blocks[block + BLOCK + FIRST_RANGE] as number];
    while (begin < end) {
      const middle = (begin + end) >> 1;
      if (this.#ranges[middle * RANGE]! <= low) begin = middle + 1;
      else end = middle;
    }
    return begin > first && this.#ranges[begin * RANGE - 1]! >= high;
  }

  /** The last block that begins no later than an address: it or one around it has the address, if any block has. */
  private lastBlock(address: N): number {
    let [low, high] = [0, this.#blocks.length / BLOCK - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#blocks[middle * BLOCK + START] as N) <= address) low = middle + 1;
      else high = middle;
    }
    return (low - 1) * BLOCK;
  }

  private seal(): void {
    if (this.#order) return;
    const [entries, blocks] = [this.#entries, this.#blocks];
    const order = this.inOrder();
    this.#order = order;
    this.#reach = new Array<number>(order.length);
    let last = -BLOCK;
    for (let place = 0; place < order.length; place++) {
      const at = order[place]!;
      const [from, high] = [entries[at + FROM] as N, this.number(at + HIGH)];
      const isNew = last < 0 || blocks[last + START] !== from || blocks[last + END] !== entries[at + TO];
      if (isNew) {
        let around = last;
        while (around >= 0 && (blocks[around + END] as N) < from) around = blocks[around + PARENT] as number;
        last += BLOCK;
        blocks.push(from, entries[at + TO]!, around, place, this.#ranges.length / RANGE);
      }
      this.#reach[place] = isNew ? high : Math.max(high, this.#reach[place - 1]!);
      if (this.number(at + POSITION) >= 0) this.addRange(last, this.number(at + LOW), high);
    }
    blocks.push(-1, -1, -1, order.length, this.#ranges.length / RANGE);
  }

  private inOrder(): number[] {
    const entries = this.#entries;
    const order = new Array<number>(entries.length / ENTRY);
    for (let entry = 0; entry < order.length; entry++) order[entry] = entry * ENTRY;
    return order.sort((a, b) => {
      if (entries[a + FROM] !== entries[b + FROM]) return entries[a + FROM]! < entries[b + FROM]! ? -1 : 1;
      if (entries[a + TO] !== entries[b + TO]) return entries[a + TO]! > entries[b + TO]! ? -1 : 1;
      return this.number(a + LOW) - this.number(b + LOW);
    });
  }

  /** Adds services to the last block. */
  private addRange(block: number, low: number, high: number): void {
    const ranges = this.#ranges;
    const isFirst = ranges.length / RANGE === this.#blocks[block + FIRST_RANGE];
    if (isFirst || ranges[ranges.length - 1]! + 1 < low) ranges.push(low, high);
    else if (high > ranges[ranges.length - 1]!) ranges[ranges.length - 1] = high;
  }

  private number(at: number): number {
    return this.#entries[at] as number;
  }

  private positionOf(entry: number): number {
    const position = this.number(entry + POSITION);
    return position < 0 ? ~position : position;
  }
}
