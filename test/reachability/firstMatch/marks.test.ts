import fc from "fast-check";
import { overlap } from "../../../src/address";
import { Marks } from "../../../src/reachability/firstMatch/surplus";
import { bitsOf } from "../../../src/reachability/firstMatch/trie";
import { address, prefix } from "../smallUniverse";

const block = fc
  .tuple(fc.nat(31), fc.integer({ min: 27, max: 32 }))
  .map(([bits, length]) => prefix(`${address(bits & (0xff << (32 - length)))}/${length}`));
const anywhere = fc.oneof(block, fc.constantFrom("0.0.0.0/0", "128.0.0.0/1", "10.0.0.0/8").map(prefix));
const mark = fc.record({ at: anywhere, services: fc.array(fc.nat(5), { maxLength: 3 }) });

test("the services for a prefix are those at overlapping prefixes, each listed once", () => {
  fc.assert(
    fc.property(fc.array(mark, { maxLength: 12 }), anywhere, (list, asked) => {
      const marks = new Marks();
      for (const { at, services } of list) marks.add(bitsOf(at), services);
      const expected = new Set(
        list.filter(({ at }) => overlap(at, asked)).flatMap(({ services }) => services),
      );
      const found = [...marks.about(bitsOf(asked))];
      expect(new Set(found)).toEqual(expected);
      expect(found).toHaveLength(expected.size);
    }),
    { numRuns: 300 },
  );
});
