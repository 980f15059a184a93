import { cidrOverlap, cidrReservedOverlap } from "../../../src/addressRanges/rules/cidrOverlap";
import { ovnSubnetInvalid } from "../../../src/ovnSubnets/rules";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import {
  hostedCluster,
  judge,
  linesOf,
  networking,
  resource,
  standaloneNetwork,
  type Properties,
} from "../../rules/builders";

const ovn = (ovnKubernetesConfig: Properties): Properties => ({ defaultNetwork: { ovnKubernetesConfig } });
/** The object of the cluster's configuration. */
const configured = (spec: Properties = {}): Resource =>
  resource("kubernetes:config.openshift.io/v1:Network", "config", {
    spec: { clusterNetwork: [{ cidr: "10.128.0.0/14" }], serviceNetwork: ["172.30.0.0/16"], ...spec },
  });
/** An object of the operator with some settings. */
const operatorOf = (ovnKubernetesConfig: Properties, lists: Properties = {}): Resource =>
  resource("kubernetes:operator.openshift.io/v1:Network", "cluster", {
    spec: { ...ovn(ovnKubernetesConfig), ...lists },
  });
/** The same settings in a HostedCluster. */
const settingsOf = (ovnKubernetesConfig: Properties): Properties => ({
  operatorConfiguration: { clusterNetworkOperator: { ovnKubernetesConfig } },
});
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
    "no OVN default for certain if the network type is unknown",
    { serviceNetwork: inDefault.join, networkType: UNKNOWN },
    [],
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

describe("a cluster that migrates from OpenShift SDN to OVN-Kubernetes", () => {
  const sdn = { defaultNetwork: { type: "OpenShiftSDN" }, clusterNetwork: [{ cidr: "100.64.0.0/14" }] };
  const marked = (network: Resource, annotation = "networkoperator.openshift.io/network-migration") => ({
    ...network,
    properties: { ...network.properties, metadata: { annotations: { [annotation]: "" } } },
  });
  const paths = (...networks: Resource[]) => judge(cidrReservedOverlap, networks).map(({ path }) => path);
  const [pods, services] = ["spec.clusterNetwork[0].cidr", "spec.serviceNetwork[0]"];

  test("must not use the ranges of OVN-Kubernetes", () => {
    expect(paths(marked(standaloneNetwork(sdn)))).toEqual([pods]);
    const joined = { defaultNetwork: { type: "OpenShiftSDN" }, serviceNetwork: inDefault.join };
    expect(paths(marked(standaloneNetwork(joined)))).toEqual([services]);
    const typed = configured({ clusterNetwork: null, serviceNetwork: null, networkType: "OVNKubernetes" });
    const to = (networkType: PropertyValue): Properties => ({ ...sdn, migration: { networkType } });
    expect(paths(standaloneNetwork({ ...to("OVNKubernetes"), serviceNetwork: inDefault.transit }))).toEqual([
      pods,
      services,
    ]);
    expect(paths(marked(standaloneNetwork(sdn)), typed)).toEqual([pods]);
    const open: Properties = { ...to("OVNKubernetes"), defaultNetwork: { type: UNKNOWN } };
    expect(paths(standaloneNetwork(open))).toEqual([pods]);
    for (const more of [to("Calico"), to(""), to(UNKNOWN), sdn])
      expect(paths(standaloneNetwork(more))).toEqual([]);
    const calico = { ...sdn, defaultNetwork: { type: "Calico" } };
    expect(paths(marked(standaloneNetwork(calico)))).toEqual([]);
  });

  test("states its networks in the object of its configuration", () => {
    const config = configured({ ...sdn, networkType: "OpenShiftSDN", defaultNetwork: null });
    const some = standaloneNetwork({ clusterNetwork: null, serviceNetwork: null });
    expect(paths(config, some)).toEqual([]);
    expect(paths(config, marked(some))).toEqual([pods]);
    expect(paths(config, marked(operatorOf({ v4InternalSubnet: "10.99.0.0/16" })))).toEqual([]);
  });
});

describe("the two Network objects of one cluster", () => {
  const at = (file: string, network: Resource): Resource => ({ ...network, origin: { file, line: 1 } });
  const rules = [cidrOverlap, cidrReservedOverlap];
  const both = (...networks: Resource[]) =>
    rules.flatMap((rule) => judge(rule, networks)).map((one) => `${one.path} ${one.message}`);
  const inside = configured({ clusterNetwork: [{ cidr: "100.64.0.0/16" }] });
  const moved = operatorOf({ ipv4: { internalJoinSubnet: "100.99.0.0/16" } });
  const byDefault = [
    "spec.clusterNetwork[0].cidr the cluster network 100.64.0.0/16 shares addresses with OVN's default join subnet 100.64.0.0/16 of Network config: replies of pods to those addresses never leave the node",
  ];

  test("have the subnets of the operator's object in place of defaults", () => {
    expect(both(inside)).toEqual(byDefault);
    expect(both(inside, operatorOf({}))).toEqual(byDefault);
    expect(both(inside, moved)).toEqual([]);
    expect(both(moved, inside)).toEqual([]);
    expect(both(inside, operatorOf({ ipv4: { internalJoinSubnet: UNKNOWN } }))).toEqual([]);
    expect(both(inside, operatorOf({ mtu: 1400 }), moved)).toEqual([]);
  });

  test("have the lists of the configuration, which replace the operator's", () => {
    const overlaps = (join: string) => operatorOf({ v4InternalSubnet: join });
    expect(both(configured(), overlaps("10.128.0.0/16"))).toEqual([
      "spec.clusterNetwork[0].cidr the cluster network 10.128.0.0/14 of Network config shares addresses with OVN's join subnet 10.128.0.0/16",
    ]);
    expect(both(configured(), overlaps("172.30.0.0/20"))).toEqual([
      "spec.serviceNetwork[0] the service network 172.30.0.0/16 of Network config shares addresses with OVN's join subnet 172.30.0.0/20",
    ]);
    expect(both(configured(), overlaps("10.99.0.0/16"))).toEqual([]);
    const stale = operatorOf({ v4InternalSubnet: "10.99.0.0/16" }, { serviceNetwork: ["10.99.0.0/16"] });
    expect(both(stale)).toHaveLength(1);
    expect(both(configured(), stale)).toEqual([]);
  });

  test("are judged apart if they are in two places, or if several could belong together", () => {
    expect(both(at("a/config.yaml", inside), at("a/operator.yaml", moved))).toEqual([]);
    expect(both(at("a/config.yaml", inside), at("b/operator.yaml", moved))).toEqual(byDefault);
    const [one, other] = ["a", "b"].map(
      (name) => `urn:pulumi:dev::shop::pulumi:providers:kubernetes::${name}`,
    );
    expect(both({ ...inside, provider: one! }, { ...moved, provider: other! })).toEqual(byDefault);
    expect(both(inside, configured(), moved)).toEqual(byDefault);
  });
});

describe("the Network operator's object inside the only hosted cluster", () => {
  const found = (cluster: Resource, ...networks: Resource[]) =>
    [cidrOverlap, cidrReservedOverlap].flatMap((rule) => linesOf(judge(rule, [cluster, ...networks])) || []);
  const join = (v4InternalSubnet: PropertyValue) => operatorOf({ v4InternalSubnet });

  test("has subnets that must be distinct from the cluster's networks", () => {
    expect(found(hostedCluster(), join("172.31.0.0/16"))).toEqual([
      `violated ${AT}.v4InternalSubnet | OVN's join subnet 172.31.0.0/16 of clusters/tenant-a shares addresses with the service network 172.31.0.0/16 | move OVN's join subnet or the service network to addresses that nothing else uses | 172.31.0.0 is in both`,
    ]);
    for (const [subnet, network] of [
      ["10.132.0.0/16", "the cluster network 10.132.0.0/14"],
      ["10.0.8.0/21", "the machine network 10.0.0.0/16"],
      ["172.20.0.0/16", "the address at which nodes reach the API server 172.20.0.1/32"],
    ] as const)
      expect(found(hostedCluster(), join(subnet)).join()).toContain(network);
    expect(found(hostedCluster(), join("100.99.0.0/16"))).toEqual([]);
    expect(found(hostedCluster(), join(UNKNOWN))).toEqual([]);
    expect(found(hostedCluster(), operatorOf(masquerade("169.254.0.0/17")))).toEqual([]);
  });

  test("states the subnets that the HostedCluster states, too", () => {
    const same = hostedCluster(settingsOf({ ipv4: { internalJoinSubnet: "100.99.0.0/16" } }));
    expect(found(same, operatorOf({ ipv4: { internalJoinSubnet: "100.99.0.0/16" } }))).toEqual([]);
  });

  test("has subnets that must be distinct from each other, wherever they are stated", () => {
    const transit = hostedCluster(settingsOf({ ipv4: { internalTransitSwitchSubnet: "100.99.0.0/16" } }));
    expect(found(transit, join("100.99.0.0/16")).join()).toContain(
      "OVN's transit switch subnet 100.99.0.0/16",
    );
    expect(found(transit, join("100.98.0.0/16"))).toEqual([]);
    const whole = hostedCluster(settingsOf({ v4InternalSubnet: "100.99.0.0/16" }));
    expect(found(whole, join("100.99.0.0/16"))).toEqual([]);
    const primary = resource("kubernetes:k8s.ovn.org/v1:ClusterUserDefinedNetwork", "green", {
      metadata: { name: "green" },
      spec: { network: { topology: "Layer2", layer2: { role: "Primary", subnets: ["10.200.0.0/16"] } } },
    });
    const levels = (...networks: Resource[]) =>
      judge(cidrReservedOverlap, [hostedCluster(), join("100.65.0.0/16"), ...networks]).map(
        ({ level }) => level,
      );
    expect(levels()).toEqual(["warning"]);
    expect(levels(primary)).toEqual(["error"]);
  });

  test("has the subnets with which user-defined networks are compared", () => {
    const green = (subnet: string) =>
      resource("kubernetes:k8s.ovn.org/v1:UserDefinedNetwork", "green", {
        metadata: { name: "green", namespace: "green" },
        spec: { topology: "Layer2", layer2: { role: "Secondary", subnets: [subnet] } },
      });
    const statuses = (subnet: string) =>
      [cidrOverlap, cidrReservedOverlap]
        .flatMap((rule) => judge(rule, [hostedCluster(), join("100.99.0.0/16"), green(subnet)]))
        .map(({ status }) => status);
    expect(statuses("100.64.3.0/24")).toEqual([]);
    expect(statuses("100.99.3.0/24")).toEqual(["violated"]);
  });

  test("is not one for openshift-install, which installs no hosted clusters", () => {
    const manifest = {
      ...join("172.31.0.0/16"),
      origin: { file: "manifests/cluster-network-03-config.yml" },
    };
    expect(found(hostedCluster(), manifest)).toEqual([]);
    const machines = hostedCluster({ networking: networking("100.64.8.0/24") });
    expect(found(machines, { ...manifest, properties: join("100.99.0.0/16").properties })).toHaveLength(1);
  });

  test("replaces the cluster's defaults", () => {
    const machines = (cidr: string) => hostedCluster({ networking: networking(cidr) });
    expect(found(machines("100.64.8.0/24"))).toHaveLength(1);
    expect(found(machines("100.64.8.0/24"), join("100.99.0.0/16"))).toEqual([]);
    expect(found(machines("100.64.8.0/24"), join(UNKNOWN))).toEqual([]);
    expect(found(machines("100.88.8.0/24"), join("100.99.0.0/16"))).toHaveLength(1);
  });

  test("is not one in the management cluster, of a standalone cluster or of one of several hosted clusters", () => {
    const subnet = join("172.31.0.0/16");
    const provider = "urn:pulumi:dev::shop::pulumi:providers:kubernetes::management";
    expect(found({ ...hostedCluster(), provider }, { ...subnet, provider })).toEqual([]);
    const other = { ...hostedCluster({}, "tenant-b"), provider: `${provider}-b` };
    expect(found({ ...hostedCluster(), provider }, other, subnet)).toEqual([]);
    const own = { clusterNetwork: [{ cidr: "10.128.0.0/14" }] };
    expect(found(hostedCluster(), operatorOf({ v4InternalSubnet: "172.31.0.0/16" }, own))).toEqual([]);
    expect(found(hostedCluster(), configured(), subnet)).toEqual([]);
  });
});
