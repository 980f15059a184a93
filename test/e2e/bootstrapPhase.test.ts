import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { parseAllDocuments } from "yaml";

import { repositoryRoot } from "../../local/repository";
import type { Session } from "../../local/session";
import { hostedClusterObject } from "./hostedCluster";
import { sharedSession } from "./sharedSession";

const command = join(repositoryRoot, "dist", "src", "cli", "main.js");
const API = "/apis/hypershift.openshift.io/v1beta1/namespaces/clusters";

/** On the real API server with the real CRDs; the test writes the status that HyperShift would write. */
describe("M5 hypershift-network verify --bootstrap", () => {
  const folder = mkdtempSync(join(tmpdir(), "bootstrap-"));
  let session: Session;
  let kubeconfig: string;

  const apply = async (path: string, object: object, part = "") => {
    const query = "fieldManager=admin&force=true";
    const { status, body } = await session.kubernetes.request("PATCH", `${path}${part}?${query}`, object);
    if (status >= 300) throw new Error(JSON.stringify(body));
  };
  const kind = { apiVersion: "hypershift.openshift.io/v1beta1", kind: "NodePool" };
  const nodePool = (name: string, spec: object = {}, clusterName = "tenant-a") =>
    apply(`${API}/nodepools/${name}`, {
      ...kind,
      metadata: { name, namespace: "clusters" },
      spec: {
        clusterName,
        replicas: 2,
        platform: { type: "None" },
        release: { image: "quay.io/openshift-release-dev/ocp-release:4.20.4-x86_64" },
        management: { upgradeType: "InPlace" },
        ...spec,
      },
    });
  const status = async (name: string, replicas: number, more: Record<string, string> = {}) => {
    const { body } = await session.kubernetes.request("GET", `${API}/nodepools/${name}`);
    const { generation } = (body as { metadata: { generation: number } }).metadata;
    const all = { Ready: "True", AllMachinesReady: "True", AllNodesHealthy: "True", ...more };
    const conditions = Object.entries(all).map(([type, value]) => ({
      type,
      status: value,
      reason: "AsExpected",
      observedGeneration: generation,
      lastTransitionTime: "2026-01-01T00:00:00Z",
    }));
    await apply(`${API}/nodepools/${name}`, { ...kind, status: { replicas, conditions } }, "/status");
  };
  const verify = (...options: string[]): Promise<{ status: number; out: string; error: string }> =>
    new Promise((resolve) =>
      execFile(
        process.execPath,
        [
          command,
          "verify",
          "clusters/tenant-a",
          "--bootstrap",
          "--management-kubeconfig",
          kubeconfig,
          ...options,
        ],
        (failure, out, error) => resolve({ status: failure ? Number(failure.code) : 0, out, error }),
      ),
    );

  /** The kubeconfig of a user with the shipped role, or with no role. */
  const userWith = async (name: string, documents: string): Promise<string> => {
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name } };
    await apply(`/api/v1/namespaces/clusters/serviceaccounts/${name}`, account);
    const group = "/apis/rbac.authorization.k8s.io/v1/namespaces/clusters";
    for (const document of documents === "" ? [] : parseAllDocuments(documents)) {
      const role = document.toJS() as { metadata: { name: string } };
      await apply(`${group}/roles/${role.metadata.name}`, role);
      await apply(`${group}/rolebindings/${name}`, {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "RoleBinding",
        metadata: { name },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: role.metadata.name },
        subjects: [{ kind: "ServiceAccount", name, namespace: "clusters" }],
      });
    }
    const { body } = await session.kubernetes.request(
      "POST",
      `/api/v1/namespaces/clusters/serviceaccounts/${name}/token`,
      { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} },
    );
    const { token } = (body as { status: { token: string } }).status;
    const config = JSON.parse(readFileSync(session.kubeconfig, "utf8")) as { users: { user: object }[] };
    config.users[0]!.user = { token };
    const file = join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify(config));
    return file;
  };

  beforeAll(async () => {
    session = await sharedSession(join(folder, "state"));
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "clusters" } };
    await apply("/api/v1/namespaces/clusters", namespace);
    await apply(`${API}/hostedclusters/tenant-a`, hostedClusterObject());
    kubeconfig = await userWith(
      "verifier",
      readFileSync(join(repositoryRoot, "rbac", "verify-management.yaml"), "utf8"),
    );
  });
  afterAll(async () => {
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("fails while there is no NodePool", async () => {
    const { status, out } = await verify();
    expect([status, out]).toEqual([
      1,
      expect.stringContaining("clusters/tenant-a: not verified, 0 of 1 checks passed") as string,
    ]);
    expect(out).toContain("leave the ports open until there are nodes");
  });

  test("names the open checks while nodes join, and passes when they have joined, with only the shipped role", async () => {
    await nodePool("workers");
    await nodePool("others", { replicas: 9 }, "tenant-b");
    const early = await verify();
    expect(early.status).toBe(1);
    expect(early.out).toMatch(/^unknown {2}NodePool clusters\/workers/m);
    await status("workers", 1, { AllNodesHealthy: "False" });
    const joining = await verify("--format", "json");
    const { checks } = JSON.parse(joining.out) as { checks: { id: string; status: string }[] };
    expect(checks.filter(({ status: one }) => one !== "passed").map(({ id }) => id)).toEqual([
      "bootstrap/replicas",
      "bootstrap/condition-AllNodesHealthy",
    ]);
    await status("workers", 2);
    expect(await verify()).toMatchObject({
      status: 0,
      out: expect.stringContaining("verified, 10 of 10") as string,
    });
  });

  test("does not accept conditions that belong to an earlier spec", async () => {
    await nodePool("workers", { replicas: 3 });
    const { status: exit, out } = await verify();
    expect(exit).toBe(1);
    expect(out).toContain("Ready True, for an earlier spec");
    await status("workers", 3);
    expect((await verify()).status).toBe(0);
  });

  test.each([
    ["autoscales", { replicas: undefined, autoScaling: { min: 1, max: 3 } }, "scales from 1 to 3"],
    ["repairs nodes", { management: { upgradeType: "InPlace", autoRepair: true } }, "autoRepair true"],
    ["upgrades by Replace", { management: { upgradeType: "Replace" } }, "upgrades by Replace"],
  ])("fails while a NodePool %s", async (_, spec, words) => {
    const name = words.replace(/\W+/g, "-").toLowerCase();
    await nodePool(name, spec);
    await status(name, 2);
    const { status: exit, out } = await verify();
    expect([exit, out]).toEqual([1, expect.stringContaining(words) as string]);
    await session.kubernetes.request("DELETE", `${API}/nodepools/${name}`);
  });

  test("names the verb and resource of a missing permission", async () => {
    const file = await userWith("nobody", "");
    const { status: exit, error } = await verify("--management-kubeconfig", file);
    expect(exit).toBe(2);
    expect(error).toMatch(/denies the request: .*cannot get resource "hostedclusters"/);
    expect(error).toContain("rbac/");
  });
});
