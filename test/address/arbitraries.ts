import fc from "fast-check";
import { BITS, Prefix, type Family } from "../../src/address";

const family: fc.Arbitrary<Family> = fc.constantFrom(4, 6);

/** Any prefix of either family. */
export const anyPrefix = family.chain((of) => prefixOfFamily(of));

function prefixOfFamily(of: Family): fc.Arbitrary<Prefix> {
  return fc
    .tuple(fc.bigInt({ min: 0n, max: (1n << BigInt(BITS[of])) - 1n }), fc.nat({ max: BITS[of] }))
    .map(([address, length]) => new Prefix(of, address, length));
}

/** A prefix of a small range at either end of the address space, so that a few prefixes already overlap, touch and repeat. */
export const crowdedPrefix: fc.Arbitrary<Prefix> = fc
  .tuple(family, fc.boolean(), fc.nat({ max: 31 }), fc.nat({ max: 6 }), fc.boolean())
  .map(([of, atTheEnd, offset, wider, everything]) => {
    if (everything && offset === 0) return new Prefix(of, 0n, 0);
    const base = atTheEnd ? (1n << BigInt(BITS[of])) - 32n : 0n;
    return new Prefix(of, base + BigInt(offset), BITS[of] - wider);
  });

export const crowdedPrefixes = fc.array(crowdedPrefix, { maxLength: 12 });

/** Text that is nearly a prefix: one character is removed, inserted or changed. */
export const mutatedText: fc.Arbitrary<string> = fc
  .tuple(
    fc.oneof(anyPrefix, crowdedPrefix).map(({ text }) => text),
    fc.nat(),
    fc.constantFrom(..."0123456789abcdefgABCDEF.:/%- \n\u0660\uff11", ""),
    fc.boolean(),
  )
  .map(([text, place, sign, replace]) => {
    const at = place % (text.length + 1);
    return text.slice(0, at) + sign + text.slice(replace ? at + 1 : at);
  });

/** IPv6 prefixes in all spellings: full groups, leading zeros, capitals, `::` in any gap; not all of them valid. */
export const oddlyWrittenIPv6: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(fc.constantFrom("0", "00", "0000", "1", "0db8", "DB8", "ffff", "0FFF"), {
      minLength: 0,
      maxLength: 9,
    }),
    fc.option(fc.nat({ max: 9 })),
    fc.constantFrom(0, 1, 16, 32, 48, 64, 96, 112, 127, 128, 129),
  )
  .map(([groups, gap, length]) => {
    const text =
      gap === null ? groups.join(":") : `${groups.slice(0, gap).join(":")}::${groups.slice(gap).join(":")}`;
    return `${text}/${length}`;
  });

/** Random text, mostly of characters that occur in addresses. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom(..."0123456789abcdefF.:/%") }),
  fc
    .tuple(
      fc.array(fc.integer({ min: -1, max: 300 }), { minLength: 3, maxLength: 5 }),
      fc.integer({ min: -1, max: 40 }),
    )
    .map(([octets, length]) => `${octets.join(".")}/${length}`),
);
