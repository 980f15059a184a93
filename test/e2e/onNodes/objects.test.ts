import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { applied, namespaced } from "../applied";
import { egressRouterObject, egressRouterPath } from "../probes/egressRouterWorld";
import { kubeconfigWithRoles } from "../roles";
import { PLACE, Scene, type Verification } from "./scene";

const FIREWALL = `/apis/k8s.ovn.org/v1/namespaces/${PLACE}/egressfirewalls/default`;
/** Its pod is not privileged, but needs more than `restricted` allows. */
const ROUTERS = "hypershift-network-e2e-router";
const DAEMON_SET = "/apis/apps/v1/namespaces/openshift-ovn-kubernetes/daemonsets/ovnkube-node";
/** Addresses of documents (RFC 5737): no host has them. */
const [ADDRESS, GATEWAY] = ["192.0.2.9/24", "192.0.2.1"];

type Entry = [type: "Allow" | "Deny", cidr: string];

/** An EgressFirewall without rules for addresses that a host has. */
const firewall = (...entries: Entry[]) => ({
  apiVersion: "k8s.ovn.org/v1",
  kind: "EgressFirewall",
  metadata: { name: "default", namespace: PLACE },
  spec: { egress: entries.map(([type, cidrSelector]) => ({ type, to: { cidrSelector } })) },
});
const USEFUL: Entry[] = [
  ["Allow", "203.0.113.0/25"],
  ["Deny", "203.0.113.0/24"],
];
const SHADOWED: Entry[] = [...USEFUL, ["Deny", "203.0.113.7/32"]];

/**
 * What the smallest roles read of a hosted cluster; the test owns all of it. On a cluster with nodes operators act on what the test
 * creates, on an API server without nodes the test does.
 */
describe("M7 the objects of a hosted cluster with nodes", () => {
  let scene: Scene;
  /** A configuration with these fields of the hosted cluster. */
  const configured = (said: object = {}): string => {
    const file = join(scene.folder, "hypershift-network.yaml");
    const hostedClusters = [{ name: "tenant-a", platform: "None", ...said }];
    writeFileSync(file, JSON.stringify({ hostedClusters }));
    return file;
  };
  const has = (entries: readonly Entry[]) => applied(scene.cluster, FIREWALL, firewall(...entries));

  beforeAll(async () => {
    scene = await Scene.open();
    await namespaced(scene.cluster, PLACE);
  }, 900_000);
  afterAll(() => scene?.close());

  describe("check --live and diff --live", () => {
    let reader: string;

    beforeAll(async () => {
      const role = { file: "check-live.yaml", names: { clusters: PLACE } };
      reader = await kubeconfigWithRoles(scene.cluster, `${PLACE}-check-live`, role);
    });

    /** The findings about the namespace of the test, among those that the cluster may have. */
    const found = async () => {
      const args = ["check", "--live", "--kubeconfig", reader, "--format", "json"];
      const { out, error } = await scene.run(...args);
      if (out === "") throw new Error(error);
      const { findings } = JSON.parse(out) as { findings: { rule: string; resource: { live?: string } }[] };
      return findings
        .filter(({ resource }) => resource.live?.includes(PLACE))
        .map(({ rule, resource }) => `${rule} ${resource.live}`);
    };

    test("M15 check finds a firewall rule without effect until it is removed", async () => {
      await has(SHADOWED);
      expect(await found()).toEqual([`egress-firewall-shadowed EgressFirewall ${PLACE}/default`]);
      await has(USEFUL);
      expect(await found()).toEqual([]);
    });

    test("diff shows objects that were changed or deleted manually after the plan", async () => {
      const plan = join(scene.folder, "plan.json");
      writeFileSync(plan, JSON.stringify(firewall(...USEFUL)));
      const config = configured();
      const diff = () =>
        scene.run("diff", plan, "--live", "--kubeconfig", reader, "--config", config, "--fail-on", "changed");
      await has(USEFUL);
      const same = await diff();
      expect(same.out).not.toContain("planned");
      expect(same.status).toBe(0);
      await has(SHADOWED);
      const other = await diff();
      const place = `  EgressFirewall ${PLACE}/default`;
      expect(other.out).toContain(`\n1 value is not as planned\n${place}  spec.egress: planned `);
      expect(other.status).toBe(1);
      await scene.cluster.kubernetes.request("DELETE", FIREWALL);
      const gone = await diff();
      expect(gone.out).toContain(`\n1 object is planned but missing\n${place}\n`);
      expect(gone.status).toBe(1);
    });
  });

  describe("the roll-out of ovnkube-node", () => {
    let reader: string;
    let generation: number;
    const verify = (...options: string[]) => scene.verify(reader, "--no-probes", ...options);
    const statusesOf = ({ checks }: Verification) =>
      Object.fromEntries([...checks].map(([id, { status }]) => [id, status]));

    beforeAll(async () => {
      reader = await kubeconfigWithRoles(scene.cluster, `${PLACE}-roll-out`, "verify-hosted.yaml");
      const { body } = await scene.cluster.kubernetes.request("GET", DAEMON_SET);
      ({ generation } = (body as { metadata: { generation: number } }).metadata);
    });

    test("is verified with the cluster's current subnet", async () => {
      const verification = await verify("--since", `${generation - 1}`);
      expect(statusesOf(verification)).toEqual({
        "hosted-cluster-value/internalJoinSubnet": "passed",
        "network-operator-value/internalJoinSubnet": "passed",
        "ovnkube-node-roll-out": "passed",
        "node-addresses/internalJoinSubnet": "passed",
      });
      expect(verification.status).toBe(0);
    });

    test("fails while its generation is the one from before the change", async () => {
      const verification = await verify("--since", `${generation}`, "--timeout", "0");
      expect(statusesOf(verification)["ovnkube-node-roll-out"]).toBe("failed");
      expect(verification.checks.get("ovnkube-node-roll-out")?.found).toMatch(
        /still the generation from before the change$/,
      );
      expect(verification.status).toBe(1);
    });

    test("is not verified for a subnet that the cluster does not have", async () => {
      const { internalJoinSubnet: had } = scene.cluster;
      const other = had.startsWith("100.98.") ? "100.97.0.0/16" : "100.98.0.0/16";
      const config = configured({ internalJoinSubnet: other });
      const verification = await verify("--config", config, "--timeout", "0");
      const operator = verification.checks.get("network-operator-value/internalJoinSubnet");
      expect(operator).toMatchObject({ status: "failed", found: had });
      // Releases that do not write the nodes' addresses do not report them.
      expect(statusesOf(verification)["node-addresses/internalJoinSubnet"]).not.toBe("passed");
      expect(verification.status).toBe(1);
    });
  });

  test("M17 an egress router fails verification while it is missing, and passes with its pod and reserved address", async () => {
    const { cluster } = scene;
    await namespaced(cluster, ROUTERS);
    const role = { file: "verify-egress-router.yaml", names: { shop: ROUTERS } };
    const reader = await kubeconfigWithRoles(cluster, `${PLACE}-egress-router`, role);
    const verify = (...options: string[]) =>
      scene.verify(reader, "--egress-router", `${ROUTERS}/egress`, ...options);
    const none = await verify("--timeout", "0");
    expect(none.checks.get("egress-router/object")?.status).toBe("failed");
    expect(none.status).toBe(1);
    await applied(
      cluster,
      egressRouterPath(ROUTERS, "egress"),
      egressRouterObject("egress", ADDRESS, GATEWAY),
    );
    const { status, checks } = await verify();
    expect([...checks.values()].filter((check) => check.status !== "passed")).toEqual([]);
    expect(checks.get("egress-router/object")?.found).toBe(ADDRESS);
    expect(checks.get("egress-router/interface")?.found).toContain("192.0.2.9");
    expect(status).toBe(0);
  });
});
