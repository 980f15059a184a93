import { readFileSync } from "node:fs";

import { OvnSubnetVerification } from "../../../src/ovnSubnets/component/ovnSubnetVerification";
import { applied, namespaced } from "../applied";
import { Bench, fine } from "../conformance/kubernetesBench";
import { kubeconfigWithRoles } from "../roles";
import { closed, untilGone } from "./hostedCluster";
import type { OneContext } from "./kubeconfig";
import { NO_IMAGE } from "./playedCluster";
import { PLACE, Scene, TENANT, type Check } from "./scene";

const OWN = "hypershift-network-verify";
const TRAFFIC = ["pod-to-pod/one/IPv4", "pod-to-pod/two/IPv4", "pod-to-service/IPv4"];

/**
 * The same tests on a cluster with nodes, if its kubeconfig is given, or on an API server on which the nodes are simulated. They
 * state what they expect only by objects.
 */
describe("M7 on the nodes of a hosted cluster", () => {
  let scene: Scene;
  let cluster: Scene["cluster"];
  const verify = (...args: Parameters<Scene["verify"]>) => scene.verify(...args);
  const statuses = (checks: ReadonlyMap<string, Check>, ids: readonly string[]) =>
    ids.map((id) => checks.get(id)?.status);

  beforeAll(async () => {
    scene = await Scene.open();
    ({ cluster } = scene);
  }, 900_000);
  afterAll(() => scene?.close());

  test("an administrator's probe pods get their own namespace, which is deleted with them", async () => {
    const { status, checks } = await verify(cluster.kubeconfig);
    expect([...checks.values()].filter((check) => check.status !== "passed")).toEqual([]);
    expect(checks.get("pod-to-service/IPv4")?.found).toMatch(/^answered by /);
    expect(status).toBe(0);
    await untilGone(cluster, `/api/v1/namespaces/${OWN}`);
  });

  describe("with the smallest roles, in an existing namespace", () => {
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

    test("pods do not reach each other or a Service if a NetworkPolicy denies ingress", async () => {
      const open = await closed(cluster, OWN);
      const { status, checks } = await verify(hosted, "--namespace", OWN);
      await open();
      expect(statuses(checks, TRAFFIC)).toEqual(TRAFFIC.map(() => "failed"));
      expect(status).toBe(1);
    });

    test("an image that no node can pull is reported", async () => {
      const options = ["--namespace", OWN, "--probe-image", NO_IMAGE, "--timeout", "20"];
      const { status, checks } = await verify(hosted, ...options);
      expect(checks.get("probe-pods")?.found).toContain(`its image cannot be pulled`);
      expect(status).toBe(1);
    });

    test("workers reach their name servers and the API server", async () => {
      const { clusters } = JSON.parse(readFileSync(cluster.kubeconfig, "utf8")) as OneContext;
      const { hostname: host, port } = new URL(clusters[0].cluster.server!);
      await applied(scene.session, `${TENANT}/status`, {
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

  describe("in a user namespace", () => {
    let multicast: string;
    let components: string;

    beforeAll(async () => {
      const own = (file: string, names: Record<string, string>) =>
        kubeconfigWithRoles(cluster, `${PLACE}-${file}`, { file: `${file}.yaml`, names });
      components = await own("ovn-subnet-verification", { verify: PLACE });
      await namespaced(cluster, PLACE, {
        labels: { "pod-security.kubernetes.io/enforce": "restricted" },
        annotations: { "k8s.ovn.org/multicast-enabled": "true" },
      });
      multicast = await own("verify-multicast", { shop: PLACE });
    });

    test("M18 a multicast message arrives, with the smallest role", async () => {
      const { status, checks } = await verify(multicast, "--multicast", PLACE);
      expect(checks.get("multicast/IPv4")?.status).toBe("passed");
      expect(status).toBe(0);
    });

    test("pulumi up succeeds or fails with its Job, and destroy leaves no Job", async () => {
      const bench = await Bench.open(scene.session, "on-nodes", { KUBECONFIG: components });
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
