import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { repositoryRoot } from "../../local/repository";
import type { Session } from "../../local/session";
import { applied, namespaced } from "./applied";
import { hostedClusterObject } from "./hostedCluster";
import { kubeconfigWithRoles } from "./roles";
import { sharedSession } from "./sharedSession";
import type { RunBook } from "../../src/runBook/runBook";

/** The command as users run it. */
const command = join(repositoryRoot, "dist", "src", "cli", "main.js");
const HYPERSHIFT = "/apis/hypershift.openshift.io/v1beta1/namespaces/clusters";
const TENANT = `${HYPERSHIFT}/hostedclusters/tenant-a`;
const IMAGE = "quay.io/openshift-release-dev/ocp-release@sha256:0123456789abcdef";

describe("hypershift-network plan --live on a real API server", () => {
  const folder = mkdtempSync(join(tmpdir(), "plan-live-"));
  let session: Session;
  let kubeconfig: string;

  const run = (...args: string[]): Promise<{ status: number; out: string; error: string }> =>
    new Promise((resolve) =>
      execFile(process.execPath, [command, "plan", ...args], { env: session.env }, (failure, out, error) =>
        resolve({ status: failure ? Number(failure.code) : 0, out, error }),
      ),
    );
  const wanted = (object: object, name = "wanted.json"): string => {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify(object));
    return file;
  };
  const live = (...args: string[]) => run(...args, "--live", "--kubeconfig", kubeconfig);
  const bookOf = (out: string): RunBook =>
    (JSON.parse(out) as { hostedClusters: RunBook[] }).hostedClusters[0]!;
  const withJoin = (internalJoinSubnet: string, name = "tenant-a") => {
    const ipv4 = { internalJoinSubnet };
    const operatorConfiguration = { clusterNetworkOperator: { ovnKubernetesConfig: { ipv4 } } };
    return hostedClusterObject({ operatorConfiguration, release: { image: IMAGE } }, name);
  };

  beforeAll(async () => {
    session = await sharedSession(join(folder, "state"));
    for (const name of ["clusters", "clusters-tenant-a"]) await namespaced(session, name);
    await applied(session, TENANT, withJoin("100.98.0.0/16"));
    const completed = { state: "Completed", startedTime: "2026-01-01T00:00:00Z", verified: true };
    await applied(session, `${TENANT}/status`, {
      ...{
        apiVersion: "hypershift.openshift.io/v1beta1",
        kind: "HostedCluster",
        metadata: { name: "tenant-a" },
      },
      status: {
        version: {
          desired: { image: IMAGE, version: "4.20.4" },
          observedGeneration: 1,
          availableUpdates: null,
          history: [
            { ...completed, image: IMAGE, version: "4.20.4", completionTime: "2026-01-01T01:00:00Z" },
          ],
        },
      },
    });
    kubeconfig = await kubeconfigWithRoles(session, "plan-live", "check-live.yaml");
  }, 900_000);
  afterAll(async () => {
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("moves the join subnet of the running cluster and back, with the smallest role", async () => {
    const { status, out, error } = await live(wanted(withJoin("100.99.0.0/16")), "--format", "json");
    expect([status, error.replace(/^note .*\n/gm, "")]).toEqual([0, ""]);
    const { cluster, steps } = bookOf(out);
    expect([cluster, steps.map(({ id }) => id)]).toEqual(["clusters/tenant-a", ["internal-subnets"]]);
    const [step] = steps;
    expect(step!.patches[0]!.command).toContain("100.99.0.0/16");
    expect(step!.wayBack.patches[0]!.command).toContain("100.98.0.0/16");
    // Only the status states its release, because the image is named by a digest.
    expect(step!.preChecks.filter(({ result }) => result === "unknown")).toEqual([]);
    const text = await live(wanted(withJoin("100.99.0.0/16")));
    expect(text.out).toContain("1. Move OVN's join subnet\n");
  });

  test("reports nothing to do after the step was taken", async () => {
    const file = wanted(withJoin("100.99.0.0/16"));
    expect((await live(file)).out).toContain("Move OVN's join subnet");
    await applied(session, TENANT, withJoin("100.99.0.0/16"));
    const after = await live(file);
    expect([after.status, after.out]).toEqual([
      0,
      expect.stringMatching(/^clusters\/tenant-a: nothing to do\n/),
    ]);
    await applied(session, TENANT, withJoin("100.98.0.0/16"));
  });

  test("fails for a HostedCluster that does not exist, and names the one that does", async () => {
    const { status, out, error } = await live(wanted(withJoin("100.99.0.0/16", "tenant-z")));
    expect([status, out]).toEqual([2, ""]);
    expect(error).toContain(
      "--live  the cluster has no HostedCluster clusters/tenant-z; it has clusters/tenant-a: ",
    );
  });

  test("names every missing permission and prints no run book without the role", async () => {
    const withoutRole = await kubeconfigWithRoles(session, "nobody");
    const { status, out, error } = await run(
      wanted(withJoin("100.99.0.0/16")),
      ...["--live", "--kubeconfig", withoutRole],
    );
    expect([status, out]).toEqual([2, ""]);
    for (const resource of ["hostedclusters", "nodepools", "networkpolicies"])
      expect(error).toContain(`cannot list resource "${resource}"`);
  });

  test("is refused together with --change, with the fix", async () => {
    const file = wanted(withJoin("100.99.0.0/16"));
    const { status, out, error } = await live(file, "--change", file);
    expect([status, out]).toEqual([2, ""]);
    expect(error).toContain("leave out --change to read it from the cluster");
  });
});
