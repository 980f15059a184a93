import { prefixesBetween, type Family, type Prefix } from "../../address";
import { alike, lineKey, planeKey } from "./alike";
import { LARGE_NUMBERS, over, presence, unionOf, type Runs, type Whole } from "./algebra";
import { FAMILIES, type PacketSet } from "./packetSet";
import { describeServices, type ServiceRange } from "./service";

/** All combinations of some services, sources and destinations of one family. */
export interface Block {
  family: Family;
  services: readonly ServiceRange[];
  sources: readonly Prefix[];
  destinations: readonly Prefix[];
}

/** Neighbouring numbers, first and last included. */
interface Range {
  from: bigint;
  to: bigint;
}

/** For each dimension the numbers that a block has in it: services, sources, destinations. */
type Sides = readonly [readonly Range[], readonly Range[], readonly Range[]];
type Dimension = 0 | 1 | 2;

const [SERVICE, SOURCE, DESTINATION] = [0, 1, 2] as const;
/** Which dimension is cut first decides how many blocks there are. */
const ORDERS: readonly (readonly [Dimension, Dimension, Dimension])[] = [
  [SERVICE, SOURCE, DESTINATION],
  [SERVICE, DESTINATION, SOURCE],
  [SOURCE, SERVICE, DESTINATION],
  [SOURCE, DESTINATION, SERVICE],
  [DESTINATION, SERVICE, SOURCE],
  [DESTINATION, SOURCE, SERVICE],
];

/**
 * The set as few blocks that share no packet: the fewest that come of cutting it along one dimension after the other, in
 * the best order.
 */
export function blocksOf(set: PacketSet): Block[] {
  return FAMILIES.flatMap((family) => {
    const boxes = family === 4 ? boxesOf(set[4]) : boxesOf(set[6]);
    const ways = ORDERS.map((order) => cut(boxes, order));
    const best = ways.reduce((shortest, way) => (way.length < shortest.length ? way : shortest));
    return best.map(([services, sources, destinations]) => ({
      family,
      services: services.map(({ from, to }) => ({ from: Number(from), to: Number(to) })),
      sources: sources.flatMap(({ from, to }) => prefixesBetween(family, from, to)),
      destinations: destinations.flatMap(({ from, to }) => prefixesBetween(family, from, to)),
    }));
  });
}

type Box = readonly [Range, Range, Range];

const boxesOf = <N extends Whole>(set: Runs<Runs<Runs<boolean, N>, N>>): Box[] =>
  set.flatMap((service) =>
    service.rest.flatMap((source) =>
      source.rest.map((destination): Box => [large(service), large(source), large(destination)]),
    ),
  );

/** The dimensions change places: all of them have numbers of one kind here. */
const large = ({ from, to }: { from: Whole; to: Whole }): Range => ({ from: BigInt(from), to: BigInt(to) });

const line = over(presence, LARGE_NUMBERS);
const plane = over(line, LARGE_NUMBERS);
const space = over(plane, LARGE_NUMBERS);

function cut(boxes: readonly Box[], order: readonly [Dimension, Dimension, Dimension]): Sides[] {
  const [first, second, third] = order;
  const one = <S>({ from, to }: Range, rest: S): Runs<S, bigint> => [{ from, to, rest }];
  const set = unionOf(
    space,
    boxes.map((box) => one(box[first], one(box[second], one(box[third], true)))),
  );
  return alike(set, planeKey).flatMap(({ ranges: a, rest }) =>
    alike(rest, lineKey).map(({ ranges: b, rest: c }) => {
      const sides: Record<Dimension, readonly Range[]> = { 0: [], 1: [], 2: [] };
      [sides[first], sides[second], sides[third]] = [a, b, c];
      return [sides[SERVICE], sides[SOURCE], sides[DESTINATION]] as const;
    }),
  );
}

/** A line for each block: `TCP 443, TCP 6443 from 10.0.0.0/16 to 10.1.0.0/24, 10.2.0.0/24`. */
export function describePackets(set: PacketSet): string[] {
  return blocksOf(set).map(
    ({ services, sources, destinations }) =>
      `${services.flatMap(describeServices).join(", ")} from ${sources.join(", ")} to ${destinations.join(", ")}`,
  );
}
