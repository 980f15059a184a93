import { LiveStatus, type LiveCheck, type LiveObject } from "../../../src/cluster/liveCluster";
import { verifyFlows } from "../../../src/live/flows/verifyFlows";
import { requirementOf } from "../../../src/requirements/requirements";
import { mergeTopology, topologyOfHostedCluster } from "../../../src/topology/topologyOfHostedCluster";
import { normalizeTopology } from "../../../src/topology/normalizeTopology";
import { FakeCluster } from "../probes/fakeCluster";

const PODS = "/api/v1/namespaces/hypershift-network-verify/pods";
const AGENT = "/apis/apps/v1/namespaces/kube-system/daemonsets/konnectivity-agent";
const { Passed, Failed, Unknown } = LiveStatus;

const nodePort = (service: string, port: number) => ({
  service,
  servicePublishingStrategy: { type: "NodePort", nodePort: { address: "192.0.2.10", port } },
});
const hostedCluster = (spec: object = {}, status: object = {}): LiveObject => ({
  kind: "HostedCluster",
  metadata: { name: "tenant-a", namespace: "clusters" },
  spec: {
    platform: { type: "Agent" },
    release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
    networking: {},
    services: [
      nodePort("APIServer", 31001),
      nodePort("Konnectivity", 31091),
      nodePort("Ignition", 31090),
      nodePort("OAuthServer", 31443),
    ],
    ...spec,
  },
  status: {
    controlPlaneEndpoint: { host: "api.example.com", port: 31001 },
    ignitionEndpoint: "ignition.example.com:31090",
    oauthCallbackURLTemplate: "https://oauth.example.com:31443/oauth2callback/[identity-provider-name]",
    ...status,
  },
});
const agent = {
  metadata: { name: "konnectivity-agent" },
  spec: {
    template: {
      spec: { containers: [{ args: ["--proxy-server-host", "192.0.2.10", "--proxy-server-port", "31091"] }] },
    },
  },
};

interface Request {
  id: string;
  address?: string;
  port: number;
}

/** How a world differs from one in which a pod on each of two nodes reports. */
interface World {
  nodeOf?: (index: number) => string;
  /** The status of a pod that reports nothing. */
  statusOf?: (index: number) => object | undefined;
  jobEnd?: object;
}

/** A cluster whose Job has a pod on each of two nodes. */
function worldOf(
  silent: (id: string, node: string) => boolean = () => false,
  {
    nodeOf = (index) => `worker-${index}`,
    statusOf = () => undefined,
    jobEnd = { type: "Complete", status: "True" },
  }: World = {},
) {
  const fake = new FakeCluster();
  fake.objects.set(AGENT, agent);
  const asked: Request[] = [];
  fake.made = (path, object) => {
    if (!path.endsWith("/jobs")) return;
    const { template, completions } = object.spec as never as {
      completions: number;
      template: {
        metadata: { labels: Record<string, string> };
        spec: { containers: { env: { value: string }[] }[] };
      };
    };
    asked.push(...(JSON.parse(template.spec.containers[0]!.env[0]!.value) as Request[]));
    for (let index = 0; index < completions; index++) {
      const nodeName = nodeOf(index);
      const results = asked.map(({ id }) =>
        silent(id, nodeName) ? [id, false, "refused"] : [id, true, "connected"],
      );
      const terminated = { message: JSON.stringify(results) };
      fake.objects.set(`${PODS}/x-${index}`, {
        metadata: { name: `x-${index}`, ...template.metadata },
        spec: { nodeName, containers: [{ image: "python" }] },
        status: statusOf(index) ?? { containerStatuses: [{ state: { terminated } }] },
      });
    }
    object.status = { conditions: [jobEnd] };
  };
  return { fake, asked };
}

async function verify({ fake }: { fake: FakeCluster }, object = hostedCluster(), configured: object = {}) {
  const raw = mergeTopology(topologyOfHostedCluster(object)!, configured);
  let now = 0;
  return verifyFlows(
    fake.cluster,
    { hostedCluster: object, topology: normalizeTopology(raw).readable! },
    { run: "1a2b", timeoutSeconds: 60 },
    {
      now: () => now,
      sleep: (time) => Promise.resolve(void (now += time)),
      deadline: 60_000,
      progress: () => undefined,
    },
  );
}

const rows = (checks: readonly LiveCheck[]) =>
  checks.map(({ id, requirement, status }) => [id, requirement, status]);

describe("the flows that workers need", () => {
  test("are tried from two nodes, and reported with requirement and document", async () => {
    const world = worldOf();
    const checks = await verify(world);
    expect(rows(checks)).toEqual([
      ["flow/dns-tcp", "wk-out-dns-tcp", Passed],
      ["flow/dns-udp", "wk-out-dns-udp", Passed],
      ["flow/kube-apiserver", "up-nodeport-range", Passed],
      ["flow/konnectivity", "up-nodeport-range", Passed],
      ["flow/ignition", "up-nodeport-range", Passed],
      ["flow/oauth", "up-nodeport-range", Passed],
      ["flow/registry", "wk-out-443", Passed],
    ]);
    expect(checks[3]).toMatchObject({
      what: "workers reach the konnectivity server (up-nodeport-range)",
      expected: "an answer of 192.0.2.10:31091, TCP",
      found: "connected from worker-0; connected from worker-1",
    });
    for (const { requirement, documented } of checks) {
      expect(documented).not.toBe("");
      expect(requirementOf(requirement!).documents.length).toBeGreaterThan(0);
    }
    expect(world.asked.map(({ id, address, port }) => [id, address, port])).toEqual([
      ["flow/dns-tcp", undefined, 53],
      ["flow/dns-udp", undefined, 53],
      ["flow/kube-apiserver", "api.example.com", 31001],
      ["flow/konnectivity", "192.0.2.10", 31091],
      ["flow/ignition", "ignition.example.com", 31090],
      ["flow/oauth", "oauth.example.com", 31443],
      ["flow/registry", "quay.io", 443],
    ]);
    expect([...world.fake.objects.keys()]).toEqual([AGENT]);
  });

  test("have the requirements of Route and load balancer if published that way", async () => {
    const object = hostedCluster({
      platform: { type: "AWS", aws: { endpointAccess: "Public" } },
      services: ["Konnectivity", "Ignition", "OAuthServer"]
        .map((service): object => ({ service, servicePublishingStrategy: { type: "Route" } }))
        .concat({ service: "APIServer", servicePublishingStrategy: { type: "LoadBalancer" } }),
    });
    const checks = await verify(worldOf(), object);
    expect(rows(checks).slice(2)).toEqual([
      ["flow/kube-apiserver", "wk-out-kas", Passed],
      ["flow/konnectivity", "wk-out-443", Passed],
      ["flow/ignition", "wk-out-443", Passed],
      ["flow/oauth", "wk-out-443", Passed],
      ["flow/registry", "wk-out-443", Passed],
    ]);
  });

  test("fail with the name of the node if a single node is refused", async () => {
    const checks = await verify(worldOf((id, node) => id === "flow/konnectivity" && node === "worker-1"));
    expect(checks.filter(({ status }) => status !== Passed)).toMatchObject([
      { id: "flow/konnectivity", status: Failed, found: "refused from worker-1" },
    ]);
  });

  describe("without reports from two nodes", () => {
    const waiting = { reason: "ImagePullBackOff", message: "manifest unknown" };
    const pending = { phase: "Pending", containerStatuses: [{ state: { waiting } }] };
    const jobEnd = {
      type: "Failed",
      status: "True",
      reason: "DeadlineExceeded",
      message: "Job was active longer than specified deadline",
    };
    const statusOf = (index: number) => (index === 1 ? pending : undefined);
    const nodes = (...specs: object[]) => ({
      metadata: { name: "nodes" },
      items: specs.map((spec, index) => ({ metadata: { name: `worker-${index}` }, spec })),
    });

    test("are unknown with the reason if a pod does not report", async () => {
      const checks = await verify(worldOf(undefined, { statusOf, jobEnd }));
      expect(new Set(checks.map(({ status }) => status))).toEqual(new Set([Unknown]));
      expect(checks[0]!.found).toBe(
        "connected from worker-0, and nothing from 1 of 2 pods: the Job ended before each pod reported: " +
          "DeadlineExceeded: Job was active longer than specified deadline; the other pod: its image cannot be pulled " +
          "on worker-1, python: manifest unknown",
      );
      expect(checks[0]!.fix).toContain("--probe-image");
    });

    test("fail if the only reporting pod was refused", async () => {
      const checks = await verify(worldOf((id) => id === "flow/konnectivity", { statusOf, jobEnd }));
      expect(checks.filter(({ status }) => status === Failed)).toMatchObject([
        { id: "flow/konnectivity", found: "refused from worker-0" },
      ]);
    });

    test.each<[string, object[], LiveStatus, string]>([
      ["two nodes accept pods", [{}, {}], Unknown, "only from worker-0, although 2 nodes accept pods"],
      ["the cluster has one node", [{}], Passed, "connected from worker-0"],
      [
        "the other nodes are cordoned or tainted NoSchedule",
        [{}, { unschedulable: true }, { taints: [{ key: "a", effect: "NoSchedule" }] }],
        Passed,
        "connected from worker-0",
      ],
      [
        "the other node is tainted PreferNoSchedule",
        [{}, { taints: [{ key: "a", effect: "PreferNoSchedule" }] }],
        Unknown,
        "although 2 nodes accept pods",
      ],
    ])(
      "count both reports of one node as proof only if no other node accepts pods: %s",
      async (_, specs, status, found) => {
        const world = worldOf(undefined, { nodeOf: () => "worker-0" });
        world.fake.objects.set("/api/v1/nodes", nodes(...specs));
        const checks = await verify(world);
        expect(new Set(checks.map((check) => check.status))).toEqual(new Set([status]));
        expect(checks[0]!.found).toContain(found);
      },
    );

    test("are unknown if both reports are of one node and the user may not list nodes", async () => {
      const world = worldOf(undefined, { nodeOf: () => "worker-0" });
      world.fake.refuse = (_, path) =>
        path === "/api/v1/nodes" ? { status: 403, body: { message: "no" } } : undefined;
      const [check] = await verify(world);
      expect([check!.status, check!.fix]).toEqual([
        Unknown,
        expect.stringContaining("rbac/verify-hosted.yaml"),
      ]);
    });
  });

  test.each([
    [
      "of its repository and of the parent path",
      [
        {
          source: "quay.io/openshift-release-dev/ocp-release",
          mirrors: ["registry.local:5000/release", "registry.local:5000/other"],
        },
        { source: "quay.io/openshift-release-dev", mirrors: ["mirror.example.com/dev"] },
      ],
      "an answer of registry.local:5000 or mirror.example.com:443 or quay.io:443, TCP",
    ],
    [
      "but not those of other repositories",
      [
        { source: "quay.io/openshift-release-dev/ocp-rel", mirrors: ["registry.local:5000/release"] },
        { source: "quay.io/openshift-release-dev/ocp-release" },
      ],
      "an answer of quay.io:443, TCP",
    ],
  ])("may reach the registry at any mirror %s", async (_, imageContentSources, expected) => {
    const checks = await verify(worldOf(), hostedCluster({ imageContentSources }));
    expect(checks.find(({ id }) => id === "flow/registry")?.expected).toBe(expected);
  });

  test("are unknown if their endpoint is not stated, and the fix names the missing input", async () => {
    const world = worldOf();
    world.fake.objects.delete(AGENT);
    const object = hostedCluster({ services: [nodePort("APIServer", 31001)] }, { ignitionEndpoint: "" });
    const open = (await verify(world, object)).filter(({ status }) => status === Unknown);
    expect(open.map(({ id, found, fix }) => [id, found, fix])).toEqual([
      [
        "flow/konnectivity",
        "its place is not stated",
        "check the arguments of DaemonSet kube-system/konnectivity-agent, or services.konnectivity.address and .nodePort of the configuration",
      ],
      [
        "flow/ignition",
        "its place is not stated",
        "check status.ignitionEndpoint of the HostedCluster, or services.ignition.address and .nodePort of the configuration",
      ],
    ]);
  });

  test("use endpoints of the configuration that the cluster does not state", async () => {
    const world = worldOf();
    world.fake.refuse = (_, path) => (path === AGENT ? { status: 403, body: { message: "no" } } : undefined);
    const configured = {
      bootstrap: false,
      services: { konnectivity: { type: "NodePort", address: "192.0.2.11", nodePort: 31091 } },
    };
    const object = hostedCluster({ services: [nodePort("APIServer", 31001), nodePort("Ignition", 31090)] });
    const checks = await verify(world, object, configured);
    expect(checks.find(({ id }) => id === "flow/konnectivity")?.expected).toContain("192.0.2.11:31091");
    // No node dials ignition once the nodes have joined.
    expect(checks.map(({ id }) => id)).not.toContain("flow/ignition");
  });

  test("include a proxy once, and a flow that may use it is unknown instead of failed", async () => {
    const url = "http://scott:tiger@proxy.example.com:3128";
    const object = hostedCluster({ configuration: { proxy: { httpProxy: url, httpsProxy: url } } });
    const checks = await verify(
      worldOf((id) => id === "flow/registry" || id === "flow/dns-udp"),
      object,
    );
    expect(checks.find(({ id }) => id.startsWith("flow/proxy"))).toMatchObject({
      id: "flow/proxy/proxy.example.com:3128",
      status: Passed,
      expected: "an answer of proxy.example.com:3128, TCP",
    });
    expect(rows(checks).filter(([, , status]) => status !== Passed)).toEqual([
      ["flow/dns-udp", "wk-out-dns-udp", Failed],
      ["flow/registry", "wk-out-443", Unknown],
    ]);
    expect(JSON.stringify(checks)).not.toContain("tiger");
  });
});
