import type { PropertyValue, Resource } from "../../src/resources/resource";
import { makeRunBook } from "../../src/runBook/makeRunBook";
import { hostedCluster, resource } from "../rules/builders";
import { side, stepIds } from "./sides";
import { Outcome } from "../../src/runBook/runBook";

const kubevirt = { platform: "KubeVirt", machineNetwork: [{ cidr: "192.168.10.0/24" }] };
const pool = (network: PropertyValue, name = "workers") =>
  resource("kubernetes:hypershift.openshift.io/v1beta1:NodePool", name, {
    metadata: { name, namespace: "clusters" },
    spec: { clusterName: "tenant-a", replicas: 2, platform: { type: "KubeVirt", kubevirt: network } },
  });
const only = pool({ attachDefaultNetwork: false, additionalNetworks: [{ name: "shop/vlan-10" }] });
const both = pool({ attachDefaultNetwork: true, additionalNetworks: [{ name: "shop/vlan-10" }] });
const proxy = (spec: { [key: string]: PropertyValue }, metadata = {}) =>
  resource("kubernetes:config.openshift.io/v1:Proxy", "cluster", {
    metadata: { name: "cluster", ...metadata },
    spec: { httpsProxy: "http://proxy.example.com:3128", ...spec },
  });
const book = (current: ReturnType<typeof pool>[], wanted: ReturnType<typeof pool>[], moved: object = {}) =>
  makeRunBook({ current: side(kubevirt, current), wanted: side({ ...kubevirt, ...moved }, wanted) });

describe("M11 the step for a secondary network that bypasses the management cluster's proxy", () => {
  test("keeps the entries of others, writes against the version that was read, and has a way back", () => {
    const own = proxy({ noProxy: ".corp.example.com,10.0.0.0/8" }, { resourceVersion: "17" });
    const { outcome, steps } = book([both, own], [only]);
    expect(outcome).toBe(Outcome.InPlace);
    const [step] = steps;
    expect(step).toMatchObject({ id: "management-proxy", disruption: "nodes roll out", actions: [] });
    expect(step!.patches.map(({ body, kind }) => [kind, body])).toEqual([
      [
        "Proxy",
        {
          metadata: { resourceVersion: "17" },
          spec: { noProxy: ".corp.example.com,10.0.0.0/8,192.168.10.0/24" },
        },
      ],
    ]);
    expect(step!.patches[0]!.command).toMatch(
      /^oc patch proxy\.config\.openshift\.io cluster --type=merge -p '\{/,
    );
    expect(step!.wayBack.patches[0]!.body).toMatchObject({
      spec: { noProxy: ".corp.example.com,10.0.0.0/8" },
    });
  });

  test("omits credentials in an entry of others, and marks the patches as incomplete", () => {
    const own = proxy({ noProxy: ".corp.example.com,http://me:hunter2@a.example.com" });
    const { steps } = book([both, own], [only]);
    expect(JSON.stringify(steps)).not.toMatch(/hunter2|me:/);
    expect([...steps[0]!.patches, ...steps[0]!.wayBack.patches]).toMatchObject([
      {
        incomplete: true,
        body: { spec: { noProxy: ".corp.example.com,http://USER:PASSWORD@a.example.com,192.168.10.0/24" } },
      },
      { incomplete: true },
    ]);
  });

  test.each<[string, ReturnType<typeof pool>[], ReturnType<typeof pool>[]]>([
    ["a wider entry contains it", [only, proxy({ noProxy: "192.168.0.0/16" })], [only]],
    ["the management cluster has no proxy", [only, proxy({ httpsProxy: "" })], [only]],
    ["the default pod network is attached too", [both, proxy({})], [both]],
    ["the Proxy is not among the inputs, and the nodes existed before", [only], [only]],
  ])("is absent if %s", (_, current, wanted) => {
    expect(stepIds(book(current, wanted))).toEqual([]);
  });

  test("is a manual action for new such nodes if the Proxy is not among the inputs", () => {
    const [step] = book([both], [only]).steps;
    expect(step).toMatchObject({ id: "management-proxy", patches: [] });
    expect(step!.actions).toEqual([expect.stringMatching(/^add 192\.168\.10\.0\/24 to spec\.noProxy/)]);
    expect(step!.preChecks[0]!.what).toMatch(/without one there is nothing to do/);
  });

  test("does not patch the Proxy of another provider, such as that of the hosted cluster itself", () => {
    const by = (name: string, one: Resource): Resource => ({
      ...one,
      provider: `urn:pulumi:dev::net::pulumi:providers:kubernetes::${name}`,
    });
    const noProxies = (...proxies: Resource[]) => {
      const current = side(kubevirt, [only, ...proxies]);
      const source = { kind: "object", resource: by("management", hostedCluster()), raw: {} };
      Object.assign(current.judged.clusters[0]!, { sources: [source] });
      const { steps } = makeRunBook({ current, wanted: side(kubevirt, [only]) });
      return steps.flatMap(({ patches }) => patches.map(({ body }) => (body as { spec: object }).spec));
    };
    const [hosted, own] = [by("hosted", proxy({ noProxy: "a" })), by("management", proxy({ noProxy: "b" }))];
    expect(noProxies(hosted, own)).toEqual([{ noProxy: "b,192.168.10.0/24" }]);
    expect(noProxies(hosted)).toEqual([]);
  });

  test("is present for nodes that already exist without the entry", () => {
    expect(stepIds(book([only, proxy({ noProxy: "localhost" })], [only]))).toEqual(["management-proxy"]);
  });
});
