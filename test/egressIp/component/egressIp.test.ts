import * as kubernetes from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import { EgressAssignableNodes, EgressIP } from "../../../src/egressIp/component/egressIp";
import { LabelSelectorOperator, Platform } from "../../../src";
import type { EgressAssignableNodesArgs, EgressIPArgs } from "../../../src/egressIp/component/egressIpArgs";
import { eventually } from "../../components/eventually";
import { run, unknownValue } from "../../components/program";

const prod: EgressIPArgs = {
  addresses: ["192.168.126.10", "192.168.126.102"],
  namespaceSelector: { matchLabels: { env: "prod" } },
  nodes: ["node1", "node3"],
  nodeSubnets: ["192.168.64.0/18"],
};
const create =
  (args: Partial<EgressIPArgs> = {}, name = "prod", opts?: pulumi.ComponentResourceOptions) =>
  () =>
    new EgressIP(name, { ...prod, ...args }, opts);

describe("M16 egress IP addresses for the pods of namespaces", () => {
  it("label their nodes, and create an EgressIP object", async () => {
    const { objects, warnings } = await run(create());
    const label = { "k8s.ovn.org/egress-assignable": "" };
    expect(objects).toEqual([
      {
        type: "kubernetes:core/v1:NodePatch",
        name: "prod-node1",
        inputs: { apiVersion: "v1", kind: "Node", metadata: { name: "node1", labels: label } },
      },
      {
        type: "kubernetes:core/v1:NodePatch",
        name: "prod-node3",
        inputs: { apiVersion: "v1", kind: "Node", metadata: { name: "node3", labels: label } },
      },
      {
        type: "kubernetes:k8s.ovn.org/v1:EgressIP",
        name: "prod",
        inputs: {
          apiVersion: "k8s.ovn.org/v1",
          kind: "EgressIP",
          metadata: { name: "prod" },
          spec: {
            egressIPs: ["192.168.126.10", "192.168.126.102"],
            namespaceSelector: { matchLabels: { env: "prod" } },
          },
        },
      },
    ]);
    expect(warnings).toEqual([]);
  });

  it("are created after all labels, because the first labelled node would get all of them", async () => {
    const made: string[] = [];
    await run(create(), {
      answer: (type, name, state) => {
        made.push(type);
        return { id: name, state };
      },
    });
    const object = made.findIndex((type) => type.endsWith(":EgressIP") && type.startsWith("kubernetes:"));
    const patches = made.flatMap((type, position) => (type.endsWith(":NodePatch") ? [position] : []));
    expect(patches).toHaveLength(2);
    expect(Math.max(...patches)).toBeLessThan(object);
  });

  it("are written in their canonical form, with every operator of selectors", async () => {
    const { objects, result } = await run(
      create({
        objectName: "egress-group2",
        addresses: [pulumi.output("2001:DB8:0:0::A")],
        nodeSubnets: ["2001:db8::/64"],
        namespaceSelector: {
          matchExpressions: [
            { key: "environment", operator: LabelSelectorOperator.NotIn, values: ["development"] },
            { key: "team", operator: LabelSelectorOperator.Exists },
          ],
        },
        podSelector: { matchLabels: { app: pulumi.output("web") } },
        labels: { team: "a" },
      }),
    );
    expect(objects.at(-1)!.inputs).toMatchObject({
      metadata: { name: "egress-group2", labels: { team: "a" } },
      spec: {
        egressIPs: ["2001:db8::a"],
        namespaceSelector: {
          matchExpressions: [
            { key: "environment", operator: "NotIn", values: ["development"] },
            { key: "team", operator: "Exists" },
          ],
        },
        podSelector: { matchLabels: { app: "web" } },
      },
    });
    await expect(eventually(result.addresses)).resolves.toEqual(["2001:db8::a"]);
    await expect(eventually(result.objectName)).resolves.toBe("egress-group2");
  });

  it("take over a label from other field managers only with forcePatch", async () => {
    const { objects } = await run(create({ forcePatch: true }));
    expect(objects[0]!.inputs).toMatchObject({
      metadata: { annotations: { "pulumi.com/patchForce": "true" } },
    });
  });

  it("note once per program that they are not used for Routes", async () => {
    const { notes } = await run(() => {
      create()();
      create({ addresses: ["192.168.126.11"], namespaceSelector: { matchLabels: { env: "qa" } } }, "qa")();
    });
    expect(notes).toEqual([expect.stringMatching(/not used for requests of pods to Routes/)]);
  });

  it("report all faults at once, without a stack", async () => {
    expect.assertions(2);
    try {
      await run(create({ addresses: ["192.0.2.1", "192.168.126.10/32"], nodes: ["node1"] }));
    } catch (error) {
      expect((error as pulumi.ResourceError).hideStack).toBe(true);
      expect((error as Error).message).toMatch(
        /^EgressIP prod: 3 faults\n {2}addresses\[0\] .*\n {2}addresses\[1\] .*\n {2}addresses {5}2 addresses for 1 node/,
      );
    }
  });

  it("name the missing inputs if there are no inputs at all", async () => {
    await expect(run(() => new EgressIP("prod", undefined as never))).rejects.toThrow(
      /addresses +missing.*\n +namespaceSelector +missing/,
    );
  });

  it.each<[string, Partial<EgressIPArgs>, string]>([
    ["nodes", { nodes: pulumi.output(["node1", "node3"]) as never }, "nodes  is an Output"],
    ["one node", { nodes: [pulumi.output("node1") as never, "node3"] }, "nodes[0]  is an Output"],
    ["a platform", { platform: pulumi.output("AWS") as never }, "platform  is an Output"],
    ["a release", { release: pulumi.output("4.20") as never }, "release  is an Output"],
  ])("refuse %s from an Output, because the input must be plain", async (_, args, fault) => {
    await expect(run(create(args))).rejects.toThrow(fault);
  });

  it("create no patches or object if an Output turns out to be invalid", async () => {
    const { objects, failures } = await run(create({ addresses: [pulumi.output("192.0.2.1")] }));
    expect(objects).toEqual([]);
    expect(failures).toEqual([
      expect.stringContaining("addresses[0]  192.0.2.1 lies outside the subnets of the nodes"),
    ]);
  });

  it("show the others in a preview that does not know one address", async () => {
    const { objects, failures } = await run(create({ addresses: [unknownValue(), "192.168.126.102"] }), {
      preview: true,
    });
    expect(failures).toEqual([]);
    expect(JSON.stringify(objects.at(-1)!.inputs.spec)).toContain("192.168.126.102");
  });

  it("output the topology without credentials, and read the subnets from it", async () => {
    const topology = {
      name: "tenant-a",
      platform: Platform.Agent,
      release: "4.20",
      machineNetwork: [{ cidr: "192.168.64.0/18" }],
      proxy: { httpProxy: "http://me:hunter2@proxy.example.com:3128" },
    };
    const { nodeSubnets: _, nodes: __, ...rest } = prod;
    const args = { ...rest, assignableNodeCount: 2, topology };
    const { resources, result, warnings } = await run(() => new EgressIP("prod", args));
    expect(warnings).toEqual([]);
    await expect(eventually(result.topology!)).resolves.toMatchObject({ namespace: "clusters" });
    expect(JSON.stringify(resources)).not.toContain("hunter2");
  });
});

describe("M16 several egress IP objects of one program", () => {
  const other = (args: Partial<EgressIPArgs> = {}, opts?: pulumi.ComponentResourceOptions) =>
    run(() => {
      create()();
      create(
        { addresses: ["192.168.126.11"], namespaceSelector: { matchLabels: { env: "qa" } }, ...args },
        "other",
        opts,
      )();
    });

  it("can share nodes", async () => {
    const { failures, objects } = await other();
    expect(failures).toEqual([]);
    expect(objects).toHaveLength(6);
  });

  it.each<[string, Partial<EgressIPArgs>, string]>([
    [
      "the same address",
      { addresses: ["192.168.126.10"] },
      "addresses  192.168.126.10 is in use by EgressIP prod: choose another address",
    ],
    [
      "the same pods",
      { namespaceSelector: { matchLabels: { env: "prod" } }, podSelector: { matchLabels: { app: "web" } } },
      "namespaceSelector  selects the same pods as EgressIP prod (namespaces: env=prod; pods: everything), and it is not defined whose addresses they get",
    ],
    [
      "the same name",
      { objectName: "prod" },
      "objectName  prod already has an EgressIP object: EgressIP prod",
    ],
  ])("are refused with %s", async (_, args, fault) => {
    await expect(other(args)).rejects.toThrow(fault);
    const eventual = Object.entries(args).map(([key, value]) => [key, pulumi.output(value)]);
    const { failures } = await other(Object.fromEntries(eventual) as Partial<EgressIPArgs>);
    expect(failures.join()).toContain(fault);
  });

  it("cause a warning if both could select the same pods", async () => {
    const { warnings } = await other({ namespaceSelector: { matchLabels: { team: "a" } } });
    expect(warnings).toEqual([
      "namespaceSelector may select the same pods as EgressIP prod (namespaces: env=prod; pods: everything), and it is not defined " +
        "whose addresses they get: give the two selectors different values of one label",
    ]);
  });

  it("do not conflict in different clusters", async () => {
    const { failures } = await run(() => {
      create()();
      create({}, "other", { provider: new kubernetes.Provider("other-cluster", {}) })();
    });
    expect(failures).toEqual([]);
  });
});

describe("M16 nodes that can hold egress IP addresses", () => {
  const label = (args: EgressAssignableNodesArgs) => () => new EgressAssignableNodes("egress", args);
  const nodePools = [{ name: "tenant-a", namespace: "clusters" }];

  it("are labelled individually", async () => {
    const { objects } = await run(label({ nodes: ["node1", "node2"] }));
    expect(objects.map(({ type, name }) => `${type} ${name}`)).toEqual([
      "kubernetes:core/v1:NodePatch egress-node1",
      "kubernetes:core/v1:NodePatch egress-node2",
    ]);
  });

  it("are labelled by the NodePool of a hosted cluster, on the management cluster", async () => {
    const { objects, warnings, result } = await run(label({ nodePools, forcePatch: true }));
    expect(objects).toEqual([
      {
        type: "kubernetes:hypershift.openshift.io/v1beta1:NodePoolPatch",
        name: "egress-clusters-tenant-a",
        inputs: {
          apiVersion: "hypershift.openshift.io/v1beta1",
          kind: "NodePool",
          metadata: {
            name: "tenant-a",
            namespace: "clusters",
            annotations: { "pulumi.com/patchForce": "true" },
          },
          spec: { nodeLabels: { "k8s.ovn.org/egress-assignable": "" } },
        },
      },
    ]);
    expect(warnings).toEqual([
      "nodePools label only nodes that join from now on: HyperShift applies labels once, when it creates a node: label the existing " +
        "nodes with a second component, in the hosted cluster, by their names",
    ]);
    await expect(eventually(result.nodeLabels)).resolves.toEqual({ "k8s.ovn.org/egress-assignable": "" });
  });

  it.each<[string, EgressAssignableNodesArgs, string]>([
    ["no inputs", undefined as never, "nodes  missing, and so is nodePools"],
    ["an Output", { nodes: pulumi.output(["a"]) as never }, "nodes  is an Output"],
    [
      "an Output in a NodePool",
      { nodePools: [{ name: pulumi.output("a") as never, namespace: "clusters" }] },
      "nodePools[0].name  is an Output",
    ],
  ])("with %s are refused", async (_, args, fault) => {
    await expect(run(label(args))).rejects.toThrow(fault);
  });
});
