import { prefixesBetween, subtract, type Family, type Prefix, FAMILIES } from "../../address";
import { onceForEach, onceIn } from "../../collections";
import { alike, lineKey, numbered, planeKey, classesOf, type Classes, type Range } from "./classes";
import { NUMBERS, over, presence, unionOf, type Runs, type Whole } from "./algebra";
import type { PacketSet } from "./packetSet";
import type { ServiceRange } from "./service";

/** All combinations of services, sources and destinations of one family. */
export interface PacketBlock {
  family: Family;
  services: readonly ServiceRange[];
  sources: readonly Prefix[];
  destinations: readonly Prefix[];
}

/** What a block has in each dimension: services, sources, destinations. */
type Sides<R> = readonly [readonly R[], readonly R[], readonly R[]];
/** Neighbouring positions of classes. */
type Classed = ReturnType<Classes["of"]>[number];
type Dimension = 0 | 1 | 2;

const [SERVICE, SOURCE, DESTINATION] = [0, 1, 2] as const;
/** The order of the cuts decides how many blocks there are. */
const ORDERS: readonly (readonly [Dimension, Dimension, Dimension])[] = [
  [SERVICE, SOURCE, DESTINATION],
  [SERVICE, DESTINATION, SOURCE],
  [SOURCE, SERVICE, DESTINATION],
  [SOURCE, DESTINATION, SERVICE],
  [DESTINATION, SERVICE, SOURCE],
  [DESTINATION, SOURCE, SERVICE],
];

/**
 * The set as disjoint blocks: the fewest that result from cutting it along one dimension after another, in the best order.
 */
export function blocksOf(set: PacketSet): PacketBlock[] {
  return FAMILIES.flatMap((family) => {
    const only = family === 4 ? onlyBlock(4, set[4], sides4) : onlyBlock(6, set[6], sides6);
    if (only) return [only];
    const boxes = family === 4 ? boxesOf(set[4]) : boxesOf(set[6]);
    // One box is one block, however it is cut.
    if (boxes.length <= 1) return boxes.map((box) => blockOf(family, box));
    const classes = byDimension((dimension) => classesOf(boxes.map((box) => box[dimension])));
    const small = boxes.map((box) => byDimension((dimension) => classes[dimension].of(box[dimension])));
    const ways = ORDERS.map((order) => cut(small, order));
    const best = ways.reduce((shortest, way) => (way.length < shortest.length ? way : shortest));
    const rangesOf = (sides: Sides<Classed>): Sides<Range> =>
      byDimension((dimension) => classes[dimension].ranges(sides[dimension]));
    return best.map((sides) => blockOf(family, rangesOf(sides)));
  });
}

/**
 * The block of a rule that has the same sources and destinations at all of its services. Rules of one prefix list share their
 * addresses, which are converted once.
 */
function onlyBlock<N extends Whole>(
  family: Family,
  set: Runs<Runs<Runs<boolean, N>, N>>,
  sidesOf: (plane: Runs<Runs<boolean, N>, N>) => Pick<PacketBlock, "sources" | "destinations"> | undefined,
): PacketBlock | undefined {
  const [first] = set;
  if (!first || set.some(({ rest }) => rest !== first.rest)) return undefined;
  const sides = sidesOf(first.rest);
  return sides && { family, services: set.map(({ from, to }) => ({ from, to })), ...sides };
}

function sidesOf<N extends Whole>(family: Family, plane: Runs<Runs<boolean, N>, N>) {
  const [first] = plane;
  if (!first || plane.some(({ rest }) => rest !== first.rest)) return undefined;
  return { sources: prefixesOf(family, plane), destinations: prefixesOf(family, first.rest) };
}
const sides4 = onceForEach((plane: Runs<Runs<boolean>>) => sidesOf(4, plane));
const sides6 = onceForEach((plane: Runs<Runs<boolean, bigint>, bigint>) => sidesOf(6, plane));

const prefixesOf = (family: Family, ranges: readonly { from: Whole; to: Whole }[]): Prefix[] =>
  ranges.flatMap(({ from, to }) => prefixesBetween(family, BigInt(from), BigInt(to)));

function blockOf(family: Family, [services, sources, destinations]: Sides<Range>): PacketBlock {
  return {
    family,
    services: services.map(({ from, to }) => ({ from: Number(from), to: Number(to) })),
    sources: prefixesOf(family, sources),
    destinations: prefixesOf(family, destinations),
  };
}

const byDimension = <T>(of: (dimension: Dimension) => T): [T, T, T] => [
  of(SERVICE),
  of(SOURCE),
  of(DESTINATION),
];

/** The set cut in its own order of dimensions, so that a product stays one box. */
function boxesOf<N extends Whole>(set: Runs<Runs<Runs<boolean, N>, N>>): Sides<Range>[] {
  const lineNumber = numbered<Runs<boolean, N>>(lineKey);
  const planeNumber = numbered<Runs<Runs<boolean, N>, N>>((plane) => planeKey(plane, lineNumber));
  const largeLine = new Map<number, readonly Range[]>();
  const destinations = (line: Runs<boolean, N>): readonly Range[] =>
    onceIn(largeLine, lineNumber(line), () => line.map(large));
  return alike(set, planeNumber).flatMap(({ ranges, rest }) => {
    const services = ranges.map(large);
    return alike(rest, lineNumber).map((sources): Sides<Range> => [
      services,
      sources.ranges.map(large),
      destinations(sources.rest),
    ]);
  });
}

/** Converts to `bigint`: dimensions change places, so all of them need numbers of one kind. */
const large = ({ from, to }: { from: Whole; to: Whole }): Range => ({ from: BigInt(from), to: BigInt(to) });

const line = over(presence, NUMBERS);
const plane = over(line, NUMBERS);
const space = over(plane, NUMBERS);

/** Cuts boxes of classes along one dimension after the other. */
function cut(
  boxes: readonly Sides<Classed>[],
  [first, second, third]: readonly [Dimension, Dimension, Dimension],
): Sides<Classed>[] {
  const each = <S>(ranges: readonly Classed[], rest: S): Runs<S> =>
    ranges.map(({ from, to }) => ({ from, to, rest }));
  const set = unionOf(
    space,
    boxes.map((box) => each(box[first], each(box[second], each(box[third], true)))),
  );
  const lineNumber = numbered<Runs<boolean>>(lineKey);
  const planeNumber = numbered<Runs<Runs<boolean>>>((one) => planeKey(one, lineNumber));
  return alike(set, planeNumber).flatMap(({ ranges: a, rest }) =>
    alike(rest, lineNumber).map(({ ranges: b, rest: c }) => {
      const sides: { [D in Dimension]?: readonly Classed[] } = {};
      [sides[first], sides[second], sides[third]] = [a, b, c];
      return byDimension((dimension) => sides[dimension]!);
    }),
  );
}

/** The blocks of `whole` that are not in `prefixes`, if naming `whole` except for these is shorter; else undefined. */
export function leftOut(
  prefixes: readonly Prefix[],
  whole: readonly Prefix[],
): readonly Prefix[] | undefined {
  const rest = subtract(whole, prefixes);
  return rest.length > 0 && whole.length + rest.length < prefixes.length ? rest : undefined;
}
