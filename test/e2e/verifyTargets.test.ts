import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { repositoryRoot } from "../../local/repository";
import type { Session } from "../../local/session";
import { applied, namespaced } from "./applied";
import { hostedClusterObject } from "./hostedCluster";
import {
  egressRouterObject,
  EgressRouterParts,
  egressRouterPath,
  ROUTER_POD,
} from "./probes/egressRouterWorld";
import { answers, everythingAnswers, ProbeWorld } from "./probes/probeWorld";
import { kubeconfigWithRoles } from "./roles";
import { sharedSession } from "./sharedSession";

const command = join(repositoryRoot, "dist", "src", "cli", "main.js");
const SHOP = "/api/v1/namespaces/shop";
const ROUTER = egressRouterPath("shop", "egress");
const NOW = "2026-11-22T06:00:00Z";
const ADDRESS = "192.168.12.99/24";
const GATEWAY = "192.168.12.1";

interface Run {
  status: number;
  out: string;
  error: string;
}

/** The real API server with the real CRDs; the test writes what operators, Multus and kubelets would write. */
describe("M7 hypershift-network verify of multicast and egress routers", () => {
  const folder = mkdtempSync(join(tmpdir(), "targets-"));
  let session: Session;
  let world: ProbeWorld;
  let management: string;
  let hosted: string;
  let router: EgressRouterParts;

  const run = (kubeconfig: string, ...options: string[]): Promise<Run> =>
    new Promise((resolve) =>
      execFile(
        process.execPath,
        [
          ...[command, "verify", "clusters/tenant-a", "--management-kubeconfig", management],
          ...["--hosted-kubeconfig", kubeconfig, ...options],
        ],
        (failure, out, error) => resolve({ status: failure ? Number(failure.code) : 0, out, error }),
      ),
    );
  const namespace = (name: string, annotations: object = {}) => namespaced(session, name, { annotations });
  const annotated = () => namespace("shop", { "k8s.ovn.org/multicast-enabled": "true" });

  beforeAll(async () => {
    session = await sharedSession(join(folder, "state"));
    await Promise.all([namespace("clusters"), annotated()]);
    await applied(
      session,
      "/apis/hypershift.openshift.io/v1beta1/namespaces/clusters/hostedclusters/tenant-a",
      hostedClusterObject(),
    );
    await applied(session, ROUTER, egressRouterObject("egress", ADDRESS, GATEWAY));
    router = new EgressRouterParts(session, "shop");
    await router.attachment(ADDRESS, GATEWAY);
    management = await kubeconfigWithRoles(session, "management", "verify-management.yaml");
    const files = ["verify-multicast.yaml", "verify-egress-router.yaml"];
    hosted = await kubeconfigWithRoles(session, "targets", ...files);
    world = new ProbeWorld(session.kubernetes);
  });
  beforeEach(async () => {
    world.jobs = everythingAnswers;
    await router.pod(["192.168.12.99"]);
    await router.condition("egress", "Available", "True", "AsExpected");
  });
  afterEach(async () => {
    const path = `${SHOP}/pods?labelSelector=${encodeURIComponent("app.kubernetes.io/managed-by=hypershift-network-verify")}`;
    const { body } = await session.kubernetes.request("GET", path);
    expect((body as { items: object[] }).items).toEqual([]);
  });
  afterAll(async () => {
    await world?.stop();
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const both = ["--multicast", "shop", "--egress-router", "shop/egress"];

  test("verifies both with the smallest roles, and nothing else", async () => {
    const { status, out } = await run(hosted, ...both, "--timeout", "600", "--format", "json");
    const { verified, checks } = JSON.parse(out) as {
      verified: boolean;
      checks: { id: string; found: string }[];
    };
    expect(checks.map(({ id, found }) => [id, found])).toEqual([
      ["egress-router/object", ADDRESS],
      ["egress-router/network-attachment", ADDRESS],
      ["egress-router/pod", "pod egress-router-cni-deployment-5f-x2: ready on worker-0"],
      ["egress-router/interface", "net1 192.168.12.99"],
      ["multicast/annotation", "k8s.ovn.org/multicast-enabled=true"],
      ["multicast/sender", "ready"],
      ["multicast/IPv4", "answered by 224.1.0.1"],
    ]);
    expect([status, verified]).toEqual([0, true]);
  });

  test("M18 fails if the multicast message does not arrive", async () => {
    const failed = { reason: "BackoffLimitExceeded", message: "Job has reached the limit" };
    world.jobs = (job) => ({ failed, message: answers(job, () => false) });
    const { status, out } = await run(hosted, "--multicast", "shop", "--timeout", "600", "--format", "junit");
    expect(status).toBe(1);
    expect(out).toContain('tests="3" failures="1"');
    expect(out).toContain('<testcase classname="multicast/IPv4"');
  });

  test("M18 fails for a namespace without the annotation, with the command that sets it", async () => {
    await namespace("shop");
    const { status, out } = await run(hosted, "--multicast", "shop");
    await annotated();
    expect(status).toBe(1);
    expect(out).toMatch(
      /failed {3}the annotation of namespace shop\n.*\n {9}found {5}not there\n {9}fix .*oc annotate/,
    );
  });

  test("M17 reports a router whose pod does not start with the message of its newest event", async () => {
    await applied(session, `${SHOP}/events/sandbox`, {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: "sandbox" },
      involvedObject: { kind: "Pod", namespace: "shop", name: ROUTER_POD },
      type: "Warning",
      reason: "FailedCreatePodSandBox",
      message: "no interface ens9",
      lastTimestamp: NOW,
    });
    await router.pod([], { phase: "Pending" });
    const { status, out } = await run(hosted, "--egress-router", "shop/egress", "--timeout", "2");
    await session.kubernetes.request("DELETE", `${SHOP}/events/sandbox`);
    expect(status).toBe(1);
    expect(out).toContain(
      "starting on worker-0, FailedCreatePodSandBox: no interface ens9, when the timeout expired\n",
    );
    expect(out).toMatch(/unknown {2}the second network interface of its pod/);
  });

  test("M17 fails for a different address, and for a Degraded condition of the router", async () => {
    await router.pod(["192.168.12.98"]);
    await router.condition("egress", "Degraded", "True", "EgressRouterError", "no image");
    const { status, out } = await run(hosted, "--egress-router", "shop/egress", "--timeout", "0");
    expect(status).toBe(1);
    expect(out).toContain("found     Degraded=True: EgressRouterError: no image\n");
    expect(out).toContain("found     net1 192.168.12.98, when the timeout expired\n");
  });

  test("names the verb and resource of a missing role", async () => {
    const multicast = await kubeconfigWithRoles(session, "multicast", "verify-multicast.yaml");
    const unread = await run(multicast, ...both);
    expect([unread.status, unread.out]).toEqual([2, ""]);
    expect(unread.error).toMatch(/denies the request: .*cannot get resource "egressrouters".*\n.*rbac\//);
    const reader = await kubeconfigWithRoles(session, "router", "verify-egress-router.yaml");
    const { status, out } = await run(reader, ...both, "--timeout", "10");
    expect(status).toBe(1);
    expect(out).toContain("not verified, 4 of 5 checks passed");
    expect(out).toMatch(/cannot get resource "namespaces"/);
  });
});
