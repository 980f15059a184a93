import fc from "fast-check";
import { Prefix } from "../../../src/address/prefix";
import {
  EVERY_PACKET,
  LONG,
  NO_PACKETS,
  PacketsOfBox,
  PacketsWhenAsked,
  contains,
  difference,
  equal,
  intersection,
  isEmpty,
  packets,
  union,
  unionAll,
  type Box,
  type PacketSet,
} from "../../../src/reachability/packets/packetSet";
import { exampleOf } from "../../../src/reachability/packets/example";
import { icmp, service } from "../../../src/reachability/packets/service";
import { blocksOf, leftOut } from "../../../src/reachability/packets/print";
import { EVERY_ADDRESS, address, differences, everyPacket, prefix, type SmallPacket } from "../smallUniverse";
import { describePackets } from "../shown";

const TCP = 6;
const UDP = 17;
const complement = (set: PacketSet): PacketSet => difference(EVERY_PACKET, set);

/** A block of the small universe, and its meaning. */
interface Drawn {
  box: Box;
  holds: (packet: SmallPacket) => boolean;
}

const range = (max: number) =>
  fc.tuple(fc.nat(max), fc.nat(max)).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }));
const block = fc
  .tuple(fc.nat(255), fc.integer({ min: 24, max: 32 }))
  .map(([bits, length]) => ({ first: bits & (0xff << (32 - length)), length }));
const inside = ({ first, length }: { first: number; length: number }, bits: number) =>
  bits >> (32 - length) === first >> (32 - length);

const drawn: fc.Arbitrary<Drawn> = fc
  .record({ protocol: fc.constantFrom(TCP, UDP), ports: range(7), from: block, to: block })
  .map(({ protocol, ports, from, to }) => ({
    box: {
      services: [service(protocol, ports)],
      sources: [prefix(`${address(from.first)}/${from.length}`)],
      destinations: [prefix(`${address(to.first)}/${to.length}`)],
    },
    holds: (packet) =>
      packet.protocol === protocol &&
      packet.port >= ports.from &&
      packet.port <= ports.to &&
      inside(from, packet.source) &&
      inside(to, packet.destination),
  }));

interface Both {
  set: PacketSet;
  holds: (packet: SmallPacket) => boolean;
}
const sets: fc.Arbitrary<Both> = fc.array(drawn, { maxLength: 4 }).map((list) => ({
  set: unionAll(list.map(({ box }) => packets(box))),
  holds: (packet) => list.some(({ holds }) => holds(packet)),
}));

/** Sixteen sources and sixteen destinations, spread so that every block of at least a sixteenth has one. */
const sixteen = EVERY_ADDRESS.filter((bits) => bits % 17 === 0);
const same = (set: PacketSet, holds: Both["holds"]) =>
  expect(differences(set, holds, everyPacket(sixteen, sixteen))).toEqual([]);

describe("operations on packet sets agree with a model that checks packet by packet", () => {
  test.each([
    ["union", union, (a: boolean, b: boolean) => a || b],
    ["intersection", intersection, (a: boolean, b: boolean) => a && b],
    ["difference", difference, (a: boolean, b: boolean) => a && !b],
  ] as const)("%s", (_, operation, model) => {
    fc.assert(
      fc.property(sets, sets, (a, b) =>
        same(operation(a.set, b.set), (packet) => model(a.holds(packet), b.holds(packet))),
      ),
      { numRuns: 60 },
    );
  });

  test("complement", () => {
    fc.assert(
      fc.property(sets, ({ set, holds }) => same(complement(set), (packet) => !holds(packet))),
      { numRuns: 30 },
    );
  });
});

describe("IPv6 addresses, which use another number type", () => {
  const [base4, base6] = [prefix("10.0.0.0/24").start, prefix("fd00::/120").start];
  /** The same block in the other family. */
  const moved = (blocks: Box["sources"] = []) =>
    blocks.map(({ start, length }) => new Prefix(6, start - base4 + base6, length + 96));
  const pairs = fc.array(drawn, { maxLength: 4 }).map((list) => ({
    four: unionAll(list.map(({ box }) => packets(box))),
    six: unionAll(
      list.map(({ box }) =>
        packets({ ...box, sources: moved(box.sources), destinations: moved(box.destinations) }),
      ),
    ),
  }));
  const numbersOf = (set: PacketSet, family: 4 | 6, base: bigint) =>
    set[family].map((one) => [
      one.from,
      one.to,
      one.rest.map((source) => [
        BigInt(source.from) - base,
        BigInt(source.to) - base,
        source.rest.map(({ from, to }) => [BigInt(from) - base, BigInt(to) - base]),
      ]),
    ]);

  test.each([
    ["union", union],
    ["intersection", intersection],
    ["difference", difference],
  ] as const)("%s agrees with that of the same blocks in IPv4", (_, operation) => {
    fc.assert(
      fc.property(pairs, pairs, (a, b) => {
        const [four, six] = [operation(a.four, b.four), operation(a.six, b.six)];
        expect(numbersOf(six, 6, base6)).toEqual(numbersOf(four, 4, base4));
        expect(contains(a.six, b.six)).toBe(contains(a.four, b.four));
        expect([four[6], six[4]]).toEqual([[], []]);
      }),
    );
  });

  test("many blocks in any order are joined in both families", () => {
    const blocks = ["10.0.0.64/26", "10.0.0.0/26", "10.0.0.128/25", "10.0.0.16/28"].map(prefix);
    expect(equal(packets({ sources: blocks }), packets({ sources: [prefix("10.0.0.0/24")] }))).toBe(true);
    expect(equal(packets({ sources: moved(blocks) }), packets({ sources: [prefix("fd00::/120")] }))).toBe(
      true,
    );
  });
});

describe("laws of packet sets", () => {
  const law = (holds: (a: PacketSet, b: PacketSet) => boolean) =>
    fc.assert(fc.property(sets, sets, (a, b) => holds(a.set, b.set)));

  test("a set has only one form, however it was computed", () => {
    law((a, b) => equal(union(difference(a, b), intersection(a, b)), a));
    law((a, b) => equal(union(a, b), union(b, a)));
    law((a, b) => equal(intersection(a, b), difference(a, difference(a, b))));
    law((a, b) => equal(complement(union(a, b)), intersection(complement(a), complement(b))));
  });

  test("sets are equal if each contains the other", () => {
    law((a, b) => equal(a, b) === (contains(a, b) && contains(b, a)));
    law((a, b) => contains(a, b) === isEmpty(difference(b, a)));
    law((a, b) => contains(union(a, b), a) && contains(a, intersection(a, b)));
  });

  test("a union does not depend on the order of its parts", () => {
    fc.assert(
      fc.property(fc.array(sets), (list) => {
        const parts = list.map(({ set }) => set);
        return equal(unionAll(parts), unionAll(parts.toReversed()));
      }),
    );
  });

  test("NO_PACKETS and EVERY_PACKET behave as the empty and the full set", () => {
    law((a) => equal(union(a, NO_PACKETS), a) && equal(intersection(a, EVERY_PACKET), a));
    law((a) => isEmpty(difference(a, EVERY_PACKET)) && isEmpty(intersection(a, complement(a))));
  });

  test("an example packet is in the set, and a set without one is empty", () => {
    fc.assert(
      fc.property(sets, ({ set }) => {
        const first = exampleOf(set);
        if (!first) return isEmpty(set);
        const { source, destination, protocol, port } = first;
        const single = packets({
          services: [service(protocol, { from: port, to: port })],
          sources: [prefix(`${source}/32`)],
          destinations: [prefix(`${destination}/32`)],
        });
        return contains(set, single);
      }),
    );
  });

  test("the blocks of a set are disjoint and form the set together", () => {
    fc.assert(
      fc.property(sets, ({ set }) => {
        const blocks = blocksOf(set).map((one) => packets(one));
        const overlapping = blocks.some((one, i) =>
          blocks.some((other, j) => j > i && !isEmpty(intersection(one, other))),
        );
        return !overlapping && equal(unionAll(blocks), set);
      }),
    );
  });
});

describe("sets built from user input", () => {
  const at = (...services: { from: number; to: number }[]) => packets({ services });
  const one = service(TCP, { from: 7, to: 7 });
  const none = service(TCP, { from: 5, to: 3 });

  test("a range that ends before it starts has no packets, by itself and next to others", () => {
    expect(isEmpty(at(none))).toBe(true);
    expect(at(none, one)).toEqual(at(one));
    expect(at(one, service(TCP, { from: 9, to: 9 }))).not.toEqual(at(one));
  });

  test("a lazy set is computed once, when first read", () => {
    let made = 0;
    const asked = new PacketsWhenAsked(() => {
      made++;
      return at(one);
    });
    expect(made).toBe(0);
    expect(equal(asked, at(one))).toBe(true);
    expect([asked[4], asked[6]]).toEqual([at(one)[4], at(one)[6]]);
    expect(made).toBe(1);
    const box = new PacketsOfBox(one, undefined, undefined);
    const six = box[6];
    expect([box[4], box[6]]).toEqual([at(one)[4], at(one)[6]]);
    expect(box[6]).toBe(six);
  });
});

describe("sets built from one long list of blocks", () => {
  const hosts = (count: number) =>
    Array.from({ length: count }, (_, at) => new Prefix(4, BigInt(at * 2), 32));
  const inIPv6 = (count: number) =>
    Array.from({ length: count }, (_, at) => new Prefix(6, BigInt(at * 2), 128));

  test.each([
    [4, hosts(LONG)],
    [6, inIPv6(LONG)],
  ] as const)("share its addresses, and so do the blocks that are printed: IPv%i", (family, list) => {
    const at = (port: number) => {
      const set = packets({
        services: [service(TCP, { from: port, to: port })],
        sources: list,
        destinations: list,
      });
      return { plane: set[family][0]!.rest, block: blocksOf(set)[0]! };
    };
    const [one, other] = [at(80), at(443)];
    expect(other.plane).toBe(one.plane);
    expect(other.block.sources).toBe(one.block.sources);
    expect(other.block.destinations).toBe(one.block.destinations);
    expect(one.block.sources).toEqual(list);
  });

  test("are the blocks of their own family, whatever their number", () => {
    for (const count of [1, LONG - 1, LONG]) {
      const { length } = packets({ sources: [...hosts(count), ...inIPv6(2)] })[4][0]!.rest;
      expect(length).toBe(count);
      expect(packets({ sources: [...inIPv6(count), ...hosts(2)] })[6][0]!.rest).toHaveLength(count);
      expect(packets({ sources: inIPv6(count) })[4]).toEqual([]);
      expect(packets({ destinations: hosts(count) })[6]).toEqual([]);
    }
  });

  test("an operation of a set with itself returns the set or nothing", () => {
    const set = packets({ sources: hosts(2) });
    expect([union(set, set), intersection(set, set)].every((made) => made === set)).toBe(true);
    expect(difference(set, set)).toEqual(NO_PACKETS);
  });
});

describe("the printed form of a set", () => {
  const from = (sources: string[], destinations: string[], ...services: Box["services"] & object) =>
    packets({ sources: sources.map(prefix), destinations: destinations.map(prefix), services });

  test("joins prefixes, and groups services between the same addresses", () => {
    const set = union(
      from(["10.0.0.0/25", "10.0.0.128/25"], ["10.1.0.0/24"], service(TCP, { from: 443, to: 443 })),
      from(["10.0.0.0/24"], ["10.1.0.0/24"], service(TCP, { from: 6443, to: 6443 })),
    );
    expect(describePackets(set)).toEqual(["TCP 443, TCP 6443 from 10.0.0.0/24 to 10.1.0.0/24"]);
  });

  test("lists services of the same addresses in one line", () => {
    const set = union(
      from(["10.0.0.0/24"], ["10.1.0.0/24"], service(TCP, { from: 1, to: 9 }), service(UDP)),
      from(["10.0.1.0/24"], ["10.2.0.0/24"], service(TCP, { from: 5, to: 20 })),
    );
    expect(describePackets(set)).toEqual([
      "TCP 1-9, UDP from 10.0.0.0/24 to 10.1.0.0/24",
      "TCP 5-20 from 10.0.1.0/24 to 10.2.0.0/24",
    ]);
  });

  test("needs the fewest lines, whether cut by source or by destination", () => {
    const set = union(
      from(["10.0.0.0/24"], ["10.1.0.0/24"], service(TCP, { from: 1, to: 9 })),
      from(["10.0.1.0/24"], ["10.2.0.0/24"], service(TCP, { from: 5, to: 5 })),
    );
    expect(describePackets(set)).toHaveLength(2);
    const bySource = union(
      from(["10.0.0.0/24"], ["10.1.0.0/24", "10.3.0.0/24"], service(TCP, { from: 1, to: 9 })),
      from(["10.0.1.0/24"], ["10.1.0.0/24"], service(TCP, { from: 5, to: 5 })),
    );
    expect(describePackets(bySource)).toHaveLength(2);
  });

  test("combines several services, sources and destinations in one line", () => {
    const ports = [80, 443].map((port) => service(TCP, { from: port, to: port }));
    expect(
      describePackets(from(["10.0.0.0/24", "10.0.2.0/24"], ["10.1.0.0/24", "10.1.2.0/24"], ...ports)),
    ).toEqual(["TCP 80, TCP 443 from 10.0.0.0/24, 10.0.2.0/24 to 10.1.0.0/24, 10.1.2.0/24"]);
  });

  test.each([
    [
      "all but one of many",
      ["10.0.0.0/25", "10.0.0.128/26", "10.0.0.192/27"],
      ["10.0.0.0/24"],
      ["10.0.0.224/27"],
    ],
    ["no shorter than the blocks", ["10.0.0.0/25", "10.0.0.128/26"], ["10.0.0.0/24"], undefined],
    ["all of them", ["10.0.0.0/25", "10.0.0.128/26", "10.0.0.192/26"], ["10.0.0.0/24"], undefined],
  ])("names the whole and the exception if that is shorter: %s", (_, some, whole, rest) => {
    expect(leftOut(some.map(prefix), whole.map(prefix))).toEqual(rest?.map(prefix));
  });

  test("does not mix families, and names everything as such", () => {
    expect(describePackets(EVERY_PACKET)).toEqual([
      "every protocol from 0.0.0.0/0 to 0.0.0.0/0",
      "every protocol from ::/0 to ::/0",
    ]);
    expect(packets({ sources: [prefix("10.0.0.0/8")], destinations: [prefix("fd00::/8")] })).toEqual(
      NO_PACKETS,
    );
  });

  test.each([
    [icmp(4, 3, 4), "ICMP type 3 code 4"],
    [icmp(4, 8), "ICMP type 8"],
    [icmp(4), "ICMP"],
    [service(47), "protocol 47"],
    [service(TCP, { from: 0, to: 65_535 }), "TCP"],
    [{ from: 0, to: 6 * 65_536 - 1 }, "protocols 0-5"],
  ])("names %p as %s", (one, text) => {
    expect(describePackets(from(["10.0.0.0/8"], ["10.0.0.0/8"], one))).toEqual([
      `${text} from 10.0.0.0/8 to 10.0.0.0/8`,
    ]);
  });
});
