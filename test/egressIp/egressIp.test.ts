import fc from "fast-check";
import {
  assignableNodesFaults,
  assignableNodesWarnings,
  type AssignableNodesInputs,
  canonicalAddress,
  SharedPods,
  overlapOf,
} from "../../src/egressIp/nodes";
import { judgeEgressIp, knownAddresses, selectionOf } from "../../src/egressIp/judge";
import { describeFaults } from "../../src/fault";
import { egressIpSupport } from "../../src/requirements/egressSupport";
import { InfrastructurePlatform } from "../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";
import { expectGolden } from "../objects/golden";

type Inputs = Record<string, PropertyValue>;
const right: Inputs = {
  objectName: "egressips-prod",
  addresses: ["192.168.126.10", "192.168.126.102"],
  namespaceSelector: { matchLabels: { env: "prod" } },
  nodes: ["node1", "node3"],
  nodeSubnets: ["192.168.64.0/18"],
};
const judge = (more: Inputs) => judgeEgressIp({ ...right, ...more });
const text = ({ path, problem }: { path: string; problem: string }) => `${path} ${problem}`;
const faults = (more: Inputs) => judge(more).faults.map(text);
const warnings = (more: Inputs) => judge(more).warnings.map(text);
const topology = (more: Inputs = {}): PropertyValue => ({
  name: "tenant-a",
  platform: "None",
  release: "4.20",
  machineNetwork: [{ cidr: "192.168.64.0/18" }],
  ...more,
});

describe("M16 egress IP addresses that OVN-Kubernetes takes", () => {
  it.each<[string, Inputs]>([
    ["the document's example", {}],
    ["for some pods of the namespaces", { podSelector: { matchLabels: { app: "web" } } }],
    [
      "for namespaces without a value",
      {
        namespaceSelector: {
          matchExpressions: [{ key: "environment", operator: "NotIn", values: ["development"] }],
        },
      },
    ],
    [
      "IPv4 and IPv6",
      {
        addresses: ["192.168.126.10", "2001:db8::10"],
        nodeSubnets: ["192.168.64.0/18", "2001:db8::/64"],
      },
    ],
    ["in the machine network of the topology", { nodeSubnets: null, topology: topology() }],
    ["as many as nodes", { nodes: null, assignableNodeCount: 2 }],
    ["on more nodes than are named here", { nodes: ["node1"], assignableNodeCount: 2 }],
    ["that are not known yet", { addresses: [UNKNOWN, "192.168.126.10"], namespaceSelector: UNKNOWN }],
    ["in subnets that are not known yet", { nodeSubnets: [UNKNOWN], addressesInUse: UNKNOWN }],
    ["of which nothing is known", { addresses: UNKNOWN, assignableNodeCount: UNKNOWN, objectName: UNKNOWN }],
    ["in a subnet of two", { addresses: ["192.0.2.0", "192.0.2.1"], nodeSubnets: ["192.0.2.0/31"] }],
  ])("%s", (_, more) => expect(faults(more)).toEqual([]));
});

describe("M16 addresses are in the same subnet as the nodes' primary address, and are not in use", () => {
  it.each<[string, Inputs, string]>([
    ["none", { addresses: [] }, "addresses is empty"],
    ["nothing", { addresses: null }, "addresses missing"],
    ["no list", { addresses: "192.168.126.10" }, 'addresses "192.168.126.10" is not a list'],
    [
      "no address",
      { addresses: ["example.com"] },
      "addresses[0] a string of 11 characters is not an IP address",
    ],
    ["a block", { addresses: ["192.168.126.10/32"] }, "addresses[0] 192.168.126.10/32 has a mask"],
    [
      "IPv4 in IPv6",
      { addresses: ["::ffff:c0a8:7e0a"] },
      "addresses[0] ::ffff:c0a8:7e0a is IPv4 inside IPv6",
    ],
    [
      "one of them twice, written differently",
      {
        addresses: ["2001:db8::10", "2001:DB8:0::10"],
        nodeSubnets: ["2001:db8::/64"],
      },
      "addresses[1] 2001:db8::10 is also addresses[0]",
    ],
    [
      "one of another subnet",
      { addresses: ["192.0.2.10"] },
      "addresses[0] 192.0.2.10 lies outside the subnets of the nodes, 192.168.64.0/18",
    ],
    [
      "one outside the machine network",
      { addresses: ["192.0.2.10"], nodeSubnets: null, topology: topology({ platform: "AWS" }) },
      "addresses[0] 192.0.2.10 lies outside the subnets of the nodes, 192.168.64.0/18",
    ],
    [
      "an IPv6 one where nodes have none",
      { addresses: ["2001:db8::10"] },
      "addresses[0] 2001:db8::10 lies outside the subnets of the nodes, 192.168.64.0/18",
    ],
    [
      "the network's own",
      { addresses: ["192.168.64.0"] },
      "addresses[0] 192.168.64.0 in 192.168.64.0/18 is the network's own address",
    ],
    [
      "the broadcast address",
      { addresses: ["192.168.127.255"] },
      "addresses[0] 192.168.127.255 in 192.168.64.0/18 is the broadcast address",
    ],
    [
      "the routers' anycast address",
      { addresses: ["2001:db8::"], nodeSubnets: ["2001:db8::/64"] },
      "addresses[0] 2001:db8:: in 2001:db8::/64 is the anycast address of its routers",
    ],
    [
      "one that is in use",
      { addressesInUse: ["192.168.126.5", "192.168.126.96/28"] },
      "addresses[1] 192.168.126.102 is in use: addressesInUse[1] is 192.168.126.96/28",
    ],
    [
      "that of a DNS server of the topology",
      { topology: topology({ dnsServerCidrs: ["192.168.126.10/32"] }) },
      "addresses[0] 192.168.126.10 is in use: topology.dnsServerCidrs[0] is 192.168.126.10/32",
    ],
    [
      "one of the cluster network",
      { addresses: ["10.132.0.9"], topology: topology(), nodeSubnets: null },
      "addresses[0] 10.132.0.9 lies in the default cluster network 10.132.0.0/14",
    ],
    [
      "a loopback address",
      { addresses: ["127.0.0.1"] },
      "addresses[0] 127.0.0.1 lies in 127.0.0.0/8, loopback addresses",
    ],
    [
      "a multicast address",
      { addresses: ["ff02::1"] },
      "addresses[0] ff02::1 lies in ff00::/8, IPv6 multicast addresses",
    ],
    ["subnets that are none", { nodeSubnets: ["192.168.64.0"] }, "nodeSubnets[0] 192.168.64.0 has no mask"],
    ["an empty list of subnets", { nodeSubnets: [] }, "nodeSubnets is empty"],
    [
      "an address in use that is none",
      { addressesInUse: ["x"] },
      "addressesInUse[0] a string of 1 characters is not an IP address",
    ],
  ])("%s is refused", (_, more, fault) => expect(faults(more)).toEqual([fault]));

  it("of another network of the nodes is a warning on bare metal from 4.14 on", () => {
    const elsewhere: Inputs = { addresses: ["192.0.2.10"], nodeSubnets: null, topology: topology() };
    expect(faults(elsewhere)).toEqual([]);
    expect(warnings(elsewhere)).toContainEqual(
      expect.stringContaining("192.0.2.10 lies outside the subnets"),
    );
    const old: Inputs = { ...elsewhere, topology: topology({ release: "4.13" }) };
    expect(faults(old)).toEqual([expect.stringContaining("192.0.2.10 lies outside the subnets")]);
  });

  it.each<[InfrastructurePlatform, string, string, string | undefined]>([
    [InfrastructurePlatform.AWS, "10.0.0.0/24", "10.0.0.3", "the VPC's router, DNS server and future use"],
    [InfrastructurePlatform.AWS, "10.0.0.0/24", "10.0.0.4", undefined],
    [
      InfrastructurePlatform.AWS,
      "2001:db8::/64",
      "2001:db8::3",
      "the VPC's router, DNS server and future use",
    ],
    [InfrastructurePlatform.Azure, "10.0.0.0/24", "10.0.0.1", "the virtual network's gateway and DNS"],
    [InfrastructurePlatform.Azure, "2001:db8::/64", "2001:db8::3", undefined],
    [InfrastructurePlatform.GCP, "10.0.0.0/24", "10.0.0.1", "the subnet's gateway and future use"],
    [InfrastructurePlatform.GCP, "10.0.0.0/24", "10.0.0.254", "the subnet's gateway and future use"],
    [InfrastructurePlatform.BareMetal, "10.0.0.0/24", "10.0.0.1", undefined],
  ])("what %s keeps of %s for itself: %s", (platform, subnet, address, who) => {
    const found = faults({ platform, release: "4.20", nodeSubnets: [subnet], addresses: [address] });
    expect(found).toEqual(who ? [`addresses[0] ${address} in ${subnet} is reserved for ${who}`] : []);
  });

  it("is the same for every address and subnet: never the ends, never outside", () => {
    const octet = fc.integer({ min: 0, max: 255 });
    fc.assert(
      fc.property(octet, fc.integer({ min: 24, max: 30 }), octet, (base, length, last) => {
        const size = 2 ** (32 - length);
        const start = base - (base % size);
        const inside = last > start && last < start + size - 1;
        const more = { nodeSubnets: [`10.0.0.${start}/${length}`], addresses: [`10.0.0.${last}`] };
        expect(faults(more)).toHaveLength(inside ? 0 : 1);
      }),
    );
  });
});

describe("M16 no more addresses than nodes", () => {
  it.each<[string, Inputs, string]>([
    [
      "two for one node",
      { nodes: ["node1"] },
      "addresses 2 addresses for 1 node, each of which holds one of them at most",
    ],
    [
      "one of each family for one node",
      {
        nodes: ["node1"],
        addresses: ["192.168.126.10", "2001:db8::10"],
        nodeSubnets: ["192.168.64.0/18", "2001:db8::/64"],
      },
      "addresses 2 addresses for 1 node, each of which holds one of them at most",
    ],
    [
      "two for a count of one",
      { nodes: null, assignableNodeCount: 1 },
      "addresses 2 addresses for 1 node, each of which holds one of them at most",
    ],
    [
      "a count below the nodes that are named",
      { assignableNodeCount: 1 },
      "assignableNodeCount 1 is less than the 2 nodes that are named",
    ],
    ["a count that is none", { assignableNodeCount: 1.5 }, "assignableNodeCount 1.5 is not a whole number"],
    ["no nodes in the list", { nodes: [] }, "nodes is empty"],
    ["nodes that are no list", { nodes: "node1" }, 'nodes "node1" is not a list'],
    ["a node twice", { nodes: ["node1", "node1"] }, 'nodes[1] "node1" is also nodes[0]'],
    ["a name that no node has", { nodes: ["Node_1", "node3"] }, 'nodes[0] "Node_1" is not a Kubernetes name'],
  ])("%s", (_, more, fault) => expect(faults(more)).toEqual([fault]));
});

describe("M16 platform support", () => {
  const at = (platform: string, release?: string) => ({ platform, release: release ?? null });

  it.each<[string, string, boolean]>([
    ["BareMetal", "4.7", true],
    ["VSphere", "4.7", true],
    ["AWS", "4.7", false],
    ["AWS", "4.9", false],
    ["AWS", "4.10", true],
    ["Azure", "4.9", false],
    ["Azure", "4.10", true],
    ["GCP", "4.10", true],
    ["OpenStack", "4.11", false],
    ["OpenStack", "4.12", true],
    ["Nutanix", "4.13", false],
    ["Nutanix", "4.14", true],
    ["IBMCloud", "4.20", false],
    ["PowerVS", "4.20", false],
    ["KubeVirt", "4.20", true],
    ["oVirt", "4.7", true],
    ["None", "4.20", true],
  ])("%s with release %s: %s", (platform, release, works) => {
    const found = faults(at(platform, release)).filter((fault) => fault.startsWith("platform"));
    expect(found).toHaveLength(works ? 0 : 1);
    expect(faults({ ...at(platform, release), acceptUnsupportedPlatform: true })).toEqual([]);
  });

  it("says for every platform what the documents say", () => {
    expect(Object.keys(egressIpSupport).sort()).toEqual(Object.values(InfrastructurePlatform).sort());
  });

  it("is refused with the reason and the ways out", () => {
    const [fault] = judge({
      nodeSubnets: null,
      topology: topology({ platform: "AWS", release: "4.9" }),
    }).faults;
    expect(describeFaults("EgressIP shop", [fault!])).toBe(
      "EgressIP shop: 1 fault\n" +
        "  topology.platform  AWS with release 4.9 has no egress IP addresses: an egress IP address needs a network in which nodes " +
        "can take over addresses by themselves, or a cloud that attaches them: use release 4.10 or newer, or accept it with " +
        "acceptUnsupportedPlatform: true",
    );
  });

  it.each<[string, Inputs, string[]]>([
    [
      "a release that is not stated",
      at("AWS"),
      ["platform AWS has egress IP addresses from release 4.10 on"],
    ],
    [
      "a platform of which no document speaks",
      at("KubeVirt", "4.20"),
      ["platform no document says that KubeVirt has egress IP addresses"],
    ],
    ["a platform of which the documents speak", at("BareMetal"), []],
  ])("is warned about: %s", (_, more, expected) => expect(warnings(more)).toEqual(expected));

  it.each<[string, Inputs, string]>([
    ["that does not exist", { platform: "Bare Metal" }, 'platform "Bare Metal" is not AWS'],
    [
      "that contradicts the topology",
      { platform: "Azure", topology: topology({ platform: "AWS" }) },
      "platform Azure is another one than AWS of the topology",
    ],
  ])("a platform %s is refused", (_, more, fault) => {
    expect(faults(more)).toEqual([expect.stringContaining(fault)]);
  });

  it("an Agent cluster may run on vSphere", () => {
    const agent = topology({ platform: "Agent" });
    expect(faults({ platform: "VSphere", topology: agent })).toEqual([]);
  });
});

describe("M16 what the server refuses, and what surprises", () => {
  it.each<[string, Inputs, string]>([
    [
      "the annotation that OVN-Kubernetes writes itself",
      { annotations: { "k8s.ovn.org/egressip-mark": "50000" } },
      "annotations.k8s.ovn.org/egressip-mark is OVN-Kubernetes' own: the server refuses objects that bring it along",
    ],
    ["no selector of namespaces", { namespaceSelector: null }, "namespaceSelector missing"],
    [
      "a selector that matches nothing",
      {
        namespaceSelector: {
          matchLabels: { env: "prod" },
          matchExpressions: [{ key: "env", operator: "DoesNotExist" }],
        },
      },
      "namespaceSelector env=prod, !env contradicts itself and matches nothing",
    ],
    ["a name that is none", { objectName: "Prod" }, 'objectName "Prod" is not a Kubernetes name'],
    [
      "a name that is too long",
      { objectName: "a".repeat(254) },
      `objectName "${"a".repeat(57)}..." is not a Kubernetes name`,
    ],
    [
      "a switch that is none",
      { acceptUnsupportedPlatform: "yes" },
      'acceptUnsupportedPlatform "yes" is neither true nor false',
    ],
  ])("%s", (_, more, fault) => expect(faults(more)).toEqual([fault]));

  it.each<[string, Inputs, string]>([
    [
      "an object without labelled nodes",
      { nodes: null },
      "nodes is not given: nothing says that nodes are labelled, and the first one that is may get every address",
    ],
    [
      "labels on nodes that a NodePool replaces",
      { topology: topology() },
      "nodes labels nodes of a NodePool, which replaces them with upgrades and repairs",
    ],
    [
      "no word of the nodes' subnets",
      { nodeSubnets: null },
      "nodeSubnets is not given: nothing says in which subnets the nodes are, and the addresses work only there",
    ],
    [
      "every namespace",
      { namespaceSelector: {} },
      "namespaceSelector selects every namespace, those of the platform too",
    ],
  ])("is warned about: %s", (_, more, warning) => expect(warnings(more)).toEqual([warning]));

  it("all faults are told at once", () => {
    const { faults: all } = judge({
      objectName: "Prod",
      addresses: ["192.0.2.1", "192.168.126.10/32", "192.168.126.11"],
      namespaceSelector: { matchLabels: { env: "a b" } },
      podSelector: { matchExpressions: [{ key: "app", operator: "Is" }] },
      nodes: ["node1"],
      platform: "AWS",
      release: "4.9",
    });
    expectGolden("manifests/egressIpFaults.txt", `${describeFaults("EgressIP prod", all)}\n`);
  });

  it("every warning says the way out", () => {
    const bare: Inputs = { addresses: ["192.0.2.10"], nodeSubnets: null, namespaceSelector: {}, nodes: null };
    const each: Inputs[] = [
      { ...bare, topology: topology() },
      { ...bare, topology: topology({ machineNetwork: null }) },
      { ...bare, topology: topology(), nodes: ["node1"] },
    ];
    const all = each.flatMap((more) => judge(more).warnings);
    expectGolden("manifests/egressIpWarnings.txt", `${describeFaults("EgressIP prod", all)}\n`);
  });

  it("an address is one of the nodes' where one of several subnets holds it", () => {
    const two: Inputs = {
      platform: "BareMetal",
      release: "4.20",
      nodeSubnets: ["192.168.64.0/18", "10.0.0.0/24"],
    };
    expect(faults({ ...two, addresses: ["10.0.0.0"] })).toEqual([
      "addresses[0] 10.0.0.0 in 10.0.0.0/24 is the network's own address",
    ]);
    expect(warnings({ ...two, addresses: ["10.0.0.9"] })).toEqual([]);
    expect(warnings({ ...two, addresses: ["192.0.2.10"] })).toEqual([
      expect.stringContaining("192.0.2.10 lies outside the subnets"),
    ]);
  });

  it("annotations of others are nobody's fault", () =>
    expect(faults({ annotations: { team: "shop" } })).toEqual([]));

  it("whatever is given, the check ends with faults or without, and never throws", () => {
    const keys = fc.constantFrom(
      "addresses",
      "namespaceSelector",
      "nodes",
      "topology",
      "nodeSubnets",
      "platform",
    );
    fc.assert(
      fc.property(keys, fc.jsonValue(), (key, value) => void judge({ [key]: value as PropertyValue })),
    );
  });
});

describe("M16 no overlap between objects", () => {
  const select = (namespaces: Record<string, string>, pods: Record<string, string> = {}) => ({
    namespaces: { matchLabels: namespaces },
    pods: { matchLabels: pods },
  });
  it.each<[string, ReturnType<typeof select>, ReturnType<typeof select>, SharedPods]>([
    ["the same selector", select({ env: "prod" }), select({ env: "prod" }), SharedPods.Certain],
    [
      "some pods of the same namespaces",
      select({ env: "prod" }),
      select({ env: "prod" }, { app: "web" }),
      SharedPods.Certain,
    ],
    ["fewer namespaces", select({ env: "prod", team: "a" }), select({ env: "prod" }), SharedPods.Certain],
    ["every namespace", select({}), select({ env: "prod" }), SharedPods.Certain],
    ["other namespaces", select({ env: "prod" }), select({ env: "qa" }), SharedPods.None],
    [
      "other pods",
      select({ env: "prod" }, { app: "a" }),
      select({ env: "prod" }, { app: "b" }),
      SharedPods.None,
    ],
    ["another label", select({ env: "prod" }), select({ team: "a" }), SharedPods.Possible],
    [
      "fewer namespaces here and fewer pods there",
      select({ env: "prod", team: "a" }),
      select({ env: "prod" }, { app: "web" }),
      SharedPods.Possible,
    ],
  ])("%s", (_, a, b, overlap) => {
    expect(overlapOf(a, b)).toBe(overlap);
    expect(overlapOf(b, a)).toBe(overlap);
  });

  it("every namespace has the label of its name", () => {
    const byName = (operator: "Exists" | "DoesNotExist") => ({
      namespaces: { matchExpressions: [{ key: "kubernetes.io/metadata.name", operator }] },
      pods: {},
    });
    const withoutLabel = {
      namespaces: { matchExpressions: [{ key: "env", operator: "DoesNotExist" as const }] },
      pods: {},
    };
    expect(overlapOf(byName("Exists"), withoutLabel)).toBe(SharedPods.Certain);
    expect(overlapOf(byName("Exists"), select({}))).toBe(SharedPods.Certain);
    expect(overlapOf(byName("DoesNotExist"), select({}))).toBe(SharedPods.None);
  });
});

describe("M16 nodes that are labelled apart from an object", () => {
  const found = (inputs: AssignableNodesInputs) => assignableNodesFaults(inputs).map(text);
  const pool = { name: "tenant-a-egress", namespace: "clusters" };

  it.each<[string, AssignableNodesInputs, string[]]>([
    ["nodes", { nodes: ["node1"] }, []],
    ["NodePools", { nodePools: [pool] }, []],
    ["neither", {}, ["nodes missing, and so is nodePools"]],
    [
      "both",
      { nodes: ["a"], nodePools: [pool] },
      ["nodePools are set together with nodes, which are in another cluster"],
    ],
    ["no NodePools", { nodePools: [] }, ["nodePools is empty"]],
    ["NodePools that are no list", { nodePools: pool }, ["nodePools an object is not a list"]],
    ["only a name", { nodePools: ["egress"] }, ['nodePools[0] "egress" is not an object']],
    ["no namespace", { nodePools: [{ name: "egress" }] }, ["nodePools[0].namespace missing"]],
    [
      "a NodePool twice",
      { nodePools: [pool, pool] },
      ['nodePools[1] "clusters/tenant-a-egress" is also nodePools[0]'],
    ],
    [
      "a property that does not exist",
      { nodePools: [{ ...pool, replicas: 2 }] },
      ["nodePools[0].replicas no such property"],
    ],
  ])("%s", (_, inputs, expected) => expect(found(inputs)).toEqual(expected));
});

describe("M16 what is known of an object, as far as it can be read", () => {
  it.each<[string, PropertyValue, string[]]>([
    ["addresses in their canonical form", ["10.0.0.7", "2001:DB8::0:1"], ["10.0.0.7", "2001:db8::1"]],
    ["no address that is none, or not known", ["example.com", UNKNOWN, "10.0.0.7"], ["10.0.0.7"]],
    ["nothing of what is not a list", "10.0.0.7", []],
  ])("%s", (_, addresses, expected) => expect(knownAddresses(addresses)).toEqual(expected));

  it("what is not an address keeps its text", () => {
    expect(["2001:DB8::0:1", "example.com"].map(canonicalAddress)).toEqual(["2001:db8::1", "example.com"]);
  });

  it("whose traffic it is only where both selectors are known", () => {
    const namespaceSelector = { matchLabels: { env: "prod" } };
    expect(selectionOf({ namespaceSelector })).toEqual({ namespaces: namespaceSelector, pods: {} });
    expect(selectionOf({ namespaceSelector, podSelector: UNKNOWN })).toBeUndefined();
    expect(selectionOf({ namespaceSelector: UNKNOWN, podSelector: {} })).toBeUndefined();
  });
});

describe("M16 addresses of further networks of the nodes", () => {
  const two = { nodeSubnets: ["192.168.64.0/18", "10.0.0.0/24"], release: "4.20", platform: "BareMetal" };
  it.each<[string, Inputs, string[]]>([
    ["are taken on bare metal", { ...two, addresses: ["192.0.2.10"] }, []],
    [
      "are none where one of several subnets has them",
      { ...two, addresses: ["10.0.0.0", "192.168.126.10"] },
      ["addresses[0] 10.0.0.0 in 10.0.0.0/24 is the network's own address"],
    ],
    [
      "are taken where nothing says the subnets",
      { ...two, nodeSubnets: null, addresses: ["192.0.2.10"] },
      [],
    ],
    ["whatever stands in place of annotations", { annotations: 5 }, []],
  ])("%s", (_, more, expected) => expect(faults(more)).toEqual(expected));
});

describe("M16 every fault and warning of nodes says the way out", () => {
  it("faults", () => {
    const pool = { name: "tenant-a-egress", namespace: "clusters" };
    const each: Inputs[] = [
      { addresses: "x" },
      { annotations: { "k8s.ovn.org/egressip-mark": "50000" } },
      { nodes: null, assignableNodeCount: 1 },
      { assignableNodeCount: 1 },
      { nodes: null, assignableNodeCount: "2" },
    ];
    const all = [
      ...assignableNodesFaults({}),
      ...assignableNodesFaults({ nodes: ["a"], nodePools: [pool] }),
      ...each.flatMap((more) => judge(more).faults),
    ];
    expectGolden("manifests/egressIpEachFault.txt", `${describeFaults("EgressIP prod", all)}\n`);
  });

  it("that labels of NodePools wait for new nodes, which is said when they change", () => {
    const pool = { name: "tenant-a-egress", namespace: "clusters" };
    expect(assignableNodesWarnings({ nodes: ["node1"] })).toEqual([]);
    expect(assignableNodesWarnings({ nodePools: [pool] })).toEqual([
      {
        path: "nodePools",
        problem:
          "label the nodes that join from now on: HyperShift hands labels on once, when a node is made",
        remedy:
          "label the nodes that are there with a second component, in the hosted cluster, by their names",
        ofChange: true,
      },
    ]);
  });
});
