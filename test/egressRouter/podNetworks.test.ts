import { attachmentsIn, interfacesIn, routerConfigIn } from "../../src/egressRouter/surroundings";

test.each<[string, string, string[]]>([
  ["nothing", "", []],
  ["a name", "egress", ["shop/egress"]],
  ["names with namespace and interface", "egress, other/vlan@net5", ["shop/egress", "other/vlan"]],
  [
    "a list in JSON",
    '[{"name":"egress","default-route":["192.168.12.1"]},{"name":"vlan","namespace":"other"},{"cni":"x"}]',
    ["shop/egress", "other/vlan"],
  ],
])("M17 reads the networks of a pod that requests %s", (_, annotation, expected) => {
  expect(attachmentsIn(annotation, "shop")).toEqual(expected);
});

test.each<[string, string, ReturnType<typeof interfacesIn>]>([
  ["an unreadable value", "net1", undefined],
  ["another value", '{"name":"a"}', undefined],
  ["no interface", "[]", []],
  [
    "two interfaces, one without address",
    '[{"name":"ovn","interface":"eth0","ips":["10.1.2.3/23","fd01::3"]},{"name":"shop/egress"}]',
    [
      { network: "ovn", name: "eth0", addresses: ["10.1.2.3", "fd01::3"] },
      { network: "shop/egress", name: "", addresses: [] },
    ],
  ],
  [
    "an address that is not a string",
    '[{"name":"ovn","ips":[5,"10.1.2.3/23"]}]',
    [{ network: "ovn", name: "", addresses: ["10.1.2.3"] }],
  ],
])("M17 reads a network status with %s", (_, annotation, expected) => {
  expect(interfacesIn(annotation)).toEqual(expected);
});

test.each<[string, string, ReturnType<typeof routerConfigIn>]>([
  ["that is unreadable", "", undefined],
  ["of another plug-in", '{"type":"macvlan","ip":{"addresses":["192.168.12.99/24"]}}', undefined],
  ["without address", '{"type":"egress-router"}', { addresses: [] }],
  [
    "among several plug-ins",
    '{"plugins":[{"type":"tuning"},{"type":"egress-router","ip":{"addresses":["192.168.12.99/24"]}}]}',
    { addresses: ["192.168.12.99/24"] },
  ],
  [
    "with an address that is not a string",
    '{"type":"egress-router","ip":{"addresses":[5,"192.168.12.99/24"]}}',
    { addresses: ["192.168.12.99/24"] },
  ],
])("M17 reads a configuration %s", (_, config, expected) => {
  expect(routerConfigIn(config)).toEqual(expected);
});
