import fc from "fast-check";
import { assignableNodesFaults, assignableNodesWarnings } from "../../src/egressIp/nodes";
import { describeFaults } from "../../src/fault";
import { type PropertyValue } from "../../src/resources/resource";
import { expectGolden } from "../objects/golden";
import { faults, judge, topology, type Inputs, warnings } from "./egressIps";

describe("M16 inputs that the server refuses or that have surprising effects", () => {
  it.each<[string, Inputs, string]>([
    [
      "the annotation that OVN-Kubernetes writes itself",
      { annotations: { "k8s.ovn.org/egressip-mark": "50000" } },
      "annotations.k8s.ovn.org/egressip-mark is reserved for OVN-Kubernetes: the server refuses objects that contain it",
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
    ["an invalid name", { objectName: "Prod" }, 'objectName "Prod" is not a Kubernetes name'],
    [
      "a name that is too long",
      { objectName: "a".repeat(254) },
      `objectName "${"a".repeat(57)}..." is not a Kubernetes name`,
    ],
    [
      "a switch that is not a boolean",
      { acceptUnsupportedPlatform: "yes" },
      'acceptUnsupportedPlatform "yes" is neither true nor false',
    ],
  ])("include %s", (_, more, fault) => expect(faults(more)).toEqual([fault]));

  it.each<[string, Inputs, string]>([
    [
      "an object without labelled nodes",
      { nodes: null },
      "nodes is not given: no input states that nodes are labelled, and the first labelled node may get every address",
    ],
    [
      "labels on nodes that a NodePool replaces",
      { topology: topology() },
      "nodes labels nodes of a NodePool, which replaces them with upgrades and repairs",
    ],
    [
      "no stated subnets of the nodes",
      { nodeSubnets: null },
      "nodeSubnets is not given: no input states the subnets of the nodes, and the addresses work only there",
    ],
    [
      "every namespace",
      { namespaceSelector: {} },
      "namespaceSelector selects every namespace, including those of the platform",
    ],
  ])("cause a warning: %s", (_, more, warning) => expect(warnings(more)).toEqual([warning]));

  it("are all reported at once", () => {
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

  it("have a fix in every warning", () => {
    const bare: Inputs = { addresses: ["192.0.2.10"], nodeSubnets: null, namespaceSelector: {}, nodes: null };
    const each: Inputs[] = [
      { ...bare, topology: topology() },
      { ...bare, topology: topology({ machineNetwork: null }) },
      { ...bare, topology: topology(), nodes: ["node1"] },
    ];
    const all = each.flatMap((more) => judge(more).warnings);
    expectGolden("manifests/egressIpWarnings.txt", `${describeFaults("EgressIP prod", all)}\n`);
  });

  it("depend on the one of several node subnets that contains the address", () => {
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

  it("exclude other annotations", () => expect(faults({ annotations: { team: "shop" } })).toEqual([]));

  it("are checked without an exception, whatever the input", () => {
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

describe("M16 the faults and warnings of nodes", () => {
  it("have a fix in every fault", () => {
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

  it("include a warning, on change only, that NodePool labels apply to new nodes only", () => {
    const pool = { name: "tenant-a-egress", namespace: "clusters" };
    expect(assignableNodesWarnings({ nodes: ["node1"] })).toEqual([]);
    expect(assignableNodesWarnings({ nodePools: [pool] })).toEqual([
      {
        path: "nodePools",
        problem:
          "label only nodes that join from now on: HyperShift applies labels once, when it creates a node",
        remedy: "label the existing nodes with a second component, in the hosted cluster, by their names",
        ofChange: true,
      },
    ]);
  });
});
