import { UNKNOWN, type PropertyValue } from "../../../src/resources/resource";
import { TYPE } from "../../../src/resources/resourceTypes";
import { cidrOverlap, cidrReservedOverlap } from "../../../src/addressRanges/rules/cidrOverlap";
import { ovnSubnetInvalid } from "../../../src/ovnSubnets/rules";
import {
  around,
  hostedCluster,
  networking,
  ovn,
  resource,
  standaloneNetwork,
  stating,
  unknowns,
  violations,
  vpc,
  type Properties,
} from "../../rules/builders";
import { attach, corporate, moved, workers } from "../vpcs";

describe("cidr-overlap", () => {
  it("names an address that the machine network and the cluster network share", () => {
    const found = violations(cidrOverlap, [hostedCluster({ networking: networking("10.128.0.0/9") })]);
    expect(found).toMatchObject([
      { path: "spec.networking.machineNetwork[0].cidr", witness: "10.132.0.0 is in both" },
    ]);
    expect(found[0]?.message).toBe(
      "the machine network 10.128.0.0/9 of clusters/tenant-a shares addresses with the cluster network 10.132.0.0/14",
    );
  });

  it("accepts overlaps with subnets, with the machines' VPC and with unconnected VPCs", () => {
    const subnet = resource(
      TYPE.subnet,
      "a",
      { cidrBlock: "10.0.128.0/20", vpcId: UNKNOWN },
      { vpcId: [workers] },
    );
    const twin = vpc("twin", "10.0.0.0/16");
    const resources = [hostedCluster(moved), workers, twin, subnet, corporate, vpc("pods", "10.132.0.0/16")];
    expect(violations(cidrOverlap, resources)).toEqual([]);
    expect(violations(cidrReservedOverlap, resources)).toEqual([]);
  });

  it("reports a connected VPC with addresses of machines or pods", () => {
    const pods = vpc("pods", "10.132.0.0/16");
    const resources = [hostedCluster(moved), workers, pods, attach("a", workers), attach("b", pods)];
    expect(violations(cidrOverlap, resources).map(({ message }) => message)).toEqual([
      "the cluster network 10.132.0.0/14 of clusters/tenant-a shares addresses with VPC pods 10.132.0.0/16",
    ]);
    const machines = vpc("machines", "10.0.4.0/24");
    const both = [hostedCluster(moved), workers, machines, attach("a", workers), attach("b", machines)];
    expect(violations(cidrOverlap, both).map(({ message }) => message)).toEqual([
      "the machine network 10.0.0.0/16 of clusters/tenant-a shares addresses with VPC machines 10.0.4.0/24",
      "VPC workers 10.0.0.0/16 of connected networks shares addresses with VPC machines 10.0.4.0/24",
    ]);
    const unknown = [attach("a", workers, UNKNOWN), attach("b", pods, UNKNOWN)];
    expect(violations(cidrOverlap, [hostedCluster(moved), workers, pods, ...unknown])).toEqual([]);
  });

  it("checks every associated block of the workers' VPC", () => {
    const second = resource(
      TYPE.ipv4Association,
      "second",
      { cidrBlock: "100.99.0.0/20", vpcId: UNKNOWN },
      { vpcId: [workers] },
    );
    expect(violations(cidrOverlap, [hostedCluster(moved), workers, second])).toMatchObject([
      { path: expect.stringContaining("internalJoinSubnet") as string },
    ]);
  });

  it("reports overlapping ranges of a Network operator object", () => {
    const services = (cidr: string) => [standaloneNetwork({ serviceNetwork: [cidr] })];
    expect(violations(cidrOverlap, [standaloneNetwork()])).toEqual([]);
    expect(violations(cidrReservedOverlap, [standaloneNetwork()])).toEqual([]);
    expect(violations(cidrOverlap, services("10.129.0.0/16"))).toHaveLength(1);
    expect(violations(cidrReservedOverlap, services("100.64.0.0/16"))).toHaveLength(1);
  });

  describe("for a Network operator object", () => {
    const found = (spec: Properties, ovnKubernetesConfig: Properties = {}, type = "OVNKubernetes") => {
      const network = standaloneNetwork({ ...spec, defaultNetwork: { type, ovnKubernetesConfig } });
      return [cidrOverlap, cidrReservedOverlap].flatMap((rule) =>
        violations(rule, [network]).map(({ path, message }) => `${path}: ${message}`),
      );
    };
    const dual = {
      clusterNetwork: [{ cidr: "10.128.0.0/14" }, { cidr: "fd01::/48" }],
      serviceNetwork: ["172.30.0.0/16", "fd02::/112"],
    };

    test.each<[range: string, spec: Properties, config: Properties]>([
      ["IPv6 join subnet", dual, { ipv6: { internalJoinSubnet: "fd01::/64" } }],
      ["IPv6 join subnet", dual, { v6InternalSubnet: "fd02::/64" }],
      ["IPv6 transit switch subnet", dual, { ipv6: { internalTransitSwitchSubnet: "fd02::/64" } }],
      [
        "IPv6 masquerade subnet",
        dual,
        { gatewayConfig: { ipv6: { internalMasqueradeSubnet: "fd02::/112" } } },
      ],
      ["default IPv6 join subnet", { ...dual, serviceNetwork: ["172.30.0.0/16", "fd98::/112"] }, {}],
      [
        "default IPv6 transit switch subnet",
        { ...dual, serviceNetwork: ["172.30.0.0/16", "fd97::/112"] },
        {},
      ],
      ["IPv6 masquerade subnet", { ...dual, serviceNetwork: ["172.30.0.0/16", "fd69::/112"] }, {}],
    ])("compares the %s with the networks of pods and Services", (range, spec, config) => {
      expect(found(spec, config)).toEqual([expect.stringContaining(range) as string]);
    });

    it("accepts disjoint ranges, and uses IPv6 defaults only if pods have IPv6", () => {
      const apart = {
        ipv6: { internalJoinSubnet: "fd90::/64", internalTransitSwitchSubnet: "fd91::/64" },
        gatewayConfig: { ipv6: { internalMasqueradeSubnet: "fd92::/112" } },
      };
      expect(found(dual, apart)).toEqual([]);
      expect(found({ ...dual, serviceNetwork: ["172.30.0.0/16", "fd98::/112"] }, apart)).toEqual([]);
      expect(found({ clusterNetwork: [{ cidr: "10.128.0.0/14" }], serviceNetwork: ["fd98::/112"] })).toEqual(
        [],
      );
    });

    it("reads a range with host bits as the block around it", () => {
      expect(
        found({ clusterNetwork: [{ cidr: "10.128.0.1/14" }], serviceNetwork: ["10.130.0.0/16"] }),
      ).toEqual([expect.stringContaining("service network 10.130.0.0/16") as string]);
    });

    test.each([
      ["OVNKubernetes", 1],
      ["ovnkubernetes", 1],
      ["Calico", 0],
      ["OpenShiftSDN", 0],
    ])("counts overlaps with OVN's defaults for the network type %s: %s", (type, count) => {
      const inJoin = { clusterNetwork: [{ cidr: "100.64.0.0/16" }], serviceNetwork: ["172.30.0.0/16"] };
      expect(found(inJoin, {}, type)).toHaveLength(count);
    });
  });

  it("reports unknown ranges as unknown, and still judges the others", () => {
    const cluster = hostedCluster({ networking: networking("10.128.0.0/9", { serviceNetwork: UNKNOWN }) });
    expect(violations(cidrOverlap, [cluster])).toHaveLength(1);
    expect(unknowns(cidrOverlap, [cluster])).toMatchObject([{ path: "spec.networking.serviceNetwork" }]);
  });

  it("reports blocks that AWS chooses as unknown only if they are requested", () => {
    const asked = vpc("workers", "10.0.0.0/16", { assignGeneratedIpv6CidrBlock: true });
    const dual = hostedCluster({
      networking: {
        ...networking("10.0.0.0/16"),
        serviceNetwork: [{ cidr: "172.31.0.0/16" }, { cidr: "fd02::/112" }],
      },
    });
    expect(unknowns(cidrOverlap, [dual, asked])).toMatchObject([{ path: "ipv6CidrBlock" }]);
    const pool = vpc("workers", UNKNOWN, { ipv4IpamPoolId: "ipam-1" });
    expect(unknowns(cidrOverlap, [hostedCluster(), pool])).toMatchObject([{ path: "cidrBlock" }]);
    expect(unknowns(cidrOverlap, [hostedCluster(), workers])).toEqual([]);
  });

  describe("equal internal subnets", () => {
    const JOIN = "100.99.0.0/16";
    const count = (...args: [Parameters<typeof violations>[1], Parameters<typeof violations>[2]?]) =>
      [cidrOverlap, ovnSubnetInvalid].map((rule) => violations(rule, ...args).length);
    const patch = (spec: Properties) =>
      resource(`${hostedCluster().type}Patch`, "move", {
        metadata: { name: "tenant-a", namespace: "clusters" },
        spec,
      });
    const guest = (v4InternalSubnet: PropertyValue) =>
      hostedCluster({
        platform: { type: "KubeVirt" },
        operatorConfiguration: { clusterNetworkOperator: { ovnKubernetesConfig: { v4InternalSubnet } } },
      });
    const management = standaloneNetwork({
      defaultNetwork: { ovnKubernetesConfig: { ipv4: { internalJoinSubnet: JOIN } } },
    });

    it("of one object are reported once, by ovn-subnet-invalid", () => {
      expect(count([hostedCluster(ovn(JOIN, JOIN))])).toEqual([0, 1]);
      expect(count([patch(ovn(JOIN, JOIN))])).toEqual([0, 1]);
    });

    it("of an object and a patch on it, or of a file, are reported once, by cidr-overlap", () => {
      expect(count([hostedCluster(ovn(JOIN)), patch(ovn(undefined, JOIN))])).toEqual([1, 0]);
      const said = { name: "tenant-a", platform: "None" };
      const same = { internalJoinSubnet: JOIN, internalTransitSwitchSubnet: JOIN };
      expect(count([], stating({ ...said, ...same }))).toEqual([1, 0]);
    });

    it("of a KubeVirt cluster and its management cluster are reported once, by cidr-overlap", () => {
      expect(count([guest(JOIN), management])).toEqual([1, 0]);
      expect(count([guest("100.98.0.0/16"), management])).toEqual([0, 0]);
      expect(count([guest(UNKNOWN), management])).toEqual([0, 0]);
    });
  });

  it("judges the ranges in a patch, and reports those of the existing cluster as unknown", () => {
    const patch = resource(`${hostedCluster().type}Patch`, "move", {
      metadata: { name: "far", namespace: "clusters" },
      spec: ovn("100.64.0.0/16", "100.64.128.0/17"),
    });
    expect(violations(cidrOverlap, [patch])).toHaveLength(1);
    expect(unknowns(cidrOverlap, [patch])[0]?.message).toContain("are not in this stack");
  });
});

describe("many overlapping pairs", () => {
  it("yield a hundred findings and the number of the others, for networks of a cluster", () => {
    const cidrs = Array.from({ length: 130 }, (_, place) => `10.0.${place}.0/24`);
    const found = violations(cidrOverlap, [hostedCluster()], around(...cidrs));
    expect(found).toHaveLength(101);
    expect(found.filter(({ message }) => message.includes("further"))).toMatchObject([
      {
        message:
          "clusters/tenant-a: 30 further pairs of ranges share addresses, but not more than the listed pairs",
      },
    ]);
  });

  it("yield a hundred findings and the number of the others, for VPCs at one transit gateway", () => {
    const many = Array.from({ length: 20 }, (_, place) => vpc(`v${place}`, "10.9.0.0/16"));
    const attached = many.map((one) =>
      resource(TYPE.transitGatewayAttachment, `at-${one.name}`, {
        transitGatewayId: "tgw-1",
        vpcId: one.properties.id!,
      }),
    );
    const found = violations(cidrOverlap, [...many, ...attached]);
    expect(found).toHaveLength(101);
    expect(found.filter(({ message }) => message.includes("further"))).toMatchObject([
      { message: expect.stringContaining("connected networks: 90 further pairs") as string },
    ]);
  });
});
