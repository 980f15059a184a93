import fc from "fast-check";
import { compareReleases, formatRelease, parseRelease, releaseWithin } from "../../src/requirements/release";

const anyRelease = fc.record({ major: fc.nat(9), minor: fc.nat(99) });

test.each([
  ["4.20", "4.20"],
  ["4.9", "4.9"],
  ["4.20.3", "4.20"],
  ["4.21.0-rc.1", "4.21"],
  ["4.20.3-x86_64", "4.20"],
])("%s is release %s", (text, release) => {
  expect(formatRelease(parseRelease(text)!)).toBe(release);
});

test.each([[4.2], ["4"], ["v4.20"], ["4.020"], [" 4.20"], ["4.20."], ["latest"], [""], [undefined], [null]])(
  "%p is not a release",
  (text) => {
    expect(parseRelease(text)).toBeUndefined();
  },
);

test("4.9 is older than 4.20: releases are not decimal numbers", () => {
  expect(compareReleases(parseRelease("4.9")!, parseRelease("4.20")!)).toBeLessThan(0);
});

test("law: parsing a formatted release returns the same release", () => {
  fc.assert(
    fc.property(anyRelease, (release) => expect(parseRelease(formatRelease(release))).toEqual(release)),
  );
});

test("law: the order is antisymmetric, and a range contains exactly the releases between its ends", () => {
  fc.assert(
    fc.property(anyRelease, anyRelease, anyRelease, (a, from, to) => {
      expect(Math.sign(compareReleases(from, to))).toBe(-Math.sign(compareReleases(to, from)) || 0);
      const inside = compareReleases(a, from) >= 0 && compareReleases(a, to) <= 0;
      expect(releaseWithin(a, { from, to })).toBe(inside);
      expect(releaseWithin(a, {})).toBe(true);
    }),
  );
});
