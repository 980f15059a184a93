import { describeFaults } from "../../src/fault";
import { cutFlows } from "../../src/isolation/warnings";
import { egressFlows, ManagementCluster } from "../../src/isolation/egress";
import { isolationPolicies, judgeIsolation } from "../../src/isolation/judge";
import { policyResource } from "../../src/isolation/networkPolicy";
import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";
import { normal, published } from "../topology/topologies";
import { extra, faultsOf, type Inputs, purpose, stated, warningsOf } from "./judged";

describe("M12 an egress deny", () => {
  it("is created only if denyEgress is true", () => {
    const names = (denyEgress?: boolean) =>
      isolationPolicies(normal(stated), { denyEgress }).map(({ name }) => name);
    expect(names().filter((name) => name.includes("egress"))).toEqual([]);
    expect(names(false)).toEqual(names());
    expect(names(true)).toEqual([
      ...names(),
      "isolation-deny-egress",
      "isolation-egress-same-namespace",
      "isolation-egress-dns",
      "isolation-egress-https",
      "isolation-egress-management-api",
      "isolation-egress-published-api",
      "isolation-egress-metrics",
    ]);
  });

  it("is refused if it would block a required flow, and the fault names the flow", () => {
    const { managementClusterCidrs: _, ...silent } = stated;
    const { faults } = judgeIsolation({ topology: silent, denyEgress: true });
    expect(describeFaults("ControlPlaneIsolation tenant-a", faults)).toBe(
      [
        "ControlPlaneIsolation tenant-a: 1 fault",
        "  denyEgress  would block this flow: Control-plane components call the API of the management cluster (cp-out-6443): write topology.managementClusterCidrs",
      ].join("\n"),
    );
  });

  it.each(Object.entries(published))(
    "blocks no required flow on any platform published by %s",
    (_, services) => {
      for (const platform of [
        "AWS",
        "Azure",
        "GCP",
        "IBMCloud",
        "PowerVS",
        "KubeVirt",
        "OpenStack",
        "Agent",
        "None",
      ]) {
        const judged = judgeIsolation({
          topology: { ...stated, platform, services },
          denyEgress: true,
        });
        expect(judged.faults.filter(({ path }) => path === "denyEgress")).toEqual([]);
      }
    },
  );

  it("blocks a required flow as soon as its policy is left out: no policy is redundant", () => {
    const cluster = normal(stated);
    const policies = isolationPolicies(cluster, { denyEgress: true });
    const flows = egressFlows(cluster, ManagementCluster.OpenShift);
    const cutWithout = flows.map(({ key }) => {
      const rest = policies.filter(({ name }) => name !== `isolation-egress-${key}`);
      const { controlPlaneNamespace: namespace } = cluster;
      const resources = rest.map((policy) => policyResource(policy, namespace));
      return cutFlows(resources, flows, namespace)!.map(({ flow }) => flow.key);
    });
    expect(cutWithout).toEqual(flows.map(({ key, optional }) => (optional ? [] : [key])));
  });

  it("allows DNS at port 53 to any address if the management cluster is not OpenShift", () => {
    const options = { denyEgress: true, managementCluster: ManagementCluster.Kubernetes };
    expect(faultsOf(options)).toEqual([]);
    const dns = isolationPolicies(normal(stated), options).find(
      ({ name }) => name === "isolation-egress-dns",
    )!;
    expect(dns.egress).toEqual([
      {
        ports: [
          { protocol: "TCP", port: 53 },
          { protocol: "UDP", port: 53 },
        ],
      },
    ]);
  });

  it("warns of ports that stay open to every address without a property, and of flows that no document names", () => {
    const { registryCidrs: _r, controlPlaneEndpointCidrs: _e, ...open } = stated;
    const unnamed =
      "denyEgress  true blocks what no document names: a proxy of the management cluster, LDAP, a key service on a port other than 443: add policies for those that the control plane uses";
    expect(warningsOf({ topology: open, denyEgress: true })).toEqual([
      "topology.registryCidrs  missing: egress stays open to every address at port 443: write the CIDR blocks, or accept it",
      "topology.controlPlaneEndpointCidrs  missing: egress stays open to every address at port 6443: write the CIDR blocks, or accept it",
      unnamed,
    ]);
    expect(warningsOf({ denyEgress: true })).toEqual([unnamed]);
    expect(warningsOf({ topology: open })).toEqual([]);
    expect(warningsOf({ topology: { ...stated, platform: "OpenStack" }, denyEgress: true })).toEqual([
      "denyEgress  true blocks the ports of OpenStack's APIs other than 443: add a policy for the ports that your cloud uses",
      unnamed,
    ]);
  });

  it("omits the warning about undocumented flows if a policy of the user allows egress", () => {
    const policy = (rules: Readonly<Record<string, PropertyValue>>) => ({
      ...extra({ purpose, ...rules }),
      denyEgress: true,
    });
    const out = [{ peers: [{ cidr: "10.9.0.5/32" }], ports: [{ protocol: "TCP", port: 636 }] }];
    expect(warningsOf(policy({ egress: out }))).toEqual([]);
    expect(warningsOf(policy({ ingress: out }))).toHaveLength(1);
    expect(warningsOf(policy({ egress: [] }))).toHaveLength(1);
    const both = { additionalPolicies: { in: { purpose, ingress: out }, out: { purpose, egress: out } } };
    expect(warningsOf({ ...both, denyEgress: true })).toEqual([]);
  });
});

describe("M14 the flows into the namespace", () => {
  const policy = (key: string, raw: object, options = {}) =>
    isolationPolicies(normal({ ...stated, ...raw }), options).find(({ name }) => name === `isolation-${key}`);

  it("management operators reach every pod, from operatorNamespaces or from hypershift by default", () => {
    const from = (names: string[]) =>
      names.map((name) => ({
        namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": name } },
      }));
    expect(policy("operators", {})).toMatchObject({ pods: {}, ingress: [{ peers: from(["hypershift"]) }] });
    const operatorNamespaces = ["hypershift", "multicluster-engine"];
    expect(policy("operators", {}, { operatorNamespaces })!.ingress).toEqual([
      { peers: from(operatorNamespaces) },
    ]);
  });

  it("konnectivity by LoadBalancer gets the policy that HyperShift lacks", () => {
    const services = published.LoadBalancer;
    expect(policy("konnectivity", { platform: "None", services })).toMatchObject({
      ingress: [{ ports: [{ port: 8091, protocol: "TCP" }] }],
      requirements: ["cp-in-konn-lb"],
    });
  });

  it("the router of a KubeVirt cluster whose API server has a Route gets the policy that HyperShift lacks", () => {
    expect(policy("private-router", { platform: "KubeVirt", services: published.Route })).toBeDefined();
    expect(policy("private-router", { platform: "KubeVirt" })).toBeUndefined();
  });

  it("the policy of the API server opens apiServerPort in addition to the port of its pods", () => {
    const ports = (raw: object, apiServerPort?: number) =>
      policy("kube-apiserver", { ...raw, apiServerPort })!.ingress![0]!.ports!.map(({ port }) => port);
    expect(ports({})).toEqual([6443]);
    expect(ports({}, 6443)).toEqual([6443]);
    expect(ports({}, 7443)).toEqual([6443, 7443]);
    expect(ports({ platform: "IBMCloud" }, 6443)).toEqual([2040, 6443]);
  });

  it("ignition is closed if bootstrap is false, with a warning that HyperShift's own policies keep it open", () => {
    const joined = { platform: "Agent", bootstrap: false };
    expect(policy("ignition-proxy", joined)).toBeUndefined();
    expect(policy("ignition-server", joined)).toBeUndefined();
    const warned = [
      "topology.bootstrap  false closes ignition in these policies, but HyperShift's own keep it open to everybody: close it in the firewall in front of the node ports",
    ];
    expect(warningsOf({ topology: { ...stated, ...joined } })).toEqual(warned);
    expect(warningsOf({ topology: { ...stated, platform: "Agent" } })).toEqual([]);
    const undecided: Inputs = { ...stated, ...joined, services: { ignition: { type: UNKNOWN } } };
    expect(warningsOf({ topology: undecided })).toEqual([]);
  });
});

describe("M12 inputs of an isolation", () => {
  it("become the options of the policies, except absent inputs, and none of them if one is wrong", () => {
    const inputs = { operatorNamespaces: ["hypershift"], denyEgress: true, managementCluster: "Kubernetes" };
    expect(judgeIsolation({ topology: stated, ...inputs }).options).toEqual(inputs);
    const none = { operatorNamespaces: null, denyEgress: null, managementCluster: null };
    expect(judgeIsolation({ topology: stated, ...none }).options).toEqual({
      operatorNamespaces: undefined,
      denyEgress: undefined,
      managementCluster: undefined,
    });
    const wrong = judgeIsolation({ topology: stated, ...inputs, labels: "a" });
    expect(wrong.options).toEqual({});
    expect(wrong.warnings).toEqual([]);
    expect(wrong.faults.map(({ path }) => path)).toEqual(["labels"]);
  });

  it("are judged only with a valid topology, whose warnings are reported too", () => {
    const {
      topology: read,
      faults,
      warnings,
    } = judgeIsolation({
      topology: { ...stated, platform: "Mainframe" },
      denyEgress: true,
      podSecurityLevel: "baseline",
    });
    expect([read, faults.map(({ path }) => path), warnings]).toEqual([undefined, ["topology.platform"], []]);
    expect(warningsOf({ topology: { ...stated, clusterNetwork: [{ cidr: "8.0.0.0/14" }] } })).toEqual([
      expect.stringMatching(/^topology\.clusterNetwork\[0\]\.cidr {2}8\.0\.0\.0\/14 has public addresses/),
    ]);
  });

  it("cause a warning if podSecurityLevel admits pods that the documents exclude", () => {
    expect(warningsOf({ podSecurityLevel: "baseline" })).toEqual([
      "podSecurityLevel  baseline admits pods that the documents exclude from a control plane's namespace: leave restricted, unless a component of the control plane is not admitted there",
    ]);
    expect(warningsOf({ podSecurityLevel: "restricted" })).toEqual([]);
    expect(warningsOf({ podSecurityLevel: null })).toEqual([]);
  });
});

describe("M12 wrong inputs of an isolation", () => {
  it.each<[string, Inputs, string]>([
    ["no topology", { topology: null }, "topology  missing: describe the hosted cluster"],
    [
      "another namespace",
      { namespace: "clusters" },
      'namespace  "clusters" is not the namespace of this control plane: write clusters-tenant-a, or correct the topology',
    ],
    [
      "an invalid namespace name",
      { namespace: "Clusters" },
      'namespace  "Clusters" is not a Kubernetes name: write at most 63 lowercase letters, digits and hyphens',
    ],
    [
      "a port out of range",
      { topology: { ...stated, apiServerPort: 65536 } },
      "topology.apiServerPort  65536 is not a port: write a whole number from 1 to 65535",
    ],
    [
      "an empty list of operator namespaces",
      { operatorNamespaces: [] },
      "operatorNamespaces  is empty: write the namespaces of the operators, such as hypershift",
    ],
    [
      "an invalid name of an operator namespace",
      { operatorNamespaces: ["a_b"] },
      'operatorNamespaces[0]  "a_b" is not a Kubernetes name: write at most 63 lowercase letters, digits and hyphens',
    ],
    [
      "an operator namespace as Output",
      { operatorNamespaces: [UNKNOWN] },
      "operatorNamespaces[0]  is an Output: give a plain value: it decides what is allowed",
    ],
    [
      "an unknown kind of management cluster",
      { managementCluster: "EKS" },
      'managementCluster  "EKS" is not OpenShift or Kubernetes: write OpenShift or Kubernetes',
    ],
    [
      "a switch that is not a boolean",
      { denyEgress: "yes" },
      'denyEgress  "yes" is neither true nor false: write true or false, without quotes',
    ],
    [
      "policies as Output",
      { additionalPolicies: UNKNOWN },
      "additionalPolicies  is an Output: write policies by their names: { name: { purpose: ..., ingress: [...] } }",
    ],
    [
      "an invalid label key",
      { labels: { "a b": "c" } },
      'labels.a b  "a b" is not a label key: write name or prefix.example.com/name',
    ],
    [
      "an unknown Pod Security level",
      { podSecurityLevel: "Restricted" },
      'podSecurityLevel  "Restricted" is not restricted, baseline or privileged: write restricted',
    ],
    [
      "a Pod Security level as Output",
      { podSecurityLevel: UNKNOWN },
      "podSecurityLevel  is an Output: give a plain value: it decides what is patched",
    ],
    [
      "a HostedCluster without anything to patch",
      { existingHostedCluster: { name: "tenant-a", namespace: "clusters" } },
      "existingHostedCluster  is given, but there is nothing to patch: write podSecurityLevel, or leave it out",
    ],
  ])("%s", (_, inputs, fault) => {
    expect(faultsOf(inputs)).toEqual([fault]);
  });

  it("are all reported at once, and valid inputs cause no fault", () => {
    expect(faultsOf({ operatorNamespaces: [], denyEgress: 1, podSecurityLevel: "none" })).toHaveLength(3);
    const existingHostedCluster = { name: "tenant-a", namespace: "clusters" };
    expect(faultsOf({ existingHostedCluster, podSecurityLevel: "restricted" })).toEqual([]);
    expect(faultsOf({ namespace: "clusters-tenant-a" })).toEqual([]);
    expect(faultsOf({ namespace: UNKNOWN })).toEqual([]);
  });
});
