import fc from "fast-check";
import {
  Prefix,
  addressCount,
  containsAddress,
  contains,
  firstFree,
  firstHost,
  largestFree,
  overlap,
  prefixOf,
  subtract,
} from "../../src/address";
import { parseAddress, parsePrefix } from "../../src/address/parse";
import { crowdedPrefixes } from "./arbitraries";

const prefix = (text: string): Prefix => parsePrefix(text).prefix!;
const prefixes = (...list: string[]): Prefix[] => list.map(prefix);

describe("free space", () => {
  const first = (space: string, taken: readonly string[], length: number) =>
    firstFree(prefix(space), prefixes(...taken), length)?.text;

  test.each<[string, string[], number, string | undefined]>([
    ["10.0.0.0/16", [], 24, "10.0.0.0/24"],
    ["10.0.0.0/16", ["10.0.0.0/24"], 24, "10.0.1.0/24"],
    ["10.0.0.0/16", ["10.0.0.0/24", "10.0.2.0/23"], 23, "10.0.4.0/23"],
    ["10.0.0.0/16", ["10.0.0.0/8"], 24, undefined],
    ["10.0.0.0/16", ["10.0.0.0/17", "10.0.128.0/17"], 32, undefined],
    ["10.0.0.0/16", [], 8, undefined],
    ["10.0.0.0/8", ["::/0"], 8, "10.0.0.0/8"],
  ])("in %s without %j, the first /%d is %s", (space, taken, length, expected) => {
    expect(first(space, taken, length)).toBe(expected);
  });

  test("the last address of a family is found if only it is free", () => {
    const all = prefix("0.0.0.0/0");
    const taken = subtract([all], prefixes("255.255.255.255/32"));
    expect(firstFree(all, taken, 32)?.text).toBe("255.255.255.255/32");
    expect(largestFree(all, taken)?.text).toBe("255.255.255.255/32");
    expect(largestFree(all, [all])).toBeUndefined();
    expect(largestFree(prefix("::/0"), prefixes("::/128"))?.text).toBe("8000::/1");
  });

  test("firstFree returns the lowest block of the space that overlaps no taken block", () => {
    const space = new Prefix(4, 0n, 27);
    fc.assert(
      fc.property(crowdedPrefixes, fc.integer({ min: 27, max: 32 }), (taken, length) => {
        const blocks = Array.from(
          { length: 2 ** (length - 27) },
          (_, place) => new Prefix(4, BigInt(place * 2 ** (32 - length)), length),
        );
        const expected = blocks.find((block) => !taken.some((other) => overlap(block, other)));
        expect(firstFree(space, taken, length)?.text).toBe(expected?.text);
      }),
    );
  });

  test("largestFree returns a block of the shortest free prefix length", () => {
    fc.assert(
      fc.property(crowdedPrefixes, (taken) => {
        const space = new Prefix(6, 0n, 123);
        const largest = largestFree(space, taken);
        const lengths = [123, 124, 125, 126, 127, 128].filter((length) => firstFree(space, taken, length));
        expect(largest?.length).toBe(lengths[0]);
        expect(taken.some((other) => largest && overlap(largest, other))).toBe(false);
      }),
    );
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
    ["10.0.0.0/24", "10.0.0.1"],
    ["10.0.0.0/30", "10.0.0.1"],
    ["10.0.0.0/31", "10.0.0.0"],
    ["10.0.0.0/32", "10.0.0.0"],
    ["2001:db8::/126", "2001:db8::"],
    ["2001:db8::/29", "2001:db8::"],
  ])("the first host of %s is %s", (text, first) => {
    expect(firstHost(prefix(text)).text).toBe(first);
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
