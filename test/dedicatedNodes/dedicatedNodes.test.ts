import {
  dedicatedNodeLabels,
  hostedClusterFragment,
  kubeletConfigFragment,
  machineConfigFragment,
  machineSetFragment,
  nodePoolFragment,
  virtualMachineFragment,
} from "../../src/dedicatedNodes/fragments";
import { type Dedication, judgeDedicatedNodes, sharingFaults } from "../../src/dedicatedNodes/judge";
import { nodeTaints, tolerates } from "../../src/dedicatedNodes/taints";
import {
  NodeIsolationLevel,
  TaintEffect,
  TolerationOperator,
  type Toleration,
} from "../../src/requirements/dedicatedNodes";
import { UNKNOWN } from "../../src/resources/resource";

const CLUSTER = "hypershift.openshift.io/cluster";
const CONTROL_PLANE = "hypershift.openshift.io/control-plane";
const DOCUMENTED = "hypershift.openshift.io/hosted-cluster";
const { NoSchedule, NoExecute, PreferNoSchedule } = TaintEffect;

const topology = {
  name: "tenant-a",
  platform: "AWS",
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
};
const three = ["worker-1a", "worker-1b", "worker-1c"].map((name) => ({ name }));
const existingHostedCluster = { name: "tenant-a", namespace: "clusters" };
const judged = (inputs: object) => {
  const { faults, warnings } = judgeDedicatedNodes({ topology, ...inputs });
  const lines = (all: typeof faults) =>
    all.map(({ path, problem, remedy }) => `${path} ${problem}: ${remedy}`);
  return { faults: lines(faults), warnings: lines(warnings) };
};
const faults = (inputs: object) => judged(inputs).faults;
const warnings = (inputs: object) => judged({ manageTaints: false, ...inputs }).warnings;

describe("M12 the keys of nodes that are for one hosted control plane", () => {
  const options = { controlPlaneNamespace: "clusters-tenant-a" };
  const dedicated = { key: CLUSTER, value: "clusters-tenant-a", effect: NoSchedule };

  it("HyperShift's key is label and taint, the documents' key a label only", () => {
    expect(dedicatedNodeLabels(options)).toEqual({
      [CLUSTER]: "clusters-tenant-a",
      [DOCUMENTED]: "clusters-tenant-a",
    });
    expect(nodeTaints("clusters-tenant-a", {})).toEqual([dedicated]);
  });

  it("the key of control planes in general comes as label and taint, where it is asked for", () => {
    const reserved = { ...options, reserveForControlPlanes: true };
    expect(dedicatedNodeLabels(reserved)).toMatchObject({ [CONTROL_PLANE]: "true" });
    expect(nodeTaints("clusters-tenant-a", reserved)).toEqual(
      expect.arrayContaining([dedicated, { key: CONTROL_PLANE, value: "true", effect: NoSchedule }]),
    );
  });

  it("pods are confined by HyperShift's label", () => {
    expect(hostedClusterFragment(options)).toEqual({ nodeSelector: { [CLUSTER]: "clusters-tenant-a" } });
    const tolerations = [{ key: "example.com/team", operator: TolerationOperator.Exists }];
    expect(hostedClusterFragment({ ...options, tolerations })).toMatchObject({ tolerations });
  });

  it("new nodes get both in the shapes of NodePools, MachineSets and machine configurations", () => {
    const labels = dedicatedNodeLabels(options);
    expect(nodePoolFragment(options)).toEqual({ nodeLabels: labels, taints: [dedicated] });
    expect(nodePoolFragment({ ...options, hostSelector: { rack: "a" } })).toMatchObject({
      platform: { kubevirt: { nodeSelector: { rack: "a" } } },
    });
    expect(machineSetFragment(options)).toEqual({
      template: { spec: { metadata: { labels }, taints: [dedicated] } },
    });
    expect(kubeletConfigFragment(options)).toEqual({ kubeletConfig: { registerWithTaints: [dedicated] } });
    const [unit] = machineConfigFragment(options).config.systemd.units;
    expect(unit?.name).toBe("kubelet.service");
    expect(unit?.dropins[0]?.contents).toBe(
      `[Service]\nEnvironment="CUSTOM_KUBELET_LABELS=${CLUSTER}=clusters-tenant-a,${DOCUMENTED}=clusters-tenant-a"\n`,
    );
  });

  it("virtual machines are placed by the selector of their NodePool", () => {
    expect(virtualMachineFragment({ rack: "a" })).toEqual({
      platform: { kubevirt: { nodeSelector: { rack: "a" } } },
    });
  });
});

describe("M12 what tolerates a taint", () => {
  const taint = { key: "a", value: "b", effect: NoSchedule };
  it.each<[string, Toleration, boolean]>([
    ["the same", { key: "a", value: "b", effect: NoSchedule }, true],
    ["every effect", { key: "a", value: "b" }, true],
    ["every value", { key: "a", operator: TolerationOperator.Exists }, true],
    ["every key", { operator: TolerationOperator.Exists }, true],
    ["another value", { key: "a", value: "c" }, false],
    ["no value", { key: "a" }, false],
    ["another key", { key: "c", operator: TolerationOperator.Exists }, false],
    ["another effect", { key: "a", value: "b", effect: NoExecute }, false],
    ["nothing", {}, false],
  ])("%s: %o is %s", (_, toleration, expected) => {
    expect(tolerates(toleration, taint)).toBe(expected);
  });

  it("a toleration that runs out does not keep a pod on a node with NoExecute", () => {
    const evicting = { key: "a", effect: NoExecute };
    expect(tolerates({ key: "a", effect: NoExecute }, evicting)).toBe(true);
    expect(tolerates({ key: "a", effect: NoExecute, tolerationSeconds: 300 }, evicting)).toBe(false);
  });
});

describe("M12 taints beside the component's own", () => {
  const documented = { key: DOCUMENTED, value: "clusters-tenant-a", effect: NoSchedule };
  const tolerations = [{ key: DOCUMENTED, operator: "Exists" }];

  it("the documents' key as a taint is refused unless the tolerations list it", () => {
    expect(faults({ additionalTaints: [documented] })).toEqual([
      expect.stringMatching(
        /^additionalTaints\[0\] hypershift\.openshift\.io\/hosted-cluster=clusters-tenant-a:NoSchedule is a taint that pods of the control plane do not tolerate: .*HyperShift's own key hypershift\.openshift\.io\/cluster is set without it$/,
      ),
    ]);
    expect(faults({ additionalTaints: [documented], tolerations })).toEqual([]);
  });

  it("control planes tolerate theirs in general only with NoSchedule", () => {
    const general = (effect: TaintEffect) => ({
      additionalTaints: [{ key: CONTROL_PLANE, value: "true", effect }],
    });
    expect(faults(general(NoSchedule))).toEqual([]);
    for (const effect of [NoExecute, PreferNoSchedule])
      expect(faults(general(effect))).toEqual([
        expect.stringMatching(/pods of the control plane do not tolerate/),
      ]);
  });

  it("says nothing of what depends on an input that is not known", () => {
    expect(faults({ additionalTaints: [documented], tolerations: UNKNOWN })).toEqual([]);
    expect(faults({ additionalTaints: [{ ...documented, key: UNKNOWN }] })).toEqual([]);
  });

  it.each<[string, object, RegExp]>([
    ["no list", { additionalTaints: "a" }, /^additionalTaints "a" is not a list/],
    ["no taint", { additionalTaints: ["a"] }, /^additionalTaints\[0\] "a" is not an object/],
    ["no key", { additionalTaints: [{ effect: NoSchedule }] }, /^additionalTaints\[0\]\.key missing/],
    [
      "a key that is none",
      { additionalTaints: [{ key: "a b", effect: NoSchedule }] },
      /^additionalTaints\[0\]\.key "a b" is not a label key/,
    ],
    [
      "a value that is too long",
      { additionalTaints: [{ key: CONTROL_PLANE, value: "a".repeat(64), effect: NoSchedule }] },
      /^additionalTaints\[0\]\.value "a+\.\.\." is not a label value: .*63/,
    ],
    [
      "an effect that is none",
      { additionalTaints: [{ key: "a", effect: "NoScheduling" }] },
      /^additionalTaints\[0\]\.effect "NoScheduling" is not NoSchedule, PreferNoSchedule or NoExecute: write NoSchedule/,
    ],
    [
      "no effect",
      { additionalTaints: [{ key: "a" }] },
      /^additionalTaints\[0\]\.effect missing: a taint needs/,
    ],
    [
      "its own key",
      { additionalTaints: [{ key: CLUSTER, value: "clusters-tenant-a", effect: NoSchedule }] },
      /^additionalTaints\[0\]\.key .*is set anyway/,
    ],
    [
      "a taint twice",
      { additionalTaints: [1, 2].map(() => ({ key: CONTROL_PLANE, value: "true", effect: NoSchedule })) },
      /^additionalTaints\[1\] .* is also additionalTaints\[0\]/,
    ],
    [
      "too many",
      {
        additionalTaints: Array.from({ length: 49 }, (_, index) => ({
          key: `a${index}`,
          effect: NoSchedule,
        })),
      },
      /^additionalTaints has 49 entries.*48 entries at most$/,
    ],
    ["tolerations that are no list", { tolerations: {} }, /^tolerations an object is not a list/],
    ["a toleration that is none", { tolerations: [1] }, /^tolerations\[0\] 1 is not an object/],
    [
      "a toleration without a key",
      { tolerations: [{ effect: NoSchedule }] },
      /^tolerations\[0\]\.key missing/,
    ],
    [
      "a value beside Exists",
      { tolerations: [{ key: "a", operator: "Exists", value: "b" }] },
      /^tolerations\[0\]\.value stands beside operator Exists/,
    ],
    [
      "an operator that is none",
      { tolerations: [{ key: "a", operator: "In" }] },
      /^tolerations\[0\]\.operator "In" is not Equal or Exists/,
    ],
    [
      "seconds without NoExecute",
      { tolerations: [{ key: "a", tolerationSeconds: 3, effect: NoSchedule }] },
      /^tolerations\[0\]\.tolerationSeconds stands without effect NoExecute/,
    ],
    [
      "too many tolerations",
      { tolerations: Array.from({ length: 26 }, () => ({ operator: "Exists" })) },
      /^tolerations has 26 entries.*25 entries at most$/,
    ],
  ])("%s", (_, inputs, fault) => {
    expect(faults(inputs)).toEqual([expect.stringMatching(fault)]);
  });
});

describe("M12 the dedicated nodes", () => {
  it("three of them are enough for a control plane that is highly available, one for one that is not", () => {
    expect(judged({ nodes: three, manageTaints: false })).toEqual({ faults: [], warnings: [] });
    const one = { nodes: three.slice(0, 1), controllerAvailabilityPolicy: "SingleReplica" };
    expect(judged({ ...one, existingHostedCluster, manageTaints: false }).faults).toEqual([]);
  });

  it("fewer are a warning, and a fault where the control plane may run nowhere else", () => {
    const two = { nodes: three.slice(1) };
    const few =
      /^nodes 2 nodes for a control plane that is HighlyAvailable: etcd and the API server have 3 replicas, no two of them on one node: give it 3 nodes/;
    expect(warnings(two)).toEqual([expect.stringMatching(few)]);
    expect(faults(two)).toEqual([]);
    expect(faults({ ...two, existingHostedCluster })).toEqual([expect.stringMatching(few)]);
    expect(faults({ ...two, dedicatedNodeCount: 3, existingHostedCluster })).toEqual([]);
    expect(faults({ existingHostedCluster })).toEqual([
      expect.stringMatching(/^dedicatedNodeCount missing, and so are nodes: /),
    ]);
    expect(faults({ existingHostedCluster, dedicatedNodeCount: 3 })).toEqual([]);
  });

  it("replicas need zones of their own, except on KubeVirt and OpenStack", () => {
    const zoned = (...zones: (string | undefined)[]) => ({
      nodes: three.map((node, index) => ({ ...node, ...(zones[index] && { zone: zones[index] }) })),
    });
    const few = /^nodes are in 2 of the 3 zones that the replicas need/;
    expect(warnings(zoned("a", "b", "b"))).toEqual([expect.stringMatching(few)]);
    expect(warnings(zoned("a", "b", "c"))).toEqual([]);
    expect(warnings(zoned("a", undefined, "b"))).toEqual([]);
    expect(warnings({ ...zoned("a", "b", "b"), dedicatedNodeCount: 4 })).toEqual([]);
    for (const platform of ["KubeVirt", "OpenStack"])
      expect(warnings({ ...zoned("a", "b", "b"), topology: { ...topology, platform } })).toEqual([]);
  });

  it("replicas in virtual machines of one machine fail together", () => {
    const hosted = (...hosts: string[]) => ({
      nodes: three.map((node, index) => ({ ...node, host: hosts[index] })),
      level: "VirtualMachine",
    });
    expect(warnings(hosted("rack-1", "rack-1", "rack-1"))).toEqual([
      expect.stringMatching(/^nodes run on one machine: one that fails takes several of 3 replicas along/),
    ]);
    expect(warnings(hosted("rack-1", "rack-2", "rack-3"))).toEqual([]);
  });

  it("without their taint other pods run there too, and with it those that run there stay", () => {
    expect(judged({ nodes: three }).warnings).toEqual([
      expect.stringMatching(
        /^manageTaints not set: the nodes are labelled, and without the taint other pods/,
      ),
    ]);
    expect(warnings({ nodes: three, manageTaints: true })).toEqual([
      expect.stringMatching(/^manageTaints keeps other pods .* stay: drain the nodes once$/),
    ]);
    expect(warnings({})).toEqual([]);
  });

  it("a control plane that gets a node selector moves, which is said", () => {
    expect(warnings({ nodes: three, existingHostedCluster })).toEqual([
      expect.stringMatching(
        /^existingHostedCluster gets a node selector, for which HyperShift moves every pod/,
      ),
    ]);
  });

  it.each<[string, object, RegExp]>([
    ["no list", { nodes: "worker-1a" }, /^nodes "worker-1a" is not a list/],
    ["no node", { nodes: [] }, /^nodes is empty: write a list .* or leave it out/],
    [
      "a name in place of an object",
      { nodes: ["worker-1a"] },
      /^nodes\[0\] "worker-1a" is not an object: write an object with name/,
    ],
    [
      "a node without a name",
      { nodes: [{ zone: "a" }] },
      /^nodes\[0\]\.name missing: write the name of a node/,
    ],
    [
      "a name that is none",
      { nodes: [{ name: "Worker_1" }] },
      /^nodes\[0\]\.name "Worker_1" is not a Kubernetes name/,
    ],
    [
      "a node twice",
      { nodes: [...three, { name: "worker-1a" }] },
      /^nodes\[3\] "worker-1a" is also nodes\[0\]: take one/,
    ],
    [
      "a property that is none",
      { nodes: [...three, { name: "worker-2", zones: "a" }] },
      /^nodes\[3\]\.zones no such property: did you mean zone\?/,
    ],
    [
      "a zone that is not a label value",
      { nodes: [...three, { name: "worker-2", zone: "a/b" }] },
      /^nodes\[3\]\.zone "a\/b" is not a label value/,
    ],
    ["a count that is none", { dedicatedNodeCount: 1.5 }, /^dedicatedNodeCount 1.5 is not a whole number/],
    [
      "a count that is too small",
      { nodes: three, dedicatedNodeCount: 2 },
      /^dedicatedNodeCount 2 is less than the 3 nodes that are named/,
    ],
    [
      "a level that is none",
      { level: "physical" },
      /^level "physical" is not VirtualMachine or Physical: write Physical/,
    ],
    [
      "a policy that is none",
      { controllerAvailabilityPolicy: "HA" },
      /^controllerAvailabilityPolicy "HA" is not HighlyAvailable or SingleReplica/,
    ],
    ["taints without nodes", { manageTaints: true }, /^manageTaints true, but there are no nodes to taint/],
    ["a switch that is none", { removeOnDelete: "no" }, /^removeOnDelete "no" is neither true nor false/],
    ["a kubeconfig that is not a string", { kubeconfig: 1 }, /^kubeconfig is not a string/],
    [
      "another hosted cluster",
      { existingHostedCluster: { name: "tenant-b", namespace: "clusters" }, nodes: three },
      /^existingHostedCluster\.name "tenant-b" is another cluster than tenant-a of the topology/,
    ],
    [
      "names that are too long together for a label value",
      { topology: { ...topology, name: "t".repeat(60) } },
      /^topology\.name clusters-t+, the namespace of the control plane, has 69 characters/,
    ],
    [
      "a name that no object has",
      { topology: { ...topology, name: "tenant_a" } },
      /^topology\.name "tenant_a" is not a Kubernetes name/,
    ],
  ])("%s", (_, inputs, fault) => {
    expect(faults(inputs)).toEqual([expect.stringMatching(fault)]);
  });
});

describe("M12 nodes and machines of several hosted clusters", () => {
  const { Physical, VirtualMachine } = NodeIsolationLevel;
  const own = (level: NodeIsolationLevel): Dedication => ({
    nodes: [{ name: "vm-1", host: "rack-1" }],
    level,
  });
  const paths = (one: Dedication, other: Dedication) =>
    sharingFaults(one, other, "DedicatedControlPlaneNodes b").map(({ path }) => path);

  it("no node is for two of them", () => {
    expect(sharingFaults(own(Physical), own(VirtualMachine), "DedicatedControlPlaneNodes b")).toEqual([
      {
        path: "nodes[0].name",
        problem: "vm-1 is dedicated already, by DedicatedControlPlaneNodes b",
        remedy: "give each of the two its own",
      },
    ]);
  });

  it("virtual machines of both may be on one machine, unless one is isolated physically", () => {
    const other = (level: NodeIsolationLevel) => ({ nodes: [{ name: "vm-2", host: "rack-1" }], level });
    expect(paths(own(VirtualMachine), other(VirtualMachine))).toEqual([]);
    expect(paths(own(Physical), other(VirtualMachine))).toEqual(["nodes[0].host"]);
    expect(paths(own(VirtualMachine), other(Physical))).toEqual(["nodes[0].host"]);
    expect(paths(own(Physical), { nodes: [{ name: "vm-2" }], level: Physical })).toEqual([]);
  });
});

describe("M12 virtual machines of a hosted cluster on KubeVirt", () => {
  const onKubeVirt = { topology: { ...topology, platform: "KubeVirt" } };
  const workers = (workerVirtualMachines: object) => ({ ...onKubeVirt, workerVirtualMachines });

  it("are placed by labels of nodes", () => {
    expect(judged(workers({ nodeSelector: { rack: "a" } }))).toEqual({ faults: [], warnings: [] });
    const nodePools = [{ name: "tenant-a", namespace: "clusters" }];
    expect(judged(workers({ nodeSelector: { rack: "a" }, nodePools })).warnings).toEqual([
      expect.stringMatching(
        /^workerVirtualMachines\.nodePools get a node selector, .*replaces their virtual machines/,
      ),
    ]);
  });

  it.each([CLUSTER, CONTROL_PLANE, DOCUMENTED])("not by %s, whose taint they do not tolerate", (key) => {
    expect(faults(workers({ nodeSelector: { [key]: "clusters-tenant-a" } }))).toEqual([
      expect.stringMatching(/selects nodes of control planes, whose taint virtual machines do not tolerate/),
    ]);
  });

  it.each<[string, object, RegExp]>([
    [
      "another platform",
      { workerVirtualMachines: { nodeSelector: { rack: "a" } } },
      /^workerVirtualMachines is given, but on AWS/,
    ],
    ["no object", workers([]), /^workerVirtualMachines a list is not an object/],
    ["no selector", workers({}), /^workerVirtualMachines\.nodeSelector missing/],
    ["an empty selector", workers({ nodeSelector: {} }), /^workerVirtualMachines\.nodeSelector is empty/],
    [
      "a label that is none",
      workers({ nodeSelector: { rack: "a b" } }),
      /^workerVirtualMachines\.nodeSelector\.rack "a b" is not a label value/,
    ],
    [
      "a NodePool in another namespace",
      workers({ nodeSelector: { rack: "a" }, nodePools: [{ name: "np", namespace: "others" }] }),
      /^workerVirtualMachines\.nodePools\[0\]\.namespace "others" is not the namespace of the HostedCluster/,
    ],
    [
      "no NodePools",
      workers({ nodeSelector: { rack: "a" }, nodePools: [] }),
      /^workerVirtualMachines\.nodePools is empty/,
    ],
    ["hosts without labels", { hostSelector: {} }, /^hostSelector is empty, which selects every node/],
  ])("%s", (_, inputs, fault) => {
    expect(faults(inputs)).toEqual([expect.stringMatching(fault)]);
  });
});
