import { readPrefix } from "../../src/address";
import { type Reserved, ReservedRanges } from "../../src/fleet/deployed";
import { byKey } from "../../src/fleet/document";
import { readFleet } from "../../src/fleet/fleet";
import { addressPlanConflict, conflictsAmong, judgeLedger } from "../../src/fleet/judge";
import { type LedgerEntry, readLedgerEntry } from "../../src/fleet/ledger";
import type { Finding } from "../../src/gate/finding";
import { JudgedResources } from "../../src/gate/judgedResources";
import { findings } from "../../src/gate/rule";
import { Lines } from "../../src/plan/inputs";
import { readManifests } from "../../src/plan/manifests";

const API = "hypershift-network/v1";

function entry(name: string, spec: object = {}): LedgerEntry {
  const plan = {
    apiVersion: API,
    kind: "AddressPlan",
    metadata: { name },
    spec: { platform: "AWS", ...spec },
  };
  const { entry: read, faults } = readLedgerEntry(plan);
  expect(faults).toEqual([]);
  return read!;
}

const machines = (...blocks: string[]) => ({ machineNetwork: blocks.map((cidr) => ({ cidr })) });

describe("conflicts among ranges of clusters", () => {
  const said = (...given: Parameters<typeof conflictsAmong>) =>
    conflictsAmong(...given).map(
      ({ range, other, witness }) =>
        `${range.name} ${range.prefix.text} - ${other.name} ${other.prefix.text}: ${witness}`,
    );
  const [a, b] = [entry("a", machines("10.0.0.0/24")), entry("b", machines("10.0.0.128/25"))];
  const onB =
    "the machine network of clusters/b 10.0.0.128/25 - the machine network of clusters/a 10.0.0.0/24: 10.0.0.128";
  const onA =
    "the machine network of clusters/a 10.0.0.0/24 - the machine network of clusters/b 10.0.0.128/25: 10.0.0.128";

  test("are reported for the later cluster by name, or for the cluster that is not deployed yet", () => {
    expect([said([a, b]), said([b, a])]).toEqual([[onB], [onB]]);
    expect(said([a, b], [], (one) => one === a)).toEqual([onB]);
    expect(said([a, b], [], (one) => one === b)).toEqual([onA]);
    expect(said([a, b], [], () => true)).toEqual([onB]);
  });

  test("include overlaps with taken networks, but not overlaps among those networks", () => {
    const around = ["10.0.0.0/25", "10.0.0.0/8"].map((cidr, at) => ({
      name: `n${at}`,
      prefix: readPrefix(cidr)!,
    }));
    expect(said([], around)).toEqual([]);
    expect(said([a], around.slice(0, 1))).toEqual([
      "the machine network of clusters/a 10.0.0.0/24 - the network n0 10.0.0.0/25: 10.0.0.0",
    ]);
    expect(said([b], around.slice(1), () => true)).toEqual([
      "the machine network of clusters/b 10.0.0.128/25 - the network n1 10.0.0.0/8: 10.0.0.128",
    ]);
  });

  test("exclude a kind that both clusters reuse, but not two ranges of one cluster", () => {
    const join = { internalJoinSubnet: "100.96.0.0/24" };
    const reused = { ...join, reused: ["internalJoinSubnet"] };
    const transit = { internalTransitSwitchSubnet: "100.96.0.0/24", reused: ["internalTransitSwitchSubnet"] };
    expect(said([entry("a", reused), entry("b", reused), entry("c", reused)])).toEqual([]);
    expect(
      said([entry("a", reused), entry("b", { ...reused, internalJoinSubnet: "100.96.0.0/25" })]),
    ).toEqual([]);
    const [joinOf, transitOf] = ["join", "transit switch"].map(
      (which) => `OVN's ${which} subnet of clusters/`,
    );
    const shared = (one: string, other: string) => [
      `${one} 100.96.0.0/24 - ${other} 100.96.0.0/24: 100.96.0.0`,
    ];
    expect(said([entry("a", join), entry("b", reused)])).toEqual(shared(`${joinOf}b`, `${joinOf}a`));
    expect(said([entry("a", reused), entry("b", join)])).toEqual(shared(`${joinOf}b`, `${joinOf}a`));
    expect(said([entry("a", reused), entry("b", transit)])).toEqual(shared(`${transitOf}b`, `${joinOf}a`));
    const twice = { ...machines("10.0.0.0/24", "10.0.0.0/25"), reused: ["machineNetwork"] };
    expect(said([entry("a", twice)])).toEqual([
      "the machine network of clusters/a 10.0.0.0/25 - the machine network of clusters/a 10.0.0.0/24: 10.0.0.0",
    ]);
  });

  test("include overlaps with the addresses that the cluster itself reserves by default", () => {
    expect(said([entry("a", machines("172.20.0.0/16"))])).toEqual([
      "the machine network of clusters/a 172.20.0.0/16 - the address at which nodes reach the API server of clusters/a 172.20.0.1/32: 172.20.0.1",
    ]);
  });
});

describe("the ranges that a cluster reserves by default", () => {
  const texts = ({ now, later }: Reserved) =>
    [now, later].map((list) => list.map(({ prefix }) => prefix.text));
  const ALWAYS = [
    "169.254.0.0/17",
    "169.254.169.0/29",
    "172.20.0.1/32",
    "0.0.0.0/8",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "224.0.0.0/4",
    "240.0.0.0/4",
  ];
  const DEFAULTS = ["10.132.0.0/14", "172.31.0.0/16", "100.64.0.0/16", "100.88.0.0/16"];
  const LATER = ["100.65.0.0/16", "172.17.0.0/16"];
  const all = {
    clusterNetwork: [{ cidr: "10.0.0.0/16" }],
    serviceNetwork: [{ cidr: "10.1.0.0/16" }],
    internalJoinSubnet: "100.96.0.0/16",
    internalTransitSwitchSubnet: "100.97.0.0/16",
  };
  const { clusterNetwork, serviceNetwork } = all;

  test.each<[what: string, spec: object, now: string[], later: string[]]>([
    ["no range", { release: "4.20" }, [...DEFAULTS, ...ALWAYS], LATER],
    ["no range and no release", {}, [...DEFAULTS, ...ALWAYS], LATER],
    ["every kind of range", { release: "4.20", ...all }, ALWAYS, LATER],
    ["a cluster network", { release: "4.20", clusterNetwork }, [...DEFAULTS.slice(1), ...ALWAYS], LATER],
    [
      "a service network",
      { release: "4.20", serviceNetwork },
      [DEFAULTS[0]!, ...DEFAULTS.slice(2), ...ALWAYS],
      LATER,
    ],
    [
      "a join subnet",
      { release: "4.20", internalJoinSubnet: "100.96.0.0/16" },
      [...DEFAULTS.slice(0, 2), DEFAULTS[3]!, ...ALWAYS],
      LATER,
    ],
  ])("are those of an entry with %s", (_, spec, now, later) => {
    expect(texts(new ReservedRanges().ofEntry(entry("a", spec)))).toEqual([now, later]);
  });

  test("are of the address family of its cluster and service networks only", () => {
    const six = { clusterNetwork: [{ cidr: "fd10::/48" }], serviceNetwork: [{ cidr: "fd11::/112" }] };
    const [now, other] = ["fd12::/64", "10.0.0.0/24"].map((own) => {
      const spec = { release: "4.14", platform: "KubeVirt", ...machines(own), ...six };
      return texts(new ReservedRanges().ofEntry(entry("a", spec)))[0];
    });
    expect(other).toEqual(now);
    expect(now).toEqual([
      "fd99::/64",
      "fd97::/64",
      "fd69::/125",
      "fd00::1/128",
      "::1/128",
      "fe80::/10",
      "ff00::/8",
    ]);
  });

  test("are the same for a planned cluster as for an entry with the ranges of its pools", () => {
    const pools = {
      clusterNetwork: ["10.0.0.0/16"],
      serviceNetwork: ["10.1.0.0/16"],
      internalJoinSubnet: ["100.96.0.0/16"],
      internalTransitSwitchSubnet: ["100.97.0.0/16"],
    };
    const clusters = ["4.20", "4.14", undefined].map((release, at) => ({
      name: `c${at}`,
      platform: "AWS",
      nodes: 3,
      ...(release && { release }),
    }));
    const { fleet } = readFleet({ apiVersion: API, kind: "Fleet", spec: { pools, clusters } });
    const reserved = fleet!.clusters.map((cluster) =>
      texts(new ReservedRanges().ofCluster(cluster, fleet!.pools)),
    );
    const none = { clusterNetwork, serviceNetwork };
    const same = [{ release: "4.20", ...all }, { release: "4.14", ...none }, all].map((spec) =>
      texts(new ReservedRanges().ofEntry(entry("a", spec))),
    );
    expect(reserved).toEqual(same);
    expect(reserved[1]).not.toEqual(reserved[0]);
  });
});

test("reserved ranges are computed once for entries that reserve the same", () => {
  const reserved = new ReservedRanges();
  const [a, b, c] = [
    entry("a", machines("10.0.0.0/24")),
    entry("b", machines("10.0.1.0/24")),
    entry("c", { release: "4.20" }),
  ];
  expect(reserved.ofEntry(a)).toBe(reserved.ofEntry(b));
  expect(reserved.ofEntry(a)).not.toBe(reserved.ofEntry(c));
  const [four, six] = ["10.0.0.0/16", "fd10::/48"].map((cidr) =>
    reserved.ofEntry(entry("d", { clusterNetwork: [{ cidr }] })),
  );
  expect(four).not.toBe(six);
});

describe("the exact findings of address-plan-conflict for", () => {
  const file = (name: string, spec: string) =>
    `\napiVersion: ${API}\nkind: AddressPlan\nmetadata: { name: ${name}, namespace: clusters }\nspec: { platform: AWS, release: "4.20", ${spec} }\n`;
  const there = (name: string, ...blocks: string[]) => `
apiVersion: hypershift.openshift.io/v1beta1
kind: HostedCluster
metadata: { name: ${name}, namespace: clusters }
spec: { platform: { type: AWS, aws: { region: us-east-1 } }, networking: { ${spec(...blocks)} } }
`;
  const spec = (...blocks: string[]) =>
    `machineNetwork: [${blocks.map((cidr) => `{ cidr: ${cidr} }`).join(", ")}]`;
  const found = (...documents: string[]) => {
    const { resources } = readManifests(documents.join("---"), "ledger.yaml", new Lines());
    return findings(addressPlanConflict, new JudgedResources(resources)).map(
      ({ resource, path, message, witness, fix, cluster }: Finding) => ({
        line: resource?.line,
        path,
        message,
        witness,
        fix,
        cluster,
      }),
    );
  };
  const anew = (cluster: string) =>
    `${cluster} has no HostedCluster in the input: delete its file, and plan it again with plan --fleet --write`;
  const both =
    "the machine network of clusters/b 10.0.0.128/25 shares addresses with the machine network of clusters/a 10.0.0.0/24";

  test.each<[what: string, documents: string[], expected: object[]]>([
    [
      "two files that overlap",
      [file("a", spec("10.0.0.0/24")), file("b", spec("10.1.0.0/24", "10.0.0.128/25"))],
      [
        {
          line: 7,
          path: "spec.machineNetwork[1].cidr",
          message: both,
          witness: "10.0.0.128 is in both",
          fix: anew("clusters/b"),
          cluster: "clusters/b",
        },
      ],
    ],
    [
      "a file and an earlier deployed cluster without a file",
      [file("b", spec("10.0.0.128/25")), there("a", "10.0.0.0/24")],
      [
        {
          line: 2,
          path: "spec.machineNetwork[0].cidr",
          message: `${both}, which is deployed`,
          witness: "10.0.0.128 is in both",
          fix: anew("clusters/b"),
          cluster: "clusters/b",
        },
      ],
    ],
    [
      "a file and a later deployed cluster without a file",
      [file("a", spec("10.0.0.0/24")), there("b", "10.0.0.128/25")],
      [
        {
          line: 2,
          path: "spec.machineNetwork[0].cidr",
          message:
            "the machine network of clusters/a 10.0.0.0/24 shares addresses with the machine network of clusters/b 10.0.0.128/25, which is deployed",
          witness: "10.0.0.128 is in both",
          fix: anew("clusters/a"),
          cluster: "clusters/a",
        },
      ],
    ],
    [
      "two files of deployed clusters that overlap",
      [
        file("a", spec("10.0.0.0/24")),
        file("b", spec("10.0.0.128/25")),
        there("a", "10.0.0.0/24"),
        there("b", "10.0.0.128/25"),
      ],
      [
        {
          line: 7,
          path: "spec.machineNetwork[0].cidr",
          message: both,
          witness: "10.0.0.128 is in both",
          fix: "both clusters are deployed: do not connect anything to clusters/b, or create it again with other ranges",
          cluster: "clusters/b",
        },
      ],
    ],
    [
      "two deployed clusters without files (none)",
      [there("a", "10.0.0.0/24"), there("b", "10.0.0.0/24")],
      [],
    ],
    [
      "a range and the cluster's own defaults",
      [file("a", spec("172.20.0.0/16"))],
      [
        {
          line: 2,
          path: "spec.machineNetwork[0].cidr",
          message:
            "the machine network of clusters/a 172.20.0.0/16 shares addresses with the address at which nodes reach the API server of clusters/a 172.20.0.1/32",
          witness: "172.20.0.1 is in both",
          fix: anew("clusters/a"),
          cluster: "clusters/a",
        },
      ],
    ],
    [
      "a range and the defaults of a deployed cluster (none: judged with its HostedCluster)",
      [file("a", spec("172.20.0.0/16")), there("a", "172.20.0.0/16")],
      [],
    ],
    ["a deployed cluster without a file and its own defaults (none)", [there("a", "172.20.0.0/16")], []],
    [
      "ranges that differ from those of the deployed cluster",
      [file("a", spec("10.0.0.0/24", "10.0.1.0/24")), there("a", "10.9.0.0/24", "10.9.1.0/24")],
      [
        {
          line: 2,
          path: "spec.machineNetwork[0].cidr",
          message:
            "the machine network of clusters/a is 10.0.0.0/24, 10.0.1.0/24 here, and its HostedCluster has 10.9.0.0/24, 10.9.1.0/24",
          fix: "delete the file; plan --fleet --write then adopts the ranges of the cluster",
          cluster: "clusters/a",
        },
      ],
    ],
    [
      "a deployed range of a kind that the file does not have (none)",
      [file("a", "origin: planned"), there("a", "10.9.0.0/24")],
      [],
    ],
    [
      "two files of one cluster, of which the first by location counts",
      [file("a", spec("10.0.0.0/24")), file("a", spec("10.1.0.0/24")), file("b", spec("10.1.0.0/24"))],
      [
        {
          line: 7,
          path: "metadata.name",
          message: "clusters/a already has a file: ledger.yaml",
          fix: "delete the file whose ranges differ from those of its HostedCluster, or either file if there is no HostedCluster yet",
          cluster: "clusters/a",
        },
      ],
    ],
    [
      "a file that cannot be read",
      [file("a", "machineNetwork: 7"), file("b", spec("10.0.0.0/24"))],
      [
        {
          line: 2,
          path: "spec.machineNetwork",
          message: "is not read: 7 is not a list",
          fix: "write a list",
        },
      ],
    ],
  ])("%s", (_, documents, expected) => {
    expect(found(...documents)).toEqual(expected);
  });

  test("several files of one cluster, sorted by location whatever the input order", () => {
    const at = (name: string, line: number, cidr: string) => {
      const [resource] = readManifests(file("a", spec(cidr)), name, new Lines()).resources;
      return { ...resource!, origin: { file: name, line } };
    };
    const files = [
      at("a.yaml", 9, "10.0.0.0/24"),
      at("a.yaml", 10, "10.1.0.0/24"),
      at("b.yaml", 1, "10.2.0.0/24"),
    ];
    for (const given of [files, [...files].reverse(), [files[1]!, files[2]!, files[0]!]])
      expect(
        judgeLedger(given, new JudgedResources([])).map(({ resource, message }) => [
          resource?.file,
          resource?.line,
          message,
        ]),
      ).toEqual([
        ["a.yaml", 10, "clusters/a already has a file: a.yaml"],
        ["b.yaml", 1, "clusters/a already has a file: a.yaml"],
      ]);
  });
});

test("clusters are sorted by name, whatever the input order", () => {
  const [a, b, c] = ["a", "b", "c"].map((name) => ({ namespace: "clusters", name }));
  for (const list of [
    [a, b, c],
    [a, c, b],
    [b, a, c],
    [b, c, a],
    [c, a, b],
    [c, b, a],
  ])
    expect(byKey(list, (one) => one!)).toEqual([a, b, c]);
});
