import {
  assignableNodesFaults,
  type AssignableNodesInputs,
  canonicalAddress,
  SharedPods,
  overlapOf,
} from "../../src/egressIp/nodes";
import { knownAddresses, selectionOf } from "../../src/egressIp/judge";
import { describeFaults } from "../../src/fault";
import { egressIpSupport } from "../../src/requirements/egressSupport";
import { InfrastructurePlatform } from "../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";
import { faults, judge, text, topology, type Inputs, warnings } from "./egressIps";

describe("M16 egress IP addresses that are accepted", () => {
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
    ["that are unknown", { addresses: [UNKNOWN, "192.168.126.10"], namespaceSelector: UNKNOWN }],
    ["in unknown subnets", { nodeSubnets: [UNKNOWN], addressesInUse: UNKNOWN }],
    ["with all inputs unknown", { addresses: UNKNOWN, assignableNodeCount: UNKNOWN, objectName: UNKNOWN }],
    [
      "in a subnet of two addresses",
      { addresses: ["192.0.2.0", "192.0.2.1"], nodeSubnets: ["192.0.2.0/31"] },
    ],
  ])("%s", (_, more) => expect(faults(more)).toEqual([]));
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

  it("is stated for every platform", () => {
    expect(Object.keys(egressIpSupport).sort()).toEqual(Object.values(InfrastructurePlatform).sort());
  });

  it("is refused with the reason and the fixes", () => {
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
      "a platform that no document mentions",
      at("KubeVirt", "4.20"),
      ["platform no document states that KubeVirt supports egress IP addresses"],
    ],
    ["a documented platform (no warning)", at("BareMetal"), []],
  ])("has a warning for %s", (_, more, expected) => expect(warnings(more)).toEqual(expected));

  it.each<[string, Inputs, string]>([
    ["that does not exist", { platform: "Bare Metal" }, 'platform "Bare Metal" is not AWS'],
    [
      "that contradicts the topology",
      { platform: "Azure", topology: topology({ platform: "AWS" }) },
      "platform Azure differs from AWS of the topology",
    ],
  ])("a platform %s is refused", (_, more, fault) => {
    expect(faults(more)).toEqual([expect.stringContaining(fault)]);
  });

  it("accepts vSphere for an Agent cluster", () => {
    const agent = topology({ platform: "Agent" });
    expect(faults({ platform: "VSphere", topology: agent })).toEqual([]);
  });
});

describe("M16 the overlap between the pods of two objects", () => {
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

  it("assumes that every namespace has the label with its name", () => {
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

describe("M16 the inputs for labelled nodes without an EgressIP object", () => {
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
    ["an empty list of NodePools", { nodePools: [] }, ["nodePools is empty"]],
    ["NodePools that are not a list", { nodePools: pool }, ["nodePools an object is not a list"]],
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

describe("M16 the known parts of an object are", () => {
  it.each<[string, PropertyValue, string[]]>([
    ["addresses in their canonical form", ["10.0.0.7", "2001:DB8::0:1"], ["10.0.0.7", "2001:db8::1"]],
    ["only valid and known addresses", ["example.com", UNKNOWN, "10.0.0.7"], ["10.0.0.7"]],
    ["nothing of a value that is not a list", "10.0.0.7", []],
  ])("%s", (_, addresses, expected) => expect(knownAddresses(addresses)).toEqual(expected));

  it("an invalid address as it is written", () => {
    expect(["2001:DB8::0:1", "example.com"].map(canonicalAddress)).toEqual(["2001:db8::1", "example.com"]);
  });

  it("the selection, only if both selectors are known", () => {
    const namespaceSelector = { matchLabels: { env: "prod" } };
    expect(selectionOf({ namespaceSelector })).toEqual({ namespaces: namespaceSelector, pods: {} });
    expect(selectionOf({ namespaceSelector, podSelector: UNKNOWN })).toBeUndefined();
    expect(selectionOf({ namespaceSelector: UNKNOWN, podSelector: {} })).toBeUndefined();
  });
});
