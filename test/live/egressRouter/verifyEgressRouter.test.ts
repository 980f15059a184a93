import { LiveFault, LiveStatus, type LiveCheck } from "../../../src/cluster/liveCluster";
import { verifyEgressRouter } from "../../../src/live/egressRouter/verifyEgressRouter";
import {
  networkAttachmentConfig,
  networksAnnotation,
  OPERATOR_NAMES,
} from "../../../src/egressRouter/egressRouter";
import { parseRelease } from "../../../src/requirements/release";
import { FakeCluster } from "../probes/fakeCluster";

const ROUTER = "/apis/network.operator.openshift.io/v1/namespaces/shop/egressrouters/egress";
const ATTACHMENTS = "/apis/k8s.cni.cncf.io/v1/namespaces/shop/network-attachment-definitions";
const PODS = "/api/v1/namespaces/shop/pods";
const EVENTS = "/api/v1/namespaces/shop/events";
const NETWORKS = "k8s.v1.cni.cncf.io/networks";
const STATUS = "k8s.v1.cni.cncf.io/network-status";
const { networkAttachment } = OPERATOR_NAMES;
const { Passed, Failed, Unknown } = LiveStatus;

const ADDRESS = "192.168.12.99/24";
const config = (name: string, address = ADDRESS) =>
  networkAttachmentConfig(
    { name, address, gateway: "192.168.12.1", fallbackIp: "203.0.113.7" },
    parseRelease("4.20"),
  );
/** The network status that Multus writes for a pod with two interfaces. */
const status = (network: string, ...ips: string[]) =>
  JSON.stringify([
    { name: "ovn-kubernetes", interface: "eth0", ips: ["10.129.2.31"], default: true, dns: {} },
    { name: network, interface: "net1", ips, mac: "0a:58:c0:a8:0c:63", dns: {} },
  ]);
const READY = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };

/** How a world differs from one with a complete EgressRouter and pod. */
interface World {
  router?: object | null;
  address?: string;
  conditions?: object[];
  /** The configuration of the network attachment; null if it does not exist. */
  attachment?: string | null;
  annotations?: Record<string, string>;
  podStatus?: object;
  pods?: object[];
  events?: object[];
}

const pod = (name: string, annotations: object, podStatus: object = READY, more: object = {}) => ({
  metadata: { name, annotations, ...more },
  spec: { nodeName: "worker-0", containers: [{ image: "registry.example.com/router" }] },
  status: podStatus,
});
const asks = { [NETWORKS]: networkAttachment };
const has = { ...asks, [STATUS]: status(`shop/${networkAttachment}`, "192.168.12.99") };

function worldOf({
  router = {},
  address = ADDRESS,
  conditions = [],
  attachment = config(networkAttachment),
  annotations = has,
  podStatus,
  pods = [pod("egress-router-cni-deployment-5f-x2", annotations, podStatus)],
  events = [],
}: World = {}) {
  const fake = new FakeCluster();
  const metadata = { name: "egress" };
  const spec = { addresses: [{ ip: address, gateway: "192.168.12.1" }] };
  if (router) fake.objects.set(ROUTER, { metadata, spec, status: { conditions }, ...router });
  const name = router ? networkAttachment : "egress";
  if (attachment !== null)
    fake.objects.set(`${ATTACHMENTS}/${name}`, { metadata, spec: { config: attachment } });
  fake.objects.set(PODS, { metadata, items: pods });
  fake.objects.set(EVENTS, { metadata, items: events });
  return fake;
}

async function verify(fake: FakeCluster) {
  let now = 0;
  const told: string[] = [];
  const checks = await verifyEgressRouter(
    fake.cluster,
    { namespace: "shop", name: "egress" },
    {
      now: () => now,
      sleep: (time) => Promise.resolve(void (now += time)),
      deadline: 60_000,
      progress: ({ found }) => void told.push(found),
    },
  );
  return { checks, now, told };
}

const rows = (checks: readonly LiveCheck[]) => checks.map(({ id, status: end, found }) => [id, end, found]);
/** The only check that did not pass. */
const open = (checks: readonly LiveCheck[]) => {
  const all = checks.filter((check) => check.status !== Passed);
  expect(all).toHaveLength(1);
  return all[0]!;
};

describe("M17 an egress router of a running cluster", () => {
  test("passes with an EgressRouter, its pod and the second interface", async () => {
    const { checks, now } = await verify(worldOf());
    expect(rows(checks)).toEqual([
      ["egress-router/object", Passed, ADDRESS],
      ["egress-router/network-attachment", Passed, ADDRESS],
      ["egress-router/pod", Passed, "pod egress-router-cni-deployment-5f-x2: ready on worker-0"],
      ["egress-router/interface", Passed, "net1 192.168.12.99"],
    ]);
    expect(checks[3]!.expected).toBe(`192.168.12.99, from shop/${networkAttachment}`);
    for (const { documented } of checks) expect(documented).toContain("15.12.3");
    expect(now).toBe(0);
  });

  test.each(["4.7", "4.20"])(
    "passes with a network attachment as the component creates it for release %s",
    async (release) => {
      const annotations = {
        [NETWORKS]: networksAnnotation("egress", "192.168.12.1", parseRelease(release)),
        "k8s.v1.cni.cncf.io/networks-status": status("egress", "192.168.12.99"),
      };
      const pods = [pod("other", {}), pod("egress-7d9-k", annotations)];
      const { checks } = await verify(worldOf({ router: null, attachment: config("egress"), pods }));
      expect(rows(checks)).toEqual([
        ["egress-router/network-attachment", Passed, ADDRESS],
        ["egress-router/pod", Passed, "pod egress-7d9-k: ready on worker-0"],
        ["egress-router/interface", Passed, "net1 192.168.12.99"],
      ]);
    },
  );

  test("passes with an IPv6 address in another spelling", async () => {
    const address = "fd00:12::99/64";
    const annotations = { ...asks, [STATUS]: status(`shop/${networkAttachment}`, "fd00:12:0:0::99") };
    const attachment = config(networkAttachment, address);
    const { checks } = await verify(worldOf({ address, attachment, annotations }));
    expect(checks.every((check) => check.status === Passed)).toBe(true);
  });

  test("is not waited for if it does not exist", async () => {
    const { checks, now } = await verify(worldOf({ router: null, attachment: null }));
    expect(rows(checks)).toEqual([["egress-router/object", Failed, "neither of them"]]);
    expect([checks[0]!.fix, now]).toEqual([expect.stringContaining("oc get egressrouters"), 0]);
  });

  test.each<[string, World, string, string]>([
    [
      "an adverse condition",
      {
        conditions: [
          { type: "Available", status: "True" },
          { type: "Degraded", status: "True", reason: "EgressRouterError", message: "no image" },
        ],
      },
      "egress-router/object",
      "Degraded=True: EgressRouterError: no image, when the timeout expired",
    ],
    [
      "no network attachment yet",
      { attachment: null },
      "egress-router/network-attachment",
      "there is none, when the timeout expired",
    ],
    [
      "a network attachment with an old address",
      { attachment: config(networkAttachment, "192.168.12.98/24") },
      "egress-router/network-attachment",
      "192.168.12.98/24, when the timeout expired",
    ],
    [
      "a network attachment of another plug-in",
      { attachment: '{"type":"macvlan"}' },
      "egress-router/network-attachment",
      "spec.config is of another plug-in, or cannot be read, when the timeout expired",
    ],
    [
      "a second interface with another address",
      { annotations: { ...asks, [STATUS]: status(`shop/${networkAttachment}`, "192.168.12.98") } },
      "egress-router/interface",
      "net1 192.168.12.98, when the timeout expired",
    ],
    [
      "no second interface of the network attachment",
      { annotations: { ...asks, [STATUS]: status("shop/other", "192.168.12.99") } },
      "egress-router/interface",
      "none of it; the pod has eth0 10.129.2.31; net1 192.168.12.99, when the timeout expired",
    ],
  ])("fails at the timeout with %s", async (_, world, id, found) => {
    const { checks, now } = await verify(worldOf(world));
    const check = open(checks);
    expect([check.id, check.status, check.found]).toEqual([id, Failed, found]);
    expect(check.fix).toBeDefined();
    expect(now).toBe(60_000);
  });

  test.each<[string, object, string]>([
    ["no address", { spec: { addresses: [] } }, "spec.addresses has none"],
    [
      "an address without its prefix length",
      { spec: { addresses: [{ ip: "192.168.12.99" }] } },
      "192.168.12.99 has no mask",
    ],
  ])("has an unknown interface if it reserves %s", async (_, router, found) => {
    const { checks } = await verify(worldOf({ router }));
    expect(rows(checks)[0]).toEqual(["egress-router/object", Failed, found]);
    expect(rows(checks)[3]).toEqual([
      "egress-router/interface",
      Unknown,
      "net1 192.168.12.99, and the reserved address is not stated, when the timeout expired",
    ]);
  });

  test.each<[string, string | undefined, string]>([
    [
      "has not reported",
      undefined,
      "Multus has written no network-status to the pod, when the timeout expired",
    ],
    [
      "has reported in another format",
      "{",
      "the pod's network-status cannot be read, when the timeout expired",
    ],
  ])("has an unknown interface that Multus %s", async (_, text, found) => {
    const annotations = { ...asks, ...(text !== undefined && { [STATUS]: text }) };
    const check = open((await verify(worldOf({ annotations }))).checks);
    expect([check.id, check.status, check.found]).toEqual(["egress-router/interface", Unknown, found]);
  });

  describe("whose pod does not run", () => {
    const waiting = (reason: string, message: string) => ({
      phase: "Pending",
      containerStatuses: [{ state: { waiting: { reason, message } } }],
    });
    const event = (name: string, lastTimestamp: string, message: string) => ({
      type: "Warning",
      reason: "FailedCreatePodSandBox",
      involvedObject: { name },
      lastTimestamp,
      message,
    });

    test.each<[string, World, string]>([
      [
        "is pending, which is reported with the newest event",
        {
          annotations: asks,
          podStatus: waiting("ContainerCreating", ""),
          events: [
            event("egress-router-cni-deployment-5f-x2", "2026-11-22T06:00:01Z", "address taken"),
            event("egress-router-cni-deployment-5f-x2", "2026-11-22T06:00:09Z", "no interface ens9"),
            event("egress-router-cni-deployments", "2026-11-22T06:00:10Z", "of another object"),
          ],
        },
        "pod egress-router-cni-deployment-5f-x2: starting on worker-0: ContainerCreating, FailedCreatePodSandBox: no interface ens9, when the timeout expired",
      ],
      [
        "has an image that cannot be pulled",
        { annotations: asks, podStatus: waiting("ImagePullBackOff", "unauthorized") },
        "pod egress-router-cni-deployment-5f-x2: its image cannot be pulled on worker-0, registry.example.com/router: unauthorized, when the timeout expired",
      ],
      [
        "is not created, which is reported with an event of its Deployment",
        { pods: [], events: [event("egress-router-cni-deployment-5f", "2026-11-22T06:00:01Z", "quota")] },
        `no pod requests shop/${networkAttachment}, FailedCreatePodSandBox: quota, when the timeout expired`,
      ],
    ])("%s", async (_, world, found) => {
      const { checks } = await verify(worldOf(world));
      expect(rows(checks).slice(0, 3)).toEqual([
        ["egress-router/object", Passed, ADDRESS],
        ["egress-router/network-attachment", Passed, ADDRESS],
        ["egress-router/pod", Failed, found],
      ]);
      expect(checks[3]!.status).toBe(Unknown);
    });

    test("is not waited for if it can never run", async () => {
      const { checks, now } = await verify(
        worldOf({ annotations: asks, podStatus: waiting("InvalidImageName", "a b") }),
      );
      expect([checks[2]!.status, now]).toEqual([Failed, 0]);
      expect(checks[2]!.found).not.toContain("when the timeout expired");
    });
  });

  test("ignores pods that are being replaced, but fails with two running pods", async () => {
    const going = pod("going", has, READY, { deletionTimestamp: "2026-11-22T06:00:00Z" });
    const ownerReferences = [{ kind: "ReplicaSet", name: "egress" }];
    const evicted = pod("evicted", asks, { phase: "Failed", reason: "Evicted" }, { ownerReferences });
    const running = pod("running", has);
    const { checks } = await verify(worldOf({ pods: [going, evicted, running] }));
    expect(rows(checks)[2]).toEqual(["egress-router/pod", Passed, "pod running: ready on worker-0"]);
    const two = open((await verify(worldOf({ pods: [running, pod("second", has)] }))).checks);
    expect([two.id, two.fix]).toEqual([
      "egress-router/pod",
      expect.stringContaining("the pods compete for the address"),
    ]);
    // The user creates another one.
    expect((await verify(worldOf({ pods: [evicted] }))).now).toBe(60_000);
  });

  test("waits with progress for a pod that starts later", async () => {
    const fake = worldOf({ annotations: asks, podStatus: { phase: "Pending" } });
    let looks = 0;
    fake.refuse = (_, path) => {
      if (path === PODS && ++looks === 3)
        fake.objects.set(PODS, { metadata: { name: "" }, items: [pod("egress-router-cni", has)] });
      return undefined;
    };
    const { checks, told, now } = await verify(fake);
    expect(checks.every((check) => check.status === Passed)).toBe(true);
    expect([told, now]).toEqual([[expect.stringContaining("starting on worker-0")], 4_000]);
  });

  test("names a missing permission, but does not need the one to list events", async () => {
    const fake = worldOf();
    const message = 'egressrouters is forbidden: User "verify" cannot get resource "egressrouters"';
    fake.refuse = (_, path) => (path === ROUTER ? { status: 403, body: { message } } : undefined);
    const fault = await verify(fake).catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(LiveFault);
    expect(fault).toMatchObject({ message: `the hosted cluster denies the request: ${message}` });
    const silent = worldOf({ pods: [] });
    silent.refuse = (_, path) => (path === EVENTS ? { status: 403, body: { message: "no" } } : undefined);
    expect((await verify(silent)).checks[2]!.found).toBe(
      `no pod requests shop/${networkAttachment}, when the timeout expired`,
    );
  });
});
