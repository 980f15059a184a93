import type { Prefix } from "../../address";
import { type AddressKind, IPV4, IPV6_LINE, LONGEST_KEPT, Scratch, sortedOrder, sortRows } from "./sortRows";
import type { Whole } from "./algebra";

/** Bits that describe the set at a position. */
export enum Mark {
  /** It may have packets that the sets of another index lack. */
  More = 1,
  /** It may share packets with them, or is not certain to have any. */
  Meets = 2,
}

// Plans have thousands of indexes with hundreds of thousands of entries. Each keeps its data in one list of numbers: lists of
// objects take several times the memory, and memory access takes most of the time.
const [BLOCK, LOW, HIGH, POSITION, ENTRY] = [0, 1, 2, 3, 4];
/** Replaces `BLOCK` in sorted entries: the highest service of the block so far. */
const REACH = BLOCK;
const [PARENT, FIRST_ENTRY, FIRST_RANGE, NEXT_BLOCK] = [0, 1, 2, 3];
const RANGE = 2;

const always = () => true;

/** Lists that indexes no longer use, kept for reuse: growing a new list takes longer than filling it. */
const spare: number[][] = [];

const places = new Scratch();

/**
 * Services at address blocks of one family. Two blocks either nest or are disjoint: sorted, and with the nearest enclosing block
 * of each, they answer in logarithmic time.
 */
export class BlockIndex<N extends Whole> {
  /** The block, first and last service, and position of each entry; the bitwise complement of the position if the entry does not count. */
  #added = spare.pop() ?? [];
  #addedEnd = 0;
  /** First and last addresses of the blocks; once sealed, distinct and sorted by start, the widest first at equal starts. */
  #from: N[] = [];
  #to: N[] = [];
  /** Block numbers by prefix, because the rules of a plan repeat a few blocks. */
  readonly #blockOf = new Map<Prefix, number>();
  /**
   * Undefined before the first query. Contains the entries, sorted by block and then by service; then for each block, and one more
   * at the end, its enclosing block, its first entry and its first range; then the services that count, block by block, in as few
   * ranges as possible.
   */
  #sealed: Int32Array | undefined;
  #blocksAt = 0;
  #rangesAt = 0;

  private constructor(private readonly kind: AddressKind<N>) {}

  static readonly ipv4 = (): BlockIndex<number> => new BlockIndex(IPV4);
  static readonly ipv6 = (): BlockIndex<bigint> => new BlockIndex(IPV6_LINE);

  /** Adds services between two numbers at addresses between two others; only before the first query. */
  add(from: N, to: N, low: number, high: number, position: number, counts: boolean): void {
    if (this.kind.isBlock(from, to)) this.addEntry(this.addBlock(from, to), low, high, position, counts);
    else
      for (const block of this.kind.split(from, to))
        this.addEntry(this.addBlock(block.from, block.to), low, high, position, counts);
  }

  /** Adds services at the addresses of a prefix. */
  addPrefix(prefix: Prefix, low: number, high: number, position: number, counts: boolean): void {
    let block = this.#blockOf.get(prefix);
    if (block === undefined) {
      block = this.addBlock(this.kind.first(prefix), this.kind.last(prefix));
      this.#blockOf.set(prefix, block);
    }
    this.addEntry(block, low, high, position, counts);
  }

  private addBlock(from: N, to: N): number {
    this.#from.push(from);
    return this.#to.push(to) - 1;
  }

  private addEntry(block: number, low: number, high: number, position: number, counts: boolean): void {
    const [added, at] = [this.#added, this.#addedEnd];
    added[at + BLOCK] = block;
    added[at + LOW] = low;
    added[at + HIGH] = high;
    added[at + POSITION] = counts ? position : ~position;
    this.#addedEnd = at + ENTRY;
  }

  /** Marks the positions of entries that another index does not visibly contain, and of entries that meet it. */
  markBeyond(other: BlockIndex<N> | undefined, marks: Uint8Array): void {
    const sealed = this.seal();
    for (let block = 0; block < this.#from.length; block++) {
      const from = this.#from[block]!;
      const to = this.#to[block]!;
      const end = this.firstOf(block + 1, FIRST_ENTRY);
      for (let at = this.firstOf(block, FIRST_ENTRY); at < end; at += ENTRY) {
        const [low, high, signed] = [sealed[at + LOW]!, sealed[at + HIGH]!, sealed[at + POSITION]!];
        const position = signed < 0 ? ~signed : signed;
        const mark = marks[position]!;
        if (other?.holds(low, high, from, to)) marks[position] = mark | Mark.Meets;
        else
          marks[position] =
            mark |
            Mark.More |
            (signed < 0 || other?.eachMeeting(low, high, from, to, always) ? Mark.Meets : 0);
      }
    }
  }

  /**
   * Whether the entries that count contain all services between two numbers at all addresses between two others. Also false if,
   * at some address, only several blocks together have all of the services.
   */
  holds(low: number, high: number, from: N, to: N): boolean {
    this.seal();
    let at: N = from;
    for (;;) {
      let reached: N | undefined;
      for (let block = this.lastBlock(at); block >= 0; block = this.firstOf(block, PARENT)) {
        const last = this.#to[block]!;
        if (last >= at && this.rangeEnd(block, low) >= high) {
          if (last >= to) return true;
          reached = last;
        }
      }
      if (reached === undefined) return false;
      at = this.kind.line.next(reached);
    }
  }

  /** Whether one entry has all services between two numbers at all addresses between two others. */
  hasOne(low: number, high: number, from: N, to: N): boolean {
    this.seal();
    for (let block = this.lastBlock(from); block >= 0; block = this.firstOf(block, PARENT))
      if (this.#to[block]! >= to && this.reachOf(block, low) >= high) return true;
    return false;
  }

  /** Whether at one address some service between two numbers is in no entry, or in none that counts. */
  misses(low: number, high: number, at: N, isCounted: boolean): boolean {
    this.seal();
    const innermost = this.lastBlock(at);
    for (let next = low; next <= high;) {
      let reached = -1;
      for (let block = innermost; block >= 0; block = this.firstOf(block, PARENT))
        if (this.#to[block]! >= at)
          reached = Math.max(reached, isCounted ? this.rangeEnd(block, next) : this.reachOf(block, next));
      if (reached < next) return true;
      next = reached + 1;
    }
    return false;
  }

  /** The position of every entry that shares a service and an address with these. */
  meeting(low: number, high: number, from: N, to: N, found: Set<number>): void {
    this.eachMeeting(low, high, from, to, (position) => {
      found.add(position);
      return false;
    });
  }

  /** Passes every entry that shares a service and an address with these to `take`, until that returns true. */
  private eachMeeting(
    low: number,
    high: number,
    from: N,
    to: N,
    take: (position: number) => boolean,
  ): boolean {
    this.seal();
    const before = this.lastBlock(from);
    for (let block = before; block >= 0; block = this.firstOf(block, PARENT))
      if (this.#to[block]! >= from && this.meetingAt(block, low, high, take)) return true;
    for (let block = before + 1; block < this.#from.length && this.#from[block]! <= to; block++)
      if (this.meetingAt(block, low, high, take)) return true;
    return false;
  }

  private meetingAt(block: number, low: number, high: number, take: (position: number) => boolean): boolean {
    const sealed = this.#sealed!;
    const first = this.firstOf(block, FIRST_ENTRY);
    for (let at = this.lastEntry(block, high); at >= first && sealed[at + REACH]! >= low; at -= ENTRY) {
      const position = sealed[at + POSITION]!;
      if (sealed[at + HIGH]! >= low && take(position < 0 ? ~position : position)) return true;
    }
    return false;
  }

  /** The end of the last counted range that begins no later than a service; -1 if there is none. */
  private rangeEnd(block: number, service: number): number {
    const [sealed, base] = [this.#sealed!, this.#rangesAt];
    const first = this.firstOf(block, FIRST_RANGE);
    let [begin, end] = [first, this.firstOf(block + 1, FIRST_RANGE)];
    while (begin < end) {
      const middle = (begin + end) >> 1;
      if (sealed[base + middle * RANGE]! <= service) begin = middle + 1;
      else end = middle;
    }
    return begin > first ? sealed[base + begin * RANGE - 1]! : -1;
  }

  /** The highest service of all entries that begin no later than a service; -1 if there is none. */
  private reachOf(block: number, service: number): number {
    const at = this.lastEntry(block, service);
    return at >= this.firstOf(block, FIRST_ENTRY) ? this.#sealed![at + REACH]! : -1;
  }

  /** The place of the last entry of a block that begins no later than a service; before the first one if there is none. */
  private lastEntry(block: number, service: number): number {
    const sealed = this.#sealed!;
    let [begin, end] = [
      this.firstOf(block, FIRST_ENTRY) / ENTRY,
      this.firstOf(block + 1, FIRST_ENTRY) / ENTRY,
    ];
    while (begin < end) {
      const middle = (begin + end) >> 1;
      if (sealed[middle * ENTRY + LOW]! <= service) begin = middle + 1;
      else end = middle;
    }
    return (begin - 1) * ENTRY;
  }

  private firstOf(block: number, what: number): number {
    return this.#sealed![this.#blocksAt + block * NEXT_BLOCK + what]!;
  }

  /** The last block that begins no later than an address: if any block contains the address, this one or one around it does. */
  private lastBlock(address: N): number {
    const starts = this.#from;
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= address) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  private seal(): Int32Array {
    if (this.#sealed) return this.#sealed;
    const count = this.#addedEnd / ENTRY;
    const placeOf = this.sortBlocks();
    const blocks = this.#from.length;
    this.#blocksAt = count * ENTRY;
    this.#rangesAt = this.#blocksAt + (blocks + 1) * NEXT_BLOCK;
    const sealed = new Int32Array(this.#rangesAt + count * RANGE);
    this.#sealed = sealed;
    sortRows(this.#added, this.#addedEnd, placeOf, blocks, sealed);
    if (this.#added.length <= LONGEST_KEPT) spare.push(this.#added);
    this.#added = [];
    this.#blockOf.clear();
    this.fill(sealed);
    return sealed;
  }

  /** Sorts the blocks and removes duplicates. Returns the new place of each, valid until the next index is sealed. */
  private sortBlocks(): Int32Array {
    const [from, to] = [this.#from, this.#to];
    const isBefore = (a: number, b: number): boolean =>
      from[a]! < from[b]! || (from[a] === from[b] && to[a]! > to[b]!);
    const order = sortedOrder(from.length, isBefore);
    const placeOf = places.take(from.length);
    this.#from = [];
    this.#to = [];
    let last = -1;
    for (let at = 0; at < from.length; at++) {
      const block = order[at]!;
      if (this.#from[last] !== from[block] || this.#to[last] !== to[block])
        last = this.addBlock(from[block]!, to[block]!);
      placeOf[block] = last;
    }
    return placeOf;
  }

  /** Fills in the blocks and ranges of sorted entries. */
  private fill(sealed: Int32Array): void {
    let at = 0;
    let range = this.#rangesAt;
    for (let block = 0, place = this.#blocksAt; block < this.#from.length; block++, place += NEXT_BLOCK) {
      let around = block - 1;
      while (around >= 0 && this.#to[around]! < this.#from[block]!) around = this.firstOf(around, PARENT);
      sealed[place + PARENT] = around;
      sealed[place + FIRST_ENTRY] = at;
      const firstRange = range;
      sealed[place + FIRST_RANGE] = (range - this.#rangesAt) / RANGE;
      let reach = -1;
      for (; at < this.#blocksAt && sealed[at + BLOCK] === block; at += ENTRY) {
        const [low, high] = [sealed[at + LOW]!, sealed[at + HIGH]!];
        sealed[at + REACH] = reach = Math.max(reach, high);
        if (sealed[at + POSITION]! < 0) continue;
        if (range === firstRange || sealed[range - 1]! + 1 < low) {
          sealed[range] = low;
          sealed[range + 1] = high;
          range += RANGE;
        } else if (high > sealed[range - 1]!) sealed[range - 1] = high;
      }
    }
    const end = this.#blocksAt + this.#from.length * NEXT_BLOCK;
    sealed[end + FIRST_ENTRY] = at;
    sealed[end + FIRST_RANGE] = (range - this.#rangesAt) / RANGE;
  }
}
