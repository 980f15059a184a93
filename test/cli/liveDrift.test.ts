import { Cluster } from "../../src/cluster/cluster";
import { TYPE } from "../../src/resources/resourceTypes";
import { hostedClusterObject } from "../e2e/hostedCluster";
import { playEc2 } from "../live/ec2/ec2Account";
import { apiServer, type Served } from "../live/objects/apiServer";
import { Folder, stackExport, state } from "../plan/plans";
import { call } from "./terminal";

const LIST = {
  hostedClusters: "/apis/hypershift.openshift.io/v1beta1/hostedclusters",
  policies: "/apis/networking.k8s.io/v1/networkpolicies",
  firewalls: "/apis/k8s.ovn.org/v1/egressfirewalls",
  egressIps: "/apis/k8s.ovn.org/v1/egressips",
  networks: "/apis/operator.openshift.io/v1/networks",
  proxies: "/apis/config.openshift.io/v1/proxies",
} as const;
const MANAGEMENT = "urn:pulumi:dev::network::pulumi:providers:kubernetes::management::1";
const GUEST = "urn:pulumi:dev::network::pulumi:providers:kubernetes::guest::2";

let folder: Folder;
let served: Served;
beforeEach(() => {
  folder = new Folder();
  jest.spyOn(Cluster, "open").mockImplementation(() => {
    const send = (_: string, path: string) => Promise.resolve(apiServer(served).answer(path));
    return Promise.resolve({ send } as unknown as Cluster);
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  folder.remove();
});

type Manifest = { kind: string; apiVersion: string; metadata: object; spec: object };
const object = (apiVersion: string, kind: string, metadata: object, spec: object): Manifest => ({
  apiVersion,
  kind,
  metadata,
  spec,
});
const hosted = (name: string, more: object = {}) => {
  const { spec, ...rest } = hostedClusterObject();
  return { ...rest, metadata: { name, namespace: "clusters" }, spec: { ...spec, ...more } };
};
const proxy = (noProxy: string) =>
  object("config.openshift.io/v1", "Proxy", { name: "cluster" }, { httpProxy: "http://proxy:3128", noProxy });
const network = (spec: object) => object("operator.openshift.io/v1", "Network", { name: "cluster" }, spec);
const policy = (name: string, metadata: object = { namespace: "shop" }, spec: object = {}) =>
  object(
    "networking.k8s.io/v1",
    "NetworkPolicy",
    { name, ...metadata },
    { podSelector: {}, policyTypes: ["Ingress"], ...spec },
  );
const egressIp = (name: string, egressIPs = ["192.0.2.1"]) =>
  object("k8s.ovn.org/v1", "EgressIP", { name }, { egressIPs, namespaceSelector: {} });
/** The object as the engine stores it in a stack. */
const inStack = ({ apiVersion, kind, ...rest }: Manifest, more: object = {}) =>
  state(`kubernetes:${apiVersion}:${kind}`, "a", rest, more);

const GUEST_CONFIGURATION = `hostedClusters: [{ name: tenant-a, platform: None, release: "4.20", machineNetwork: [{ cidr: 10.0.0.0/16 }] }]\n`;
const configuration = () => ["-c", folder.write("c.yaml", GUEST_CONFIGURATION)];
const plan = (content: object[] | string) =>
  folder.write("plan.json", typeof content === "string" ? content : JSON.stringify(content));

interface Answer {
  values: { object: string; path: string; planned: string; found: string }[];
  missing: { object: string; resource: object }[];
}

/** What drifted, and the notes on standard error. */
async function drift(content: object[] | string, ...more: string[]) {
  const args = ["diff", plan(content), "--live", "--kubeconfig", "x.kubeconfig", "--fail-on", "changed"];
  const { status, out, error } = await call([...args, "--format", "json", ...more]);
  const { values, missing } = JSON.parse(out || "{}") as Answer;
  return {
    status,
    error,
    missing: missing?.map((one) => one.object),
    values: values?.map((one) => `${one.object} ${one.path}: ${one.planned}, ${one.found}`),
  };
}

describe("an object that several resources of a plan define together", () => {
  const withNoProxy = (noProxy: string) => hosted("tenant-a", { configuration: { proxy: { noProxy } } });
  const patched = (base: string, patch: string) =>
    stackExport([
      inStack(withNoProxy(base)),
      inStack({
        ...object(
          "hypershift.openshift.io/v1beta1",
          "HostedClusterPatch",
          { name: "tenant-a", namespace: "clusters" },
          { configuration: { proxy: { noProxy: patch } } },
        ),
      }),
    ]);

  test("is as planned if the running object has the values of the patch", async () => {
    served = { lists: { [LIST.hostedClusters]: [withNoProxy("a,b")] } };
    expect(await drift(patched("a", "a,b"))).toMatchObject({ status: 0, values: [] });
    expect((await drift(patched("a,b", "a"))).values).toEqual([
      'HostedCluster clusters/tenant-a spec.configuration.proxy.noProxy: "a", "a,b"',
    ]);
  });

  test("is not compared in a field to which the package adds its share", async () => {
    served = { lists: { [LIST.proxies]: [proxy("a,10.0.0.0/16")] } };
    const share = state("pulumi-nodejs:dynamic/hypershift-network:SharedFieldShare", "share", {
      apiVersion: "config.openshift.io/v1",
      object: "Proxy",
      name: "cluster",
      path: ["spec", "noProxy"],
    });
    const both = stackExport([inStack(proxy("a")), share]);
    expect(await drift(both, ...configuration())).toMatchObject({ status: 0, values: [] });
    expect((await drift([proxy("a")], ...configuration())).values).toHaveLength(1);
  });
});

describe("a stack export", () => {
  const settings = (inputs: object, outputs: object) =>
    stackExport([
      inStack(network(inputs), { outputs: network(outputs) }),
      state("kubernetes:core/v1:Namespace", "b", {}),
    ]);

  test("is compared by the inputs of the program, not by what the server filled in", async () => {
    served = { lists: { [LIST.networks]: [network({ managementState: "Managed", logLevel: "Debug" })] } };
    const planned = settings(
      { managementState: "Managed" },
      { managementState: "Managed", logLevel: "Normal" },
    );
    expect(await drift(planned, ...configuration())).toMatchObject({ status: 0, values: [] });
    const other = settings({ logLevel: "Normal" }, { logLevel: "Normal" });
    expect((await drift(other, ...configuration())).values).toEqual([
      'Network cluster spec.logLevel: "Normal", "Debug"',
    ]);
  });

  test("is not compared at values that are secret or not known yet", async () => {
    served = { lists: { [LIST.networks]: [network({ logLevel: "Debug" })] } };
    const secret = {
      "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
      plaintext: '"x"',
    };
    for (const logLevel of [secret, "04da6b54-80e4-46f7-96ec-b56ff0331ba9"])
      expect(await drift(settings({ logLevel }, { logLevel }), ...configuration())).toMatchObject({
        status: 0,
        values: [],
      });
  });
});

describe("objects of the same name in the management and in the hosted cluster", () => {
  test("are not compared if a plan with HostedClusters does not state which cluster is meant", async () => {
    served = { lists: { [LIST.proxies]: [proxy("guest")] } };
    const { status, values, missing, error } = await drift([hosted("tenant-a"), proxy("management")]);
    expect([status, values, missing]).toEqual([0, [], []]);
    expect(error).toContain("Proxy cluster");
    expect(error).toContain(
      "the input does not state whether the objects are in the management cluster or in a hosted one",
    );
  });

  test("are listed only in part if there are many", async () => {
    served = { lists: { [LIST.egressIps]: [] } };
    const many = Array.from({ length: 12 }, (_, position) => egressIp(`n${position}`));
    const { error } = await drift([hosted("tenant-a"), ...many]);
    expect(error).toContain("EgressIP n0, EgressIP n1,");
    expect(error).toContain("EgressIP n9 and 2 more\n");
  });

  test("are distinguished by their providers", async () => {
    served = { lists: { [LIST.proxies]: [proxy("guest")] } };
    const stack = (provider: string) =>
      stackExport([
        inStack(hosted("tenant-a"), { provider: MANAGEMENT }),
        { ...inStack(proxy("other"), { provider }), urn: "urn:pulumi:dev::network::a::b" },
      ]);
    expect(await drift(stack(MANAGEMENT))).toMatchObject({ status: 0, values: [] });
    expect((await drift(stack(GUEST))).values).toEqual(['Proxy cluster spec.noProxy: "other", "guest"']);
  });

  test("are not compared if several providers of a plan manage them", async () => {
    served = { lists: { [LIST.networks]: [network({ logLevel: "Debug" })] } };
    const stack = stackExport(
      [MANAGEMENT, GUEST].map((provider, at) => ({
        ...inStack(network({ logLevel: "Normal" }), { provider }),
        urn: `urn:pulumi:dev::network::a::${at}`,
      })),
    );
    const { status, error } = await drift(stack, ...configuration());
    expect(status).toBe(0);
    expect(error).toContain("several providers of the plan manage them: Network cluster");
  });
});

test("--cluster omits the values of other hosted clusters", async () => {
  const type = (networkType: string) => ({ networking: { networkType } });
  served = { lists: { [LIST.hostedClusters]: [hosted("tenant-a"), hosted("tenant-b", type("Calico"))] } };
  const planned = [hosted("tenant-a"), hosted("tenant-b", type("Other")), hosted("tenant-c")];
  expect(await drift(planned, "--cluster", "tenant-a")).toMatchObject({ status: 0, values: [], missing: [] });
  expect(await drift(planned, "--cluster", "clusters/tenant-b")).toMatchObject({ status: 1, missing: [] });
});

describe("objects that are planned but missing", () => {
  test("are named if their kind was read", async () => {
    served = { lists: { [LIST.egressIps]: [egressIp("one")], [LIST.policies]: [policy("own")] } };
    const planned = [egressIp("one"), egressIp("two"), policy("own"), policy("gone"), network({})];
    const { status, missing, values } = await drift(planned, ...configuration());
    expect([status, missing, values]).toEqual([1, ["EgressIP two", "NetworkPolicy shop/gone"], []]);
    const { out } = await call([
      ...["diff", plan([egressIp("two")]), "--live", "--kubeconfig", "x", ...configuration()],
    ]);
    expect(out).toContain("\n1 object is planned but missing\n  EgressIP two\n");
  });

  test("are not named if their kind was not read, their name is unknown, or a stack covers several clusters", async () => {
    served = { lists: { [LIST.egressIps]: [egressIp("one")] } };
    expect(await drift([policy("gone")], ...configuration())).toMatchObject({ status: 0, missing: [] });
    const nameless = object("k8s.ovn.org/v1", "EgressIP", { generateName: "a-" }, {});
    expect(await drift([nameless], ...configuration())).toMatchObject({ status: 0, missing: [] });
    const several = stackExport(
      [MANAGEMENT, GUEST].map((provider, at) => ({
        ...inStack(egressIp(`${at}`), { provider }),
        urn: `urn:pulumi:dev::network::a::${at}`,
      })),
    );
    const { status, error } = await drift(several, ...configuration());
    expect(status).toBe(0);
    expect(error).toContain("missing objects are not listed");
  });
});

test("a HostedCluster of another API version is not compared, and a note says so", async () => {
  const { spec: _, ...rest } = hosted("tenant-a");
  const old = {
    ...rest,
    apiVersion: "hypershift.openshift.io/v1alpha1",
    spec: {
      ...hosted("tenant-a").spec,
      networking: { machineCIDR: "10.0.0.0/16", podCIDR: "10.132.0.0/14" },
    },
  };
  served = { lists: { [LIST.hostedClusters]: [hosted("tenant-a")] } };
  const { status, values, error } = await drift([old], "--cluster", "tenant-a");
  expect(values).toEqual([]);
  expect(error).toContain(
    "note  not compared, because the plan has them in another API version than the cluster: HostedCluster clusters/tenant-a\n",
  );
  expect(status).toBe(0);
  // In the version of the cluster, the same values differ.
  const compared = await drift([{ ...old, apiVersion: rest.apiVersion }], "--cluster", "tenant-a");
  expect(compared.values).toEqual([
    'HostedCluster clusters/tenant-a spec.networking.machineCIDR: "10.0.0.0/16", absent',
    'HostedCluster clusters/tenant-a spec.networking.podCIDR: "10.132.0.0/14", absent',
  ]);
  expect(compared.error).not.toContain("in another API version");
  expect(compared.status).toBe(1);
});

test("an object without a namespace is compared in the default namespace of its kind", async () => {
  served = {
    lists: { [LIST.policies]: [policy("own", { namespace: "default" }, { policyTypes: ["Egress"] })] },
  };
  expect((await drift([policy("own", {})], ...configuration())).values).toEqual([
    'NetworkPolicy default/own spec.policyTypes: ["Ingress"], ["Egress"]',
  ]);
  served = {
    lists: { [LIST.hostedClusters]: [hosted("tenant-a", { additionalTrustBundle: { name: "b" } })] },
  };
  const nowhere = {
    ...hosted("tenant-a", { additionalTrustBundle: { name: "a" } }),
    metadata: { name: "tenant-a" },
  };
  expect((await drift([nowhere])).values).toHaveLength(1);
});

test("an object without a namespace does not belong to a control plane", async () => {
  served = { lists: { [LIST.hostedClusters]: [hosted("tenant-a")], [LIST.policies]: [] } };
  expect(await drift([hosted("tenant-a"), policy("own", {})])).toMatchObject({ status: 0, missing: [] });
  const inside = policy("own", { namespace: "clusters-tenant-a" });
  expect((await drift([hosted("tenant-a"), inside])).missing).toEqual([
    "NetworkPolicy clusters-tenant-a/own",
  ]);
});

test("without --live, values are not compared", async () => {
  playEc2({ DescribeSecurityGroups: { SecurityGroups: [] } });
  const group = state(TYPE.securityGroup, "hosts", { tags: { "hypershift-network/role": "control-plane" } });
  const { out } = await call([
    ...["diff", plan(stackExport([group])), "--ec2", "--region", "eu-west-1", "--format", "json"],
    ...configuration(),
  ]);
  expect(Object.keys(JSON.parse(out) as object)).toEqual(["version", "hostedClusters"]);
});
