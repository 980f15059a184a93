import { describeFaults } from "../../src/fault";
import { cutFlows } from "../../src/isolation/warnings";
import { egressFlows, ManagementCluster } from "../../src/isolation/egress";
import { isolationPolicies, judgeIsolation } from "../../src/isolation/judge";
import { policyResource } from "../../src/isolation/networkPolicy";
import { hyperShiftPolicies } from "../../src/requirements/networkPolicies";
import { UNKNOWN, type PropertyValue } from "../../src/resources/resource";
import { machines, normal, published } from "../topology/topologies";

type Inputs = Record<string, PropertyValue>;

const topology = { name: "tenant-a", platform: "AWS", release: "4.20", ...machines };
const stated = {
  ...topology,
  managementClusterCidrs: ["10.1.0.0/16"],
  registryCidrs: ["198.51.100.0/24"],
  controlPlaneEndpointCidrs: ["192.0.2.0/24"],
};
const faultsOf = (inputs: Inputs) =>
  judgeIsolation({ topology: stated, ...inputs }).faults.map(
    ({ path, problem, remedy }) => `${path}  ${problem}: ${remedy}`,
  );
const warningsOf = (inputs: Inputs) =>
  judgeIsolation({ topology: stated, ...inputs }).warnings.map(({ path, problem }) => `${path}  ${problem}`);
const extra = (policy: PropertyValue, name = "extra"): Inputs => ({ additionalPolicies: { [name]: policy } });
const purpose = "Backups read etcd";

describe("M12 an egress deny", () => {
  it("is made only when it is asked for", () => {
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

  it("is refused where a required flow would be cut, with the name of the flow", () => {
    const { managementClusterCidrs: _, ...silent } = stated;
    const { faults } = judgeIsolation({ topology: silent, denyEgress: true });
    expect(describeFaults("ControlPlaneIsolation tenant-a", faults)).toBe(
      [
        "ControlPlaneIsolation tenant-a: 1 fault",
        "  denyEgress  would cut this flow: Control-plane components call the API of the management cluster (cp-out-6443): write topology.managementClusterCidrs",
      ].join("\n"),
    );
  });

  it.each(Object.entries(published))("cuts nothing on any platform by %s", (_, services) => {
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
  });

  it("would cut each flow whose policy is left out: none of them is there for nothing", () => {
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

  it("finds DNS at port 53 anywhere where the management cluster is no OpenShift", () => {
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

  it("says what stays open to everybody for want of a property, and what no document names", () => {
    const { registryCidrs: _r, controlPlaneEndpointCidrs: _e, ...open } = stated;
    const { warnings } = judgeIsolation({ topology: open, denyEgress: true });
    expect(warnings.map(({ path, problem }) => `${path}  ${problem}`)).toEqual([
      "topology.registryCidrs  missing: egress stays open to every address at port 443",
      "topology.controlPlaneEndpointCidrs  missing: egress stays open to every address at port 6443",
      expect.stringMatching(/^denyEgress {2}true closes what no document names/),
    ]);
    expect(warningsOf({ denyEgress: true })).toHaveLength(1);
    const openStack = { topology: { ...stated, platform: "OpenStack" }, denyEgress: true };
    expect(warningsOf(openStack)[0]).toMatch(/ports of OpenStack's APIs/);
  });

  it("says no more of it where a policy of the user lets something out", () => {
    const policy = (rules: Readonly<Record<string, PropertyValue>>) => ({
      ...extra({ purpose, ...rules }),
      denyEgress: true,
    });
    const out = [{ peers: [{ cidr: "10.9.0.5/32" }], ports: [{ protocol: "TCP", port: 636 }] }];
    expect(warningsOf(policy({ egress: out }))).toEqual([]);
    expect(warningsOf(policy({ ingress: out }))).toHaveLength(1);
  });
});

describe("M12 policies of the user's own", () => {
  it("may isolate the egress of some pods only where no required flow is cut", () => {
    const etcd = { purpose, pods: { matchLabels: { app: "etcd" } }, egress: [{ peers: [{ pods: {} }] }] };
    expect(faultsOf(extra(etcd))).toEqual([
      expect.stringMatching(
        /^additionalPolicies\.extra\.egress {2}would cut this flow of pods with app=etcd: .*\(up-openshift-dns-tcp, up-openshift-dns-udp port 5353\): set denyEgress/,
      ),
      expect.stringMatching(/cp-out-443 port 443\): set denyEgress/),
      expect.stringMatching(/cp-out-6443 port 6443 to 10\.1\.0\.1/),
      expect.stringMatching(/published API server/),
    ]);
    expect(faultsOf({ ...extra(etcd), denyEgress: true })).toEqual([]);
  });

  it("are proved for every pod that their selectors tell apart", () => {
    const others = { key: "app", operator: "NotIn", values: ["etcd"] };
    const rest = { purpose, pods: { matchExpressions: [others] }, egress: [{}] };
    const all = { purpose, egress: [] };
    expect(faultsOf({ additionalPolicies: { all, rest } })[0]).toMatch(
      /^additionalPolicies\.all\.egress {2}would cut this flow of pods with app=etcd/,
    );
  });

  it("are not judged before they are known", () => {
    const egress: PropertyValue = [{ peers: [{ cidr: UNKNOWN }] }];
    expect(faultsOf(extra({ purpose, egress }))).toEqual([]);
    expect(faultsOf(extra({ purpose, egress: UNKNOWN }))).toEqual([]);
    expect(faultsOf(extra({ purpose, pods: UNKNOWN, ingress: [UNKNOWN] }))).toEqual([]);
  });

  it.each(hyperShiftPolicies.map(({ name }) => name))("may not have the name of HyperShift's %s", (name) => {
    expect(faultsOf(extra({ purpose, ingress: [] }, name))).toEqual([
      expect.stringContaining(`${name} is a policy of HyperShift, which writes it again after every change`),
    ]);
  });

  it("may not have names of ours", () => {
    const [fault] = faultsOf(extra({ purpose, ingress: [] }, "isolation-kube-apiserver"));
    expect(fault).toContain("isolation-kube-apiserver is a policy of this component");
  });

  it.each<[string, PropertyValue, string[]]>([
    [
      "nothing",
      {},
      [
        "additionalPolicies.extra.purpose  missing: say who may talk to whom, and why",
        "additionalPolicies.extra  says nothing of traffic: write ingress, egress or both",
      ],
    ],
    [
      "a text",
      "open",
      ['additionalPolicies.extra  "open" is not an object: write purpose and ingress, egress or both'],
    ],
    [
      "a misspelt property",
      { purpose, ingres: [], ingress: [] },
      ["additionalPolicies.extra.ingres  no such property: did you mean ingress?"],
    ],
    [
      "an empty list of peers",
      { purpose, ingress: [{ peers: [] }] },
      [
        "additionalPolicies.extra.ingress[0].peers  is empty: write peers, or leave the list out to mean all peers",
      ],
    ],
    [
      "an empty list of ports",
      { purpose, ingress: [{ ports: [] }] },
      [
        "additionalPolicies.extra.ingress[0].ports  is empty: write ports, or leave the list out to mean all ports",
      ],
    ],
    [
      "pods and addresses at once",
      { purpose, ingress: [{ peers: [{ pods: {}, cidr: "10.0.0.0/8" }] }] },
      [
        "additionalPolicies.extra.ingress[0].peers[0]  is pods and addresses at once: write cidr, or pods and namespaces",
      ],
    ],
    [
      "a peer that selects nothing",
      { purpose, ingress: [{ peers: [{}] }] },
      ["additionalPolicies.extra.ingress[0].peers[0]  selects no peer: write cidr, or pods and namespaces"],
    ],
    [
      "a block with host bits",
      { purpose, ingress: [{ peers: [{ cidr: "10.0.0.1/8" }] }] },
      ["additionalPolicies.extra.ingress[0].peers[0].cidr  10.0.0.1/8 has host bits: write 10.0.0.0/8"],
    ],
    [
      "an exception outside",
      {
        purpose,
        ingress: [{ peers: [{ cidr: "10.0.0.0/8", except: ["11.0.0.0/16", "10.0.0.0/8", "fd00::/64"] }] }],
      },
      [
        "additionalPolicies.extra.ingress[0].peers[0].except[0]  11.0.0.0/16 is not part of 10.0.0.0/8: write a smaller block inside 10.0.0.0/8, or leave it out",
        "additionalPolicies.extra.ingress[0].peers[0].except[1]  10.0.0.0/8 is not part of 10.0.0.0/8: write a smaller block inside 10.0.0.0/8, or leave it out",
        "additionalPolicies.extra.ingress[0].peers[0].except[2]  fd00::/64 is not part of 10.0.0.0/8: write a smaller block inside 10.0.0.0/8, or leave it out",
      ],
    ],
    [
      "an exception to nothing",
      { purpose, ingress: [{ peers: [{ pods: {}, except: ["10.0.0.0/16"] }] }] },
      ["additionalPolicies.extra.ingress[0].peers[0].except  stands without cidr: write cidr beside it"],
    ],
    [
      "wrong ports",
      {
        purpose,
        ingress: [
          {
            ports: [
              { protocol: "ICMP", port: 0 },
              { protocol: "TCP", endPort: 70000 },
              { protocol: "TCP", port: 9, endPort: 8 },
              { port: 1 },
            ],
          },
        ],
      },
      [
        'additionalPolicies.extra.ingress[0].ports[0].protocol  "ICMP" is not TCP, UDP or SCTP: write TCP, UDP or SCTP',
        "additionalPolicies.extra.ingress[0].ports[0].port  0 is not a port: write a whole number from 1 to 65535",
        "additionalPolicies.extra.ingress[0].ports[1].endPort  70000 is not a port: write a whole number from 1 to 65535",
        "additionalPolicies.extra.ingress[0].ports[1].endPort  stands without port: write port beside it",
        "additionalPolicies.extra.ingress[0].ports[2].endPort  8 is before port 9: swap the two",
        "additionalPolicies.extra.ingress[0].ports[3].protocol  missing: write TCP, UDP or SCTP",
      ],
    ],
    [
      "a selector that selects nothing",
      {
        purpose,
        pods: {
          matchLabels: { app: "a" },
          matchExpressions: [{ key: "app", operator: "NotIn", values: ["a"] }],
        },
        ingress: [],
      },
      [
        "additionalPolicies.extra.pods  app=a, app notin (a) contradicts itself and matches nothing: take one of the contradicting demands out",
      ],
    ],
  ])("that are wrong are refused: %s", (_, policy, faults) => {
    expect(faultsOf(extra(policy))).toEqual(faults);
  });

  it.each(["Upper", "under_score", "a".repeat(254), "-a"])("may not be called %s", (name) => {
    expect(faultsOf(extra({ purpose, ingress: [] }, name))[0]).toContain("is not a Kubernetes name");
  });

  it("are refused where they tell pods apart by more labels than can be proved", () => {
    const values = Array.from({ length: 30 }, (_, number) => `v${number}`);
    const policies = ["a", "b", "c"].map((key) => {
      const matchExpressions = [{ key, operator: "In", values }];
      return [key, { purpose, pods: { matchExpressions }, egress: [{}] }] as const;
    });
    expect(faultsOf({ additionalPolicies: Object.fromEntries(policies) })).toEqual([
      expect.stringContaining("select pods by more labels than can be proved not to be cut off"),
    ]);
  });
});

describe("M14 a way from the control plane straight to workers", () => {
  const open = (rule: PropertyValue) => ({ ...extra({ purpose, egress: [rule] }), denyEgress: true });

  it("is excess: 10250 opened for konnectivity is reported", () => {
    const kubelets = { ports: [{ protocol: "TCP", port: 10000, endPort: 10250 }] };
    expect(warningsOf(open(kubelets))[0]).toBe(
      "additionalPolicies.extra.egress[0]  opens the way to kubelets at port 10250, which no flow needs: konnectivity is a tunnel that workers dial",
    );
    const worker = { peers: [{ cidr: "10.0.5.0/24" }] };
    expect(warningsOf(open(worker))[0]).toContain("opens the way to the workers in 10.0.0.0/16");
  });

  it("is not what other ports and networks are", () => {
    const elsewhere = { peers: [{ cidr: "10.9.0.0/24" }], ports: [{ protocol: "TCP", port: 636 }] };
    expect(warningsOf(open(elsewhere))).toEqual([]);
    const otherProtocol = { ports: [{ protocol: "UDP", port: 10250 }] };
    expect(warningsOf(open(otherProtocol))).toEqual([]);
  });
});

describe("M14 the flows into the namespace", () => {
  const policy = (key: string, raw: object, options = {}) =>
    isolationPolicies(normal({ ...stated, ...raw }), options).find(({ name }) => name === `isolation-${key}`);

  it("management operators reach every pod, from the namespaces that are theirs", () => {
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

  it("konnectivity by LoadBalancer has the policy that HyperShift lacks", () => {
    const services = published.LoadBalancer;
    expect(policy("konnectivity", { platform: "None", services })).toMatchObject({
      ingress: [{ ports: [{ port: 8091, protocol: "TCP" }] }],
      requirements: ["cp-in-konn-lb"],
    });
  });

  it("the router of a KubeVirt cluster whose API server has a Route has the policy that HyperShift lacks", () => {
    expect(policy("private-router", { platform: "KubeVirt", services: published.Route })).toBeDefined();
    expect(policy("private-router", { platform: "KubeVirt" })).toBeUndefined();
  });

  it("the port of the HostedCluster's spec is opened beside the pods' own", () => {
    const ports = (raw: object, apiServerPort?: number) =>
      policy("kube-apiserver", { ...raw, apiServerPort })!.ingress![0]!.ports!.map(({ port }) => port);
    expect(ports({})).toEqual([6443]);
    expect(ports({}, 6443)).toEqual([6443]);
    expect(ports({}, 7443)).toEqual([6443, 7443]);
    expect(ports({ platform: "IBMCloud" }, 6443)).toEqual([2040, 6443]);
  });

  it("ignition is closed once the nodes have joined, and HyperShift's own policies are named", () => {
    const joined = { platform: "Agent", bootstrap: false };
    expect(policy("ignition-proxy", joined)).toBeUndefined();
    expect(policy("ignition-server", joined)).toBeUndefined();
    const { warnings } = judgeIsolation({ topology: { ...stated, ...joined } });
    expect(warnings.map(({ problem }) => problem)).toEqual([
      "false closes ignition in these policies, but HyperShift's own keep it open to everybody",
    ]);
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
      "a namespace that is none",
      { namespace: "Clusters" },
      'namespace  "Clusters" is not a Kubernetes name: write at most 63 small letters, digits and hyphens',
    ],
    [
      "a port out of range",
      { topology: { ...stated, apiServerPort: 65536 } },
      "topology.apiServerPort  65536 is not a port: write a whole number from 1 to 65535",
    ],
    [
      "no operators",
      { operatorNamespaces: [] },
      "operatorNamespaces  is empty: write the namespaces of the operators, such as hypershift",
    ],
    [
      "an operator that is not a name",
      { operatorNamespaces: ["a_b"] },
      'operatorNamespaces[0]  "a_b" is not a Kubernetes name: write at most 63 small letters, digits and hyphens',
    ],
    [
      "an operator as Output",
      { operatorNamespaces: [UNKNOWN] },
      "operatorNamespaces[0]  is an Output: give a plain value: it decides what is allowed",
    ],
    [
      "a kind of cluster that is none",
      { managementCluster: "EKS" },
      'managementCluster  "EKS" is not OpenShift or Kubernetes: write OpenShift or Kubernetes',
    ],
    [
      "a switch that is none",
      { denyEgress: "yes" },
      'denyEgress  "yes" is neither true nor false: write true or false, without quotes',
    ],
    [
      "policies as Output",
      { additionalPolicies: UNKNOWN },
      "additionalPolicies  is an Output: write policies by their names: { name: { purpose: ..., ingress: [...] } }",
    ],
    [
      "wrong labels",
      { labels: { "a b": "c" } },
      'labels.a b  "a b" is not a label key: write name or prefix.example.com/name',
    ],
    [
      "a level that is none",
      { podSecurityLevel: "Restricted" },
      'podSecurityLevel  "Restricted" is not restricted, baseline or privileged: write restricted',
    ],
    [
      "a level as Output",
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

  it("are refused all at once", () => {
    expect(faultsOf({ operatorNamespaces: [], denyEgress: 1, podSecurityLevel: "none" })).toHaveLength(3);
  });
});
