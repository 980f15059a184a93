import fc from "fast-check";
import { readPrefix } from "../../src/address";
import { UNKNOWN } from "../../src/resources/resource";
import { faultsOf, machines, normal, warningsOf } from "./topologies";
import { hasRoomForNodes, longestMask, maximumNodes } from "../../src/topology/normalize/ovnSubnets";

const join = (internalJoinSubnet: unknown, more: object = {}) => ({
  ...machines,
  release: "4.20",
  internalJoinSubnet,
  ...more,
});

test("M6 the documented example is accepted", () => {
  const topology = normal(join("100.99.0.0/16", { internalTransitSwitchSubnet: "100.69.0.0/16" }));
  expect(topology.internalJoinSubnet?.text).toBe("100.99.0.0/16");
  expect(topology.internalTransitSwitchSubnet?.text).toBe("100.69.0.0/16");
});

describe("M6 internalJoinSubnet", () => {
  test.each([
    ["0.0.0.0/16", "begins with the octet 0"],
    ["100.99.0.0/31", "write a block of /0 to /30"],
    ["100.99.0.0", "has no mask"],
    ["100.99.0.1/16", "host bits"],
    ["fd98::/64", "IPv6"],
    [100, "topology.internalJoinSubnet"],
    [
      "100.99.0.0/23",
      "too small for the 512 nodes that the cluster network has room for: write /22 or larger",
    ],
  ])("is refused if it is %s", (subnet, problem) => {
    const faults = faultsOf(join(subnet));
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(problem);
  });

  test.each(["100.99.0.0/22", "100.99.0.0/16"])("is accepted if it is %s", (subnet) => {
    expect(faultsOf(join(subnet))).toEqual([]);
  });

  test("can be 1.0.0.0/8, the shortest text of at least 9 characters", () => {
    expect(faultsOf(join("1.0.0.0/8"))).toEqual([]);
  });

  test("may be as small as the number of nodes allows", () => {
    const clusterNetwork = [{ cidr: "10.128.0.0/22", hostPrefix: 24 }];
    expect(faultsOf(join("100.99.0.0/29", { clusterNetwork }))).toEqual([]);
    expect(faultsOf(join("100.99.0.0/30", { clusterNetwork }))).toEqual([
      expect.stringContaining("write /29 or larger"),
    ]);
  });
});

test("M6 the size of internalJoinSubnet is not checked while the cluster network is unknown", () => {
  const clusterNetwork = [{ cidr: "10.128.0.0/14", hostPrefix: UNKNOWN }];
  expect(faultsOf(join("100.99.0.0/30", { clusterNetwork }))).toEqual([]);
  expect(faultsOf(join("100.99.0.0/30", { clusterNetwork: UNKNOWN }))).toEqual([]);
});

describe("M6 release", () => {
  test.each(["4.20", "4.20.3", "4.21", "5.0"])("%s supports internalJoinSubnet", (release) => {
    expect(faultsOf(join("100.99.0.0/16", { release }))).toEqual([]);
  });
  test.each(["4.19", "4.9", "4.2"])("%s does not support internalJoinSubnet", (release) => {
    expect(faultsOf(join("100.99.0.0/16", { release }))).toEqual([
      expect.stringContaining(`release ${release} does not have it: upgrade to 4.20 or newer`),
    ]);
  });
  test("has a warning if it is not stated", () => {
    expect(warningsOf(join("100.99.0.0/16", { release: undefined }))).toEqual([
      expect.stringContaining("topology.release  missing: internalJoinSubnet needs 4.20"),
    ]);
  });
});

test("M6 KubeVirt refuses no join subnet that is unknown: its object may hold only the transit switch subnet", () => {
  expect(faultsOf(join(UNKNOWN, { platform: "KubeVirt" }))).toEqual([]);
});

test("M6 KubeVirt accepts a transit switch subnet and refuses a join subnet", () => {
  const platform = "KubeVirt";
  expect(faultsOf(join("100.99.0.0/16", { platform }))).toEqual([
    expect.stringContaining("refused on KubeVirt"),
  ]);
  expect(faultsOf({ release: "4.20", platform, internalTransitSwitchSubnet: "100.69.0.0/16" })).toEqual([]);
});

test("M6 the subnets are refused with a network type other than OVN-Kubernetes", () => {
  expect(faultsOf(join("100.99.0.0/16", { networkType: "Calico" }))).toEqual([
    expect.stringContaining("a network of type Calico has no such subnet"),
  ]);
});

describe("M6 refuses an overlap of internalJoinSubnet", () => {
  test.each([
    ["the other subnet", { internalTransitSwitchSubnet: "100.99.0.0/16" }, "OVN's transit switch subnet"],
    [
      "a part of the other subnet",
      { internalTransitSwitchSubnet: "100.99.64.0/18" },
      "OVN's transit switch subnet",
    ],
    ["the machine network", { machineNetwork: [{ cidr: "100.99.0.0/20" }] }, "the machine network"],
    ["the service network", { serviceNetwork: [{ cidr: "100.99.128.0/17" }] }, "the service network"],
    ["the cluster network", { clusterNetwork: [{ cidr: "100.96.0.0/12" }] }, "the cluster network"],
    [
      "a surrounding network",
      { infrastructureCidrs: [{ name: "corporate", cidr: "100.0.0.0/8" }] },
      "corporate",
    ],
  ])("with %s", (_, more, named) => {
    const [fault] = faultsOf(join("100.99.0.0/16", more));
    expect(fault).toContain("topology.internalJoinSubnet  100.99.0.0/16 overlaps");
    expect(fault).toContain(named);
  });

  test.each([
    ["100.88.0.0/16", "OVN's default transit switch subnet"],
    ["100.65.0.0/16", "the join subnet of user-defined networks"],
    ["169.254.0.0/16", "OVN's masquerade subnet"],
    // Outside 169.254.169.0/29, the masquerade subnet of clusters created before 4.17.
    ["169.254.64.0/18", "OVN's masquerade subnet"],
    ["172.20.0.0/16", "the address at which nodes reach the API server"],
    ["172.31.0.0/16", "the default service network"],
    ["224.0.0.0/16", "multicast addresses"],
    ["127.0.0.0/8", "loopback addresses"],
  ])("with a default: %s overlaps %s", (subnet, name) => {
    expect(faultsOf(join(subnet)).join("\n")).toContain(name);
  });

  test("except with the default of the subnet itself", () => {
    expect(faultsOf(join("100.64.0.0/16"))).toEqual([]);
  });
});

const clusterNetworks = fc
  .tuple(fc.integer({ min: 8, max: 24 }), fc.integer({ min: 1, max: 8 }))
  .map(([length, bits]) => [{ prefix: readPrefix("10.0.0.0/8")!, hostPrefix: 8 + bits, length }] as const);

test("law: the longest mask with room has room, and a mask one bit longer has none", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 1n << 24n }), (nodes) => {
      const mask = longestMask(nodes);
      const subnet = (length: number) => readPrefix(`64.0.0.0/${length}`)!;
      expect(hasRoomForNodes(subnet(Math.max(2, mask)), nodes)).toBe(true);
      if (mask < 30) expect(hasRoomForNodes(subnet(mask + 1), nodes)).toBe(false);
    }),
  );
});

test("law: each bit between mask and host prefix doubles the nodes", () => {
  fc.assert(
    fc.property(clusterNetworks, ([network]) => {
      expect(maximumNodes([network])).toBe(2n ** BigInt(network.hostPrefix - 8));
    }),
  );
});

test("IPv6 pod ranges add no nodes to the IPv4 subnet", () => {
  const four = { prefix: readPrefix("10.128.0.0/14")!, hostPrefix: 23 };
  const six = { prefix: readPrefix("fd01::/48")!, hostPrefix: 64 };
  expect(maximumNodes([four, six])).toBe(512n);
});

describe("M6 the newer internal subnets, which can never change:", () => {
  const dual = {
    release: "4.22",
    ...machines,
    clusterNetwork: [{ cidr: "10.132.0.0/14" }, { cidr: "fd01::/48" }],
    serviceNetwork: [{ cidr: "172.31.0.0/16" }, { cidr: "fd02::/112" }],
  };

  test.each([
    ["v4InternalSubnet", "100.99.0.0/16"],
    ["v6InternalSubnet", "fd96::/64"],
    ["ipv6InternalJoinSubnet", "fd96::/64"],
    ["ipv6InternalTransitSwitchSubnet", "fd96::/64"],
  ] as const)("%s is accepted, with a warning that older operators do not support it", (property, subnet) => {
    expect(normal({ ...dual, [property]: subnet })[property]?.text).toBe(subnet);
    expect(warningsOf({ ...dual, [property]: subnet })).toEqual([
      expect.stringMatching(new RegExp(`topology.${property}  HyperShift supports it since (May|June) 2026`)),
    ]);
  });

  test.each([
    ["v4InternalSubnet", "fd96::/64", "is IPv6"],
    ["v6InternalSubnet", "100.99.0.0/16", "is IPv4"],
    ["ipv6InternalJoinSubnet", "fd96::/126", "write a block of /0 to /125"],
    ["v4InternalSubnet", "0.0.0.0/8", "begins with the octet 0"],
    ["v4InternalSubnet", "100.99.0.0/23", "too small for the 512 nodes"],
    [
      "ipv6InternalJoinSubnet",
      "fd96::/112",
      "too small for the 65536 nodes that the cluster network has room for: write /111 or larger",
    ],
    ["v6InternalSubnet", "fd97::/64", "overlaps OVN's default IPv6 transit switch subnet fd97::/64"],
    ["ipv6InternalTransitSwitchSubnet", "fd01::/64", "overlaps the cluster network fd01::/48"],
  ])("%s is refused with %s", (property, subnet, problem) => {
    expect(faultsOf({ ...dual, [property]: subnet })).toEqual([expect.stringContaining(problem)]);
  });

  test("a subnet is refused if the cluster network does not have its address family", () => {
    expect(faultsOf({ ...machines, ipv6InternalJoinSubnet: "fd96::/64" })).toEqual([
      expect.stringContaining("is IPv6, and the cluster network has no IPv6 range"),
    ]);
    const six = { clusterNetwork: [{ cidr: "fd01::/48" }], serviceNetwork: [{ cidr: "fd02::/112" }] };
    expect(faultsOf({ ...six, release: "4.20", internalJoinSubnet: "100.99.0.0/16" })).toEqual([
      expect.stringContaining("is IPv4, and the cluster network has no IPv4 range"),
    ]);
  });

  test.each([
    [{ internalJoinSubnet: "100.98.0.0/16", v4InternalSubnet: "100.99.0.0/16" }, "v4InternalSubnet"],
    [{ ipv6InternalJoinSubnet: "fd95::/64", v6InternalSubnet: "fd96::/64" }, "ipv6InternalJoinSubnet"],
  ])("two fields of one subnet are refused: %j", (both, named) => {
    expect(faultsOf({ ...dual, ...both })).toEqual([
      expect.stringMatching(new RegExp(`topology.${named}  is set together with .*: write one of the two`)),
    ]);
  });

  test("on KubeVirt v4InternalSubnet moves the join subnet of the guests", () => {
    const kubevirt = { platform: "KubeVirt", machineNetwork: [{ cidr: "100.66.8.0/24" }] };
    expect(faultsOf(kubevirt)).toEqual([
      expect.stringContaining("overlaps OVN's join subnet of KubeVirt guests 100.66.0.0/16"),
    ]);
    expect(faultsOf({ ...kubevirt, v4InternalSubnet: "100.99.0.0/16" })).toEqual([]);
  });
});
