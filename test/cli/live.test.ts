import { Cluster } from "../../src/components/kubernetes/compareAndSwap/cluster";
import { hostedClusterObject } from "../e2e/hostedCluster";
import { apiServer, type Served } from "../live/objects/apiServer";
import { Folder } from "../plan/plans";
import { call } from "./terminal";

const HOSTED_CLUSTERS = "/apis/hypershift.openshift.io/v1beta1/hostedclusters";
const POLICIES = "/apis/networking.k8s.io/v1/networkpolicies";

let folder: Folder;
let served: Served;
/** What was said of the cluster's place. */
let opened: unknown[];
beforeEach(() => {
  folder = new Folder();
  opened = [];
  jest.spyOn(Cluster, "open").mockImplementation((access) => {
    opened.push(access);
    const send = (_: string, path: string) => Promise.resolve(apiServer(served).answer(path));
    return Promise.resolve({ send } as unknown as Cluster);
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  folder.remove();
});
const kubeconfig = "management.kubeconfig";

/** A HostedCluster whose machine network shares addresses with OVN's join subnet, or not. */
const withMachines = (cidr: string) => {
  const { spec, ...object } = hostedClusterObject();
  return { ...object, spec: { ...spec, networking: { ...spec.networking, machineNetwork: [{ cidr }] } } };
};
const check = (...more: string[]) => call(["check", "--live", "--kubeconfig", kubeconfig, ...more]);

describe("hypershift-network check --live", () => {
  test("finds in a running cluster what it finds in manifests", async () => {
    const wrong = withMachines("100.64.8.0/24");
    served = { lists: { [HOSTED_CLUSTERS]: [wrong] } };
    const { status, out, error } = await check();
    expect([status, error]).toEqual([1, ""]);
    expect(out).toContain("  error  HostedCluster tenant-a  live: HostedCluster clusters/tenant-a\n");
    expect(out).toContain("1 resource in the cluster, 1 hosted cluster: 1 error");
    const json = async (...args: string[]) =>
      (
        JSON.parse((await call([...args, "--format", "json"])).out) as {
          findings: { rule: string; path: string }[];
        }
      ).findings;
    const found = await json("check", "--live", "--kubeconfig", kubeconfig);
    expect(found[0]).toMatchObject({
      rule: "cidr-reserved-overlap",
      resource: { live: "HostedCluster clusters/tenant-a" },
    });
    const written = await json("check", folder.write("a.json", JSON.stringify(wrong)));
    expect(found.map(({ rule, path }) => [rule, path])).toEqual(
      written.map(({ rule, path }) => [rule, path]),
    );
  });

  test("finds nothing in one that is right, and says what it did not look at", async () => {
    served = { lists: { [HOSTED_CLUSTERS]: [withMachines("10.0.0.0/16")] } };
    const { status, out } = await check("--context", "x");
    expect(status).toBe(0);
    expect(opened).toEqual([{ kubeconfig, context: "x" }]);
    expect(out).toContain("note  the cluster has no NodePool.hypershift.openshift.io, ");
  });

  test("findings in every format have their place, and exemptions take them by it", async () => {
    served = { lists: { [HOSTED_CLUSTERS]: [withMachines("100.64.8.0/24")] } };
    for (const format of ["sarif", "junit", "markdown", "github"])
      expect((await check("--format", format)).out).toContain("HostedCluster");
    const config = folder.write(
      "c.yaml",
      "exemptions: [{ rule: cidr-reserved-overlap, resource: HostedCluster clusters/*, reason: known }]\n",
    );
    expect((await check("-c", config)).status).toBe(0);
  });

  test("judges nothing where a permission is missing", async () => {
    served = { lists: { [HOSTED_CLUSTERS]: [], [POLICIES]: [] }, forbidden: [POLICIES] };
    const { status, out, error } = await check();
    expect([status, out]).toEqual([2, ""]);
    expect(error).toMatch(
      /^--live {2}the cluster forbids it: .*cannot list resource "networkpolicies": bind the role of rbac\//,
    );
  });

  test("says so where the cluster has nothing to judge, does not answer, or the kubeconfig is none", async () => {
    served = {};
    const empty = await check();
    expect([empty.status, empty.error]).toEqual([
      2,
      expect.stringContaining("found nothing to judge in any input"),
    ]);
    const away = { send: () => Promise.reject(new Error("ECONNREFUSED")) } as unknown as Cluster;
    jest.spyOn(Cluster, "open").mockResolvedValueOnce(away);
    expect(await check()).toMatchObject({
      status: 2,
      error: expect.stringContaining(
        "--live  the cluster does not answer: ECONNREFUSED: look at the server",
      ) as unknown,
    });
    jest.spyOn(Cluster, "open").mockRejectedValueOnce(new Error("no such file"));
    expect(await check()).toMatchObject({
      status: 2,
      error: expect.stringContaining("the kubeconfig of the cluster cannot be used: no such file") as unknown,
    });
  });

  test("tells people who wait what is read", async () => {
    served = { lists: { [HOSTED_CLUSTERS]: [withMachines("10.0.0.0/16")] } };
    let time = 0;
    const { error } = await call(["check", "--live", "--kubeconfig", kubeconfig], {
      isWatched: true,
      now: () => (time += 2_000),
    });
    expect(error).toContain(
      "hypershift-network: reading HostedCluster.hypershift.openshift.io of the cluster ...\n",
    );
  });
});

describe("drift", () => {
  const policy = (port: number) => ({
    kind: "NetworkPolicy",
    apiVersion: "networking.k8s.io/v1",
    metadata: { name: "own", namespace: "clusters-tenant-a" },
    spec: {
      podSelector: { matchLabels: { app: "kube-apiserver" } },
      policyTypes: ["Ingress"],
      ingress: [{ ports: [{ port, protocol: "TCP" }] }],
    },
  });
  const plan = () => folder.write("plan.json", JSON.stringify([withMachines("10.0.0.0/16"), policy(6443)]));
  const live = (command: string, ...more: string[]) =>
    call([command, ...more, "--live", "--kubeconfig", kubeconfig]);

  test("diff says what a change by hand opened, and nothing where there is none", async () => {
    served = { lists: { [HOSTED_CLUSTERS]: [withMachines("10.0.0.0/16")], [POLICIES]: [policy(6443)] } };
    const same = await live("diff", plan(), "--fail-on", "opened");
    expect([same.status, same.out]).toEqual([0, "clusters/tenant-a: nothing opens or closes\n"]);
    served = { lists: { ...served.lists, [POLICIES]: [policy(22)] } };
    const other = await live("diff", plan(), "--fail-on", "opened");
    expect(other.status).toBe(1);
    expect(other.out).toMatch(/pods kube-apiserver from addresses.*: TCP 22 /);
    expect(other.out).toMatch(/closed\n.*TCP 6443 /);
  });

  test("prove answers for what runs", async () => {
    served = { lists: { [HOSTED_CLUSTERS]: [withMachines("10.0.0.0/16")], [POLICIES]: [policy(22)] } };
    const { status, out } = await live("prove");
    expect(status).toBe(1);
    expect(out).toMatch(/^clusters\/tenant-a: \d+ of \d+ documented flows proved, [1-9]\d* refuted/);
  });

  test("diff takes one plan beside --live, and two without", async () => {
    expect((await live("diff", plan(), plan())).error).toContain("name one plan beside --live");
    expect((await call(["diff", plan()])).error).toContain("or one plan and --live");
  });
});
