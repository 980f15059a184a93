import {
  dedicatedNodeLabels,
  hostedClusterFragment,
  kubeletConfigFragment,
  machineConfigFragment,
  machineSetFragment,
  nodePoolFragment,
  virtualMachineFragment,
} from "../../src/dedicatedNodes/fragments";
import { nodeTaints } from "../../src/dedicatedNodes/taints";
import { TaintEffect, TolerationOperator } from "../../src/requirements/dedicatedNodes";
import { type PropertyValue, UNKNOWN } from "../../src/resources/resource";
import { CLUSTER, CONTROL_PLANE, DOCUMENTED, faults, judged, topology } from "./judged";

const { NoSchedule } = TaintEffect;

describe("M12 labels and taints of nodes dedicated to one hosted control plane", () => {
  const options = { controlPlaneNamespace: "clusters-tenant-a" };
  const dedicated = { key: CLUSTER, value: "clusters-tenant-a", effect: NoSchedule };

  it("have HyperShift's key as label and taint, and the documented key only as label", () => {
    expect(dedicatedNodeLabels(options)).toEqual({
      [CLUSTER]: "clusters-tenant-a",
      [DOCUMENTED]: "clusters-tenant-a",
    });
    expect(nodeTaints("clusters-tenant-a", {})).toEqual([dedicated]);
  });

  it("have the key of control planes in general as label and taint with reserveForControlPlanes", () => {
    const reserved = { ...options, reserveForControlPlanes: true };
    expect(dedicatedNodeLabels(reserved)).toEqual({
      [CLUSTER]: "clusters-tenant-a",
      [DOCUMENTED]: "clusters-tenant-a",
      [CONTROL_PLANE]: "true",
    });
    expect(nodeTaints("clusters-tenant-a", reserved)).toEqual([
      { key: CONTROL_PLANE, value: "true", effect: NoSchedule },
      dedicated,
    ]);
  });

  it("are selected for pods by HyperShift's label", () => {
    expect(hostedClusterFragment(options)).toEqual({ nodeSelector: { [CLUSTER]: "clusters-tenant-a" } });
    const tolerations = [{ key: "example.com/team", operator: TolerationOperator.Exists }];
    expect(hostedClusterFragment({ ...options, tolerations })).toMatchObject({ tolerations });
  });

  it("are part of the fragments for NodePools, MachineSets, and kubelet and machine configurations", () => {
    const labels = dedicatedNodeLabels(options);
    expect(nodePoolFragment(options)).toEqual({ nodeLabels: labels, taints: [dedicated] });
    expect(nodePoolFragment({ ...options, hostSelector: { rack: "a" } })).toMatchObject({
      platform: { kubevirt: { nodeSelector: { rack: "a" } } },
    });
    expect(machineSetFragment(options)).toEqual({
      template: { spec: { metadata: { labels }, taints: [dedicated] } },
    });
    expect(kubeletConfigFragment(options)).toEqual({ kubeletConfig: { registerWithTaints: [dedicated] } });
    const contents = `[Service]\nEnvironment="CUSTOM_KUBELET_LABELS=${CLUSTER}=clusters-tenant-a,${DOCUMENTED}=clusters-tenant-a"\n`;
    const dropins = [{ name: "40-dedicated-control-plane.conf", contents }];
    expect(machineConfigFragment(options)).toEqual({
      config: { ignition: { version: "3.2.0" }, systemd: { units: [{ name: "kubelet.service", dropins }] } },
    });
  });

  it("have a counterpart for virtual machines: a node selector of their NodePool", () => {
    expect(virtualMachineFragment({ rack: "a" })).toEqual({
      platform: { kubevirt: { nodeSelector: { rack: "a" } } },
    });
  });
});

describe("M12 virtual machines of a hosted cluster on KubeVirt", () => {
  const onKubeVirt = { topology: { ...topology, platform: "KubeVirt" } };
  const workers = (workerVirtualMachines: object) => ({ ...onKubeVirt, workerVirtualMachines });

  it("are placed by node labels, with a warning for existing NodePools", () => {
    expect(judged(workers({ nodeSelector: { rack: "a" } }))).toEqual({ faults: [], warnings: [] });
    const nodePools = [{ name: "tenant-a", namespace: "clusters" }];
    expect(judged(workers({ nodeSelector: { rack: "a" }, nodePools })).warnings).toEqual([
      "workerVirtualMachines.nodePools get a node selector, so HyperShift replaces their virtual machines: use a maintenance window for the first deployment and for changes of the selector",
    ]);
  });

  it("are not checked against a faulty topology, nor for an unknown namespace", () => {
    const unnamed = { topology: { ...topology, platform: "KubeVirt", name: undefined } };
    const nodePools = (namespace: PropertyValue) => [{ name: "np", namespace }];
    const given = { nodeSelector: { rack: "a" }, nodePools: nodePools("others") };
    expect(faults({ ...unnamed, workerVirtualMachines: given })).toEqual([
      expect.stringMatching(/^topology\.name missing/),
    ]);
    expect(faults(workers({ ...given, nodePools: nodePools(UNKNOWN) }))).toEqual([]);
  });

  it.each([CLUSTER, CONTROL_PLANE, DOCUMENTED])(
    "cannot be placed by %s, whose taint they do not tolerate",
    (key) => {
      expect(faults(workers({ nodeSelector: { [key]: "clusters-tenant-a" } }))).toEqual([
        `workerVirtualMachines.nodeSelector.${key} selects nodes of control planes, whose taint virtual machines do not tolerate: none would start: select other nodes, by a label of your own`,
      ]);
    },
  );

  it.each<[string, object, string]>([
    [
      "another platform",
      { workerVirtualMachines: { nodeSelector: { rack: "a" } } },
      "workerVirtualMachines is given, but on AWS the nodes of a hosted cluster are not virtual machines of the management cluster: leave it out",
    ],
    [
      "a list instead of an object",
      workers([]),
      "workerVirtualMachines a list is not an object: write { nodeSelector: ... }",
    ],
    ["no selector", workers({}), "workerVirtualMachines.nodeSelector missing: write labels of nodes"],
    [
      "an empty selector",
      workers({ nodeSelector: {} }),
      "workerVirtualMachines.nodeSelector is empty, which selects every node: write labels, or leave it out",
    ],
    [
      "an invalid label value",
      workers({ nodeSelector: { rack: "a b" } }),
      'workerVirtualMachines.nodeSelector.rack "a b" is not a label value: write a string of at most 63 letters, digits, hyphens, dots and underscores, in quotes',
    ],
    [
      "a NodePool in another namespace",
      workers({ nodeSelector: { rack: "a" }, nodePools: [{ name: "np", namespace: "others" }] }),
      'workerVirtualMachines.nodePools[0].namespace "others" is not the namespace of the HostedCluster, in which its NodePools are: write clusters',
    ],
    [
      "an empty list of NodePools",
      workers({ nodeSelector: { rack: "a" }, nodePools: [] }),
      "workerVirtualMachines.nodePools is empty: write a list of name and namespace",
    ],
    [
      "a hostSelector that is a string",
      { hostSelector: "rack-1" },
      "hostSelector is not a map: write labels as key: value",
    ],
    [
      "an empty hostSelector",
      { hostSelector: {} },
      "hostSelector is empty, which selects every node: write labels, or leave it out",
    ],
  ])("are refused for %s", (_, inputs, fault) => {
    expect(faults(inputs)).toEqual([fault]);
  });
});
