import fc from "fast-check";
import {
  Address,
  Prefix,
  type FamilyColumns,
  isIPv4Prefix,
  parseBulk,
  prefixFamily,
  prefixOf,
  readHost,
  readPrefix,
  withoutHostBits,
} from "../../src/address";
import { parseAddress, parsePrefix } from "../../src/address/parse";
import { anyPrefix, anyText, crowdedPrefix, mutatedText, oddlyWrittenIPv6 } from "./arbitraries";

/** The prefix in one row of the columns. */
function prefixAt({ family, lanes, lengths }: FamilyColumns, row: number): Prefix {
  const start = lanes.reduce((value, lane) => (value << 32n) | BigInt(lane[row]!), 0n);
  return new Prefix(family, start, lengths[row]!);
}

/** The prefix that the columns hold for each text, in the order of the input. */
function fromColumns(texts: readonly string[]): (Prefix | undefined)[] {
  const columns = parseBulk(texts);
  const read = new Array<Prefix | undefined>(texts.length);
  for (const family of [columns.ipv4, columns.ipv6])
    family.index.forEach((index, row) => (read[index] = prefixAt(family, row)));
  return read;
}

describe("the reader for bulk input agrees with parsePrefix", () => {
  test.each([
    ["prefixes", anyPrefix.map(({ text }) => text)],
    ["prefixes at the ends of the address space", crowdedPrefix.map(({ text }) => text)],
    ["prefixes with one character changed", mutatedText],
    ["IPv6 in all its spellings", oddlyWrittenIPv6],
    ["random texts", anyText],
  ])("on %s", (_, text) => {
    fc.assert(
      fc.property(text, (typed) => {
        const { prefix } = parsePrefix(typed);
        expect(readPrefix(typed)).toEqual(prefix);
        expect(prefixFamily(typed)).toBe(prefix?.family);
        const quoted = Buffer.from(`"${typed}"`);
        expect(isIPv4Prefix(quoted, 1, quoted.length - 1)).toBe(prefix?.family === 4);
        expect(fromColumns([typed])).toEqual([prefix]);
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    "0.0.0.0/0",
    "255.255.255.255/32",
    "255.255.255.254/31",
    "128.0.0.0/1",
    "128.0.0.0/0",
    "1.2.3.4/32",
    "1.2.3.4/31",
    "::/0",
    "::/128",
    "::1/128",
    "1::/16",
    "1::/15",
    "8000::/1",
    "8000::/0",
    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128",
    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:fffe/127",
    "ffff:ffff::/32",
    "ffff:ffff::/31",
    "0:0:0:1::/64",
    "0:0:0:1::/63",
    "1:2:3:4:5:6:7:8/128",
    "1:2:3:4:5:6:7:8:9/128",
    "1:2:3:4:5:6:7::/128",
    "::2:3:4:5:6:7:8/128",
    "::1:2:3:4:5:6:7:8/128",
    "1:2:3:4:5:6:7:8::/128",
    ":1:2:3:4:5:6:7/128",
    "1:2:3:4:5:6:7:/128",
    ":::/128",
    "::/",
    "/",
    "/0",
    ":/0",
    "1/0",
    "::ffff:0:0/96",
    "::ffff:0:0/95",
    "::ffff:1.2.3.4/128",
    "::fffe:0:0/96",
    "::%1/128",
    "12345::/128",
    "::00001/128",
    "10.0.0.0/8 ",
    "10.0.0.0/8\u0000",
    "１0.0.0.0/8",
    "10.0.0.0/+8",
    "10.0.0.0/8e0",
    "+10.0.0.0/8",
    "0x0a.0.0.0/8",
    "4294967296.0.0.0/8",
    "10.0.0.0/4294967304",
    "1e1.0.0.0/8",
    "..../8",
    "256.0.0.0/8",
    "10.0.0.0/33",
    "10.0.0.0/08",
    "01.0.0.0/8",
    "10.0.0/8",
    "10.0.0.0.0/8",
    "10..0.0/8",
    "10.0.0.0//8",
    "10.0.0.0/100",
    "10.0.0.0/1000",
    "10.0.0.0/:",
    "1.0.0.0/8x",
    "1.0.0.0",
    "::1::/128",
    "1::2::/128",
    "1::2:/128",
    ":1::/16",
    "::/129",
    "1::ffff:0:0/96",
    "0:0:1::ffff:0:0/96",
    "0:0:0:1::ffff:0:0/96",
    "::\u0080/128",
    "::1\u0080/128",
    "1:2:3:4:5:6:7:8:/128",
    "1:2:3:4:5:6:7:8",
    "...../",
  ])("on %s", (text) => {
    expect(readPrefix(text)).toEqual(parsePrefix(text).prefix);
  });
});

describe("the reader for host addresses agrees with parseAddress", () => {
  test.each([
    ["addresses", anyPrefix.map(({ start, family }) => new Address(family, start).text)],
    ["prefixes with one character changed", mutatedText],
    ["IPv6 in all its spellings", oddlyWrittenIPv6.map((text) => text.split("/")[0]!)],
    ["random texts", anyText],
    ["host names", fc.domain()],
  ])("on %s", (_, text) => {
    fc.assert(
      fc.property(text, (typed) => {
        const { address } = parseAddress(typed);
        expect(readHost(typed)).toEqual(address && prefixOf(address));
      }),
      { numRuns: 1000 },
    );
  });

  test.each([
    "",
    "10.0.0.1",
    "10.0.0.1/32",
    "::1",
    "::ffff:10.0.0.1",
    "::ffff:a00:1",
    "01.2.3.4",
    "fe80::1%eth0",
  ])("on %s", (typed) => {
    const { address } = parseAddress(typed);
    expect(readHost(typed)).toEqual(address && prefixOf(address));
  });
});

describe("parseBulk", () => {
  const texts = ["10.0.0.0/16", "10.0.0.1/16", "2001:db8::/32", "", "10.1.0.0/16"];

  test("puts every text into one family or refuses it, with its index in the input", () => {
    const { size, ipv4, ipv6, refused } = parseBulk(texts);
    expect(size).toBe(5);
    expect([...ipv4.index]).toEqual([0, 4]);
    expect([...ipv6.index]).toEqual([2]);
    expect([...refused]).toEqual([1, 3]);
    expect([...ipv6.lanes.map((lane) => lane[0])]).toEqual([0x20010db8, 0, 0, 0]);
  });

  test("accepts empty input", () => {
    const { size, ipv4, ipv6, refused } = parseBulk([]);
    expect([size, ipv4.index.length, ipv6.index.length, refused.length]).toEqual([0, 0, 0, 0]);
  });

  test("refuses values that are not strings, which a plan can contain", () => {
    const broken = [42, null, { cidr: "10.0.0.0/8" }];
    const columns = parseBulk(broken);
    expect([...columns.refused]).toEqual([0, 1, 2]);
  });
});

test.each([
  ["10.0.0.1/16", "10.0.0.0/16"],
  ["2001:db8::1/64", "2001:db8::/64"],
  ["10.0.0.0/16", "10.0.0.0/16"],
  ["10.0.0.1/33", "10.0.0.1/33"],
  ["010.0.0.1/16", "010.0.0.1/16"],
  ["api", "api"],
  [3, 3],
  [undefined, undefined],
])("%j without host bits is %j", (value, expected) => expect(withoutHostBits(value)).toBe(expected));
