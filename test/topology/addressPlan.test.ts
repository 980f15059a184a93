import { readPrefix } from "../../src/address";
import { addressPlan, type PlannedRange } from "../../src/topology/addressPlan";
import { overlapsOf } from "../../src/topology/reservedRanges";
import { planText } from "../../src/report/addressPlan";
import { normal } from "./topologies";

const base = {
  platform: "AWS",
  release: "4.16",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  infrastructureCidrs: [{ name: "corporate", cidr: "100.64.7.0/24" }],
};
function planOf(raw: object = {}, around: Parameters<typeof addressPlan>[1] = []) {
  const topology = normal({ ...base, ...raw });
  const overlapping = overlapsOf(topology).map((one) => ({ ...one, level: "error" as const }));
  return addressPlan(topology, around, overlapping);
}
const rangeOf = (plan: { ranges: readonly PlannedRange[] }, cidr: string) =>
  plan.ranges.find((range) => range.cidr === cidr);
const network = (name: string, cidr: string) => ({ name, prefix: readPrefix(cidr)! });

describe("the address plan of a hosted cluster", () => {
  test("states the origin and capacity of each range, and the property that changes a default", () => {
    const plan = planOf({}, [network("VPC hub", "172.29.0.0/16")]);
    expect(plan.cluster).toBe("clusters/tenant-a");
    expect(rangeOf(plan, "10.0.0.0/16")).toEqual({
      name: "the machine network",
      cidr: "10.0.0.0/16",
      origin: "written",
      first: "10.0.0.0",
      last: "10.0.255.255",
      addresses: "65536",
      capacity: "65531 machines at most",
    });
    expect(rangeOf(plan, "10.132.0.0/14")).toMatchObject({
      origin: "default",
      capacity: "512 nodes, /23 each with 509 pods",
      setBy: "clusterNetwork",
    });
    expect(rangeOf(plan, "172.31.0.0/16")).toMatchObject({
      origin: "default",
      capacity: "65535 services",
      setBy: "serviceNetwork",
    });
    expect(rangeOf(plan, "100.64.7.0/24")).toMatchObject({ origin: "around" });
    expect(rangeOf(plan, "100.65.0.0/16")).toMatchObject({ origin: "upcoming" });
    expect(rangeOf(plan, "100.65.0.0/16")).not.toHaveProperty("setBy");
    expect(rangeOf(plan, "127.0.0.0/8")).not.toHaveProperty("capacity");
    expect(rangeOf(plan, "172.29.0.0/16")).toEqual({
      name: "VPC hub",
      cidr: "172.29.0.0/16",
      origin: "around",
      first: "172.29.0.0",
      last: "172.29.255.255",
      addresses: "65536",
    });
  });

  test("states whether OVN's written and default subnets have room for all nodes", () => {
    const room = "room for the 512 nodes of the cluster network";
    const plan = planOf({ release: "4.20", internalJoinSubnet: "100.99.0.0/16" });
    expect(rangeOf(plan, "100.99.0.0/16")).toMatchObject({ origin: "written", capacity: room });
    expect(rangeOf(plan, "100.99.0.0/16")).not.toHaveProperty("setBy");
    expect(rangeOf(plan, "100.88.0.0/16")).toMatchObject({
      capacity: room,
      setBy: "internalTransitSwitchSubnet",
    });
    const many = planOf({ clusterNetwork: [{ cidr: "10.128.0.0/9", hostPrefix: 30 }] });
    expect(rangeOf(many, "100.64.0.0/16")?.capacity).toBe(
      "no room for the 2097152 nodes of the cluster network",
    );
    const machineNetwork = [{ cidr: "fd03::/64" }];
    const none = planOf({
      machineNetwork,
      clusterNetwork: [{ cidr: "fd01::/48" }],
      serviceNetwork: [{ cidr: "fd02::/112" }],
    });
    expect(rangeOf(none, "100.64.0.0/16")).toBeUndefined();
    expect(none.free.map(({ space }) => space)).toContain("fd00::/8");
  });

  test("lists a hundred overlaps, and the number of the others", () => {
    const plan = planOf({
      machineNetwork: [{ cidr: "10.0.0.0/16" }],
      infrastructureCidrs: Array.from({ length: 130 }, (_, place) => ({
        name: `net-${place}`,
        cidr: `10.0.${place}.0/24`,
      })),
    });
    expect([plan.overlaps.length, plan.furtherOverlaps]).toEqual([100, 30]);
    expect(planText([plan])).toContain("\n  and 30 pairs that share fewer addresses\n");
    expect(planOf().furtherOverlaps).toBeUndefined();
  });

  test("explains the sign for several ranges if the picture contains it", () => {
    expect(planText([planOf()])).toContain("\n  # several ranges\n");
  });

  test("lists the hundred largest surrounding networks, but considers all for free blocks", () => {
    const small = Array.from({ length: 130 }, (_, place) => network(`small-${place}`, `10.20.${place}.0/24`));
    const plan = planOf({ infrastructureCidrs: [] }, [...small, network("large", "10.64.0.0/12")]);
    const around = plan.ranges.filter(({ origin }) => origin === "around");
    expect([around.length, plan.furtherAround]).toEqual([100, 31]);
    expect(rangeOf(plan, "10.64.0.0/12")?.origin).toBe("around");
    expect(planText([plan])).toContain("\nand 31 networks around with fewer addresses\n");
    const largest = (networks: typeof small) =>
      planOf({}, networks).free.find(({ space }) => space === "172.16.0.0/12")?.largest;
    const filling = Array.from({ length: 256 }, (_, place) =>
      network(`filling-${place}`, `172.${16 + (place >> 4)}.${(place & 15) * 16}.0/20`),
    );
    expect([largest([]), largest(filling)]).toEqual(["172.16.0.0/14", undefined]);
    expect(planOf().furtherAround).toBeUndefined();
  });

  test("counts the nodes of each cluster network, and the pods per node for IPv4 only", () => {
    const plan = planOf({
      clusterNetwork: [
        { cidr: "10.128.0.0/20", hostPrefix: 24 },
        { cidr: "fd01::/56", hostPrefix: 64 },
      ],
      serviceNetwork: [{ cidr: "172.30.0.0/16" }, { cidr: "fd02::/112" }],
      machineNetwork: [{ cidr: "10.0.0.0/16" }, { cidr: "fd03::/64" }],
    });
    expect(rangeOf(plan, "10.128.0.0/20")).toMatchObject({
      origin: "written",
      capacity: "16 nodes, /24 each with 253 pods",
    });
    expect(rangeOf(plan, "fd01::/56")).toMatchObject({ capacity: "256 nodes, /64 each" });
    expect(rangeOf(plan, "fd02::/112")).toMatchObject({ capacity: "65535 services", addresses: "65536" });
    expect(plan.free.map(({ space }) => space)).toEqual([
      "10.0.0.0/8",
      "172.16.0.0/12",
      "192.168.0.0/16",
      "100.64.0.0/10",
      "fd00::/8",
    ]);
  });

  test("states 1 pod per node for the longest host prefix", () => {
    const plan = planOf({ clusterNetwork: [{ cidr: "10.128.0.0/24", hostPrefix: 30 }] });
    expect(rangeOf(plan, "10.128.0.0/24")?.capacity).toBe("64 nodes, /30 each with 1 pods");
  });

  test("is sorted by address, wider ranges first, IPv4 before IPv6", () => {
    const { ranges } = planOf({}, [
      network("last", "fd03::/64"),
      network("inner", "10.0.0.0/24"),
      network("outer", "10.0.0.0/8"),
      network("later", "fd00::/16"),
    ]);
    const cidrs = ranges.map(({ cidr }) => cidr);
    const [outer, machines, inner] = ["10.0.0.0/8", "10.0.0.0/16", "10.0.0.0/24"].map((cidr) =>
      cidrs.indexOf(cidr),
    );
    expect([machines! - outer!, inner! - machines!]).toEqual([1, 1]);
    const firstOfIPv6 = cidrs.findIndex((cidr) => cidr.includes(":"));
    expect(cidrs.slice(firstOfIPv6).every((cidr) => cidr.includes(":"))).toBe(true);
    expect(cidrs.indexOf("fd00::/16")).toBeLessThan(cidrs.indexOf("fd03::/64"));
    const starts = ranges.map(({ cidr }) => readPrefix(cidr)!).filter(({ family }) => family === 4);
    expect(starts.map(({ start }) => start)).toEqual(
      starts.map(({ start }) => start).sort((a, b) => (a < b ? -1 : 1)),
    );
  });

  test("lists overlaps with a shared address, and the largest free block of each space", () => {
    const { overlaps, free } = planOf({}, [network("VPC hub", "192.168.0.0/16")]);
    expect(overlaps).toEqual([
      {
        range: "infrastructure network corporate 100.64.7.0/24",
        other: "OVN's default join subnet 100.64.0.0/16",
        witness: "100.64.7.0",
        level: "error",
      },
    ]);
    expect(free).toEqual([
      { space: "10.0.0.0/8", largest: "10.64.0.0/10" },
      { space: "172.16.0.0/12", largest: "172.16.0.0/14" },
      { space: "192.168.0.0/16" },
      { space: "100.64.0.0/10", largest: "100.96.0.0/11" },
    ]);
  });
});
