import { MigrationPhase, migrationPhases, type MigrationWishes } from "../../src/networkTypeMigration/phases";
import { judgePhase } from "../../src/networkTypeMigration/judge";
import { translations } from "../../src/networkTypeMigration/network";
import { NetworkType } from "../../src/requirements/vocabulary";
import { PlayedCluster } from "./playedCluster";

type Json = { [key: string]: unknown };
const ready: MigrationWishes = { backupsTaken: true, translationsPrepared: true };
const forward = Object.values(MigrationPhase).filter(
  (one) => migrationPhases[one].target === NetworkType.OVNKubernetes,
);
const back = Object.values(MigrationPhase).filter((one) => !forward.includes(one));

/** Carries a phase out, and lets everybody else do their part. Returns what was written. */
function carryOut(cluster: PlayedCluster, phase: MigrationPhase, wishes = ready): string[] {
  const { faults, writes } = judgePhase(phase, cluster.objects, wishes);
  if (faults.length > 0) throw new Error(faults.map(({ path, problem }) => `${path} ${problem}`).join("; "));
  for (const write of writes) cluster.write(write);
  cluster.operatorFollows();
  return writes.map(({ what }) => what);
}
/** The same, with what a person does in between. */
function step(cluster: PlayedCluster, phase: MigrationPhase, wishes = ready): string[] {
  const written = carryOut(cluster, phase, wishes);
  if (phase === MigrationPhase.ChangeNetworkType || phase === MigrationPhase.RollBackNetworkType)
    cluster.reboot();
  cluster.poolsFollow();
  return written;
}
const until = (last: MigrationPhase): PlayedCluster => {
  const cluster = new PlayedCluster();
  for (const phase of forward.slice(0, forward.indexOf(last) + 1)) step(cluster, phase);
  return cluster;
};
const faultsOf = (phase: MigrationPhase, cluster: PlayedCluster, wishes = ready): string[] =>
  judgePhase(phase, cluster.objects, wishes).faults.map(({ path, problem }) => `${path} ${problem}`);

describe("M21 the phases of a migration", () => {
  test("lead to OVN-Kubernetes and back, and a phase that has been carried out writes nothing", () => {
    const cluster = new PlayedCluster();
    for (const phase of [...forward, ...back]) {
      expect([phase, step(cluster, phase).length]).not.toEqual([phase, 0]);
      expect([phase, step(cluster, phase)]).toEqual([phase, []]);
    }
    const { spec, metadata } = cluster.part("config") as { spec: Json; metadata: { annotations: Json } };
    expect(spec).toMatchObject({ networkType: "OpenShiftSDN", serviceNetwork: ["172.30.0.0/16"] });
    expect(metadata.annotations).toEqual({});
  });

  test("each is refused before the one before it, with the phase to run first", () => {
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

  test("none goes back by itself: a phase of earlier is refused with the one to go on with", () => {
    const cluster = until(MigrationPhase.ChangeNetworkType);
    for (const phase of [MigrationPhase.Begin, MigrationPhase.PausePools])
      expect(judgePhase(phase, cluster.objects, ready).faults).toContainEqual({
        path: "Network.config cluster",
        problem: "has OVNKubernetes and not OpenShiftSDN",
        remedy: "go on with phase resumePools",
      });
  });

  test.each([
    [MigrationPhase.Begin, [MigrationPhase.RollBackEnd]],
    [MigrationPhase.PausePools, [MigrationPhase.RollBackResumePools, MigrationPhase.RollBackEnd]],
    [MigrationPhase.ChangeNetworkType, back.slice(2)],
    [MigrationPhase.ResumePools, back.slice(1)],
    [MigrationPhase.EndMigration, back],
    [MigrationPhase.RemoveOldNetwork, back],
  ])("the way back from %s", (last, phases) => {
    const cluster = until(last);
    for (const phase of phases) step(cluster, phase);
    const before = new PlayedCluster();
    expect(cluster.part("config").spec).toEqual(before.part("config").spec);
    expect(cluster.paused).toEqual([false, false]);
    expect((cluster.part("operator").metadata as Json).annotations).toEqual({});
    expect(faultsOf(MigrationPhase.Begin, cluster)).toEqual([]);
  });

  test("a way back that was called off before the type changed needs no restarts", () => {
    const cluster = until(MigrationPhase.RemoveOldNetwork);
    for (const phase of [MigrationPhase.RollBackBegin, MigrationPhase.RollBackPausePools])
      step(cluster, phase);
    for (const phase of [MigrationPhase.ResumePools, MigrationPhase.EndMigration]) step(cluster, phase);
    expect(cluster.paused).toEqual([false, false]);
  });

  test("a migration is called off also where pools are degraded and not updated, unless the type has been changed", () => {
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

  test("a migration that was called off before the type changed needs no restarts, and no good state", () => {
    const cluster = until(MigrationPhase.PausePools);
    cluster.set(cluster.list("operators")[0]!, "status.conditions", []);
    expect(carryOut(cluster, MigrationPhase.RollBackResumePools)).toHaveLength(2);
    cluster.poolsFollow();
    expect(carryOut(cluster, MigrationPhase.RollBackEnd)).toEqual([
      "take the annotation from Network.operator cluster",
    ]);
  });
});

describe("M21 before the migration", () => {
  const fresh = (change: (cluster: PlayedCluster) => void) => {
    const cluster = new PlayedCluster();
    change(cluster);
    return faultsOf(MigrationPhase.Begin, cluster);
  };
  const at = (name: string, path: string, value: unknown) => (cluster: PlayedCluster) =>
    cluster.set(cluster.part(name), path, value);
  const inList = (name: string, path: string, value: unknown) => (cluster: PlayedCluster) =>
    cluster.set(cluster.list(name).at(-1)!, path, value);
  const RELEASE = "status.desired.version";
  const PLATFORM = "status.platformStatus.type";
  const MODE = "spec.defaultNetwork.openshiftSDNConfig.mode";

  test("a cluster in a good state passes, with all that can be set", () => {
    expect(fresh(() => undefined)).toEqual([]);
    expect(fresh(at("operator", MODE, "NetworkPolicy"))).toEqual([]);
  });

  test.each<[string, (cluster: PlayedCluster) => void, string]>([
    ["OpenShift SDN is gone", at("version", RELEASE, "4.17.1"), "4.17 has no OpenShift SDN any more"],
    ["4.8 does it otherwise", at("version", RELEASE, "4.8.0"), "4.8 prepares its nodes by spec.migration"],
    [
      "4.6 does it otherwise",
      at("version", RELEASE, "4.6.9"),
      "4.6 migrates by another procedure, or not at all",
    ],
    [
      "an upgrade",
      at("version", "status.conditions", [{ type: "Progressing", status: "True" }]),
      "ClusterVersion version is in an upgrade",
    ],
    [
      "an upgrade that was not completed",
      at("version", "status.history", [{ state: "Partial" }, { state: "Completed" }]),
      "ClusterVersion version is in an upgrade",
    ],
    ["no release", (cluster) => cluster.without("version"), "ClusterVersion version names no release"],
    [
      "IBM Cloud",
      at("infrastructure", PLATFORM, "IBMCloud"),
      "IBMCloud, where the migration is not supported",
    ],
    ["no platform", at("infrastructure", PLATFORM, "None"), "None, where the migration is not supported"],
    [
      "a hosted cluster",
      (cluster) => cluster.list("pools").splice(0),
      "there are none, as in a hosted cluster",
    ],
    [
      "machines that a user provisioned",
      (cluster) => cluster.set(cluster.list("nodes")[0]!, "metadata.annotations", {}),
      "Node one was not made by the Machine API",
    ],
    ["mode Multitenant", at("operator", MODE, "Multitenant"), "Multitenant, which cannot migrate"],
    ["mode Subnet", at("operator", MODE, "Subnet"), "Subnet, which cannot migrate"],
    ["another type", at("config", "spec.networkType", "Calico"), "has Calico and not OpenShiftSDN"],
    ["the type already", at("config", "spec.networkType", "OVNKubernetes"), "has OVNKubernetes and not"],
    ["a pool that is paused", inList("pools", "spec.paused", true), "MachineConfigPool worker is paused"],
    [
      "a pool whose status is of earlier",
      inList("pools", "metadata.generation", 2),
      "MachineConfigPool worker is not updated: 3 of 3 machines updated",
    ],
    [
      "a degraded pool",
      inList("pools", "status.conditions", [
        { type: "Updated", status: "True" },
        { type: "Degraded", status: "True" },
      ]),
      "MachineConfigPool worker is degraded",
    ],
    [
      "an operator that is not available",
      inList("operators", "status.conditions", []),
      "ClusterOperator dns is not available",
    ],
    [
      "a degraded operator",
      inList("operators", "status.conditions", [
        { type: "Available", status: "True" },
        { type: "Degraded", status: "True" },
      ]),
      "ClusterOperator dns is degraded",
    ],
    ["no operators", (cluster) => cluster.list("operators").splice(0), "ClusterOperators there are none"],
    ["a node that is not ready", inList("nodes", "status.conditions", []), "Node three is not ready"],
    [
      "a cluster network in 100.64.0.0/16",
      at("config", "spec.clusterNetwork", [{ cidr: "100.64.0.0/15", hostPrefix: 23 }]),
      "the cluster network 100.64.0.0/15 overlaps OVN's default join subnet 100.64.0.0/16",
    ],
    [
      "a service network in 100.64.0.0/16",
      at("config", "spec.serviceNetwork", ["100.64.4.0/24"]),
      "the service network 100.64.4.0/24 overlaps",
    ],
    [
      "a node in 100.64.0.0/16",
      inList("nodes", "status.addresses", [{ type: "InternalIP", address: "100.64.0.9" }]),
      "node three 100.64.0.9/32 overlaps",
    ],
    [
      "a hybrid network over the cluster network",
      at("operator", "spec.defaultNetwork.ovnKubernetesConfig.hybridOverlayConfig.hybridClusterNetwork", [
        { cidr: "10.130.0.0/16", hostPrefix: 24 },
      ]),
      "the cluster network 10.128.0.0/14 overlaps the hybrid network 10.130.0.0/16",
    ],
    [
      "a network that does not say its MTU",
      at("config", "status.clusterNetworkMTU", 0),
      "smallestNodeMtu missing, and the status of Network.config does not say",
    ],
    [
      "nodes with small packets",
      at("config", "status.clusterNetworkMTU", 600),
      "smallestNodeMtu 650 leaves a cluster network of 550, and it has 576 to 9216",
    ],
    [
      "VXLAN on the port of Geneve",
      at("operator", "spec.defaultNetwork.openshiftSDNConfig.vxlanPort", 6081),
      "genevePort UDP 6081 is the port of Geneve and of OpenShift SDN's VXLAN",
    ],
  ])("%s is refused with the reason", (_, change, words) => {
    expect(fresh(change)).toEqual([expect.stringContaining(words)]);
  });

  test("a mode that cannot migrate is refused as long as the type has not changed, also where the user began by hand, and never on the way back", () => {
    const cluster = until(MigrationPhase.PausePools);
    at("operator", MODE, "Multitenant")(cluster);
    for (const phase of [MigrationPhase.PausePools, MigrationPhase.ChangeNetworkType])
      expect(faultsOf(phase, cluster)).toEqual([
        expect.stringContaining("Multitenant, which cannot migrate"),
      ]);
    for (const phase of [MigrationPhase.RollBackResumePools, MigrationPhase.RollBackEnd])
      step(cluster, phase);
  });

  test("a mode that is left over from OpenShift SDN keeps no user from waiting for the change", () => {
    const cluster = until(MigrationPhase.ChangeNetworkType);
    at("operator", MODE, "Multitenant")(cluster);
    expect(faultsOf(MigrationPhase.ChangeNetworkType, cluster)).toEqual([]);
  });

  test("all that is wrong is said at once, backups and what has to be written anew among it", () => {
    const cluster = new PlayedCluster();
    const policy = { metadata: { namespace: "shop", name: "default" }, spec: { egress: [{}, {}] } };
    cluster.list("egressNetworkPolicies").push(policy);
    const annotations = { "netnamespace.network.openshift.io/multicast-enabled": "true" };
    cluster.list("netNamespaces").push({ metadata: { name: "shop", annotations }, egressIPs: ["192.0.2.1"] });
    cluster.list("hostSubnets").push({ metadata: { name: "three" }, egressCIDRs: ["192.0.2.0/24"] });
    expect(faultsOf(MigrationPhase.Begin, cluster, {})).toEqual([
      "backupsTaken is not true",
      "EgressNetworkPolicy shop/default 2 rules not taken over",
      "NetNamespace shop addresses 192.0.2.1 not taken over",
      "NetNamespace shop multicast not taken over",
      "HostSubnet three addresses 192.0.2.0/24 not taken over",
    ]);
    expect(faultsOf(MigrationPhase.Begin, cluster)).toEqual([]);
    expect(translations(cluster.objects).map(({ instead }) => instead)[0]).toContain(
      "an EgressFirewall named default",
    );
  });
});

describe("M21 the change of the type", () => {
  const prepared = () => until(MigrationPhase.PausePools);
  const written = (cluster: PlayedCluster, wishes: MigrationWishes) => {
    carryOut(cluster, MigrationPhase.ChangeNetworkType, wishes);
    return (cluster.part("operator").spec as { defaultNetwork: { ovnKubernetesConfig: Json } }).defaultNetwork
      .ovnKubernetesConfig;
  };

  test("writes the MTU of the smallest node less 100, as the network says it or the user", () => {
    expect(written(prepared(), ready)).toEqual({ mtu: 1400 });
    expect(written(prepared(), { ...ready, smallestNodeMtu: 1300, genevePort: 6082 })).toEqual({
      mtu: 1200,
      genevePort: 6082,
    });
  });

  test("takes no node that is smaller than the network reckons with, nor a port that is taken", () => {
    expect(
      faultsOf(MigrationPhase.ChangeNetworkType, prepared(), { ...ready, smallestNodeMtu: 9000 }),
    ).toEqual([
      "smallestNodeMtu 9000 is more than the 1500 bytes that the present cluster network reckons with",
    ]);
    expect(faultsOf(MigrationPhase.ChangeNetworkType, prepared(), { ...ready, genevePort: 4789 })).toEqual([
      "genevePort UDP 4789 is the port of Geneve and of OpenShift SDN's VXLAN",
    ]);
  });

  test("can take another cluster network with it, apart from services and nodes", () => {
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

  test("is over when Multus is rolled out in a newer generation, and pools run again when all nodes restarted", () => {
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
      "whose notes got lost",
      (cluster: PlayedCluster) => {
        for (const write of judgePhase(MigrationPhase.ChangeNetworkType, cluster.objects, ready).writes)
          cluster.write(write);
        cluster.set(cluster.part("config"), "metadata.annotations", {});
      },
    ],
  ])("%s is refused where it is unknown which nodes restarted, and the way back is open", (_, change) => {
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

  test("without notes, ends forward only in a good state", () => {
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

  test("is on the nodes when each pool has a machine configuration of the type", () => {
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

  test("cannot be had with other inputs once it has been carried out", () => {
    const cluster = prepared();
    const network = (cidr: string) => ({ clusterNetwork: [{ cidr, hostPrefix: 24 }] });
    const wishes = { ...ready, smallestNodeMtu: 1300, genevePort: 6082, ...network("10.200.0.0/16") };
    carryOut(cluster, MigrationPhase.ChangeNetworkType, wishes);
    const again = (others: MigrationWishes) =>
      judgePhase(MigrationPhase.ChangeNetworkType, cluster.objects, { ...ready, ...others });
    for (const same of [{}, wishes]) expect(again(same)).toMatchObject({ faults: [], writes: [] });
    expect(again({ smallestNodeMtu: 1400, genevePort: 6081, ...network("10.204.0.0/16") }).faults).toEqual(
      [
        ["smallestNodeMtu", "asks for an MTU of 1300, and the type was changed with 1200"],
        ["genevePort", "asks for 6081, and the type was changed with 6082"],
        [
          "clusterNetwork",
          'asks for [{"cidr":"10.204.0.0/16","hostPrefix":24}], and the type was changed with [{"cidr":"10.200.0.0/16","hostPrefix":24}]',
        ],
      ].map(([path, problem]) => ({
        path,
        problem,
        remedy: "leave it as it was, or go back first with phase rollBackNetworkType",
      })),
    );
  });

  test.each([
    ["waits for nothing where Multus was not rolled out for the other type", 1, []],
    ["waits for Multus where it was", 2, [expect.stringContaining("still the generation from before")]],
  ])("taken back before its status has it %s", (_, generation, waiting) => {
    const cluster = prepared();
    const change = (phase: MigrationPhase) => judgePhase(phase, cluster.objects, ready);
    for (const write of change(MigrationPhase.ChangeNetworkType).writes) cluster.write(write);
    cluster.set(cluster.part("multus"), "metadata.generation", generation);
    cluster.set(cluster.part("multus"), "status.observedGeneration", generation);
    for (const write of change(MigrationPhase.RollBackNetworkType).writes) cluster.write(write);
    expect(change(MigrationPhase.RollBackNetworkType).waiting.map(({ problem }) => problem)).toEqual(waiting);
  });

  test("asks for Multus while pools are paused, and not while they restart nodes", () => {
    const cluster = until(MigrationPhase.ChangeNetworkType);
    cluster.set(cluster.part("multus"), "status.numberAvailable", 2);
    expect(faultsOf(MigrationPhase.ResumePools, cluster)).toEqual([expect.stringContaining("2 available")]);
    cluster.set(cluster.list("pools")[0]!, "spec.paused", false);
    expect(faultsOf(MigrationPhase.ResumePools, cluster)).toEqual([]);
  });

  test("that was taken back by hand stops the migration", () => {
    const cluster = until(MigrationPhase.ChangeNetworkType);
    cluster.set(cluster.part("config"), "spec.networkType", "OpenShiftSDN");
    for (const phase of [MigrationPhase.RollBackResumePools, MigrationPhase.ResumePools])
      expect(faultsOf(phase, cluster)).toContainEqual(
        expect.stringContaining("another program wrote it since"),
      );
  });

  test("that a degraded pool meets waits no longer", () => {
    const cluster = until(MigrationPhase.ResumePools);
    const degraded = [{ type: "Degraded", status: "True" }];
    cluster.set(cluster.list("pools")[1]!, "status.conditions", degraded);
    const { waiting, stopped } = judgePhase(MigrationPhase.ResumePools, cluster.objects, ready);
    expect(waiting).toHaveLength(1);
    expect(stopped.map(({ path }) => path)).toEqual(["MachineConfigPool worker"]);
    expect(faultsOf(MigrationPhase.EndMigration, cluster)).toContain("MachineConfigPool worker is degraded");
  });
});
