import { cidrInvalid } from "../../../src/addressRanges/rules/cidrInvalid";
import { ovnSubnetInvalid } from "../../../src/ovnSubnets/rules";
import { type PropertyValue, type Resource, UNKNOWN } from "../../../src/resources/resource";
import { linesOf, type Properties, resource, unknowns, userNetwork, violations } from "../../rules/builders";

const ofSeveral = (network: PropertyValue): Resource =>
  resource("kubernetes:k8s.ovn.org/v1:ClusterUserDefinedNetwork", "blue", {
    apiVersion: "k8s.ovn.org/v1",
    kind: "ClusterUserDefinedNetwork",
    metadata: { name: "blue" },
    spec: { namespaceSelector: {}, network },
  });

const layer2 = (more: Properties = {}, beside: Properties = {}) => ({
  topology: "Layer2",
  layer2: { role: "Primary", subnets: ["10.0.0.0/24"], ...more },
  ...beside,
});
const layer3 = (more: Properties = {}, beside: Properties = {}) => ({
  topology: "Layer3",
  layer3: { role: "Primary", subnets: [{ cidr: "10.0.0.0/16", hostSubnet: 24 }], ...more },
  ...beside,
});
const localnet = (more: Properties = {}, beside: Properties = {}) => ({
  topology: "Localnet",
  localnet: { role: "Secondary", physicalNetworkName: "test", subnets: ["10.0.0.0/24"], ...more },
  ...beside,
});
const withoutIpam = (more: Properties = {}) => {
  const { subnets: _, ...rest } = layer2({ role: "Secondary", ipam: { mode: "Disabled" }, ...more })
    .layer2 as Properties;
  return { topology: "Layer2", layer2: rest };
};
const evpn = (more: Properties = {}) => ({
  transport: "EVPN",
  evpn: { vtep: "evpn", macVRF: { vni: 100, routeTarget: "65000:100" }, ...more },
});
const noOverlay = { transport: "NoOverlay", noOverlay: { outboundSNAT: "Enabled", routing: "Managed" } };

const pathsIn = (network: Resource) =>
  [ovnSubnetInvalid, cidrInvalid]
    .flatMap((rule) => violations(rule, [network]))
    .map(({ path }) => path.replace("spec.network.", "spec.").replace("spec.", ""))
    .sort();

type Row = [what: string, network: PropertyValue, ...paths: string[]];

const refused: readonly Row[] = [
  ["no topology", { layer2: { role: "Primary", subnets: ["10.0.0.0/24"] } }, "topology"],
  ["another topology", { topology: "Layer4" }, "topology"],
  ["no section", { topology: "Layer3" }, "layer3"],
  ["the section of another topology", { ...layer2(), topology: "Layer3" }, "layer2", "layer3"],
  ["two sections", { ...layer3(), ...layer2() }, "layer3"],
  ["no role", layer3({ role: null }), "layer3.role"],
  ["another role", layer2({ role: "primary" }), "layer2.role"],
  ["a role that is no text", layer2({ role: true }), "layer2.role"],
  ["a small MTU", layer2({ mtu: 575 }), "layer2.mtu"],
  ["a large MTU", layer3({ mtu: 65537 }), "layer3.mtu"],
  ["a small MTU for IPv6", layer2({ subnets: ["fd01::/64"], mtu: 1279 }), "layer2.mtu"],
  [
    "a small MTU for IPv6 on layer 3",
    layer3({ subnets: [{ cidr: "fd01::/48", hostSubnet: 64 }], mtu: 1279 }),
    "layer3.mtu",
  ],
  ["no subnets", layer2({ subnets: null }), "layer2.subnets"],
  ["no subnets with ipam", layer2({ subnets: null, ipam: { mode: "Enabled" } }), "layer2.subnets"],
  ["no subnets on layer 3", layer3({ subnets: null }), "layer3.subnets"],
  ["an empty list of subnets", layer2({ subnets: [] }), "layer2.subnets"],
  ["an empty list on layer 3", layer3({ subnets: [] }), "layer3.subnets"],
  ["a block in place of a subnet on layer 3", layer3({ subnets: ["10.0.0.0/16"] }), "layer3.subnets[0]"],
  ["a subnet without its block", layer3({ subnets: [{ hostSubnet: 24 }] }), "layer3.subnets[0].cidr"],
  ["empty ipam", layer2({ ipam: {} }), "layer2.ipam"],
  ["another mode of ipam", layer2({ ipam: { mode: "Off" } }), "layer2.ipam.mode"],
  ["DHCP on layer 2", withoutIpam({ ipam: { mode: "DHCP" } }), "layer2.ipam.mode"],
  ["another lifecycle", layer2({ ipam: { lifecycle: "Short" } }), "layer2.ipam.lifecycle"],
  ["subnets without ipam", layer2({ role: "Secondary", ipam: { mode: "Disabled" } }), "layer2.subnets"],
  ["a primary network without ipam", withoutIpam({ role: "Primary" }), "layer2.ipam.mode"],
  [
    "a lifecycle without ipam",
    withoutIpam({ ipam: { mode: "Disabled", lifecycle: "Persistent" } }),
    "layer2.ipam.lifecycle",
  ],
  [
    "join subnets of a secondary network",
    layer2({ role: "Secondary", joinSubnets: ["100.70.0.0/16"] }),
    "layer2.joinSubnets",
  ],
  [
    "join subnets of a secondary layer 3",
    layer3({ role: "Secondary", joinSubnets: ["100.70.0.0/16"] }),
    "layer3.joinSubnets",
  ],
  ...["reservedSubnets", "infrastructureSubnets"].map((list): Row => [
    list,
    layer2({ role: "Secondary", [list]: ["10.0.0.0/28"] }),
    `layer2.${list}`,
  ]),
  ["gateways", layer2({ role: "Secondary", defaultGatewayIPs: ["10.0.0.1"] }), "layer2.defaultGatewayIPs"],
  ["MAC security of a primary network", layer2({ macSecurity: { mode: "Enabled" } }), "layer2.macSecurity"],
  [
    "no MAC security beside ipam",
    layer2({ role: "Secondary", macSecurity: { mode: "Disabled" } }),
    "layer2.macSecurity.mode",
  ],
  ["a misspelled field", layer2({ subnet: "10.0.0.0/24" }), "layer2.subnet"],
];

const refusedOfSeveral: readonly Row[] = [
  ["a primary localnet", localnet({ role: "Primary" }), "localnet.role"],
  ["a small MTU", localnet({ mtu: 575 }), "localnet.mtu"],
  ["a small MTU for IPv6", localnet({ subnets: ["fd01::/64"], mtu: 1279 }), "localnet.mtu"],
  ["no subnets", localnet({ subnets: null }), "localnet.subnets"],
  ["an empty list of subnets", localnet({ subnets: [] }), "localnet.subnets"],
  ["subnets beside DHCP", localnet({ ipam: { mode: "DHCP" } }), "localnet.subnets"],
  ["an empty list of exclusions", localnet({ excludeSubnets: [] }), "localnet.excludeSubnets"],
  ["no physical network", localnet({ physicalNetworkName: null }), "localnet.physicalNetworkName"],
  ["an empty physical network", localnet({ physicalNetworkName: "" }), "localnet.physicalNetworkName"],
  ["two physical networks", localnet({ physicalNetworkName: "a,b" }), "localnet.physicalNetworkName"],
  ["an access VLAN without its number", localnet({ vlan: { mode: "Access" } }), "localnet.vlan.access"],
  ["VLAN 4095", localnet({ vlan: { mode: "Access", access: { id: 4095 } } }), "localnet.vlan.access.id"],
  ["another transport", layer3({}, { transport: "VXLAN" }), "transport"],
  ["EVPN without its settings", layer2({}, { transport: "EVPN" }), "evpn"],
  ["settings of EVPN with another transport", layer2({}, { evpn: evpn().evpn }), "evpn"],
  ["EVPN of a secondary network", layer2({ role: "Secondary" }, evpn()), "transport"],
  ["EVPN of a localnet", localnet({}, evpn()), "transport"],
  ["EVPN of layer 2 without its VRF", layer2({}, evpn({ macVRF: null, ipVRF: { vni: 1 } })), "evpn.macVRF"],
  ["EVPN of layer 3 with another VRF", layer3({}, evpn({ ipVRF: { vni: 1 } })), "evpn.macVRF"],
  ["EVPN of layer 3 without its VRF", layer3({}, evpn({ macVRF: null })), "evpn.ipVRF"],
  ["VNI 0", layer2({}, evpn({ macVRF: { vni: 0 } })), "evpn.macVRF.vni"],
  ["no VNI", layer2({}, evpn({ macVRF: {} })), "evpn.macVRF.vni"],
  ["no VTEP", layer2({}, evpn({ vtep: null })), "evpn.vtep"],
  ...[
    "invalid",
    "65000",
    "65000:1:2",
    "65000:abc",
    "4200000000:70000",
    "999.9.9.9:1",
    "192.0.2.1:70000",
    "*:5000000000",
    ":1",
  ].map((routeTarget): Row => [
    `route target ${routeTarget}`,
    layer2({}, evpn({ macVRF: { vni: 1, routeTarget } })),
    "evpn.macVRF.routeTarget",
  ]),
  ["layer 2 without overlay", layer2({}, noOverlay), "transport"],
  ["a secondary network without overlay", layer3({ role: "Secondary" }, noOverlay), "transport"],
  ["no overlay without its settings", layer3({}, { transport: "NoOverlay" }), "noOverlay"],
  [
    "settings of no overlay with another transport",
    layer3({}, { ...noOverlay, transport: "Geneve" }),
    "noOverlay",
  ],
  [
    "half of these settings",
    layer3({}, { ...noOverlay, noOverlay: { routing: "Managed" } }),
    "noOverlay.outboundSNAT",
  ],
];

const accepted: readonly [what: string, network: PropertyValue][] = [
  ["layer 2", layer2({ mtu: 576, ipam: { lifecycle: "Persistent" } })],
  ["layer 3", layer3({ mtu: 65536, joinSubnets: ["100.70.0.0/16"] })],
  ["IPv6", layer2({ subnets: ["fd01::/64"], mtu: 1280 })],
  ["no ipam", withoutIpam({ macSecurity: { mode: "Disabled" } })],
];

const acceptedOfSeveral: readonly [what: string, network: PropertyValue][] = [
  ["a localnet", localnet({ mtu: 9000, vlan: { mode: "Access", access: { id: 200 } } })],
  ["a localnet with DHCP", localnet({ subnets: null, ipam: { mode: "DHCP" } })],
  ["EVPN", layer2({}, evpn({ ipVRF: { vni: 101 } }))],
  ["EVPN of layer 3", layer3({}, evpn({ macVRF: null, ipVRF: { vni: 1, routeTarget: "*:4294967295" } }))],
  ...["192.0.2.1:65535", "4200000000:65535"].map((routeTarget): [string, PropertyValue] => [
    `route target ${routeTarget}`,
    layer2({}, evpn({ macVRF: { vni: 1, routeTarget } })),
  ]),
  ["no overlay", layer3({}, noOverlay)],
];

test.each(refused)("the API server refuses a network of either kind with %s", (_, network, ...paths) => {
  expect(pathsIn(userNetwork(network))).toEqual(paths);
  expect(pathsIn(ofSeveral(network))).toEqual(paths);
});

test.each(refusedOfSeveral)(
  "the API server refuses a network of several namespaces: %s",
  (_, network, ...paths) => {
    expect(pathsIn(ofSeveral(network))).toEqual(paths);
  },
);

test.each(accepted)("the API server accepts a network of either kind: %s", (_, network) => {
  expect(pathsIn(userNetwork(network))).toEqual([]);
  expect(pathsIn(ofSeveral(network))).toEqual([]);
});

test.each(acceptedOfSeveral)("the API server accepts a network of several namespaces: %s", (_, network) => {
  expect(pathsIn(ofSeveral(network))).toEqual([]);
});

test("a network of one namespace is not a localnet, and has no transport of its own", () => {
  expect(pathsIn(userNetwork({ topology: "Localnet" }))).toEqual(["topology"]);
  expect(pathsIn(userNetwork(layer2({}, { transport: "EVPN" })))).toEqual([]);
});

test("a network of several namespaces states the network", () => {
  expect(pathsIn(ofSeveral(null))).toEqual(["network"]);
});

test.each<[string, PropertyValue, number]>([
  ["the network", UNKNOWN, 2],
  ["the topology", { ...layer2(), topology: UNKNOWN }, 1],
  ["the section", { topology: "Layer2", layer2: UNKNOWN }, 2],
  ["the role", layer2({ role: UNKNOWN, joinSubnets: ["100.70.0.0/16"] }), 1],
  ["the mode of ipam", layer2({ subnets: null, ipam: { mode: UNKNOWN } }), 1],
  ["ipam", layer2({ subnets: null, ipam: UNKNOWN }), 1],
  ["the join subnets of a secondary network", layer2({ role: "Secondary", joinSubnets: UNKNOWN }), 1],
  ["the transport", layer2({}, { ...evpn(), transport: UNKNOWN }), 1],
  ["the settings of EVPN", layer2({}, { ...evpn(), evpn: UNKNOWN }), 0],
])("%s may be right as long as it is not known", (_, network, count) => {
  expect(pathsIn(ofSeveral(network))).toEqual([]);
  expect(
    [ovnSubnetInvalid, cidrInvalid].flatMap((rule) => unknowns(rule, [ofSeveral(network)])),
  ).toHaveLength(count);
});

test("messages name the values that do not go together, and the way out", () => {
  const lines = (network: PropertyValue) =>
    [ovnSubnetInvalid, cidrInvalid].map((rule) => linesOf(violations(rule, [ofSeveral(network)]))).join("");
  expect(lines(layer2({ subnets: null }))).toBe(
    "violated spec.network.layer2.subnets | missing: required with the default of layer2.ipam.mode | write it, or change layer2.ipam.mode",
  );
  expect(lines(layer3({ role: "Secondary" }, noOverlay))).toBe(
    "violated spec.network.transport | NoOverlay is refused with layer3.role: Secondary | leave it out, or change layer3.role",
  );
});
