import fc from "fast-check";
import {
  BITS,
  Prefix,
  compare,
  contains,
  equal,
  intersect,
  merge,
  overlap,
  subtract,
  type Family,
} from "../../src/address";
import { parsePrefix } from "../../src/address/parse";
import { anyPrefix, crowdedPrefix, crowdedPrefixes } from "./arbitraries";

const texts = (prefixes: readonly Prefix[]): string[] => prefixes.map(({ text }) => text);
const prefix = (text: string): Prefix => parsePrefix(text).prefix!;
const both = fc.tuple(crowdedPrefixes, crowdedPrefixes);

describe("laws of address sets", () => {
  test("union(difference(a, b), intersection(a, b)) equals a", () => {
    fc.assert(
      fc.property(both, ([a, b]) => {
        expect(texts(merge([...subtract(a, b), ...intersect(a, b)]))).toEqual(texts(merge(a)));
      }),
    );
  });

  test("a difference shares no addresses with the subtracted set", () => {
    fc.assert(fc.property(both, ([a, b]) => expect(intersect(subtract(a, b), b)).toEqual([])));
  });

  test("intersection(a, b) equals intersection(b, a)", () => {
    fc.assert(fc.property(both, ([a, b]) => expect(texts(intersect(a, b))).toEqual(texts(intersect(b, a)))));
  });

  test("intersection(a, b) equals difference(a, difference(a, b))", () => {
    fc.assert(
      fc.property(both, ([a, b]) =>
        expect(texts(intersect(a, b))).toEqual(texts(subtract(a, subtract(a, b)))),
      ),
    );
  });

  test("merging is idempotent and independent of the order of the input", () => {
    fc.assert(
      fc.property(crowdedPrefixes, (list) => {
        expect(merge(merge(list))).toEqual(merge(list));
        expect(merge(list.toReversed())).toEqual(merge(list));
      }),
    );
  });

  test("a merged list is minimal: no two blocks overlap or are the halves of one block", () => {
    fc.assert(
      fc.property(crowdedPrefixes, (list) => {
        const merged = merge(list);
        for (const a of merged)
          for (const b of merged) {
            if (a === b) continue;
            expect(overlap(a, b)).toBe(false);
            expect(a.length === b.length && a.length > 0 && equal(parentOf(a), parentOf(b))).toBe(false);
          }
      }),
    );
  });

  test("a contains b exactly when subtracting a from b leaves nothing", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.tuple(crowdedPrefix, crowdedPrefix), fc.tuple(anyPrefix, anyPrefix)),
        ([a, b]) => {
          expect(contains(a, b)).toBe(subtract([b], [a]).length === 0);
        },
      ),
    );
  });

  test("what parts leave of a block, merged with those parts, equals the block", () => {
    fc.assert(
      fc.property(anyPrefix, crowdedPrefixes, (whole, parts) => {
        const rest = subtract([whole], parts);
        expect(texts(merge([...rest, ...intersect([whole], parts)]))).toEqual([whole.text]);
      }),
    );
  });

  test("the order is total: every list has exactly one sorted order", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(anyPrefix, crowdedPrefix)), (list) => {
        const sorted = texts(list.toSorted(compare));
        expect(texts(list.toReversed().sort(compare))).toEqual(sorted);
        for (const a of list) for (const b of list) expect(compare(a, b) === 0).toBe(equal(a, b));
      }),
    );
  });
});

function parentOf({ family, start, length }: Prefix): Prefix {
  return new Prefix(family, start, length - 1);
}

describe.each<[string, Family, bigint]>([
  ["the first 16 IPv4 addresses", 4, 0n],
  ["the last 16 IPv4 addresses", 4, (1n << 32n) - 16n],
  ["16 IPv4 addresses around the sign bit", 4, (1n << 31n) - 16n],
  ["the first 16 IPv6 addresses", 6, 0n],
  ["the last 16 IPv6 addresses", 6, (1n << 128n) - 16n],
  ["16 IPv6 addresses at the border of a lane", 6, (1n << 96n) - 16n],
])("all blocks of %s against sets of addresses", (_, family, base) => {
  const blocks = [0, 1, 2, 3, 4].flatMap((wider) =>
    Array.from(
      { length: 16 >> wider },
      (_, i) => new Prefix(family, base + BigInt(i << wider), BITS[family] - wider),
    ),
  );
  /** The addresses of a list as the bits of a number; NaN if a prefix lies outside the 16 addresses. */
  const bits = (list: readonly Prefix[]): number =>
    list.reduce((set, { start, end }) => {
      if (start < base || end > base + 15n) return NaN;
      for (let address = start; address <= end; address++) set |= 1 << Number(address - base);
      return set;
    }, 0);
  const pairs = blocks.flatMap((a) => blocks.map((b): [Prefix, Prefix] => [a, b]));

  test("there are 31 of them", () => expect(new Set(texts(blocks)).size).toBe(31));

  test("contains, overlap and equal agree with the sets", () => {
    for (const [a, b] of pairs) {
      const [x, y] = [bits([a]), bits([b])];
      expect([contains(a, b), overlap(a, b), equal(a, b)]).toEqual([(x & y) === y, (x & y) !== 0, x === y]);
    }
  });

  test("merge, subtract and intersect return exactly the addresses of the set operations", () => {
    for (const [a, b] of pairs) {
      const [x, y] = [bits([a]), bits([b])];
      expect([bits(merge([a, b])), bits(subtract([a], [b])), bits(intersect([a], [b]))]).toEqual([
        x | y,
        x & ~y,
        x & y,
      ]);
    }
  });

  test("every subset of the first eight addresses merges to its largest whole blocks", () => {
    for (let set = 0; set < 256; set++) {
      const single = Array.from({ length: 8 }, (_, i) => i).filter((i) => (set >> i) & 1);
      const whole = blocks.filter((block) => (bits([block]) & set) === bits([block]));
      const largest = whole.filter(
        (block) => !whole.some((other) => other !== block && contains(other, block)),
      );
      const merged = merge(single.map((i) => new Prefix(family, base + BigInt(i), BITS[family])));
      expect(texts(merged)).toEqual(texts(largest.sort(compare)));
    }
  });
});

describe("edges of the address space", () => {
  test("the last address does not merge with the first", () => {
    expect(texts(merge([prefix("255.255.255.255/32"), prefix("0.0.0.0/32")]))).toHaveLength(2);
  });

  test("both halves of the address space merge to the whole", () => {
    expect(texts(merge([prefix("0.0.0.0/1"), prefix("128.0.0.0/1")]))).toEqual(["0.0.0.0/0"]);
    expect(texts(merge([prefix("8000::/1"), prefix("::/1")]))).toEqual(["::/0"]);
  });

  test("subtracting one address from the whole space leaves one block per prefix length", () => {
    expect(subtract([prefix("0.0.0.0/0")], [prefix("255.255.255.255/32")])).toHaveLength(32);
    expect(subtract([prefix("::/0")], [prefix("::/128")])).toHaveLength(128);
    expect(subtract([prefix("0.0.0.0/0")], [prefix("0.0.0.0/0")])).toEqual([]);
  });
});

describe("prefixes of different families", () => {
  const [everything4, everything6] = [prefix("0.0.0.0/0"), prefix("::/0")];

  test("never contain, overlap or merge with each other", () => {
    expect(contains(everything6, everything4)).toBe(false);
    expect(overlap(everything4, everything6)).toBe(false);
    expect(equal(everything4, everything6)).toBe(false);
    expect(texts(subtract([everything4, everything6], [everything4]))).toEqual(["::/0"]);
    expect(intersect([everything4], [everything6])).toEqual([]);
    expect(texts(merge([everything6, everything4]))).toEqual(["0.0.0.0/0", "::/0"]);
  });
});
