import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { repositoryRoot } from "../../local/repository";
import type { Session } from "../../local/session";
import { TRUST_BUNDLE_KEY } from "../../src/proxy/settings";
import { certificate } from "../objects/certificate";
import { applied, namespaced } from "./applied";
import { hostedClusterObject } from "./hostedCluster";
import { kubeconfigWithRoles } from "./roles";
import { sharedSession } from "./sharedSession";

/** The command as users run it. */
const command = join(repositoryRoot, "dist", "src", "cli", "main.js");
const HOSTED_CLUSTERS = "/apis/hypershift.openshift.io/v1beta1/namespaces/clusters/hostedclusters";
const CONTROL_PLANE = "clusters-tenant-a";
const POLICY = `/apis/networking.k8s.io/v1/namespaces/${CONTROL_PLANE}/networkpolicies/own`;

describe("hypershift-network check --live on a real API server", () => {
  const folder = mkdtempSync(join(tmpdir(), "check-live-"));
  let session: Session;
  let kubeconfig: string;

  const run = (...args: string[]): Promise<{ status: number; out: string; error: string }> =>
    new Promise((resolve) =>
      execFile(process.execPath, [command, ...args], { env: session.env }, (failure, out, error) =>
        resolve({ status: failure ? Number(failure.code) : 0, out, error }),
      ),
    );
  const live = (name: string, ...args: string[]) => run(name, ...args, "--live", "--kubeconfig", kubeconfig);
  const rulesFound = async (): Promise<string[]> => {
    const { out } = await live("check", "--format", "json");
    const { findings } = JSON.parse(out) as {
      findings: { rule: string; status: string; resource: { live?: string } }[];
    };
    return findings
      .filter(({ status }) => status === "violated")
      .map(({ rule, resource }) => `${rule} ${resource.live}`);
  };
  const machines = (cidr: string) => {
    const { spec, ...object } = hostedClusterObject();
    return { ...object, spec: { ...spec, networking: { ...spec.networking, machineNetwork: [{ cidr }] } } };
  };
  const policy = (port: number) => ({
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: "own", namespace: CONTROL_PLANE },
    spec: {
      podSelector: { matchLabels: { app: "kube-apiserver" } },
      policyTypes: ["Ingress"],
      ingress: [{ ports: [{ port, protocol: "TCP" }] }],
    },
  });

  beforeAll(async () => {
    session = await sharedSession(join(folder, "state"));
    for (const name of ["clusters", CONTROL_PLANE, "shop"]) await namespaced(session, name);
    await applied(session, `${HOSTED_CLUSTERS}/tenant-a`, machines("10.0.0.0/16"));
    kubeconfig = await kubeconfigWithRoles(session, "check-live", "check-live.yaml");
  }, 900_000);
  afterAll(async () => {
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("a valid cluster has no findings, with the smallest role", async () => {
    const { status, out, error } = await live("check");
    expect([status, error]).toEqual([0, ""]);
    expect(out).toMatch(/resources in the cluster, 1 hosted cluster: /);
    expect(await rulesFound()).toEqual([]);
  });

  test("a manually created violation is found until it is removed, always with the same fingerprint", async () => {
    await applied(session, `${HOSTED_CLUSTERS}/tenant-b`, {
      ...machines("100.64.8.0/24"),
      metadata: { name: "tenant-b", namespace: "clusters" },
    });
    expect(await rulesFound()).toEqual(["cidr-reserved-overlap HostedCluster clusters/tenant-b"]);
    expect((await live("check")).status).toBe(1);
    const sarif = (await live("check", "--format", "sarif")).out;
    const server = encodeURIComponent(new URL(session.kubernetes.url).host);
    expect(sarif).toContain(`"uri": "live/cluster/${server}/clusters/HostedCluster/tenant-b"`);
    const fingerprints = sarif.match(/"primaryLocationLineHash": .*/g);
    expect(fingerprints).toHaveLength(1);
    const again = (await live("check", "--format", "sarif")).out;
    expect(again.match(/"primaryLocationLineHash": .*/g)).toEqual(fingerprints);
    await session.kubernetes.request("DELETE", `${HOSTED_CLUSTERS}/tenant-b`);
    expect(await rulesFound()).toEqual([]);
  });

  test("all objects are read if they take more than one page", async () => {
    const names = Array.from({ length: 501 }, (_, position) => `n${position}`);
    for (let from = 0; from < names.length; from += 50)
      await Promise.all(
        names.slice(from, from + 50).map((name) =>
          applied(session, `/apis/networking.k8s.io/v1/namespaces/shop/networkpolicies/${name}`, {
            ...policy(6443),
            metadata: { name, namespace: "shop" },
          }),
        ),
      );
    const { out } = await live("check", "--format", "json");
    expect((JSON.parse(out) as { summary: { resources: number } }).summary.resources).toBeGreaterThan(501);
  });

  test("diff shows what was changed by hand after the plan", async () => {
    const plan = join(folder, "plan.json");
    writeFileSync(plan, JSON.stringify([machines("10.0.0.0/16"), policy(6443)]));
    await applied(session, POLICY, policy(6443));
    const same = await live("diff", plan, "--fail-on", "changed");
    expect([same.status, same.out]).toEqual([0, "clusters/tenant-a: nothing opens or closes\n"]);
    await applied(session, POLICY, policy(22));
    const other = await live("diff", plan, "--fail-on", "opened");
    expect(other.status).toBe(1);
    expect(other.out).toMatch(/pods kube-apiserver from addresses.*: TCP 22 /);
    expect(other.out).toContain("\n1 value is not as planned\n");
    expect(other.out).toMatch(/ {2}NetworkPolicy .*port: planned 6443, found 22\n/);
    await session.kubernetes.request("DELETE", POLICY);
    const gone = await live("diff", plan, "--fail-on", "changed");
    expect(gone.status).toBe(1);
    expect(gone.out).toContain(`\n1 object is planned but missing\n  NetworkPolicy ${CONTROL_PLANE}/own\n`);
  });

  test("diff ignores what the API server normalizes, and shows a selector of other pods", async () => {
    const written = (spec: object) => ({ ...policy(6443), spec: { ...policy(6443).spec, ...spec } });
    const loose = { policyTypes: [], egress: [], ingress: [{ from: [], ports: [{ port: 6443 }] }] };
    const plan = join(folder, "loose.json");
    writeFileSync(plan, JSON.stringify([machines("10.0.0.0/16"), written(loose)]));
    await applied(session, POLICY, written({ policyTypes: ["Ingress"] }));
    const same = await live("diff", plan, "--fail-on", "changed");
    expect([same.status, same.out]).toEqual([0, "clusters/tenant-a: nothing opens or closes\n"]);
    writeFileSync(plan, JSON.stringify([machines("10.0.0.0/16"), written({ podSelector: {} })]));
    expect((await live("diff", plan)).out).toMatch(
      /podSelector\.matchLabels: planned absent, found \{"app":/,
    );
    await session.kubernetes.request("DELETE", POLICY);
  });

  describe("certificates that a HostedCluster names", () => {
    const trusting = (proxyBundle: string, additional: string) => {
      const { spec, ...object } = hostedClusterObject({}, "tenant-c");
      const proxy = { httpsProxy: "http://192.0.2.9:3128", trustedCA: { name: proxyBundle } };
      return {
        ...object,
        spec: { ...spec, configuration: { proxy }, additionalTrustBundle: { name: additional } },
      };
    };
    const bundle = (name: string, text: string) =>
      applied(session, `/api/v1/namespaces/clusters/configmaps/${name}`, {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata: { name },
        data: { [TRUST_BUNDLE_KEY]: text },
      });
    const trustFindings = async () =>
      (await rulesFound()).filter((finding) => finding.startsWith("proxy-trusted-ca"));

    afterEach(() => session.kubernetes.request("DELETE", `${HOSTED_CLUSTERS}/tenant-c`));

    test("are read with the smallest role, and judged", async () => {
      await bundle("proxy-ca", "no certificate");
      await bundle("more-ca", certificate);
      await applied(session, `${HOSTED_CLUSTERS}/tenant-c`, trusting("proxy-ca", "more-ca"));
      expect(await trustFindings()).toEqual(["proxy-trusted-ca ConfigMap clusters/proxy-ca"]);
      await bundle("proxy-ca", certificate);
      await bundle("more-ca", "no certificate");
      expect(await trustFindings()).toEqual(["proxy-trusted-ca ConfigMap clusters/more-ca"]);
      await bundle("more-ca", certificate);
      expect(await trustFindings()).toEqual([]);
    });

    test("are required: without permission to read them nothing is judged, and the permission is named", async () => {
      await applied(session, `${HOSTED_CLUSTERS}/tenant-c`, trusting("proxy-ca", "more-ca"));
      const roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/clusters/rolebindings";
      await session.kubernetes.request("DELETE", `${roles}/check-live-hypershift-network-check-live`);
      const { status, out, error } = await live("check");
      kubeconfig = await kubeconfigWithRoles(session, "check-live", "check-live.yaml");
      expect([status, out]).toEqual([2, ""]);
      expect(error).toContain('cannot get resource "configmaps"');
    });
  });

  test("without the role every permission that is missing is named, and nothing is judged", async () => {
    const none = await kubeconfigWithRoles(session, "nobody");
    const { status, out, error } = await run("check", "--live", "--kubeconfig", none);
    expect([status, out]).toEqual([2, ""]);
    for (const resource of ["hostedclusters", "networkpolicies", "pods"])
      expect(error).toContain(`cannot list resource "${resource}"`);
  });

  test("an unreachable cluster and a missing kubeconfig are reported without credentials", async () => {
    const config = JSON.parse(readFileSync(kubeconfig, "utf8")) as {
      clusters: { cluster: { server: string } }[];
      users: { user: { token: string } }[];
    };
    config.clusters[0]!.cluster.server = "https://127.0.0.1:9";
    const away = join(folder, "away.json");
    writeFileSync(away, JSON.stringify(config));
    const { status, error } = await run("check", "--live", "--kubeconfig", away);
    expect([status, error]).toEqual([2, expect.stringContaining("--live  the cluster does not answer")]);
    expect(error).not.toContain(config.users[0]!.user.token);
    const none = await run("check", "--live", "--kubeconfig", join(folder, "missing"));
    expect([none.status, none.error]).toEqual([2, expect.stringContaining("cannot be used")]);
  });
});
