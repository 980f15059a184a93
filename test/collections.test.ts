import fc from "fast-check";

import { KeyedList } from "../src/collections";

describe("a keyed list", () => {
  const words = ["apple", "avocado", "banana", "7", "blueberry", "42"];
  const list = new KeyedList(words, (word) => (/^[a-z]/.test(word) ? word[0] : undefined));

  test.each<[string[], string[]]>([
    [["a"], ["apple", "avocado", "7", "42"]],
    [["b"], ["banana", "7", "blueberry", "42"]],
    [["c"], ["7", "42"]],
    [[], ["7", "42"]],
  ])("has for %j, in the order of the list, %j", (keys, entries) => {
    expect(list.of(keys)).toEqual(entries);
  });

  test("is the list itself for all keys", () => {
    expect(list.of(["b", "a"])).toBe(words);
  });

  test("filters by any keys", () => {
    const keys = fc.uniqueArray(fc.integer({ min: 0, max: 4 }));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -2, max: 4 })), keys, (numbers, wanted) => {
        const keyed = new KeyedList(numbers, (number) => (number < 0 ? undefined : number));
        expect(keyed.of(wanted)).toEqual(numbers.filter((number) => number < 0 || wanted.includes(number)));
      }),
    );
  });
});
