import { isJudgedObject, judgeObject } from "../../../src/hostedCluster/object";
import type { ObjectRule } from "../../../src/requirements/hostedCluster";
import { UNKNOWN, type PropertyValue } from "../../../src/resources/resource";
import { resource, type Properties } from "../../rules/builders";

const TYPE = "kubernetes:operator.openshift.io/v1:Network";
const RULES = ["cidr-invalid", "ovn-subnet-invalid"] as const satisfies readonly ObjectRule[];

/** What is wrong with a Network object, one line a fault. */
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

test.each<[string, Properties, string]>([
  [
    "a part as large as the whole",
    pods({ ...v4, hostPrefix: 14 }),
    "cidr-invalid spec.clusterNetwork[0].hostPrefix  /14 is not part of 10.132.0.0/14: write a length from 15 to 30, or a larger cluster network",
  ],
  [
    "two ranges of Services of one family",
    { serviceNetwork: ["172.30.0.0/16", "172.31.0.0/16"] },
    "cidr-invalid spec.serviceNetwork  has 2 entries of one family: write at most one entry of each family",
  ],
  [
    "Services of another family than the pods",
    { ...pods(v4), serviceNetwork: ["fd02::/112"] },
    "cidr-invalid spec.serviceNetwork  the cluster network and the service network have different address families: write both families in both lists, or one in both",
  ],
  [
    "an MTU that IPv6 does not have",
    ovn({ mtu: 1279 }, pods(v6)),
    `ovn-subnet-invalid ${OVN}.mtu  1279 is less than the 1280 bytes that IPv6 needs: write 1280 or more`,
  ],
  [
    "a way to pack what is not encrypted",
    ovn({ ipsecConfig: { mode: "Disabled", full: {} } }),
    `ovn-subnet-invalid ${OVN}.ipsecConfig.full  is only valid with the mode Full: write mode: Full, or leave it out`,
  ],
  [
    "a way to pack packets without a mode",
    ovn({ ipsecConfig: { full: {} } }),
    `ovn-subnet-invalid ${OVN}.ipsecConfig.full  is only valid with the mode Full: write mode: Full, or leave it out`,
  ],
  [
    "routes that nothing advertises",
    ovn({ routeAdvertisements: "Enabled" }),
    `ovn-subnet-invalid ${OVN}.routeAdvertisements  is refused without FRR in spec.additionalRoutingCapabilities.providers: write providers: [FRR] there, or leave it out`,
  ],
])("a Network object is refused for %s", (_, spec, line) => {
  expect(faults(spec)).toEqual([line]);
  // A patch shows its fields, and not what others are beside them.
  expect(faults(spec, `${TYPE}Patch`)).toEqual([]);
});

test("three ranges of Services are of two families at most", () => {
  const serviceNetwork = ["172.30.0.0/16", "fd02::/112", "172.31.0.0/16"];
  expect(faults({ serviceNetwork })).toContain(
    "cidr-invalid spec.serviceNetwork  has 3 entries of two families: write at most one entry of each family",
  );
});

test.each<[string, Properties]>([
  ["one family of pods and of Services", { ...pods(v4), serviceNetwork: ["172.30.0.0/16"] }],
  ["both, in any order", { ...pods(v6, v4), serviceNetwork: ["172.30.0.0/16", "fd02::/112"] }],
  ["host bits, which count for nothing", { ...pods(v4), serviceNetwork: ["172.30.0.1/16"] }],
  ["Services beside no pods", { clusterNetwork: [], serviceNetwork: ["fd02::/112"] }],
  ["pods that are not known", { ...pods({ cidr: UNKNOWN }), serviceNetwork: ["fd02::/112"] }],
  ["a second range of pods that is not known", { ...pods(v4, UNKNOWN), serviceNetwork: ["fd02::/112"] }],
  ["three ranges of pods", pods(...[0, 1, 2].map((at) => ({ cidr: `10.${at}.0.0/16`, hostPrefix: 24 })))],
  ["ranges that are none, which are refused by themselves", { ...pods(v4), serviceNetwork: ["everywhere"] }],
  ["pods everywhere, likewise", pods({ cidr: "everywhere", hostPrefix: 23 })],
  ["the length of 0 that the API writes where there is none", pods({ ...v4, hostPrefix: 0 })],
  ["an MTU of IPv6", ovn({ mtu: 1280 }, pods(v6))],
  ["a smaller one of IPv4", ovn({ mtu: 1279 }, pods(v4))],
  ["a smaller one of pods that are not known", ovn({ mtu: 1279 }, pods({ cidr: UNKNOWN }))],
  ["encryption of everything", ovn({ ipsecConfig: { mode: "Full", full: {} } })],
  ["a mode that is not known", ovn({ ipsecConfig: { mode: UNKNOWN, full: {} } })],
  ["encryption of traffic that leaves the cluster", ovn({ ipsecConfig: { mode: "External" } })],
  [
    "routes that FRR advertises",
    ovn({ routeAdvertisements: "Enabled" }, { additionalRoutingCapabilities: { providers: ["FRR"] } }),
  ],
  [
    "routes that something advertises which is not known",
    ovn({ routeAdvertisements: "Enabled" }, { additionalRoutingCapabilities: { providers: [UNKNOWN] } }),
  ],
  ["routes that are not advertised", ovn({ routeAdvertisements: "Disabled" })],
  [
    "parts as large as the whole in another network, by the operator's object",
    { ...pods({ ...v4, hostPrefix: 14 }), defaultNetwork: { type: "Calico" } },
  ],
  [
    "parts as large as the whole in another network, by the cluster's object",
    { ...pods({ ...v4, hostPrefix: 14 }), networkType: "Calico" },
  ],
  [
    "parts of a network whose type is not known",
    { ...pods({ ...v4, hostPrefix: 14 }), networkType: UNKNOWN },
  ],
])("and is taken with %s", (_, spec) => {
  expect(faults(spec)).toEqual([]);
});

test("an MTU that no network has is said once", () => {
  expect(faults(ovn({ mtu: 575 }, pods(v6)))).toEqual([
    `ovn-subnet-invalid ${OVN}.mtu  575 is not from 576 to 65536: write a whole number from 576 to 65536`,
  ]);
});

test("objects of other kinds are not judged", () => {
  const node = resource("kubernetes:core/v1:Node", "node", { spec: { clusterNetwork: [] } });
  expect(isJudgedObject(node.type)).toBe(false);
  expect(judgeObject(node, "cidr-invalid")).toEqual({ faults: [], unknown: [] });
});
