import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";

import { DedicatedControlPlaneNodes } from "../../../src/dedicatedNodes/component/dedicatedControlPlaneNodes";
import { NodeIsolationLevel, Platform, TaintEffect, TolerationOperator } from "../../../src";
import type { DedicatedControlPlaneNodesArgs } from "../../../src/dedicatedNodes/component/dedicatedControlPlaneNodesArgs";
import { eventually } from "../../components/eventually";
import { run, unknownValue } from "../../components/program";

const topology = { name: "tenant-a", platform: Platform.None, release: "4.20" };
const nodes = ["worker-1a", "worker-1b", "worker-1c"].map((name) => ({ name }));
const existingHostedCluster = { name: "tenant-a", namespace: "clusters" };
const create =
  (args: Partial<DedicatedControlPlaneNodesArgs> = {}, opts?: pulumi.ComponentResourceOptions) =>
  () =>
    new DedicatedControlPlaneNodes("tenant-a", { topology, nodes, manageTaints: false, ...args }, opts);

/** The component's request to the engine for a child. */
interface Request {
  getType(): string;
  getName(): string;
  getDependenciesList(): string[];
  getRetainondelete(): boolean;
}

async function requests(args: Partial<DedicatedControlPlaneNodesArgs>): Promise<Request[]> {
  const watch = jest.spyOn(MockMonitor.prototype, "registerResource");
  await run(create(args));
  const all = watch.mock.calls.map(([request]) => request as Request);
  watch.mockRestore();
  return all.filter((request) => !request.getType().startsWith("hypershift-network:"));
}

describe("M12 nodes dedicated to one hosted control plane", () => {
  it("get labels from a patch with its own field manager, without taints", async () => {
    const { objects, warnings, failures } = await run(create());
    expect({ warnings, failures }).toEqual({ warnings: [], failures: [] });
    expect(objects.map(({ name }) => name)).toEqual([
      "tenant-a-worker-1a",
      "tenant-a-worker-1b",
      "tenant-a-worker-1c",
    ]);
    expect(objects[0]).toMatchObject({
      type: "kubernetes:core/v1:NodePatch",
      inputs: {
        metadata: {
          name: "worker-1a",
          labels: {
            "hypershift.openshift.io/cluster": "clusters-tenant-a",
            "hypershift.openshift.io/hosted-cluster": "clusters-tenant-a",
          },
          annotations: {
            "pulumi.com/patchFieldManager": "hypershift-network-dedicated-nodes-clusters-tenant-a",
          },
        },
      },
    });
    for (const { inputs } of objects) expect(inputs).not.toHaveProperty("spec");
  });

  it("get taints in addition to those of others if manageTaints is true", async () => {
    const { objects, resources, failures } = await run(
      create({ manageTaints: true, kubeconfig: "apiVersion: v1\nusers: [{ user: { token: hunter2 } }]" }),
    );
    expect(failures).toEqual([]);
    const taints = objects.filter(({ type }) => type.endsWith(":SharedFieldShare"));
    expect(taints.map(({ name }) => name)).toEqual(nodes.map(({ name }) => `tenant-a-${name}-taints`));
    expect(taints[0]?.inputs).toMatchObject({
      apiVersion: "v1",
      object: "Node",
      name: "worker-1a",
      path: ["spec", "taints"],
      shape: { kind: "keyedItems", keys: ["key", "effect"] },
      entries: [{ key: "hypershift.openshift.io/cluster", value: "clusters-tenant-a", effect: "NoSchedule" }],
      fieldManager: "hypershift-network-taints",
    });
    for (const { inputs } of resources.filter(({ inputs }) => "kubeconfig" in inputs))
      expect(inputs.kubeconfig).toMatchObject({ value: expect.stringContaining("hunter2") as unknown });
  });

  it("get labels first, then taints, then the node selector, all retained on delete by default", async () => {
    const made = await requests({ manageTaints: true, existingHostedCluster });
    const of = (type: RegExp) => made.filter((request) => type.test(request.getType()));
    const [labels, taints, selector] = [of(/NodePatch$/), of(/SharedFieldShare$/), of(/HostedClusterPatch$/)];
    for (const request of labels) expect(request.getDependenciesList()).toEqual([]);
    for (const request of taints) expect(request.getDependenciesList()).toHaveLength(3);
    expect(selector).toHaveLength(1);
    expect(selector[0]!.getDependenciesList()).toHaveLength(6);
    expect(made.map((request) => request.getRetainondelete())).toEqual(Array(7).fill(true));
    const removed = await requests({ manageTaints: true, existingHostedCluster, removeOnDelete: true });
    expect(removed.map((request) => request.getRetainondelete())).toEqual(Array(7).fill(false));
  });

  it("confine an existing hosted cluster by a patch of its node selector only", async () => {
    const tolerations = [{ key: "example.com/team", operator: TolerationOperator.Exists }];
    const { objects } = await run(create({ existingHostedCluster, tolerations, forcePatch: true }));
    const patch = objects.find(({ type }) => type.endsWith("HostedClusterPatch"));
    expect(patch?.inputs).toEqual({
      apiVersion: "hypershift.openshift.io/v1beta1",
      kind: "HostedCluster",
      metadata: {
        name: "tenant-a",
        namespace: "clusters",
        annotations: {
          "pulumi.com/patchFieldManager": "hypershift-network-node-selector",
          "pulumi.com/patchForce": "true",
        },
      },
      spec: { nodeSelector: { "hypershift.openshift.io/cluster": "clusters-tenant-a" } },
    });
  });

  it("are described by outputs for objects created elsewhere", async () => {
    const { result, objects } = await run(() => {
      const additionalTaints = [{ key: "example.com/team", value: "a", effect: TaintEffect.NoExecute }];
      const tolerations = [{ key: "example.com/team", operator: TolerationOperator.Exists }];
      const args = { topology, reserveForControlPlanes: true, additionalTaints, tolerations };
      return new DedicatedControlPlaneNodes("tenant-a", args);
    });
    expect(objects).toEqual([]);
    const taints = await eventually(result.taints);
    expect(taints.map(({ key, effect }) => `${key}:${effect}`).sort()).toEqual([
      "example.com/team:NoExecute",
      "hypershift.openshift.io/cluster:NoSchedule",
      "hypershift.openshift.io/control-plane:NoSchedule",
    ]);
    const nodeLabels = await eventually(result.nodeLabels);
    await expect(eventually(result.nodePoolFragment)).resolves.toEqual({ nodeLabels, taints });
    await expect(eventually(result.machineSetFragment)).resolves.toEqual({
      template: { spec: { metadata: { labels: nodeLabels }, taints } },
    });
    await expect(eventually(result.kubeletConfigFragment)).resolves.toEqual({
      kubeletConfig: { registerWithTaints: taints },
    });
    await expect(eventually(result.machineConfigFragment)).resolves.toMatchObject({
      config: { systemd: { units: [{ name: "kubelet.service" }] } },
    });
    await expect(eventually(result.hostedClusterFragment)).resolves.toEqual({
      nodeSelector: { "hypershift.openshift.io/cluster": "clusters-tenant-a" },
      tolerations: [{ key: "example.com/team", operator: "Exists" }],
    });
    await expect(eventually(result.topology)).resolves.toMatchObject({
      name: "tenant-a",
      namespace: "clusters",
    });
  });

  it("must not be shared between hosted clusters, nor their machines with physical isolation", async () => {
    const both = (host: string, level: NodeIsolationLevel) => () => {
      const common = { manageTaints: false, level, dedicatedNodeCount: 3 };
      new DedicatedControlPlaneNodes("a", { ...common, topology, nodes: [{ name: "vm-1", host: "rack-1" }] });
      const other = { ...topology, name: "tenant-b" };
      new DedicatedControlPlaneNodes("b", { ...common, topology: other, nodes: [{ name: "vm-2", host }] });
    };
    await expect(run(both("rack-1", NodeIsolationLevel.Physical))).rejects.toThrow(
      "DedicatedControlPlaneNodes b: 1 fault\n  nodes[0].host  rack-1 also has nodes of DedicatedControlPlaneNodes a, and physical isolation does not allow shared machines: give each cluster its own",
    );
    await run(both("rack-2", NodeIsolationLevel.Physical));
    await run(both("rack-1", NodeIsolationLevel.VirtualMachine));
    const twice = () => [create()(), new DedicatedControlPlaneNodes("b", { topology, nodes })];
    await expect(run(twice)).rejects.toThrow(
      /nodes\[0\]\.name +worker-1a is already dedicated by DedicatedControlPlaneNodes tenant-a/,
    );
  });

  it("may have the same name as a node of another provider's cluster", async () => {
    const body = () => {
      const provider = new kubernetes.Provider("other", { kubeconfig: "{}" });
      return [
        create()(),
        new DedicatedControlPlaneNodes("b", { topology, nodes, manageTaints: false }, { provider }),
      ];
    };
    expect((await run(body)).failures).toEqual([]);
  });

  it("place a hosted cluster's virtual machines by patches of its NodePools, and have an output for it", async () => {
    const workerVirtualMachines = {
      nodeSelector: { "example.com/tenant": "a" },
      nodePools: [{ name: "tenant-a", namespace: "clusters" }],
    };
    const onKubeVirt = { ...topology, platform: Platform.KubeVirt };
    const { objects, result } = await run(create({ topology: onKubeVirt, workerVirtualMachines }));
    const placement = { platform: { kubevirt: { nodeSelector: { "example.com/tenant": "a" } } } };
    expect(objects.find(({ type }) => type.endsWith("NodePoolPatch"))?.inputs).toEqual({
      apiVersion: "hypershift.openshift.io/v1beta1",
      kind: "NodePool",
      metadata: {
        name: "tenant-a",
        namespace: "clusters",
        annotations: { "pulumi.com/patchFieldManager": "hypershift-network-worker-placement" },
      },
      spec: placement,
    });
    await expect(eventually(result.workerNodePoolFragment)).resolves.toEqual(placement);
    await expect(eventually((await run(create())).result.workerNodePoolFragment)).resolves.toBeUndefined();
  });

  it("report all faults at once, without a stack trace", async () => {
    const wrong = create({ nodes: [], level: "Virtual" as never, removeOnDelete: 1 as never });
    await expect(run(wrong)).rejects.toThrow(/^DedicatedControlPlaneNodes tenant-a: 3 faults\n( .*\n?){3}$/);
    await expect(run(() => new DedicatedControlPlaneNodes("x", undefined as never))).rejects.toThrow(
      /topology +missing/,
    );
  });

  it("refuse an Output that determines which resources exist", async () => {
    const output = pulumi.output([{ name: "worker-1a" }]) as never;
    await expect(run(create({ nodes: output }))).rejects.toThrow(/1 fault\n +nodes +is an Output/);
  });

  it("refuse manageTaints with a provider if kubeconfig is not given", async () => {
    const body = () => {
      const provider = new kubernetes.Provider("management", { kubeconfig: "{}" });
      return create({ manageTaints: true }, { provider })();
    };
    await expect(run(body)).rejects.toThrow(/kubeconfig +missing: the component cannot read the kubeconfig/);
  });

  it("have a preview if the hosted cluster's name is unknown", async () => {
    const reference = { name: unknownValue<string>(), namespace: "clusters" };
    const { objects, failures } = await run(create({ existingHostedCluster: reference }), { preview: true });
    expect(failures).toEqual([]);
    expect(objects).toHaveLength(4);
  });

  it("refuse an Output that resolves to another hosted cluster before any object is created", async () => {
    const reference = { name: pulumi.output("tenant-b"), namespace: "clusters" };
    const { objects, failures } = await run(create({ existingHostedCluster: reference }));
    expect(objects).toEqual([]);
    expect(failures.join("\n")).toMatch(
      /existingHostedCluster\.name +"tenant-b" differs from tenant-a of the topology/,
    );
  });

  it("keep credentials of the topology out of the state", async () => {
    const proxy = { httpProxy: "http://user:secret@proxy.example.com:3128" };
    const { resources } = await run(create({ topology: { ...topology, proxy } }));
    expect(JSON.stringify(resources)).not.toContain("secret@");
  });
});
