import fc from "fast-check";
import { overlap } from "../../src/address";
import { UNKNOWN } from "../../src/resources/resource";
import { faultsOf, least, machines, normal, warningsOf } from "./topologies";
import { normalizeTopology } from "../../src/topology/normalizeTopology";
import { mayOverlap, overlapsOf, reservedRanges } from "../../src/topology/reservedRanges";

const around = (cidr: string) => ({ infrastructureCidrs: [{ name: "corporate", cidr }] });

describe("warns of a surrounding network that overlaps an implicit range", () => {
  test.each([
    ["100.64.0.0/16", "OVN's default join subnet 100.64.0.0/16", "set topology.internalJoinSubnet"],
    ["100.64.0.0/10", "OVN's default transit switch subnet", "set topology.internalTransitSwitchSubnet"],
    ["100.65.9.0/24", "the join subnet of user-defined networks", "move infrastructure network corporate"],
    ["172.20.0.0/16", "172.20.0.1/32", "set topology.advertiseAddress"],
    ["172.31.0.0/16", "the default service network", "set topology.serviceNetwork"],
  ])("%s: %s", (cidr, name, remedy) => {
    const warnings = warningsOf({ ...machines, ...around(cidr) }).join("\n");
    expect(warnings).toContain(name);
    expect(warnings).toContain(remedy);
  });

  test("not if the subnets are moved", () => {
    const moved = { internalJoinSubnet: "100.99.0.0/16", internalTransitSwitchSubnet: "100.69.0.0/16" };
    expect(warningsOf({ ...machines, release: "4.20", ...moved, ...around("100.64.0.0/16") })).toEqual([]);
  });

  test("not with a network type that has no such subnet", () => {
    expect(warningsOf({ networkType: "Calico", ...around("100.64.0.0/16") })).toEqual([]);
  });

  test("not for ranges that never leave a node, such as link-local ones", () => {
    expect(warningsOf(around("169.254.100.0/24"))).toEqual([]);
  });

  test("only from the release on that has the range", () => {
    expect(warningsOf({ release: "4.13", ...around("100.88.0.0/16") })).toEqual([]);
    expect(warningsOf({ release: "4.14", ...around("100.88.0.0/16") })).toHaveLength(1);
    expect(warningsOf(around("100.88.0.0/16"))).toHaveLength(1);
  });

  test("not for IPv6 ranges if the cluster has only IPv4", () => {
    expect(warningsOf(around("fd98::/48"))).toEqual([]);
    const dual = {
      clusterNetwork: [{ cidr: "10.132.0.0/14" }, { cidr: "fd01::/48" }],
      serviceNetwork: [{ cidr: "172.31.0.0/16" }, { cidr: "fd02::/112" }],
    };
    expect(warningsOf({ ...dual, ...around("fd98::/48") })).toHaveLength(1);
  });
});

test("an IPv6-only cluster uses no implicit IPv4 ranges", () => {
  const six = { clusterNetwork: [{ cidr: "fd01::/48" }], serviceNetwork: [{ cidr: "fd02::/112" }] };
  expect(warningsOf({ ...six, ...around("100.64.0.0/16") })).toEqual([]);
  expect(warningsOf({ ...six, ...around("fd98::/64") })).toHaveLength(1);
});

describe("an overlap that HyperShift or OVN-Kubernetes refuses is a fault:", () => {
  test.each([
    [
      { machineNetwork: [{ cidr: "10.132.64.0/18" }] },
      "the default cluster network 10.132.0.0/14",
      "HyperShift refuses",
    ],
    [{ machineNetwork: [{ cidr: "172.16.0.0/12" }] }, "172.20.0.1/32", "HyperShift refuses"],
    [{ serviceNetwork: [{ cidr: "100.64.0.0/20" }] }, "OVN's default join subnet", "OVN-Kubernetes refuses"],
    [
      { platform: "KubeVirt", machineNetwork: [{ cidr: "100.66.0.0/24" }] },
      "KubeVirt guests",
      "HyperShift refuses",
    ],
  ])("%j", (raw, name, who) => {
    const faults = faultsOf(raw).join("\n");
    expect(faults).toContain(name);
    expect(faults).toContain(who);
  });

  test("except a machine network in OVN's join subnet, which is only a warning", () => {
    const machineNetwork = [{ cidr: "100.64.8.0/24" }];
    expect(warningsOf({ machineNetwork })).toEqual([expect.stringContaining("replies of pods")]);
  });

  test("not with 172.20.0.1 if advertiseAddress is another address", () => {
    const raw = { machineNetwork: [{ cidr: "172.20.0.0/16" }] };
    expect(faultsOf(raw)).toHaveLength(1);
    expect(faultsOf({ ...raw, advertiseAddress: "172.29.0.1" })).toEqual([]);
    expect(faultsOf({ ...raw, advertiseAddress: "172.20.9.9" })).toHaveLength(1);
  });

  test("only a warning on IBM Cloud, where HyperShift compares nothing", () => {
    const raw = { machineNetwork: [{ cidr: "10.132.64.0/18" }] };
    expect(warningsOf({ ...raw, platform: "IBMCloud" })).toHaveLength(1);
  });
});

test("a conflict has the names and paths of both ranges, and a shared address", () => {
  const [conflict] = overlapsOf(normal({ ...machines, ...around("100.0.0.0/8") }));
  expect(conflict).toMatchObject({
    range: { name: "infrastructure network corporate", path: "infrastructureCidrs[0].cidr", implicit: false },
    other: { name: "OVN's default join subnet", path: "internalJoinSubnet", implicit: true },
    witness: "100.64.0.0",
  });
});

test("neither an unknown subnet nor its default conflicts with a range", () => {
  const topology = normal({
    ...machines,
    release: "4.20",
    internalJoinSubnet: UNKNOWN,
    ...around("100.64.0.0/16"),
  });
  expect(overlapsOf(topology)).toEqual([]);
});

test("surrounding networks may overlap each other", () => {
  const infrastructureCidrs = [
    { name: "vpc", cidr: "10.9.0.0/16" },
    { name: "subnet", cidr: "10.9.1.0/24" },
  ];
  expect(warningsOf({ ...machines, infrastructureCidrs })).toEqual([]);
});

/** Blocks among the addresses of the defaults. */
const block = fc
  .tuple(
    fc.constantFrom(10, 100, 172, 192),
    fc.integer({ min: 0, max: 255 }),
    fc.integer({ min: 8, max: 16 }),
  )
  .map(([a, b, length]) => `${a}.${b & (length === 8 ? 0 : (0xff00 >> (length - 8)) & 255)}.0.0/${length}`);

test("law: conflicts are exactly the pairs that share an address and must not overlap", () => {
  const pair = (...names: { name: string }[]) =>
    names
      .map(({ name }) => name)
      .sort()
      .join(", ");
  let conflicting = 0;
  const topologies = fc.array(block, { maxLength: 6 }).map((cidrs) => ({
    ...least,
    infrastructureCidrs: cidrs.map((cidr, position) => ({ name: `n${position}`, cidr })),
  }));
  fc.assert(
    fc.property(topologies, (raw) => {
      const { topology, faults } = normalizeTopology(raw);
      expect(faults.every(({ path }) => path.startsWith("topology.infrastructureCidrs"))).toBe(true);
      if (!topology) return;
      const ranges = reservedRanges(topology);
      const expected = ranges.flatMap((a, i) =>
        ranges
          .slice(i + 1)
          .filter((b) => !mayOverlap(a, b) && overlap(a.prefix, b.prefix))
          .map((b) => pair(a, b)),
      );
      if (expected.length > 0) conflicting++;
      expect(
        overlapsOf(topology)
          .map(({ range, other }) => pair(range, other))
          .sort(),
      ).toEqual(expected.sort());
    }),
  );
  expect(conflicting).toBeGreaterThan(10);
});
