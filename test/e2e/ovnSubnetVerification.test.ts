import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Session } from "../../local/session";
import {
  CALL_LOG_VARIABLE,
  INTERRUPT_VARIABLE,
  isChange,
  readCalls,
  type Interruption,
} from "../../local/plugins/provider/callLog";
import { OvnSubnetVerification } from "../../src/ovnSubnets/component/ovnSubnetVerification";
import { applied } from "./applied";
import { Bench, fine, OWN_PROVIDERS } from "./conformance/kubernetesBench";
import { inventory } from "./examples/inventory";
import { strictRefusals } from "./examples/strict";
import { answers, everythingAnswers, ProbeWorld, ready } from "./probes/probeWorld";
import { kubeconfigWithRoles } from "./roles";
import { sample } from "./interrupted/sample";
import { sharedSession } from "./sharedSession";

/** The real engine and API server, with the smallest role; the test writes what scheduler, kubelets and Job controller would write. */
describe("M7 a verification of traffic", () => {
  const folder = mkdtempSync(join(tmpdir(), "verification-"));
  let session: Session;
  let world: ProbeWorld;
  let bench: Bench;
  let before: Set<string>;
  /** The kubeconfig of a user without roles. */
  let withoutRole: string;

  const verification =
    (trigger: string, timeoutSeconds = 60) =>
    () => {
      const { jobName, requests } = new OvnSubnetVerification("tenant-a", {
        namespace: "verify",
        triggers: [trigger],
        timeoutSeconds,
      });
      return Promise.resolve({ jobName, requests });
    };
  const newThings = async () => [...(await inventory(session))].filter((thing) => !before.has(thing)).sort();
  const jobs = async () => (await newThings()).filter((thing) => thing.startsWith("Job "));
  const request = (method: "PATCH" | "DELETE" | "GET", path: string, body?: object) =>
    session.kubernetes.request(method, path, body);

  /** Writes the scheduler's event for a pod that fits on no node. */
  const unschedulable = (name: string, uid: string) =>
    applied(session, "/api/v1/namespaces/verify/events/unschedulable", {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: "unschedulable" },
      involvedObject: { apiVersion: "v1", kind: "Pod", namespace: "verify", name, uid },
      type: "Warning",
      reason: "FailedScheduling",
      message: "0/1 nodes are available",
    });

  beforeAll(async () => {
    session = await sharedSession(folder);
    const KUBECONFIG = await kubeconfigWithRoles(session, "verification", "ovn-subnet-verification.yaml");
    withoutRole = await kubeconfigWithRoles(session, "nobody");
    before = await inventory(session);
    world = new ProbeWorld(session.kubernetes);
    bench = await Bench.open(session, "verification", { KUBECONFIG });
  });
  afterAll(async () => {
    bench?.close();
    await world?.stop();
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("up succeeds when the Job succeeds, and a second up changes nothing", async () => {
    fine(await bench.up(verification("a")));
    expect(await strictRefusals(session.kubernetes, bench.resources())).toEqual([]);
    const { jobName, requests } = (await bench.outputs()) as { jobName: string; requests: { id: string }[] };
    expect(await jobs()).toEqual([`Job verify/${jobName}`]);
    expect(requests.map(({ id }) => id)).toEqual([
      "pod-to-pod/one/IPv4",
      "pod-to-pod/two/IPv4",
      "pod-to-service/IPv4",
    ]);
    expect(Object.keys(fine(await bench.up(verification("a"), true)).changes)).toEqual(["same"]);
  });

  test("up fails with the Job's reason when the Job fails, and the next up runs a new Job", async () => {
    const failed = { reason: "BackoffLimitExceeded", message: "Job has reached the specified backoff limit" };
    world.jobs = (job) => ({ failed, message: answers(job, (id) => !id.startsWith("pod-to-service")) });
    const [old] = await jobs();
    const { ok, output } = await bench.up(verification("b"));
    expect(ok).toBe(false);
    expect(output).toContain("BackoffLimitExceeded");
    expect(await jobs()).toContainEqual(expect.not.stringMatching(old!));
    world.jobs = everythingAnswers;
    fine(await bench.up(verification("b")));
    expect(await jobs()).toHaveLength(1);
    expect(await jobs()).not.toContain(old);
  });

  test("up fails with the cluster's warning when a pod is not ready in time", async () => {
    const warned: Promise<void>[] = [];
    world.pods = ({ metadata: { name, uid } }) => {
      if (!name.endsWith("-two")) return ready("10.132.0.9");
      if (warned.length === 0) warned.push(unschedulable(name, uid));
      return undefined;
    };
    // The provider waits 30 seconds longer than the timeout of the pods.
    const { ok, output } = await bench.up(verification("c", 10));
    await Promise.all(warned);
    expect(ok).toBe(false);
    expect(output).toMatch(/not ready/);
    expect(output).toContain("FailedScheduling: 0/1 nodes are available");
    world.pods = () => ready("10.132.0.9");
    fine(await bench.up(verification("c", 10)));
  });

  // As an administrator: the provider of these tests adopts unanswered creations by patches; Pulumi's own provider refuses.
  test("up converges after an engine was killed before or after any creation", async () => {
    const log = join(folder, "calls");
    const whole = await Bench.open(session, "whole", { [CALL_LOG_VARIABLE]: log });
    fine(await whole.up(verification("whole")));
    const changes = readCalls(log).filter(isChange).length;
    expect(changes).toBe(4);
    const kindsOf = (things: readonly string[]) => things.map((thing) => thing.split(" ")[0]);
    const expected = ["IPAddress", "Job", "Pod", "Pod", "Pod", "Service"];
    fine(await whole.destroy());
    whole.close();
    const points = [1, 2, 3, 4].flatMap((at) => (["before", "after"] as const).map((when) => ({ at, when })));
    for (const { at, when } of sample(points, { every: 5 })) {
      const name = `killed-${when}-${at}`;
      const existing = await inventory(session);
      const counter = join(folder, name);
      const killed = await Bench.open(session, name, {
        [INTERRUPT_VARIABLE]: JSON.stringify({
          counter,
          at,
          when,
          counting: "changes",
        } satisfies Interruption),
      });
      expect((await killed.up(verification(name))).ok).toBe(false);
      killed.close();
      await session.reap();
      const next = await Bench.open(session, name, OWN_PROVIDERS);
      await next.cancel();
      fine(await next.up(verification(name)));
      const made = [...(await inventory(session))].filter((thing) => !existing.has(thing)).sort();
      expect([name, kindsOf(made)]).toEqual([name, expected]);
      expect(Object.keys(fine(await next.up(verification(name), true)).changes)).toEqual(["same"]);
      fine(await next.destroy());
      next.close();
    }
  });

  test("up without the role fails with the missing verb and resource", async () => {
    const forbidden = await Bench.open(session, "forbidden", { KUBECONFIG: withoutRole });
    const { ok, output } = await forbidden.up(verification("forbidden"));
    forbidden.close();
    expect(ok).toBe(false);
    expect(output).toMatch(/cannot create resource "services" in API group "" in the namespace "verify"/);
  });

  test("destroy waits until the controller releases its Job, and leaves nothing behind", async () => {
    const { jobName } = (await bench.outputs()) as { jobName: string };
    const path = `/apis/batch/v1/namespaces/verify/jobs/${jobName}`;
    const job = { apiVersion: "batch/v1", kind: "Job", metadata: { name: jobName, namespace: "verify" } };
    const held = { ...job, metadata: { ...job.metadata, finalizers: ["example.com/controller"] } };
    await request("PATCH", `${path}?fieldManager=controller`, held);
    const destroyed = bench.destroy();
    const isGoing = async () => {
      const { body } = await request("GET", path);
      return (body as { metadata: { deletionTimestamp?: string } }).metadata.deletionTimestamp !== undefined;
    };
    while (!(await isGoing())) await new Promise((resolve) => setTimeout(resolve, 200));
    await request("PATCH", `${path}?fieldManager=controller`, job);
    fine(await destroyed);
    // Pods of Jobs are deleted by the garbage collector, which this API server does not have.
    const left = await newThings();
    expect(left.filter((thing) => !/^Pod verify\/.*-abcd\w$/.test(thing))).toEqual([]);
  });
});
