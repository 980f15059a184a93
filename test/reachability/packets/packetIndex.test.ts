import fc from "fast-check";
import { Prefix } from "../../../src/address/prefix";
import {
  EVERY_PACKET,
  PacketsOfBox,
  contains,
  equal,
  intersection,
  isEmpty,
  packets,
  unionAll,
  type PacketSet,
} from "../../../src/reachability/packets/packetSet";
import { PacketIndex } from "../../../src/reachability/packets/packetIndex";
import { service } from "../../../src/reachability/packets/service";
import { address, prefix } from "../smallUniverse";

const TCP = 6;
const range = fc.tuple(fc.nat(7), fc.nat(3)).map(([from, more]) => ({ from, to: from + more }));
const block = fc
  .tuple(fc.nat(255), fc.integer({ min: 24, max: 30 }))
  .map(([bits, length]) => prefix(`${address(bits & (0xff << (32 - length)))}/${length}`));
const base4 = prefix("10.0.0.0/24").start;
const base6 = prefix("fd00::/120").start;
const inIPv6 = ({ start, length }: Prefix) => new Prefix(6, start - base4 + base6, length + 96);
/** Up to three blocks of either family. */
const blocks = fc.array(fc.oneof(block, block.map(inIPv6)), { minLength: 1, maxLength: 3 });

const box = (end: "sources" | "destinations") =>
  fc
    .record({ ports: range, ends: blocks })
    .map(({ ports, ends }) => packets({ services: [service(TCP, ports)], [end]: ends }));
const both = fc
  .record({ ports: range, sources: blocks, destinations: blocks })
  .map(({ ports, ...ends }) => packets({ services: [service(TCP, ports)], ...ends }));
const everything = fc.constant(EVERY_PACKET);

const lists = (end: "sources" | "destinations") =>
  fc.array(fc.oneof({ weight: 8, arbitrary: box(end) }, both, everything), { maxLength: 12 });
const anyList = fc.oneof(lists("sources"), lists("destinations"));
const asked = fc.oneof(box("sources"), box("destinations"), both);

const indexOf = (sets: readonly PacketSet[]) => {
  const index = new PacketIndex();
  sets.forEach((set, position) => index.add(set, position));
  return index;
};

describe("an index of many packet sets", () => {
  test("reports containment only for packets in the union of the sets", () => {
    fc.assert(
      fc.property(anyList, asked, (sets, set) =>
        indexOf(sets).surelyContains(set) ? contains(unionAll(sets), set) : true,
      ),
      { numRuns: 500 },
    );
  });

  test("answers the same for packets that are computed when first read, and finds them", () => {
    const lazy = fc
      .record({ ports: range, ends: blocks, isSource: fc.boolean() })
      .map(({ ports, ends, isSource }) => {
        const range = service(TCP, ports);
        return isSource ? new PacketsOfBox(range, ends, undefined) : new PacketsOfBox(range, undefined, ends);
      });
    const lazyLists = fc.array(fc.oneof(lazy, asked), { maxLength: 8 });
    fc.assert(
      fc.property(lazyLists, lazy, (sets, set) => {
        const index = indexOf(sets);
        const found = index.meeting(set);
        const union = unionAll(sets);
        expect(sets.every((one, i) => found.includes(i) || isEmpty(intersection(one, set)))).toBe(true);
        expect(!index.surelyContains(set) || contains(union, set)).toBe(true);
        expect(equal(set, packets(set))).toBe(true);
      }),
      { numRuns: 500 },
    );
    const workers = [prefix("10.0.0.0/24"), prefix("fd00::/120")];
    const index = indexOf([packets({ services: [service(TCP)], sources: workers })]);
    expect(index.surelyContains(new PacketsOfBox(service(TCP), workers, undefined))).toBe(true);
    expect(index.surelyContains(new PacketsOfBox(service(TCP), undefined, workers))).toBe(false);
  });

  test("reports packets as missed or doubtful only if they are not in the sets, or only in sets that do not count", () => {
    const question = fc
      .record({ ports: range, ends: blocks, others: blocks, kind: fc.nat(2) })
      .map(({ ports, ends, others, kind }) => {
        const [sources, destinations] = [kind === 1 ? undefined : ends, kind === 0 ? undefined : others];
        return new PacketsOfBox(service(TCP, ports), sources, destinations);
      });
    const counted = fc.array(fc.boolean(), { minLength: 12, maxLength: 12 });
    const seen = { missed: 0, doubted: 0 };
    fc.assert(
      fc.property(anyList, counted, question, (sets, counts, set) => {
        const index = new PacketIndex();
        sets.forEach((one, position) => index.add(one, position, counts[position]));
        const isHeld = contains(unionAll(sets), set);
        const isSurelyHeld = contains(unionAll(sets.filter((_, position) => counts[position])), set);
        const [isMissed, isDoubted] = [index.surelyMisses(set), index.surelyDoubts(set)];
        expect(isMissed && isHeld).toBe(false);
        expect(isDoubted && (!isHeld || isSurelyHeld)).toBe(false);
        seen.missed += Number(isMissed);
        seen.doubted += Number(isDoubted);
      }),
      { numRuns: 2_000 },
    );
    expect(Math.min(seen.missed, seen.doubted)).toBeGreaterThan(10);
  });

  test("finds a port between two others that no set has", () => {
    const at = (from: number, to: number) =>
      packets({ services: [service(TCP, { from, to })], sources: [prefix("10.0.0.0/24")] });
    const asks = (from: number, to: number, ...ends: string[]) =>
      new PacketsOfBox(service(TCP, { from, to }), ends.map(prefix), undefined);
    const index = indexOf([at(1, 2), at(4, 5), at(5, 9)]);
    expect(index.surelyMisses(asks(1, 5, "10.0.0.0/26"))).toBe(true);
    expect(index.surelyMisses(asks(4, 9, "10.0.0.0/26"))).toBe(false);
    expect(index.surelyMisses(asks(4, 9, "10.0.0.0/23"))).toBe(true);
    expect(index.surelyMisses(asks(4, 4, "10.0.0.0/26", "fd00::/120"))).toBe(true);
    // No packet goes from one family to the other.
    const toIPv4 = new PacketsOfBox(service(TCP), [prefix("fd00::/120")], [prefix("10.0.0.0/24")]);
    expect(index.surelyMisses(toIPv4)).toBe(false);
    expect(index.surelyMisses(asks(2, 1, "192.0.2.0/24"))).toBe(false);
  });

  test("reports containment in a single set with one open end", () => {
    fc.assert(
      fc.property(fc.array(box("sources"), { minLength: 1, maxLength: 8 }), box("sources"), (sets, set) => {
        const isInOne = sets.some((one) => contains(one, set));
        return !isInOne || indexOf(sets).surelyContains(set);
      }),
    );
    const halves = ["10.0.0.0/25", "10.0.0.128/25", "fd00::/121", "fd00::80/121"].map((text) =>
      packets({ sources: [prefix(text)] }),
    );
    const whole = packets({ sources: [prefix("10.0.0.0/24"), prefix("fd00::/120")] });
    expect(indexOf(halves).surelyContains(whole)).toBe(true);
    expect(indexOf(halves.slice(1)).surelyContains(whole)).toBe(false);
  });

  test("finds every set that shares a packet", () => {
    fc.assert(
      fc.property(anyList, asked, (sets, set) => {
        const found = indexOf(sets).meeting(set);
        return sets.every((one, i) => found.includes(i) || isEmpty(intersection(one, set)));
      }),
      { numRuns: 500 },
    );
  });

  test("finds sets in their order, without distant ones", () => {
    const ports = [22, 80, 443, 6443].map((port) =>
      packets({ services: [service(TCP, { from: port, to: port })], sources: [prefix("10.0.0.0/24")] }),
    );
    const far = packets({ sources: [prefix("192.0.2.0/24")] });
    expect(indexOf([far, ...ports]).meeting(ports[2]!)).toEqual([3]);
    expect(indexOf([...ports, EVERY_PACKET]).meeting(ports[0]!)).toEqual([0, 4]);
  });

  test("names the sets that have more than another index", () => {
    fc.assert(
      fc.property(anyList, anyList, (sets, others) => {
        const found = indexOf(sets).beyond(indexOf(others));
        const named = found.map(({ position }) => position);
        const all = unionAll(others);
        expect(sets.every((one, i) => named.includes(i) || contains(all, one))).toBe(true);
        for (const { position, isApart } of found)
          if (isApart) {
            expect(isEmpty(sets[position]!)).toBe(false);
            expect(isEmpty(intersection(sets[position]!, all))).toBe(true);
          }
      }),
      { numRuns: 1_000 },
    );
    const at = (port: number) =>
      packets({ services: [service(TCP, { from: port, to: port })], sources: [prefix("10.0.0.0/24")] });
    expect(
      indexOf([at(1), at(2), packets({ services: [service(TCP)], sources: [prefix("10.0.0.0/8")] })]).beyond(
        indexOf([at(1)]),
      ),
    ).toEqual([
      { position: 1, isApart: true },
      { position: 2, isApart: false },
    ]);
    expect(indexOf([at(1)]).beyond(indexOf([]))).toEqual([{ position: 0, isApart: true }]);
  });

  test("keeps the order of many services at one block, however they were added", () => {
    const ports = fc.array(fc.nat(2_000), { minLength: 30, maxLength: 80 });
    const sources = [prefix("10.0.0.0/24")];
    const at = (port: number) => packets({ services: [service(TCP, { from: port, to: port })], sources });
    fc.assert(
      fc.property(ports, fc.nat(2_000), (list, one) => {
        const index = indexOf(list.map(at));
        const expected = list.flatMap((port, position) => (port === one ? [position] : []));
        expect(index.meeting(at(one))).toEqual(expected);
        expect(index.meeting(at(list[0]!))).toContain(0);
        expect(index.surelyContains(at(one))).toBe(expected.length > 0);
      }),
    );
  });

  test("does not compare sets of sources with sets of destinations", () => {
    const [from, to] = [
      indexOf([packets({ sources: [prefix("10.0.0.0/24")] })]),
      indexOf([packets({ destinations: [prefix("10.0.0.0/24")] })]),
    ];
    expect(from.beyond(to)).toEqual([{ position: 0, isApart: false }]);
    expect(to.beyond(from)).toEqual([{ position: 0, isApart: false }]);
    expect(from.beyond(from)).toEqual([]);
  });

  test("does not report a set that does not count as apart, because it may have no packets", () => {
    const index = new PacketIndex();
    index.add(packets({ sources: [prefix("10.0.0.0/24")] }), 0, false);
    expect(index.beyond(indexOf([]))).toEqual([{ position: 0, isApart: false }]);
  });

  test("finds sets that do not count, but does not rely on them", () => {
    const index = new PacketIndex();
    index.add(EVERY_PACKET, 7, false);
    const set = packets({ sources: [prefix("10.0.0.0/24")] });
    expect(index.surelyContains(set)).toBe(false);
    expect(index.meeting(set)).toEqual([7]);
  });
});

describe.each([
  ["sources", 4],
  ["sources", 6],
  ["destinations", 4],
  ["destinations", 6],
] as const)("sets found by their %s, of IPv%i", (end, family) => {
  /** Blocks of 256 addresses: a number, and how many bits of the last byte are free. */
  const at = (number: number, free = 0) =>
    family === 4
      ? prefix(`10.0.0.${number}/${32 - free}`)
      : prefix(`fd00::${number.toString(16)}/${128 - free}`);
  const other = family === 4 ? prefix("fd00::/120") : prefix("10.0.0.0/24");
  const tcp = (from: number, to: number) => service(TCP, { from, to });
  /** The same packets computed at once and when first read. */
  const ways = (from: number, to: number, ...ends: Prefix[]): [PacketSet, PacketsOfBox] => {
    const asked = tcp(from, to);
    const [sources, destinations] = end === "sources" ? [ends, undefined] : [undefined, ends];
    return [packets({ services: [asked], [end]: ends }), new PacketsOfBox(asked, sources, destinations)];
  };
  const made = [0, 1] as const;
  const whole = at(0, 7);

  test.each(made)("neighbouring services and blocks are combined (%i)", (way) => {
    const services = indexOf([ways(6, 9, whole)[way], ways(1, 5, whole)[way], ways(2, 3, whole)[way]]);
    for (const asked of ways(1, 9, whole)) expect(services.surelyContains(asked)).toBe(true);
    for (const asked of ways(1, 9, at(3), at(9))) expect(services.surelyContains(asked)).toBe(true);
    for (const asked of [...ways(1, 10, whole), ...ways(0, 9, whole)])
      expect(services.surelyContains(asked)).toBe(false);
    const apart = indexOf([ways(1, 4, whole)[way], ways(6, 9, whole)[way]]);
    for (const asked of ways(1, 9, whole)) expect(apart.surelyContains(asked)).toBe(false);
    const blocks = indexOf([at(64, 6), at(0, 6), at(7)].map((one) => ways(1, 9, one)[way]));
    for (const asked of ways(1, 9, whole)) expect(blocks.surelyContains(asked)).toBe(true);
    for (const asked of ways(1, 9, at(0, 8))) expect(blocks.surelyContains(asked)).toBe(false);
    for (const asked of ways(1, 9, other)) expect(blocks.surelyContains(asked)).toBe(false);
  });

  test.each(made)("those around and inside a block are found, and no others (%i)", (way) => {
    const index = indexOf(
      [
        ways(1, 5, whole),
        ways(6, 9, whole),
        ways(1, 9, at(8, 2)),
        ways(1, 9, at(128, 7)),
        ways(1, 9, other),
        ways(7, 7, at(9)),
      ].map((one) => one[way]),
    );
    const found = (from: number, to: number, ...ends: Prefix[]) => {
      const [first, second] = ways(from, to, ...ends).map((asked) => index.meeting(asked));
      expect(first).toEqual(second);
      return first;
    };
    expect(found(7, 7, at(9))).toEqual([1, 2, 5]);
    expect(found(7, 7, at(10))).toEqual([1, 2]);
    expect(found(5, 6, at(20))).toEqual([0, 1]);
    expect(found(7, 8, at(8, 2))).toEqual([1, 2, 5]);
    expect(found(1, 9, at(0, 8))).toEqual([0, 1, 2, 3, 5]);
    expect(found(10, 20, at(0, 8))).toEqual([]);
    expect(found(1, 9, other)).toEqual([4]);
    expect(found(1, 9, at(127), at(128))).toEqual([0, 1, 3]);
  });

  test("a set with an unknown part of a block is found, and needs an exact check", () => {
    const around = new PacketIndex();
    const from = end === "sources" ? "source" : "destination";
    around.addAround(from, tcp(1, 9), whole, 2);
    around.addPrefix(from, tcp(1, 2), whole, 0, false);
    around.addPrefix(from, tcp(9, 1), whole, 1);
    const [set, asked] = ways(1, 2, whole);
    for (const one of [set, asked]) expect(around.surelyContains(one)).toBe(false);
    expect(around.surelyMisses(asked)).toBe(false);
    expect(around.surelyDoubts(asked)).toBe(false);
    expect(around.meeting(set)).toEqual([0, 2]);
    const known = new PacketIndex();
    known.addPrefix(from, tcp(1, 2), whole, 0, false);
    expect(known.surelyDoubts(asked)).toBe(true);
  });

  test("all sets may match packets with too many parts to look up each", () => {
    const index = indexOf([0, 2, 4, 6].map((number) => ways(1, 1, at(number))[0]));
    expect(index.meeting(ways(1, 1, at(0), at(9))[0])).toEqual([0]);
    expect(index.meeting(ways(1, 1, at(0), at(9), at(11))[0])).toEqual([0, 1, 2, 3]);
  });

  test.each(made)("packets outside a block, before it or in the other family are missed (%i)", (way) => {
    const index = indexOf([ways(1, 9, at(64, 6))[way]]);
    const misses = (from: number, to: number, one: Prefix) => index.surelyMisses(ways(from, to, one)[1]);
    expect(misses(1, 9, at(64, 6))).toBe(false);
    expect(misses(3, 3, at(70))).toBe(false);
    expect(misses(1, 10, at(70))).toBe(true);
    expect(misses(0, 9, at(70))).toBe(true);
    expect(misses(1, 9, at(0, 7))).toBe(true);
    expect(indexOf([ways(1, 9, at(0, 6))[way]]).surelyMisses(ways(1, 9, at(0, 7))[1])).toBe(true);
    expect(misses(1, 9, other)).toBe(true);
    expect(misses(9, 1, other)).toBe(false);
    // Packets that are computed already need an exact check.
    expect(index.surelyMisses(ways(1, 10, at(70))[0])).toBe(false);
  });

  test.each(made)("packets that only sets that do not count have are doubtful (%i)", (way) => {
    const index = new PacketIndex();
    index.add(ways(1, 9, whole)[way], 0, false);
    index.add(ways(1, 5, at(0, 6))[way], 1);
    const doubts = (from: number, to: number, ...ends: Prefix[]) =>
      index.surelyDoubts(ways(from, to, ...ends)[1]);
    expect(doubts(1, 9, at(7))).toBe(true);
    expect(doubts(1, 5, at(7))).toBe(false);
    expect(doubts(6, 6, at(7))).toBe(true);
    expect(doubts(1, 5, at(7), at(100))).toBe(true);
    expect(doubts(1, 10, at(7))).toBe(false);
    expect(doubts(1, 9, at(128))).toBe(false);
    expect(doubts(1, 9, other)).toBe(false);
    expect(doubts(9, 6, at(7))).toBe(false);
    expect(index.surelyDoubts(ways(1, 9, at(7))[0])).toBe(false);
    for (const asked of ways(6, 6, at(7))) expect(index.surelyContains(asked)).toBe(false);
    expect(index.meeting(ways(6, 6, at(7))[1])).toEqual([0]);
  });
});
