import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Session } from "../../local/session";
import { DedicatedControlPlaneNodes } from "../../src/dedicatedNodes/component/dedicatedControlPlaneNodes";
import { Platform } from "../../src";
import type { DedicatedControlPlaneNodesArgs } from "../../src/dedicatedNodes/component/dedicatedControlPlaneNodesArgs";
import { Bench, fine, kubectl, kubectlWith, live } from "./conformance/kubernetesBench";
import { interpose, type Interposer } from "./interposer";
import { sharedSession } from "./sharedSession";

const CLUSTER = "hypershift.openshift.io/cluster";
const CONTROL_PLANE = "hypershift.openshift.io/control-plane";
const DOCUMENTED = "hypershift.openshift.io/hosted-cluster";
const taint = (key: string, value: string) => ({ key, value, effect: "NoSchedule" });
const unreachable = {
  key: "node.kubernetes.io/unreachable",
  effect: "NoExecute",
  timeAdded: "2026-01-02T03:04:05Z",
};
/** The API server sets this taint on every new node. */
const notReady = { key: "node.kubernetes.io/not-ready", effect: "NoSchedule" };

/** The real engine and its dynamic provider, the real API server with the product's CRDs. */
describe("dedicated nodes", () => {
  const folder = mkdtempSync(join(tmpdir(), "dedicated-nodes-"));
  let session: Session;
  let front: Interposer;
  const benches: Bench[] = [];
  const open = async (name: string) => {
    const bench = await Bench.open(session, name);
    benches.push(bench);
    return bench;
  };
  const create = (object: object, ...flags: string[]) =>
    kubectlWith(session, JSON.stringify(object), "create", "--validate=strict", ...flags, "-f", "-");
  const node = (name: string, labels = {}, spec = {}) =>
    create({ apiVersion: "v1", kind: "Node", metadata: { name, labels }, spec });
  const taintsOf = (name: string) => live(session, "node", name)?.spec?.taints;
  const labelsOf = (name: string) => live(session, "node", name)?.metadata.labels;
  /** Creates three nodes with that name prefix, which others have labelled and tainted. */
  const three = (name: string) => {
    const names = ["a", "b", "c"].map((letter) => `${name}-${letter}`);
    for (const one of names) node(one, { team: "x" }, { taints: [unreachable] });
    return names;
  };
  const dedicate =
    (tenant: string, names: string[], more: Partial<DedicatedControlPlaneNodesArgs> = {}) =>
    () => {
      const topology = { name: tenant, platform: Platform.KubeVirt, release: "4.20" };
      const nodes = names.map((name) => ({ name }));
      const dedicated = new DedicatedControlPlaneNodes(tenant, {
        topology,
        nodes,
        manageTaints: true,
        ...more,
      });
      return Promise.resolve({ placement: dedicated.hostedClusterFragment });
    };

  beforeAll(async () => {
    session = await sharedSession(folder);
    front = await interpose(session.kubernetes);
    create({ apiVersion: "v1", kind: "Namespace", metadata: { name: "clusters" } });
  });
  afterAll(async () => {
    front?.close();
    for (const bench of benches) bench.close();
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("M12 get labels and taints in addition to those of others, which up and destroy keep", async () => {
    const names = three("full");
    const bench = await open("full");
    const program = (more = {}) => dedicate("tenant-a", names, { removeOnDelete: true, ...more });
    fine(await bench.preview(program()));
    expect(labelsOf("full-a")).toEqual({ team: "x" });
    fine(await bench.up(program()));
    const labels = { team: "x", [CLUSTER]: "clusters-tenant-a", [DOCUMENTED]: "clusters-tenant-a" };
    for (const name of names) {
      expect(labelsOf(name)).toEqual(labels);
      expect(taintsOf(name)).toEqual([unreachable, notReady, taint(CLUSTER, "clusters-tenant-a")]);
    }
    expect(Object.keys(fine(await bench.up(program())).changes)).toEqual(["same"]);

    kubectl(session, "taint", "node", "full-b", "maintenance=yes:NoSchedule");
    const { changes } = fine(await bench.up(program({ reserveForControlPlanes: true })));
    expect(Object.keys(changes).sort()).toEqual(["same", "update"]);
    expect(labelsOf("full-b")).toEqual({ ...labels, [CONTROL_PLANE]: "true" });
    const theirs = [taint("maintenance", "yes"), unreachable, notReady];
    expect(taintsOf("full-b")).toEqual(expect.arrayContaining([...theirs, taint(CONTROL_PLANE, "true")]));

    fine(await bench.destroy());
    expect(labelsOf("full-b")).toEqual({ team: "x" });
    expect(taintsOf("full-b")).toEqual(theirs);
    expect(taintsOf("full-a")).toEqual([unreachable, notReady]);
  });

  test("M12 keep labels and taints when the component is destroyed, and accept a new component of the same cluster", async () => {
    const names = three("kept");
    const bench = await open("kept");
    fine(await bench.up(dedicate("tenant-b", names)));
    fine(await bench.destroy());
    expect(labelsOf("kept-a")).toMatchObject({ [CLUSTER]: "clusters-tenant-b" });
    expect(taintsOf("kept-a")).toEqual([unreachable, notReady, taint(CLUSTER, "clusters-tenant-b")]);
    fine(await (await open("kept-again")).up(dedicate("tenant-b", names)));
  });

  test("M12 keep taints that a concurrent writer adds during up or destroy", async () => {
    const names = three("busy");
    const bench = await open("busy");
    let writes = 2;
    front.beforeWrite = () => {
      if (writes-- > 0) kubectl(session, "taint", "node", "busy-a", `theirs-${writes}=yes:NoSchedule`);
    };
    const more = { kubeconfig: front.kubeconfig, removeOnDelete: true, dedicatedNodeCount: 3 };
    fine(await bench.up(dedicate("tenant-c", names.slice(0, 1), more)));
    expect(front.answers).toEqual([409, 409, 200]);
    const theirs = [taint("theirs-0", "yes"), taint("theirs-1", "yes"), unreachable, notReady];
    const inAnyOrder = (taints: object[]) => expect.arrayContaining(taints) as unknown;
    expect(taintsOf("busy-a")).toEqual(inAnyOrder([...theirs, taint(CLUSTER, "clusters-tenant-c")]));
    writes = 1;
    kubectl(session, "taint", "node", "busy-a", "theirs-0-");
    fine(await bench.destroy());
    front.beforeWrite = () => undefined;
    expect(taintsOf("busy-a")).toEqual(inAnyOrder(theirs));
    expect(taintsOf("busy-a")).toHaveLength(theirs.length);
  });

  test("M12 of another hosted cluster cause a conflict that names the owner, and stay unchanged", async () => {
    const names = three("taken");
    fine(await (await open("owner")).up(dedicate("tenant-d", names)));
    const outcome = await (await open("thief")).up(dedicate("tenant-e", names));
    expect(outcome.ok).toBe(false);
    expect(outcome.output).toContain("hypershift-network-dedicated-nodes-clusters-tenant-d");
    expect(labelsOf("taken-a")).toMatchObject({ [CLUSTER]: "clusters-tenant-d" });
    expect(taintsOf("taken-a")).toEqual([unreachable, notReady, taint(CLUSTER, "clusters-tenant-d")]);
  });

  describe("M12 the placement of a hosted cluster", () => {
    const nodePort = { type: "NodePort", nodePort: { address: "192.0.2.10" } };
    const release = { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" };
    const hostedCluster = (name: string) => ({
      apiVersion: "hypershift.openshift.io/v1beta1",
      kind: "HostedCluster",
      metadata: { name, namespace: "clusters" },
      spec: {
        release,
        pullSecret: { name: "pull-secret" },
        sshKey: {},
        nodeSelector: { "node-role.kubernetes.io/infra": "" },
        etcd: {
          managementType: "Managed",
          managed: { storage: { type: "PersistentVolume", persistentVolume: { size: "8Gi" } } },
        },
        platform: { type: "KubeVirt", kubevirt: {} },
        networking: {
          networkType: "OVNKubernetes",
          clusterNetwork: [{ cidr: "10.136.0.0/14" }],
          serviceNetwork: [{ cidr: "172.31.0.0/16" }],
        },
        services: ["APIServer", "OAuthServer", "Konnectivity", "Ignition"].map((service) => ({
          service,
          servicePublishingStrategy: nodePort,
        })),
      },
    });
    const nodePool = (name: string) => ({
      apiVersion: "hypershift.openshift.io/v1beta1",
      kind: "NodePool",
      metadata: { name, namespace: "clusters" },
      spec: {
        clusterName: name,
        replicas: 2,
        management: { autoRepair: false, upgradeType: "Replace" },
        platform: {
          type: "KubeVirt",
          kubevirt: {
            rootVolume: { type: "Persistent", persistent: { size: "32Gi" } },
            nodeSelector: { gpu: "no" },
          },
        },
        release,
      },
    });
    const selectorOf = (name: string) =>
      live(session, "hostedcluster", name, "-n", "clusters")?.spec?.nodeSelector;
    const poolSelectorOf = (name: string) => {
      const platform = live(session, "nodepool", name, "-n", "clusters")?.spec?.platform;
      return (platform as { kubevirt: { nodeSelector: object } }).kubevirt.nodeSelector;
    };
    const infra = { "node-role.kubernetes.io/infra": "" };

    test("is added to the entries of others, is updated in place, and is removed with removeOnDelete", async () => {
      const names = three("placed");
      create(hostedCluster("tenant-f"));
      create(nodePool("tenant-f"));
      const bench = await open("placed");
      const program = (rack: string) =>
        dedicate("tenant-f", names, {
          existingHostedCluster: { name: "tenant-f", namespace: "clusters" },
          workerVirtualMachines: {
            nodeSelector: { "example.com/rack": rack },
            nodePools: [{ name: "tenant-f", namespace: "clusters" }],
          },
          removeOnDelete: true,
        });
      const { output } = fine(await bench.up(program("rack-1")));
      expect(output).toMatch(/existingHostedCluster gets a node selector, so HyperShift moves every pod/);
      expect(selectorOf("tenant-f")).toEqual({ ...infra, [CLUSTER]: "clusters-tenant-f" });
      expect(poolSelectorOf("tenant-f")).toEqual({ gpu: "no", "example.com/rack": "rack-1" });
      const { changes } = fine(await bench.up(program("rack-2")));
      expect(Object.keys(changes).sort()).toEqual(["same", "update"]);
      expect(poolSelectorOf("tenant-f")).toEqual({ gpu: "no", "example.com/rack": "rack-2" });
      fine(await bench.destroy());
      expect(selectorOf("tenant-f")).toEqual(infra);
      expect(poolSelectorOf("tenant-f")).toEqual({ gpu: "no" });
      expect(labelsOf("placed-a")).toEqual({ team: "x" });
    });

    test("stays after destroy by default, with the node labels that it needs", async () => {
      const names = three("stays");
      create(hostedCluster("tenant-g"));
      const bench = await open("stays");
      const existingHostedCluster = { name: "tenant-g", namespace: "clusters" };
      fine(await bench.up(dedicate("tenant-g", names, { existingHostedCluster })));
      fine(await bench.destroy());
      expect(selectorOf("tenant-g")).toEqual({ ...infra, [CLUSTER]: "clusters-tenant-g" });
      expect(labelsOf("stays-a")).toMatchObject({ [CLUSTER]: "clusters-tenant-g" });
    });

    test("is accepted by the server as a fragment of a new HostedCluster", async () => {
      const taints = [taint(CLUSTER, "clusters-tenant-h")];
      const nodeLabels = { [CLUSTER]: "clusters-tenant-h", [DOCUMENTED]: "clusters-tenant-h" };
      const pool = nodePool("tenant-h");
      create({ ...pool, spec: { ...pool.spec, nodeLabels, taints } }, "--dry-run=server");
      const bench = await open("fragments");
      const outcome = await bench.up(dedicate("tenant-h", three("made")));
      fine(outcome);
      const { placement } = (await bench.outputs()) as { placement: object };
      expect(placement).toEqual({ nodeSelector: { [CLUSTER]: "clusters-tenant-h" } });
      const cluster = hostedCluster("tenant-h");
      create({ ...cluster, spec: { ...cluster.spec, ...placement } }, "--dry-run=server");
    });
  });
});
