import { spawnSync } from "node:child_process";

import { rows } from "../../bench/growth/rows";
import type { Counted } from "../../bench/growth/operations";
import { LIMIT, limitOf, ratioOf, type Growth } from "../../bench/growth/measure";
import { compiled, repositoryRoot } from "../../local/repository";

/** Small sizes, each twice the one before. */
const SIZES = [12, 24, 48];
/** Rows whose code once compared all pairs, or that are used most. */
const ROWS = [
  "peerings check",
  "attached-vpcs check",
  "transit-tables check",
  "neighbours-and-routes check",
  "vpcs-that-overlap check",
  "vpc-blocks-peered check",
  "vpns check",
  "group-rules check",
  "group-rules-at-one-port check",
  "groups check",
  "acls check",
  "acl-rules check",
  "acl-rules prove",
  "acl-rules diff",
  "group-rules explain",
  "clusters prove",
  "clusters-of-one-name check",
  "policies-with-selectors check",
  "policies-with-selectors prove",
  "policies-of-one-kind check",
  "pod-selectors check",
  "namespace-selectors check",
  "policy-rules check",
  "expression-values check",
  "admin-policies check",
  "admin-rules check",
  "policy-rules-by-namespace check",
  "admin-subjects check",
  "egress-ips check",
  "egress-ips-of-one-namespace check",
  "egress-ips-of-one-address check",
  "egress-ips-of-shared-labels check",
  "egress-ips-of-no-label check",
  "egress-firewalls check",
  "firewall-surplus check",
  "infrastructure-that-overlaps plan",
  "machine-networks-that-overlap check",
  "worker-blocks change",
  "exemptions check",
  "exemptions-with-stars check",
  "unknown-rules check",
  "aliases check",
  "keys check",
  "foreign check yaml",
  "clusters pack",
  "cluster-patches pack",
];

/** Steps of our code as V8 counts them, independent of the load on this machine. */
function countedRows(): Record<string, Counted[]> {
  const script = compiled("bench/growth/operations");
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ["--no-opt", script, ROWS.join(","), SIZES.join(",")],
    { cwd: repositoryRoot, encoding: "utf8", timeout: 280_000, maxBuffer: 1 << 26 },
  );
  expect([status, stderr]).toEqual([0, ""]);
  return JSON.parse(stdout) as Record<string, Counted[]>;
}

describe("twice the input takes little more than twice the steps", () => {
  let counted: Record<string, Counted[]>;
  beforeAll(() => (counted = countedRows()), 300_000);

  test.each(ROWS)("%s", (row) => {
    const [small, middle, large] = counted[row]!.map(({ operations }) => operations) as [
      number,
      number,
      number,
    ];
    // Compares the steps added by each doubling, so that the constant steps of every call do not count.
    expect((large - middle) / (middle - small)).toBeLessThan(LIMIT);
    expect(large).toBeGreaterThan(small);
  });
});

describe("the rows", () => {
  test("have unique names, and include all rows that are counted", () => {
    const names = rows().map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(ROWS.filter((row) => !names.includes(row))).toEqual([]);
  });

  test("generate more data for twice the count", () => {
    for (const { dimension } of rows()) {
      const [one, two] = [4, 8].map((count) => JSON.stringify(dimension.make(count)).length) as [
        number,
        number,
      ];
      expect(two).toBeGreaterThan(one);
    }
  });
});

describe("a row of the growth table", () => {
  const sized = (count: number, worked: number, peak: number, written: number) => ({
    count,
    bytes: 1_000 * count,
    worked,
    peak,
    written,
  });
  const growth = (large: ReturnType<typeof sized>): Growth => ({
    row: "vpcs check",
    title: "VPCs",
    small: sized(100, 1_000, 200, 1_000),
    large,
    start: 300,
    kept: true,
  });

  test("has the limit n log n, or a higher one if the output or the pairs grow faster", () => {
    expect(limitOf(growth(sized(200, 2_000, 400, 2_000)))).toBe(LIMIT);
    expect(limitOf(growth(sized(200, 2_000, 400, 4_000)))).toBeCloseTo(4.6);
    const pairs = "each meets each other one";
    expect(limitOf({ ...growth(sized(200, 2_000, 400, 2_000)), pairs })).toBe(2 * LIMIT);
  });

  test("is not judged for a peak below that of start-up", () => {
    expect(ratioOf(growth(sized(200, 2_100, 149, 2_000)), "worked")).toBeCloseTo(2.1);
    expect(ratioOf(growth(sized(200, 2_100, 149, 2_000)), "peak")).toBeUndefined();
  });
});

describe("npm run growth", () => {
  const called = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [compiled("local/commands/growth"), ...args],
      { encoding: "utf8" },
    );
    return { status, stdout, stderr };
  };

  test("lists the dimensions, and explains in its help how to select rows", () => {
    const { status, stdout } = called("--list");
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^peerings +VPCs with two peerings each$/m)]);
    expect(called("--help").stdout).toContain("npm run growth -- acl-rules diff prove");
  });

  test("refuses an unknown name", () => {
    const { status, stdout, stderr } = called("peering");
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("npm run growth does not know peering: --list prints the names");
  });

  test.each(["--part=3/2", "--part=0/2", "--part=1", "--part=2/2 peerings prove"])(
    "refuses %s, which has no row",
    (words) => {
      expect(called(...words.split(" "))).toMatchObject({ status: 2, stdout: "" });
    },
  );
});
