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
  test("names the rule of an administrator's policy that denies documented flows, and all of them", () => {
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
      "a rule behind others",
      [
        admin("deny", {
          egress: [{ action: "Allow", to: [{ networks: ["192.0.2.0/24"] }] }, ...denyOut.egress],
        }),
      ],
      ["deny spec.egress[1]"],
    ],
    [
      "the first of two rules of which either denies, whatever labels the pods have",
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
      "one for every namespace but some, of which none sends the flow",
      [
        admin("deny", {
          ingress: [{ action: "Deny", from: [{ namespaces: nameNotIn("clusters-tenant-a", "hypershift") }] }],
        }),
      ],
      ["deny spec.ingress[0]"],
    ],
    [
      "one for whatever HyperShift labels as a control plane",
      [
        admin("deny", {
          subject: { namespaces: exists("hypershift.openshift.io/hosted-control-plane") },
          ingress: [{ action: "Deny", from: [{ namespaces: exists("kubernetes.io/metadata.name") }] }],
        }),
      ],
      ["deny spec.ingress[0]"],
    ],
    [
      "one behind a rule for fewer addresses than all DNS pods can have",
      [
        admin("deny", {
          egress: [{ action: "Allow", to: [{ networks: ["10.128.3.0/24"] }] }, ...denyOut.egress],
        }),
      ],
      ["deny spec.egress[1]"],
    ],
    [
      "one beside network policies that let everything pass",
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
      "a rule before it that allows",
      [
        admin("deny", denyOut),
        admin("allow", { egress: [{ action: "Allow", to: EVERYWHERE }], priority: 4 }),
      ],
    ],
    [
      "another namespace",
      [admin("deny", { ...denyOut, subject: { namespaces: { matchLabels: { a: "b" } } } })],
    ],
    ["what passes on", [admin("pass", { egress: [{ action: "Pass", to: EVERYWHERE }] })]],
    [
      "nodes, whose addresses are not among the DNS pods'",
      [admin("deny", { egress: [{ action: "Deny", to: [{ nodes: {} }] }] })],
    ],
    [
      "names outside the cluster",
      [admin("deny", { egress: [{ action: "Deny", to: [{ domainNames: ["*.example.com"] }] }] })],
    ],
    [
      "addresses that DNS pods may have or not",
      [admin("deny", { egress: [{ action: "Deny", to: [{ networks: ["10.0.0.0/8"] }] }] })],
    ],
    [
      "names of namespaces that take no part",
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
    ["an action that is not known yet", [admin("deny", { egress: [{ action: UNKNOWN, to: EVERYWHERE }] })]],
    [
      "a baseline, which HyperShift's own policies stand before",
      [ofCluster("deny", { ...denyIn, tier: "Baseline" })],
    ],
  ])("finds nothing of %s", (_, policies) => {
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
    ["the HostedCluster's own provider makes", management, management, true],
    ["another provider makes, such as that of the hosted cluster", management, hosted, false],
    ["a provider of another stack makes", management, provider("policies", "default"), true],
    ["a provider makes where none is known of the HostedCluster", undefined, hosted, true],
    ["none is known to make", management, undefined, true],
  ])("judges a policy that %s: %s, %s, %s", (_, ofCluster, ofPolicy, isJudged) => {
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
    ["what nothing documents", admin("deny", { ingress: [{ action: "Deny", from: SHOP }] }), []],
    ["monitoring, passed on", admin("pass", { ingress: [{ action: "Pass", from: MONITORING }] }), []],
    [
      "monitoring, behind the network policies",
      ofCluster("deny", { tier: "Baseline", ingress: [{ action: "Deny", from: MONITORING }] }),
      [],
    ],
  ])("judges flows of single pods: %s", (_, policy, levels) => {
    const all = violations(rule, plan(policy));
    expect(all.map(({ level = "error" }) => level)).toEqual(levels);
    for (const one of all) expect(one.message).toContain("denies packets of a documented flow: ");
  });

  const denyFrom = (...namespaces: PropertyValue[]) =>
    admin("deny", { ingress: [{ action: "Deny", from: namespaces.map((one) => ({ namespaces: one })) }] });
  const labelled = (key: string, value: string) => ({ matchLabels: { [key]: value } });

  test.each(["openshift-ingress", "openshift-monitoring"])(
    "names what is denied to %s, which OpenShift puts into a policy group, by its name",
    (name) => {
      const policy = denyFrom(labelled("kubernetes.io/metadata.name", name));
      expect(found(policy)).toEqual(["deny spec.ingress[0]"]);
      expect(unknowns(rule, plan(policy))).toEqual([]);
    },
  );

  test.each<[string, Resource]>([
    ["another label", denyFrom(labelled("name", "openshift-ingress"))],
    ["the lack of one", denyFrom({ matchExpressions: [{ key: "team", operator: "NotIn", values: ["a"] }] })],
  ])("counts what may be denied to namespaces that are meant by %s", (_, policy) => {
    expect(found(policy)).toEqual([]);
    expect(unknowns(rule, plan(policy)).map(({ path, message }) => `${path}: ${message}`)).toEqual([
      expect.stringMatching(
        /^spec\.ingress\[0\]\.from\[0\]: .*whether it matches packets of a documented flow$/,
      ),
    ]);
  });

  test("knows the labels that the Namespace of the routers states", () => {
    const namespace = resource("kubernetes:core/v1:Namespace", "openshift-ingress", {
      metadata: { name: "openshift-ingress", labels: { name: "openshift-ingress" } },
    });
    expect(found(namespace, denyFrom(labelled("name", "openshift-ingress")))).toEqual([
      "deny spec.ingress[0]",
    ]);
  });

  test("counts nothing of a rule that surely denies, and of namespaces that are not meant", () => {
    const both = denyFrom(
      labelled("kubernetes.io/metadata.name", "openshift-ingress"),
      labelled("name", "openshift-ingress"),
    );
    for (const policy of [both, denyFrom(labelled("kubernetes.io/metadata.name", "shop"))])
      expect(unknowns(rule, plan(policy))).toEqual([]);
  });

  test("what an administrator's policy lets pass, no network policy drops", () => {
    const deny = resource("kubernetes:networking.k8s.io/v1:NetworkPolicy", "deny", {
      metadata: { name: "deny", namespace: "clusters-tenant-a" },
      spec: { podSelector: {}, policyTypes: ["Egress"] },
    });
    const allow = (to: PropertyValue) => admin("allow", { egress: [{ action: "Allow", to }] });
    expect(found(deny).length).toBeGreaterThan(0);
    expect(found(deny, allow([...EVERYWHERE, ...PODS]))).toEqual([]);
    expect(found(deny, allow(SHOP))).toEqual(found(deny));
  });

  test("advises a network policy only where one stands before the rule", () => {
    const baseline = ofCluster("deny", { ...denyOut, tier: "Baseline" });
    const advised = (policy: Resource) => violations(rule, plan(policy)).map(({ fix }) => fix);
    expect(advised(baseline)).toEqual([expect.stringContaining("allow these packets by a NetworkPolicy")]);
    expect(advised(ofCluster("deny", denyOut))).toEqual([expect.stringContaining("no NetworkPolicy can")]);
  });
});
