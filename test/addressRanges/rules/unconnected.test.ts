import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { TYPE } from "../../../src/resources/resourceTypes";
import {
  cidrOverlap,
  cidrReservedOverlap,
  cidrUnconnectedOverlap,
} from "../../../src/addressRanges/rules/cidrOverlap";
import { cidrPublic } from "../../../src/addressRanges/rules/machineNetwork";
import { addressPlans } from "../../../src/cli/planCommand";
import { JudgedResources } from "../../../src/gate/judgedResources";
import {
  hostedCluster,
  networking,
  ovn,
  resource,
  unknowns,
  userNetwork,
  violations,
  vpc,
  type Properties,
} from "../../rules/builders";
import { peered, workers } from "../vpcs";

const RULES = [cidrOverlap, cidrReservedOverlap, cidrUnconnectedOverlap];
const primary = userNetwork(
  { topology: "Layer2", layer2: { role: "Primary", subnets: ["10.200.0.0/16"] } },
  "blue",
);
const found = (resources: readonly Resource[]) =>
  RULES.flatMap((rule) =>
    violations(rule, [hostedCluster(), workers, ...resources]).map(({ rule: id, level }) => `${id} ${level}`),
  );

/** The ranges of a cluster, each with the rule and level of an overlap with a connected VPC. */
const RANGES: [range: string, block: string, rule: string, level: string][] = [
  ["cluster network", "10.132.0.0/16", "cidr-overlap", "error"],
  ["service network", "172.31.0.0/16", "cidr-overlap", "error"],
  ["join subnet", "100.64.0.0/16", "cidr-reserved-overlap", "error"],
  ["transit switch subnet", "100.88.0.0/16", "cidr-reserved-overlap", "error"],
  ["join subnet of user-defined networks", "100.65.0.0/16", "cidr-reserved-overlap", "warning"],
];

describe.each(RANGES)("a VPC that overlaps the %s", (_, block, rule, level) => {
  const other = vpc("other", block);

  test("is reported if a peering connects it", () => {
    expect(found([other, peered(workers, other)])).toEqual([`${rule} ${level}`]);
  });

  test("is a note at the VPC if nothing connects it", () => {
    expect(found([other])).toEqual(["cidr-unconnected-overlap note"]);
    const [finding] = violations(cidrUnconnectedOverlap, [hostedCluster(), workers, other]);
    expect(finding).toMatchObject({ resource: other.origin, path: "cidrBlock" });
    expect(finding?.message).toContain("nothing in the input connects them");
  });

  test("is not reported if its block is outside the range", () => {
    const far = vpc("other", "10.64.0.0/16");
    expect(found([far])).toEqual([]);
    expect(found([far, peered(workers, far)])).toEqual([]);
  });
});

describe("a VPC at a core network of Cloud WAN", () => {
  const other = vpc("other", "10.132.0.0/16");
  const attach = (name: string, more: Properties, from: Record<string, Resource[]> = {}) =>
    resource(TYPE.coreNetworkAttachment, name, { coreNetworkId: "core-1", ...more }, from);
  const arn = (one: string) => ({ vpcArn: `arn:aws:ec2:eu-west-1:123456789012:vpc/vpc-${one}` });
  const counted = (...resources: Resource[]) => ({
    found: found([other, ...resources]),
    unknown: unknowns(cidrOverlap, [hostedCluster(), workers, other, ...resources]).map(
      ({ message }) => message,
    ),
  });
  const MAY = {
    found: [],
    unknown: [expect.stringContaining("are in use in VPC other at the same core network 10.132.0.0/16")],
  };
  const NOTE = { found: ["cidr-unconnected-overlap note"], unknown: [] };

  test("may be connected to the workers' VPC through it", () => {
    const [here, there] = [attach("here", arn("workers")), attach("there", arn("other"))];
    expect(counted(here, there)).toEqual(MAY);
    const late = attach("there", { vpcArn: UNKNOWN }, { vpcArn: [other] });
    expect(counted(here, late)).toEqual(MAY);
    expect(counted(here, there, peered(workers, other))).toEqual({
      found: ["cidr-overlap error"],
      unknown: [],
    });
  });

  test("is not connected through another core network, or if it is the only VPC there", () => {
    const there = attach("there", arn("other"));
    expect(counted(there)).toEqual(NOTE);
    expect(counted(attach("here", { ...arn("workers"), coreNetworkId: "core-2" }), there)).toEqual(NOTE);
    expect(counted(attach("here", arn("other")), there)).toEqual(NOTE);
  });
});

describe("the VPC that the HostedCluster names", () => {
  const named = (id: PropertyValue) =>
    hostedCluster({
      platform: {
        type: "AWS",
        aws: { region: "us-east-1", endpointAccess: "Private", cloudProviderConfig: { vpc: id } },
      },
    });
  const foundFor = (cluster: Resource, ...others: Resource[]) =>
    RULES.flatMap((rule) =>
      violations(rule, [cluster, ...others]).map(({ rule: id, level }) => `${id} ${level}`),
    );

  test.each(RANGES)("is the workers' VPC and must not overlap the %s", (_, block, rule, level) => {
    expect(foundFor(named("vpc-own"), vpc("own", block))).toEqual([`${rule} ${level}`]);
    expect(foundFor(named("vpc-own"), vpc("own", block), workers)).toEqual([`${rule} ${level}`]);
  });

  test("connects the workers to the VPCs that are connected to it", () => {
    const [own, other] = [vpc("own", "10.64.0.0/16"), vpc("other", "172.31.0.0/16")];
    const ways = { vpcId: "vpc-own", peerVpcId: "vpc-other" };
    expect(foundFor(named("vpc-own"), own, other)).toEqual(["cidr-unconnected-overlap note"]);
    expect(foundFor(named("vpc-own"), own, other, resource(TYPE.peering, "peering", ways))).toEqual([
      "cidr-overlap error",
    ]);
  });

  test("excludes another VPC with the same block as the workers' VPC, as does another region", () => {
    const [own, twin, other] = [workers, vpc("twin", "10.0.0.0/16"), vpc("other", "10.132.0.0/16")];
    const peering = (end: string) =>
      resource(TYPE.peering, "peering", { vpcId: `vpc-${end}`, peerVpcId: "vpc-other" });
    const note = ["cidr-unconnected-overlap note"];
    expect(foundFor(named("vpc-workers"), own, twin, other, peering("twin"))).toEqual(note);
    expect(foundFor(named("vpc-workers"), own, twin, other, peering("workers"))).toEqual([
      "cidr-overlap error",
    ]);
    expect(foundFor(named("vpc-elsewhere"), twin, other, peering("twin"))).toEqual(note);
    expect(foundFor(named("vpc-elsewhere"), twin, other, peering("elsewhere"))).toEqual([
      "cidr-overlap error",
    ]);
    const none = { ...twin, properties: { cidrBlock: "10.0.0.0/16" } };
    const madeLater = resource(TYPE.peering, "peering", { peerVpcId: "vpc-other" }, { vpcId: [none] });
    expect(foundFor(named("vpc-elsewhere"), none, other, madeLater)).toEqual(["cidr-overlap error"]);
    expect(foundFor(named(UNKNOWN), twin, other, peering("twin"))).toEqual(["cidr-overlap error"]);
    const ofRegion = (region: PropertyValue): Resource => ({
      ...twin,
      properties: { ...twin.properties, region },
    });
    expect(foundFor(named(null), own, ofRegion("eu-west-1"), other, peering("twin"))).toEqual(note);
    for (const region of ["us-east-1", UNKNOWN] as const)
      expect(foundFor(named(null), own, ofRegion(region), other, peering("twin"))).toEqual([
        "cidr-overlap error",
      ]);
  });

  test.each<[string, PropertyValue]>([
    ["of another VPC", "vpc-another"],
    ["unknown", UNKNOWN],
  ])("is not the workers' VPC if the id is %s", (_, id) => {
    expect(foundFor(named(id), vpc("own", "172.31.0.0/16"))).toEqual(["cidr-unconnected-overlap note"]);
  });
});

test("of two VPCs with the machine network, the workers' VPC is the one of their security group", () => {
  const [twin, other] = [vpc("twin", "10.0.0.0/16"), vpc("other", "10.132.0.0/16")];
  const peering = resource(TYPE.peering, "peering", { vpcId: "vpc-twin", peerVpcId: "vpc-other" });
  const tags = { "hypershift-network/role": "workers", "hypershift-network/cluster": "tenant-a" };
  const group = (vpcId: PropertyValue) => resource(TYPE.securityGroup, "workers", { vpcId, tags });
  const onAws = hostedCluster({ platform: { type: "AWS", aws: { region: "us-east-1" } } });
  const foundWith = (vpcId: PropertyValue) =>
    RULES.flatMap((rule) =>
      violations(rule, [onAws, workers, twin, other, peering, group(vpcId)]).map(({ rule: id }) => id),
    );
  expect(foundWith("vpc-workers")).toEqual(["cidr-unconnected-overlap"]);
  for (const vpcId of ["vpc-twin", "vpc-elsewhere", UNKNOWN] as const)
    expect(foundWith(vpcId)).toEqual(["cidr-overlap"]);
});

test("an overlap with the join subnet of user-defined networks is an error if such a network exists", () => {
  const other = vpc("other", "100.65.0.0/16");
  expect(found([other, peered(workers, other), primary])).toEqual(["cidr-reserved-overlap error"]);
  expect(found([other, primary])).toEqual(["cidr-unconnected-overlap note"]);
});

test("the address plan lists the overlaps of the rules, unconnected networks as notes", () => {
  const [connected, apart] = [vpc("connected", "10.132.0.0/16"), vpc("apart", "172.31.4.0/24")];
  const company = vpc("company", "100.64.3.0/24");
  const leads = resource(TYPE.peering, "company", { vpcId: "vpc-workers", peerVpcId: "vpc-company" });
  const judged = new JudgedResources([
    ...[hostedCluster(), workers, connected, peered(workers, connected), apart],
    ...[company, leads],
  ]);
  expect(addressPlans(judged)[0]?.overlaps).toEqual([
    {
      range: "the cluster network 10.132.0.0/14",
      other: "VPC connected 10.132.0.0/16",
      witness: "10.132.0.0",
      level: "error",
    },
    {
      range: "the service network 172.31.0.0/16",
      other: "VPC apart 172.31.4.0/24",
      witness: "172.31.4.0",
      level: "note",
    },
    {
      range: "VPC company 100.64.3.0/24",
      other: "OVN's default join subnet 100.64.0.0/16",
      witness: "100.64.3.0",
      level: "error",
    },
  ]);
});

test("the address plan warns about the join subnet of user-defined networks if a role is unknown", () => {
  const pending = resource(primary.type, "blue", { spec: { layer2: { role: UNKNOWN } } });
  const other = vpc("other", "100.65.0.0/16");
  const levels = (network: Resource) =>
    addressPlans(
      new JudgedResources([hostedCluster(), workers, other, peered(workers, other), network]),
    ).flatMap(({ overlaps }) => overlaps.map(({ level }) => level));
  expect([levels(pending), levels(primary)]).toEqual([["warning"], ["error"]]);
});

describe("nodes of KubeVirt clusters, which are pods of the management cluster", () => {
  const kubevirt = (more: Properties = {}) =>
    hostedCluster({ platform: { type: "KubeVirt" }, networking: networking("10.0.0.0/16", more) });
  const network = (spec: Properties) =>
    resource("kubernetes:operator.openshift.io/v1:Network", "cluster", {
      apiVersion: "operator.openshift.io/v1",
      kind: "Network",
      metadata: { name: "cluster" },
      spec: { clusterNetwork: [{ cidr: "10.128.0.0/14" }], serviceNetwork: ["172.30.0.0/16"], ...spec },
    });
  const messages = (resources: readonly Resource[]) =>
    [cidrOverlap, cidrReservedOverlap].flatMap((rule) =>
      violations(rule, resources).map(({ message }) => message),
    );

  test.each([
    ["pods", { clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 23 }] }, {}, "cluster network"],
    ["Services", { serviceNetwork: [{ cidr: "172.30.0.0/16" }] }, {}, "service network"],
    [
      "join subnets",
      {},
      { defaultNetwork: { ovnKubernetesConfig: { ipv4: { internalJoinSubnet: "100.66.0.0/16" } } } },
      "join subnet",
    ],
    [
      "IPv6 join subnets",
      {
        clusterNetwork: [{ cidr: "fd01::/48" }],
        serviceNetwork: [{ cidr: "fd02::/112" }],
        machineNetwork: [],
      },
      {
        clusterNetwork: [{ cidr: "fd03::/48" }],
        serviceNetwork: ["fd04::/112"],
        defaultNetwork: { ovnKubernetesConfig: { ipv6: { internalJoinSubnet: "fd99::/64" } } },
      },
      "join subnet",
    ],
  ])("%s must not overlap those of the management cluster", (_, own, management, range) => {
    expect(messages([kubevirt(own), network(management)])).toEqual([
      expect.stringMatching(new RegExp(`${range}.* of the management cluster`)),
    ]);
    expect(messages([kubevirt(), network({})])).toEqual([]);
  });

  test("are compared only with the management cluster of their own folder", () => {
    const at = (folder: string, one: Resource): Resource => ({
      ...one,
      origin: { file: `${folder}/a.yaml`, line: 1 },
    });
    const own = { clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 23 }] };
    const apart = { clusterNetwork: [{ cidr: "10.64.0.0/14" }] };
    const cluster = at("stage/clusters", kubevirt(own));
    expect(messages([cluster, at("stage", network(apart)), at("prod", network({}))])).toEqual([]);
    expect(messages([cluster, at("stage", network({})), at("prod", network(apart))])).toHaveLength(1);
  });

  test("differ from nodes of other platforms, which are not pods", () => {
    const own = { clusterNetwork: [{ cidr: "10.128.0.0/14", hostPrefix: 23 }] };
    expect(messages([hostedCluster({ networking: networking("10.0.0.0/16", own) }), network({})])).toEqual(
      [],
    );
  });

  test.each([
    ["a machine network", networking("10.128.4.0/22"), {}],
    [
      "a transit switch subnet, which stays inside nodes",
      networking("10.0.0.0/16"),
      ovn(undefined, "172.30.4.0/24"),
    ],
  ])("may overlap networks of the management cluster with %s", (_, networks, more) => {
    const cluster = hostedCluster({ platform: { type: "KubeVirt" }, networking: networks, ...more });
    expect(messages([cluster, network({})])).toEqual([]);
  });
});

describe("networks of the cluster with public addresses", () => {
  const warned = (more: Properties) =>
    violations(cidrPublic, [hostedCluster({ networking: networking("10.0.0.0/16", more) })]).map(
      ({ level, path }) => `${level} ${path}`,
    );
  test.each([
    [{ clusterNetwork: [{ cidr: "44.0.0.0/14" }] }, "warning spec.networking.clusterNetwork[0].cidr"],
    [{ serviceNetwork: [{ cidr: "8.8.0.0/16" }] }, "warning spec.networking.serviceNetwork[0].cidr"],
    // Part of it is private, part is public.
    [{ clusterNetwork: [{ cidr: "172.0.0.0/8" }] }, "warning spec.networking.clusterNetwork[0].cidr"],
  ])("%j causes a warning", (more, place) => {
    expect(warned(more)).toEqual([place]);
  });
  test.each<Properties>([
    {},
    { clusterNetwork: [{ cidr: "100.112.0.0/12" }] },
    { clusterNetwork: [{ cidr: "198.18.0.0/16" }] },
  ])("%j causes no warning", (more) => {
    expect(warned(more)).toEqual([]);
  });
});
