import { rules } from "../../src/rules";
import { Folder } from "../plan/plans";
import { call } from "./terminal";

let folder: Folder;
beforeEach(() => (folder = new Folder()));
afterEach(() => folder.remove());

const cluster = (name: string, more = "") =>
  `  - { name: ${name}, platform: None, release: "4.20", machineNetwork: [{ cidr: 10.0.0.0/16 }]${more} }\n`;
const config = (...clusters: string[]) =>
  folder.write("hypershift-network.yaml", `hostedClusters:\n${clusters.join("")}`);

describe("hypershift-network flows", () => {
  it("prints every flow with port, peers and document, grouped by the hosts that must allow it", async () => {
    const { status, out, error } = await call(["flows", "-c", config(cluster("tenant-a"))]);
    expect([status, error]).toEqual([0, ""]);
    expect(out).toMatch(/^clusters\/tenant-a: control-plane\n\ndirection +port +peers +flow +document\n/);
    expect(out).toMatch(/^ingress +6443\/TCP +10\.0\.0\.0\/16 .*kube-apiserver/m);
    expect(out).toMatch(/clusters\/tenant-a: workers/);
    expect(out).toMatch(/Not in the topology, and assumed or left out: .*externalClientCidrs/);
  });

  it("marks missing peers next to known ones, and ports that only pods have", async () => {
    const { out } = await call(["flows", "-c", config(cluster("tenant-a").replace("None", "AWS"))]);
    expect(out).toMatch(/^ingress +6443\/TCP +10\.0\.0\.0\/16 \? externalClientCidrs +kube-apiserver /m);
    expect(out).toMatch(/^ingress +6081\/UDP +the same hosts +worker-udp-6081 +HyperShift/m);
    expect(out).toMatch(/capi-health \(pods only\)/);
    expect(out).toMatch(/^egress +5353\/UDP +pods +cluster-dns-udp \(pods only\)/m);
    expect(out).toMatch(/^egress +10250\/TCP +10\.0\.0\.0\/16 +nodes-kubelet +HyperShift/m);
    expect(out).toMatch(/^ingress +ESP +10\.0\.0\.0\/16 +nodes-ipsec-esp \(where used\)/m);
  });

  it("reads HostedCluster objects, and selects one cluster with --cluster", async () => {
    const file = folder.write(
      "cluster.yaml",
      "apiVersion: hypershift.openshift.io/v1beta1\nkind: HostedCluster\nmetadata: { name: b, namespace: c }\nspec: { platform: { type: Agent } }\n",
    );
    const args = ["flows", file, "-c", config(cluster("tenant-a"))];
    const all = JSON.parse((await call([...args, "--format", "json"])).out) as {
      hostedClusters: { cluster: string }[];
    };
    expect(all.hostedClusters.map(({ cluster: key }) => key)).toEqual(["c/b", "clusters/tenant-a"]);
    const one = await call([...args, "--cluster", "c/b", "--format", "markdown"]);
    expect(one.out).toMatch(/^### c\/b: control-plane\n\n\| direction \| port \|/);
    expect(one.out).not.toContain("tenant-a");
  });

  it.each([
    [
      "an unknown cluster",
      ["--cluster", "x"],
      "no hosted cluster x; there is 1 hosted cluster: clusters/tenant-a",
    ],
    ["a missing file", ["missing.yaml"], "no such file"],
  ])("exits with status 2 for %s", async (_, args, words) => {
    const { status, out, error } = await call(["flows", "-c", config(cluster("tenant-a")), ...args]);
    expect([status, out]).toEqual([2, ""]);
    expect(error).toContain(words);
  });

  it("exits with status 2 if the platform is not stated or the configuration is wrong", async () => {
    const vague = await call(["flows", "-c", config("  - { name: a }\n")]);
    expect([vague.status, vague.error]).toEqual([
      2,
      expect.stringMatching(
        /clusters\/a \(.*\.yaml:2\): its platform is not stated: write platform: into the configuration, or add its HostedCluster to the inputs/,
      ) as string,
    ]);
    const wrong = await call(["flows", "-c", config(cluster("a", ", foo: 1"))]);
    expect([wrong.status, wrong.error]).toEqual([2, expect.stringMatching(/yaml:2 .*foo/) as string]);
  });
});

describe("hypershift-network policy-config", () => {
  it("prints the levels and the path of the file as CrossGuard configuration", async () => {
    const file = folder.write(
      "hypershift-network.yaml",
      "rules: { all: advisory, port-public: mandatory }\n",
    );
    const { status, out } = await call(["policy-config", "--config", file]);
    expect(status).toBe(0);
    const levels = { all: "advisory", "port-public": "mandatory" };
    expect(JSON.parse(out)).toEqual({
      ...Object.fromEntries(rules.map(({ id }) => [id, "advisory"])),
      "port-public": "mandatory",
      topology: { configFile: file, levels },
    });
  });

  it("exits with status 2 for a wrong configuration", async () => {
    const file = folder.write("c.yaml", "rules: { port-publik: advisory }\n");
    const { status, out, error } = await call(["policy-config", "--config", file]);
    expect([status, out]).toEqual([2, ""]);
    expect(error).toContain("did you mean port-public?");
  });
});
