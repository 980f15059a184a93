import fc from "fast-check";
import {
  contains,
  type Family,
  firstFree,
  FreeSpace,
  largestFree,
  type Prefix,
  subtract,
} from "../../src/address";
import { parsePrefix } from "../../src/address/parse";
import { anyPrefix, crowdedPrefix, crowdedPrefixes } from "./arbitraries";

const prefix = (text: string): Prefix => parsePrefix(text).prefix!;

function spaceWithout(family: Family, taken: readonly Prefix[]): FreeSpace {
  const space = new FreeSpace(family);
  for (const block of taken) if (block.family === family) space.take(block);
  return space;
}

describe("free space that shrinks with each taken block", () => {
  test("finds the lowest free block of a length, and the next one after it is taken", () => {
    const space = spaceWithout(4, [prefix("10.0.0.0/24"), prefix("10.0.2.0/23")]);
    const pool = prefix("10.0.0.0/21");
    expect(space.first(pool, 24)?.text).toBe("10.0.1.0/24");
    expect(space.first(pool, 22)?.text).toBe("10.0.4.0/22");
    expect(space.widest(pool)).toBe(22);
    expect(space.count(pool, 24)).toBe(5n);
    space.take(prefix("10.0.4.0/22"));
    expect(space.widest(pool)).toBe(24);
    expect(space.first(pool, 23)).toBeUndefined();
    space.take(prefix("10.0.1.0/24"));
    expect(space.widest(pool)).toBeUndefined();
    expect(space.count(pool, 32)).toBe(0n);
  });

  test("finds no block wider than the pool, and undoes what a trial takes", () => {
    const space = spaceWithout(4, [prefix("10.0.0.0/9")]);
    const pool = prefix("10.0.0.0/8");
    expect(space.first(pool, 7)).toBeUndefined();
    const inside = space.tried(() => {
      space.take(prefix("10.128.0.0/16"));
      space.tried(() => space.take(prefix("0.0.0.0/0")));
      return space.first(pool, 16)?.text;
    });
    expect(inside).toBe("10.129.0.0/16");
    expect(space.first(pool, 16)?.text).toBe("10.128.0.0/16");
    space.take(prefix("10.128.0.0/16"));
    expect(space.first(pool, 16)?.text).toBe("10.129.0.0/16");
  });

  const pool = fc.oneof(anyPrefix, crowdedPrefix);
  test("equals the complement of the taken blocks, also after a trial", () => {
    fc.assert(
      fc.property(pool, crowdedPrefixes, fc.nat({ max: 128 }), (within, taken, wished) => {
        const space = spaceWithout(within.family, taken);
        space.tried(() => {
          for (const block of taken) if (block.family === within.family) space.take(block);
          space.take(within);
        });
        const rest = subtract([within], taken);
        const length = Math.min(wished, within.family === 4 ? 32 : 128);
        expect(space.first(within, length)?.text).toBe(
          length < within.length ? undefined : firstFree(within, taken, length)?.text,
        );
        expect(space.widest(within)).toBe(largestFree(within, taken)?.length);
        expect(space.count(within, length)).toBe(
          rest.reduce(
            (sum, gap) =>
              gap.length <= length && length >= within.length
                ? sum + (1n << BigInt(length - gap.length))
                : sum,
            0n,
          ),
        );
        for (const gap of rest) expect(space.isFree(gap)).toBe(true);
        for (const block of taken) if (contains(within, block)) expect(space.isFree(block)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });
});
