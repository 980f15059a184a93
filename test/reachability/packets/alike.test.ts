import fc from "fast-check";
import { Prefix } from "../../../src/address/prefix";
import { blocksOf } from "../../../src/reachability/packets/print";
import { packets, unionAll, equal } from "../../../src/reachability/packets/packetSet";
import { service } from "../../../src/reachability/packets/service";
import { LARGE_NUMBERS, over, presence, unionOf, type Runs } from "../../../src/reachability/packets/algebra";
import { alike, lineKey, planeKey } from "../../../src/reachability/packets/classes";

type Line = Runs<boolean, bigint>;
type Plane = Runs<Line, bigint>;

const line = over(presence, LARGE_NUMBERS);
const plane = over(line, LARGE_NUMBERS);
const space = over(plane, LARGE_NUMBERS);

const one = <S>([a, b]: readonly [bigint, bigint], rest: S): Runs<S, bigint> => [
  { from: a < b ? a : b, to: a < b ? b : a, rest },
];
// Numbers whose digits would run together in keys without separators, and one of IPv6.
const number = fc.oneof(fc.bigInt({ min: 0n, max: 12n }), fc.constantFrom(31n, 32n, 33n, 1n << 127n));
const ends = fc.tuple(number, number);
const lines = fc.array(ends, { maxLength: 5 }).map((all) =>
  unionOf(
    line,
    all.map((range) => one(range, true)),
  ),
);
const planes = fc.array(fc.tuple(ends, lines), { maxLength: 5 }).map((all) =>
  unionOf(
    plane,
    all.flatMap(([range, rest]) => (line.isEmpty(rest) ? [] : [one(range, rest)])),
  ),
);
const spaces = fc.array(fc.tuple(ends, planes), { maxLength: 6 }).map((all) =>
  unionOf(
    space,
    all.flatMap(([range, rest]) => (plane.isEmpty(rest) ? [] : [one(range, rest)])),
  ),
);

/** Compares each rest with all rests before it. */
function slowly<S>(set: Runs<S, bigint>, same: (a: S, b: S) => boolean) {
  const groups: { ranges: { from: bigint; to: bigint }[]; rest: S }[] = [];
  for (const { from, to, rest } of set) {
    const group = groups.find((candidate) => same(candidate.rest, rest));
    if (group) group.ranges.push({ from, to });
    else groups.push({ ranges: [{ from, to }], rest });
  }
  return groups;
}

describe("runs with the same rest are grouped together", () => {
  test("in planes, as if each were compared with all others", () => {
    fc.assert(
      fc.property(planes, (set: Plane) => {
        expect(alike(set, lineKey)).toEqual(slowly(set, line.equal));
      }),
      { numRuns: 500 },
    );
  });

  test("in spaces, as if each were compared with all others", () => {
    fc.assert(
      fc.property(spaces, (set) => {
        expect(alike(set, planeKey)).toEqual(slowly(set, plane.equal));
      }),
      { numRuns: 500 },
    );
  });

  test("and two sets have the same key exactly if they are equal", () => {
    fc.assert(
      fc.property(planes, planes, (a, b) => {
        expect(planeKey(a) === planeKey(b)).toBe(plane.equal(a, b));
      }),
      { numRuns: 500 },
    );
  });
});

test("a set of 4,000 unrelated blocks is printed as 4,000 blocks without loss", () => {
  const hosts = Array.from({ length: 4_000 }, (_, position) =>
    packets({
      services: [service(6, { from: position * 3, to: position * 3 })],
      sources: [new Prefix(4, BigInt(position * 4), 32)],
      destinations: [new Prefix(4, BigInt(position * 8), 32)],
    }),
  );
  const blocks = blocksOf(unionAll(hosts));
  expect(blocks).toHaveLength(4_000);
  expect(equal(unionAll(blocks.map(packets)), unionAll(hosts))).toBe(true);
});
