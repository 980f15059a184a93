import { UNKNOWN } from "../../../src/resources/resource";
import { cidrInvalid } from "../../../src/addressRanges/rules/cidrInvalid";
import { ovnSubnetCapacity, ovnSubnetInvalid } from "../../../src/ovnSubnets/rules";
import { Level, type Rule } from "../../../src/gate/rule";
import { resource, unknowns, violations, type Properties } from "../../rules/builders";

const OVN = "spec.defaultNetwork.ovnKubernetesConfig";
const TYPE = "kubernetes:operator.openshift.io/v1:Network";
const lists = {
  clusterNetwork: [{ cidr: "10.132.0.0/14", hostPrefix: 23 }],
  serviceNetwork: ["172.31.0.0/16"],
};
const dual = {
  clusterNetwork: [...lists.clusterNetwork, { cidr: "fd01::/48", hostPrefix: 64 }],
  serviceNetwork: [...lists.serviceNetwork, "fd02::/112"],
};
const network = (spec: Properties, type = TYPE) => resource(type, "cluster", { spec });
const withOvn = (ovnKubernetesConfig: Properties, spec: Properties = dual) =>
  network({ ...spec, defaultNetwork: { type: "OVNKubernetes", ovnKubernetesConfig } });
const errors = (rule: Rule, object: ReturnType<typeof network>) =>
  violations(rule, [object])
    .filter(({ level }) => level === Level.Error)
    .map(({ path }) => path);

/** From the API's own tests, openshift/api operator/v1/tests/networks.operator.openshift.io. */
const badV4 = ["10.10.10/24", "10.10.010.10/24", "0.10.10.10/24", "10.10.10.256/24", "10.10.10.10/-1"];
const badV6 = [
  "foo",
  "abcd:ef01:2345:6789:abcd:ef01:2345:6789:abcd/125",
  "abcd:ef01:2345:6789:abcd:ef01:2345:1.2.3.4/125",
  "abcd::ef01::2345:6789/20",
  "abcd:ef01:2345:6789::abcd:ef01:2345:6789/125",
  "abcd:ef01:2345:6789:abcd:ef01:2345/125",
  "xbcd:ef01:2345:6789::2345:6789/20",
  "abcd:eff01:2345:6789::2345:6789/20",
];
const goodV6 = ["abcd:ef01:2345:6789:abcd:ef01:2345:6789/64", "abcd:ef01:2345:6789::2345:6789/20"];

describe("the subnets of a Network operator object", () => {
  const masquerade = (family: string, internalMasqueradeSubnet: string) =>
    withOvn({ gatewayConfig: { [family]: { internalMasqueradeSubnet } } });

  it.each([
    ...[...badV4, "10.10.10.10/30"].map((subnet) => ["ipv4", subnet]),
    ...[...badV6, "fd69::/126", "169.254.0.0/17", "fe80::1%eth0/64"].map((subnet) => ["ipv6", subnet]),
  ])("finds the masquerade subnet %s %s", (family, subnet) => {
    const path = `${OVN}.gatewayConfig.${family}.internalMasqueradeSubnet`;
    expect(errors(ovnSubnetInvalid, masquerade(family, subnet))).toEqual([path]);
  });

  it.each([
    ["ipv4", "169.254.168.0/29"],
    ["ipv4", "10.10.10.10/29"],
    ["ipv6", "fd69::/125"],
    ...goodV6.map((subnet) => ["ipv6", subnet]),
  ])("accepts the masquerade subnet %s %s", (family, subnet) => {
    expect(errors(ovnSubnetInvalid, masquerade(family, subnet))).toEqual([]);
  });

  it("finds a masquerade subnet of an address family that the cluster network does not have", () => {
    const ipv6 = { clusterNetwork: [dual.clusterNetwork[1]!], serviceNetwork: ["fd02::/112"] };
    const of = (spec: Properties) =>
      errors(
        ovnSubnetInvalid,
        withOvn(
          {
            gatewayConfig: {
              ipv4: { internalMasqueradeSubnet: "169.254.0.0/17" },
              ipv6: { internalMasqueradeSubnet: "fd69::/112" },
            },
          },
          spec,
        ),
      );
    expect(of(lists)).toEqual([`${OVN}.gatewayConfig.ipv6.internalMasqueradeSubnet`]);
    expect(of(ipv6)).toEqual([`${OVN}.gatewayConfig.ipv4.internalMasqueradeSubnet`]);
    for (const spec of [dual, {}, { ...lists, clusterNetwork: UNKNOWN }]) expect(of(spec)).toEqual([]);
  });

  it.each(["internalJoinSubnet", "internalTransitSwitchSubnet"])("judges %s of IPv6", (field) => {
    const of = (subnet: string) => errors(ovnSubnetInvalid, withOvn({ ipv6: { [field]: subnet } }));
    for (const subnet of [...badV6, "fd97::/126", "100.99.0.0/16"])
      expect([subnet, of(subnet)]).toEqual([subnet, [`${OVN}.ipv6.${field}`]]);
    for (const subnet of goodV6) expect([subnet, of(subnet)]).toEqual([subnet, []]);
  });

  it("finds a subnet of an address family that the cluster network does not have, and one that is too small", () => {
    const single = withOvn({ v6InternalSubnet: "fd98::/64", v4InternalSubnet: "100.99.0.0/24" }, lists);
    expect(errors(ovnSubnetInvalid, single)).toEqual([`${OVN}.v6InternalSubnet`]);
    expect(errors(ovnSubnetCapacity, single)).toContain(`${OVN}.v4InternalSubnet`);
  });

  it.each([
    ["v4InternalSubnet", "ipv4", "100.99.0.0/16", "100.98.0.0/16"],
    ["v6InternalSubnet", "ipv6", "fd98::/64", "fd99::/64"],
  ])("accepts %s next to the join subnet of %s only if they are the same", (old, family, one, other) => {
    const of = (internalJoinSubnet: string) =>
      errors(ovnSubnetInvalid, withOvn({ [old]: one, [family]: { internalJoinSubnet } }));
    expect(of(one)).toEqual([]);
    expect(of(other)).toHaveLength(1);
  });
});

describe("the settings of a Network operator object", () => {
  const enabled = { routeAdvertisements: "Enabled" };
  const frr = { ...dual, additionalRoutingCapabilities: { providers: ["FRR"] } };

  it.each<[Properties, string]>([
    [{ mtu: 575 }, "mtu"],
    [{ mtu: 70_000 }, "mtu"],
    [{ mtu: 1279 }, "mtu"],
    [{ mtu: "1400" }, "mtu"],
    [{ genevePort: 0 }, "genevePort"],
    [{ genevePort: 70_000 }, "genevePort"],
    [{ ipsecConfig: "Full" }, "ipsecConfig"],
    [{ ipsecConfig: { mode: "" } }, "ipsecConfig.mode"],
    [{ ipsecConfig: { mode: "full" } }, "ipsecConfig.mode"],
    [{ ipsecConfig: { mode: "External", full: { encapsulation: "Auto" } } }, "ipsecConfig.full"],
    [{ ipsecConfig: { mode: "Full", full: { encapsulation: "On" } } }, "ipsecConfig.full.encapsulation"],
    [enabled, "routeAdvertisements"],
    [{ routeAdvertisements: "On" }, "routeAdvertisements"],
    [
      { egressIPConfig: { reachabilityTotalTimeoutSeconds: 61 } },
      "egressIPConfig.reachabilityTotalTimeoutSeconds",
    ],
    [{ gatewayConfig: { ipForwarding: "global" } }, "gatewayConfig.ipForwarding"],
    [{ policyAuditConfig: { rateLimit: 0 } }, "policyAuditConfig.rateLimit"],
    [{ policyAuditConfig: { maxLogFiles: -1 } }, "policyAuditConfig.maxLogFiles"],
  ])("finds %j", (config, field) => {
    expect(errors(ovnSubnetInvalid, withOvn(config))).toEqual([`${OVN}.${field}`]);
  });

  it("finds additionalNetworks together with disableMultiNetwork", () => {
    const additionalNetworks = [{ name: "storage", type: "Raw", rawCNIConfig: "{}" }];
    const found = (spec: Properties) => errors(ovnSubnetInvalid, network(spec));
    expect(found({ disableMultiNetwork: true, additionalNetworks })).toEqual(["spec.additionalNetworks"]);
    const right: Properties[] = [
      { additionalNetworks },
      { disableMultiNetwork: false, additionalNetworks },
      { disableMultiNetwork: true, additionalNetworks: [] },
      { disableMultiNetwork: UNKNOWN, additionalNetworks },
      { disableMultiNetwork: true, additionalNetworks: UNKNOWN },
    ];
    for (const spec of right) expect(found(spec)).toEqual([]);
  });

  const collectors = (...list: string[]) => ({ exportNetworkFlows: { ipfix: { collectors: list } } });
  const at = "spec.exportNetworkFlows.ipfix.collectors";

  it.each<[Properties, string]>([
    [{ additionalRoutingCapabilities: { providers: [] } }, "spec.additionalRoutingCapabilities.providers"],
    [
      { additionalRoutingCapabilities: { providers: ["BGP"] } },
      "spec.additionalRoutingCapabilities.providers[0]",
    ],
    [{ migration: { mode: "live" } }, "spec.migration.mode"],
    [collectors(), at],
    [collectors("192.0.2.10"), `${at}[0]`],
    [collectors("192.0.2.10:2055", "192.0.2.11:0"), `${at}[1]`],
    [collectors("192.0.2.10:65536"), `${at}[0]`],
    [collectors("[2001:db8::1]:2055"), `${at}[0]`],
  ])("finds %j in the spec", (spec, path) => {
    expect(errors(ovnSubnetInvalid, network({ ...lists, ...spec }))).toEqual([path]);
  });

  it.each<Properties>([
    { additionalRoutingCapabilities: { providers: ["FRR"] } },
    { migration: { mode: "Live" } },
    collectors("192.0.2.10:2055", "192.0.2.11:65535"),
    { exportNetworkFlows: UNKNOWN },
  ])("accepts %j in the spec", (spec) => {
    expect(errors(ovnSubnetInvalid, network({ ...lists, ...spec }))).toEqual([]);
  });

  it.each<[Properties, Properties]>([
    [{ mtu: 1280, genevePort: 9880 }, dual],
    [{ mtu: 576 }, lists],
    [{ ipsecConfig: {} }, dual],
    [{ ipsecConfig: { mode: "Full", full: { encapsulation: "Auto" } } }, dual],
    [{ ipsecConfig: { mode: UNKNOWN, full: { encapsulation: "Auto" } } }, dual],
    [{ routeAdvertisements: "Disabled" }, dual],
    [enabled, frr],
    [enabled, { ...dual, additionalRoutingCapabilities: UNKNOWN }],
    [{ egressIPConfig: { reachabilityTotalTimeoutSeconds: 0 } }, dual],
    [{ gatewayConfig: { ipForwarding: "Global" }, policyAuditConfig: { rateLimit: 1 } }, dual],
    [{}, {}],
  ])("accepts %j", (config, spec) => {
    expect(errors(ovnSubnetInvalid, withOvn(config, spec))).toEqual([]);
  });

  it("counts unknown values, and does not check a patch for fields of the object", () => {
    expect(unknowns(ovnSubnetInvalid, [withOvn({ mtu: UNKNOWN })])).toMatchObject([{ path: `${OVN}.mtu` }]);
    const patch = network({ defaultNetwork: { ovnKubernetesConfig: enabled } }, `${TYPE}Patch`);
    expect(errors(ovnSubnetInvalid, patch)).toEqual([]);
  });
});

describe.each([TYPE, "kubernetes:config.openshift.io/v1:Network"])("the lists of a %s", (type) => {
  const of = (more: Properties) => errors(cidrInvalid, network({ ...lists, ...more }, type));
  const pods = (hostPrefix: number, cidr = "10.132.0.0/14") => ({ clusterNetwork: [{ cidr, hostPrefix }] });

  it.each<[string, Properties, string]>([
    ["a host prefix as long as the cluster network's", pods(14), "spec.clusterNetwork[0].hostPrefix"],
    ["a host prefix without room for pods", pods(31), "spec.clusterNetwork[0].hostPrefix"],
    [
      "a host prefix as long as the cluster network's with a lowercase network type",
      { ...pods(14), networkType: "ovnkubernetes", defaultNetwork: { type: "ovnkubernetes" } },
      "spec.clusterNetwork[0].hostPrefix",
    ],
    [
      "an IPv6 host prefix other than 64",
      { ...dual, clusterNetwork: [...lists.clusterNetwork, { cidr: "fd01::/48", hostPrefix: 63 }] },
      "spec.clusterNetwork[1].hostPrefix",
    ],
    [
      "two different IPv4 host prefixes",
      { clusterNetwork: [...lists.clusterNetwork, { cidr: "10.140.0.0/14", hostPrefix: 24 }] },
      "spec.clusterNetwork[1].hostPrefix",
    ],
    ["a string as entry", { clusterNetwork: ["10.132.0.0/14"] }, "spec.clusterNetwork[0]"],
    [
      "two IPv4 service networks",
      { serviceNetwork: ["172.31.0.0/16", "172.30.0.0/16"] },
      "spec.serviceNetwork",
    ],
    [
      "both address families only in the cluster network",
      { clusterNetwork: dual.clusterNetwork },
      "spec.serviceNetwork",
    ],
    [
      "both address families only in the service network",
      { serviceNetwork: dual.serviceNetwork },
      "spec.serviceNetwork",
    ],
  ])("are refused for %s", (_, more, path) => {
    expect(of(more)).toEqual([path]);
  });

  it.each<[string, Properties]>([
    ["both address families", dual],
    [
      "cluster networks with equal, absent and unknown host prefixes",
      {
        clusterNetwork: [
          { cidr: "10.132.0.0/16", hostPrefix: 24 },
          { cidr: "10.133.0.0/16", hostPrefix: 24 },
          { cidr: "10.134.0.0/16" },
          { cidr: "10.135.0.0/16", hostPrefix: UNKNOWN },
        ],
      },
    ],
    [
      "two different host prefixes with another network type",
      {
        clusterNetwork: [...pods(24).clusterNetwork, ...pods(23, "10.140.0.0/14").clusterNetwork],
        networkType: "Calico",
        defaultNetwork: { type: "Calico" },
      },
    ],
    ["no host prefix", { clusterNetwork: [{ cidr: "10.132.0.0/14" }] }],
    ["an unknown service network", { clusterNetwork: dual.clusterNetwork, serviceNetwork: UNKNOWN }],
    ["one unknown service network entry", { serviceNetwork: ["172.31.0.0/16", UNKNOWN] }],
    [
      "an equal host prefix with another network type",
      {
        ...pods(14),
        networkType: "Calico",
        defaultNetwork: { type: "Calico" },
      },
    ],
  ])("are accepted with %s", (_, more) => {
    expect(of(more)).toEqual([]);
  });

  it("are refused for empty texts in place of blocks", () => {
    expect(of({ clusterNetwork: [{ cidr: "", hostPrefix: 23 }] })).toEqual(["spec.clusterNetwork[0].cidr"]);
    expect(of({ serviceNetwork: [""] })).toEqual(["spec.serviceNetwork[0]"]);
  });

  it("are refused once for a block of another type", () => {
    expect(of({ clusterNetwork: [{ cidr: 10, hostPrefix: 23 }] })).toEqual(["spec.clusterNetwork[0].cidr"]);
  });
});
