import fc from "fast-check";
import {
  NONE,
  contains,
  enclosedBy,
  equal,
  everyOverlap,
  heaviestOverlaps,
  listsOverlap,
  overlap,
  overlaps,
  meeting,
  overlapsAmong,
  type Prefix,
} from "../../src/address";
import { parsePrefix } from "../../src/address/parse";
import { anyPrefix, crowdedPrefix } from "./arbitraries";

const manyPrefixes = fc.oneof(
  fc.array(crowdedPrefix, { maxLength: 40 }),
  fc.array(fc.oneof(anyPrefix, crowdedPrefix), { maxLength: 40 }),
);
const texts = (prefixes: readonly Prefix[]): string[] => prefixes.map(({ text }) => text);

/** The expected result of the sweep, computed by comparing every pair. */
function byBruteForce(list: readonly Prefix[]) {
  const enclosing = (inner: Prefix) => list.filter((outer) => contains(outer, inner) && !equal(outer, inner));
  const nearest = (inner: Prefix) => enclosing(inner).toSorted((a, b) => b.length - a.length)[0];
  const positions = list.map((_, position) => position);
  return {
    parent: list.map((inner) => list.findIndex((other) => nearest(inner) && equal(other, nearest(inner)!))),
    twin: list.map((one) => list.findIndex((other) => equal(one, other))),
    duplicates: list.filter((one, position) => list.findIndex((other) => equal(one, other)) < position)
      .length,
    nested: list.filter((one) => enclosing(one).length > 0).length,
    pairs: positions.flatMap((inner) =>
      positions
        .filter((outer) =>
          equal(list[outer]!, list[inner]!) ? outer < inner : contains(list[outer]!, list[inner]!),
        )
        .map((outer) => `${outer} holds ${inner}`),
    ),
  };
}

test("heaviestOverlaps returns the pairs that share the most addresses and counts the others", () => {
  const lists = fc.array(fc.record({ prefix: crowdedPrefix, free: fc.boolean() }), { maxLength: 30 });
  const bits = ({ inner }: { inner: { prefix: Prefix } }) =>
    (inner.prefix.family === 4 ? 32 : 128) - inner.prefix.length;
  fc.assert(
    fc.property(lists, fc.nat({ max: 20 }), (items, most) => {
      const all = everyOverlap(items, ({ free }) => free);
      const { pairs, further } = heaviestOverlaps(items, most, ({ free }) => free);
      expect(pairs.length + further).toBe(all.length);
      expect(pairs).toHaveLength(Math.min(most, all.length));
      const heaviest = all.map(bits).toSorted((a, b) => b - a);
      expect(pairs.map(bits).toSorted((a, b) => b - a)).toEqual(heaviest.slice(0, pairs.length));
    }),
  );
});

test("meeting finds the same overlaps between two lists as comparing every pair", () => {
  const list = fc.array(crowdedPrefix, { maxLength: 20 });
  fc.assert(
    fc.property(list, list, (first, second) => {
      const [a, b] = [first, second].map((some) => some.map((prefix, place) => ({ prefix, place })));
      const expected = a!.flatMap((one) =>
        b!.filter((other) => overlap(one.prefix, other.prefix)).map((other) => [one, other]),
      );
      const meetingB = meeting(b!);
      const found = a!.flatMap((one) =>
        meetingB(one.prefix)
          .toSorted((x, y) => x.place - y.place)
          .map((other) => [one, other]),
      );
      expect(found).toEqual(expected);
    }),
  );
});

test("everyOverlap finds every pair except those of two free items", () => {
  const items = fc.array(fc.record({ prefix: crowdedPrefix, free: fc.boolean() }), { maxLength: 30 });
  fc.assert(
    fc.property(items, (list) => {
      const named = list.map((one, place) => ({ ...one, place }));
      const pairs = everyOverlap(named, ({ free }) => free).map(({ outer, inner }) =>
        [outer.place, inner.place].sort((a, b) => a - b).join(" "),
      );
      const expected = named.flatMap((a) =>
        named
          .filter((b) => a.place < b.place && overlap(a.prefix, b.prefix) && !(a.free && b.free))
          .map((b) => `${a.place} ${b.place}`),
      );
      expect(pairs.sort()).toEqual(expected.sort());
    }),
  );
});

test("enclosedBy is true exactly if one of the blocks contains the given block", () => {
  fc.assert(
    fc.property(manyPrefixes, fc.oneof(crowdedPrefix, anyPrefix), (blocks, inner) => {
      expect(enclosedBy(blocks)(inner)).toBe(blocks.some((block) => contains(block, inner)));
    }),
  );
});

describe("overlaps among any number of prefixes", () => {
  test("the sweep finds the same overlaps as comparing every pair", () => {
    fc.assert(
      fc.property(manyPrefixes, (list) => {
        const found = overlapsAmong(texts(list));
        const expected = byBruteForce(list);
        // Texts such as ::ffff:0:0/96 can be computed but not typed; the generators produce none of them.
        expect([...found.refused]).toEqual([]);
        expect([...found.parent]).toEqual(expected.parent);
        expect([...found.twin]).toEqual(expected.twin);
        expect(found.duplicates).toBe(expected.duplicates);
        expect(found.nested).toBe(expected.nested);
        expect(found.pairs).toBe(expected.pairs.length);
      }),
      { numRuns: 300 },
    );
  });

  test("duplicates are counted and stay in the result", () => {
    const found = overlapsAmong([
      "10.1.0.0/16",
      "10.0.0.0/8",
      "10.1.0.0/16",
      "10.0.0.0/8",
      "10.1.2.0/24",
      "192.0.2.0/24",
    ]);
    expect([...found.parent]).toEqual([1, NONE, 1, NONE, 0, NONE]);
    expect([...found.twin]).toEqual([0, 1, 0, 1, 4, 5]);
    expect(found).toMatchObject({ duplicates: 2, nested: 3, pairs: 10 });
  });

  test("in a chain of all prefix lengths each prefix is nested in every shorter one", () => {
    const chain = Array.from({ length: 129 }, (_, length) => `::/${length}`).reverse();
    const found = overlapsAmong([...chain, "0.0.0.0/0", "0.0.0.0/32"]);
    expect(found).toMatchObject({ duplicates: 0, nested: 129, pairs: (129 * 128) / 2 + 1 });
    expect(found.parent[0]).toBe(1);
    expect(found.parent[128]).toBe(NONE);
    expect(found.parent[130]).toBe(129);
  });

  test("texts that are not prefixes are reported as refused and overlap nothing", () => {
    const found = overlapsAmong(["10.0.0.0/8", "10.0.0.1/8", "10.0.0.0/8"]);
    expect([...found.refused]).toEqual([1]);
    expect([...found.twin]).toEqual([0, NONE, 0]);
    expect(found.pairs).toBe(1);
  });

  test("prefixes of different families never overlap", () => {
    expect(overlapsAmong(["0.0.0.0/0", "::/0"])).toMatchObject({ duplicates: 0, nested: 0, pairs: 0 });
  });

  test("the pairs of 30,000 equal prefixes are counted without listing them", () => {
    const found = overlapsAmong(new Array<string>(30_000).fill("2001:db8::/32"));
    expect(found.pairs).toBe((30_000 * 29_999) / 2);
  });

  test("120,000 unordered prefixes of both families get the correct parents", () => {
    const places = Array.from({ length: 60_000 }, (_, i) => (i * 48_271) % 65_536);
    const list = places.flatMap((place) => {
      const [high, low] = [place >> 8, place & 255];
      return [`10.${high}.${low}.0/24`, `2001:db8:${place.toString(16)}::/48`];
    });
    const found = overlapsAmong([...list, "10.0.0.0/8", "2001:db8::/32", "10.1.0.0/16"]);
    const [v4, v6, part] = [list.length, list.length + 1, list.length + 2];
    const inPart = places.map((place) => place >> 8 === 1);
    expect(found.duplicates).toBe(0);
    expect(found.nested).toBe(list.length + 1);
    expect(
      found.parent.every((parent, i) => {
        if (i >= list.length) return parent === (i === part ? v4 : NONE);
        return parent === (i % 2 === 1 ? v6 : inPart[i >> 1] ? part : v4);
      }),
    ).toBe(true);
  });

  test("listsOverlap is true exactly if a block of one list overlaps a block of the other", () => {
    fc.assert(
      fc.property(manyPrefixes, manyPrefixes, (a, b) => {
        const expected = a.some((x) => b.some((y) => overlap(x, y)));
        expect(listsOverlap(texts(a), texts(b))).toBe(expected);
      }),
    );
  });
});

describe("overlaps among the items of a rule", () => {
  const items = (...list: string[]) =>
    list.map((text, place) => ({ place, prefix: parsePrefix(text).prefix! }));
  const named = (pairs: ReturnType<typeof overlaps<{ place: number; prefix: Prefix }>>) =>
    pairs.map(({ outer, inner }) => `${outer.place} holds ${inner.place}`);

  test("each item is paired with the narrowest item that contains it", () => {
    expect(
      named(overlaps(items("10.1.2.0/24", "10.0.0.0/8", "10.1.0.0/16", "192.0.2.0/24", "::/0"))),
    ).toEqual(["1 holds 2", "2 holds 0"]);
  });

  test("two items with the same block are a pair", () => {
    expect(named(overlaps(items("10.0.0.0/8", "10.0.0.0/8")))).toEqual(["0 holds 1"]);
  });

  test("an item that may share its nearest block is paired with a wider one", () => {
    // The first two items are of the kind that may share addresses, the third is of another kind.
    const mayShare = (a: { place: number }, b: { place: number }) => a.place < 2 && b.place < 2;
    expect(named(overlaps(items("10.0.0.0/8", "10.1.0.0/16", "10.1.0.0/16"), mayShare))).toEqual([
      "1 holds 2",
      "0 holds 2",
    ]);
  });

  test("overlaps lists exactly the items of everyOverlap pairs that may not share addresses", () => {
    fc.assert(
      fc.property(manyPrefixes, (list) => {
        const placed = list.map((prefix, place) => ({ place, prefix }));
        const mayShare = (a: { place: number }, b: { place: number }) => a.place % 3 === b.place % 3;
        const placesOf = (pairs: ReturnType<typeof overlaps<(typeof placed)[number]>>) =>
          [...new Set(pairs.flatMap(({ outer, inner }) => [outer.place, inner.place]))].sort((a, b) => a - b);
        const every = everyOverlap(placed).filter(({ outer, inner }) => !mayShare(outer, inner));
        expect(placesOf(overlaps(placed, mayShare))).toEqual(placesOf(every));
      }),
    );
  });

  test("everyOverlap lists every pair, and overlaps lists every item that overlaps another", () => {
    fc.assert(
      fc.property(manyPrefixes, (list) => {
        const placed = list.map((prefix, place) => ({ place, prefix }));
        expect(named(everyOverlap(placed)).toSorted()).toEqual(byBruteForce(list).pairs.toSorted());
        const paired = new Set(overlaps(placed).flatMap(({ outer, inner }) => [outer.place, inner.place]));
        const overlapping = new Set(
          everyOverlap(placed).flatMap(({ outer, inner }) => [outer.place, inner.place]),
        );
        for (const { inner } of everyOverlap(placed)) expect(paired).toContain(inner.place);
        for (const place of paired) expect(overlapping).toContain(place);
      }),
    );
  });
});
