import { isDeepStrictEqual } from "node:util";

import {
  contains,
  enclosedBy,
  everyOverlap,
  firstShared,
  heaviestOverlaps,
  meeting,
  overlap,
  overlaps,
  overlapsAmong,
  readPrefix,
  type Family,
  type Overlap,
  type Prefix,
} from "../../src/address";

// A second implementation of overlap and containment: a block is the list of its addresses, and every two of them are compared.

/** A block in a small universe: its addresses, and its prefix as the package reads it. */
export interface SmallBlock {
  readonly addresses: readonly number[];
  readonly prefix: Prefix;
  /** Its place in a list, which distinguishes equal blocks. */
  readonly at: number;
}

const FIRST: Readonly<Record<Family, (place: number) => string>> = {
  4: (place) => `10.11.12.${place}`,
  6: (place) => `fd01::${place.toString(16)}`,
};
const BITS: Readonly<Record<Family, number>> = { 4: 32, 6: 128 };

/** Every block in a universe of that many addresses, a power of two. */
export function everyBlock(universe: number, family: Family): SmallBlock[] {
  const blocks: SmallBlock[] = [];
  for (let size = universe; size >= 1; size /= 2)
    for (let from = 0; from < universe; from += size)
      blocks.push({
        addresses: Array.from({ length: size }, (_, place) => from + place),
        prefix: readPrefix(`${FIRST[family](from)}/${BITS[family] - Math.log2(size)}`)!,
        at: blocks.length,
      });
  return blocks;
}

/** Every list of that many blocks, in every order and with repetitions. */
export function* everyList(blocks: readonly SmallBlock[], length: number): Generator<SmallBlock[]> {
  if (length === 0) yield [];
  else
    for (const list of everyList(blocks, length - 1))
      for (const block of blocks) yield [...list, { ...block, at: list.length }];
}

/** Facts about a list of blocks, in the same form for both implementations. */
export interface RangesAnswer {
  /** For each pair of overlapping blocks, by their places: which contains which, and the first address that they share. */
  pairs: string[];
  /** Places of the blocks that share addresses with another one. */
  touched: number[];
  /** The numbers of addresses that the largest `LISTED` overlapping pairs share, and how many more pairs there are. */
  heaviest: { shared: number[]; further: number };
  /** Number of blocks that equal an earlier one, and of blocks inside a larger one. */
  repeated: number;
  nested: number;
  /** The blocks that overlap the first one, and whether another block encloses the first one. */
  meetingFirst: number[];
  isEnclosed: boolean;
}

/** The number of pairs that are listed. */
const LISTED = 2;
const ascending = (a: number, b: number): number => a - b;

/** The package's answer. */
export function byPackage(list: readonly SmallBlock[]): RangesAnswer {
  const [first, ...others] = list as [SmallBlock, ...SmallBlock[]];
  const sharedBy = ({ inner }: Overlap<SmallBlock>): number =>
    2 ** (BITS[inner.prefix.family] - inner.prefix.length);
  const { pairs, further } = heaviestOverlaps(list, LISTED);
  const { duplicates, nested, pairs: counted } = overlapsAmong(list.map(({ prefix }) => prefix.text));
  const every = everyOverlap(list);
  if (counted !== every.length) throw new Error(`${counted} pairs are counted, and ${every.length} listed`);
  return {
    pairs: twoOf(list).flatMap(([a, b]) => {
      const isPair = every.some(
        ({ outer, inner }) => (outer === a && inner === b) || (outer === b && inner === a),
      );
      if (isPair !== overlap(a.prefix, b.prefix)) return [`${a.at} ${b.at} is listed: ${isPair}`];
      return isPair
        ? [
            pairText(
              a,
              b,
              contains(a.prefix, b.prefix),
              contains(b.prefix, a.prefix),
              firstShared(a.prefix, b.prefix),
            ),
          ]
        : [];
    }),
    touched: [...new Set(overlaps(list).flatMap(({ outer, inner }) => [outer.at, inner.at]))].sort(ascending),
    heaviest: { shared: pairs.map(sharedBy).sort(ascending), further },
    repeated: duplicates,
    nested,
    meetingFirst: meeting(others)(first.prefix)
      .map(({ at }) => at)
      .sort(ascending),
    isEnclosed: enclosedBy(others.map(({ prefix }) => prefix))(first.prefix),
  };
}

/** The same facts by comparing addresses. */
export function byAddresses(list: readonly SmallBlock[]): RangesAnswer {
  const [first, ...others] = list as [SmallBlock, ...SmallBlock[]];
  const shared = ({ addresses }: SmallBlock, other: SmallBlock): number[] =>
    addresses.filter((address) => other.addresses.includes(address));
  const holds = (outer: SmallBlock, inner: SmallBlock): boolean =>
    shared(inner, outer).length === inner.addresses.length;
  const meet = (a: SmallBlock, b: SmallBlock): boolean => shared(a, b).length > 0;
  const pairs = twoOf(list).filter(([a, b]) => meet(a, b));
  const weights = pairs.map(([a, b]) => shared(a, b).length).sort((a, b) => b - a);
  const isEqual = (a: SmallBlock, b: SmallBlock) => holds(a, b) && holds(b, a);
  return {
    pairs: pairs.map(([a, b]) =>
      pairText(
        a,
        b,
        holds(a, b),
        holds(b, a),
        FIRST[a.prefix.family](Math.min(...shared(a, b))).replace(/::0$/, "::"),
      ),
    ),
    touched: list
      .filter((one) => list.some((other) => other !== one && meet(one, other)))
      .map(({ at }) => at),
    heaviest: {
      shared: weights.slice(0, LISTED).sort(ascending),
      further: Math.max(0, weights.length - LISTED),
    },
    repeated: list.filter((one, at) => list.slice(0, at).some((other) => isEqual(one, other))).length,
    nested: list.filter((one) => list.some((other) => holds(other, one) && !isEqual(other, one))).length,
    meetingFirst: others.filter((other) => meet(first, other)).map(({ at }) => at),
    isEnclosed: others.some((other) => holds(other, first)),
  };
}

const pairText = (
  a: SmallBlock,
  b: SmallBlock,
  isOuter: boolean,
  isInner: boolean,
  witness: string,
): string => `${a.at} ${b.at} ${isOuter ? "holds" : ""}${isInner ? "is held" : ""} from ${witness}`;

const twoOf = (list: readonly SmallBlock[]): [SmallBlock, SmallBlock][] =>
  list.flatMap((a, at) => list.slice(at + 1).map((b): [SmallBlock, SmallBlock] => [a, b]));

/** Compares the answers for all lists of that many blocks, in IPv4 and IPv6: returns their number, and the first list that differs. */
export function agreeOnRanges(universe: number, length: number): { lists: number; differing?: unknown } {
  let lists = 0;
  for (const family of [4, 6] as const)
    for (const list of everyList(everyBlock(universe, family), length)) {
      lists += 1;
      const [ours, theirs] = [byPackage(list), byAddresses(list)];
      if (!isDeepStrictEqual(ours, theirs))
        return { lists, differing: { list: list.map(({ prefix }) => prefix.text), ours, theirs } };
    }
  return { lists };
}
