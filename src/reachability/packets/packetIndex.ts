import type { Prefix } from "../../address";
import type { Whole } from "./algebra";
import { BlockIndex, Mark } from "./blockIndex";
import type { ServiceRange } from "./service";
import {
  PacketsOfBox,
  hasEveryAddress,
  opposite,
  type End,
  type FamilySet,
  type PacketSet,
} from "./packetSet";

/** A set that may have packets outside the union of the sets of another index. */
export interface Beyond {
  position: number;
  /** True if it certainly has packets, and shares none with those sets. */
  isApart: boolean;
}

/** What an index tells about the rules of a filter. */
export type RuleIndex = Pick<
  PacketIndex,
  "beyond" | "meeting" | "surelyContains" | "surelyMisses" | "surelyDoubts"
>;

/** The indexes of several lists of sets as the index of one list. */
export class JoinedIndex implements RuleIndex {
  /** @param parts the indexes, and the lengths of their lists */
  constructor(private readonly parts: readonly { length: number; index: RuleIndex }[]) {}

  beyond(other: PacketIndex): Beyond[] {
    return this.#inOrder(({ index }) => index.beyond(other)).map(({ found, start }) => ({
      ...found,
      position: found.position + start,
    }));
  }

  meeting(set: PacketSet): number[] {
    return this.#inOrder(({ index }) => index.meeting(set)).map(({ found, start }) => found + start);
  }

  surelyContains(set: PacketSet): boolean {
    return this.parts.some(({ index }) => index.surelyContains(set));
  }

  surelyMisses(set: PacketSet): boolean {
    return this.#onlyAbout(set)?.surelyMisses(set) ?? false;
  }

  surelyDoubts(set: PacketSet): boolean {
    return this.#onlyAbout(set)?.surelyDoubts(set) ?? false;
  }

  /** The only index with sets that may share a packet with this one. */
  #onlyAbout(set: PacketSet): RuleIndex | undefined {
    const [only, ...more] = this.parts.filter(({ index }) => index.meeting(set).length > 0);
    return more.length === 0 ? only?.index : undefined;
  }

  #inOrder<T>(find: (part: { index: RuleIndex }) => readonly T[]): { found: T; start: number }[] {
    let start = 0;
    return this.parts.flatMap((part) => {
      const here = start;
      start += part.length;
      return find(part).map((found) => ({ found, start: here }));
    });
  }
}

/**
 * An index of many sets of packets that relates given packets to them without checking each set. Made for sets that leave one end
 * open, as the rules of packet filters do.
 */
export class PacketIndex {
  #ipv4: BlockIndex<number> | undefined;
  #ipv6: BlockIndex<bigint> | undefined;
  /** The end of packets by which sets are indexed. */
  #end: End | undefined;
  /** Greater than all positions. */
  #count = 0;
  /** Whether some set has, at either end, only a part of the addresses that it is indexed with. */
  #hasParts = false;

  /** Adds a set; only before the first query. `counts` states whether `surelyContains` may rely on it. */
  add(set: PacketSet, position: number, counts = true): void {
    this.#count = Math.max(this.#count, position + 1);
    if (set instanceof PacketsOfBox && this.addBox(set, position, counts)) return;
    this.#end ??= endOf(set);
    const isSource = this.#end === "source";
    const isWhole4 = set[4].length === 0 || addTo(this.ipv4(), set[4], 4, isSource, position, counts);
    const isWhole6 = set[6].length === 0 || addTo(this.ipv6(), set[6], 6, isSource, position, counts);
    if (!isWhole4 || !isWhole6) this.#hasParts = true;
  }

  private addBox(box: PacketsOfBox, position: number, counts: boolean): boolean {
    const { sources, destinations } = box;
    if (!sources === !destinations) return false;
    const end = sources ? "source" : "destination";
    this.#end ??= end;
    if (this.#end !== end) return false;
    for (const prefix of (sources ?? destinations)!) this.addPrefix(end, box, prefix, position, counts);
    return true;
  }

  /** Adds services at the addresses of a prefix at one end, with any address at the other. */
  addPrefix(end: End, { from, to }: ServiceRange, prefix: Prefix, position: number, counts = true): void {
    this.#end = end;
    this.#count = Math.max(this.#count, position + 1);
    if (from > to) return;
    if (prefix.family === 6) this.ipv6().addPrefix(prefix, from, to, position, counts);
    else this.ipv4().addPrefix(prefix, from, to, position, counts);
  }

  /** Adds a set that has only some of the addresses of the prefix: for those, the index alone cannot tell. */
  addAround(end: End, services: ServiceRange, prefix: Prefix, position: number): void {
    this.#hasParts = true;
    this.addPrefix(end, services, prefix, position, false);
  }

  /** The sets that may have packets outside the union of the sets of another index, in order. */
  beyond(other: PacketIndex): Beyond[] {
    // Sets that are indexed by one end tell nothing about the other.
    const isComparable = other.#end === this.#end;
    const marks = new Uint8Array(this.#count);
    this.#ipv4?.markBeyond(isComparable ? other.#ipv4 : undefined, marks);
    this.#ipv6?.markBeyond(isComparable ? other.#ipv6 : undefined, marks);
    const found: Beyond[] = [];
    marks.forEach((mark, position) => {
      if ((mark & Mark.More) === 0) return;
      found.push({ position, isApart: (isComparable || !other.#end) && (mark & Mark.Meets) === 0 });
    });
    return found;
  }

  /** True if the sets that count visibly contain all of these packets together; false if the index cannot tell. */
  surelyContains(set: PacketSet): boolean {
    if (set instanceof PacketsOfBox) return this.containsBox(set);
    const isSource = this.#end === "source";
    return allIn(this.#ipv4, set[4], isSource) && allIn(this.#ipv6, set[6], isSource);
  }

  /** The end by which sets are indexed. */
  private get end(): End {
    return this.#end ?? "destination";
  }

  private containsBox(box: PacketsOfBox): boolean {
    const { from, to } = box;
    for (const prefix of box.at(this.end))
      if (prefix.family === 6) {
        if (!this.#ipv6?.holds(from, to, prefix.start, prefix.end)) return false;
      } else if (!this.#ipv4?.holds(from, to, prefix.numbers.from, prefix.numbers.to)) return false;
    return true;
  }

  /** True if some of these packets are visibly in no set; false if the index cannot tell. */
  surelyMisses(set: PacketSet): boolean {
    if (!(set instanceof PacketsOfBox) || set.from > set.to) return false;
    const { from: low, to: high } = set;
    return set.at(this.end).some((prefix) => {
      if (!set.hasFamily(opposite(this.end), prefix.family)) return false;
      if (prefix.family === 6)
        return [prefix.start, prefix.end].some((at) => this.#ipv6?.misses(low, high, at, false) ?? true);
      const { from, to } = prefix.numbers;
      return [from, to].some((at) => this.#ipv4?.misses(low, high, at, false) ?? true);
    });
  }

  /** True if all of these packets are visibly in sets, and some in no set that counts; false if the index cannot tell. */
  surelyDoubts(set: PacketSet): boolean {
    if (!(set instanceof PacketsOfBox) || set.from > set.to || this.#hasParts) return false;
    const { from: low, to: high } = set;
    const ends = set.at(this.end);
    const isHeld = ends.every(({ family, start, end, numbers: { from, to } }) =>
      family === 6 ? this.#ipv6?.hasOne(low, high, start, end) : this.#ipv4?.hasOne(low, high, from, to),
    );
    return (
      isHeld &&
      ends.some(
        (prefix) =>
          set.hasFamily(opposite(this.end), prefix.family) &&
          (prefix.family === 6
            ? this.#ipv6!.misses(low, high, prefix.start, true)
            : this.#ipv4!.misses(low, high, prefix.numbers.from, true)),
      )
    );
  }

  /** The positions of the sets that may share a packet with this one, in order; for a set of many parts, all positions. */
  meeting(set: PacketSet): number[] {
    const isSource = this.#end === "source";
    // A set of many parts meets most sets, and a query for each part takes longer than checking all sets.
    if (partsOf(set, isSource) ** 2 > this.#count) return Array.from({ length: this.#count }, (_, at) => at);
    const found = new Set<number>();
    if (this.#ipv4) meetingIn(this.#ipv4, set[4], isSource, found);
    if (this.#ipv6) meetingIn(this.#ipv6, set[6], isSource, found);
    return inOrder(found);
  }

  private ipv4(): BlockIndex<number> {
    return (this.#ipv4 ??= BlockIndex.ipv4());
  }

  private ipv6(): BlockIndex<bigint> {
    return (this.#ipv6 ??= BlockIndex.ipv6());
  }
}

/** The number of parts that a query for a set consists of. */
function partsOf(set: PacketSet, isSource: boolean): number {
  let parts = 0;
  for (const family of [set[4], set[6]])
    for (const { rest } of family)
      if (isSource) parts += rest.length;
      else for (const source of rest) parts += source.rest.length;
  return parts;
}

const inOrder = (positions: ReadonlySet<number>): number[] => [...positions].sort((a, b) => a - b);

/** The end that a set restricts. */
function endOf(set: PacketSet): End | undefined {
  const [ipv4, ipv6] = [set[4][0]?.rest[0], set[6][0]?.rest[0]];
  if (ipv4) return hasEveryAddress(4, ipv4.rest) ? "source" : "destination";
  return ipv6 && (hasEveryAddress(6, ipv6.rest) ? "source" : "destination");
}

/** Adds a set of one family. Returns whether it has every address of the end by which it is not indexed. */
function addTo<N extends Whole>(
  index: BlockIndex<N>,
  set: FamilySet<N>,
  family: 4 | 6,
  isSource: boolean,
  position: number,
  counts: boolean,
): boolean {
  let isWhole = true;
  for (const { from: low, to: high, rest: sources } of set)
    for (const source of sources) {
      const hasAll = hasEveryAddress(family, isSource ? source.rest : [source]);
      const ends = isSource ? [source] : source.rest;
      for (const { from, to } of ends) index.add(from, to, low, high, position, counts && hasAll);
      isWhole &&= hasAll;
    }
  return isWhole;
}

function allIn<N extends Whole>(
  index: BlockIndex<N> | undefined,
  set: FamilySet<N>,
  isSource: boolean,
): boolean {
  for (const { from: low, to: high, rest: sources } of set)
    for (const source of sources)
      if (isSource) {
        if (!index?.holds(low, high, source.from, source.to)) return false;
      } else for (const { from, to } of source.rest) if (!index?.holds(low, high, from, to)) return false;
  return true;
}

function meetingIn<N extends Whole>(
  index: BlockIndex<N>,
  set: FamilySet<N>,
  isSource: boolean,
  found: Set<number>,
): void {
  for (const { from: low, to: high, rest: sources } of set)
    for (const source of sources)
      if (isSource) index.meeting(low, high, source.from, source.to, found);
      else for (const { from, to } of source.rest) index.meeting(low, high, from, to, found);
}
