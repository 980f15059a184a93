import { stringify } from "yaml";

import { hostedClusterObject } from "../e2e/hostedCluster";
import { playEc2 } from "../live/ec2/ec2Account";
import { Platform } from "../../src/requirements/vocabulary";
import { TYPE } from "../../src/resources/resourceTypes";
import { stackExport, state } from "../plan/plans";
import { validCluster } from "../rules/refusals/objects";
import { PlayedCluster } from "./playedCluster";
import { call } from "./terminal";
import type { RunBook } from "../../src/runBook/runBook";

const HYPERSHIFT = "/apis/hypershift.openshift.io/v1beta1";
const HOSTED_CLUSTERS = `${HYPERSHIFT}/hostedclusters`;
const NODE_POOLS = `${HYPERSHIFT}/nodepools`;
const NO_PLATFORM = { platform: { type: "None" } };
const PROXIES = "/apis/config.openshift.io/v1/proxies";

const played = new PlayedCluster();

const manifest = (object: object, name = "wanted.yaml") => played.folder.write(name, stringify(object));
const withJoin = (internalJoinSubnet: string, name = "tenant-a") => {
  const ipv4 = { internalJoinSubnet };
  const operatorConfiguration = { clusterNetworkOperator: { ovnKubernetesConfig: { ipv4 } } };
  return hostedClusterObject({ operatorConfiguration }, name);
};
const live = (...args: string[]) =>
  call(["plan", ...args, "--live", "--kubeconfig", "management.kubeconfig"]);
const booksOf = (out: string) => (JSON.parse(out) as { hostedClusters: RunBook[] }).hostedClusters;
const ids = ({ steps }: RunBook) => steps.map(({ id }) => id);

describe("hypershift-network plan --live", () => {
  test("writes the run book from the running state to the wanted state", async () => {
    played.served = { lists: { [HOSTED_CLUSTERS]: [withJoin("100.98.0.0/16")] } };
    const { status, out } = await live(manifest(withJoin("100.99.0.0/16")), "--context", "x", "-f", "json");
    const [book] = booksOf(out);
    expect([status, ids(book!)]).toEqual([0, ["internal-subnets"]]);
    expect(book!.steps[0]!.patches[0]!.command).toContain("100.99.0.0/16");
    expect(book!.steps[0]!.wayBack.patches[0]!.command).toContain("100.98.0.0/16");
    expect(played.opened).toEqual([{ kubeconfig: "management.kubeconfig", context: "x" }]);
  });

  test("has nothing to do if the wanted state already runs, and accepts a configuration as the wanted state", async () => {
    played.served = { lists: { [HOSTED_CLUSTERS]: [withJoin("100.99.0.0/16")] } };
    expect(await live(manifest(withJoin("100.99.0.0/16")))).toMatchObject({
      status: 0,
      out: "clusters/tenant-a: nothing to do\n",
    });
    const config = manifest(
      {
        hostedClusters: [
          { name: "tenant-a", platform: "AWS", release: "4.20", internalJoinSubnet: "100.97.0.0/16" },
        ],
      },
      "hypershift-network.yaml",
    );
    const { out } = await live("-c", config, "-f", "json");
    expect(booksOf(out)[0]!.changes.map(({ property }) => property)).toContain("internalJoinSubnet");
  });

  describe("reads from the running NodePools whether the bootstrap ports can be closed", () => {
    const pool = (status: object) => ({
      apiVersion: "hypershift.openshift.io/v1beta1",
      kind: "NodePool",
      metadata: { name: "workers", namespace: "clusters", generation: 1 },
      spec: {
        clusterName: "tenant-a",
        replicas: 2,
        management: { upgradeType: "InPlace", autoRepair: false },
        release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.0-x86_64" },
      },
      status,
    });
    const condition = (type: string) => ({ type, status: "True", observedGeneration: 1 });
    const ready = { replicas: 2, conditions: ["AllNodesHealthy", "Ready"].map(condition) };
    const plan = (status: object) => {
      const cluster = validCluster(Platform.None);
      played.served = { lists: { [HOSTED_CLUSTERS]: [cluster], [NODE_POOLS]: [pool(status)] } };
      const surroundings = { managementClusterCidrs: ["10.1.0.0/16"], bootstrap: false };
      const config = manifest({ hostedClusters: [{ name: "tenant-a", ...surroundings }] }, "c.yaml");
      return live(manifest(cluster), "-c", config, "-f", "json");
    };

    test("blocks the change if their status does not show that all nodes have joined", async () => {
      const { status, out } = await plan({ replicas: 1 });
      const [book] = booksOf(out);
      expect([status, book!.outcome]).toEqual([1, "blocked"]);
      expect(book!.obstacles[0]!.what).toMatch(/^bootstrap: NodePool (clusters\/)?workers: /);
      expect(book!.assumptions).toContain(
        "bootstrap: not stated in the current state; assumed to be true, and its NodePools show whether the ports can be closed",
      );
    });

    test("makes closing the ports a step if their status shows that all nodes have joined", async () => {
      const { status, out } = await plan(ready);
      const [book] = booksOf(out);
      expect(book!.obstacles).toEqual([]);
      expect([status, ids(book!)]).toEqual([0, ["close-bootstrap"]]);
      expect(book!.steps[0]!.preChecks.map(({ result }) => result)).toContain("met");
    });
  });

  test("reads the management cluster's own proxy, and pins its resourceVersion in the patch", async () => {
    const kubevirt = (attachDefaultNetwork: boolean) => ({
      apiVersion: "hypershift.openshift.io/v1beta1",
      kind: "NodePool",
      metadata: { name: "workers", namespace: "clusters" },
      spec: {
        clusterName: "tenant-a",
        replicas: 2,
        platform: {
          type: "KubeVirt",
          kubevirt: { attachDefaultNetwork, additionalNetworks: [{ name: "shop/vlan-10" }] },
        },
      },
    });
    const { spec, ...object } = hostedClusterObject();
    const networking = { ...spec.networking, machineNetwork: [{ cidr: "192.168.10.0/24" }] };
    const hosted = { ...object, spec: { ...spec, networking, platform: { type: "KubeVirt" } } };
    const proxy = {
      apiVersion: "config.openshift.io/v1",
      kind: "Proxy",
      metadata: { name: "cluster", resourceVersion: "17" },
      spec: { httpsProxy: "http://proxy.example.com:3128", noProxy: ".corp.example.com" },
    };
    played.served = {
      lists: { [HOSTED_CLUSTERS]: [hosted], [NODE_POOLS]: [kubevirt(true)], [PROXIES]: [proxy] },
    };
    const wanted = played.folder.write(
      "w.yaml",
      [hosted, kubevirt(false)].map((one) => stringify(one)).join("---\n"),
    );
    const [book] = booksOf((await live(wanted, "-f", "json")).out);
    const step = book!.steps.find(({ id }) => id === "management-proxy");
    expect(step!.patches[0]!.body).toEqual({
      metadata: { resourceVersion: "17" },
      spec: { noProxy: ".corp.example.com,192.168.10.0/24" },
    });
  });

  test("reads the release of an image pinned by digest from the status, and assumes that it stays", async () => {
    const release = { image: "quay.io/openshift-release-dev/ocp-release@sha256:0123456789abcdef" };
    const completed = (version: string) => ({ version: { history: [{ state: "Completed", version }] } });
    played.served = {
      lists: { [HOSTED_CLUSTERS]: [{ ...hostedClusterObject({ release }), status: completed("4.20.4") }] },
    };
    expect((await live(manifest(hostedClusterObject({ release })))).out).toBe(
      "clusters/tenant-a: nothing to do\n\nassumptions\n  release: not stated in the wanted state; assumed to stay as it is\n",
    );
  });

  test("does not compare hosted clusters of different names, even if each side has only one", async () => {
    played.served = { lists: { [HOSTED_CLUSTERS]: [hostedClusterObject({}, "tenant-b")] } };
    const { status, out, error } = await live(manifest(hostedClusterObject()));
    expect([status, out]).toEqual([2, ""]);
    expect(error).toContain(
      "--live  the cluster has no HostedCluster clusters/tenant-a; it has clusters/tenant-b: write namespace and name as they are there, or name one that is there with --cluster\n",
    );
  });

  test("compares only the cluster that --cluster names", async () => {
    const both = ["tenant-a", "tenant-b"].map((name) => withJoin("100.98.0.0/16", name));
    played.served = { lists: { [HOSTED_CLUSTERS]: both } };
    const wanted = played.folder.write(
      "w.yaml",
      ["tenant-b", "tenant-c"].map((name) => stringify(withJoin("100.99.0.0/16", name))).join("---\n"),
    );
    expect((await live(wanted)).error).toContain(
      "no HostedCluster clusters/tenant-c; it has clusters/tenant-a, ",
    );
    const { out } = await live(wanted, "--cluster", "tenant-b", "-f", "json");
    expect(booksOf(out).map(({ cluster }) => cluster)).toEqual(["clusters/tenant-b"]);
  });

  test("asks for the management cluster if the cluster has no HostedClusters", async () => {
    played.served = {
      lists: { "/api/v1/namespaces": [{ kind: "Namespace", apiVersion: "v1", metadata: { name: "a" } }] },
    };
    const { status, error } = await live(manifest(hostedClusterObject()));
    expect(status).toBe(2);
    expect(error).toContain(
      "--live  the cluster has no HostedCluster: name the management cluster with --kubeconfig",
    );
  });

  test("prints no run book if permissions are missing, and names them", async () => {
    played.served = {
      lists: { [HOSTED_CLUSTERS]: [], [NODE_POOLS]: [] },
      forbidden: [HOSTED_CLUSTERS, NODE_POOLS],
    };
    const { status, out, error } = await live(manifest(hostedClusterObject()));
    expect([status, out]).toEqual([2, ""]);
    expect(error).toContain('cannot list resource "hostedclusters"');
    expect(error).toContain('cannot list resource "nodepools"');
  });

  describe("with --ec2, a security group that already drops flows is no obstacle if it is", () => {
    const hosted = { ...hostedClusterObject(), spec: { ...hostedClusterObject().spec, ...NO_PLATFORM } };
    const said = {
      name: "tenant-a",
      managementClusterCidrs: ["10.1.0.0/16"],
      externalClientCidrs: ["203.0.113.0/24"],
      loadBalancerTargets: "instance",
    };
    const ROLES = { "hypershift-network/cluster": "tenant-a", "hypershift-network/role": "control-plane" };

    test.each([
      ["known by its tags", {}, ROLES],
      ["listed in the configuration", { securityGroups: { controlPlane: ["sg-1"] } }, {}],
    ])("%s", async (_, groups, tags) => {
      played.served = { lists: { [HOSTED_CLUSTERS]: [hosted] } };
      playEc2({
        DescribeVpcs: { Vpcs: [{ VpcId: "vpc-1", CidrBlock: "10.1.0.0/16" }] },
        DescribeSecurityGroups: {
          SecurityGroups: [
            {
              ...{ GroupId: "sg-1", GroupName: "hosts", VpcId: "vpc-1" },
              Tags: Object.entries(tags).map(([Key, Value]) => ({ Key, Value })),
            },
          ],
        },
      });
      const group = { ...state(TYPE.securityGroup, "hosts", { vpcId: "vpc-1", tags }), id: "sg-1" };
      const stack = played.folder.write("state.json", stackExport([group]));
      const config = manifest({ hostedClusters: [{ ...said, ...groups }] }, "hypershift-network.yaml");
      const { status, out } = await live(
        ...[manifest(hosted), stack, "-c", config, "--ec2", "--region", "eu-west-1"],
      );
      expect([status, out.split("\n")[0]]).toEqual([0, "clusters/tenant-a: nothing to do"]);
    });
  });

  test.each([
    [
      ["--live", "--change", "current.yaml"],
      "--change and --live both give the current state: leave out --change to read it from the cluster, or --live",
    ],
    [["--ec2", "--change", "current.yaml"], "leave out --change"],
    [["--ec2"], "--ec2 has no HostedClusters: add --live"],
    [["--kubeconfig", "a"], "--kubeconfig: add --live"],
    [["--change", "current.yaml", "--context", "a"], "--context: add --live"],
  ])("%j is a usage error", async (args, words) => {
    const { status, out, error } = await call(["plan", manifest(hostedClusterObject()), ...args]);
    expect([status, out]).toEqual([2, ""]);
    expect(error).toContain(words);
    expect(played.opened).toEqual([]);
  });

  test("requires a wanted state", async () => {
    expect(await live()).toMatchObject({
      status: 2,
      error: expect.stringContaining(
        "name a configuration with --config, or files with HostedClusters",
      ) as unknown,
    });
  });
});
