import { cidrInvalid } from "../../../src/addressRanges/rules/cidrInvalid";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { TYPE } from "../../../src/resources/resourceTypes";
import {
  group,
  HOSTED_CLUSTER,
  hostedCluster,
  judge,
  linesOf,
  networking,
  resource,
  unknowns,
  violations,
  type Properties,
} from "../../rules/builders";

const NETWORK = "kubernetes:operator.openshift.io/v1:Network";
const FIREWALL = "kubernetes:k8s.ovn.org/v1:EgressFirewall";
const POLICY = "kubernetes:networking.k8s.io/v1:NetworkPolicy";
const lines = (...resources: Resource[]) => judge(cidrInvalid, resources).map((one) => linesOf([one]));

/** An object with a value at a path, in which `[]` stands for the first entry of a list. */
function withValue(type: string, path: string, value: PropertyValue): Resource {
  const properties = path.split(".").reduceRight<PropertyValue>((inner, step) => {
    const lists = step.split("[]").length - 1;
    const listed = Array.from({ length: lists }).reduce<PropertyValue>((one) => [one], inner);
    return { [step.replaceAll("[]", "")]: listed };
  }, value);
  return resource(type, "one", properties as Properties);
}

const V4 = ["10.0.0.0/16"];
const V6 = ["fd00::/64"];
const BOTH = [...V4, ...V6];

/** The properties that must be a block, with the families that they accept. */
const PLACES: [type: string, path: string, families: string[]][] = [
  ...[TYPE.securityGroup, TYPE.defaultSecurityGroup].flatMap((type) =>
    ["ingress", "egress"].flatMap((list): [string, string, string[]][] => [
      [type, `${list}[].cidrBlocks[]`, V4],
      [type, `${list}[].ipv6CidrBlocks[]`, V6],
    ]),
  ),
  [TYPE.securityGroupRule, "cidrBlocks[]", V4],
  [TYPE.securityGroupRule, "ipv6CidrBlocks[]", V6],
  [TYPE.ingressRule, "cidrIpv4", V4],
  [TYPE.egressRule, "cidrIpv6", V6],
  [TYPE.prefixList, "entries[].cidr", BOTH],
  [TYPE.prefixListEntry, "cidr", BOTH],
  [TYPE.vpc, "cidrBlock", V4],
  [TYPE.ipv6Association, "ipv6CidrBlock", V6],
  [TYPE.route, "destinationCidrBlock", V4],
  [TYPE.route, "destinationIpv6CidrBlock", V6],
  [TYPE.routeTable, "routes[].cidrBlock", V4],
  [TYPE.defaultRouteTable, "routes[].ipv6CidrBlock", V6],
  [TYPE.transitGatewayRoute, "destinationCidrBlock", BOTH],
  [TYPE.vpnConnectionRoute, "destinationCidrBlock", BOTH],
  [NETWORK, "spec.clusterNetwork[].cidr", BOTH],
  [NETWORK, "spec.serviceNetwork[]", BOTH],
  [FIREWALL, "spec.egress[].to.cidrSelector", BOTH],
  [POLICY, "spec.ingress[].from[].ipBlock.cidr", BOTH],
  [POLICY, "spec.egress[].to[].ipBlock.except[]", BOTH],
  ["kubernetes:policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy", "spec.egress[].to[].networks[]", BOTH],
  [
    "kubernetes:policy.networking.k8s.io/v1alpha1:BaselineAdminNetworkPolicy",
    "spec.egress[].to[].networks[]",
    BOTH,
  ],
  [
    "kubernetes:policy.networking.k8s.io/v1alpha2:ClusterNetworkPolicy",
    "spec.egress[].to[].networks[]",
    BOTH,
  ],
];

describe.each(PLACES)("%s %s", (type, path, families) => {
  const place = path.replaceAll("[]", "[0]");
  const at = (value: PropertyValue) => withValue(type, path, value);

  test("accepts only blocks of its families", () => {
    for (const block of BOTH)
      expect(violations(cidrInvalid, [at(block)]).map((one) => one.path)).toEqual(
        families.includes(block) ? [] : [place],
      );
  });

  test.each<PropertyValue>(["10.0.0.0", "10.0.0.0/33", "everywhere", 7])("refuses %j", (value) => {
    expect(violations(cidrInvalid, [at(value)]).map((one) => one.path)).toContain(place);
  });

  test("is unknown while its value is unknown", () => {
    expect(unknowns(cidrInvalid, [at(UNKNOWN)]).map((one) => one.path)).toContain(place);
    expect(violations(cidrInvalid, [at(UNKNOWN)])).toEqual([]);
  });
});

test.each<[string, Resource, string[]]>([
  [
    "host bits in a filter are an error",
    group("g", [{ cidrBlocks: ["10.0.0.5/16"] }]),
    ["error ingress[0].cidrBlocks[0] 10.0.0.5/16 has host bits: write 10.0.0.0/16"],
  ],
  [
    "host bits that the network operator clears are a warning",
    resource(NETWORK, "cluster", { spec: { serviceNetwork: ["172.30.0.5/16"] } }),
    ["warning spec.serviceNetwork[0] 172.30.0.5/16 has host bits: write 172.30.0.0/16"],
  ],
  [
    "an invalid mask in a Network operator object is an error",
    resource(NETWORK, "cluster", { spec: { serviceNetwork: ["172.30.0.0/33"] } }),
    [
      "error spec.serviceNetwork[0] 172.30.0.0/33 has a mask that is too long: IPv4 masks go from /0 to /32, IPv6 masks from /0 to /128",
    ],
  ],
  // Providers write an empty string for a value that is not set.
  ["an empty string in a security group is accepted", group("g", [{ cidrBlocks: [""] }]), []],
  [
    "an empty string in a NetworkPolicy is an error",
    withValue(POLICY, "spec.egress[].to[].ipBlock.cidr", ""),
    ["error spec.egress[0].to[0].ipBlock.cidr the string is empty: write a CIDR block such as 10.0.0.0/16"],
  ],
  [
    "an exception outside of its block is an error",
    withValue(POLICY, "spec.ingress[].from[].ipBlock", {
      cidr: "10.0.0.0/16",
      except: ["10.0.4.0/24", "10.1.0.0/24"],
    }),
    [
      "error spec.ingress[0].from[0].ipBlock.except[1] 10.1.0.0/24 is not part of 10.0.0.0/16, and the API refuses the policy: write a smaller block inside 10.0.0.0/16, or leave it out",
    ],
  ],
])("%s", (_, object, expected) => {
  expect(
    violations(cidrInvalid, [object]).map(
      ({ level, path, message, fix }) => `${level} ${path} ${message}: ${fix}`,
    ),
  ).toEqual(expected);
});

test("an invalid direction of a security group is reported next to a valid one", () => {
  const [right, wrong] = [[{ cidrBlocks: ["10.0.0.0/16"] }], [{ cidrBlocks: ["10.0.0.5/16"] }]];
  const paths = (ingress: Properties[], egress: Properties[]) =>
    violations(cidrInvalid, [group("g", ingress, { egress })]).map(({ path }) => path);
  expect(paths(wrong, right)).toEqual(["ingress[0].cidrBlocks[0]"]);
  expect(paths(right, wrong)).toEqual(["egress[0].cidrBlocks[0]"]);
});

describe("a service network whose limit depends on the release", () => {
  const wide = (cidr: string, image: PropertyValue) =>
    hostedCluster({
      release: { image },
      networking: networking("192.168.0.0/24", { serviceNetwork: [{ cidr }] }),
    });
  const digest = `quay.io/openshift-release-dev/ocp-release@sha256:${"0".repeat(64)}`;

  test("is unknown without a release, and names the file that can state it", () => {
    expect(lines(wide("10.64.0.0/11", digest))).toEqual([
      expect.stringContaining(
        "unknown spec.networking.serviceNetwork[0].cidr | HostedCluster tenant-a: spec.networking.serviceNetwork[0].cidr, the API server starts with a service network this wide only from 4.21 on, and the release is unknown: write it in hypershift-network.yaml |",
      ),
    ]);
    expect(lines(wide("10.64.0.0/12", digest))).toEqual([]);
  });

  test("is not judged for a patch of a cluster, or if the platform is unknown", () => {
    const patch = { ...wide("10.64.0.0/11", digest), type: `${HOSTED_CLUSTER}Patch` };
    const { platform: _, ...spec } = patch.properties.spec as Properties;
    expect(lines({ ...patch, properties: { ...patch.properties, spec } })).toEqual([]);
    const hidden: Properties = { ...spec, platform: UNKNOWN };
    expect(lines(resource(HOSTED_CLUSTER, "tenant-a", { ...patch.properties, spec: hidden }))).toEqual([]);
  });
});

describe("automatic corrections", () => {
  /** The correction of a value; undefined if the value is not corrected. */
  const corrected = (type: string, path: string, value: string) =>
    cidrInvalid.corrections!(type)
      .find((one) => one.path === path)
      ?.correct(value);

  test.each<[string, string | undefined]>([
    ["10.0.0.5/16", "10.0.0.0/16"],
    ["10.0.0.5", "10.0.0.5/32"],
    // It may mean a network.
    ["10.0.0.0", undefined],
    ["10.0.0.0/16", undefined],
    ["10.0.0.0/33", undefined],
    ["fd00::5", undefined],
    ["fd00::5/64", undefined],
    ["fd00::/64", undefined],
    ["everywhere", undefined],
    ["", undefined],
  ])("change the IPv4 value %j to %j", (value, expected) => {
    expect(corrected(TYPE.securityGroup, "ingress[].cidrBlocks[]", value)).toBe(expected);
  });

  test.each<[string, string | undefined]>([
    ["fd00::5/64", "fd00::/64"],
    ["fd00::5", "fd00::5/128"],
    ["fd00::", undefined],
    ["10.0.0.5", undefined],
  ])("change the IPv6 value %j to %j", (value, expected) => {
    expect(corrected(TYPE.securityGroup, "egress[].ipv6CidrBlocks[]", value)).toBe(expected);
  });

  test("exist for filters and routes, but not for the networks of a running cluster", () => {
    const places = (type: string) => cidrInvalid.corrections!(type).map(({ path }) => path);
    expect(places(FIREWALL)).toEqual(["spec.egress[].to.cidrSelector"]);
    expect(corrected(FIREWALL, "spec.egress[].to.cidrSelector", "fd00::5")).toBe("fd00::5/128");
    expect(places(TYPE.route)).toEqual(["destinationCidrBlock", "destinationIpv6CidrBlock"]);
    for (const type of [HOSTED_CLUSTER, NETWORK, "kubernetes:k8s.ovn.org/v1:UserDefinedNetwork", "other"])
      expect(places(type)).toEqual([]);
  });
});

test.each([
  [TYPE.securityGroup, true],
  ["kubernetes:metallb.io/v1beta1:IPAddressPool", true],
  [HOSTED_CLUSTER, true],
  [TYPE.peering, false],
])("whether %s can be invalid by itself: %s", (type, expected) => {
  expect(cidrInvalid.single!(type)).toBe(expected);
});

describe("a list of blocks that the API server refuses as a whole", () => {
  const path = "spec.networking.apiServer.allowedCIDRBlocks";
  const found = (allowedCIDRBlocks: PropertyValue) =>
    violations(cidrInvalid, [
      hostedCluster({ networking: networking("10.0.0.0/16", { apiServer: { allowedCIDRBlocks } }) }),
    ]).map((one) => `${one.path} ${one.level}`);
  const whole = `${path} error`;
  const twice = ["10.0.0.0/8", "10.0.0.0/8"];

  test.each<[string, PropertyValue, string[]]>([
    ["next to host bits, which are a warning", [...twice, "10.1.0.1/16"], [`${path}[2] warning`, whole]],
    ["next to an entry that is not a block", [...twice, "2001:db8::/129"], [`${path}[2] error`, whole]],
    ["next to an unknown entry", [...twice, UNKNOWN], [whole]],
    ["by itself", twice, [whole]],
    ["only if an entry is repeated", ["10.0.0.0/8", "10.1.0.1/16"], [`${path}[1] warning`]],
  ])("is reported %s", (_, blocks, expected) => {
    expect(found(blocks)).toEqual(expected);
  });

  test("is reported for its length, next to host bits in each entry", () => {
    const many = Array.from({ length: 501 }, (__, at) => `10.${Math.trunc(at / 250)}.${at % 250}.1/24`);
    expect(found(many)).toHaveLength(502);
    expect(found(many)).toContain(whole);
    expect(found(many.slice(1))).not.toContain(whole);
  });
});

describe("a managed prefix list", () => {
  const list = (more: Properties) =>
    resource(TYPE.prefixList, "list", { id: "pl-1", addressFamily: "IPv4", maxEntries: 2, ...more });
  const entries = (...blocks: PropertyValue[]): PropertyValue => blocks.map((cidr): Properties => ({ cidr }));
  const entry = (cidr: PropertyValue, name = "entry") =>
    resource(TYPE.prefixListEntry, name, { prefixListId: "pl-1", cidr });
  const FOUR = ["10.0.0.0/8", "10.1.0.0/16", "10.2.0.0/16"];

  test("must contain only blocks of its family", () => {
    const mixed = list({ addressFamily: "IPv6", entries: entries("fd00::/8", "10.0.0.0/8") });
    expect(lines(mixed)).toEqual([
      "violated entries[1].cidr | 10.0.0.0/8 is an IPv4 block, and addressFamily of ManagedPrefixList list is IPv6: EC2 refuses it | write a block of IPv6, or a prefix list for each family",
    ]);
    expect(violations(cidrInvalid, [list({}), entry("fd00::/8")])).toMatchObject([{ path: "cidr" }]);
    for (const addressFamily of [UNKNOWN, null, "ipv6"] as const)
      expect(lines(list({ addressFamily, entries: entries("fd00::/8", "10.0.0.0/8") }))).toEqual([]);
    expect(lines(list({ entries: entries("10.0.0.0/8") }), entry("10.1.0.0/16"))).toEqual([]);
    expect(lines(entry("fd00::/8"))).toEqual([]);
  });

  test("must not have more entries than maxEntries", () => {
    const places = (...resources: Resource[]) => violations(cidrInvalid, resources).map(({ path }) => path);
    expect(lines(list({ entries: entries(...FOUR) }))).toEqual([
      "violated maxEntries | is 2, and ManagedPrefixList list has 3 entries: EC2 refuses them | write maxEntries: 3 or more",
    ]);
    expect(places(list({ maxEntries: 1 }), entry(FOUR[0]!, "a"), entry(FOUR[1]!, "b"))).toEqual([
      "maxEntries",
    ]);
    for (const maxEntries of [UNKNOWN, null, 3] as const)
      expect(places(list({ maxEntries, entries: entries(...FOUR) }))).toEqual([]);
    expect(places(list({ entries: entries(...FOUR.slice(0, 2), FOUR[0]!, UNKNOWN) }))).toEqual([]);
  });

  test("is not judged if the stack only reads it", () => {
    const read: Resource = { ...list({ entries: entries(...FOUR, "fd00::/8") }), isRead: true };
    expect(lines(read)).toEqual([]);
  });
});
