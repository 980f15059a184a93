import { performanceText, resultsOf } from "../../bench/results";
import type { Figure } from "../../bench/figure";

const timing = (min: number) => ({ min, median: 2 * min });
const figures: Figure[] = [
  {
    name: "overlap",
    ours: timing(10),
    other: "cidr-tools",
    theirs: timing(49.876),
    limit: { fasterBy: 5 },
  },
  {
    name: "  peak memory",
    ours: timing(100),
    other: "node that parses the file",
    theirs: timing(200),
    unit: "MB",
    limit: { atMost: 1 },
  },
];

describe("the results of the bench", () => {
  const results = resultsOf(figures, new Date("2026-11-26T10:00:00Z"));

  test("have our value, the peer's value, the ratio, the limit and whether it is met", () => {
    expect(results.date).toBe("2026-11-26");
    expect(results.machine).toContain(`Node.js ${process.version}`);
    expect(results.figures).toEqual([
      {
        name: "overlap",
        ours: 10,
        peer: 49.9,
        with: "cidr-tools",
        unit: "ms",
        ratio: 4.99,
        limit: "at least 5",
        met: false,
      },
      {
        name: "overlap: peak memory",
        ours: 100,
        peer: 200,
        with: "node that parses the file",
        unit: "MB",
        ratio: 0.5,
        limit: "at most 1",
        met: true,
      },
    ]);
  });

  test("are written as a table that states how many limits are not met", () => {
    const text = performanceText(results);
    expect(text).toContain("1 of 2 figures miss their limit.");
    expect(text).toMatch(
      /^\| overlap +\| 10 ms +\| cidr-tools +\| 49\.9 ms \| 4\.99 +\| at least 5 \| \*\*not met\*\* \|$/m,
    );
    expect(text).toContain("## Missed limits\n\n- overlap: 4.99, limit at least 5. The cause is not known");
  });

  test("explain why a limit is not met, and omit this section if all are met", () => {
    const name = "100000 VPC-like prefixes, all parents";
    expect(performanceText(resultsOf([{ ...figures[0]!, name }]))).toContain(
      `- ${name}: 4.99, limit at least 5. mergeCidr also parses`,
    );
    expect(performanceText(resultsOf(figures.slice(1)))).not.toContain("Missed limits");
  });
});
