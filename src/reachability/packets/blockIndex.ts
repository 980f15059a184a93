import { LARGE_NUMBERS, NUMBERS, type Line, type Whole } from "./algebra";
import { prefixesBetween } from "../../address";

/**
 * Services at blocks of addresses of one family. Two blocks nest or share nothing: sorted, with the nearest block around each,
 * they answer in the logarithm of their number.
 */
export class BlockIndex<N extends Whole> {
  // The entries as they were added, as columns: there are hundreds of thousands of them.
  readonly #from: N[] = [];
  readonly #to: N[] = [];
  readonly #low: number[] = [];
  readonly #high: number[] = [];
  readonly #position: number[] = [];
  readonly #counts: boolean[] = [];
  /** Entries in the order of their blocks, and of services in each block. Absent before anything is asked. */
  #order: number[] | undefined;
  /** The distinct blocks in order, the widest of those that begin at one address first. */
  readonly #starts: N[] = [];
  readonly #ends: N[] = [];
  /** For each block the nearest one around it; -1 where there is none. */
  readonly #parents: number[] = [];
  /** Where the entries of each block begin in that order. */
  readonly #firstEntries: number[] = [];
  /** For each entry the highest service so far in its block. */
  readonly #reach: number[] = [];
  /** The services that count, block by block, as few ranges as possible. */
  readonly #firstRanges: number[] = [];
  readonly #lows: number[] = [];
  readonly #highs: number[] = [];

  private constructor(
    private readonly line: Line<N>,
    private readonly isBlock: (from: N, to: N) => boolean,
    private readonly split: (from: N, to: N) => { from: N; to: N }[],
  ) {}

  static ipv4(): BlockIndex<number> {
    return new BlockIndex(NUMBERS, isBlock4, (first, last) =>
      prefixesBetween(4, BigInt(first), BigInt(last)).map(({ start, end }) => ({
        from: Number(start),
        to: Number(end),
      })),
    );
  }

  static ipv6(): BlockIndex<bigint> {
    return new BlockIndex(LARGE_NUMBERS, isBlock6, (first, last) =>
      prefixesBetween(6, first, last).map(({ start, end }) => ({ from: start, to: end })),
    );
  }

  /** Before anything is asked. */
  add(from: N, to: N, low: number, high: number, position: number, counts: boolean): void {
    if (this.isBlock(from, to)) this.addBlock(from, to, low, high, position, counts);
    else
      for (const block of this.split(from, to))
        this.addBlock(block.from, block.to, low, high, position, counts);
  }

  /** The same for addresses that are known to be those of one prefix. */
  addBlock(from: N, to: N, low: number, high: number, position: number, counts: boolean): void {
    this.#from.push(from);
    this.#to.push(to);
    this.#low.push(low);
    this.#high.push(high);
    this.#position.push(position);
    this.#counts.push(counts);
  }

  /** The positions of entries that another index does not hold, as far as it sees. */
  notIn(other: BlockIndex<N>, found: Set<number>): void {
    for (let entry = 0; entry < this.#from.length; entry++)
      if (!other.holds(this.#low[entry]!, this.#high[entry]!, this.#from[entry]!, this.#to[entry]!))
        found.add(this.#position[entry]!);
  }

  /**
   * Whether the entries that count hold all services between two numbers at all addresses between two others. False also
   * where they do so only by halves: some of the services here, others there.
   */
  holds(low: number, high: number, from: N, to: N): boolean {
    this.seal();
    let at = from;
    for (;;) {
      let reached: N | undefined;
      for (let block = this.lastBlock(at); block >= 0; block = this.#parents[block]!)
        if (this.#ends[block]! >= at && this.hasRange(block, low, high)) {
          reached = this.#ends[block]!;
          if (reached >= to) return true;
        }
      if (reached === undefined) return false;
      at = this.line.next(reached);
    }
  }

  /** Every entry that shares a service and an address with these. */
  meeting(low: number, high: number, from: N, to: N, found: Set<number>): void {
    this.seal();
    const before = this.lastBlock(from);
    for (let block = before; block >= 0; block = this.#parents[block]!)
      if (this.#ends[block]! >= from) this.meetingAt(block, low, high, found);
    for (let block = before + 1; block < this.#starts.length && this.#starts[block]! <= to; block++)
      this.meetingAt(block, low, high, found);
  }

  private meetingAt(block: number, low: number, high: number, found: Set<number>): void {
    const order = this.#order!;
    const first = this.#firstEntries[block]!;
    let [begin, end] = [first, this.#firstEntries[block + 1]!];
    while (begin < end) {
      const middle = (begin + end) >> 1;
      if (this.#low[order[middle]!]! <= high) begin = middle + 1;
      else end = middle;
    }
    for (let place = begin - 1; place >= first && this.#reach[place]! >= low; place--)
      if (this.#high[order[place]!]! >= low) found.add(this.#position[order[place]!]!);
  }

  private hasRange(block: number, low: number, high: number): boolean {
    let [begin, end] = [this.#firstRanges[block]!, this.#firstRanges[block + 1]!];
    const first = begin;
    while (begin < end) {
      const middle = (begin + end) >> 1;
      if (this.#lows[middle]! <= low) begin = middle + 1;
      else end = middle;
    }
    return begin > first && this.#highs[begin - 1]! >= high;
  }

  /** The last block that begins no later than an address: it or one around it has the address, if any block has. */
  private lastBlock(address: N): number {
    let [low, high] = [0, this.#starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! <= address) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  private seal(): void {
    if (this.#order) return;
    const [from, to, low, high] = [this.#from, this.#to, this.#low, this.#high];
    this.#order = Array.from(from, (_, entry) => entry).sort((a, b) => {
      if (from[a] !== from[b]) return from[a]! < from[b]! ? -1 : 1;
      if (to[a] !== to[b]) return to[a]! > to[b]! ? -1 : 1;
      return low[a]! - low[b]!;
    });
    let open = -1;
    for (let place = 0; place < this.#order.length; place++) {
      const entry = this.#order[place]!;
      const last = this.#starts.length - 1;
      const isNew = last < 0 || this.#starts[last] !== from[entry] || this.#ends[last] !== to[entry];
      if (isNew) {
        while (open >= 0 && this.#ends[open]! < from[entry]!) open = this.#parents[open]!;
        this.#parents.push(open);
        open = this.#starts.push(from[entry]!) - 1;
        this.#ends.push(to[entry]!);
        this.#firstEntries.push(place);
        this.#firstRanges.push(this.#lows.length);
      }
      this.#reach.push(isNew ? high[entry]! : Math.max(high[entry]!, this.#reach[place - 1]!));
      if (this.#counts[entry]) this.addRange(low[entry]!, high[entry]!);
    }
    this.#firstEntries.push(this.#order.length);
    this.#firstRanges.push(this.#lows.length);
  }

  /** Adds services to the block that was met last. */
  private addRange(low: number, high: number): void {
    const last = this.#lows.length - 1;
    const isFirst = last < this.#firstRanges[this.#firstRanges.length - 1]!;
    if (isFirst || this.#highs[last]! + 1 < low) {
      this.#lows.push(low);
      this.#highs.push(high);
    } else if (high > this.#highs[last]!) this.#highs[last] = high;
  }
}

/** Whether a range is the block of a prefix: what differs between its ends are low bits, none of them in the first address. */
function isBlock4(from: number, to: number): boolean {
  const differing = from ^ to;
  return (differing & (differing + 1)) === 0 && (from & differing) === 0;
}

function isBlock6(from: bigint, to: bigint): boolean {
  const differing = from ^ to;
  return (differing & (differing + 1n)) === 0n && (from & differing) === 0n;
}
