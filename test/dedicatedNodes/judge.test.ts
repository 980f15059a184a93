import { type Dedication, judgeDedicatedNodes, sharingFaults } from "../../src/dedicatedNodes/judge";
import { NodeIsolationLevel } from "../../src/requirements/dedicatedNodes";
import { faults, judged, topology } from "./judged";

const three = ["worker-1a", "worker-1b", "worker-1c"].map((name) => ({ name }));
const existingHostedCluster = { name: "tenant-a", namespace: "clusters" };
const warnings = (inputs: object) => judged({ manageTaints: false, ...inputs }).warnings;

describe("M12 dedicated nodes", () => {
  it("three are enough for a highly available control plane, and one for a single replica", () => {
    expect(judged({ nodes: three, manageTaints: false })).toEqual({ faults: [], warnings: [] });
    const one = { nodes: three.slice(0, 1), controllerAvailabilityPolicy: "SingleReplica" };
    expect(judged({ ...one, existingHostedCluster, manageTaints: false }).faults).toEqual([]);
  });

  it("fewer are a warning, and a fault if the control plane is confined to them", () => {
    const two = { nodes: three.slice(1) };
    const few =
      "nodes 2 nodes for a control plane that is HighlyAvailable: etcd and the API server have 3 replicas, no two of them on one node: give it 3 nodes, count those of machine sets in dedicatedNodeCount, or write controllerAvailabilityPolicy: SingleReplica if the HostedCluster has it";
    expect(warnings(two)).toEqual([few]);
    expect(faults(two)).toEqual([]);
    expect(judged({ ...two, existingHostedCluster, manageTaints: false })).toEqual({
      faults: [few],
      warnings: [expect.stringMatching(/^existingHostedCluster gets a node selector/)],
    });
    expect(faults({ ...two, dedicatedNodeCount: 3, existingHostedCluster })).toEqual([]);
    expect(faults({ existingHostedCluster })).toEqual([
      "dedicatedNodeCount missing, and so are nodes: no node would match the node selector of the pods: name the nodes, or write how many nodes machine sets create",
    ]);
    expect(faults({ existingHostedCluster, dedicatedNodeCount: 3 })).toEqual([]);
    expect(judged({})).toEqual({ faults: [], warnings: [] });
  });

  it("must have names", () => {
    expect(faults({ nodes: [{}, {}] })).toEqual(
      [0, 1].map((at) => `nodes[${at}].name missing: write the name of a node`),
    );
  });

  it("are not counted if other inputs have faults", () => {
    expect(faults({ nodes: three.slice(1), existingHostedCluster, level: "physical" })).toEqual([
      'level "physical" is not VirtualMachine or Physical: write Physical',
    ]);
    const { faults: wrong } = judgeDedicatedNodes({ topology: { name: "tenant-a" }, existingHostedCluster });
    expect(wrong.map(({ path }) => path)).toEqual(["topology.platform"]);
  });

  it("have a warning if replicas would share a zone, except on KubeVirt and OpenStack", () => {
    const zoned = (...zones: (string | undefined)[]) => ({
      nodes: three.map((node, index) => ({ ...node, ...(zones[index] && { zone: zones[index] }) })),
    });
    expect(warnings(zoned("a", "b", "b"))).toEqual([
      "nodes are in 2 of the 3 zones that the replicas need: no two of them start in one zone: add a node in another zone, or correct nodes[].zone",
    ]);
    expect(warnings(zoned("a", "b", "c"))).toEqual([]);
    expect(warnings(zoned("a", undefined, "b"))).toEqual([]);
    expect(warnings({ ...zoned("a", "b", "b"), dedicatedNodeCount: 4 })).toEqual([]);
    const single = { controllerAvailabilityPolicy: "SingleReplica" };
    expect(warnings({ ...zoned("a", "b", "b"), ...single })).toEqual([]);
    for (const platform of ["KubeVirt", "OpenStack"])
      expect(warnings({ ...zoned("a", "b", "b"), topology: { ...topology, platform } })).toEqual([]);
  });

  it("have a warning if virtual machines of several replicas share a machine", () => {
    const hosted = (...hosts: string[]) => ({
      nodes: three.map((node, index) => ({ ...node, host: hosts[index] })),
      level: "VirtualMachine",
    });
    expect(warnings(hosted("rack-1", "rack-1", "rack-1"))).toEqual([
      "nodes run on one machine: a machine that fails takes down several of the 3 replicas: spread them over 3 machines",
    ]);
    expect(warnings(hosted("rack-1", "rack-1", "rack-2"))).toEqual([
      "nodes run on 2 machines: a machine that fails takes down several of the 3 replicas: spread them over 3 machines",
    ]);
    expect(warnings(hosted("rack-1", "rack-2", "rack-3"))).toEqual([]);
  });

  it("have a warning both without a managed taint and with a new one", () => {
    expect(judged({ nodes: three }).warnings).toEqual([
      "manageTaints not set: the nodes get the label but not the taint, so other pods can run there too: set it to true, or to false if the output `taints` is applied to the nodes in another way",
    ]);
    expect(warnings({ nodes: three, manageTaints: true })).toEqual([
      "manageTaints keeps other pods off the nodes from now on: pods that already run there stay: drain the nodes once",
    ]);
    expect(warnings({})).toEqual([]);
  });

  it("have a warning that an existing control plane moves if it gets a node selector", () => {
    expect(warnings({ nodes: three, existingHostedCluster })).toEqual([
      "existingHostedCluster gets a node selector, so HyperShift moves every pod of its control plane: use a maintenance window for the first deployment and for changes of the nodes",
    ]);
  });

  it("have warnings on effects of a change marked apart from lasting ones", () => {
    const nodePools = [{ name: "tenant-a", namespace: "clusters" }];
    const { warnings: found } = judgeDedicatedNodes({
      ...{ topology: { ...topology, platform: "KubeVirt" }, nodes: three.slice(1), manageTaints: true },
      ...{ dedicatedNodeCount: 3, existingHostedCluster },
      workerVirtualMachines: { nodeSelector: { rack: "a" }, nodePools },
    });
    expect(found.map(({ path, ofChange }) => [path, ofChange])).toEqual([
      ["manageTaints", true],
      ["existingHostedCluster", true],
      ["workerVirtualMachines.nodePools", true],
    ]);
    const lasting = judgeDedicatedNodes({ topology, nodes: three.slice(1) }).warnings;
    expect(lasting.map(({ path, ofChange }) => [path, ofChange])).toEqual([
      ["nodes", undefined],
      ["manageTaints", undefined],
    ]);
  });

  it("include warnings of the topology, but no faults of its proxy", () => {
    const open = { ...topology, clusterNetwork: [{ cidr: "8.0.0.0/14" }], proxy: { httpProxy: "no URL" } };
    expect(judged({ topology: open, nodes: three, manageTaints: false })).toEqual({
      faults: [],
      warnings: [
        expect.stringMatching(/^topology\.clusterNetwork\[0\]\.cidr 8\.0\.0\.0\/14 has public addresses/),
      ],
    });
  });

  it.each<[string, object, string]>([
    [
      "nodes that are not a list",
      { nodes: "worker-1a" },
      'nodes "worker-1a" is not a list: write a list of { name: ... }, or leave it out if machine sets create the nodes',
    ],
    [
      "an empty list of nodes",
      { nodes: [] },
      "nodes is empty: write a list of { name: ... }, or leave it out if machine sets create the nodes",
    ],
    [
      "a name instead of an object",
      { nodes: ["worker-1a"] },
      'nodes[0] "worker-1a" is not an object: write an object with name, zone, host',
    ],
    [
      "an invalid host",
      { nodes: [...three, { name: "worker-2", host: "Rack 1" }] },
      'nodes[3].host "Rack 1" is not a Kubernetes name: write at most 253 lowercase letters, digits, hyphens and dots',
    ],
    ["a node without a name", { nodes: [{ zone: "a" }] }, "nodes[0].name missing: write the name of a node"],
    [
      "an invalid node name",
      { nodes: [{ name: "Worker_1" }] },
      'nodes[0].name "Worker_1" is not a Kubernetes name: write at most 253 lowercase letters, digits, hyphens and dots',
    ],
    [
      "a duplicate node",
      { nodes: [...three, { name: "worker-1a" }] },
      'nodes[3] "worker-1a" is also nodes[0]: remove one of the two',
    ],
    [
      "an unknown property",
      { nodes: [...three, { name: "worker-2", zones: "a" }] },
      "nodes[3].zones no such property: did you mean zone?",
    ],
    [
      "a zone that is not a label value",
      { nodes: [...three, { name: "worker-2", zone: "a/b" }] },
      'nodes[3].zone "a/b" is not a label value: write a string of at most 63 letters, digits, hyphens, dots and underscores, in quotes',
    ],
    [
      "a count that is not a whole number",
      { dedicatedNodeCount: 1.5 },
      "dedicatedNodeCount 1.5 is not a whole number: write a whole number from 1 on",
    ],
    [
      "a count that is too small",
      { nodes: three, dedicatedNodeCount: 2 },
      "dedicatedNodeCount 2 is less than the 3 nodes that are named: count those too, or leave it out",
    ],
    [
      "an unknown level",
      { level: "physical" },
      'level "physical" is not VirtualMachine or Physical: write Physical',
    ],
    [
      "an unknown availability policy",
      { controllerAvailabilityPolicy: "HA" },
      'controllerAvailabilityPolicy "HA" is not HighlyAvailable or SingleReplica: write HighlyAvailable or SingleReplica',
    ],
    [
      "taints without nodes",
      { manageTaints: true },
      "manageTaints true, but there are no nodes to taint: name them in nodes",
    ],
    [
      "a switch that is not a boolean",
      { removeOnDelete: "no" },
      'removeOnDelete "no" is neither true nor false: write true or false, without quotes',
    ],
    ["an empty kubeconfig", { kubeconfig: "" }, "kubeconfig is empty: write a string, or leave it out"],
    [
      "a kubeconfig that is not a string",
      { kubeconfig: 1 },
      "kubeconfig is not a string: write a string, or leave it out",
    ],
    [
      "another hosted cluster",
      { existingHostedCluster: { name: "tenant-b", namespace: "clusters" }, nodes: three },
      'existingHostedCluster.name "tenant-b" differs from tenant-a of the topology: write tenant-a, or correct topology.name',
    ],
    [
      "names that are too long together for the control plane's namespace",
      { topology: { ...topology, name: "t".repeat(60) } },
      "topology.name clusters-tttttttttttttttttttttttttttttttttttttttttttttttttttttttttttt, the namespace of the control plane, has 69 characters: shorten name or namespace: 63 characters at most",
    ],
    [
      "an invalid name of the hosted cluster",
      { topology: { ...topology, name: "tenant_a" } },
      'topology.name "tenant_a" is not a Kubernetes name: write at most 63 lowercase letters, digits and hyphens',
    ],
  ])("are refused for %s", (_, inputs, fault) => {
    expect(faults(inputs)).toEqual([fault]);
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

  it("refuse a node that is dedicated to two hosted clusters", () => {
    expect(sharingFaults(own(Physical), own(VirtualMachine), "DedicatedControlPlaneNodes b")).toEqual([
      {
        path: "nodes[0].name",
        problem: "vm-1 is already dedicated by DedicatedControlPlaneNodes b",
        remedy: "give each cluster its own",
      },
    ]);
  });

  it("accept virtual machines of two clusters on one machine, unless one is isolated physically", () => {
    const other = (level: NodeIsolationLevel) => ({ nodes: [{ name: "vm-2", host: "rack-1" }], level });
    expect(paths(own(VirtualMachine), other(VirtualMachine))).toEqual([]);
    expect(paths(own(Physical), other(VirtualMachine))).toEqual(["nodes[0].host"]);
    expect(paths(own(VirtualMachine), other(Physical))).toEqual(["nodes[0].host"]);
    expect(paths(own(Physical), { nodes: [{ name: "vm-2" }], level: Physical })).toEqual([]);
    const unplaced = { nodes: [{ name: "vm-1" }], level: Physical };
    expect(paths(unplaced, { nodes: [{ name: "vm-2" }], level: Physical })).toEqual([]);
  });

  it("refuse physical isolation if only one of several nodes shares its machine", () => {
    const other = {
      nodes: [
        { name: "vm-2", host: "rack-1" },
        { name: "vm-3", host: "rack-2" },
      ],
      level: Physical,
    };
    expect(sharingFaults(own(Physical), other, "DedicatedControlPlaneNodes b")).toEqual([
      {
        path: "nodes[0].host",
        problem:
          "rack-1 also has nodes of DedicatedControlPlaneNodes b, and physical isolation does not allow shared machines",
        remedy: "give each cluster its own",
      },
    ]);
  });
});
