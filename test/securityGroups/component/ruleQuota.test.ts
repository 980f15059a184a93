import {
  ruleRow,
  type SecurityGroupOptions,
  securityGroupRules,
} from "../../../src/securityGroups/component/securityGroupRules";
import { fitQuota } from "../../../src/securityGroups/component/ruleQuota";
import { RuleMerging } from "../../../src/securityGroups/component/hostedControlPlaneSecurityGroupsArgs";
import { Direction } from "../../../src/requirements/vocabulary";
import { UNKNOWN } from "../../../src/resources/resource";
import { WORKERS, faultsOf, ingress, topologyOf } from "./ruleTables";
import { cidr, list, ruleFor } from "./someRules";

/** Blocks that are not adjacent. */
const apart = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `192.0.${2 * index}.0/24`);
/** Adjacent blocks. */
const inRow = (count: number): string[] => Array.from({ length: count }, (_, index) => `192.0.${index}.0/24`);
const clients = (externalClientCidrs: string[]) => topologyOf("aws-route", { externalClientCidrs });
const merging = (mergeRules: unknown): SecurityGroupOptions => ({ mergeRules: mergeRules as RuleMerging });

/** With this many client blocks the group is full: each of them is in two rules, and so is the workers' block. */
const FULL = 29;

describe("the quota is checked before any resource is created", () => {
  it("60 rules of one direction are accepted, 62 are refused with both numbers and the flows", () => {
    expect(ingress(clients(apart(FULL)))).toHaveLength(60);
    expect(faultsOf(clients(apart(FULL + 1)))).toEqual([
      "ruleQuota control-plane ingress needs 62 IPv4 rules, the quota is 60 " +
        "(31 for kube-apiserver, 30 for router-clients, 1 for router)",
    ]);
    expect(securityGroupRules(clients(apart(FULL + 1))).rules).toEqual([]);
  });

  it("ruleQuota replaces the default quota, up to the maximum that AWS grants", () => {
    expect(faultsOf(clients(apart(31)), { ruleQuota: 64 })).toEqual([]);
    expect(faultsOf(clients(apart(31)), { ruleQuota: 63 })).toHaveLength(1);
    expect(faultsOf(clients(apart(1)), { ruleQuota: 1000 })).toEqual([]);
    expect(faultsOf(clients(apart(1)), { ruleQuota: 1001 })).toEqual([
      "ruleQuota 1001 is not from 1 to 1000",
    ]);
  });

  it("IPv4 and IPv6 rules are counted separately", () => {
    const v6 = Array.from({ length: 29 }, (_, index) => `2001:db8:${2 * index + 1}::/48`);
    expect(faultsOf(clients([...apart(FULL), ...v6]))).toEqual([]);
    expect(faultsOf(clients([...apart(FULL), ...v6, "2001:db8:ffff::/48", "2001:db8:eeee::/48"]))).toEqual([
      expect.stringContaining("control-plane ingress needs 62 IPv6 rules, the quota is 60 (31 for"),
    ]);
  });

  it("ingress, egress and the two groups are counted separately", () => {
    const topology = topologyOf("aws-route", {
      externalClientCidrs: apart(FULL),
      registryCidrs: apart(50),
    });
    expect(faultsOf(topology)).toEqual([]);
  });

  it("a security group as peer counts once in each family", () => {
    const peers = { externalClients: { securityGroupIds: { ci: "sg-1" } } };
    expect(faultsOf(clients(apart(FULL)), { peers })).toEqual([
      expect.stringContaining("needs 62 IPv4 rules"),
    ]);
    expect(faultsOf(clients(apart(FULL - 1)), { peers })).toEqual([]);
  });

  it("a prefix list counts with its maxEntries for each of its rules, and the fix names it", () => {
    const peers = { externalClients: { prefixLists: { office: { id: "pl-1", maxEntries: 60 } } } };
    const { faults } = securityGroupRules(topologyOf("aws-route"), { peers });
    expect(faults.map(({ problem }) => problem)).toEqual([
      "control-plane ingress needs 124 IPv4 rules, the quota is 60 (62 for kube-apiserver, 61 for router-clients, 1 for router)",
      "control-plane ingress needs 120 IPv6 rules, the quota is 60 (60 for kube-apiserver, 60 for router-clients)",
    ]);
    expect(faults[0]!.remedy).toBe(
      "write wider CIDR blocks, disable rules, lower the maximum size of prefix lists, which count as 120 rules, or have AWS raise the quota, " +
        "at most to 1000 divided by the groups of an interface, and write it here; a prefix list instead of blocks does " +
        "not help, because AWS counts its maximum number of entries for each rule that uses it",
    );
  });

  it.each([[0], [1.5], [-1], ["60"], [Number.NaN], [UNKNOWN]])(
    "%p is not accepted as a quota",
    (ruleQuota) => {
      expect(faultsOf(topologyOf("aws-route"), { ruleQuota: ruleQuota as number })).toHaveLength(1);
    },
  );
});

describe("a prefix list without maxEntries", () => {
  const peers = {
    externalClients: { prefixLists: { office: { id: "pl-1" }, lab: { id: "pl-2", maxEntries: 3 } } },
  };
  const warned = (options: SecurityGroupOptions) =>
    securityGroupRules(topologyOf("aws-route"), options).warnings.filter((each) =>
      each.includes("maxEntries"),
    );

  it("counts as one rule, and only it causes a warning", () => {
    expect(warned({ peers })).toEqual([
      "peers.externalClients.prefixLists.office.id without maxEntries: counted as one rule, while AWS counts the list's " +
        "maximum number of entries for each rule; add maxEntries",
    ]);
    expect(fitQuota([ruleFor(list("a")), ruleFor(list("b", 4))], { ruleQuota: 5 }).faults).toEqual([]);
    expect(fitQuota([ruleFor(list("a")), ruleFor(list("b", 5))], { ruleQuota: 5 }).faults).toHaveLength(2);
  });
});

describe("blocks are merged above the quota, and the addresses stay the same", () => {
  it("merges blocks above the quota, with a warning that names the setting", () => {
    const { rules, faults, warnings } = securityGroupRules(clients(inRow(32)));
    expect(faults).toEqual([]);
    expect(ingress(clients(inRow(32)))).toEqual([
      `TCP 443 ${WORKERS}`,
      "TCP 443 192.0.0.0/19",
      `TCP 6443 ${WORKERS}`,
      "TCP 6443 192.0.0.0/19",
    ]);
    expect(
      rules
        .map(ruleRow)
        .find(({ key }) => key === "tcp-443-192.0.0.0-19")
        ?.notes.at(-1),
    ).toContain("Merged from 192.0.0.0/24, 192.0.1.0/24, ");
    expect(warnings.filter((warning) => warning.startsWith("mergeRules"))).toEqual([
      "mergeRules missing: control-plane ingress would have 66 IPv4 rules, the quota is 60; 4 merged rules with the same " +
        "addresses are created instead; single rules return when they fit the quota, but a full group has no room for them " +
        "before the merged rules are deleted; write mergeRules always to keep the merged rules",
    ]);
  });

  it("keeps the rules of groups, directions and families that are within the quota", () => {
    const registryCidrs = ["198.51.100.0/25", "198.51.100.128/25"];
    const v6 = ["2001:db8::/33", "2001:db8:8000::/33"];
    const keys = (externalClientCidrs: string[]) =>
      securityGroupRules(topologyOf("aws-route", { registryCidrs, externalClientCidrs }))
        .rules.map(ruleRow)
        .filter(({ direction, key }) => direction === Direction.Egress || key.includes("2001"))
        .map(({ role, direction, key }) => `${role} ${direction} ${key}`);
    expect(keys([...inRow(32), ...v6])).toEqual(keys([...inRow(2), ...v6]));
    expect(keys([...inRow(32), ...v6])).toContain("control-plane egress tcp-443-198.51.100.0-25");
  });

  it("keeps all rules if they are within the quota", () => {
    expect(ingress(clients(inRow(FULL)))).toHaveLength(60);
    expect(securityGroupRules(clients(inRow(FULL))).rules.filter(({ mergedFrom }) => mergedFrom)).toEqual([]);
  });

  it("reports the number of rules before and after merging if merging is not enough", () => {
    const { faults, rules } = securityGroupRules(clients([...apart(40), "192.0.1.0/24"]));
    expect(rules).toEqual([]);
    expect(faults.map(({ problem }) => problem)).toEqual([
      expect.stringContaining(
        "control-plane ingress needs 82 IPv4 rules, the quota is 60 (84 before blocks were merged; ",
      ),
    ]);
  });

  it("merges any number of blocks with mergeRules always, without a warning", () => {
    const { rules, warnings } = securityGroupRules(clients(inRow(2)), merging(RuleMerging.Always));
    expect(rules.map(ruleRow).map(({ key }) => key)).toContain("tcp-443-192.0.0.0-23");
    expect(warnings.filter((warning) => warning.startsWith("mergeRules"))).toEqual([]);
    expect(ingress(clients(inRow(32)), merging(RuleMerging.Always))).toEqual(ingress(clients(inRow(32))));
  });

  it("merges as by default with mergeRules over-quota, without the warning", () => {
    const plan = (options?: SecurityGroupOptions) => securityGroupRules(clients(inRow(32)), options);
    expect(plan(merging(RuleMerging.OverQuota)).rules).toEqual(plan().rules);
    expect(plan(merging(RuleMerging.OverQuota)).warnings.join()).not.toContain("mergeRules");
  });

  it("reports how few rules over-quota would need if mergeRules is never", () => {
    const { faults } = securityGroupRules(clients(inRow(32)), merging(RuleMerging.Never));
    expect(faults).toEqual([
      {
        path: "ruleQuota",
        problem: expect.stringContaining("needs 66 IPv4 rules, the quota is 60 (33 for") as unknown,
        remedy: expect.stringMatching(
          /^write mergeRules over-quota, which needs only 4 rules for the same packets, /,
        ) as unknown,
      },
    ]);
  });

  it.each([
    ["sometimes", '"sometimes" is not over-quota, always or never'],
    [true, "true is not over-quota, always or never"],
    [UNKNOWN, "is an Output"],
  ])("refuses %p as mergeRules", (mergeRules, problem) => {
    const [fault, ...others] = securityGroupRules(clients(inRow(2)), merging(mergeRules)).faults;
    expect(others).toEqual([]);
    expect(fault).toMatchObject({ path: "mergeRules", problem });
  });
});

it("an empty list of rules and a rule of one block fit every quota", () => {
  expect(fitQuota([], { ruleQuota: 1 })).toEqual({ rules: [], faults: [], warnings: [] });
  const rules = [ruleFor(cidr("10.0.0.0/8"))];
  expect(fitQuota(rules, { ruleQuota: 1 })).toEqual({ rules, faults: [], warnings: [] });
});
