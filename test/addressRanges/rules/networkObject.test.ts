import { cidrOverlap, cidrReservedOverlap } from "../../../src/addressRanges/rules/cidrOverlap";
import { ovnSubnetInvalid } from "../../../src/ovnSubnets/rules";
import { UNKNOWN, type PropertyValue } from "../../../src/resources/resource";
import { hostedCluster, judge, linesOf, standaloneNetwork, type Properties } from "../../rules/builders";

const ovn = (ovnKubernetesConfig: Properties): Properties => ({ defaultNetwork: { ovnKubernetesConfig } });
const lines = (spec: Properties) =>
  [cidrOverlap, cidrReservedOverlap].flatMap((rule) =>
    judge(rule, [standaloneNetwork(spec)]).map((one) => linesOf([one])),
  );
/** The path of each finding, and the range with which it shares addresses. */
const found = (spec: Properties) =>
  lines(spec).map(
    (line) =>
      /^violated (\S+) .* shares addresses with (.*?)(?: of Network cluster|: | \| )/
        .exec(line)
        ?.slice(1)
        .join(": ") ?? line,
  );
const AT = "spec.defaultNetwork.ovnKubernetesConfig";

test("overlapping ranges of a Network object are reported with its name", () => {
  expect(lines({ serviceNetwork: ["10.129.0.0/16"] })).toEqual([
    "violated spec.clusterNetwork[0].cidr | the cluster network 10.128.0.0/14 of Network cluster shares addresses with the service network 10.129.0.0/16 | move the cluster network or the service network to addresses that nothing else uses | 10.129.0.0 is in both",
  ]);
  expect(lines({ serviceNetwork: ["100.64.0.0/16"] })).toEqual([
    "violated spec.serviceNetwork[0] | the service network 100.64.0.0/16 shares addresses with OVN's default join subnet 100.64.0.0/16 of Network cluster: replies of pods to those addresses never leave the node | move the service network | 100.64.0.0 is in both",
  ]);
});

test.each<[string, Properties, string[]]>([
  [
    "the pods of hybrid nodes",
    ovn({
      hybridOverlayConfig: { hybridClusterNetwork: [{ cidr: "10.140.0.0/16" }, { cidr: "10.129.0.0/16" }] },
    }),
    ["spec.clusterNetwork[0].cidr: the hybrid cluster network 10.129.0.0/16"],
  ],
  [
    "the transit switch",
    ovn({ ipv4: { internalTransitSwitchSubnet: "172.30.9.0/24" } }),
    ["spec.serviceNetwork[0]: OVN's transit switch subnet 172.30.9.0/24"],
  ],
  [
    "the masquerade subnet",
    ovn({ gatewayConfig: { ipv4: { internalMasqueradeSubnet: "172.30.9.0/24" } } }),
    ["spec.serviceNetwork[0]: OVN's masquerade subnet 172.30.9.0/24"],
  ],
  [
    "the join subnet",
    ovn({ ipv4: { internalJoinSubnet: "172.30.9.0/24" } }),
    ["spec.serviceNetwork[0]: OVN's join subnet 172.30.9.0/24"],
  ],
  [
    "the join subnet under its older name",
    ovn({ v4InternalSubnet: "172.30.9.0/24" }),
    ["spec.serviceNetwork[0]: OVN's join subnet 172.30.9.0/24"],
  ],
  [
    "but not with the older name if the newer one is set",
    ovn({ ipv4: { internalJoinSubnet: "100.99.0.0/16" }, v4InternalSubnet: "172.30.9.0/24" }),
    [],
  ],
])("the cluster and service networks must not overlap %s", (_, spec, expected) => {
  expect(found(spec)).toEqual(expected);
});

const masquerade = (internalMasqueradeSubnet: PropertyValue, family = "ipv4"): Properties => ({
  gatewayConfig: { [family]: { internalMasqueradeSubnet } },
});
const V6: Properties = {
  clusterNetwork: [{ cidr: "fd01::/48", hostPrefix: 64 }],
  serviceNetwork: ["fd02::/112"],
};

test.each<[string, Properties, string[]]>([
  [
    "the join subnet",
    ovn({ ipv4: { internalJoinSubnet: "100.99.0.0/16" }, ...masquerade("100.99.0.0/16") }),
    [`${AT}.ipv4.internalJoinSubnet: OVN's masquerade subnet 100.99.0.0/16`],
  ],
  [
    "the join subnet under its older name",
    ovn({ v4InternalSubnet: "100.99.0.0/16", ...masquerade("100.99.0.0/16") }),
    [`${AT}.v4InternalSubnet: OVN's masquerade subnet 100.99.0.0/16`],
  ],
  [
    "a part of the join subnet",
    ovn({ ipv4: { internalJoinSubnet: "100.99.0.0/16" }, ...masquerade("100.99.0.0/17") }),
    [`${AT}.ipv4.internalJoinSubnet: OVN's masquerade subnet 100.99.0.0/17`],
  ],
  [
    "the transit switch subnet",
    ovn({ ipv4: { internalTransitSwitchSubnet: "100.99.0.0/16" }, ...masquerade("100.99.0.0/16") }),
    [`${AT}.ipv4.internalTransitSwitchSubnet: OVN's masquerade subnet 100.99.0.0/16`],
  ],
  [
    "the IPv6 join subnet",
    { ...V6, ...ovn({ ipv6: { internalJoinSubnet: "fd96::/64" }, ...masquerade("fd96::/64", "ipv6") }) },
    [`${AT}.ipv6.internalJoinSubnet: OVN's IPv6 masquerade subnet fd96::/64`],
  ],
  [
    "neither, if they are apart",
    ovn({ ipv4: { internalJoinSubnet: "100.99.0.0/16" }, ...masquerade("100.98.0.0/16") }),
    [],
  ],
  [
    "neither, if one is unknown",
    ovn({ ipv4: { internalJoinSubnet: "100.99.0.0/16" }, ...masquerade(UNKNOWN) }),
    [],
  ],
])("the masquerade subnet must differ from %s", (_, spec, expected) => {
  expect(found(spec)).toEqual(expected);
});

test("equal join and transit switch subnets of one object are left to ovn-subnet-invalid", () => {
  const same = { internalJoinSubnet: "100.99.0.0/16", internalTransitSwitchSubnet: "100.99.0.0/16" };
  expect(found(ovn({ ipv4: same }))).toEqual([]);
  expect(judge(ovnSubnetInvalid, [standaloneNetwork(ovn({ ipv4: same }))])).toHaveLength(1);
});

/** Service networks inside a default range of OVN. */
const inDefault = { join: ["100.64.0.0/16"], transit: ["100.88.0.0/16"], masquerade: ["169.254.4.0/24"] };

test.each<[string, Properties, string[]]>([
  [
    "OVN's join subnet",
    { serviceNetwork: inDefault.join },
    ["spec.serviceNetwork[0]: OVN's default join subnet 100.64.0.0/16"],
  ],
  [
    "OVN's transit switch subnet",
    { serviceNetwork: inDefault.transit },
    ["spec.serviceNetwork[0]: OVN's default transit switch subnet 100.88.0.0/16"],
  ],
  [
    "OVN's masquerade subnet",
    { serviceNetwork: inDefault.masquerade },
    ["spec.serviceNetwork[0]: OVN's masquerade subnet 169.254.0.0/17"],
  ],
  [
    "no join subnet default if it is moved",
    { serviceNetwork: inDefault.join, ...ovn({ ipv4: { internalJoinSubnet: "100.99.0.0/16" } }) },
    [],
  ],
  [
    "no default if the setting is unknown",
    { serviceNetwork: inDefault.join, ...ovn({ ipv4: { internalJoinSubnet: UNKNOWN } }) },
    [],
  ],
  [
    "the join subnet default if the setting is not a block",
    { serviceNetwork: inDefault.join, ...ovn({ v4InternalSubnet: "everywhere" }) },
    ["spec.serviceNetwork[0]: OVN's default join subnet 100.64.0.0/16"],
  ],
  ["no OVN default with another network type", { serviceNetwork: inDefault.join, networkType: "Calico" }, []],
  [
    "the OVN default if the network type is unknown",
    { serviceNetwork: inDefault.join, networkType: UNKNOWN },
    ["spec.serviceNetwork[0]: OVN's default join subnet 100.64.0.0/16"],
  ],
  [
    "the IPv4 default if the pods' family is unknown",
    { clusterNetwork: UNKNOWN, serviceNetwork: inDefault.join },
    ["spec.serviceNetwork[0]: OVN's default join subnet 100.64.0.0/16"],
  ],
  [
    "no IPv6 default if the pods' family is unknown",
    { clusterNetwork: UNKNOWN, serviceNetwork: ["fd98::/112"] },
    [],
  ],
  [
    "no IPv4 default if the pods have only IPv6",
    { clusterNetwork: [{ cidr: "fd01::/48" }], serviceNetwork: inDefault.join },
    [],
  ],
])("by default a cluster uses %s", (_, spec, expected) => {
  expect(found(spec)).toEqual(expected);
});

test.each<PropertyValue>(["everywhere", 7, UNKNOWN])("%p is not compared as a service network", (service) => {
  expect(found({ clusterNetwork: [{ cidr: "172.30.0.0/16" }], serviceNetwork: [service] })).toEqual([]);
});

test.each([
  ["spec.clusterNetwork[0].cidr", { clusterNetwork: [{ cidr: "100.64.0.0/16" }] }],
  [
    `${AT}.hybridOverlayConfig.hybridClusterNetwork[0].cidr`,
    ovn({ hybridOverlayConfig: { hybridClusterNetwork: [{ cidr: "100.64.0.0/16" }] } }),
  ],
])("an overlap with a default is reported at the stated range: %s", (path, spec) => {
  expect(found(spec)).toEqual([`${path}: OVN's default join subnet 100.64.0.0/16`]);
});

describe("an object with only some settings of a hosted cluster's network", () => {
  const settings = ovn({ hybridOverlayConfig: { hybridClusterNetwork: [{ cidr: "100.64.0.0/16" }] } });
  const some = standaloneNetwork({ ...settings, clusterNetwork: null, serviceNetwork: null });
  const cluster = (ipv4: PropertyValue) =>
    hostedCluster({ operatorConfiguration: { clusterNetworkOperator: { ovnKubernetesConfig: { ipv4 } } } });
  const count = (...resources: Parameters<typeof judge>[1][number][]) =>
    judge(cidrReservedOverlap, resources).filter(({ path }) => path.startsWith(AT)).length;

  test("has the defaults that the cluster has not replaced", () => {
    expect(count(some)).toBe(1);
    expect(count(hostedCluster(), some)).toBe(1);
    expect(count(cluster({ internalTransitSwitchSubnet: "100.99.0.0/16" }), some)).toBe(1);
    expect(count(cluster({ internalJoinSubnet: "100.99.0.0/16" }), some)).toBe(0);
    expect(count(cluster({ internalJoinSubnet: UNKNOWN }), some)).toBe(0);
  });

  test("is not one with a cluster network, which may be that of the management cluster", () => {
    expect(count(cluster({ internalJoinSubnet: "100.99.0.0/16" }), standaloneNetwork(settings))).toBe(1);
  });
});
