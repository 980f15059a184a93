import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";

import { isolationPolicies } from "../../src/isolation/judge";
import { networkPolicySpec } from "../../src/isolation/networkPolicy";
import { Platform } from "../../src/requirements/vocabulary";
import { NOT_KNOWN, Folder, preview, stackExport, state, step } from "../plan/plans";
import { clusterWith, validCluster } from "../rules/refusals/objects";
import { HOSTED_CLUSTER } from "../rules/builders";
import { normal } from "../topology/topologies";
import { call, typed } from "./terminal";
import type { RunBook } from "../../src/runBook/runBook";

let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

const config = (name: string, more: object) =>
  folder.write(
    name,
    stringify({ hostedClusters: [{ name: "tenant-a", platform: "None", release: "4.20", ...more }] }),
  );
const manifest = (name: string, object: object) => folder.write(name, stringify(object));
const machines = { machineNetwork: [{ cidr: "10.0.0.0/16" }], managementClusterCidrs: ["10.1.0.0/16"] };

function golden(name: string, text: string): void {
  const file = join(__dirname, "../golden/runBook", name);
  if (process.env.UPDATE_GOLDEN) writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, "utf8"));
}

const books = async (...args: string[]): Promise<{ status: number; books: RunBook[] }> => {
  const { status, out, error } = await call(["plan", ...args, "--format", "json"]);
  expect(error).toBe("");
  return { status, books: (JSON.parse(out) as { hostedClusters: RunBook[] }).hostedClusters };
};
const ids = ({ steps }: RunBook) => steps.map(({ id }) => id);

describe("hypershift-network plan --change", () => {
  it.each(["text", "markdown", "json"])("writes a run book as %s", async (format) => {
    const current = config("current.yaml", {
      ...machines,
      bootstrap: false,
      externalClientCidrs: ["203.0.113.0/24"],
    });
    const wanted = config("wanted.yaml", {
      ...machines,
      bootstrap: false,
      externalClientCidrs: ["203.0.113.0/24", "198.51.100.0/24"],
      release: "4.21",
      internalJoinSubnet: "100.99.0.0/16",
      infrastructureCidrs: [{ name: "<b>lab</b> | `x`", cidr: "100.64.0.0/24" }],
      proxy: {
        httpProxy: "http://me:hunter2@proxy.example.com:3128",
        noProxy: ".example.com,192.168.7.0/24",
      },
    });
    const { status, out, error } = await call(["plan", "-c", wanted, "--change", current, "-f", format]);
    expect([status, error]).toEqual([0, ""]);
    expect(out).not.toContain("hunter2");
    golden(`in-place.${format === "json" ? "json" : format === "text" ? "txt" : "md"}`, out);
  });

  it("writes a run book for a new cluster if an immutable property changes, with status 1", async () => {
    const current = config("current.yaml", machines);
    const wanted = config("wanted.yaml", {
      ...machines,
      serviceNetwork: [{ cidr: "172.29.0.0/16" }],
      services: { konnectivity: { type: "Route" } },
      bootstrap: false,
    });
    const { status, out } = await call(["plan", "-c", wanted, "--change", current, "-f", "markdown"]);
    expect(status).toBe(1);
    golden("new-cluster.md", out);
  });

  it("reports that there is nothing to do", async () => {
    const same = config("same.yaml", machines);
    expect(await call(["plan", "-c", same, "--change", same])).toEqual({
      status: 0,
      out: "clusters/tenant-a: nothing to do\n",
      error: "",
    });
  });

  describe("reads the current state from", () => {
    const object = clusterWith(Platform.None, {
      operatorConfiguration: {
        clusterNetworkOperator: { ovnKubernetesConfig: { ipv4: { internalJoinSubnet: "100.98.0.0/16" } } },
      },
    });
    const wanted = () =>
      config("wanted.yaml", {
        ...machines,
        externalClientCidrs: ["203.0.113.0/24"],
        internalJoinSubnet: "100.99.0.0/16",
      });
    const resources = () => state(HOSTED_CLUSTER, "tenant-a", object);

    it.each<[string, () => string]>([
      ["a manifest", () => manifest("current.yaml", object)],
      [
        "a List, as oc prints it",
        () => manifest("current.yaml", { apiVersion: "v1", kind: "List", items: [object] }),
      ],
      ["a folder", () => (manifest("now/cluster.yaml", object), join(folder.path, "now"))],
      ["a stack export", () => folder.write("state.json", stackExport([resources()]))],
      ["a preview", () => folder.write("preview.json", preview([step("create", resources())]))],
    ])("%s, and assumes that what it does not state is as wanted", async (_, write) => {
      const { status, books: all } = await books("-c", wanted(), "--change", write());
      expect([status, all.map(ids)]).toEqual([0, [["internal-subnets"]]]);
      expect(all[0]!.steps[0]!.wayBack.patches[0]!.command).toContain("100.98.0.0/16");
      expect(all[0]!.assumptions).toEqual([
        "externalClientCidrs: not stated in the current state; assumed to be as wanted",
        "managementClusterCidrs: not stated in the current state; assumed to be as wanted",
      ]);
    });

    it("standard input", async () => {
      const args = ["plan", "-c", wanted(), "--change", "-", "-f", "json"];
      const { status, out } = await call(args, { stdin: typed(stringify(object)) });
      expect([status, out]).toEqual([0, expect.stringContaining("internal-subnets") as string]);
    });
  });

  describe("the release", () => {
    const image = `quay.io/openshift-release-dev/ocp-release@sha256:${"0".repeat(64)}`;
    const byDigest = (more: object = {}) => ({
      ...clusterWith(Platform.None, { release: { image } }),
      ...more,
    });

    it("of an image pinned by digest is read from the status of the current object", async () => {
      const history = [
        { state: "Partial", version: "4.21.0" },
        { state: "Completed", version: "4.19.7" },
      ];
      const current = manifest("current.yaml", byDigest({ status: { version: { history } } }));
      const { books: all } = await books("-c", config("wanted.yaml", machines), "--change", current);
      expect(all[0]!.changes).toMatchObject([{ property: "release", before: "4.19", after: "4.20" }]);
    });

    it("is unknown without a status, and unchanged if both states have the same image", async () => {
      const current = manifest("current.yaml", byDigest());
      const { status, books: all } = await books("-c", config("wanted.yaml", machines), "--change", current);
      expect([status, all[0]!.changes]).toMatchObject([1, [{ property: "release", answer: "unknown" }]]);
      expect(await books(current, "--change", current)).toMatchObject({
        status: 0,
        books: [{ changes: [] }],
      });
    });

    it("is assumed to stay as it is if the wanted state does not state it", async () => {
      const current = config("current.yaml", machines);
      const wanted = config("wanted.yaml", { ...machines, release: undefined });
      const { books: all } = await books("-c", wanted, "--change", current);
      expect([all[0]!.changes, all[0]!.assumptions]).toEqual([
        [],
        ["release: not stated in the wanted state; assumed to stay as it is"],
      ]);
    });
  });

  it("presets a subnet whose field the wanted release does not have in HostedClusters", async () => {
    const current = config("current.yaml", { ...machines, release: "4.13" });
    const more = { release: "4.14", internalTransitSwitchSubnet: "100.69.0.0/16" };
    const { status, books: all } = await books(
      "-c",
      config("wanted.yaml", { ...machines, ...more }),
      "--change",
      current,
    );
    expect([status, all.map(ids)]).toEqual([0, [["preset-internalTransitSwitchSubnet", "upgrade-4.14"]]]);
  });

  it("proves policies from manifests, and blocks the change if they drop a documented flow", async () => {
    const metadata = { namespace: "clusters-tenant-a" };
    const policyOf = (name: string, spec: object) => ({
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { ...metadata, name },
      spec,
    });
    const topology = { name: "tenant-a", platform: "None", release: "4.20", ...machines };
    const cluster = validCluster(Platform.None);
    const surroundings = config("hypershift-network.yaml", machines);
    const whole = isolationPolicies(normal(topology)).map((policy) =>
      policyOf(policy.name, networkPolicySpec(policy)),
    );
    const write = (name: string, policies: object[]) =>
      folder.write(name, [cluster, ...policies].map((one) => stringify(one)).join("---\n"));
    const current = write("current.yaml", []);
    const good = await books(write("wanted.yaml", whole), "-c", surroundings, "--change", current);
    expect([good.status, good.books.map(ids)]).toEqual([
      0,
      [["isolation-opening", "isolation-policies", "isolation-closing"]],
    ]);
    const deny = policyOf("deny", { podSelector: {}, policyTypes: ["Ingress"] });
    const bad = await books(write("deny.yaml", [deny]), "-c", surroundings, "--change", current);
    expect([bad.status, bad.books[0]!.outcome]).toEqual([1, "blocked"]);
    expect(bad.books[0]!.obstacles[0]!.what).toContain("no policy allows this documented flow");
  });

  it("reports values that are unknown in a preview, with status 1", async () => {
    const pending = clusterWith(Platform.None, {
      operatorConfiguration: {
        clusterNetworkOperator: { ovnKubernetesConfig: { ipv4: { internalJoinSubnet: NOT_KNOWN } } },
      },
    });
    const plan = folder.write(
      "preview.json",
      preview([step("create", state(HOSTED_CLUSTER, "tenant-a", pending))]),
    );
    const current = manifest("current.yaml", validCluster(Platform.None));
    const { status, books: all } = await books(plan, "--change", current);
    expect([status, all[0]!.outcome, all[0]!.changes]).toMatchObject([
      1,
      "unknown",
      [{ property: "internalJoinSubnet", answer: "unknown" }],
    ]);
  });

  it("compares each hosted cluster with its own current state, or only the one named by --cluster", async () => {
    const two = (name: string, more: object) =>
      folder.write(
        name,
        stringify({
          hostedClusters: [
            { name: "tenant-a", platform: "None", ...machines, ...more },
            { name: "tenant-b", platform: "AWS", ...machines },
          ],
        }),
      );
    const [current, wanted] = [two("current.yaml", {}), two("wanted.yaml", { bootstrap: false })];
    const all = await books("-c", wanted, "--change", current);
    expect(all.books.map((book) => [book.cluster, ids(book)])).toEqual([
      ["clusters/tenant-a", ["close-bootstrap"]],
      ["clusters/tenant-b", []],
    ]);
    const one = await books("-c", wanted, "--change", current, "--cluster", "tenant-b");
    expect(one.books.map(({ cluster }) => cluster)).toEqual(["clusters/tenant-b"]);
  });

  it.each<[string, () => string[], string]>([
    ["a missing current state", () => ["--change", "/nowhere.yaml"], "no such file"],
    [
      "a cluster that is not in the current state",
      () => ["--change", config("current.yaml", { name: "tenant-b", ...machines }), "--cluster", "tenant-a"],
      "no hosted cluster tenant-a in the current state",
    ],
    [
      "a current state without a hosted cluster",
      () => [
        "--change",
        manifest("c.yaml", { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } }),
      ],
      "no hosted cluster in the current state",
    ],
    [
      "a current state whose platform is not stated",
      () => ["--change", folder.write("c.yaml", "hostedClusters:\n  - name: tenant-a\n")],
      "its platform is not stated",
    ],
    [
      "a current configuration with a mistake",
      () => [
        "--change",
        folder.write("c.yaml", "hostedClusters:\n  - { name: tenant-a, platform: None, foo: 1 }\n"),
      ],
      "c.yaml:2",
    ],
  ])("exits with status 2 for %s", async (_, args, words) => {
    const wanted = config("wanted.yaml", machines);
    const { status, out, error } = await call(["plan", "-c", wanted, ...args()]);
    expect([status, out]).toEqual([2, ""]);
    expect(error).toContain(words);
  });

  it("has examples in its help", async () => {
    const { out } = await call(["plan", "--help"]);
    expect(out).toContain("--change <current>");
    expect(out).toContain("--config wanted.yaml --change current.yaml --format markdown > run-book.md");
  });
});
