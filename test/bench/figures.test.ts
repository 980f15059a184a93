import { nestingByBruteForce, nestingWith } from "../../bench/peers";
import { keepsLimit, ratio, type Figure } from "../../bench/figure";
import { LISTS, randomPrefixes } from "../../bench/prefixes";
import { figureTable } from "../../bench/table";
import { timeInTurns, timingOf } from "../../bench/timing";
import { listsOverlap, overlapsAmong } from "../../src/address";
import { parsePrefix } from "../../src/address/parse";

const figure = (ours: number, theirs: number, limit: Figure["limit"]): Figure => ({
  name: "overlap",
  ours: { min: ours, median: ours },
  other: "cidr-tools",
  theirs: { min: theirs, median: theirs },
  limit,
});

const parse = (text: string) => {
  const { family, start, end } = parsePrefix(text).prefix!;
  return { version: family, start, end };
};

describe("the bench", () => {
  test("judges limits on ratios", () => {
    expect(keepsLimit(figure(10, 50, { fasterBy: 5 }))).toBe(true);
    expect(keepsLimit(figure(10, 49, { fasterBy: 5 }))).toBe(false);
    expect(keepsLimit(figure(125, 100, { atMost: 1.25 }))).toBe(true);
    expect(keepsLimit(figure(126, 100, { atMost: 1.25 }))).toBe(false);
    expect(ratio(figure(126, 100, { atMost: 1.25 }))).toBe(1.26);
    expect(figureTable([figure(10, 49, { fasterBy: 5 })])).toContain("MISSED");
  });

  test("judges limits on time and memory", () => {
    expect(keepsLimit(figure(75, 1, { within: 75 }))).toBe(true);
    expect(keepsLimit(figure(76, 1, { within: 75 }))).toBe(false);
    expect(keepsLimit(figure(300, 44, { more: 256 }))).toBe(true);
    expect(keepsLimit(figure(301, 44, { more: 256 }))).toBe(false);
    const table = figureTable([{ ...figure(301, 44, { more: 256 }), unit: "MB" }]);
    expect(table).toContain("at most 256 MB more");
    expect(table).toContain("301.0 / 301.0 MB");
  });

  test("alternates both sides equally often, and does not count warm-up runs", () => {
    const runs: string[] = [];
    let time = 0;
    const [ours, theirs] = timeInTurns(
      () => runs.push("ours"),
      () => runs.push("theirs"),
      3,
      2,
      (run) => {
        run();
        return ++time;
      },
    );
    expect(runs).toEqual(Array.from({ length: 5 }, () => ["ours", "theirs"]).flat());
    expect([ours, theirs]).toEqual([
      { min: 5, median: 7 },
      { min: 6, median: 8 },
    ]);
  });

  test("reports the fastest and the median run", () => {
    expect(timingOf([9, 1, 5])).toEqual({ min: 1, median: 5 });
  });

  test("has the same valid prefixes of both families in every run, with some duplicates", () => {
    const texts = randomPrefixes(2_000, 7);
    expect(randomPrefixes(2_000, 7)).toEqual(texts);
    expect(texts.filter((text) => text.includes(":")).length).toBeGreaterThan(400);
    expect(overlapsAmong(texts).refused).toHaveLength(0);
    expect(overlapsAmong(texts).duplicates).toBeGreaterThan(50);
  });

  test("has overlapping and non-overlapping lists", () => {
    expect(listsOverlap(randomPrefixes(2_000, 1, 0), randomPrefixes(2_000, 2, 1))).toBe(false);
    expect(listsOverlap(randomPrefixes(2_000, 1, 0), randomPrefixes(2_000, 2, 0))).toBe(true);
  });

  test.each(Object.entries(LISTS))(
    "has %s lists that are the same in every run, and whose nesting equals that of brute force",
    (_, make) => {
      const texts = make(400, 5);
      expect(make(400, 5)).toEqual(texts);
      const { refused, ...ours } = overlapsAmong(texts);
      expect([texts.length, refused.length]).toEqual([400, 0]);
      const found = { ...ours, parent: [...ours.parent], twin: [...ours.twin] };
      expect(found).toEqual(nestingByBruteForce(parse, texts));
    },
  );

  test("gets the same answer from all three methods", () => {
    const texts = [...randomPrefixes(200, 3), "10.0.0.0/8", "2001:db8::/32", "0.0.0.0/0", "10.0.0.0/8"];
    const { refused: _, ...ours } = overlapsAmong(texts);
    const bruteForce = nestingByBruteForce(parse, texts);
    expect({ ...ours, parent: [...ours.parent], twin: [...ours.twin] }).toEqual(bruteForce);
    const { parent, twin, ...counts } = nestingWith(parse, texts);
    expect({ ...counts, parent: Array.from(parent), twin: Array.from(twin) }).toEqual(bruteForce);
  });
});
