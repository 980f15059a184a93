import fc from "fast-check";
import { overlap } from "../../src/address";
import { UNKNOWN } from "../../src/resources/resource";
import { faultsOf, least, machines, normal, warningsOf } from "./topologies";
import { normalizeTopology } from "../../src/topology/normalizeTopology";
import { mayOverlap, overlapsOf, reservedRanges } from "../../src/topology/reservedRanges";

const around = (cidr: string) => ({ infrastructureCidrs: [{ name: "corporate", cidr }] });

describe("a network around the cluster that takes an implicit range is a warning, and a finding", () => {
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

  test("no longer, once the subnets are moved", () => {
    const moved = { internalJoinSubnet: "100.99.0.0/16", internalTransitSwitchSubnet: "100.69.0.0/16" };
    expect(warningsOf({ ...machines, release: "4.20", ...moved, ...around("100.64.0.0/16") })).toEqual([]);
  });

  test("not where another network type makes no such subnet", () => {
    expect(warningsOf({ networkType: "Calico", ...around("100.64.0.0/16") })).toEqual([]);
  });

  test("not for ranges that never leave a node, such as link-local ones of a transit gateway", () => {
    expect(warningsOf(around("169.254.100.0/24"))).toEqual([]);
  });

  test("not on releases that do not have the range yet", () => {
    expect(warningsOf({ release: "4.13", ...around("100.88.0.0/16") })).toEqual([]);
    expect(warningsOf({ release: "4.14", ...around("100.88.0.0/16") })).toHaveLength(1);
    expect(warningsOf(around("100.88.0.0/16"))).toHaveLength(1);
  });

  test("not for IPv6 where the cluster has none", () => {
    expect(warningsOf(around("fd98::/48"))).toEqual([]);
    const dual = {
      clusterNetwork: [{ cidr: "10.132.0.0/14" }, { cidr: "fd01::/48" }],
      serviceNetwork: [{ cidr: "172.31.0.0/16" }, { cidr: "fd02::/112" }],
    };
    expect(warningsOf({ ...dual, ...around("fd98::/48") })).toHaveLength(1);
  });
});

test("a cluster of only IPv6 takes no IPv4 range", () => {
  const six = { clusterNetwork: [{ cidr: "fd01::/48" }], serviceNetwork: [{ cidr: "fd02::/112" }] };
  expect(warningsOf({ ...six, ...around("100.64.0.0/16") })).toEqual([]);
  expect(warningsOf({ ...six, ...around("fd98::/64") })).toHaveLength(1);
});

describe("what HyperShift or OVN-Kubernetes refuses is a fault", () => {
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

  test("the machine network on OVN's join subnet is not refused, and a warning", () => {
    const machineNetwork = [{ cidr: "100.64.8.0/24" }];
    expect(warningsOf({ machineNetwork })).toEqual([expect.stringContaining("replies of pods")]);
  });

  test("another address for the API server frees 172.20.0.1", () => {
    const raw = { machineNetwork: [{ cidr: "172.20.0.0/16" }] };
    expect(faultsOf(raw)).toHaveLength(1);
    expect(faultsOf({ ...raw, advertiseAddress: "172.29.0.1" })).toEqual([]);
    expect(faultsOf({ ...raw, advertiseAddress: "172.20.9.9" })).toHaveLength(1);
  });

  test("on IBM Cloud HyperShift compares nothing", () => {
    const raw = { machineNetwork: [{ cidr: "10.132.64.0/18" }] };
    expect(warningsOf({ ...raw, platform: "IBMCloud" })).toHaveLength(1);
  });
});

test("a conflict names what to move, its property, and an address that both have", () => {
  const [conflict] = overlapsOf(normal({ ...machines, ...around("100.0.0.0/8") }));
  expect(conflict).toMatchObject({
    range: { name: "infrastructure network corporate", path: "infrastructureCidrs[0].cidr", implicit: false },
    other: { name: "OVN's default join subnet", path: "internalJoinSubnet", implicit: true },
    witness: "100.64.0.0",
  });
});

test("a subnet that is not known yet conflicts with nothing, nor does its default", () => {
  const topology = normal({
    ...machines,
    release: "4.20",
    internalJoinSubnet: UNKNOWN,
    ...around("100.64.0.0/16"),
  });
  expect(overlapsOf(topology)).toEqual([]);
});

test("two networks around the cluster may overlap each other", () => {
  const infrastructureCidrs = [
    { name: "vpc", cidr: "10.9.0.0/16" },
    { name: "subnet", cidr: "10.9.1.0/24" },
  ];
  expect(warningsOf({ ...machines, infrastructureCidrs })).toEqual([]);
});

const block = fc
  .tuple(fc.integer({ min: 1, max: 254 }), fc.integer({ min: 0, max: 255 }), fc.integer({ min: 8, max: 16 }))
  .map(([a, b, length]) => `${a}.${b & (length === 8 ? 0 : (0xff00 >> (length - 8)) & 255)}.0.0/${length}`);

test("law: conflicts are exactly the pairs that share an address and may not", () => {
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
        ranges.slice(i + 1).filter((b) => !mayOverlap(a, b) && overlap(a.prefix, b.prefix)),
      );
      expect(overlapsOf(topology)).toHaveLength(expected.length);
    }),
  );
});
