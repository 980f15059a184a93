import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { Cluster } from "../../src/cluster/cluster";
import { Lines } from "../../src/plan/inputs";
import { readManifests } from "../../src/plan/manifests";
import { PlayedCluster } from "./playedCluster";
import { call, type Call } from "./terminal";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "fleet-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const FLEET = `
apiVersion: hypershift-network/v1
kind: Fleet
spec:
  pools:
    machineNetwork: [10.0.0.0/22]
    clusterNetwork: [10.128.0.0/12]
    serviceNetwork: [172.24.0.0/14]
    internalJoinSubnet: [100.96.0.0/16]
    internalTransitSwitchSubnet: [100.97.0.0/16]
  taken:
    - { name: corporate, cidr: 10.0.0.0/24 }
  defaults: { platform: AWS, release: "4.20", nodes: 100, zones: 2 }
  clusters:
`;
const EXISTING = `
apiVersion: hypershift.openshift.io/v1beta1
kind: HostedCluster
metadata: { name: old, namespace: clusters }
spec:
  platform: { type: AWS, aws: { region: us-east-1 } }
  release: { image: quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64 }
  networking:
    machineNetwork: [{ cidr: 10.0.0.128/25 }]
    clusterNetwork: [{ cidr: 10.128.0.0/14 }]
    serviceNetwork: [{ cidr: 172.24.0.0/16 }]
`;

function put(name: string, text: string): string {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

const clusters = (...names: string[]): string => names.map((name) => `    - { name: ${name} }\n`).join("");
const fleet = (...names: string[]): string => put("fleet.yaml", FLEET + clusters(...names));
const plan = (...args: string[]): Promise<Call> => call(["plan", "--no-config", ...args]);

test("a fleet without pools and clusters yields an empty table", async () => {
  const file = put("fleet.yaml", "apiVersion: hypershift-network/v1\nkind: Fleet\nspec: { pools: {} }\n");
  const { status, out } = await plan("--fleet", file);
  expect([status, out.split("\n")[0]]).toEqual([0, "0 clusters: 0 kept, 0 adopted, 0 planned"]);
});

test("a file at the place of the ledger is named as one", async () => {
  const file = fleet("tenant-a");
  const ledger = put("ledger", "");
  expect(await plan("--fleet", file)).toMatchObject({
    status: 2,
    out: "",
    error: `${ledger}  is a file, not a folder: name a folder as the ledger\n`,
  });
});

interface Planned {
  clusters: { cluster: string; state: string; machineNetwork: { cidr: string }[] }[];
}
const machinesIn = ({ out }: Call): Record<string, string> =>
  Object.fromEntries(
    (JSON.parse(out) as Planned).clusters.map(({ cluster, state, machineNetwork }) => [
      cluster,
      `${machineNetwork.map(({ cidr }) => cidr).join()} ${state}`,
    ]),
  );
const everyFile = (within: string): Record<string, string> =>
  Object.fromEntries(
    (readdirSync(within, { recursive: true }) as string[])
      .filter((name) => name.endsWith(".yaml"))
      .map((name) => [name, readFileSync(join(within, name), "utf8")]),
  );

describe("plan --fleet", () => {
  test("prints ranges for every cluster, and writes nothing", async () => {
    const { status, out, error } = await plan("--fleet", fleet("tenant-a", "tenant-b"));
    expect({ status, error }).toEqual({ status: 0, error: "" });
    expect(out).toContain("2 clusters: 0 kept, 0 adopted, 2 planned");
    expect(out).toContain("10.128.0.0/16 (/23 each)");
    expect(out).toContain("machine network        10.0.0.0/22    75 % taken    largest free block /24");
    expect(readdirSync(folder)).toEqual(["fleet.yaml"]);
  });

  test("writes a file for each cluster, and later plans keep it, even if an earlier name is added", async () => {
    const first = await plan("--fleet", fleet("tenant-b"), "--write", "--format", "json");
    expect(machinesIn(first)).toEqual({ "clusters/tenant-b": "10.0.1.0/24 planned" });
    const before = everyFile(join(folder, "ledger"));
    expect(Object.keys(before)).toEqual(["clusters/tenant-b.yaml"]);
    const second = await plan("--fleet", fleet("tenant-a", "tenant-b"), "--write", "--format", "json");
    expect(machinesIn(second)).toEqual({
      "clusters/tenant-a": "10.0.2.0/24 planned",
      "clusters/tenant-b": "10.0.1.0/24 kept",
    });
    expect(everyFile(join(folder, "ledger"))).toMatchObject(before);
    const third = await plan("--fleet", join(folder, "fleet.yaml"), "--write", "--format", "json");
    expect(JSON.parse(third.out)).toMatchObject({ written: { files: 0 } });
  });

  test("does not write through a symbolic link that leads out of the ledger", async () => {
    mkdirSync(join(folder, "elsewhere"));
    mkdirSync(join(folder, "ledger"));
    symlinkSync("../elsewhere", join(folder, "ledger", "clusters"));
    const { status, error } = await plan("--fleet", fleet("tenant-a"), "--write");
    expect(status).toBe(2);
    expect(error).toContain("ledger/clusters  is a symbolic link that leads out of");
    expect(readdirSync(join(folder, "elsewhere"))).toEqual([]);
  });

  test("adopts existing clusters, lists their conflicts, and plans around them", async () => {
    const existing = put("manifests/old.yaml", EXISTING);
    const { status, out } = await plan(existing, "--fleet", fleet("tenant-a"), "--write");
    expect(status).toBe(1);
    expect(out).toContain("2 clusters: 0 kept, 1 adopted, 1 planned");
    expect(out).toContain(
      "conflicts\n  the machine network of clusters/old 10.0.0.128/25 and the network corporate 10.0.0.0/24: 10.0.0.128 is in both",
    );
    const { "clusters/old.yaml": old, "clusters/tenant-a.yaml": made } = everyFile(join(folder, "ledger"));
    expect(old).toContain('origin: "adopted"');
    expect(old).toContain('- cidr: "10.0.0.128/25"');
    expect(made).toContain('- cidr: "10.132.0.0/16"');
    expect(made).toContain('- cidr: "172.25.0.0/20"');
  });

  test("explains what does not fit, names the smallest pool that would fit, and writes nothing", async () => {
    const { status, out } = await plan("--fleet", fleet("a", "b", "c", "d", "e"), "--write");
    expect(status).toBe(1);
    expect(out).toContain(
      [
        "the machine network of clusters/d (/24), clusters/e (/24): no room in 10.0.0.0/22",
        "  free       nothing",
        "  taken by   10.0.0.0/24  corporate",
      ].join("\n"),
    );
    expect(out).toContain(
      "would fit  10.0.0.0/21 instead of 10.0.0.0/22, or an additional empty pool of /23",
    );
    expect(readdirSync(folder)).toEqual(["fleet.yaml"]);
  });

  test("reports which clusters have outgrown their ranges", async () => {
    await plan("--fleet", fleet("tenant-a"), "--write");
    put("fleet.yaml", `${FLEET}    - { name: tenant-a, nodes: 300 }\n`);
    const { status, out } = await plan("--fleet", join(folder, "fleet.yaml"));
    expect(status).toBe(1);
    expect(out).toContain(
      "clusters/tenant-a: the machine network 10.0.1.0/24 is too small for 300 nodes, which need /23",
    );
    expect(out).toContain("clusters/tenant-a: the cluster network 10.128.0.0/16 is too small for 300 nodes");
  });

  test("reports a cluster that runs with other ranges than those of its file", async () => {
    await plan("--fleet", fleet("tenant-a"), "--write");
    const manifest = (machines: string) =>
      put("tenant-a.yaml", EXISTING.replaceAll("old", "tenant-a").replace("10.0.0.128/25", machines));
    const file = join(folder, "fleet.yaml");
    const { status, out } = await plan(manifest("10.0.3.0/24"), "--fleet", file);
    expect(status).toBe(1);
    expect(out).toContain(
      "clusters/tenant-a: its HostedCluster has 10.0.3.0/24 as the machine network, its file 10.0.1.0/24: correct the file; a running cluster keeps its networks",
    );
    const { out: data } = await plan(manifest("10.0.1.0/24"), "--fleet", file, "--format", "json");
    const { otherRanges } = JSON.parse(data) as { otherRanges: { kind: string }[] };
    expect(otherRanges.map(({ kind }) => kind)).toEqual(["clusterNetwork", "serviceNetwork"]);
  });

  test("check finds a block that two branches allocated, and names the cluster that is not deployed", async () => {
    await plan("--fleet", fleet("tenant-a"), "--write");
    const { "clusters/tenant-a.yaml": one } = everyFile(join(folder, "ledger"));
    put("ledger/clusters/tenant-b.yaml", one!.replace("tenant-a", "tenant-b"));
    const cluster = EXISTING.replaceAll("old", "tenant-b").replace("10.0.0.128/25", "10.0.1.0/24");
    const manifest = put(
      "tenant-b.yaml",
      cluster.replace("10.128.0.0/14", "10.128.0.0/16").replace("172.24.0.0/16", "172.24.0.0/20"),
    );
    const { status, out } = await call(["check", "--no-config", join(folder, "ledger"), manifest]);
    expect(status).toBe(1);
    expect(out).toContain("address-plan-conflict");
    expect(out).toContain(
      "the machine network of clusters/tenant-a 10.0.1.0/24 shares addresses with the machine network of clusters/tenant-b 10.0.1.0/24, which is deployed",
    );
  });

  test.each<[string, string[], string]>([
    ["--write without a fleet", ["--write"], "add --fleet"],
    ["--fleet together with --change", ["--fleet", "f.yaml", "--change", "c.yaml"], "leave out one of them"],
    ["--fleet together with --cluster", ["--fleet", "f.yaml", "--cluster", "a"], "planned as a whole"],
    ["a missing fleet file", ["--fleet", "f.yaml"], "no such file"],
  ])("rejects %s", async (_, args, words) => {
    const { status, error } = await plan(...args);
    expect(status).toBe(2);
    expect(error).toContain(words);
  });

  test("names every fault of the fleet and the ledger by file and line", async () => {
    const file = put(
      "fleet.yaml",
      `${FLEET.replace("10.0.0.0/22", "10.0.0.1/22")}    - { name: UPPER, node: 3 }\n`,
    );
    const { status, error } = await plan("--fleet", file);
    expect(status).toBe(2);
    expect(error.split("\n")).toEqual([
      `${file}:6  spec.pools.machineNetwork[0] 10.0.0.1/22 has host bits: write 10.0.0.0/22`,
      `${file}:15  spec.clusters[0].node no such property: did you mean nodes?`,
      `${file}:15  spec.clusters[0].name "UPPER" is not a Kubernetes name: write lowercase letters, digits and hyphens`,
      "",
    ]);
    await plan("--fleet", fleet("tenant-a"), "--write");
    const broken = put(
      "ledger/clusters/tenant-b.yaml",
      "apiVersion: hypershift-network/v2\nkind: AddressPlan\n",
    );
    expect((await plan("--fleet", join(folder, "fleet.yaml"))).error).toContain(`${broken}:1  apiVersion`);
  });
});

describe("plan --fleet --live", () => {
  const played = new PlayedCluster();
  const live = (...args: string[]) =>
    plan("--live", "--kubeconfig", "management.kubeconfig", "--format", "json", ...args);

  beforeEach(() => {
    const [old] = readManifests(EXISTING, "old.yaml", new Lines()).resources;
    played.served = {
      lists: { "/apis/hypershift.openshift.io/v1beta1/hostedclusters": [old!.properties] },
    };
  });

  test("adopts running clusters, and plans around them", async () => {
    const { status, out } = await live("--fleet", fleet("tenant-a"));
    expect(status).toBe(1); // It has addresses of the corporate network.
    expect(machinesIn({ status, out, error: "" })).toEqual({
      "clusters/old": "10.0.0.128/25 adopted",
      "clusters/tenant-a": "10.0.1.0/24 planned",
    });
  });

  test("plans a cluster whose name also runs on another management cluster", async () => {
    const file = fleet();
    writeFileSync(
      file,
      `${readFileSync(file, "utf8")}${["api-example-com-6443", "east"].map((one) => `    - { name: old, managementCluster: ${one} }\n`).join("")}`,
    );
    const { out } = await live("--fleet", file);
    expect(machinesIn({ status: 0, out, error: "" })).toEqual({
      "api-example-com-6443/clusters/old": "10.0.0.128/25 adopted",
      "east/clusters/old": "10.0.1.0/24 planned",
    });
  });

  test("reports why the cluster cannot be read", async () => {
    jest.spyOn(Cluster, "open").mockRejectedValue(new Error("no such context"));
    const { status, error } = await live("--fleet", fleet("tenant-a"));
    expect(status).toBe(2);
    expect(error).toContain("no such context");
  });
});
