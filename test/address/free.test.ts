import fc from "fast-check";
import {
  Prefix,
  addressCount,
  containsAddress,
  contains,
  formatPrefix,
  free,
  hosts,
  intersect,
  largestFree,
  overlap,
  prefixOf,
  subnets,
  subtract,
} from "../../src/address";
import { parseAddress, parsePrefix } from "../../src/address/parse";
import { crowdedPrefixes } from "./arbitraries";

const prefix = (text: string): Prefix => parsePrefix(text).prefix!;
const prefixes = (...list: string[]): Prefix[] => list.map(prefix);
const texts = (list: readonly Prefix[]): string[] => list.map(formatPrefix);

describe("free space", () => {
  test("the first free block of a length is found after and between taken blocks", () => {
    const space = prefix("10.0.0.0/16");
    expect(texts(free(space, [], 24))).toEqual(["10.0.0.0/24"]);
    expect(texts(free(space, prefixes("10.0.0.0/24"), 24))).toEqual(["10.0.1.0/24"]);
    expect(texts(free(space, prefixes("10.0.0.0/24", "10.0.2.0/23"), 23, 2))).toEqual([
      "10.0.4.0/23",
      "10.0.6.0/23",
    ]);
    expect(texts(free(space, prefixes("10.0.0.0/8"), 24))).toEqual([]);
    expect(texts(free(space, prefixes("10.0.0.0/17", "10.0.128.0/17"), 32))).toEqual([]);
    expect(texts(free(space, [], 8))).toEqual([]);
  });

  test("taken blocks of the other family have no effect", () => {
    expect(texts(free(prefix("10.0.0.0/8"), prefixes("::/0"), 8))).toEqual(["10.0.0.0/8"]);
  });

  test("the last address of a family is found if only it is free", () => {
    const all = prefix("0.0.0.0/0");
    const taken = subtract([all], prefixes("255.255.255.255/32"));
    expect(texts(free(all, taken, 32, 5))).toEqual(["255.255.255.255/32"]);
    expect(largestFree(all, taken)?.text).toBe("255.255.255.255/32");
    expect(largestFree(all, [all])).toBeUndefined();
    expect(largestFree(prefix("::/0"), prefixes("::/128"))?.text).toBe("8000::/1");
  });

  test("free returns exactly the blocks of the space that overlap no taken block", () => {
    const space = new Prefix(4, 0n, 27);
    fc.assert(
      fc.property(crowdedPrefixes, fc.integer({ min: 27, max: 32 }), (taken, length) => {
        const found = free(space, taken, length, 100);
        const expected = subnets(space, length, 100).filter(
          (block) => !taken.some((other) => overlap(block, other)),
        );
        expect(texts(found)).toEqual(texts(expected));
      }),
    );
  });

  test("largestFree returns a block of the shortest free prefix length", () => {
    fc.assert(
      fc.property(crowdedPrefixes, (taken) => {
        const space = new Prefix(6, 0n, 123);
        const largest = largestFree(space, taken);
        const lengths = [123, 124, 125, 126, 127, 128].filter(
          (length) => free(space, taken, length).length > 0,
        );
        expect(largest?.length).toBe(lengths[0]);
        if (largest) expect(intersect([largest], taken)).toEqual([]);
      }),
    );
  });

  test("enumerations stop at their limit", () => {
    expect(texts(subnets(prefix("::/0"), 128, 2))).toEqual(["::/128", "::1/128"]);
    expect(texts(subnets(prefix("10.0.0.0/30"), 31, 10))).toEqual(["10.0.0.0/31", "10.0.0.2/31"]);
    expect(subnets(prefix("10.0.0.0/30"), 29, 10)).toEqual([]);
    expect(free(prefix("::/0"), [], 64, 3)).toHaveLength(3);
    expect(subnets(prefix("10.0.0.0/30"), 32, 0)).toEqual([]);
  });

  test.each([33, -1, 1.5, NaN])("a length of %d is refused", (length) => {
    expect(() => free(prefix("10.0.0.0/8"), [], length)).toThrow("use a whole number from 0 to 32");
  });
});

describe("the addresses of a block", () => {
  test.each([
    ["0.0.0.0/0", "0.0.0.0", "255.255.255.255", 1n << 32n],
    ["10.0.0.0/30", "10.0.0.0", "10.0.0.3", 4n],
    ["255.255.255.255/32", "255.255.255.255", "255.255.255.255", 1n],
    ["::/0", "::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", 1n << 128n],
    ["fd98::/64", "fd98::", "fd98::ffff:ffff:ffff:ffff", 1n << 64n],
    ["::/128", "::", "::", 1n],
  ])("%s goes from %s to %s", (text, first, last, count) => {
    const block = prefix(text);
    expect([block.first(), block.last(), addressCount(block)]).toEqual([first, last, count]);
  });

  test.each([
    ["10.0.0.0/24", "10.0.0.1", "10.0.0.254", 254n],
    ["10.0.0.0/30", "10.0.0.1", "10.0.0.2", 2n],
    ["10.0.0.0/31", "10.0.0.0", "10.0.0.1", 2n],
    ["10.0.0.0/32", "10.0.0.0", "10.0.0.0", 1n],
    ["2001:db8::/126", "2001:db8::", "2001:db8::3", 4n],
    ["2001:db8::/29", "2001:db8::", "2001:dbf:ffff:ffff:ffff:ffff:ffff:ffff", 2n ** 99n],
  ])("hosts of %s go from %s to %s", (text, first, last, count) => {
    const { first: from, last: to, count: usable } = hosts(prefix(text));
    expect([from.text, to.text, usable]).toEqual([first, last, count]);
  });

  test("blocks and addresses appear as their texts in strings and in JSON", () => {
    const block = prefix("2001:DB8::/32");
    const address = parseAddress("2001:DB8::1").address!;
    expect([block, address].join(" ")).toBe("2001:db8::/32 2001:db8::1");
    expect(JSON.stringify({ block, address })).toBe('{"block":"2001:db8::/32","address":"2001:db8::1"}');
  });

  test("IPv4 blocks expose their first and last address as numbers", () => {
    expect(prefix("255.255.0.0/16").numbers).toEqual({ from: 0xffff0000, to: 0xffffffff });
    const block = prefix("0.0.0.0/0");
    expect(block.numbers).toEqual({ from: 0, to: 0xffffffff });
    expect(block.numbers).toBe(block.numbers);
  });

  test("containsAddress is true only for blocks that include the address", () => {
    const address = parseAddress("172.20.0.1").address!;
    expect(prefixOf(address).text).toBe("172.20.0.1/32");
    expect(containsAddress(prefix("172.16.0.0/12"), address)).toBe(true);
    expect(containsAddress(prefix("172.20.0.1/32"), address)).toBe(true);
    expect(containsAddress(prefix("172.20.0.2/31"), address)).toBe(false);
    expect(containsAddress(prefix("::/0"), address)).toBe(false);
    expect(contains(prefix("0.0.0.0/0"), prefixOf(address))).toBe(true);
  });
});
