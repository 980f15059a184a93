import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { Session } from "../../local/session";
import { ControlPlaneIsolation } from "../../src/isolation/component/controlPlaneIsolation";
import { Platform, PodSecurityLevel, Protocol } from "../../src";
import type { ControlPlaneIsolationArgs } from "../../src/isolation/component/controlPlaneIsolationArgs";
import { isolationPolicies } from "../../src/isolation/judge";
import { networkPolicySpec } from "../../src/isolation/networkPolicy";
import { normal, published } from "../topology/topologies";
import { Bench, fine, kubectl, kubectlWith, live } from "./conformance/kubernetesBench";
import { hostedClusterObject } from "./hostedCluster";
import { sharedSession } from "./sharedSession";

const topology = {
  name: "tenant-i",
  namespace: "clusters",
  platform: Platform.Agent,
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  managementClusterCidrs: ["10.1.0.0/16"],
  registryCidrs: ["198.51.100.0/24"],
};
const namespace = "clusters-tenant-i";

/** The real engine, and the real API server with the product's CRDs. */
describe("the isolation of a hosted control plane", () => {
  const folder = mkdtempSync(join(tmpdir(), "isolation-"));
  let session: Session;
  const benches: Bench[] = [];
  const open = async (name: string) => {
    const bench = await Bench.open(session, name);
    benches.push(bench);
    return bench;
  };
  const apply = (object: object, manager = "hypershift") => {
    const flags = ["--server-side", `--field-manager=${manager}`, "--validate=strict"];
    kubectlWith(session, JSON.stringify(object), "apply", ...flags, "-f", "-");
  };

  beforeAll(async () => {
    session = await sharedSession(folder);
    for (const name of ["clusters", namespace])
      apply({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
  });
  afterAll(async () => {
    for (const bench of benches) bench.close();
    await session?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  describe("M12 network policies", () => {
    const isolate = (more: Partial<ControlPlaneIsolationArgs> = {}) => {
      return () => {
        new ControlPlaneIsolation("tenant", { topology, ...more });
        return Promise.resolve();
      };
    };
    const ldap = (cidr: string) => ({
      "allow-ldap": {
        purpose: "OAuth asks the directory",
        pods: { matchLabels: { app: "oauth-openshift" } },
        egress: [{ peers: [{ cidr }], ports: [{ protocol: Protocol.Tcp, port: 636 }] }],
      },
    });
    const policies = () =>
      kubectl(session, "get", "networkpolicies", "-n", namespace, "-o", "name")
        .trim()
        .split("\n")
        .map((name) => name.replace("networkpolicy.networking.k8s.io/", ""));
    const policy = (name: string) => live(session, "networkpolicy", name, "-n", namespace);
    const foreign = (name: string) => ({
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { name, namespace },
      spec: {
        podSelector: {},
        policyTypes: ["Ingress"],
        ingress: [{ from: [{ podSelector: {} }] }],
      },
    });
    const theirs = ["same-namespace", "of-an-administrator"];
    let before: unknown[];
    let bench: Bench;

    beforeAll(async () => {
      for (const name of theirs) apply(foreign(name));
      before = theirs.map(policy);
      bench = await open("isolation");
    });

    test("are created in addition to those of others, and a second up changes nothing", async () => {
      const program = isolate({ denyEgress: true, additionalPolicies: ldap("192.0.2.10/32") });
      fine(await bench.up(program));
      const made = isolationPolicies(normal(topology), { denyEgress: true });
      expect(policies()).toEqual([...made.map(({ name }) => name), "allow-ldap", ...theirs].sort());
      for (const one of made) expect(policy(one.name)?.spec).toMatchObject(asKept(networkPolicySpec(one)));
      const again = await bench.up(program);
      expect(Object.keys(fine(again).changes)).toEqual(["same"]);
    });

    test("are updated in place", async () => {
      const uid = policy("isolation-operators")!.metadata.uid;
      const operatorNamespaces = ["hypershift", "multicluster-engine"];
      const more = { denyEgress: true, additionalPolicies: ldap("192.0.2.11/32"), operatorNamespaces };
      const { changes } = fine(await bench.up(isolate(more)));
      expect(Object.keys(changes).sort()).toEqual(["same", "update"]);
      expect(policy("isolation-operators")!.metadata.uid).toBe(uid);
      expect(JSON.stringify(policy("isolation-operators")!.spec)).toContain("multicluster-engine");
      expect(JSON.stringify(policy("allow-ldap")!.spec)).toContain("192.0.2.11/32");
    });

    test("are deleted one by one when the program no longer sets them", async () => {
      fine(await bench.up(isolate()));
      expect(policies().filter((name) => name.includes("egress") || name === "allow-ldap")).toEqual([]);
    });

    test("are deleted by destroy, and those of others stay unchanged", async () => {
      fine(await bench.destroy());
      expect(policies()).toEqual([...theirs].sort());
      expect(theirs.map(policy)).toEqual(before);
    });

    test("do not replace a policy of another owner with the same name", async () => {
      apply(foreign("isolation-kube-apiserver"), "admin");
      const other = await open("isolation-taken");
      const refused = await other.up(isolate());
      expect(refused.ok).toBe(false);
      expect(refused.output).toMatch(/isolation-kube-apiserver.*already exists/);
      fine(await other.destroy());
      expect(policies()).toEqual(["isolation-kube-apiserver", ...theirs].sort());
    });
  });

  describe("M12 every policy of every platform and publishing strategy", () => {
    test("is accepted by the server with strict field validation", () => {
      const specs = new Map<string, object>();
      for (const platform of Object.values(Platform))
        for (const services of [...Object.values(published), undefined]) {
          const cluster = wellFormed({ ...topology, platform, services });
          for (const one of cluster ? isolationPolicies(cluster, { denyEgress: true }) : [])
            specs.set(JSON.stringify(networkPolicySpec(one)), networkPolicySpec(one));
        }
      const items = [...specs.values()].map((spec, index) => ({
        apiVersion: "networking.k8s.io/v1",
        kind: "NetworkPolicy",
        metadata: { name: `policy-${index}`, namespace },
        spec,
      }));
      const list = { apiVersion: "v1", kind: "List", items };
      const flags = ["--dry-run=server", "--validate=strict", "-o", "name", "-f", "-"];
      const accepted = kubectlWith(session, JSON.stringify(list), "create", ...flags);
      expect(accepted.trim().split("\n")).toHaveLength(items.length);
      expect(items.length).toBeGreaterThan(20);
    });
  });

  describe("M13 the Pod Security level", () => {
    const annotation = "hypershift.openshift.io/pod-security-admission-label-override";
    const existingHostedCluster = { name: "tenant-i", namespace: "clusters" };
    const level = (podSecurityLevel: PodSecurityLevel, removeOnDelete = false) => {
      return () => {
        const more = { podSecurityLevel, existingHostedCluster, removeOnDelete };
        new ControlPlaneIsolation("level", { topology: { ...topology }, ...more });
        return Promise.resolve();
      };
    };
    const annotations = () =>
      (
        JSON.parse(kubectl(session, "get", "hostedcluster", "tenant-i", "-n", "clusters", "-o", "json")) as {
          metadata: { annotations?: Record<string, string> };
        }
      ).metadata.annotations;

    test("is an annotation of the HostedCluster that stays after destroy unless removeOnDelete is set", async () => {
      kubectl(session, "delete", "networkpolicy", "--all", "-n", namespace);
      apply(hostedCluster);
      const bench = await open("pod-security");
      fine(await bench.up(level(PodSecurityLevel.Baseline)));
      expect(annotations()).toMatchObject({ [annotation]: "baseline", "team.example.com/owner": "a" });
      fine(await bench.up(level(PodSecurityLevel.Restricted)));
      expect(annotations()).toMatchObject({ [annotation]: "restricted" });
      fine(await bench.destroy());
      expect(annotations()).toMatchObject({ [annotation]: "restricted" });
      const again = await open("pod-security-again");
      fine(await again.up(level(PodSecurityLevel.Restricted, true)));
      fine(await again.destroy());
      expect(annotations()).toEqual({ "team.example.com/owner": "a" });
    });
  });
});

/** The spec as the server stores it: without empty lists of rules. */
function asKept({ ingress, egress, ...rest }: ReturnType<typeof networkPolicySpec>): object {
  return { ...rest, ...(ingress?.length && { ingress }), ...(egress?.length && { egress }) };
}

/** The cluster in its normal form, or undefined if HyperShift does not accept it. */
function wellFormed(raw: object) {
  try {
    return normal(raw);
  } catch {
    return undefined;
  }
}

const owned = hostedClusterObject({}, "tenant-i");
const hostedCluster = {
  ...owned,
  metadata: { ...owned.metadata, annotations: { "team.example.com/owner": "a" } },
};
