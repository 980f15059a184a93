import fc from "fast-check";

import { labelClasses, selectsLabels, type Labels } from "../../../src/reachability/isolation/podTraffic";
import { UNKNOWN, type PropertyValue } from "../../../src/resources/resource";

const key = fc.constantFrom("app", "tier", "team");
const value = fc.constantFrom("a", "b", "c");
const known = fc.record(
  {
    matchLabels: fc.dictionary(key, fc.oneof(value, fc.constant(UNKNOWN)), { maxKeys: 2 }),
    matchExpressions: fc.array(
      fc.record({
        key,
        operator: fc.constantFrom("In", "NotIn", "Exists", "DoesNotExist"),
        values: fc.array(value, { maxLength: 2 }),
      }),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: [] },
);
const selectors: fc.Arbitrary<PropertyValue[]> = fc.array(
  fc.oneof(known as fc.Arbitrary<PropertyValue>, fc.constant(UNKNOWN as PropertyValue)),
  { maxLength: 8 },
);

/** Every object with a subset of these labels. */
const objects: Labels[] = ["app", "tier", "team"].reduce<Labels[]>(
  (sets, one) =>
    sets.flatMap((labels) => [
      labels,
      ...["a", "b", "c", "elsewhere"].map((text) => ({ ...labels, [one]: text })),
    ]),
  [{}],
);

test("there is one set of labels for each way in which selectors distinguish objects", () => {
  fc.assert(
    fc.property(selectors, (all) => {
      const way = (labels: Labels) => all.map((selector) => String(selectsLabels(selector, labels))).join();
      const ways = labelClasses(all)!.map(way);
      expect(new Set(ways).size).toBe(ways.length);
      expect([...ways].sort()).toEqual([...new Set(objects.map(way))].sort());
    }),
    { numRuns: 300 },
  );
});
