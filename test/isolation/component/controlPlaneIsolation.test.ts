import * as pulumi from "@pulumi/pulumi";
import { ControlPlaneIsolation } from "../../../src/isolation/component/controlPlaneIsolation";
import { Platform, PodSecurityLevel, Protocol } from "../../../src";
import type { ControlPlaneIsolationArgs } from "../../../src/isolation/component/controlPlaneIsolationArgs";
import { MockMonitor } from "@pulumi/pulumi/runtime/mocks";
import { eventually } from "../../components/eventually";
import { run, unknownValue } from "../../components/program";

const topology = {
  name: "tenant-a",
  platform: Platform.Agent,
  release: "4.20",
  machineNetwork: [{ cidr: "10.0.0.0/16" }],
  managementClusterCidrs: ["10.1.0.0/16"],
  registryCidrs: ["198.51.100.0/24"],
};
/** The request of the component to the engine to register a policy. */
interface Request {
  getType(): string;
  getName(): string;
  getDependenciesList(): string[];
}
const existingHostedCluster = { name: "tenant-a", namespace: "clusters" };
const create =
  (args: Partial<ControlPlaneIsolationArgs> = {}, opts?: pulumi.ComponentResourceOptions) =>
  () =>
    new ControlPlaneIsolation("tenant-a", { topology, ...args }, opts);
const ldap = (cidr: pulumi.Input<string>) => ({
  "allow-ldap": {
    purpose: "OAuth asks the directory",
    pods: { matchLabels: { app: "oauth-openshift" } },
    egress: [{ peers: [{ cidr }], ports: [{ protocol: Protocol.Tcp, port: 636 }] }],
  },
});

describe("M12 container-level isolation", () => {
  it("creates network policies in the namespace of the hosted control plane, each annotated with its purpose", async () => {
    const { objects, result, warnings } = await run(create());
    expect(objects.map(({ name }) => name).sort()).toEqual([
      "tenant-a-isolation-deny-ingress",
      "tenant-a-isolation-ignition-proxy",
      "tenant-a-isolation-ignition-server",
      "tenant-a-isolation-konnectivity",
      "tenant-a-isolation-kube-apiserver",
      "tenant-a-isolation-monitoring",
      "tenant-a-isolation-oauth",
      "tenant-a-isolation-operators",
      "tenant-a-isolation-same-namespace",
    ]);
    expect(objects.find(({ name }) => name.endsWith("isolation-kube-apiserver"))).toEqual({
      type: "kubernetes:networking.k8s.io/v1:NetworkPolicy",
      name: "tenant-a-isolation-kube-apiserver",
      inputs: {
        apiVersion: "networking.k8s.io/v1",
        kind: "NetworkPolicy",
        metadata: {
          name: "isolation-kube-apiserver",
          namespace: "clusters-tenant-a",
          annotations: { "hypershift-network/purpose": "Everybody reaches the tenant's API server pod" },
        },
        spec: {
          podSelector: { matchLabels: { app: "kube-apiserver" } },
          policyTypes: ["Ingress"],
          ingress: [{ ports: [{ protocol: "TCP", port: 6443 }] }],
        },
      },
    });
    expect(warnings).toEqual([]);
    await expect(eventually(result.namespace)).resolves.toBe("clusters-tenant-a");
  });

  it("lists every policy with its requirements, documents and notes about HyperShift's own policies", async () => {
    const { result } = await run(create({ additionalPolicies: ldap("10.7.0.0/24"), denyEgress: true }));
    const policies = await eventually(result.policies);
    expect(policies.find(({ name }) => name === "isolation-konnectivity")).toEqual({
      name: "isolation-konnectivity",
      purpose: "Konnectivity agents on the nodes dial the tunnel through which the control plane answers",
      requirements: ["cp-in-konn-nodeport"],
      documents: expect.arrayContaining(["HyperShift ports, Source IP Restrictions"]) as unknown,
      notes: [
        "HyperShift writes such a policy for NodePort only, none for LoadBalancer.",
        expect.stringContaining("HyperShift's own policy allows every source, policies are additive"),
      ],
    });
    expect(policies.at(-1)).toMatchObject({ name: "allow-ldap", purpose: "OAuth asks the directory" });
  });

  it("creates the denying policies last, so that no flow is blocked in the meantime", async () => {
    const watch = jest.spyOn(MockMonitor.prototype, "registerResource");
    await run(create({ denyEgress: true, additionalPolicies: ldap("10.7.0.0/24") }));
    const requests = watch.mock.calls.map(([request]) => request as Request);
    watch.mockRestore();
    const policies = requests.filter((request) => request.getType().endsWith(":NetworkPolicy"));
    const denying = policies.filter((request) => request.getName().includes("-deny-"));
    const allowing = policies.filter((request) => !denying.includes(request));
    expect(denying).toHaveLength(2);
    // One after the other: the denial of ingress, which every isolation has, is the last.
    expect(denying.map((request) => request.getDependenciesList().length).sort()).toEqual([
      allowing.length,
      allowing.length + 1,
    ]);
    expect(
      denying.find((request) => request.getName().endsWith("deny-ingress"))!.getDependenciesList(),
    ).toHaveLength(allowing.length + 1);
    for (const request of allowing) expect(request.getDependenciesList()).toEqual([]);
  });

  it("accepts Outputs in labels and additional policies", async () => {
    const { objects } = await run(
      create({
        labels: { team: pulumi.output("network") },
        additionalPolicies: ldap(pulumi.output("10.7.0.0/24")),
        denyEgress: true,
      }),
    );
    const policy = objects.find(({ name }) => name === "tenant-a-allow-ldap")!;
    expect(policy.inputs).toMatchObject({
      metadata: { name: "allow-ldap", labels: { team: "network" } },
      spec: {
        podSelector: { matchLabels: { app: "oauth-openshift" } },
        policyTypes: ["Egress"],
        egress: [{ to: [{ ipBlock: { cidr: "10.7.0.0/24" } }], ports: [{ protocol: "TCP", port: 636 }] }],
      },
    });
  });

  it("fails if an Output resolves to a value that blocks a required flow", async () => {
    const { failures, objects } = await run(
      create({ additionalPolicies: ldap(pulumi.output("10.7.0.0/24")) }),
    );
    expect(failures.join("\n")).toMatch(/additionalPolicies\.allow-ldap\.egress +would block this flow/);
    expect(objects).toEqual([]);
  });

  it("reports neither failures nor warnings for values that a preview does not know", async () => {
    const args = { additionalPolicies: ldap(unknownValue<string>()), namespace: unknownValue<string>() };
    const { failures, warnings } = await run(create(args), { preview: true });
    expect({ failures, warnings }).toEqual({ failures: [], warnings: [] });
  });

  it("refuses a second ControlPlaneIsolation for the same namespace", async () => {
    const twice = () => {
      create()();
      return new ControlPlaneIsolation("again", { topology });
    };
    await expect(run(twice)).rejects.toThrow(
      "ControlPlaneIsolation again: 1 fault\n  topology  clusters-tenant-a is already isolated by ControlPlaneIsolation tenant-a: remove one of the two",
    );
  });

  it("reports all faults at once, without a stack trace", async () => {
    const wrong = create({ denyEgress: "yes" as never, operatorNamespaces: [] });
    await expect(run(wrong)).rejects.toThrow(/^ControlPlaneIsolation tenant-a: 2 faults\n( .*\n?){2}$/);
    await expect(run(() => new ControlPlaneIsolation("x", undefined as never))).rejects.toThrow(
      /topology +missing/,
    );
  });

  it("registers the topology without credentials", async () => {
    const proxy = { httpProxy: "http://user:secret@proxy.example.com:3128" };
    const { result, resources } = await run(create({ topology: { ...topology, proxy } }));
    await expect(eventually(result.topology)).resolves.toMatchObject({ namespace: "clusters" });
    expect(JSON.stringify(resources)).not.toContain("secret@");
  });
});

describe("M13 the constraints on pods of a control plane", () => {
  it("are outputs with their documents, and so are the SELinux contexts of the node", async () => {
    const { result } = await run(create());
    const constraints = await eventually(result.podConstraints);
    expect(constraints.map(({ id }) => id).sort()).toEqual([
      "pod-capabilities",
      "pod-host-network",
      "pod-host-path",
      "pod-host-pid",
      "pod-host-port",
      "pod-privileged",
      "pod-selinux",
      "pod-user",
    ]);
    expect(constraints.find(({ id }) => id === "pod-user")).toEqual({
      id: "pod-user",
      demand: "Processes run under a user id out of the namespace's range",
      fields: ["spec.securityContext.runAsUser", "securityContext.runAsUser"],
      allocatedBy: "openshift.io/sa.scc.uid-range",
      documents: ["OCP networking, 14.1.1.1. Control plane pod isolation"],
    });
    await expect(eventually(result.selinuxContexts)).resolves.toContainEqual({
      subject: "crio",
      context: "system_u:system_r:container_runtime_t:s0",
    });
  });
});

describe("M13 the Pod Security level of the namespace", () => {
  it("is an output with HyperShift's default, and the component does not write the namespace's labels", async () => {
    const { result, objects } = await run(create());
    await expect(eventually(result.podSecurityLabels)).resolves.toMatchObject({
      "pod-security.kubernetes.io/enforce": "restricted",
    });
    await expect(eventually(result.hostedClusterAnnotations)).resolves.toEqual({});
    expect(objects.filter(({ type }) => !type.endsWith(":NetworkPolicy"))).toEqual([]);
  });

  it("is an annotation in hostedClusterAnnotations for a HostedCluster that you create", async () => {
    const { result, objects, warnings } = await run(create({ podSecurityLevel: PodSecurityLevel.Baseline }));
    await expect(eventually(result.hostedClusterAnnotations)).resolves.toEqual({
      "hypershift.openshift.io/pod-security-admission-label-override": "baseline",
    });
    await expect(eventually(result.podSecurityLabels)).resolves.toMatchObject({
      "pod-security.kubernetes.io/warn": "baseline",
    });
    expect(objects.filter(({ type }) => !type.endsWith(":NetworkPolicy"))).toEqual([]);
    expect(warnings).toEqual([expect.stringMatching(/^podSecurityLevel baseline admits pods/)]);
  });

  it("is patched into an existing HostedCluster, and the patch is retained on destroy", async () => {
    const retained: unknown[] = [];
    const transform: pulumi.ResourceTransformation = ({ type, opts }) => {
      if (type.endsWith("HostedClusterPatch")) retained.push(opts.retainOnDelete);
      return undefined;
    };
    const args = { podSecurityLevel: PodSecurityLevel.Restricted, existingHostedCluster };
    const { objects } = await run(create(args, { transformations: [transform] }));
    expect(objects.find(({ type }) => type.endsWith("HostedClusterPatch"))?.inputs).toEqual({
      apiVersion: "hypershift.openshift.io/v1beta1",
      kind: "HostedCluster",
      metadata: {
        name: "tenant-a",
        namespace: "clusters",
        annotations: {
          "hypershift.openshift.io/pod-security-admission-label-override": "restricted",
          "pulumi.com/patchFieldManager": "hypershift-network-pod-security",
        },
      },
    });
    expect(retained).toEqual([true]);
  });
});
