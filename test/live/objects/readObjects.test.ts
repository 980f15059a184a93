import { LiveFault, LiveCluster } from "../../../src/cluster/liveCluster";
import { readObjects } from "../../../src/live/readObjects";
import { isJudged } from "../../../src/gate/coverage";
import { hostedClusterObject } from "../../e2e/hostedCluster";
import { apiServer, type Served } from "./apiServer";

const HOSTED_CLUSTERS = "/apis/hypershift.openshift.io/v1beta1/hostedclusters";
const FIREWALLS = "/apis/k8s.ovn.org/v1/egressfirewalls";
const read = (served: Served) => readObjects(apiServer(served).cluster, () => undefined);
const objectOf = (kind: string, apiVersion: string, metadata: object, more: object = {}) => ({
  kind,
  apiVersion,
  metadata,
  ...more,
});
const pod = (name: string, ...ownerReferences: object[]) =>
  objectOf("Pod", "v1", { name, namespace: "a", ...(ownerReferences.length > 0 && { ownerReferences }) });
const firewall = (namespace: string) =>
  objectOf("EgressFirewall", "k8s.ovn.org/v1", { name: "default", namespace });

describe("the objects of a running cluster", () => {
  test("become resources like those of manifests, with their live origin", async () => {
    const hosted = hostedClusterObject();
    const metadata = { ...hosted.metadata, managedFields: [{ manager: "x" }] };
    const { resources, faults } = await read({ lists: { [HOSTED_CLUSTERS]: [{ ...hosted, metadata }] } });
    expect(faults).toEqual([]);
    expect(resources).toEqual([
      {
        origin: { live: "HostedCluster clusters/tenant-a" },
        type: "kubernetes:hypershift.openshift.io/v1beta1:HostedCluster",
        name: "tenant-a",
        properties: hosted,
      },
    ]);
    expect(isJudged(resources[0]!.type)).toBe(true);
  });

  test("are returned with the kinds that were read, even kinds without objects", async () => {
    const kindsOf = async (...hosted: object[]) => {
      const lists = { [HOSTED_CLUSTERS]: hosted, "/apis/k8s.ovn.org/v1/egressips": [], [FIREWALLS]: [] };
      return (await read({ lists })).kinds?.map(({ kind }) => kind);
    };
    expect(await kindsOf()).toEqual(["HostedCluster", "EgressFirewall", "EgressIP"]);
    expect(await kindsOf(hostedClusterObject())).toEqual(["HostedCluster", "EgressFirewall"]);
  });

  test("are read from all pages", async () => {
    const namespaces = ["a", "b", "c", "d", "e"].map((name) => objectOf("Namespace", "v1", { name }));
    const { asked, cluster } = apiServer({ lists: { "/api/v1/namespaces": namespaces } });
    const { resources } = await readObjects(cluster, () => undefined);
    expect(resources.map(({ origin }) => origin.live)).toEqual(
      ["a", "b", "c", "d", "e"].map((name) => `Namespace ${name}`),
    );
    expect(asked.filter((path) => path.startsWith("/api/v1/namespaces"))).toEqual([
      "/api/v1/namespaces?limit=500",
      "/api/v1/namespaces?limit=500&continue=2",
      "/api/v1/namespaces?limit=500&continue=4",
    ]);
  });

  test("are read in a version that has their kind if the preferred version lacks it", async () => {
    const policy = objectOf("AdminNetworkPolicy", "policy.networking.k8s.io/v1alpha1", { name: "all" });
    const group = "/apis/policy.networking.k8s.io";
    const { resources, notes } = await read({
      lists: {
        [`${group}/v1alpha2/clusternetworkpolicies`]: [],
        [`${group}/v1alpha1/adminnetworkpolicies`]: [policy],
      },
    });
    expect(resources.map(({ origin }) => origin.live)).toEqual(["AdminNetworkPolicy all"]);
    expect(notes[0]).toContain("BaselineAdminNetworkPolicy.policy.networking.k8s.io");
  });

  test("of kinds that the cluster lacks are left out with a note", async () => {
    const { resources, notes, faults } = await read({ lists: { "/api/v1/namespaces": [] } });
    expect([resources, faults]).toEqual([[], []]);
    expect(notes).toEqual([
      expect.stringMatching(/^the cluster has no HostedCluster\.hypershift\.openshift\.io, /),
    ]);
    expect(notes[0]).not.toContain("Namespace");
  });

  test("that the user may not list are all reported at once", async () => {
    const { faults } = await read({
      lists: { [HOSTED_CLUSTERS]: [], "/api/v1/nodes": [], "/api/v1/pods": [] },
      forbidden: [HOSTED_CLUSTERS, "/api/v1/pods"],
    });
    expect(faults.map(({ message }) => message)).toEqual([
      expect.stringContaining('cannot list resource "hostedclusters"'),
      expect.stringContaining('cannot list resource "pods"'),
    ]);
    expect(faults[0]!.remedy).toContain("rbac/");
  });

  test("of a cluster that does not answer fail immediately", async () => {
    const away = new LiveCluster({ send: () => Promise.reject(new Error("ECONNREFUSED")) }, "the cluster");
    await expect(readObjects(away, () => undefined)).rejects.toThrow(LiveFault);
  });

  test("that controllers own, such as pods, are left out with a note", async () => {
    const owner = (kind: string, controller?: boolean) => ({
      kind,
      name: "o",
      ...(controller !== undefined && { controller }),
    });
    const { resources, notes } = await read({
      lists: {
        "/api/v1/pods": [
          pod("own"),
          pod("of-set", owner("ReplicaSet", true)),
          pod("mentioned", owner("Backup")),
        ],
        "/apis/apps/v1/deployments": [
          objectOf("Deployment", "apps/v1", {
            name: "kube-apiserver",
            ownerReferences: [owner("HostedControlPlane", true)],
          }),
        ],
      },
    });
    expect(resources.map(({ name }) => name)).toEqual(["own", "mentioned"]);
    expect(notes).toContain(
      "pods and the objects that create them are left to their controllers: 1 of HostedControlPlane, 1 of ReplicaSet",
    );
  });

  describe("of a management cluster", () => {
    const lists = {
      [HOSTED_CLUSTERS]: [hostedClusterObject()],
      [FIREWALLS]: [firewall("clusters-tenant-a"), firewall("shop")],
      "/apis/operator.openshift.io/v1/networks": [
        objectOf("Network", "operator.openshift.io/v1", { name: "cluster" }),
      ],
      "/apis/config.openshift.io/v1/proxies": [
        objectOf("Proxy", "config.openshift.io/v1", { name: "cluster" }),
      ],
    };

    test("exclude those of the management cluster itself except its proxy", async () => {
      const { resources, notes, kinds } = await read({ lists });
      expect(resources.map(({ origin }) => origin.live)).toEqual([
        "HostedCluster clusters/tenant-a",
        "EgressFirewall clusters-tenant-a/default",
        "Proxy cluster",
      ]);
      expect(kinds?.map(({ kind }) => kind)).toEqual(["HostedCluster", "EgressFirewall"]);
      expect(notes.join("\n")).toMatch(/has HostedClusters: its own .*Network\.operator\.openshift\.io/);
    });

    test("are all included if the cluster has no HostedCluster", async () => {
      const { resources } = await read({ lists: { ...lists, [HOSTED_CLUSTERS]: [] } });
      expect(resources.map(({ origin }) => origin.live)).toEqual([
        "EgressFirewall clusters-tenant-a/default",
        "EgressFirewall shop/default",
        "Network cluster",
        "Proxy cluster",
      ]);
    });

    test("include ConfigMaps that a HostedCluster names, and never Secrets", async () => {
      const configuration = { proxy: { httpsProxy: "https://proxy:3128", trustedCA: { name: "ca" } } };
      const path = "/api/v1/namespaces/clusters/configmaps/ca";
      const served = { lists: { [HOSTED_CLUSTERS]: [hostedClusterObject({ configuration })] } };
      const { asked, cluster } = apiServer({
        ...served,
        objects: { [path]: { metadata: { name: "ca", namespace: "clusters" } } },
      });
      const { resources } = await readObjects(cluster, () => undefined);
      expect(resources.map(({ type, origin }) => [type, origin.live])).toContainEqual([
        "kubernetes:core/v1:ConfigMap",
        "ConfigMap clusters/ca",
      ]);
      expect(asked.filter((one) => /secrets|configmaps/.test(one))).toEqual([path]);
      const refused = await read({ ...served, forbidden: [path] });
      expect(refused.faults).toHaveLength(1);
    });
  });
});

describe("a list whose continue token expires", () => {
  const answers = (...bodies: [number, object][]) => {
    const asked: string[] = [];
    const send = (_: string, path: string) => {
      asked.push(path);
      const [status, body] = bodies.shift()!;
      return Promise.resolve({ status, body });
    };
    return { asked, cluster: new LiveCluster({ send }, "the cluster") };
  };
  const collected = async (cluster: LiveCluster) => {
    const pages: unknown[] = [];
    for await (const page of cluster.pages("/api/v1/pods")) pages.push(page.items);
    return pages;
  };

  test("continues with the token that the API server returns instead", async () => {
    const { asked, cluster } = answers(
      [200, { items: [1], metadata: { continue: "old" } }],
      [410, { metadata: { continue: "new" }, message: "too old" }],
      [200, { items: [2], metadata: {} }],
    );
    expect(await collected(cluster)).toEqual([[1], [2]]);
    expect(asked[2]).toBe("/api/v1/pods?limit=500&continue=new");
  });

  test("is a fault if the API server returns no other token", async () => {
    const { cluster } = answers(
      [200, { items: [1], metadata: { continue: "old" } }],
      [410, { message: "too old" }],
    );
    await expect(collected(cluster)).rejects.toThrow("too old");
  });
});
