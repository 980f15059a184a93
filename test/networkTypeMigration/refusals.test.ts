import { translations } from "../../src/networkTypeMigration/network";
import { parseRecord } from "../../src/networkTypeMigration/cluster";
import { migrationInputFaults, judgePhase } from "../../src/networkTypeMigration/judge";
import { MigrationPhase, type MigrationWishes } from "../../src/networkTypeMigration/phases";
import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";
import { expectGolden } from "../objects/golden";
import { faultsOf, ready, step, until } from "./carriedOut";
import { PlayedCluster } from "./playedCluster";

type Change = (cluster: PlayedCluster) => void;
const at =
  (name: string, path: string, value: unknown): Change =>
  (cluster) =>
    cluster.set(cluster.part(name), path, value);
/** In the last object of a list. */
const inList =
  (name: string, path: string, value: unknown): Change =>
  (cluster) =>
    cluster.set(cluster.list(name).at(-1)!, path, value);
const without =
  (name: string): Change =>
  (cluster) =>
    cluster.without(name);
const all =
  (...changes: Change[]): Change =>
  (cluster) =>
    changes.forEach((change) => change(cluster));
const conditions = (...types: string[]) => types.map((type) => ({ type, status: "True" }));

const RELEASE = "status.desired.version";
const PLATFORM = "status.platformStatus.type";
const MODE = "spec.defaultNetwork.openshiftSDNConfig.mode";
const MTU = "status.clusterNetworkMTU";
const HYBRID = "spec.defaultNetwork.ovnKubernetesConfig.hybridOverlayConfig.hybridClusterNetwork";
const V6 = [
  { cidr: "10.128.0.0/14", hostPrefix: 23 },
  { cidr: "fd01::/48", hostPrefix: 64 },
];
const node = (address: string) => inList("nodes", "status.addresses", [{ type: "InternalIP", address }]);
const {
  Begin,
  PausePools,
  ChangeNetworkType,
  ResumePools,
  EndMigration,
  RemoveOldNetwork,
  RollBackBegin,
  RollBackPausePools,
  RollBackNetworkType,
  RollBackRemoveNewNetwork,
} = MigrationPhase;

/** Changes to an installed cluster because of which the migration must not begin. */
const beginnings: [string, Change][] = [
  ["OpenShift SDN is gone", at("version", RELEASE, "4.17.1")],
  ["4.8 does it otherwise", at("version", RELEASE, "4.8.0")],
  ["4.6 does it otherwise", at("version", RELEASE, "4.6.9")],
  ["OpenShift 3", at("version", RELEASE, "3.11.0")],
  ["an upgrade", at("version", "status.conditions", conditions("Progressing"))],
  [
    "an upgrade that was not completed",
    at("version", "status.history", [{ state: "Partial" }, { state: "Completed" }]),
  ],
  ["no release", without("version")],
  ["IBM Cloud", at("infrastructure", PLATFORM, "IBMCloud")],
  ["no cloud", at("infrastructure", PLATFORM, "None")],
  ["a platform that nothing says", without("infrastructure")],
  ["a hosted cluster", (cluster) => void cluster.list("pools").splice(0)],
  [
    "machines that a user provisioned",
    (cluster) => cluster.set(cluster.list("nodes")[0]!, "metadata.annotations", {}),
  ],
  [
    "machines that a user provisioned, by the newer label",
    (cluster) =>
      cluster.set(cluster.list("nodes")[1]!, "metadata", {
        name: "two",
        labels: { "node-role.kubernetes.io/control-plane": "" },
      }),
  ],
  ["mode Multitenant", at("operator", MODE, "Multitenant")],
  ["mode Subnet", at("operator", MODE, "Subnet")],
  ["another type", at("config", "spec.networkType", "Calico")],
  ["no type", at("config", "spec.networkType", undefined)],
  ["the type already", at("config", "spec.networkType", "OVNKubernetes")],
  [
    "the type already, and what allows its change",
    all(
      at("config", "spec.networkType", "OVNKubernetes"),
      at("operator", "metadata.annotations", { "networkoperator.openshift.io/network-migration": "" }),
    ),
  ],
  ["a pool that is paused", inList("pools", "spec.paused", true)],
  ["a pool whose status is of earlier", inList("pools", "metadata.generation", 2)],
  ["a pool that is changing", inList("pools", "status.conditions", conditions("Updated", "Updating"))],
  ["a pool that counts nothing yet", inList("pools", "status", {})],
  ["a degraded pool", inList("pools", "status.conditions", conditions("Updated", "Degraded"))],
  ["an operator that is not available", inList("operators", "status.conditions", [])],
  ["a degraded operator", inList("operators", "status.conditions", conditions("Available", "Degraded"))],
  ["no operators", (cluster) => void cluster.list("operators").splice(0)],
  ["a node that is not ready", inList("nodes", "status.conditions", [])],
  ["no nodes", (cluster) => void cluster.list("nodes").splice(0)],
  [
    "a cluster network in 100.64.0.0/16",
    at("config", "spec.clusterNetwork", [{ cidr: "100.64.0.0/15", hostPrefix: 23 }]),
  ],
  ["a service network in 100.64.0.0/16", at("config", "spec.serviceNetwork", ["100.64.4.0/24"])],
  ["a node in 100.64.0.0/16", node("100.64.0.9")],
  [
    "a hybrid network over the cluster network",
    at("operator", HYBRID, [{ cidr: "10.130.0.0/16", hostPrefix: 24 }]),
  ],
  [
    "a hybrid network over a node of IPv6",
    all(node("fd00::9"), at("operator", HYBRID, [{ cidr: "fd00::/64", hostPrefix: 80 }])),
  ],
  ["a network whose MTU is not known yet", at("config", MTU, 0)],
  ["a network that does not say its MTU", at("config", MTU, undefined)],
  ["a network of no type", at("config", "status.networkType", "Calico")],
  ["nodes with small packets", at("config", MTU, 600)],
  [
    "nodes with packets too small for IPv6",
    all(at("config", MTU, 1329), at("config", "spec.clusterNetwork", V6)),
  ],
  ["nodes with packets larger than a network has", at("config", MTU, 9267)],
  ["VXLAN on the port of Geneve", at("operator", "spec.defaultNetwork.openshiftSDNConfig.vxlanPort", 6081)],
];

const HANDMADE = all(
  at("config", "spec.networkType", "OVNKubernetes"),
  at("config", "status.networkType", "OVNKubernetes"),
);
/** Changes to a cluster after a phase because of which a later phase is refused. */
const later: [MigrationPhase, string, () => PlayedCluster, Change, MigrationWishes?][] = [
  [PausePools, "nothing began", () => new PlayedCluster(), () => undefined],
  [ChangeNetworkType, "pools that run", () => until(Begin), () => undefined],
  [ChangeNetworkType, "one pool that runs", () => until(PausePools), inList("pools", "spec.paused", false)],
  [ChangeNetworkType, "a type that others changed", () => until(PausePools), HANDMADE],
  [ChangeNetworkType, "another type", () => until(PausePools), at("config", "spec.networkType", "Calico")],
  [
    ChangeNetworkType,
    "smaller nodes",
    () => until(PausePools),
    () => undefined,
    { ...ready, smallestNodeMtu: 1501 },
  ],
  [
    ChangeNetworkType,
    "a cluster network over services and nodes",
    () => until(PausePools),
    () => undefined,
    {
      ...ready,
      clusterNetwork: [
        { cidr: "10.0.0.0/30", hostPrefix: 31 },
        { cidr: "172.30.0.0/20", hostPrefix: 24 },
      ],
    },
  ],
  [ResumePools, "the old type", () => until(PausePools), () => undefined],
  [ResumePools, "no type", () => until(ChangeNetworkType), at("config", "spec.networkType", undefined)],
  [
    ResumePools,
    "the old type again",
    () => until(ChangeNetworkType),
    at("config", "spec.networkType", "OpenShiftSDN"),
  ],
  [ResumePools, "no Multus", () => until(ChangeNetworkType), without("multus")],
  [
    ResumePools,
    "Multus on the way",
    () => until(ChangeNetworkType),
    at("multus", "status.numberAvailable", 2),
  ],
  [
    ResumePools,
    "nodes of before",
    () => until(PausePools),
    all(
      HANDMADE,
      at("config", "metadata.annotations", {
        "hypershift-network/migration":
          '{"target":"OVNKubernetes","multusGeneration":0,"boots":["0001three000"]}',
      }),
    ),
  ],
  [ResumePools, "a change by others", () => until(PausePools), HANDMADE],
  [
    ResumePools,
    "a change by others, with the configuration on some machines",
    () => until(PausePools),
    all(HANDMADE, inList("pools", "status.configuration.name", "rendered-worker-OVNKubernetes")),
  ],
  [EndMigration, "pools that are paused", () => until(ChangeNetworkType), () => undefined],
  [
    EndMigration,
    "a status with the old type",
    () => until(ResumePools),
    at("config", "status.networkType", "OpenShiftSDN"),
  ],
  [
    EndMigration,
    "a status without a type",
    () => until(ResumePools),
    at("config", "status.networkType", undefined),
  ],
  [
    EndMigration,
    "a pool with the old machine configuration",
    () => until(ResumePools),
    all(
      inList("pools", "spec.configuration.name", "rendered-worker-OpenShiftSDN"),
      inList("pools", "status.configuration.name", "rendered-worker-OpenShiftSDN"),
    ),
  ],
  [EndMigration, "a pool without one", () => until(ResumePools), inList("pools", "spec.configuration", {})],
  [
    EndMigration,
    "nodes that are to get another one",
    () => until(ResumePools),
    inList("nodes", "metadata.annotations", {
      "machineconfiguration.openshift.io/currentConfig": "rendered-1",
      "machineconfiguration.openshift.io/desiredConfig": "rendered-2",
      "machineconfiguration.openshift.io/state": "Done",
    }),
  ],
  [
    EndMigration,
    "nodes that are getting theirs",
    () => until(ResumePools),
    inList("nodes", "metadata.annotations", {
      "machineconfiguration.openshift.io/currentConfig": "rendered-1",
      "machineconfiguration.openshift.io/desiredConfig": "rendered-1",
      "machineconfiguration.openshift.io/state": "Working",
    }),
  ],
  [RemoveOldNetwork, "a migration that has not ended", () => until(ResumePools), () => undefined],
  [RemoveOldNetwork, "its notes", () => until(ResumePools), at("operator", "metadata.annotations", {})],
  [
    RemoveOldNetwork,
    "a pool that is paused",
    () => until(EndMigration),
    inList("pools", "spec.paused", true),
  ],
  [RollBackBegin, "the old type", () => new PlayedCluster(), () => undefined],
  [RollBackPausePools, "nothing began", () => until(EndMigration), () => undefined],
  [RollBackNetworkType, "pools that run", () => until(ResumePools), () => undefined],
  [RollBackRemoveNewNetwork, "the new type", () => until(EndMigration), () => undefined],
];

const section = (title: string, phase: MigrationPhase, cluster: PlayedCluster, wishes = ready): string =>
  [
    `${phase}: ${title}`,
    ...judgePhase(phase, cluster.objects, wishes).faults.map(
      ({ path, problem, remedy }) => `  ${path} ${problem}\n    ${remedy}`,
    ),
  ].join("\n");

describe("M21 the refusals of phases", () => {
  const begun = () =>
    beginnings.map(([title, change]) => {
      const cluster = new PlayedCluster();
      change(cluster);
      return section(title, Begin, cluster);
    });
  const further = () =>
    later.map(([phase, title, behind, change, wishes]) => {
      const cluster = behind();
      change(cluster);
      return section(title, phase, cluster, wishes);
    });

  test("match the golden file, with problems and fixes", () => {
    expectGolden("migration/refusals.txt", `${[...begun(), ...further()].join("\n\n")}\n`);
  });

  test("name exactly one fault if one thing is wrong before the migration begins", () => {
    expect(begun().filter((text) => text.split("\n").length !== 3)).toEqual([]);
  });
});

describe("M21 phases accept", () => {
  test.each<[string, Change]>([
    ["a cluster in a good state", () => undefined],
    ["mode NetworkPolicy", at("operator", MODE, "NetworkPolicy")],
    ["an empty mode", at("operator", MODE, "")],
    ["workers that a user provisioned", inList("nodes", "metadata.annotations", {})],
    [
      "host names and external addresses within OVN's join subnet",
      inList("nodes", "status.addresses", [
        { type: "Hostname", address: "100.64.0.9" },
        { type: "ExternalIP", address: "100.64.0.10" },
      ]),
    ],
    ["the smallest MTU", at("config", MTU, 626)],
    ["the largest MTU", at("config", MTU, 9266)],
    ["the smallest MTU with IPv6", all(at("config", MTU, 1330), at("config", "spec.clusterNetwork", V6))],
  ])("%s", (_, change) => {
    const cluster = new PlayedCluster();
    change(cluster);
    expect(faultsOf(Begin, cluster)).toEqual([]);
  });

  test("no mode that cannot migrate until the type has changed, except in a rollback", () => {
    const cluster = until(PausePools);
    at("operator", MODE, "Multitenant")(cluster);
    for (const phase of [PausePools, ChangeNetworkType])
      expect(faultsOf(phase, cluster)).toEqual([
        expect.stringContaining("Multitenant, which cannot migrate"),
      ]);
    for (const phase of [MigrationPhase.RollBackResumePools, MigrationPhase.RollBackEnd])
      step(cluster, phase);
  });

  test("a mode that is left over from OpenShift SDN after the type was changed", () => {
    const cluster = until(ChangeNetworkType);
    at("operator", MODE, "Multitenant")(cluster);
    expect(faultsOf(ChangeNetworkType, cluster)).toEqual([]);
  });
});

test("M21 all faults are reported at once, including missing backups and objects to translate", () => {
  const cluster = new PlayedCluster();
  const policy = { metadata: { namespace: "shop", name: "default" }, spec: { egress: [{}, {}] } };
  cluster.list("egressNetworkPolicies").push(policy);
  const multicast = (value: string) => ({
    "netnamespace.network.openshift.io/multicast-enabled": value,
  });
  cluster
    .list("netNamespaces")
    .push(
      { metadata: { name: "shop", annotations: multicast("true") }, egressIPs: ["192.0.2.1", "192.0.2.2"] },
      { metadata: { name: "bank", annotations: multicast("false") } },
    );
  cluster.list("hostSubnets").push({ metadata: { name: "three" }, egressCIDRs: ["192.0.2.0/24"] });
  expect(judgePhase(Begin, cluster.objects, {}).faults).toEqual([
    {
      path: "backupsTaken",
      problem: "is not true",
      remedy:
        "back up etcd, run `oc get Network.config.openshift.io cluster -o yaml > cluster-openshift-sdn.yaml`, then set it to true",
    },
    ...translations(cluster.objects).map(({ object, what, instead }) => ({
      path: object,
      problem: `${what} not taken over`,
      remedy: `prepare ${instead}, then set translationsPrepared to true`,
    })),
  ]);
  expect(translations(cluster.objects).map(({ object, what }) => `${object}: ${what}`)).toEqual([
    "EgressNetworkPolicy shop/default: 2 rules",
    "NetNamespace shop: addresses 192.0.2.1, 192.0.2.2",
    "NetNamespace shop: multicast",
    "HostSubnet three: addresses 192.0.2.0/24",
  ]);
  expect(faultsOf(Begin, cluster)).toEqual([]);
  expect(translations(cluster.objects)[0]?.instead).toContain("an EgressFirewall named default");
});

describe("M21 inputs of a migration", () => {
  const said = (inputs: Record<string, PropertyValue>) =>
    migrationInputFaults({ phase: "begin", ...inputs }).map(
      ({ path, problem, remedy }) => `${path} ${problem}: ${remedy}`,
    );
  const part = (cidr: string, hostPrefix: PropertyValue): Record<string, PropertyValue> => ({
    clusterNetwork: [{ cidr, hostPrefix }],
  });

  test.each<[Record<string, PropertyValue>]>([
    [{}],
    [{ vxlanPort: 4790 }],
    [{ vxlanPort: 4790, genevePort: 6082 }],
    [{ vxlanPort: 6081, genevePort: 6082 }],
    [{ vxlanPort: UNKNOWN, genevePort: UNKNOWN }],
    [part("10.200.0.0/16", 17)],
    [part("10.200.0.0/16", 30)],
    [part("fd02::/48", 125)],
    [part("10.200.0.0/16", UNKNOWN)],
  ])("%j are accepted", (inputs) => expect(said(inputs)).toEqual([]));

  test.each<[Record<string, PropertyValue>, string]>([
    [
      { vxlanPort: 6081 },
      "vxlanPort 6081 is also the port of Geneve: choose another one: nodes have both overlay networks",
    ],
    [
      { vxlanPort: 6082, genevePort: 6082 },
      "vxlanPort 6082 is also the port of Geneve: choose another one: nodes have both overlay networks",
    ],
    [
      part("10.200.0.0/16", 16),
      "clusterNetwork[0].hostPrefix 16 is not a prefix length for the subnet of a node: write a whole number from 17 to 30",
    ],
    [
      part("10.200.0.0/16", 31),
      "clusterNetwork[0].hostPrefix 31 is not a prefix length for the subnet of a node: write a whole number from 17 to 30",
    ],
    [
      part("fd02::/48", 126),
      "clusterNetwork[0].hostPrefix 126 is not a prefix length for the subnet of a node: write a whole number from 49 to 125",
    ],
    [{ clusterNetwork: [] }, "clusterNetwork is empty: write a list with cidr and hostPrefix"],
  ])("%j are refused", (inputs, fault) => expect(said(inputs)).toEqual([fault]));
});

test.each([
  undefined,
  "",
  "null",
  "{",
  '{"target":"Calico","multusGeneration":1,"boots":[]}',
  '{"target":"OVNKubernetes","boots":[]}',
  '{"target":"OVNKubernetes","multusGeneration":1}',
])("M21 an annotation with %j is not a record of a migration", (text) =>
  expect(parseRecord(text)).toBeUndefined(),
);
