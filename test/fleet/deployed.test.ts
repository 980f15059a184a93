import {
  deployedClusters,
  deployments,
  differing,
  takenByInputs,
  withFleetNames,
} from "../../src/fleet/deployed";
import { readPrefix } from "../../src/address";
import type { Fleet } from "../../src/fleet/fleet";
import { type LedgerEntry, LedgerOrigin, readLedgerEntry } from "../../src/fleet/ledger";
import { JudgedResources } from "../../src/gate/judgedResources";
import { Lines } from "../../src/plan/inputs";
import { readManifests } from "../../src/plan/manifests";
import type { Resource } from "../../src/resources/resource";
import { TYPE } from "../../src/resources/resourceTypes";

const objects = (...documents: string[]): Resource[] => {
  const { resources, faults } = readManifests(documents.join("\n---\n"), "inputs.yaml", new Lines());
  expect(faults).toEqual([]);
  return resources;
};
const hostedCluster = (name: string, networking: string, more = "") => `
apiVersion: hypershift.openshift.io/v1beta1
kind: HostedCluster
metadata: { name: ${name}, namespace: clusters }
spec: { platform: { type: AWS, aws: { region: us-east-1 } }, networking: { ${networking} }${more} }`;
const entry = (name: string, spec: object): LedgerEntry =>
  readLedgerEntry({
    apiVersion: "hypershift-network/v1",
    kind: "AddressPlan",
    metadata: { name },
    spec: { platform: "AWS", ...spec },
  }).entry!;
const deployedIn = (...resources: Resource[]) => deployedClusters(new JudgedResources(resources).clusters);
const machines = (...blocks: string[]) => ({ machineNetwork: blocks.map((cidr) => ({ cidr })) });

test("a deployed cluster has an entry in the form of the ledger", () => {
  const ranges =
    "machineNetwork: [{ cidr: 10.0.0.0/24 }, { cidr: 10.0.1.0/24 }], clusterNetwork: [{ cidr: 10.132.0.0/14, hostPrefix: 24 }]";
  const release = ', release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.3-x86_64" }';
  const [one, ...others] = deployedIn(...objects(hostedCluster("a", ranges, release)));
  expect(others).toEqual([]);
  expect(one?.place).toEqual({ by: "folder", is: "." });
  const { ranges: found, ...said } = one!.entry;
  expect(said).toEqual({
    namespace: "clusters",
    name: "a",
    platform: "AWS",
    release: "4.20",
    origin: LedgerOrigin.Adopted,
  });
  expect(
    found.map(({ kind, prefix, hostPrefix, isReused }) => [kind, prefix.text, hostPrefix, isReused]),
  ).toEqual([
    ["machineNetwork", "10.0.0.0/24", undefined, false],
    ["machineNetwork", "10.0.1.0/24", undefined, false],
    ["clusterNetwork", "10.132.0.0/14", 24, false],
    ["serviceNetwork", "172.31.0.0/16", undefined, false],
  ]);
});

test("internal subnets of a deployed cluster count as reused", () => {
  const join =
    ", operatorConfiguration: { clusterNetworkOperator: { ovnKubernetesConfig: { ipv4: { internalJoinSubnet: 100.70.0.0/16 } } } }";
  const [one] = deployedIn(...objects(hostedCluster("a", "machineNetwork: [{ cidr: 10.0.0.0/24 }]", join)));
  expect(one?.entry.ranges.slice(-1)).toEqual([
    { kind: "internalJoinSubnet", prefix: readPrefix("100.70.0.0/16"), isReused: true },
  ]);
});

test("an unreadable HostedCluster and a cluster that only a configuration describes do not count as deployed", () => {
  expect(
    deployedIn(
      ...objects("apiVersion: hypershift.openshift.io/v1beta1\nkind: HostedCluster\nmetadata: { name: a }"),
    ),
  ).toEqual([]);
  const topology = { name: "old", platform: "AWS", machineNetwork: [{ cidr: "10.0.0.0/24" }] };
  const clusters = [{ path: "hostedClusters[0]", topology, securityGroups: {} }];
  expect(deployedClusters(new JudgedResources([], { clusters, levels: {} }).clusters)).toEqual([]);
});

test("two entries differ only in a kind of range that both have", () => {
  const [a, b, none] = [
    entry("a", machines("10.0.0.0/24", "10.0.1.0/24")),
    entry("a", machines("10.0.0.0/24")),
    entry("a", {}),
  ];
  expect(differing(a, b, "machineNetwork")).toEqual({
    planned: ["10.0.0.0/24", "10.0.1.0/24"],
    deployed: ["10.0.0.0/24"],
  });
  for (const [one, other] of [
    [a, a],
    [a, none],
    [none, a],
  ] as const)
    expect(differing(one, other, "machineNetwork")).toBeUndefined();
});

describe("ledger entries that match a deployed cluster", () => {
  const there = deployedIn(...objects(hostedCluster("a", "machineNetwork: [{ cidr: 10.0.0.0/24 }]")));
  const meant = (...entries: LedgerEntry[]) =>
    [...deployments(entries, there).keys()].map((one) => entries.indexOf(one));

  test("have its name, whatever their ranges, if only one entry has that name", () => {
    expect(meant(entry("a", machines("10.9.0.0/24")))).toEqual([0]);
    expect(meant(entry("b", machines("10.0.0.0/24")))).toEqual([]);
    expect(meant({ ...entry("a", {}), namespace: "other" })).toEqual([]);
  });

  test("have its ranges as well if several entries have its name", () => {
    const [west, east] = ["10.0.0.0/24", "10.9.0.0/24"].map((cidr, at) =>
      entry("a", { managementCluster: `side-${at}`, ...machines(cidr) }),
    );
    expect([meant(west!, east!), meant(east!, west!), meant(east!)]).toEqual([[0], [1], [0]]);
  });
});

describe("names of management clusters", () => {
  const inPlace = (place: Partial<Resource["origin"]>, name = "a"): Resource => {
    const [cluster] = objects(hostedCluster(name, "machineNetwork: [{ cidr: 10.0.0.0/24 }]"));
    return { ...cluster!, origin: { line: 1, ...place } };
  };
  const names = (places: Partial<Resource["origin"]>[], ...named: (string | undefined)[]) =>
    withFleetNames(
      deployedIn(...places.map((place) => inPlace(place))),
      named.map((managementCluster) => ({
        ...(managementCluster !== undefined && { managementCluster }),
        namespace: "clusters",
        name: "a",
      })),
    ).map(({ managementCluster }) => managementCluster);
  const folder = (path: string) => ({ file: `${path}/a.yaml` });

  test("are absent if only one cluster of the name is deployed and no entry names its management cluster", () => {
    expect(names([folder("x")])).toEqual([undefined]);
    expect(names([folder("x")], undefined)).toEqual([undefined]);
    expect(names([folder("x")], "west")).toEqual(["west"]);
  });

  test("are those of the fleet, or the API server's address as a Kubernetes label", () => {
    const servers = ["cluster/api.west.example.com:6443", "cluster/api.east.example.com:6443"].map(
      (runsIn) => ({ runsIn }),
    );
    expect(names(servers, "api-east-example-com-6443", "api-west-example-com-6443")).toEqual([
      "api-west-example-com-6443",
      "api-east-example-com-6443",
    ]);
    expect(names(servers)).toEqual(["api-west-example-com-6443", "api-east-example-com-6443"]);
  });

  test("have lowercase letters, digits and hyphens only, at most 63", () => {
    const long = `${"x".repeat(62)}-y`;
    expect(names([folder("fleet/West Coast!"), folder(`fleet/${long}`)])).toEqual([
      "west-coast",
      "x".repeat(62),
    ]);
    expect(names([folder("fleet/é"), folder("fleet/b")])).toEqual(["management", "b"]);
  });
});

describe("networks that the inputs take", () => {
  const POOL = { machineNetwork: [readPrefix("10.0.0.0/16")!], serviceNetwork: [readPrefix("10.1.0.0/16")!] };
  const taken = (
    resources: Resource[],
    configured: object[] = [],
    pools: Fleet["pools"] = POOL,
    isKnown = (_key: string) => false,
  ) => {
    const clusters = configured.map((topology, at) => ({
      path: `hostedClusters[${at}]`,
      topology,
      securityGroups: {},
    }));
    return takenByInputs(new JudgedResources(resources, { clusters, levels: {} }), pools, isKnown).map(
      ({ name, prefix }) => `${name} ${prefix.text}`,
    );
  };
  const resource = (type: string, name: string, properties: Resource["properties"]): Resource => ({
    origin: { urn: `urn:pulumi:s::p::${type}::${name}` },
    type,
    name,
    properties,
  });
  const vpc = (name: string, cidrBlock?: string) =>
    resource(TYPE.vpc, name, { id: `vpc-${name}`, ...(cidrBlock !== undefined && { cidrBlock }) });
  const subnet = (name: string, vpcId: string, cidrBlock: string) =>
    resource("aws:ec2/subnet:Subnet", name, { cidrBlock, vpcId });

  test("include VPCs, or the subnets of a VPC that contains a pool or has no block", () => {
    const of = (...resources: Resource[]) => taken(resources).map((text) => text.split(" ").at(-1));
    expect(of(vpc("a", "10.0.0.0/17"), subnet("s", "vpc-a", "10.0.0.0/24"))).toEqual(["10.0.0.0/17"]);
    expect(of(vpc("a", "10.0.0.0/8"), subnet("s", "vpc-a", "10.0.0.0/24"))).toEqual(["10.0.0.0/24"]);
    expect(of(vpc("a", "10.0.0.0/16"))).toEqual([]);
    expect(
      taken([vpc("a", "10.0.0.0/16")], [], {
        machineNetwork: [readPrefix("10.9.0.0/16")!, readPrefix("10.0.0.0/16")!],
      }),
    ).toEqual([]);
    expect(taken([vpc("a", "10.0.0.0/16")], [], {})).toHaveLength(1);
    expect(of(vpc("a", "10.1.0.0/16"))).toEqual(["10.1.0.0/16"]);
    expect(of(vpc("a"), subnet("s", "vpc-a", "10.5.0.0/24"))).toEqual(["10.5.0.0/24"]);
  });

  test("include the networks of management clusters that the input states", () => {
    const [network] = objects(
      "apiVersion: config.openshift.io/v1\nkind: Network\nmetadata: { name: cluster }\nspec: { clusterNetwork: [{ cidr: 10.0.0.0/18, hostPrefix: 23 }], serviceNetwork: [10.0.64.0/18] }",
    );
    expect(taken([network!])).toEqual(["Network cluster 10.0.0.0/18", "Network cluster 10.0.64.0/18"]);
  });

  test("include ranges and peers of clusters that only a configuration describes", () => {
    const old = {
      name: "old",
      platform: "AWS",
      machineNetwork: [{ cidr: "10.0.0.0/24" }],
      serviceNetwork: [{ cidr: "10.8.0.0/16" }],
    };
    const around = { dnsServerCidrs: ["10.0.1.2/32"], registryCidrs: ["0.0.0.0/0"] };
    const own = [
      "the machine network of clusters/old 10.0.0.0/24",
      "the default cluster network of clusters/old 10.132.0.0/14",
      "the service network of clusters/old 10.8.0.0/16",
    ];
    const all = taken([], [{ ...old, ...around }]);
    expect(all.filter((text) => own.includes(text))).toEqual(own);
    expect(all.filter((text) => text.endsWith(" 10.0.1.2/32"))).toHaveLength(1);
    expect(all.filter((text) => / (0\.0\.0\.0|127|169\.254|224|240)/.test(text))).toEqual([]);
    const known = taken([], [{ ...old, ...around }], POOL, (key) => key === "clusters/old");
    expect(known.map((text) => text.split(" ").at(-1))).toEqual(["10.0.1.2/32"]);
  });

  test("exclude 0.0.0.0/0", () => {
    const open = {
      name: "old",
      platform: "AWS",
      machineNetwork: [{ cidr: "10.0.0.0/24" }],
      registryCidrs: ["0.0.0.0/0"],
    };
    expect(taken([], [open], {}).filter((text) => text.endsWith("/0"))).toEqual([]);
  });

  test("exclude ranges of deployed clusters, because these are adopted", () => {
    expect(taken(objects(hostedCluster("a", "machineNetwork: [{ cidr: 10.0.0.0/24 }]")))).toEqual([]);
  });

  test("exclude a block of peers that contains a pool", () => {
    const company = {
      name: "old",
      platform: "AWS",
      machineNetwork: [{ cidr: "192.168.0.0/24" }],
      registryCidrs: ["10.0.0.0/8"],
    };
    const said = (pools: Fleet["pools"]) =>
      taken([], [company], pools).filter((text) => text.endsWith(" 10.0.0.0/8")).length;
    expect([said(POOL), said({ machineNetwork: [readPrefix("172.16.0.0/16")!] })]).toEqual([0, 1]);
    expect(
      said({ machineNetwork: [readPrefix("172.16.0.0/16")!], serviceNetwork: [readPrefix("10.1.0.0/16")!] }),
    ).toBe(0);
  });
});
