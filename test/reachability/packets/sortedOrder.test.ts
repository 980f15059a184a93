import fc from "fast-check";

import { Scratch, sortedOrder } from "../../../src/reachability/packets/sortRows";

describe("the sorted order", () => {
  test("has all positions and is stable, for few and many numbers", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { maxLength: 80, size: "max" }), (keys) => {
        const order = Array.from(sortedOrder(keys.length, (a, b) => keys[a]! < keys[b]!)).slice(
          0,
          keys.length,
        );
        expect(order).toEqual(keys.map((_, place) => place).sort((a, b) => keys[a]! - keys[b]! || a - b));
      }),
    );
  });
});

describe("the scratch array", () => {
  test("is long enough, and is reused unless it is very long", () => {
    const scratch = new Scratch();
    const short = scratch.take(10);
    expect(short.length).toBeGreaterThanOrEqual(10);
    expect(scratch.take(64)).toBe(short);
    const longer = scratch.take(65);
    expect(longer.length).toBe(128);
    expect(scratch.take(100)).toBe(longer);
    expect(scratch.take(200_000).length).toBe(200_000);
    expect(scratch.take(1)).toBe(longer);
  });
});
