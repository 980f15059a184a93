import IPCIDR from "ip-cidr";
import fc from "fast-check";
import {
  addressFaults,
  parseAddress,
  parsePrefix,
  prefixFaults,
  type PrefixRules,
} from "../../src/address/parse";
import { anyPrefix } from "./arbitraries";

describe("ip-cidr validates the text that users type", () => {
  test("accepts a valid prefix and refuses an invalid one", () => {
    expect(IPCIDR.isValidCIDR("10.0.0.0/16")).toBe(true);
    expect(IPCIDR.isValidCIDR("2001:db8::/32")).toBe(true);
    expect(IPCIDR.isValidCIDR("10.0.0.256/16")).toBe(false);
    expect(IPCIDR.isValidCIDR("2001:db8::g/32")).toBe(false);
  });

  test("parsePrefix refuses a prefix that ip-cidr refuses", () => {
    const verdict = jest.spyOn(IPCIDR, "isValidCIDR").mockReturnValue(false);
    expect(parsePrefix("10.0.0.0/16").prefix).toBeUndefined();
    verdict.mockRestore();
    expect(parsePrefix("10.0.0.0/16").prefix?.text).toBe("10.0.0.0/16");
  });
});

describe("the canonical form of a prefix", () => {
  test.each([
    ["10.0.0.0/16", "10.0.0.0/16"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["255.255.255.255/32", "255.255.255.255/32"],
    ["::/0", "::/0"],
    ["::/128", "::/128"],
    ["0:0:0:0:0:0:0:1/128", "::1/128"],
    ["2001:0DB8:0000::/48", "2001:db8::/48"],
    ["2001:db8:0:0:1:0:0:0/96", "2001:db8:0:0:1::/96"],
    ["2001:db8:0:0:1:0:0:1/128", "2001:db8::1:0:0:1/128"],
    ["2001:db8::1:1:1:1:1/128", "2001:db8:0:1:1:1:1:1/128"],
    ["1:2:3:4:5:6:7::/112", "1:2:3:4:5:6:7:0/112"],
    ["ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128"],
    ["FD98::/64", "fd98::/64"],
  ])("%s becomes %s", (typed, canonical) => {
    expect(parsePrefix(typed).prefix?.text).toBe(canonical);
  });

  test("the canonical text of any prefix parses to the same prefix", () => {
    fc.assert(
      fc.property(anyPrefix, (prefix) => {
        const read = parsePrefix(prefix.text);
        // IPv4 inside IPv6 is the only form that can be computed but not typed.
        if (read.problem?.includes("IPv4 inside IPv6")) expect(prefix.start >> 32n).toBe(0xffffn);
        else expect(read.prefix).toEqual(prefix);
      }),
    );
  });

  test("two spellings of a prefix parse to equal values that serialize as the text", () => {
    expect(parsePrefix("2001:DB8::/32")).toEqual(parsePrefix("2001:db8:0::/32"));
    expect(parsePrefix("10.0.0.0/16")).not.toEqual(parsePrefix("10.1.0.0/16"));
    expect(JSON.stringify(parsePrefix("10.0.0.0/16"))).toBe('{"prefix":"10.0.0.0/16"}');
    expect(String(parsePrefix("10.0.0.0/16").prefix)).toBe("10.0.0.0/16");
  });
});

describe("refusals name the problem and the fix", () => {
  const refusals: [unknown, string][] = [
    ["10.0.0.1/16", "10.0.0.1/16 has host bits: write 10.0.0.0/16"],
    ["2001:db8::1/32", "2001:db8::1/32 has host bits: write 2001:db8::/32"],
    ["0.0.0.1/0", "0.0.0.1/0 has host bits: write 0.0.0.0/0"],
    ["172.16.1.1", "172.16.1.1 has no mask: write 172.16.1.1/32"],
    ["2001:DB8::1", "2001:DB8::1 has no mask: write 2001:db8::1/128"],
    ["10.0.0.0", "10.0.0.0 has no mask: write the mask after a slash, as in 10.0.0.0/16"],
    ["2001:db8::", "2001:db8:: has no mask: write the mask after a slash, as in 10.0.0.0/16"],
    ["999.1.1.1", "999.1.1.1 has no mask: write the mask after a slash, as in 10.0.0.0/16"],
    ["010.0.0.0/8", "010.0.0.0/8 has leading zeros: write 10.0.0.0/8"],
    ["10.00.0.0/8", "10.00.0.0/8 has leading zeros: write 10.0.0.0/8"],
    ["000.010.000.000/16", "000.010.000.000/16 has leading zeros: write 0.10.0.0/16"],
    ["10.0.0.0/008", "10.0.0.0/008 has leading zeros in its mask: write 10.0.0.0/8"],
    ["10.0.0.0/08", "10.0.0.0/08 has leading zeros in its mask: write 10.0.0.0/8"],
    ["2001:db8::/032", "2001:db8::/032 has leading zeros in its mask: write 2001:db8::/32"],
    [
      "10.0.0.0/33",
      "10.0.0.0/33 has a mask that is too long: IPv4 masks go from /0 to /32, IPv6 masks from /0 to /128",
    ],
    [
      "::/129",
      "::/129 has a mask that is too long: IPv4 masks go from /0 to /32, IPv6 masks from /0 to /128",
    ],
    [
      "10.0.0.0/255.255.0.0",
      "10.0.0.0/255.255.0.0 has a netmask instead of a prefix length: write 10.0.0.0/16",
    ],
    ["10.0.0.0/0.0.0.0", "10.0.0.0/0.0.0.0 has a netmask instead of a prefix length: write 0.0.0.0/0"],
    [
      "10.0.0.0/",
      "10.0.0.0/ has no number after its slash: write the prefix length there, as in 10.0.0.0/16",
    ],
    [
      "10.0.0.0/-1",
      "10.0.0.0/-1 has no number after its slash: write the prefix length there, as in 10.0.0.0/16",
    ],
    [
      "10.0.0.0/256.0.0.0",
      "10.0.0.0/256.0.0.0 has no number after its slash: write the prefix length there, as in 10.0.0.0/16",
    ],
    [
      "10.0.0.0/255.0.255.0",
      "10.0.0.0/255.0.255.0 has no number after its slash: write the prefix length there, as in 10.0.0.0/16",
    ],
    ["10.0.0.0/8/8", "10.0.0.0/8/8 has more than one slash: write a CIDR block such as 10.0.0.0/16"],
    ["10.0/16", "10.0/16 is not a complete IPv4 address: write 10.0.0.0/16"],
    ["10.0.0.256/24", "10.0.0.256/24 is not a CIDR block: write a CIDR block such as 10.0.0.0/16"],
    ["10.0.0.0.0/24", "10.0.0.0.0/24 is not a CIDR block: write a CIDR block such as 10.0.0.0/16"],
    ["1:2:3/48", "1:2:3/48 is not a CIDR block: write a CIDR block such as 10.0.0.0/16"],
    ["1::2::3/128", "1::2::3/128 is not a CIDR block: write a CIDR block such as 10.0.0.0/16"],
    [
      "1:2:3:4::5:6:7:8/128",
      "1:2:3:4::5:6:7:8/128 is not a CIDR block: write a CIDR block such as 10.0.0.0/16",
    ],
    [" 10.0.0.0/8", '" 10.0.0.0/8" has spaces: write 10.0.0.0/8'],
    ["10.0.0.0/8\n", '"10.0.0.0/8\\n" has spaces: write 10.0.0.0/8'],
    ["", "the string is empty: write a CIDR block such as 10.0.0.0/16"],
    [
      "::ffff:10.0.0.0/112",
      "::ffff:10.0.0.0/112 mixes IPv4 and IPv6: write IPv4 with dots, or IPv6 in hexadecimal groups",
    ],
    ["::ffff:a00:0/112", "::ffff:a00:0/112 is IPv4 inside IPv6: write 10.0.0.0/16"],
    ["::ffff:a00:1/128", "::ffff:a00:1/128 is IPv4 inside IPv6: write 10.0.0.1/32"],
    ["fe80::1%eth0/128", "a string of 16 characters has a zone id: write fe80::1/128"],
    ["fe80::%25/64", "fe80::%25/64 has a zone id: write fe80::/64"],
    [undefined, "missing: write a CIDR block such as 10.0.0.0/16"],
    [null, "missing: write a CIDR block such as 10.0.0.0/16"],
    [42, "a number is not a CIDR block: write a CIDR block such as 10.0.0.0/16"],
    [["10.0.0.0/8"], "a list is not a CIDR block: write a CIDR block such as 10.0.0.0/16"],
    [
      "1".repeat(100),
      "a string of 100 characters is too long for an IP address: write a CIDR block such as 10.0.0.0/16",
    ],
  ];

  test.each(refusals)("%j: %s", (value, expected) => {
    const { problem, remedy, prefix } = parsePrefix(value);
    expect(prefix).toBeUndefined();
    expect(`${problem}: ${remedy}`).toBe(expected);
  });

  test("text that is not an address is not repeated, because it may be a misplaced secret", () => {
    for (const secret of ["hunter2", "correct horse/battery", "ghp_abcDEF123/16", "deadbeef"])
      expect(JSON.stringify(parsePrefix(secret))).not.toContain(secret.slice(0, 4));
  });

  test("a block that a fix suggests is itself accepted", () => {
    const suggested = refusals.flatMap(
      ([value]) => /^write ([\da-f.:]+\/\d+)/.exec(parsePrefix(value).remedy ?? "")?.[1] ?? [],
    );
    expect(suggested.length).toBeGreaterThan(5);
    expect(suggested.map((text) => parsePrefix(text).prefix?.text)).toEqual(suggested);
  });
});

describe("rules for the prefix of a field", () => {
  const demands: [string, PrefixRules, string | undefined][] = [
    ["10.0.0.0/16", { families: [4] }, undefined],
    ["2001:db8::/32", { families: [4] }, "2001:db8::/32 is IPv6: only IPv4 is allowed here"],
    ["100.64.0.0/31", { maxLength: { 4: 30 } }, "100.64.0.0/31 is too small: write a block of /0 to /30"],
    ["100.64.0.0/30", { maxLength: { 4: 30 } }, undefined],
    ["fd98::/126", { maxLength: { 4: 30, 6: 125 } }, "fd98::/126 is too small: write a block of /0 to /125"],
    ["10.0.0.0/15", { minLength: { 4: 16 } }, "10.0.0.0/15 is too large: write a block of /16 to /32"],
    ["fd00::/8", { minLength: { 4: 16 } }, undefined],
    ["10.0.0.1/16", { hostBits: "clear" }, undefined],
    [
      "10.0.0.1",
      { maxLength: { 4: 24 } },
      "10.0.0.1 has no mask: write the mask after a slash, as in 10.0.0.0/16",
    ],
  ];

  test.each(demands)("%s under %j", (value, rules, expected) => {
    const { problem, remedy } = parsePrefix(value, rules);
    expect(problem === undefined ? undefined : `${problem}: ${remedy}`).toBe(expected);
  });

  test("a fault names the path of the field", () => {
    expect(prefixFaults("machineNetwork[0].cidr", "172.16.1.1")).toEqual([
      { path: "machineNetwork[0].cidr", problem: "172.16.1.1 has no mask", remedy: "write 172.16.1.1/32" },
    ]);
    expect(prefixFaults("machineNetwork[0].cidr", "172.16.1.1/32")).toEqual([]);
  });

  test("host bits are cleared if the rules say so", () => {
    expect(parsePrefix("10.0.9.1/16", { hostBits: "clear" }).prefix?.text).toBe("10.0.0.0/16");
  });
});

describe("single addresses", () => {
  test.each([
    ["10.0.0.1", "10.0.0.1"],
    ["255.255.255.255", "255.255.255.255"],
    ["2001:DB8::0:1", "2001:db8::1"],
    ["::", "::"],
  ])("%s becomes %s", (typed, canonical) => {
    expect(parseAddress(typed).address?.text).toBe(canonical);
  });

  test.each([
    ["10.0.0.1/32", "10.0.0.1/32 has a mask: write only the address"],
    ["10.0.0.256", "10.0.0.256 is not an IP address: write an address such as 10.0.0.1"],
    ["010.0.0.1", "010.0.0.1 has leading zeros: write the numbers without leading zeros"],
    ["::ffff:a00:1", "::ffff:a00:1 is IPv4 inside IPv6: write 10.0.0.1"],
    ["fe80::1%2", "fe80::1%2 has a zone id: remove the % and what follows it"],
    ["api.example.com", "a string of 15 characters is not an IP address: write an address such as 10.0.0.1"],
    ["", "the string is empty: write an address such as 10.0.0.1"],
    [undefined, "missing: write an address such as 10.0.0.1"],
  ])("%j: %s", (value, expected) => {
    const { problem, remedy } = parseAddress(value);
    expect(`${problem}: ${remedy}`).toBe(expected);
  });

  test("a required family refuses addresses of the other family", () => {
    expect(addressFaults("advertiseAddress", "fd00::1", { families: [4] })).toEqual([
      { path: "advertiseAddress", problem: "fd00::1 is IPv6", remedy: "only IPv4 is allowed here" },
    ]);
    expect(addressFaults("advertiseAddress", "fd00::1")).toEqual([]);
  });
});
