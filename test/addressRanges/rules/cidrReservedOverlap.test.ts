import { UNKNOWN } from "../../../src/resources/resource";
import { cidrOverlap, cidrReservedOverlap } from "../../../src/addressRanges/rules/cidrOverlap";
import { JudgedResources } from "../../../src/gate/judgedResources";
import { Level } from "../../../src/gate/rule";
import { verdictOf } from "../../../src/gate/verdict";
import {
  around,
  hostedCluster,
  judge,
  networking,
  resource,
  stating,
  unknowns,
  violations,
  vpc,
} from "../../rules/builders";
import { moved } from "../vpcs";

describe("cidr-reserved-overlap", () => {
  it("M6 a company network in the configuration collides with OVN's default join subnet", () => {
    const found = violations(cidrReservedOverlap, [hostedCluster()], around("100.64.0.0/16"));
    expect(found).toMatchObject([
      {
        resource: { file: "hypershift-network.yaml" },
        path: "hostedClusters[0].infrastructureCidrs[0].cidr",
        witness: "100.64.0.0 is in both",
        requirement: "ovn-join",
      },
    ]);
    expect(found[0]?.message).toContain("OVN's default join subnet 100.64.0.0/16 of clusters/tenant-a");
    expect(found[0]?.fix).toContain("ovnKubernetesConfig.ipv4.internalJoinSubnet");
  });

  it("ranges of OVN-Kubernetes collide with nothing for certain while the network type is unknown", () => {
    const of = (networkType: string | typeof UNKNOWN) =>
      hostedCluster({ networking: { ...networking("100.64.0.0/24"), networkType } });
    expect(violations(cidrReservedOverlap, [of("OVNKubernetes")])).not.toEqual([]);
    expect(violations(cidrReservedOverlap, [of("Other")])).toEqual([]);
    expect(violations(cidrReservedOverlap, [of(UNKNOWN)])).toEqual([]);
    expect(unknowns(cidrOverlap, [of(UNKNOWN)])).toMatchObject([
      {
        path: "spec.networking.networkType",
        message: expect.stringContaining(
          "whether the cluster has the default ranges of OVN-Kubernetes",
        ) as unknown,
      },
    ]);
  });

  it("a moved subnet frees its default, also if a patch moves it", () => {
    expect(violations(cidrReservedOverlap, [hostedCluster(moved)], around("100.64.0.0/16"))).toEqual([]);
    const patch = resource(`${hostedCluster().type}Patch`, "move", {
      apiVersion: "hypershift.openshift.io/v1beta1",
      kind: "HostedCluster",
      metadata: { name: "tenant-a", namespace: "clusters" },
      spec: moved,
    });
    expect(violations(cidrReservedOverlap, [hostedCluster(), patch], around("100.64.0.0/16"))).toEqual([]);
    expect(violations(cidrReservedOverlap, [patch, hostedCluster()], around("100.99.5.0/24"))).toEqual([]);
    expect(violations(cidrOverlap, [patch, hostedCluster()], around("100.99.5.0/24"))).toHaveLength(1);
  });

  it("the HostedCluster decides: a subnet in the configuration does not move the default", () => {
    const infrastructureCidrs = [{ name: "corporate", cidr: "100.64.0.0/16" }];
    const configured = stating({ infrastructureCidrs, internalJoinSubnet: "100.99.0.0/16" });
    expect(violations(cidrReservedOverlap, [hostedCluster()], configured)).toHaveLength(1);
  });

  it("an IPv6 block that AWS chooses is unknown for dual-stack clusters, but not for IPv4 clusters", () => {
    const assigned = vpc("workers", "10.0.0.0/16", { assignGeneratedIpv6CidrBlock: true });
    const dual = hostedCluster({
      ...moved,
      networking: {
        ...networking("10.0.0.0/16"),
        clusterNetwork: [{ cidr: "10.132.0.0/14" }, { cidr: "fd01::/48" }],
      },
    });
    expect(unknowns(cidrOverlap, [hostedCluster(moved), assigned])).toEqual([]);
    expect(unknowns(cidrOverlap, [dual, assigned])).toMatchObject([{ path: "ipv6CidrBlock" }]);
    const pending = hostedCluster({ ...moved, networking: UNKNOWN });
    expect(unknowns(cidrOverlap, [pending, assigned]).map(({ path }) => path)).toContain("ipv6CidrBlock");
  });

  it.each(["172.20.0.0/16", "100.65.3.0/24", "169.254.10.0/24"])(
    "machine network %s overlaps a range that nodes need",
    (cidr) => {
      expect(
        violations(cidrReservedOverlap, [hostedCluster({ networking: networking(cidr) })])[0],
      ).toMatchObject({
        path: "spec.networking.machineNetwork[0].cidr",
      });
    },
  );
});

test("the fix for a reserved address asks for an address, the fix for a range asks for a range", () => {
  const fixOf = (cidr: string) =>
    violations(cidrReservedOverlap, [hostedCluster({ networking: networking(cidr) })])[0]?.fix;
  expect(fixOf("172.20.0.0/24")).toMatch(/or set \S+advertiseAddress to an address that nothing else uses$/);
  expect(fixOf("100.64.0.0/16")).toMatch(/or set \S+internalJoinSubnet to a range that nothing else uses$/);
});

describe("cidr-reserved-overlap looks ahead", () => {
  const of = (version: string) => ({
    release: { image: `quay.io/openshift-release-dev/ocp-release:${version}-x86_64` },
  });
  const found = (version: string, cidr: string) =>
    judge(cidrReservedOverlap, [hostedCluster(of(version))], around(cidr)).map(({ level, message, fix }) => ({
      level,
      message,
      fix,
    }));

  it("a range that a later release uses is a warning that names the upgrade and the fix before it", () => {
    expect(found("4.16.3", "100.65.0.0/16")).toEqual([
      {
        level: Level.Warning,
        message:
          "infrastructure network corporate 100.65.0.0/16 shares addresses with the join subnet of user-defined networks 100.65.0.0/16, which clusters/tenant-a uses from 4.17 on: with the upgrade from 4.16 to 4.17 replies of pods to those addresses never leave the node",
        fix: "move infrastructure network corporate before the upgrade to 4.17",
      },
    ]);
    const [transit] = found("4.13.9", "100.88.0.0/16");
    expect(transit).toMatchObject({ level: Level.Warning });
    expect(transit!.message).toContain("with the upgrade from 4.13 to 4.14 traffic of pods between nodes");
    expect(transit!.fix).toMatch(
      /before the upgrade to 4\.14; \S+internalTransitSwitchSubnet can set another range from release 4\.20 on$/,
    );
  });

  it("after the upgrade it is an error, and the fix omits a setting that the release lacks", () => {
    expect(found("4.17.0", "100.65.0.0/16")).toMatchObject([{ level: Level.Warning }]);
    expect(found("4.19.0", "100.88.0.0/16")).toMatchObject([
      { level: Level.Error, fix: expect.stringContaining("from release 4.20 on") as string },
    ]);
    expect(found("4.20.0", "100.88.0.0/16")).toMatchObject([
      { level: Level.Error, fix: expect.stringContaining("or set spec.operatorConfiguration") as string },
    ]);
  });

  it("clusters before 4.17 keep their masquerade subnet, and other ranges are not reported", () => {
    expect(found("4.16.3", "10.77.0.0/16")).toEqual([]);
    const nearby = hostedCluster({ ...of("4.16.3"), networking: networking("169.254.100.0/24") });
    expect(violations(cidrReservedOverlap, [nearby]).map(({ message }) => message)).toEqual([
      expect.stringContaining("link-local"),
    ]);
  });

  it("the bridge of container engines is a note, even if the rule is mandatory", () => {
    expect(found("4.20.0", "172.17.3.0/24")).toMatchObject([{ level: Level.Note }]);
    const configuration = { ...around("172.17.3.0/24"), levels: { all: "mandatory" as const } };
    const judged = new JudgedResources([hostedCluster()], configuration);
    expect(verdictOf(judged, [cidrReservedOverlap]).findings.map(({ level }) => level)).toEqual([Level.Note]);
  });
});
