import { egressIpInvalid } from "../../../src/egressIp/rules";
import { egressRouterInvalid } from "../../../src/egressRouter/rules";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { agent, egressIp, hostedCluster, judge, linesOf, node, resource } from "../../rules/builders";

const router = (name: string, ip: PropertyValue, master?: PropertyValue, namespace = name) =>
  resource("kubernetes:network.operator.openshift.io/v1:EgressRouter", `${namespace}-${name}`, {
    metadata: { name, namespace },
    spec: {
      mode: "Redirect",
      addresses: [{ ip, gateway: "10.0.0.1" }],
      redirect: { redirectRules: [{ port: 80, protocol: "TCP", destinationIP: "192.0.2.1" }] },
      ...(master !== undefined && { networkInterface: { macvlan: { master } } }),
    },
  });
const attachment = (name: string, ip: string, master?: string) =>
  resource("kubernetes:k8s.cni.cncf.io/v1:NetworkAttachmentDefinition", name, {
    metadata: { name, namespace: name },
    spec: {
      config: JSON.stringify({
        type: "egress-router",
        name,
        ip: { addresses: [ip], destinations: ["192.0.2.1"], gateway: "10.0.0.1" },
        ...(master !== undefined && { interfaceArgs: { master } }),
      }),
    },
  });
const found = (...resources: Resource[]) =>
  [egressIpInvalid, egressRouterInvalid].flatMap((rule) =>
    judge(rule, [agent, ...resources]).map((one) => linesOf([one])),
  );
const taken = (path: string, address: string, owner: string) =>
  `violated ${path} | ${address} is also an address of ${owner} | choose an address that nothing else uses | ${address}`;
const IP = "10.0.0.9";
const SUBNET = `${IP}/16`;
const OF_ROUTER = "spec.addresses[0].ip";

describe("an address of the nodes' networks belongs to only one object", () => {
  test.each<[string, Resource[], string[]]>([
    [
      "an EgressIP object and a node",
      [egressIp("a", [IP]), node("n", IP)],
      [taken("spec.egressIPs[0]", IP, "Node n")],
    ],
    [
      "the second address of an EgressIP object and of a node, in IPv6",
      [egressIp("a", ["10.0.0.8", "fd00::9"]), node("n", "10.0.0.4", "fd00:0::9")],
      [taken("spec.egressIPs[1]", "fd00::9", "Node n")],
    ],
    ["a router and a node", [router("a", SUBNET), node("n", IP)], [taken(OF_ROUTER, IP, "Node n")]],
    [
      "a router and an EgressIP object",
      [router("a", SUBNET), egressIp("e", [IP])],
      [taken(OF_ROUTER, IP, "EgressIP e")],
    ],
    ["two routers", [router("a", SUBNET), router("b", SUBNET)], [taken(OF_ROUTER, IP, "EgressRouter a-a")]],
    [
      "a router and a router of a network attachment",
      [attachment("a", SUBNET), router("b", SUBNET)],
      [taken("spec.config", IP, "EgressRouter b-b")],
    ],
    [
      "two EgressIP objects, in one finding",
      [egressIp("a", [IP]), egressIp("b", [IP])],
      [
        `violated spec.egressIPs | ${IP} is also an address of EgressIP a | remove it from one of the two | ${IP}`,
      ],
    ],
    ["two nodes, which the cluster itself refuses", [node("a", IP), node("b", IP)], []],
    ["one node that lists it twice", [node("a", IP, IP)], []],
    [
      "objects with different addresses",
      [egressIp("a", [IP]), node("n", "10.0.0.8"), router("r", "10.0.0.7/16")],
      [],
    ],
    [
      "a node with a host name in place of an address",
      [egressIp("a", [IP]), node("n", "node-9.example.com", UNKNOWN)],
      [],
    ],
  ])("%s", (_, resources, expected) => {
    expect(found(...resources)).toEqual(expected);
  });

  test.each<PropertyValue>([UNKNOWN, 7, "everywhere", null])(
    "%p does not count as a source address of a router",
    (ip) => {
      const words = found(router("a", ip), node("n", IP)).filter((line) => line.includes("is also"));
      expect(words).toEqual([]);
    },
  );

  test("a router of the same name is identified by its namespace", () => {
    const here = { ...router("gate", SUBNET, undefined, "shop"), name: "gate" };
    const there = { ...router("gate", SUBNET, undefined, "bank"), name: "gate" };
    expect(found(here, there)).toEqual([taken(OF_ROUTER, IP, "EgressRouter gate in namespace bank")]);
  });
});

test("with several hosted clusters it is unknown whether objects of two folders are in one cluster", () => {
  const at = (folder: string, one: Resource): Resource => ({
    ...one,
    origin: { file: `${folder}/objects.yaml`, line: 1 },
  });
  const objects = [at("stage", node("n", IP)), at("prod", egressIp("a", [IP]))];
  const ofNode = `${IP} is also an address of Node n`;
  expect(found(...objects)).toEqual([taken("spec.egressIPs[0]", IP, "Node n")]);
  expect(found(...objects, hostedCluster({}, "tenant-b"))).toContainEqual(
    expect.stringContaining(
      `unknown spec.egressIPs[0] | EgressIP a: spec.egressIPs[0], ${ofNode}, if both are in one cluster |`,
    ),
  );
});

describe("equal source addresses of two routers", () => {
  const unsure = `unknown ${OF_ROUTER} | EgressRouter b-b: ${OF_ROUTER}, ${IP} is also an address of EgressRouter a-a, if both are on one interface of the nodes`;
  test.each<[string, Resource[], string[]]>([
    ["are allowed on two interfaces", [router("a", SUBNET, "eth1"), router("b", SUBNET, "eth2")], []],
    [
      "are a fault on one interface",
      [router("a", SUBNET, "eth1"), router("b", SUBNET, "eth1")],
      [taken(OF_ROUTER, IP, "EgressRouter a-a")],
    ],
    [
      "are a fault if one router states no interface",
      [router("a", SUBNET), router("b", SUBNET, "eth1")],
      [taken(OF_ROUTER, IP, "EgressRouter a-a")],
    ],
    [
      "are allowed on two interfaces if one router is a network attachment",
      [attachment("a", SUBNET, "eth1"), router("b", SUBNET, "eth2")],
      [],
    ],
    [
      "are a fault on one interface if one router is a network attachment",
      [attachment("a", SUBNET, "eth1"), router("b", SUBNET, "eth1")],
      [taken("spec.config", IP, "EgressRouter b-b")],
    ],
  ])("%s", (_, resources, expected) => {
    expect(found(...resources)).toEqual(expected);
  });

  test.each<[string, PropertyValue, PropertyValue]>([
    ["the first", UNKNOWN, "eth1"],
    ["the second", "eth1", UNKNOWN],
  ])("are unknown if the interface of %s is unknown", (_, first, second) => {
    expect(found(router("a", SUBNET, first), router("b", SUBNET, second))).toContainEqual(
      expect.stringContaining(unsure),
    );
  });
});
