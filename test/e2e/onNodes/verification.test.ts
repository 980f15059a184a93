import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { repositoryRoot } from "../../../local/repository";
import { startSession, type Session } from "../../../local/session";
import { OvnSubnetVerification } from "../../../src";
import { applied, namespaced } from "../applied";
import { Bench, fine } from "../conformance/kubernetesBench";
import { hostedClusterObject } from "../hostedCluster";
import { kubeconfigWithRoles } from "../roles";
import { closed, NO_IMAGE, openHostedCluster, untilGone, type HostedCluster } from "./hostedCluster";
import type { OneContext } from "./kubeconfig";

const command = join(repositoryRoot, "dist", "src", "cli", "main.js");
const OWN = "hypershift-network-verify";
const PLACE = "hypershift-network-e2e";
const TENANT = "/apis/hypershift.openshift.io/v1beta1/namespaces/clusters/hostedclusters/tenant-a";
const TRAFFIC = ["pod-to-pod/one/IPv4", "pod-to-pod/two/IPv4", "pod-to-service/IPv4"];

interface Check {
  id: string;
  status: string;
  found: string;
}

/**
 * The same on two clusters: one with nodes, where the tests are given its kubeconfig, and the API server of the session, where
 * the test writes what nodes would. Each asks by objects alone for what it expects.
 */
describe("M7 on the nodes of a hosted cluster", () => {
  const folder = mkdtempSync(join(tmpdir(), "nodes-"));
  let session: Session;
  let cluster: HostedCluster;
  let management: string;

  /** The checks of verify, by their ids. */
  const verify = async (kubeconfig: string, ...options: string[]) => {
    const args = [command, "verify", "clusters/tenant-a", "--management-kubeconfig", management];
    args.push("--hosted-kubeconfig", kubeconfig, "--format", "json");
    if (!options.includes("--timeout")) args.push("--timeout", `${cluster.timeoutSeconds}`);
    const { out, error, status } = await new Promise<{ out: string; error: string; status: number }>(
      (resolve) =>
        execFile(process.execPath, [...args, ...options], (failure, out, error) =>
          resolve({ status: failure ? Number(failure.code) : 0, out, error }),
        ),
    );
    if (out === "") throw new Error(error);
    const { checks } = JSON.parse(out) as { checks: Check[] };
    return { status, checks: new Map(checks.map((check) => [check.id, check])) };
  };
  const statuses = (checks: ReadonlyMap<string, Check>, ids: readonly string[]) =>
    ids.map((id) => checks.get(id)?.status);

  beforeAll(async () => {
    session = await startSession({ stateFolder: join(folder, "state"), plugins: "stand-in" });
    cluster = await openHostedCluster(session);
    await namespaced(session, "clusters");
    const ipv4 = { internalJoinSubnet: cluster.internalJoinSubnet };
    const operatorConfiguration = { clusterNetworkOperator: { ovnKubernetesConfig: { ipv4 } } };
    await applied(session, TENANT, hostedClusterObject({ operatorConfiguration }));
    management = await kubeconfigWithRoles(session, "management", "verify-management.yaml");
  });
  afterAll(async () => {
    await cluster?.close();
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("an administrator's pods get a namespace of their own, which goes with them", async () => {
    const { status, checks } = await verify(cluster.kubeconfig);
    expect([...checks.values()].filter((check) => check.status !== "passed")).toEqual([]);
    expect(checks.get("pod-to-service/IPv4")?.found).toMatch(/^answered by /);
    expect(status).toBe(0);
    await untilGone(cluster, `/api/v1/namespaces/${OWN}`);
  });

  describe("by the smallest roles, in a namespace that is there", () => {
    let hosted: string;

    beforeAll(async () => {
      const files = ["verify-hosted.yaml", "verify-probes.yaml", "verify-flows.yaml"];
      hosted = await kubeconfigWithRoles(cluster, PLACE, ...files);
    });
    afterEach(async () => {
      for (const kind of ["/api/v1/pods", "/api/v1/services", "/apis/batch/v1/jobs"]) {
        const path = kind.replace(/(?=[a-z]+$)/, `namespaces/${OWN}/`);
        const { body } = await cluster.kubernetes.request("GET", path);
        const names = (body as { items: { metadata: { name: string } }[] }).items.map(
          ({ metadata }) => metadata.name,
        );
        for (const name of names.filter((one) => one.startsWith("verify-")))
          await untilGone(cluster, `${path}/${name}`);
      }
    });

    test("pods reach each other and a Service", async () => {
      const { status, checks } = await verify(hosted, "--namespace", OWN);
      expect(statuses(checks, TRAFFIC)).toEqual(TRAFFIC.map(() => "passed"));
      expect(status).toBe(0);
    });

    test("where a NetworkPolicy lets nothing in, they do not", async () => {
      const open = await closed(cluster, OWN);
      const { status, checks } = await verify(hosted, "--namespace", OWN);
      await open();
      expect(statuses(checks, TRAFFIC)).toEqual(TRAFFIC.map(() => "failed"));
      expect(status).toBe(1);
    });

    test("an image that no node can pull is named", async () => {
      const options = ["--namespace", OWN, "--probe-image", NO_IMAGE, "--timeout", "20"];
      const { status, checks } = await verify(hosted, ...options);
      expect(checks.get("probe-pods")?.found).toContain(`its image cannot be pulled`);
      expect(status).toBe(1);
    });

    test("workers reach their name servers and the API server", async () => {
      const { clusters } = JSON.parse(readFileSync(cluster.kubeconfig, "utf8")) as OneContext;
      const { hostname: host, port } = new URL(clusters[0].cluster.server!);
      await applied(session, `${TENANT}/status`, {
        apiVersion: "hypershift.openshift.io/v1beta1",
        kind: "HostedCluster",
        metadata: { name: "tenant-a" },
        status: { controlPlaneEndpoint: { host, port: Number(port) || 443 } },
      });
      const { checks } = await verify(hosted, "--flows", "--namespace", OWN);
      const ids = ["flow/dns-tcp", "flow/dns-udp", "flow/kube-apiserver"];
      expect(statuses(checks, ids)).toEqual(ids.map(() => "passed"));
    });
  });

  describe("in a namespace of users", () => {
    beforeAll(() =>
      namespaced(cluster, PLACE, {
        labels: { "pod-security.kubernetes.io/enforce": "restricted" },
        annotations: { "k8s.ovn.org/multicast-enabled": "true" },
      }),
    );

    test("M18 a multicast message arrives", async () => {
      const { status, checks } = await verify(cluster.kubeconfig, "--multicast", PLACE);
      expect(checks.get("multicast/IPv4")?.status).toBe("passed");
      expect(status).toBe(0);
    });

    test("pulumi up goes as its Job goes, and destroy leaves nothing", async () => {
      const bench = await Bench.open(session, "on-nodes", { KUBECONFIG: cluster.kubeconfig });
      const verification = (trigger: string) => () => {
        const { jobName } = new OvnSubnetVerification("tenant-a", {
          namespace: PLACE,
          triggers: [trigger],
          timeoutSeconds: cluster.timeoutSeconds,
        });
        return Promise.resolve({ jobName });
      };
      const jobs = async () => {
        const { body } = await cluster.kubernetes.request("GET", `/apis/batch/v1/namespaces/${PLACE}/jobs`);
        return (body as { items: { metadata: { name: string } }[] }).items.map(
          ({ metadata }) => metadata.name,
        );
      };
      try {
        fine(await bench.up(verification("a")));
        expect(Object.keys(fine(await bench.up(verification("a"), true)).changes)).toEqual(["same"]);
        const open = await closed(cluster, PLACE);
        const { ok, output } = await bench.up(verification("b"));
        await open();
        expect(ok).toBe(false);
        expect(output).toContain("BackoffLimitExceeded");
        fine(await bench.up(verification("b")));
        expect(await jobs()).toEqual([(await bench.outputs()).jobName]);
      } finally {
        fine(await bench.destroy());
        bench.close();
      }
      expect(await jobs()).toEqual([]);
    });
  });
});
