import fc from "fast-check";
import { Prefix, prefixesBetween } from "../../../src/address";
import { blocksOf, type PacketBlock } from "../../../src/reachability/packets/print";
import {
  difference,
  EVERY_PACKET,
  NO_PACKETS,
  packets,
  union,
  type PacketSet,
} from "../../../src/reachability/packets/packetSet";
import { service } from "../../../src/reachability/packets/service";
import { LARGE_NUMBERS, over, presence, unionOf, type Runs } from "../../../src/reachability/packets/algebra";
import { alike, lineKey, planeKey, classesOf } from "../../../src/reachability/packets/classes";

const line = over(presence, LARGE_NUMBERS);
const plane = over(line, LARGE_NUMBERS);
const space = over(plane, LARGE_NUMBERS);

type Ends = { from: bigint; to: bigint };

/** The blocks of a set with each service, source and destination as a separate box, cut in each order. */
function slowly(set: PacketSet): PacketBlock[] {
  return ([4, 6] as const).flatMap((family) => {
    const runs = set[family] as Runs<Runs<Runs<boolean, number | bigint>, number | bigint>, number | bigint>;
    const large = ({ from, to }: { from: number | bigint; to: number | bigint }): Ends => ({
      from: BigInt(from),
      to: BigInt(to),
    });
    const boxes = runs.flatMap((one) =>
      one.rest.flatMap((source) =>
        source.rest.map((end) => [large(one), large(source), large(end)] as const),
      ),
    );
    const orders = [
      [0, 1, 2],
      [0, 2, 1],
      [1, 0, 2],
      [1, 2, 0],
      [2, 0, 1],
      [2, 1, 0],
    ] as const;
    const ways = orders.map(([first, second, third]) => {
      const one = <S>(ends: Ends, rest: S): Runs<S, bigint> => [{ ...ends, rest }];
      const all = unionOf(
        space,
        boxes.map((box) => one(box[first], one(box[second], one(box[third], true)))),
      );
      return alike(all, planeKey).flatMap(({ ranges: a, rest }) =>
        alike(rest, lineKey).map(({ ranges: b, rest: c }) => {
          const sides: Record<number, readonly Ends[]> = {};
          [sides[first], sides[second], sides[third]] = [a, b, c];
          return sides;
        }),
      );
    });
    const best = ways.reduce((shortest, way) => (way.length < shortest.length ? way : shortest));
    return best.map((sides) => ({
      family,
      services: sides[0]!.map(({ from, to }) => ({ from: Number(from), to: Number(to) })),
      sources: sides[1]!.flatMap(({ from, to }) => prefixesBetween(family, from, to)),
      destinations: sides[2]!.flatMap(({ from, to }) => prefixesBetween(family, from, to)),
    }));
  });
}

const prefix = fc
  .tuple(fc.constantFrom<4 | 6>(4, 6), fc.nat({ max: 15 }), fc.nat({ max: 4 }))
  .map(([family, number, free]) => {
    const bits = family === 4 ? 32 : 128;
    return new Prefix(family, BigInt((number >> free) << free), bits - free);
  });
const prefixes = fc.array(prefix, { minLength: 1, maxLength: 6 });
const ports = fc
  .tuple(fc.nat({ max: 9 }), fc.nat({ max: 3 }))
  .map(([from, more]) => service(6, { from, to: from + more }));
const boxes = fc
  .tuple(fc.array(ports, { minLength: 1, maxLength: 3 }), prefixes, prefixes)
  .map(([services, sources, destinations]) => packets({ services, sources, destinations }));
const sets = fc
  .array(fc.tuple(boxes, fc.boolean()), { maxLength: 6 })
  .map((all) =>
    all.reduce((set, [box, adds]) => (adds ? union(set, box) : difference(set, box)), NO_PACKETS),
  );

test("the blocks are the same, in the same order, as with a separate box for every combination", () => {
  fc.assert(
    fc.property(sets, (set) => {
      expect(blocksOf(set)).toEqual(slowly(set));
    }),
    { numRuns: 400 },
  );
});

test("numbers that no list distinguishes form one class, and the classes of a list contain its numbers", () => {
  const ends = fc.tuple(fc.bigInt({ min: 0n, max: 30n }), fc.bigInt({ min: 0n, max: 3n }));
  const lists = fc.array(
    fc.array(ends, { maxLength: 5 }).map((all) =>
      unionOf(
        line,
        all.map(([from, more]) => [{ from, to: from + more, rest: true }]),
      ).map(({ from, to }) => ({ from, to })),
    ),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(lists, (all) => {
      const classes = classesOf(all);
      for (const list of all) expect(classes.ranges(classes.of(list))).toEqual(list);
      const ofNumber = (number: bigint) =>
        all.map((list) => list.some(({ from, to }) => from <= number && number <= to)).join();
      const kinds = new Set(Array.from({ length: 34 }, (_, number) => ofNumber(BigInt(number))));
      kinds.delete(ofNumber(1000n));
      const positions = all.flatMap((list) => classes.of(list).map(({ to }) => to));
      expect(Math.max(-1, ...positions)).toBe(kinds.size - 1);
    }),
  );
});

describe("n blocks that all reach each other", () => {
  const mesh = (count: number): PacketSet => {
    const blocks = Array.from({ length: count }, (_, position) => new Prefix(4, BigInt(position * 512), 24));
    return packets({ services: [service(6, { from: 22, to: 22 })], sources: blocks, destinations: blocks });
  };

  /** The number of different sets below the sources of a set. */
  const below = (set: PacketSet): number =>
    new Set(set[4].flatMap(({ rest }) => rest.map((run) => run.rest))).size;

  test.each([64, 128, 2_000])("are printed as one block: %i", (count) => {
    const [block, ...others] = blocksOf(mesh(count));
    expect(others).toEqual([]);
    expect([block!.sources.length, block!.destinations.length]).toEqual([count, count]);
  });

  test("share one set of destinations for all other sources if removed from everything", () => {
    expect([64, 128].map((count) => below(difference(EVERY_PACKET, mesh(count))))).toEqual([2, 2]);
  });

  test("are few blocks if 2,000 of them are removed from everything", () => {
    const blocks = blocksOf(difference(EVERY_PACKET, mesh(2_000)));
    expect(blocks.length).toBeLessThan(8);
  });
});
