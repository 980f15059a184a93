import fc from "fast-check";

import { canonicalCidr, cidrFault } from "../../../../local/plugins/aws/cidr";

describe("address blocks, judged as by the official provider before a call", () => {
  test.each([
    ["10.0.0.0/8", 4],
    ["0.0.0.0/0", 4],
    ["192.0.2.1/32", 4],
    ["2001:db8::/32", 6],
    ["::/0", 6],
    ["2001:DB8:0:0::/32", 6],
    ["::ffff:0:0/96", 6],
  ] as const)("%s is a network address", (text, family) => {
    expect(cidrFault(text, family)).toBeUndefined();
  });

  test.each([
    ["10.0.0.1/8", 4, 'is not a network address: did you mean "10.0.0.0/8"?'],
    ["2001:db8::1/32", 6, 'is not a network address: did you mean "2001:db8::/32"?'],
    ["10.0.0.0", 4, "is not a valid IPv4 CIDR block"],
    ["10.0.0.0/33", 4, "is not a valid IPv4 CIDR block"],
    ["10.0.0/8", 4, "is not a valid IPv4 CIDR block"],
    ["2001:db8::/32", 4, "is not a valid IPv4 CIDR block"],
    ["10.0.0.0/8", 6, "is not a valid IPv6 CIDR block"],
    ["::/129", 6, "is not a valid IPv6 CIDR block"],
    ["10.0.0.0/8/8", 4, "is not a valid IPv4 CIDR block"],
  ] as const)("%s is refused as IPv%s with the reason or the corrected block", (text, family, message) => {
    expect(cidrFault(text, family)).toContain(message);
  });

  test("the canonical form of any block is a network address and is stable", () => {
    const v4 = fc.tuple(fc.ipV4(), fc.integer({ min: 0, max: 32 }));
    const v6 = fc.tuple(fc.ipV6(), fc.integer({ min: 0, max: 128 }));
    fc.assert(
      fc.property(fc.oneof(v4, v6), ([address, length]) => {
        const canonical = canonicalCidr(`${address}/${length}`);
        expect(cidrFault(canonical, address.includes(":") ? 6 : 4)).toBeUndefined();
        expect(canonicalCidr(canonical)).toBe(canonical);
      }),
    );
  });
});
