import fc from "fast-check";

import { globOf } from "../../src/gate/verdict";

describe("name patterns with stars", () => {
  test.each([
    ["a", "a", true],
    ["a", "ab", false],
    ["a*", "ab", true],
    ["*b", "ab", true],
    ["a*b", "ab", true],
    ["a*a", "a", false],
    ["*", "", true],
    ["**", "x", true],
    ["a*b*c", "a-b-b-c", true],
    ["a*bc*c", "abc", false],
    ["a.b[$]", "a.b[$]", true],
    ["a.b", "axb", false],
    ["a*\n", "a\n\n", true],
    ["*ab*ab*", "xabxabx", true],
    ["*ab*ab*", "xabx", false],
  ])("give the expected result for %j and %j", (glob, name, fits) => {
    expect(globOf(glob)(name)).toBe(fits);
  });

  test("match the same names as the equivalent regular expression", () => {
    const text = (...letters: string[]) =>
      fc.array(fc.constantFrom(...letters), { maxLength: 8 }).map((all) => all.join(""));
    fc.assert(
      fc.property(text("a", "b", "*"), text("a", "b"), (glob, name) => {
        expect(globOf(glob)(name)).toBe(new RegExp(`^${glob.replace(/\*+/g, ".*")}$`).test(name));
      }),
    );
  });

  test("finish quickly with many stars and a long name that almost matches", () => {
    expect(globOf(`${"*a".repeat(60)}*b`)("a".repeat(100_000))).toBe(false);
  });
});
