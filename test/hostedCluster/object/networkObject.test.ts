import { isJudgedObject, judgeObject } from "../../../src/hostedCluster/object";
import type { ObjectRule } from "../../../src/requirements/hostedCluster";
import { UNKNOWN, type PropertyValue } from "../../../src/resources/resource";
import { resource, type Properties } from "../../rules/builders";

const TYPE = "kubernetes:operator.openshift.io/v1:Network";
const RULES = ["cidr-invalid", "ovn-subnet-invalid"] as const satisfies readonly ObjectRule[];

/** The faults of a Network object, one line each. */
const faults = (spec: Properties, type = TYPE): string[] =>
  RULES.flatMap((rule) => judgeObject(resource(type, "cluster", { spec }), rule).faults).map(
    ({ rule, path, problem, remedy }) => `${rule} ${path}  ${problem}: ${remedy}`,
  );
const OVN = "spec.defaultNetwork.ovnKubernetesConfig";
const ovn = (ovnKubernetesConfig: PropertyValue, more: Properties = {}): Properties => ({
  defaultNetwork: { ovnKubernetesConfig },
  ...more,
});
const pods = (...clusterNetwork: PropertyValue[]): Properties => ({ clusterNetwork });
const v4 = { cidr: "10.132.0.0/14" };
const v6 = { cidr: "fd01::/48" };
const full = { encapsulation: "Auto" };

test.each<[string, Properties, string]>([
  [
    "a host prefix as long as the cluster network's",
    pods({ ...v4, hostPrefix: 14 }),
    "cidr-invalid spec.clusterNetwork[0].hostPrefix  /14 is not part of 10.132.0.0/14: write a length from 15 to 30, or a larger cluster network",
  ],
  [
    "two service networks of one address family",
    { serviceNetwork: ["172.30.0.0/16", "172.31.0.0/16"] },
    "cidr-invalid spec.serviceNetwork  has 2 entries of one family: write at most one entry of each family",
  ],
  [
    "a service network of another address family than the cluster network",
    { ...pods(v4), serviceNetwork: ["fd02::/112"] },
    "cidr-invalid spec.serviceNetwork  the cluster network and the service network have different address families: write both families in both lists, or one in both",
  ],
  [
    "an MTU that is too small for IPv6",
    ovn({ mtu: 1279 }, pods(v6)),
    `ovn-subnet-invalid ${OVN}.mtu  1279 is less than the 1280 bytes that IPv6 needs: write 1280 or more`,
  ],
  [
    "IPsec settings of mode Full with the mode Disabled",
    ovn({ ipsecConfig: { mode: "Disabled", full } }),
    `ovn-subnet-invalid ${OVN}.ipsecConfig.full  is only valid with the mode Full: write mode: Full, or leave it out`,
  ],
  [
    "IPsec settings of mode Full without a mode",
    ovn({ ipsecConfig: { full } }),
    `ovn-subnet-invalid ${OVN}.ipsecConfig.full  is only valid with the mode Full: write mode: Full, or leave it out`,
  ],
  [
    "route advertisements without FRR",
    ovn({ routeAdvertisements: "Enabled" }),
    `ovn-subnet-invalid ${OVN}.routeAdvertisements  is refused without FRR in spec.additionalRoutingCapabilities.providers: write providers: [FRR] there, or leave it out`,
  ],
])("a Network object is refused for %s", (_, spec, line) => {
  expect(faults(spec)).toEqual([line]);
  // A patch states only its own fields, so relations to other fields cannot be checked.
  expect(faults(spec, `${TYPE}Patch`)).toEqual([]);
});

const CONFIG = "kubernetes:config.openshift.io/v1:Network";
const services = { serviceNetwork: ["172.30.0.0/16"] };
const whole: Properties = { ...pods({ ...v4, hostPrefix: 23 }), ...services, networkType: "OVNKubernetes" };

test.each<[string, Properties, string]>([
  [
    "an empty cluster network",
    { clusterNetwork: [] },
    "cidr-invalid spec.clusterNetwork  is empty: write a list of at least one block",
  ],
  [
    "an empty service network",
    { serviceNetwork: [] },
    "cidr-invalid spec.serviceNetwork  is empty: write a list of at least one block",
  ],
  [
    "a cluster network without a block",
    pods({ hostPrefix: 23 }),
    "cidr-invalid spec.clusterNetwork[0].cidr  missing: write the block behind cidr: as in - cidr: 10.132.0.0/14",
  ],
  [
    "empty settings of IPsec",
    ovn({ ipsecConfig: { mode: "Full", full: {} } }),
    `ovn-subnet-invalid ${OVN}.ipsecConfig.full  is empty: write encapsulation: Auto below it, or leave it out`,
  ],
  [
    "a hybrid overlay that is not an object",
    ovn({ hybridOverlayConfig: true }),
    `ovn-subnet-invalid ${OVN}.hybridOverlayConfig  is not an object: write hybridClusterNetwork below it, or leave it out`,
  ],
  [
    "routing capabilities without providers",
    { additionalRoutingCapabilities: {} },
    "ovn-subnet-invalid spec.additionalRoutingCapabilities.providers  missing: write providers: [FRR], or leave additionalRoutingCapabilities out",
  ],
])("both Network objects are refused for %s", (_, spec, line) => {
  expect(faults(spec)).toEqual([line]);
  expect(faults({ ...whole, ...spec }, CONFIG)).toEqual([line]);
});

const missingPart = (problem: string, type: string, length: number) =>
  `cidr-invalid spec.clusterNetwork[0].hostPrefix  ${problem}: with ${type}, the network operator refuses a range without the prefix length of each node's part: write it, such as ${length}`;

test.each<[string, Properties, string]>([
  [
    "an empty network type",
    { networkType: "" },
    "ovn-subnet-invalid spec.networkType  is empty: write the name of a network type, such as OVNKubernetes",
  ],
  ["no host prefix", pods(v4), missingPart("missing", "OVNKubernetes", 23)],
  ["a host prefix of 0", pods({ ...v4, hostPrefix: 0 }), missingPart("is 0", "OVNKubernetes", 23)],
  [
    "no IPv6 host prefix",
    { ...pods(v6), serviceNetwork: ["fd02::/112"] },
    missingPart("missing", "OVNKubernetes", 64),
  ],
  [
    "no host prefix with OpenShift SDN",
    { ...pods(v4), networkType: "openshiftsdn" },
    missingPart("missing", "OpenShiftSDN", 23),
  ],
  [
    "a range of node ports beyond the last port",
    { serviceNodePortRange: "30000-70000" },
    "ovn-subnet-invalid spec.serviceNodePortRange  is not a range of ports: write the first and the last port: 30000-32767",
  ],
])("the cluster's configuration is refused for %s", (_, spec, line) => {
  expect(faults({ ...whole, ...spec }, CONFIG)).toEqual([line]);
});

test.each<[string, Properties]>([
  ["all of them", {}],
  ["no host prefix with another network type", { ...pods(v4), networkType: "Calico" }],
  ["no host prefix with an unknown network type", { ...pods(v4), networkType: UNKNOWN }],
  ["an unknown host prefix", pods({ ...v4, hostPrefix: UNKNOWN })],
  ["an unknown cluster network", { clusterNetwork: UNKNOWN }],
  ["an unknown entry", pods(UNKNOWN)],
  ["an unknown block", pods({ cidr: UNKNOWN, hostPrefix: 23 })],
  ["a range of node ports", { serviceNodePortRange: "30000-32767" }],
  ["an unknown range of node ports", { serviceNodePortRange: UNKNOWN }],
])("the cluster's configuration is accepted with %s", (_, spec) => {
  expect(faults({ ...whole, ...spec }, CONFIG)).toEqual([]);
});

test("the cluster's configuration is not judged for what it leaves out, and a patch not for its lists' parts", () => {
  expect(faults({ externalIP: {} }, CONFIG)).toEqual([]);
  expect(faults(pods(v4), CONFIG)).toEqual([]);
  expect(faults({ ...pods(v4), networkType: "OVNKubernetes" }, `${CONFIG}Patch`)).toEqual([]);
});

test("reports three service networks of two address families", () => {
  const serviceNetwork = ["172.30.0.0/16", "fd02::/112", "172.31.0.0/16"];
  expect(faults({ serviceNetwork })).toContain(
    "cidr-invalid spec.serviceNetwork  has 3 entries of two families: write at most one entry of each family",
  );
});

test.each<[string, Properties]>([
  ["one address family in both networks", { ...pods(v4), serviceNetwork: ["172.30.0.0/16"] }],
  [
    "both address families, in any order",
    { ...pods(v6, v4), serviceNetwork: ["172.30.0.0/16", "fd02::/112"] },
  ],
  ["host bits, which have no effect", { ...pods(v4), serviceNetwork: ["172.30.0.1/16"] }],
  ["an unknown cluster network", { ...pods({ cidr: UNKNOWN }), serviceNetwork: ["fd02::/112"] }],
  ["an unknown second cluster network", { ...pods(v4, UNKNOWN), serviceNetwork: ["fd02::/112"] }],
  ["three cluster networks", pods(...[0, 1, 2].map((at) => ({ cidr: `10.${at}.0.0/16`, hostPrefix: 24 })))],
  [
    "an invalid service network, which another check refuses",
    { ...pods(v4), serviceNetwork: ["everywhere"] },
  ],
  ["an invalid cluster network, which another check refuses", pods({ cidr: "everywhere", hostPrefix: 23 })],
  ["a host prefix of 0, which the API writes if there is none", pods({ ...v4, hostPrefix: 0 })],
  ["the smallest MTU of IPv6", ovn({ mtu: 1280 }, pods(v6))],
  ["a smaller MTU with IPv4", ovn({ mtu: 1279 }, pods(v4))],
  ["a smaller MTU with an unknown cluster network", ovn({ mtu: 1279 }, pods({ cidr: UNKNOWN }))],
  ["IPsec of mode Full with its settings", ovn({ ipsecConfig: { mode: "Full", full } })],
  ["an unknown IPsec mode", ovn({ ipsecConfig: { mode: UNKNOWN, full } })],
  ["IPsec of mode External", ovn({ ipsecConfig: { mode: "External" } })],
  ["an empty hybrid overlay, for gateways outside the cluster", ovn({ hybridOverlayConfig: {} })],
  [
    "route advertisements with FRR",
    ovn({ routeAdvertisements: "Enabled" }, { additionalRoutingCapabilities: { providers: ["FRR"] } }),
  ],
  [
    "route advertisements with an unknown provider",
    ovn({ routeAdvertisements: "Enabled" }, { additionalRoutingCapabilities: { providers: [UNKNOWN] } }),
  ],
  ["disabled route advertisements", ovn({ routeAdvertisements: "Disabled" })],
  [
    "an equal host prefix with another network type, stated in the operator's object",
    { ...pods({ ...v4, hostPrefix: 14 }), defaultNetwork: { type: "Calico" } },
  ],
  [
    "an equal host prefix with another network type, stated in the cluster's object",
    { ...pods({ ...v4, hostPrefix: 14 }), networkType: "Calico" },
  ],
  [
    "an equal host prefix with an unknown network type",
    { ...pods({ ...v4, hostPrefix: 14 }), networkType: UNKNOWN },
  ],
])("a Network object is accepted with %s", (_, spec) => {
  expect(faults(spec)).toEqual([]);
});

test("reports an MTU outside all limits only once", () => {
  expect(faults(ovn({ mtu: 575 }, pods(v6)))).toEqual([
    `ovn-subnet-invalid ${OVN}.mtu  575 is not from 576 to 65536: write a whole number from 576 to 65536`,
  ]);
});

test("objects of other kinds are not checked", () => {
  const node = resource("kubernetes:core/v1:Node", "node", { spec: { clusterNetwork: [] } });
  expect(isJudgedObject(node.type)).toBe(false);
  expect(judgeObject(node, "cidr-invalid")).toEqual({ faults: [], unknown: [] });
});

describe("network diagnostics in the cluster's configuration", () => {
  const AT = "spec.networkDiagnostics";
  const refused = (name: string) =>
    `ovn-subnet-invalid ${AT}.${name}  is refused with the mode Disabled: remove it, or write another mode`;

  test.each<[Properties, readonly string[]]>([
    [{ mode: "All", sourcePlacement: {}, targetPlacement: {} }, []],
    [{ mode: "Disabled" }, []],
    [{ mode: UNKNOWN, targetPlacement: {} }, []],
    [{ mode: "Disabled", targetPlacement: UNKNOWN }, []],
    [
      { mode: "None" },
      [`ovn-subnet-invalid ${AT}.mode  is not one of "", All, Disabled: write one of "", All, Disabled`],
    ],
    [
      { mode: "Disabled", sourcePlacement: {}, targetPlacement: {} },
      [refused("sourcePlacement"), refused("targetPlacement")],
    ],
  ])("have nodes only if they run: %j", (networkDiagnostics, lines) => {
    expect(faults({ networkDiagnostics }, "kubernetes:config.openshift.io/v1:Network")).toEqual(lines);
  });
});
