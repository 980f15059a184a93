import { MigrationPhase, type MigrationWishes } from "../../src/networkTypeMigration/phases";
import { judgePhase } from "../../src/networkTypeMigration/judge";
import { back, carryOut, faultsOf, forward, ready, step, until } from "./carriedOut";
import { PlayedCluster } from "./playedCluster";

type Json = { [key: string]: unknown };

describe("M21 the phases of a migration", () => {
  test("lead to OVN-Kubernetes and back, and write nothing if carried out again", () => {
    const cluster = new PlayedCluster();
    for (const phase of [...forward, ...back]) {
      expect([phase, step(cluster, phase).length]).not.toEqual([phase, 0]);
      expect([phase, step(cluster, phase)]).toEqual([phase, []]);
    }
    const { spec, metadata } = cluster.part("config") as { spec: Json; metadata: { annotations: Json } };
    expect(spec).toMatchObject({ networkType: "OpenShiftSDN", serviceNetwork: ["172.30.0.0/16"] });
    expect(metadata.annotations).toEqual({});
  });

  test("are refused before their predecessor, and the fix names the phase to run first", () => {
    const done = forward.map((_, place) => forward.slice(0, place));
    const answers = done.map((phases, place) => {
      const cluster = new PlayedCluster();
      for (const phase of phases.slice(0, -1)) step(cluster, phase);
      return place === 0 ? [] : judgePhase(forward[place]!, cluster.objects, ready).faults;
    });
    const remedies = answers.map((faults) => faults.map(({ remedy }) => remedy).join("; "));
    expect(remedies[1]).toContain("run phase begin first");
    expect(remedies[2]).toContain("run phase pausePools first");
    expect(remedies[3]).toContain("run phase changeNetworkType first");
    expect(remedies[4]).toContain("run phase resumePools first");
    expect(remedies[5]).toContain("run phase endMigration first");
  });

  test("are refused after a later phase, and the fix names the phase to continue with", () => {
    const cluster = until(MigrationPhase.ChangeNetworkType);
    for (const phase of [MigrationPhase.Begin, MigrationPhase.PausePools])
      expect(judgePhase(phase, cluster.objects, ready).faults).toContainEqual({
        path: "Network.config cluster",
        problem: "has OVNKubernetes and not OpenShiftSDN",
        remedy: "continue with phase resumePools",
      });
  });

  test.each([
    [MigrationPhase.Begin, [MigrationPhase.RollBackEnd]],
    [MigrationPhase.PausePools, [MigrationPhase.RollBackResumePools, MigrationPhase.RollBackEnd]],
    [MigrationPhase.ChangeNetworkType, back.slice(2)],
    [MigrationPhase.ResumePools, back.slice(1)],
    [MigrationPhase.EndMigration, back],
    [MigrationPhase.RemoveOldNetwork, back],
  ])("can be rolled back from %s", (last, phases) => {
    const cluster = until(last);
    for (const phase of phases) step(cluster, phase);
    const before = new PlayedCluster();
    expect(cluster.part("config").spec).toEqual(before.part("config").spec);
    expect(cluster.paused).toEqual([false, false]);
    expect((cluster.part("operator").metadata as Json).annotations).toEqual({});
    expect(faultsOf(MigrationPhase.Begin, cluster)).toEqual([]);
  });

  test("need no restarts if a rollback is cancelled before the type changes", () => {
    const cluster = until(MigrationPhase.RemoveOldNetwork);
    for (const phase of [MigrationPhase.RollBackBegin, MigrationPhase.RollBackPausePools])
      step(cluster, phase);
    for (const phase of [MigrationPhase.ResumePools, MigrationPhase.EndMigration]) step(cluster, phase);
    expect(cluster.paused).toEqual([false, false]);
  });

  test("can be rolled back with degraded pools unless the type was changed", () => {
    const degraded = [{ type: "Degraded", status: "True" }];
    const called = until(MigrationPhase.Begin);
    called.set(called.list("pools")[1]!, "status.conditions", degraded);
    expect(faultsOf(MigrationPhase.RollBackEnd, called)).toEqual([]);
    const changed = until(MigrationPhase.ResumePools);
    for (const phase of back.slice(1, 4)) step(changed, phase);
    changed.set(changed.list("pools")[1]!, "status.conditions", degraded);
    expect(faultsOf(MigrationPhase.RollBackEnd, changed)).toEqual([
      "MachineConfigPool worker is not updated: 3 of 3 machines updated",
      "MachineConfigPool worker is degraded",
    ]);
  });

  test("need no restarts and no healthy operators if cancelled before the type changes", () => {
    const cluster = until(MigrationPhase.PausePools);
    cluster.set(cluster.list("operators")[0]!, "status.conditions", []);
    expect(carryOut(cluster, MigrationPhase.RollBackResumePools)).toHaveLength(2);
    cluster.poolsFollow();
    expect(carryOut(cluster, MigrationPhase.RollBackEnd)).toEqual([
      "take the annotation from Network.operator cluster",
    ]);
  });
});

describe("M21 the change of the network type", () => {
  const prepared = () => until(MigrationPhase.PausePools);
  const written = (cluster: PlayedCluster, wishes: MigrationWishes) => {
    carryOut(cluster, MigrationPhase.ChangeNetworkType, wishes);
    return (cluster.part("operator").spec as { defaultNetwork: { ovnKubernetesConfig: Json } }).defaultNetwork
      .ovnKubernetesConfig;
  };

  test("writes an MTU 100 below that of the smallest node, from the network status or the user", () => {
    expect(written(prepared(), ready)).toEqual({ mtu: 1400 });
    expect(written(prepared(), { ...ready, smallestNodeMtu: 1300, genevePort: 6082 })).toEqual({
      mtu: 1200,
      genevePort: 6082,
    });
  });

  test("keeps an existing port, and overwrites the MTU", () => {
    const cluster = prepared();
    const others = { genevePort: 6085, mtu: 8900 };
    cluster.set(cluster.part("operator"), "spec.defaultNetwork.ovnKubernetesConfig", others);
    expect(written(cluster, ready)).toEqual({ genevePort: 6085, mtu: 1400 });
  });

  test("writes nothing a second time, because the network operator would refuse it", () => {
    const cluster = prepared();
    written(cluster, ready);
    cluster.set(cluster.part("operator"), "spec.defaultNetwork.ovnKubernetesConfig", {});
    expect(judgePhase(MigrationPhase.ChangeNetworkType, cluster.objects, ready).writes).toEqual([]);
  });

  test("uses its own MTU after it was written, whatever the status says", () => {
    const cluster = prepared();
    for (const write of judgePhase(MigrationPhase.ChangeNetworkType, cluster.objects, ready).writes)
      cluster.write(write);
    for (const status of [{}, { networkType: "OpenShiftSDN", clusterNetworkMTU: 1400 }]) {
      cluster.set(cluster.part("config"), "status", status);
      expect(faultsOf(MigrationPhase.ChangeNetworkType, cluster)).toEqual([]);
    }
  });

  test("refuses a smallestNodeMtu above that of the network, and a port in use", () => {
    expect(
      faultsOf(MigrationPhase.ChangeNetworkType, prepared(), { ...ready, smallestNodeMtu: 9000 }),
    ).toEqual(["smallestNodeMtu 9000 is more than the 1500 bytes that the current cluster network assumes"]);
    expect(faultsOf(MigrationPhase.ChangeNetworkType, prepared(), { ...ready, genevePort: 4789 })).toEqual([
      "genevePort UDP 4789 is the port of both Geneve and OpenShift SDN's VXLAN",
    ]);
  });

  test("accepts another cluster network unless it overlaps services or nodes", () => {
    const cluster = prepared();
    const network = (cidr: string) => ({ ...ready, clusterNetwork: [{ cidr, hostPrefix: 24 }] });
    expect(faultsOf(MigrationPhase.ChangeNetworkType, cluster, network("10.0.0.0/16"))).toHaveLength(3);
    carryOut(cluster, MigrationPhase.ChangeNetworkType, network("10.200.0.0/16"));
    expect(cluster.part("config").spec).toEqual({
      networkType: "OVNKubernetes",
      clusterNetwork: [{ cidr: "10.200.0.0/16", hostPrefix: 24 }],
      serviceNetwork: ["172.30.0.0/16"],
    });
  });

  test("is done after Multus rolled out, and pools resume only after all nodes restarted", () => {
    const cluster = prepared();
    const { writes } = judgePhase(MigrationPhase.ChangeNetworkType, cluster.objects, ready);
    for (const write of writes) cluster.write(write);
    const waiting = () =>
      judgePhase(MigrationPhase.ChangeNetworkType, cluster.objects, ready).waiting.map(
        ({ problem }) => problem,
      );
    expect(waiting()).toEqual([expect.stringContaining("still the generation from before the change")]);
    cluster.operatorFollows();
    expect(waiting()).toEqual([]);
    cluster.set(cluster.part("multus"), "status.numberAvailable", 2);
    expect(waiting()).toEqual(["generation 2, 3 of 3 pods updated, 2 available"]);
    cluster.set(cluster.part("multus"), "status.numberAvailable", 3);
    expect(faultsOf(MigrationPhase.ResumePools, cluster)).toEqual([
      "Node one, two, three 3 of 3 not restarted since the network type changed",
    ]);
    cluster.reboot(cluster.list("nodes").slice(1));
    expect(faultsOf(MigrationPhase.ResumePools, cluster)).toEqual([
      "Node one 1 of 3 not restarted since the network type changed",
    ]);
    cluster.reboot(cluster.list("nodes").slice(0, 1));
    expect(faultsOf(MigrationPhase.ResumePools, cluster)).toEqual([]);
  });

  test.each([
    [
      "changed by hand",
      (cluster: PlayedCluster) => cluster.set(cluster.part("config"), "spec.networkType", "OVNKubernetes"),
    ],
    [
      "whose annotation was lost",
      (cluster: PlayedCluster) => {
        for (const write of judgePhase(MigrationPhase.ChangeNetworkType, cluster.objects, ready).writes)
          cluster.write(write);
        cluster.set(cluster.part("config"), "metadata.annotations", {});
      },
    ],
  ])("%s blocks resuming pools, because restarts are unknown, but allows a rollback", (_, change) => {
    const cluster = prepared();
    change(cluster);
    cluster.operatorFollows();
    cluster.poolsFollow();
    expect(faultsOf(MigrationPhase.ResumePools, cluster)).toEqual([
      expect.stringContaining("has no annotation hypershift-network/migration"),
    ]);
    for (const phase of back.slice(2)) step(cluster, phase);
    expect(cluster.paused).toEqual([false, false]);
    expect(faultsOf(MigrationPhase.Begin, cluster)).toEqual([]);
  });

  test("without its annotation, can end only with healthy nodes and operators", () => {
    const cluster = until(MigrationPhase.ResumePools);
    cluster.set(cluster.part("config"), "metadata.annotations", {});
    expect(faultsOf(MigrationPhase.EndMigration, cluster)).toEqual([]);
    cluster.set(cluster.list("nodes")[2]!, "status.conditions", []);
    cluster.set(cluster.list("operators")[1]!, "status.conditions", []);
    expect(faultsOf(MigrationPhase.EndMigration, cluster)).toEqual([
      "Node three is not ready",
      "ClusterOperator dns is not available",
    ]);
  });

  test("is complete on nodes when every pool has a machine configuration of the new type", () => {
    const cluster = until(MigrationPhase.ResumePools);
    const worker = cluster.list("pools")[1]!;
    const waiting = () =>
      judgePhase(MigrationPhase.ResumePools, cluster.objects, ready).waiting.map(({ problem }) => problem);
    expect(waiting()).toEqual([]);
    for (const part of ["spec", "status"])
      cluster.set(worker, `${part}.configuration.name`, "rendered-worker-OpenShiftSDN");
    const without =
      "has the machine configuration rendered-worker-OpenShiftSDN without configure-ovs.sh OVNKubernetes";
    expect(waiting()).toEqual([without]);
    expect(faultsOf(MigrationPhase.EndMigration, cluster)).toEqual([`MachineConfigPool worker ${without}`]);
    cluster.set(worker, "spec.configuration.name", "rendered-worker-OVNKubernetes");
    expect(waiting()).toEqual(["is not updated: 3 of 3 machines updated"]);
    cluster.set(worker, "spec.configuration", {});
    expect(waiting()).toContain("names no machine configuration");
  });

  test("refuses other inputs after it was carried out", () => {
    const cluster = prepared();
    const network = (cidr: string) => ({ clusterNetwork: [{ cidr, hostPrefix: 24 }] });
    const wishes = { ...ready, smallestNodeMtu: 1300, genevePort: 6082, ...network("10.200.0.0/16") };
    carryOut(cluster, MigrationPhase.ChangeNetworkType, wishes);
    const again = (others: MigrationWishes) =>
      judgePhase(MigrationPhase.ChangeNetworkType, cluster.objects, { ...ready, ...others });
    for (const same of [{}, wishes]) expect(again(same)).toMatchObject({ faults: [], writes: [] });
    expect(again({ smallestNodeMtu: 1400, genevePort: 6081, ...network("10.204.0.0/16") }).faults).toEqual(
      [
        ["smallestNodeMtu", "requests an MTU of 1300, but the type was changed with 1200"],
        ["genevePort", "requests 6081, but the type was changed with 6082"],
        [
          "clusterNetwork",
          'requests [{"cidr":"10.204.0.0/16","hostPrefix":24}], but the type was changed with [{"cidr":"10.200.0.0/16","hostPrefix":24}]',
        ],
      ].map(([path, problem]) => ({
        path,
        problem,
        remedy:
          "write the value with which the type was changed, or go back first with phase rollBackNetworkType",
      })),
    );
  });

  const old = [expect.stringContaining("still the generation from before")];
  test.each([
    ["does not wait if Multus was not rolled out for the other type", "OpenShiftSDN", 1, []],
    ["waits for Multus if it was rolled out", "OpenShiftSDN", 2, old],
    ["waits for Multus if the operator has the other type", "OVNKubernetes", 1, old],
  ])("rolled back before the status follows %s", (_, status, generation, waiting) => {
    const cluster = prepared();
    const change = (phase: MigrationPhase) => judgePhase(phase, cluster.objects, ready);
    for (const write of change(MigrationPhase.ChangeNetworkType).writes) cluster.write(write);
    cluster.set(cluster.part("config"), "status.networkType", status);
    cluster.set(cluster.part("multus"), "metadata.generation", generation);
    cluster.set(cluster.part("multus"), "status.observedGeneration", generation);
    for (const write of change(MigrationPhase.RollBackNetworkType).writes) cluster.write(write);
    expect(change(MigrationPhase.RollBackNetworkType).waiting.map(({ problem }) => problem)).toEqual(waiting);
  });

  test("requires Multus while all pools are paused, but not while nodes restart", () => {
    const cluster = until(MigrationPhase.ChangeNetworkType);
    cluster.set(cluster.part("multus"), "status.numberAvailable", 2);
    expect(faultsOf(MigrationPhase.ResumePools, cluster)).toEqual([expect.stringContaining("2 available")]);
    cluster.set(cluster.list("pools")[0]!, "spec.paused", false);
    expect(faultsOf(MigrationPhase.ResumePools, cluster)).toEqual([]);
  });

  test("stops the migration if it was reverted by hand", () => {
    const cluster = until(MigrationPhase.ChangeNetworkType);
    cluster.set(cluster.part("config"), "spec.networkType", "OpenShiftSDN");
    for (const phase of [MigrationPhase.RollBackResumePools, MigrationPhase.ResumePools])
      expect(faultsOf(phase, cluster)).toContainEqual(
        expect.stringContaining("another program has changed it since"),
      );
  });

  test("stops waiting at a degraded pool", () => {
    const cluster = until(MigrationPhase.ResumePools);
    const degraded = [{ type: "Degraded", status: "True" }];
    cluster.set(cluster.list("pools")[1]!, "status.conditions", degraded);
    const { waiting, stopped } = judgePhase(MigrationPhase.ResumePools, cluster.objects, ready);
    expect(waiting).toHaveLength(1);
    expect(stopped.map(({ path }) => path)).toEqual(["MachineConfigPool worker"]);
    expect(faultsOf(MigrationPhase.EndMigration, cluster)).toContain("MachineConfigPool worker is degraded");
  });
});
