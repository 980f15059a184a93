import { Interrupted } from "../../../src/cluster/interruptible";
import { LiveStatus, type LiveCheck } from "../../../src/cluster/liveCluster";
import { IpFamily } from "../../../src/probes/objects";
import { FakeCluster } from "./fakeCluster";
import { type ProbeSettings, verifyTraffic } from "../../../src/live/probes/verifyTraffic";

const OWN = "/api/v1/namespaces/hypershift-network-verify";
const PODS = `${OWN}/pods`;

/** How a world differs from one in which all checks pass. */
interface World {
  podStatus?: (name: string) => object;
  /** Ids of the requests that are not answered. */
  silent?: (id: string) => boolean;
  /** Whether the Job ends; its pod has a message only if it does. */
  jobEnds?: boolean;
  lastWords?: string;
  addresses?: string[];
}

function worldOf({
  podStatus,
  silent = () => false,
  jobEnds = true,
  lastWords,
  addresses = ["10.132.0.9"],
}: World) {
  const expected: string[][] = [];
  const fake = Object.assign(new FakeCluster(), { answers: expected });
  const ready = () => ({
    conditions: [{ type: "Ready", status: "True" }],
    podIPs: addresses.map((ip) => ({ ip })),
  });
  fake.made = (path, object) => {
    const { name } = object.metadata;
    if (path.endsWith("/pods")) {
      object.status = (podStatus ?? ready)(name);
      object.spec = { ...(object.spec as object), nodeName: name.endsWith("-one") ? "worker-0" : "worker-1" };
    }
    if (path.endsWith("/services")) object.spec = { ...(object.spec as object), clusterIPs: ["172.31.4.4"] };
    if (!path.endsWith("/jobs") || !jobEnds) return;
    const { template } = object.spec as { template: { metadata: object; spec: Template } };
    const requests = JSON.parse(template.spec.containers[0]!.env[0]!.value) as {
      id: string;
      absent?: string;
      answers: string[];
    }[];
    expected.push(...requests.map(({ answers }) => answers));
    const results = requests.map(({ id, absent }) =>
      absent
        ? [id, false, absent]
        : silent(id)
          ? [id, false, "no answer within 5 seconds"]
          : [id, true, "answered"],
    );
    const failed = results.some(([, answered]) => !answered) || lastWords !== undefined;
    object.status = { conditions: [{ type: failed ? "Failed" : "Complete", status: "True", reason: "End" }] };
    const message = lastWords ?? JSON.stringify(results);
    fake.objects.set(`${PODS}/${name}-x`, {
      metadata: { name: `${name}-x`, ...(template.metadata as { labels: Record<string, string> }) },
      status: {
        phase: failed ? "Failed" : "Succeeded",
        containerStatuses: [{ state: { terminated: { message } } }],
      },
    });
  };
  return fake;
}

interface Template {
  containers: { env: { value: string }[] }[];
}

async function verify(fake: FakeCluster, settings: Partial<ProbeSettings> = {}, seconds = 60) {
  let now = 0;
  const told: string[] = [];
  const checks = await verifyTraffic(
    fake.cluster,
    { run: "1a2b", timeoutSeconds: seconds, ...settings },
    {
      now: () => now,
      sleep: (time) => Promise.resolve(void (now += time)),
      deadline: seconds * 1_000,
      progress: ({ found }) => void told.push(found),
    },
  );
  return { checks, told, now };
}

const rows = (checks: readonly LiveCheck[]) => checks.map(({ id, status, found }) => [id, status, found]);
const { Passed, Failed, Unknown } = LiveStatus;

describe("M7 traffic between pods of a running cluster", () => {
  test("is tested to pods on two nodes and to a Service, and all objects are removed", async () => {
    const fake = worldOf({});
    const { checks } = await verify(fake);
    expect(rows(checks)).toEqual([
      ["probe-pods", Passed, "pod one: ready on worker-0; pod two: ready on worker-1"],
      ["pod-to-pod/one/IPv4", Passed, "answered"],
      ["pod-to-pod/two/IPv4", Passed, "answered"],
      ["pod-to-service/IPv4", Passed, "answered"],
    ]);
    expect(fake.answers).toEqual([
      ["verify-1a2b-one"],
      ["verify-1a2b-two"],
      ["verify-1a2b-one", "verify-1a2b-two"],
    ]);
    expect(checks[2]).toMatchObject({
      what: "a pod reaches pod two on worker-1 by IPv4",
      expected: "an answer of 10.132.0.9:8080",
      documented: expect.stringContaining("Verification") as unknown,
    });
    expect([...fake.objects.keys()]).toEqual([]);
  });

  test("requires a given namespace to exist, and does not remove it", async () => {
    const fake = worldOf({});
    fake.objects.set("/api/v1/namespaces/team", { metadata: { name: "team" } });
    const { checks } = await verify(fake, { namespace: "team" });
    expect(checks[0]!.what).toContain("namespace team");
    expect([...fake.objects.keys()].filter((path) => !path.includes("-x"))).toEqual([
      "/api/v1/namespaces/team",
    ]);
    const gone = await verify(worldOf({}), { namespace: "gone" });
    expect(rows(gone.checks)).toEqual([["probes", Unknown, "the hosted cluster has no namespace gone"]]);
    expect(gone.checks[0]!.fix).toContain("--namespace");
  });

  test("removes leftovers of an interrupted run first, and keeps objects of others", async () => {
    const fake = worldOf({});
    const labels = { "app.kubernetes.io/managed-by": "hypershift-network-verify" };
    fake.objects.set(OWN, { metadata: { name: "hypershift-network-verify", labels } });
    fake.objects.set(`${PODS}/verify-old-one`, { metadata: { name: "verify-old-one", labels } });
    const others = { "app.kubernetes.io/managed-by": "pulumi" };
    fake.objects.set(`${PODS}/theirs`, { metadata: { name: "theirs", labels: others } });
    await verify(fake);
    const removed = fake.log.indexOf(`DELETE ${PODS}/verify-old-one`);
    expect(removed).toBeGreaterThan(0);
    expect(removed).toBeLessThan(fake.log.indexOf(`POST ${PODS}`));
    expect([...fake.objects.keys()]).toEqual([`${PODS}/theirs`]);
    expect(fake.log.at(-1)).toBe(`DELETE ${OWN}`);
  });

  test("fails for a request without an answer", async () => {
    const { checks } = await verify(worldOf({ silent: (id) => id.startsWith("pod-to-service") }));
    expect(rows(checks).slice(-1)).toEqual([["pod-to-service/IPv4", Failed, "no answer within 5 seconds"]]);
    expect(checks.at(-1)!.fix).toContain("ovnkube-node");
  });

  test("fails for an address family of the cluster that the pods lack", async () => {
    const families = [IpFamily.IPv4, IpFamily.IPv6];
    const { checks } = await verify(worldOf({}), { families });
    expect(rows(checks).filter(([, status]) => status !== Passed)).toEqual([
      ["pod-to-pod/one/IPv6", Failed, "no IPv6 address"],
      ["pod-to-pod/two/IPv6", Failed, "no IPv6 address"],
      ["pod-to-service/IPv6", Failed, "no IPv6 address"],
    ]);
  });

  test("fails with the reason if the pods do not start before the timeout", async () => {
    const waiting = { reason: "ImagePullBackOff", message: "manifest unknown" };
    const status = { phase: "Pending", containerStatuses: [{ state: { waiting } }] };
    const { checks, now, told } = await verify(worldOf({ podStatus: () => status }), {
      image: "example.com/a",
    });
    expect(checks).toHaveLength(1);
    expect(checks[0]).toMatchObject({ id: "probe-pods", status: Failed });
    expect(checks[0]!.found).toMatch(
      /image cannot be pulled .*example.com\/a: manifest unknown.*when the timeout expired/,
    );
    expect(checks[0]!.fix).toContain("--probe-image");
    expect(now).toBe(60_000);
    expect(told).toHaveLength(1);
  });

  test("fails if only one node accepts pods", async () => {
    const message = "0/1 nodes are available: 1 node(s) didn't match pod anti-affinity rules";
    const pending = { conditions: [{ type: "PodScheduled", status: "False", message }] };
    const ready = { conditions: [{ type: "Ready", status: "True" }] };
    const podStatus = (name: string) => (name.endsWith("-two") ? pending : ready);
    const { checks } = await verify(worldOf({ podStatus }));
    expect(checks[0]!.found).toContain(`pod two: not scheduled: ${message}`);
    expect(checks[0]!.fix).toContain("two nodes must accept pods");
  });

  test("does not wait for a container that can never start", async () => {
    const waiting = { reason: "CreateContainerConfigError", message: "image will run as root" };
    const status = { containerStatuses: [{ state: { waiting } }] };
    const { checks, now } = await verify(worldOf({ podStatus: () => status }));
    expect([checks[0]!.status, now]).toEqual([Failed, 0]);
  });

  test.each<[string, World, string]>([
    ["that does not end", { jobEnds: false }, "the Job did not end in time: no pod yet"],
    [
      "without Python in its image",
      { lastWords: "python3: executable file not found" },
      "the Job ended without results: End: python3: executable file not found",
    ],
  ])("is unknown for every request after a Job %s", async (_, world, found) => {
    const { checks } = await verify(worldOf(world));
    expect(checks.slice(1).map((check) => [check.status, check.found])).toEqual([
      [Unknown, found],
      [Unknown, found],
      [Unknown, found],
    ]);
  });

  test("names a missing permission with verb and resource, and removes all objects", async () => {
    const fake = worldOf({});
    const message = 'services is forbidden: User "verify" cannot create resource "services" in API group ""';
    fake.refuse = (method, path) =>
      method === "POST" && path.endsWith("/services") ? { status: 403, body: { message } } : undefined;
    const { checks } = await verify(fake);
    expect(rows(checks)).toEqual([["probes", Unknown, `the hosted cluster denies the request: ${message}`]]);
    expect(checks[0]!.fix).toContain("rbac/");
    expect([...fake.objects.keys()]).toEqual([]);
  });

  test("reports an object that cannot be removed next to the results", async () => {
    const fake = worldOf({});
    fake.refuse = (method, path) =>
      method === "DELETE" && path.endsWith("-two") ? { status: 403, body: { message: "no" } } : undefined;
    const { checks } = await verify(fake);
    expect(rows(checks).map(([id]) => id)).toEqual([
      "probe-pods",
      "pod-to-pod/one/IPv4",
      "pod-to-pod/two/IPv4",
      "pod-to-service/IPv4",
      "probe-removal",
    ]);
  });

  test.each<[string, string, string[]]>([
    ["is removed", "hypershift-network-verify", []],
    ["is kept if another tool created it", "another-tool", [OWN]],
  ])("a namespace that was created without an answer %s", async (_, manager, stays) => {
    const fake = worldOf({});
    const labels = { "app.kubernetes.io/managed-by": manager };
    fake.refuse = (method, path) => {
      if (method !== "POST" || path !== "/api/v1/namespaces") return undefined;
      fake.objects.set(OWN, { metadata: { name: "hypershift-network-verify", labels } });
      throw new Error("socket hang up");
    };
    const { checks } = await verify(fake);
    expect(rows(checks)).toEqual([["probes", Unknown, "the hosted cluster does not answer: socket hang up"]]);
    expect([...fake.objects.keys()]).toEqual(stays);
  });

  test("removes a namespace that was created although the server answered with an error", async () => {
    const fake = worldOf({});
    const labels = { "app.kubernetes.io/managed-by": "hypershift-network-verify" };
    fake.refuse = (method, path) => {
      if (method !== "POST" || path !== "/api/v1/namespaces") return undefined;
      fake.objects.set(OWN, { metadata: { name: "hypershift-network-verify", labels } });
      return { status: 504, body: { message: "Timeout: request did not complete" } };
    };
    const { checks } = await verify(fake);
    expect(rows(checks).map(([, , found]) => found)).toEqual([expect.stringContaining("did not complete")]);
    expect([...fake.objects.keys()]).toEqual([]);
  });

  test("reports why a namespace could not be created even if it cannot be read", async () => {
    const fake = worldOf({});
    let isAsked = false;
    fake.refuse = (method, path) => {
      if (method === "POST" && path === "/api/v1/namespaces") {
        isAsked = true;
        throw new Error("socket hang up");
      }
      return isAsked && path === OWN ? { status: 403, body: { message: "no" } } : undefined;
    };
    const { checks } = await verify(fake);
    expect(rows(checks)).toEqual([["probes", Unknown, "the hosted cluster does not answer: socket hang up"]]);
  });

  test("reports objects that cannot be listed for removal, and removes its own namespace", async () => {
    const fake = worldOf({});
    fake.refuse = (method, path) =>
      method === "GET" && path.endsWith("/jobs") ? { status: 403, body: { message: "no" } } : undefined;
    const { checks } = await verify(fake);
    expect(rows(checks).map(([id]) => id)).toEqual(["probes", "probe-removal"]);
    expect([...fake.objects.keys()]).toEqual([]);
  });

  describe("if the user interrupts", () => {
    const interrupted = (fake: FakeCluster) =>
      verifyTraffic(
        fake.cluster,
        { run: "1a2b", timeoutSeconds: 60 },
        {
          now: () => 0,
          sleep: () => Promise.reject(new Interrupted("SIGINT")),
          deadline: 60_000,
          progress: () => undefined,
        },
      ).catch((error: unknown) => error);

    test("removes all objects and reports it", async () => {
      const fake = worldOf({ jobEnds: false });
      expect(await interrupted(fake)).toMatchObject({ by: "SIGINT", removal: [] });
      expect([...fake.objects.keys()]).toEqual([]);
    });

    test("reports what cannot be removed", async () => {
      const fake = worldOf({ jobEnds: false });
      fake.refuse = (method) => (method === "DELETE" ? { status: 403, body: { message: "no" } } : undefined);
      expect(await interrupted(fake)).toMatchObject({
        removal: [{ id: "probe-removal", found: "the hosted cluster denies the request: no" }],
      });
    });

    test("reports no removal before the namespace of the probes exists", async () => {
      const fake = worldOf({});
      const deletionTimestamp = "2026-11-22T06:00:00Z";
      fake.objects.set(OWN, { metadata: { name: "hypershift-network-verify", deletionTimestamp } as never });
      expect(await interrupted(fake)).toHaveProperty("removal", undefined);
    });
  });

  test("removes all objects if waiting fails", async () => {
    const fake = worldOf({ jobEnds: false });
    const end = verifyTraffic(
      fake.cluster,
      { run: "1a2b", timeoutSeconds: 60 },
      {
        now: () => 0,
        sleep: () => Promise.reject(new Error("SIGINT")),
        deadline: 60_000,
        progress: () => undefined,
      },
    );
    await expect(end).rejects.toThrow("SIGINT");
    expect([...fake.objects.keys()]).toEqual([]);
  });

  test("waits for the service account of a new namespace", async () => {
    const fake = worldOf({});
    let refusals = 2;
    const message =
      'pods "x" is forbidden: error looking up service account: serviceaccount "default" not found';
    fake.refuse = (method, path) =>
      method === "POST" && path.endsWith("/pods") && refusals-- > 0
        ? { status: 403, body: { message } }
        : undefined;
    const { checks } = await verify(fake);
    expect(checks.every(({ status }) => status === Passed)).toBe(true);
  });

  test("waits for a namespace that is being deleted, and reports it at the timeout", async () => {
    const fake = worldOf({});
    const deletionTimestamp = "2026-11-22T06:00:00Z";
    fake.objects.set(OWN, { metadata: { name: "hypershift-network-verify", deletionTimestamp } as never });
    const { checks, now } = await verify(fake);
    expect(rows(checks)).toEqual([
      [
        "probes",
        Unknown,
        "namespace hypershift-network-verify of the hosted cluster was still being deleted when the timeout expired",
      ],
    ]);
    expect(now).toBe(60_000);
  });
});
