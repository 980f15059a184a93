import { Interrupted } from "../../../src/cluster/interruptible";
import { LiveStatus, type LiveCheck } from "../../../src/cluster/liveCluster";
import { verifyMulticast } from "../../../src/live/multicast/verifyMulticast";
import { IpFamily } from "../../../src/probes/objects";
import { FakeCluster } from "../probes/fakeCluster";
import type { ProbeSettings } from "../../../src/live/probes/verifyTraffic";

const NAMESPACE = "/api/v1/namespaces/shop";
const PODS = `${NAMESPACE}/pods`;
const ANNOTATION = "k8s.ovn.org/multicast-enabled";
const { Passed, Failed, Unknown } = LiveStatus;

/** How a world differs from one in which the message arrives. */
interface World {
  /** Annotations of the namespace; null: there is no namespace. */
  annotations?: Record<string, string> | null;
  senderStatus?: object;
  /** Families whose message arrives. */
  arrives?: (id: string) => boolean;
  receiverStatus?: object;
  receiverNode?: string;
  jobEnds?: boolean;
}

const READY = { conditions: [{ type: "Ready", status: "True" }] };

function worldOf({
  annotations = { [ANNOTATION]: "true" },
  senderStatus = READY,
  arrives = () => true,
  receiverStatus,
  receiverNode = "worker-1",
  jobEnds = true,
}: World = {}) {
  const fake = new FakeCluster();
  if (annotations) fake.objects.set(NAMESPACE, { metadata: { name: "shop", annotations } as never });
  fake.made = (path, object) => {
    if (path.endsWith("/pods")) {
      object.status = senderStatus;
      object.spec = { ...(object.spec as object), nodeName: "worker-0" };
    }
    if (!path.endsWith("/jobs")) return;
    const { template } = object.spec as { template: Template };
    const requests = JSON.parse(template.spec.containers[0]!.env[0]!.value) as { id: string }[];
    const results = requests.map(({ id }) =>
      arrives(id) ? [id, true, "received from 10.132.0.9"] : [id, false, "no message within 30 seconds"],
    );
    const isFailed = results.some(([, answered]) => !answered);
    if (jobEnds)
      object.status = {
        conditions: [{ type: isFailed ? "Failed" : "Complete", status: "True", reason: "End" }],
      };
    const terminated = { message: JSON.stringify(results) };
    fake.objects.set(`${PODS}/x`, {
      metadata: { name: "x", ...template.metadata },
      spec: { nodeName: receiverNode, containers: [{ image: "example.com/python" }] },
      status: receiverStatus ?? { phase: "Succeeded", containerStatuses: [{ state: { terminated } }] },
    });
  };
  return fake;
}

interface Template {
  metadata: { labels: Record<string, string> };
  spec: { containers: { env: { value: string }[] }[] };
}

async function verify(fake: FakeCluster, settings: Partial<ProbeSettings> = {}) {
  let now = 0;
  const checks = await verifyMulticast(
    fake.cluster,
    "shop",
    { run: "1a2b", timeoutSeconds: 60, ...settings },
    {
      now: () => now,
      sleep: (time) => Promise.resolve(void (now += time)),
      deadline: 60_000,
      progress: () => undefined,
    },
  );
  return { checks, now };
}

const rows = (checks: readonly LiveCheck[]) => checks.map(({ id, status, found }) => [id, status, found]);
const annotated = ["multicast/annotation", Passed, `${ANNOTATION}=true`];
const sends = ["multicast/sender", Passed, "ready on worker-0"];

describe("M18 multicast in a namespace of a running cluster", () => {
  test("is sent by one pod and received by another, and all objects are removed", async () => {
    const fake = worldOf();
    const { checks } = await verify(fake);
    expect(rows(checks)).toEqual([
      annotated,
      sends,
      ["multicast/IPv4", Passed, "received from 10.132.0.9, sent on worker-0, expected on worker-1"],
    ]);
    expect(checks[2]).toMatchObject({
      what: "a pod of namespace shop receives what another pod sends to 224.1.0.1:30102, UDP",
      expected: "a message of pod verify-1a2b-sender",
    });
    for (const { documented } of checks) expect(documented).toContain("15.13.2");
    expect([...fake.objects.keys()].filter((path) => path !== `${PODS}/x`)).toEqual([NAMESPACE]);
  });

  test("is verified for each address family of the cluster network", async () => {
    const families = [IpFamily.IPv4, IpFamily.IPv6];
    const { checks } = await verify(worldOf({ arrives: (id) => id.endsWith("4") }), { families });
    expect(
      rows(checks)
        .slice(2)
        .map(([id, status]) => [id, status]),
    ).toEqual([
      ["multicast/IPv4", Passed],
      ["multicast/IPv6", Failed],
    ]);
    expect(checks[3]!.what).toContain("[ff3e::4321:1234]:30102");
  });

  test("fails if no message arrives", async () => {
    const { checks } = await verify(worldOf({ arrives: () => false }));
    expect(rows(checks)[2]).toEqual([
      "multicast/IPv4",
      Failed,
      "no message within 30 seconds, sent on worker-0, expected on worker-1",
    ]);
    expect(checks[2]!.fix).toContain("NetworkPolicies");
  });

  test("is reported as within one node if both pods are on it", async () => {
    const { checks } = await verify(worldOf({ receiverNode: "worker-0" }));
    expect(rows(checks)[2]).toEqual([
      "multicast/IPv4",
      Passed,
      "received from 10.132.0.9, both pods on worker-0",
    ]);
  });

  test.each<[string, World["annotations"], string]>([
    ["without the annotation", {}, "not there"],
    ["with the annotation set to false", { [ANNOTATION]: "false" }, `${ANNOTATION}=false`],
    ["that does not exist", null, "no such namespace"],
  ])("is not tried in a namespace %s", async (_, annotations, found) => {
    const fake = worldOf({ annotations: annotations! });
    const { checks, now } = await verify(fake);
    expect(rows(checks)).toEqual([["multicast/annotation", Failed, found]]);
    expect(checks[0]!.fix).toContain(`oc annotate namespace shop ${ANNOTATION}=true`);
    expect(now).toBe(0);
    expect(fake.log.filter((line) => line.startsWith("POST"))).toEqual([]);
  });

  test.each<[string, object, string, string]>([
    [
      "whose image cannot be pulled",
      {
        containerStatuses: [
          { state: { waiting: { reason: "ImagePullBackOff", message: "manifest unknown" } } },
        ],
      },
      "its image cannot be pulled on worker-0, example.com/python: manifest unknown, when the timeout expired",
      "--probe-image",
    ],
    [
      "that no node accepts",
      { conditions: [{ type: "PodScheduled", status: "False", message: "0/1 nodes are available" }] },
      "not scheduled: 0/1 nodes are available, when the timeout expired",
      "a node must accept it",
    ],
    [
      "that does not start",
      { phase: "Pending" },
      "starting on worker-0, when the timeout expired",
      "--timeout",
    ],
  ])("ends with a failure if the sender is a pod %s", async (_, senderStatus, found, fix) => {
    const fake = worldOf({ senderStatus });
    const { checks, now } = await verify(fake, { image: "example.com/python" });
    expect(rows(checks)).toEqual([annotated, ["multicast/sender", Failed, found]]);
    expect(checks[1]!.fix).toContain(fix);
    expect(now).toBe(60_000);
    expect([...fake.objects.keys()]).toEqual([NAMESPACE]);
  });

  test("is unknown with the reason if the receiver does not start", async () => {
    const waiting = { reason: "ErrImagePull", message: "manifest unknown" };
    const { checks } = await verify(
      worldOf({ jobEnds: false, receiverStatus: { containerStatuses: [{ state: { waiting } }] } }),
    );
    expect(rows(checks)[2]).toEqual([
      "multicast/IPv4",
      Unknown,
      "the Job did not end in time: its image cannot be pulled on worker-1, example.com/python: manifest unknown",
    ]);
    expect(checks[2]!.fix).toContain("--probe-image");
  });

  test.each<[string, (method: string, path: string) => boolean, string]>([
    ["namespaces", (method, path) => method === "GET" && path === NAMESPACE, "multicast/annotation"],
    ["pods", (method, path) => method === "POST" && path === PODS, "probes"],
  ])("names a missing permission on %s, and all objects are removed", async (resource, isRefused, id) => {
    const fake = worldOf();
    const message = `${resource} is forbidden: User "verify" cannot get resource "${resource}"`;
    fake.refuse = (method, path) =>
      isRefused(method, path) ? { status: 403, body: { message } } : undefined;
    const { checks } = await verify(fake);
    expect(rows(checks).at(-1)).toEqual([id, Unknown, `the hosted cluster denies the request: ${message}`]);
    expect(checks.at(-1)!.documented).toContain("15.13.2");
    expect([...fake.objects.keys()]).toEqual([NAMESPACE]);
  });

  test("removes leftovers of an interrupted run first", async () => {
    const fake = worldOf();
    const labels = { "app.kubernetes.io/managed-by": "hypershift-network-verify" };
    fake.objects.set(`${PODS}/verify-old-sender`, { metadata: { name: "verify-old-sender", labels } });
    await verify(fake);
    const removed = fake.log.indexOf(`DELETE ${PODS}/verify-old-sender`);
    expect(removed).toBeGreaterThan(0);
    expect(removed).toBeLessThan(fake.log.indexOf(`POST ${PODS}`));
  });

  test("removes all objects if the user interrupts, and reports it", async () => {
    const fake = worldOf({ senderStatus: { phase: "Pending" } });
    const end = verifyMulticast(
      fake.cluster,
      "shop",
      { run: "1a2b", timeoutSeconds: 60 },
      {
        now: () => 0,
        sleep: () => Promise.reject(new Interrupted("SIGINT")),
        deadline: 60_000,
        progress: () => undefined,
      },
    ).catch((error: unknown) => error);
    expect(await end).toMatchObject({ by: "SIGINT", removal: [] });
    expect([...fake.objects.keys()]).toEqual([NAMESPACE]);
  });
});
