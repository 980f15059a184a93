import {
  cidrOverlap,
  cidrReservedOverlap,
  cidrUnconnectedOverlap,
} from "../../../src/addressRanges/rules/cidrOverlap";
import { cidrPublic, machineNetwork } from "../../../src/addressRanges/rules/machineNetwork";
import { networkCapacity } from "../../../src/addressRanges/rules/networkCapacity";
import type { Configuration } from "../../../src/gate/configuration";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { TYPE } from "../../../src/resources/resourceTypes";
import {
  HOSTED_CLUSTER,
  hostedCluster,
  loadBalancerPool,
  networking,
  nodePool,
  ovn,
  resource,
  standaloneNetwork,
  unknowns,
  userNetwork,
  violations,
  vpc,
  type Properties,
} from "../../rules/builders";

const RULES = [
  cidrOverlap,
  cidrReservedOverlap,
  cidrUnconnectedOverlap,
  cidrPublic,
  machineNetwork,
  networkCapacity,
];
const workers = vpc("workers", "10.0.0.0/16");
const pool = (name: string, spec: Properties = {}) => nodePool(name, { replicas: 2, ...spec });
const said = (resources: readonly Resource[], configuration?: Configuration) =>
  unknowns(cidrOverlap, resources, configuration).map(({ message }) => message);

test("a cluster with an unknown platform is not judged, and nothing is compared with it", () => {
  const own = { ...networking("10.132.0.0/16"), clusterNetwork: [{ cidr: "44.0.0.0/14", hostPrefix: 26 }] };
  const around = [
    vpc("other", "172.31.0.0/16"),
    loadBalancerPool(["172.31.0.0/24"]),
    pool("pool"),
    standaloneNetwork(),
    userNetwork({ layer2: { role: "Primary", subnets: ["44.0.0.0/24"] } }, "blue"),
  ];
  const cluster = (platform: PropertyValue) => hostedCluster({ platform, networking: own });
  const ids = (platform: PropertyValue) =>
    RULES.flatMap((rule) => violations(rule, [cluster(platform), ...around]).map((one) => one.rule));
  expect(ids(UNKNOWN)).toEqual([]);
  expect(new Set(ids({ type: "KubeVirt" })).size).toBeGreaterThan(2);
});

test.each<[string, Resource[], string[]]>([
  ["the addresses of a VPC", [vpc("ipam", UNKNOWN, { ipv4IpamPoolId: "ipam-1" })], ["Vpc ipam: cidrBlock"]],
  [
    "the entries of a prefix list",
    [
      workers,
      resource(TYPE.routeTable, "table", { vpcId: "vpc-workers", id: "rtb-1" }),
      resource(TYPE.route, "route", {
        routeTableId: "rtb-1",
        destinationPrefixListId: "pl-1",
        transitGatewayId: "tgw-1",
      }),
    ],
    ["Route route: destinationPrefixListId, not every entry of its prefix list is in this stack"],
  ],
  ["the addresses of a pool", [loadBalancerPool([UNKNOWN])], ["IPAddressPool lb: spec.addresses[0]"]],
])("%s are unknown if there are hosted clusters, and not reported otherwise", (_, resources, expected) => {
  expect(said([hostedCluster(), ...resources])).toEqual(expected);
  expect(said(resources)).toEqual([]);
});

describe("a cluster that is only patched", () => {
  const patch = (spec: Properties) =>
    resource(`${HOSTED_CLUSTER}Patch`, "move", { metadata: { name: "far", namespace: "clusters" }, spec });
  const words =
    "HostedClusterPatch move: spec.networking, the networks of the existing cluster are not in this stack";

  test.each<[string, Properties, string[]]>([
    ["it moves an internal subnet", ovn("100.99.0.0/16"), [words]],
    ["it changes something else", { pausedUntil: "true" }, []],
    [
      "it moves an internal subnet to an unknown range",
      ovn(UNKNOWN),
      [expect.stringContaining("internalJoinSubnet") as string],
    ],
  ])("reports unknown networks if the patch needs them: %s", (_, spec, expected) => {
    expect(said([patch(spec)])).toEqual(expected);
  });

  test.each<[string, PropertyValue, string[]]>([
    ["not against the default of a network that it may have changed", "10.132.4.0/22", []],
    [
      "against a range that every cluster uses",
      "172.20.0.0/24",
      ["the address at which nodes reach the API server 172.20.0.1/32"],
    ],
  ])("compares the internal subnet of the patch: %s", (_, join, expected) => {
    const found = [cidrOverlap, cidrReservedOverlap].flatMap((rule) => violations(rule, [patch(ovn(join))]));
    expect(found.map(({ message }) => /with (.*?)(?: of |$)/.exec(message)?.[1])).toEqual(expected);
  });

  test("has no machine network to compare with workers", () => {
    const own = patch({ networking: networking("10.0.0.0/16") });
    const configuration: Configuration = {
      file: "hypershift-network.yaml",
      clusters: [
        {
          path: "hostedClusters[0]",
          topology: { name: "far", workerCidrs: ["10.9.0.0/24"] },
          securityGroups: {},
        },
      ],
      levels: {},
    };
    expect(violations(machineNetwork, [own], configuration)).toEqual([]);
  });
});

test("an unknown IPv6 block is unknown only next to an IPv6 range or an unknown range", () => {
  const asked = vpc("workers", "10.0.0.0/16", { assignGeneratedIpv6CidrBlock: true });
  const found = (spec: Properties) =>
    unknowns(cidrOverlap, [hostedCluster(spec), asked]).filter(({ path }) => path === "ipv6CidrBlock").length;
  expect(found({})).toBe(0);
  expect(found({ networking: networking("10.0.0.0/16", { machineNetwork: UNKNOWN }) })).toBe(1);
  expect(found({ networking: networking("10.0.0.0/16", { machineNetwork: [{ cidr: "fd00::/64" }] }) })).toBe(
    1,
  );
  expect(found(ovn(UNKNOWN))).toBe(1);
  expect(
    unknowns(cidrOverlap, [hostedCluster({ platform: UNKNOWN }), asked]).map(({ path }) => path),
  ).toContain("ipv6CidrBlock");
});

describe("nodes on KubeVirt that are only on a secondary network", () => {
  const { machineNetwork: _, ...without } = networking("10.0.0.0/16");
  const kubeVirt = (own: Properties, type = "KubeVirt") =>
    hostedCluster({ platform: { type }, networking: own });
  const nodes = (attachDefaultNetwork: PropertyValue) =>
    pool("pool", {
      platform: {
        type: "KubeVirt",
        kubevirt: { attachDefaultNetwork, additionalNetworks: [{ name: "vlan/100" }] },
      },
    });
  const words =
    "NodePool pool: spec.platform.kubevirt.additionalNetworks, the range of the secondary network, which machineNetwork of the HostedCluster can state";

  test.each<[string, Resource[], string[]]>([
    ["no machine network", [kubeVirt(without), nodes(false)], [words]],
    ["but not with a machine network", [kubeVirt(networking("10.0.0.0/16")), nodes(false)], []],
    ["but not with the default network too", [kubeVirt(without), nodes(true)], []],
    ["but not on another platform", [kubeVirt(without, "None"), nodes(false)], []],
  ])("have an unknown range: %s", (_, resources, expected) => {
    expect(said(resources)).toEqual(expected);
  });
});

describe("a route that ends at a network interface", () => {
  const table = resource(TYPE.routeTable, "table", { vpcId: "vpc-workers", id: "rtb-1" });
  const to = (destinationCidrBlock: string) =>
    resource(TYPE.route, "route", {
      routeTableId: "rtb-1",
      destinationCidrBlock,
      networkInterfaceId: "eni-1",
    });
  const words = (range: string, block: string) =>
    `Route route: destinationCidrBlock, whether addresses of ${range} of clusters/tenant-a are in use in the network behind the network interface (route route) ${block}, which infrastructureCidrs can state`;

  test.each<[string, string, string[]]>([
    ["the cluster network", "10.133.0.0/16", [words("the cluster network 10.132.0.0/14", "10.133.0.0/16")]],
    [
      "OVN's join subnet",
      "100.64.3.0/24",
      [words("OVN's default join subnet 100.64.0.0/16", "100.64.3.0/24")],
    ],
    // No network in the input uses it.
    ["not those of user-defined networks by default", "100.65.3.0/24", []],
    ["not those that a node keeps for itself", "169.254.3.0/24", []],
    ["none outside of the cluster's ranges", "10.77.0.0/16", []],
  ])("names the cluster's ranges that may be in use behind it: %s", (_, block, expected) => {
    expect(said([hostedCluster(), workers, table, to(block)])).toEqual(expected);
  });
});

describe("the bridge of container engines, and ranges of later releases", () => {
  const old = { release: { image: "quay.io/openshift-release-dev/ocp-release:4.16.3-x86_64" } };
  const peering = resource(TYPE.peering, "p", { vpcId: "vpc-workers", peerVpcId: "vpc-other" });
  const found = (cidrBlock: string, ...more: Resource[]) =>
    violations(cidrReservedOverlap, [hostedCluster(old), workers, vpc("other", cidrBlock), ...more]).map(
      ({ level, path, message }) => `${level} ${path} ${message.split(":")[0]}`,
    );

  test.each([
    [
      "172.17.0.0/16",
      "note cidrBlock VPC other 172.17.0.0/16 of clusters/tenant-a shares addresses with the default bridge of Docker and engines like it 172.17.0.0/16",
    ],
    [
      "100.65.0.0/16",
      "warning cidrBlock VPC other 100.65.0.0/16 shares addresses with the join subnet of user-defined networks 100.65.0.0/16, which clusters/tenant-a uses from 4.17 on",
    ],
  ])("are compared with a VPC %s only if it is connected to the workers", (cidrBlock, expected) => {
    expect(found(cidrBlock, peering)).toEqual([expected]);
    expect(found(cidrBlock)).toEqual([]);
  });

  test("are compared with load-balancer addresses", () => {
    expect(
      violations(cidrReservedOverlap, [hostedCluster(), loadBalancerPool(["172.17.0.0/24"])]).map(
        ({ path }) => path,
      ),
    ).toEqual(["spec.addresses[0]"]);
  });
});
