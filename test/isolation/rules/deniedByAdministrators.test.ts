import { flowRules } from "../../../src/rules/conclusion";
import { coverageGaps } from "../../../src/gate/coverage";
import { JudgedResources } from "../../../src/gate/judgedResources";
import { flowsOfPlan, wholeTopology } from "../../../src/gate/refutedFlows";
import { Proof } from "../../../src/reachability/proof/prove";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { hostedCluster, resource, unknowns, violations } from "../../rules/builders";

const rule = flowRules.find(({ id }) => id === "isolation-flow-blocked")!;
const SUBJECT = { namespaces: { matchLabels: { "kubernetes.io/metadata.name": "clusters-tenant-a" } } };
const EVERYWHERE = [{ networks: ["0.0.0.0/0", "::/0"] }];
const NOT_ETCD = { matchExpressions: [{ key: "app", operator: "NotIn", values: ["etcd"] }] };
const PODS = [{ namespaces: {} }];
const API = [{ tcp: { destinationPort: { number: 6443 } } }];
const exists = (key: string) => ({ matchExpressions: [{ key, operator: "Exists" }] });
const nameNotIn = (...values: string[]) => ({
  matchExpressions: [{ key: "kubernetes.io/metadata.name", operator: "NotIn", values }],
});
const admin = (name: string, spec: Record<string, PropertyValue>): Resource =>
  resource("kubernetes:policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy", name, {
    metadata: { name },
    spec: { priority: 5, subject: SUBJECT, ...spec },
  });
const ofCluster = (name: string, spec: Record<string, PropertyValue>): Resource =>
  resource("kubernetes:policy.networking.k8s.io/v1alpha2:ClusterNetworkPolicy", name, {
    metadata: { name },
    spec: { tier: "Admin", priority: 5, subject: SUBJECT, ...spec },
  });
const denyOut = { egress: [{ action: "Deny", to: EVERYWHERE }] };
const denyIn = { ingress: [{ action: "Deny", from: PODS, protocols: API }] };
const plan = (...policies: Resource[]) => [hostedCluster({ platform: { type: "None" } }), ...policies];
const found = (...policies: Resource[]) =>
  violations(rule, plan(...policies)).map(
    ({ resource: { urn }, path }) => `${urn?.split("::").at(-1)} ${path}`,
  );

/** Keys of the flows that `prove` refutes. */
const refuted = (...policies: Resource[]): string[] => {
  const judged = new JudgedResources(plan(...policies));
  return flowsOfPlan(judged, wholeTopology(judged.clusters[0]!)!)
    .filter(({ proof }) => proof === Proof.Refuted)
    .map(({ journey }) => journey.key);
};

describe("isolation-flow-blocked", () => {
  test("names the rule of an administrator's policy that denies documented flows, and all these flows", () => {
    const [one, ...others] = violations(rule, plan(ofCluster("deny", denyIn)));
    expect(others).toEqual([]);
    expect(one).toMatchObject({
      path: "spec.ingress[0]",
      cluster: "clusters/tenant-a",
      message: "denies packets of a documented flow: Workers reach OAuthServer by Route",
      flow: refuted(ofCluster("deny", denyIn)),
    });
    expect(one!.flow!.length).toBeGreaterThan(0);
    expect(one!.witness).toBe(
      "TCP 6443 from pods of namespaces with network.openshift.io/policy-group=ingress",
    );
  });

  test.each<[string, Resource[], string[]]>([
    ["egress", [admin("deny", denyOut)], ["deny spec.egress[0]"]],
    [
      "a rule after others",
      [
        admin("deny", {
          egress: [{ action: "Allow", to: [{ networks: ["192.0.2.0/24"] }] }, ...denyOut.egress],
        }),
      ],
      ["deny spec.egress[1]"],
    ],
    [
      "both of two rules that deny the flow",
      [
        admin("deny", {
          egress: [
            { action: "Deny", to: [{ pods: { namespaceSelector: {}, podSelector: NOT_ETCD } }] },
            ...denyOut.egress,
          ],
        }),
      ],
      ["deny spec.egress[0]", "deny spec.egress[1]"],
    ],
    [
      "a rule for all namespaces except some that do not send the flow",
      [
        admin("deny", {
          ingress: [{ action: "Deny", from: [{ namespaces: nameNotIn("clusters-tenant-a", "hypershift") }] }],
        }),
      ],
      ["deny spec.ingress[0]"],
    ],
    [
      "a policy for all namespaces that HyperShift labels as a control plane",
      [
        admin("deny", {
          subject: { namespaces: exists("hypershift.openshift.io/hosted-control-plane") },
          ingress: [{ action: "Deny", from: [{ namespaces: exists("kubernetes.io/metadata.name") }] }],
        }),
      ],
      ["deny spec.ingress[0]"],
    ],
    [
      "a rule after an allow rule that does not cover all possible addresses of DNS pods",
      [
        admin("deny", {
          egress: [{ action: "Allow", to: [{ networks: ["10.128.3.0/24"] }] }, ...denyOut.egress],
        }),
      ],
      ["deny spec.egress[1]"],
    ],
    [
      "a rule in spite of a network policy that allows everything",
      [
        admin("deny", denyOut),
        resource("kubernetes:networking.k8s.io/v1:NetworkPolicy", "open", {
          metadata: { name: "open", namespace: "clusters-tenant-a" },
          spec: { podSelector: {}, policyTypes: ["Egress"], egress: [{}] },
        }),
      ],
      ["deny spec.egress[0]"],
    ],
  ])("finds %s", (_, policies, expected) => {
    expect(found(...policies)).toEqual(expected);
    const named = violations(rule, plan(...policies)).flatMap(({ flow = [] }) => flow);
    expect(new Set(named)).toEqual(new Set(refuted(...policies)));
  });

  test.each<[string, Resource[]]>([
    [
      "a denial after a rule that allows",
      [
        admin("deny", denyOut),
        admin("allow", { egress: [{ action: "Allow", to: EVERYWHERE }], priority: 4 }),
      ],
    ],
    [
      "a policy for another namespace",
      [admin("deny", { ...denyOut, subject: { namespaces: { matchLabels: { a: "b" } } } })],
    ],
    ["a rule with the action Pass", [admin("pass", { egress: [{ action: "Pass", to: EVERYWHERE }] })]],
    [
      "a denial of nodes, whose addresses DNS pods do not have",
      [admin("deny", { egress: [{ action: "Deny", to: [{ nodes: {} }] }] })],
    ],
    [
      "a denial of domain names outside the cluster",
      [admin("deny", { egress: [{ action: "Deny", to: [{ domainNames: ["*.example.com"] }] }] })],
    ],
    [
      "a denial of addresses that DNS pods may or may not have",
      [admin("deny", { egress: [{ action: "Deny", to: [{ networks: ["10.0.0.0/8"] }] }] })],
    ],
    [
      "a policy for namespaces without a control plane",
      [
        admin("deny", {
          ingress: [
            {
              action: "Deny",
              from: [{ namespaces: { matchLabels: { "kubernetes.io/metadata.name": "hypershift" } } }],
              ports: [{ portNumber: { protocol: "TCP", port: 6443 } }],
            },
          ],
          subject: {
            namespaces: {
              matchExpressions: [
                { key: "hypershift.openshift.io/hosted-control-plane", operator: "DoesNotExist" },
              ],
            },
          },
        }),
      ],
    ],
    ["an unknown action", [admin("deny", { egress: [{ action: UNKNOWN, to: EVERYWHERE }] })]],
    [
      "a baseline, which HyperShift's own policies precede",
      [ofCluster("deny", { ...denyIn, tier: "Baseline" })],
    ],
  ])("finds nothing for %s", (_, policies) => {
    expect(found(...policies)).toEqual([]);
    expect(refuted(...policies)).toEqual([]);
  });

  const provider = (stack: string, name: string) =>
    `urn:pulumi:${stack}::net::pulumi:providers:kubernetes::${name}`;
  const [management, hosted] = ["management", "hosted"].map((name) => provider("prod", name));
  const by = (provider: string | undefined, one: Resource): Resource => ({
    ...one,
    ...(provider !== undefined && { provider }),
  });

  test.each<[string, string | undefined, string | undefined, boolean]>([
    ["the HostedCluster's own provider creates", management, management, true],
    ["another provider creates, such as that of the hosted cluster", management, hosted, false],
    ["a provider of another stack creates", management, provider("policies", "default"), true],
    ["a provider creates if the provider of the HostedCluster is not known", undefined, hosted, true],
    ["has no known provider", management, undefined, true],
  ])("judges or ignores a policy that %s: %s, %s, %s", (_, ofCluster, ofPolicy, isJudged) => {
    const [cluster] = plan();
    const both = [by(ofCluster, cluster!), by(ofPolicy, admin("deny", denyOut))];
    expect(violations(rule, both)).toHaveLength(isJudged ? 1 : 0);
    const judged = new JudgedResources(both);
    const proofs = flowsOfPlan(judged, wholeTopology(judged.clusters[0]!)!).map(({ proof }) => proof);
    expect(proofs.includes(Proof.Refuted)).toBe(isJudged);
    expect(coverageGaps(judged).filter((note) => note.includes("AdminNetworkPolicy deny"))).toEqual(
      isJudged
        ? []
        : [
            "policies that apply to no hosted control plane, because they belong to another provider or server than the HostedClusters: AdminNetworkPolicy deny",
          ],
    );
  });

  test("tells no policy apart from HostedClusters whose providers are those of several stacks", () => {
    const other = by(provider("policies", "default"), hostedCluster({}, "tenant-b"));
    const judged = new JudgedResources([
      by(management, plan()[0]!),
      other,
      by(hosted, admin("deny", denyOut)),
    ]);
    expect(coverageGaps(judged).filter((note) => note.includes("AdminNetworkPolicy deny"))).toEqual([]);
  });

  const from = (matchLabels: Record<string, string>) => [{ namespaces: { matchLabels } }];
  const MONITORING = from({ "network.openshift.io/policy-group": "monitoring" });
  const OWN = from({ "kubernetes.io/metadata.name": "clusters-tenant-a" });
  const SHOP = from({ "kubernetes.io/metadata.name": "shop", "network.openshift.io/policy-group": "" });
  const some = (podSelector: typeof NOT_ETCD) => ({
    pods: { namespaceSelector: SUBJECT.namespaces, podSelector },
  });
  const ports = [{ portNumber: { protocol: "TCP", port: 2379 } }];

  test.each<[string, Resource, string[]]>([
    ["monitoring", admin("deny", { ingress: [{ action: "Deny", from: MONITORING }] }), ["error"]],
    ["the namespace itself", admin("deny", { ingress: [{ action: "Deny", from: OWN }] }), ["error"]],
    [
      "one port in the namespace",
      admin("deny", { ingress: [{ action: "Deny", from: OWN, ports }] }),
      ["warning"],
    ],
    ["all but some pods", admin("deny", { ...denyOut, subject: some(NOT_ETCD) }), ["error"]],
    ["an undocumented flow", admin("deny", { ingress: [{ action: "Deny", from: SHOP }] }), []],
    [
      "monitoring, with the action Pass",
      admin("pass", { ingress: [{ action: "Pass", from: MONITORING }] }),
      [],
    ],
    [
      "monitoring, in the baseline after the network policies",
      ofCluster("deny", { tier: "Baseline", ingress: [{ action: "Deny", from: MONITORING }] }),
      [],
    ],
  ])("judges flows of individual pods: %s", (_, policy, levels) => {
    const all = violations(rule, plan(policy));
    expect(all.map(({ level = "error" }) => level)).toEqual(levels);
    for (const one of all) expect(one.message).toContain("denies packets of a documented flow: ");
  });

  const denyFrom = (...namespaces: PropertyValue[]) =>
    admin("deny", { ingress: [{ action: "Deny", from: namespaces.map((one) => ({ namespaces: one })) }] });
  const labelled = (key: string, value: string) => ({ matchLabels: { [key]: value } });

  test.each(["openshift-ingress", "openshift-monitoring"])(
    "finds a denial by name of %s, which OpenShift labels with a policy group",
    (name) => {
      const policy = denyFrom(labelled("kubernetes.io/metadata.name", name));
      expect(found(policy)).toEqual(["deny spec.ingress[0]"]);
      expect(unknowns(rule, plan(policy))).toEqual([]);
    },
  );

  test.each<[string, Resource]>([
    ["another label", denyFrom(labelled("name", "openshift-ingress"))],
    [
      "the absence of a label value",
      denyFrom({ matchExpressions: [{ key: "team", operator: "NotIn", values: ["a"] }] }),
    ],
  ])("reports as unknown a denial of namespaces that are selected by %s", (_, policy) => {
    expect(found(policy)).toEqual([]);
    expect(unknowns(rule, plan(policy)).map(({ path, message }) => `${path}: ${message}`)).toEqual([
      expect.stringMatching(
        /^spec\.ingress\[0\]\.from\[0\]: .*whether it matches packets of a documented flow$/,
      ),
    ]);
  });

  test("uses the labels of the Namespace of the routers", () => {
    const namespace = resource("kubernetes:core/v1:Namespace", "openshift-ingress", {
      metadata: { name: "openshift-ingress", labels: { name: "openshift-ingress" } },
    });
    expect(found(namespace, denyFrom(labelled("name", "openshift-ingress")))).toEqual([
      "deny spec.ingress[0]",
    ]);
  });

  test("reports nothing as unknown for a rule that certainly denies, or for other namespaces", () => {
    const both = denyFrom(
      labelled("kubernetes.io/metadata.name", "openshift-ingress"),
      labelled("name", "openshift-ingress"),
    );
    for (const policy of [both, denyFrom(labelled("kubernetes.io/metadata.name", "shop"))])
      expect(unknowns(rule, plan(policy))).toEqual([]);
  });

  test("finds nothing if an administrator's policy allows what a network policy would drop", () => {
    const deny = resource("kubernetes:networking.k8s.io/v1:NetworkPolicy", "deny", {
      metadata: { name: "deny", namespace: "clusters-tenant-a" },
      spec: { podSelector: {}, policyTypes: ["Egress"] },
    });
    const allow = (to: PropertyValue) => admin("allow", { egress: [{ action: "Allow", to }] });
    expect(found(deny).length).toBeGreaterThan(0);
    expect(found(deny, allow([...EVERYWHERE, ...PODS]))).toEqual([]);
    expect(found(deny, allow(SHOP))).toEqual(found(deny));
  });

  test("recommends a network policy only if network policies precede the rule", () => {
    const baseline = ofCluster("deny", { ...denyOut, tier: "Baseline" });
    const advised = (policy: Resource) => violations(rule, plan(policy)).map(({ fix }) => fix);
    expect(advised(baseline)).toEqual([expect.stringContaining("allow these packets by a NetworkPolicy")]);
    expect(advised(ofCluster("deny", denyOut))).toEqual([
      expect.stringContaining("a NetworkPolicy cannot override this one"),
    ]);
  });
});
