import { type PropertyValue, UNKNOWN } from "../../../src/resources/resource";
import { ovnSubnetCapacity, ovnSubnetInvalid, ovnSubnetRelease } from "../../../src/ovnSubnets/rules";
import { hostedCluster, networking, ovn, resource, unknowns, violations } from "../../rules/builders";

const IPV4 = "spec.operatorConfiguration.clusterNetworkOperator.ovnKubernetesConfig.ipv4";
const patch = resource(`${hostedCluster().type}Patch`, "move", {
  metadata: { name: "tenant-a", namespace: "clusters" },
  spec: ovn("100.99.0.0/24"),
});
const image = (tag: string) => ({ release: { image: `quay.io/openshift-release-dev/ocp-release${tag}` } });

describe("ovn-subnet-capacity", () => {
  it.each([
    ["100.99.0.0/24", 1],
    ["100.99.0.0/23", 1],
    ["100.99.0.0/22", 0],
    ["100.99.0.0/16", 0],
  ])(
    "M6 has for %s and a cluster network with room for 512 nodes this number of findings: %i",
    (subnet, count) => {
      const found = violations(ovnSubnetCapacity, [hostedCluster(ovn("100.99.0.0/16", subnet))]);
      expect(found.map(({ path }) => path)).toEqual(
        Array.from({ length: count }, () => `${IPV4}.internalTransitSwitchSubnet`),
      );
      for (const { message, fix } of found) {
        expect(message).toContain("512 nodes");
        expect(fix).toBe("write /22 or larger");
      }
    },
  );

  it("judges a patch by the cluster network of its cluster, and counts it as unknown without one", () => {
    expect(violations(ovnSubnetCapacity, [patch, hostedCluster()])).toMatchObject([
      { path: `${IPV4}.internalJoinSubnet`, resource: patch.origin },
    ]);
    expect(violations(ovnSubnetCapacity, [patch])).toEqual([]);
    expect(unknowns(ovnSubnetCapacity, [patch])).toMatchObject([{ path: `${IPV4}.internalJoinSubnet` }]);
  });

  it("counts a subnet with an unknown cluster network, and has no finding without a subnet", () => {
    const unsaid = hostedCluster({
      networking: networking("10.0.0.0/16", { clusterNetwork: UNKNOWN }),
      ...ovn("100.99.0.0/24"),
    });
    expect(violations(ovnSubnetCapacity, [unsaid])).toEqual([]);
    expect(unknowns(ovnSubnetCapacity, [unsaid])).toHaveLength(1);
    expect(unknowns(ovnSubnetCapacity, [hostedCluster()])).toEqual([]);
  });

  it("judges Network operator objects", () => {
    const network = (join: string) =>
      resource("kubernetes:operator.openshift.io/v1:Network", "cluster", {
        spec: {
          clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 23 }],
          defaultNetwork: { ovnKubernetesConfig: { ipv4: { internalJoinSubnet: join } } },
        },
      });
    expect(violations(ovnSubnetCapacity, [network("100.99.0.0/24")])).toHaveLength(1);
    expect(violations(ovnSubnetCapacity, [network("100.99.0.0/20")])).toEqual([]);
  });
});

describe("ovn-subnet-release", () => {
  const cluster = (tag: string) => hostedCluster({ ...image(tag), ...ovn("100.99.0.0/16") });

  it("M6 refuses a subnet before 4.20, and accepts it from 4.20 on", () => {
    expect(violations(ovnSubnetRelease, [cluster(":4.19.9-x86_64")])).toMatchObject([
      { path: `${IPV4}.internalJoinSubnet`, message: "release 4.19 does not have it" },
    ]);
    expect(violations(ovnSubnetRelease, [cluster(":4.20.0-x86_64")])).toEqual([]);
    expect(unknowns(ovnSubnetRelease, [cluster(":4.20.0-x86_64")])).toEqual([]);
  });

  it("counts a subnet as unknown if the image has only a digest", () => {
    const digest = cluster(`@sha256:${"0".repeat(64)}`);
    expect(violations(ovnSubnetRelease, [digest])).toEqual([]);
    expect(unknowns(ovnSubnetRelease, [digest])).toMatchObject([{ path: `${IPV4}.internalJoinSubnet` }]);
    const without = hostedCluster(image(`@sha256:${"0".repeat(64)}`));
    expect(unknowns(ovnSubnetRelease, [without])).toEqual([]);
  });

  it("judges a patch by the release of its cluster, and counts it as unknown without one", () => {
    expect(violations(ovnSubnetRelease, [patch, hostedCluster(image(":4.18.1-x86_64"))])).toMatchObject([
      { resource: patch.origin },
    ]);
    expect(unknowns(ovnSubnetRelease, [patch])).toHaveLength(1);
  });
});

describe("ovn-subnet-invalid knows the releases that have OpenShift SDN", () => {
  const type = "spec.networking.networkType";
  const cluster = (tag: string, networkType: PropertyValue = "OpenShiftSDN") =>
    hostedCluster({ ...image(tag), networking: networking("10.0.0.0/16", { networkType }) });

  it.each([
    [":4.20.0-x86_64", ["release 4.20 has no OpenShift SDN any more, and the cluster gets no network"]],
    [":4.17.0-x86_64", [expect.stringContaining("release 4.17")]],
    [":4.16.30-x86_64", []],
    ["@sha256:0123", []],
  ])("%s", (tag, messages) => {
    const found = violations(ovnSubnetInvalid, [cluster(tag)]);
    expect(found.map(({ message }) => message)).toEqual(messages);
    for (const { path } of found) expect(path).toBe(type);
  });

  it("counts OpenShift SDN as unknown if the release is, and has no finding for other types", () => {
    expect(unknowns(ovnSubnetInvalid, [cluster("@sha256:0123")])).toMatchObject([{ path: type }]);
    expect(unknowns(ovnSubnetInvalid, [cluster(":4.16.0-x86_64")])).toEqual([]);
    for (const other of ["OVNKubernetes", "Calico", "Other", UNKNOWN] as const) {
      expect(violations(ovnSubnetInvalid, [cluster(":4.20.0-x86_64", other)])).toEqual([]);
      expect(
        unknowns(ovnSubnetInvalid, [cluster("@sha256:0123", other)]).filter(({ message }) =>
          message?.includes("SDN"),
        ),
      ).toEqual([]);
    }
  });
});
