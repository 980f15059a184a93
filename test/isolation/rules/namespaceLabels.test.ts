import { isolationFlowExcess } from "../../../src/isolation/rules/networkPolicies";
import { flowRules } from "../../../src/rules/conclusion";
import { JudgedResources } from "../../../src/gate/judgedResources";
import { flowsOfPlan, wholeTopology } from "../../../src/gate/refutedFlows";
import { Proof } from "../../../src/reachability/proof/prove";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { hostedCluster, resource, unknowns, violations } from "../../rules/builders";

const rule = flowRules.find(({ id }) => id === "isolation-flow-blocked")!;
const OWN = "clusters-tenant-a";
const namespace = (name: string, labels: PropertyValue, kind = "Namespace"): Resource =>
  resource(`kubernetes:core/v1:${kind}`, `${kind}-${name}`, { metadata: { name, labels } });
const labelled = (value: string) => ({ matchLabels: { tier: value } });
const policy = (name: string, spec: Record<string, PropertyValue>): Resource =>
  resource("kubernetes:networking.k8s.io/v1:NetworkPolicy", name, {
    metadata: { name, namespace: OWN },
    spec: { podSelector: {}, ...spec },
  });
const admin = (spec: Record<string, PropertyValue>): Resource =>
  resource("kubernetes:policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy", "deny", {
    metadata: { name: "deny" },
    spec: { priority: 5, subject: { namespaces: labelled("control-plane") }, ...spec },
  });
const plan = (...objects: Resource[]) => [hostedCluster({ platform: { type: "None" } }), ...objects];
const violated = (...objects: Resource[]) =>
  violations(rule, plan(...objects)).map(
    ({ resource: { urn }, path }) => `${urn?.split("::").at(-1)} ${path}`,
  );
const open = (...objects: Resource[]) =>
  unknowns(rule, plan(...objects)).map(({ resource: { urn }, path }) => `${urn?.split("::").at(-1)} ${path}`);

describe("isolation-flow-blocked with labels of Namespaces in the plan", () => {
  const deny = admin({ ingress: [{ action: "Deny", from: [{ namespaces: labelled("infra") }] }] });
  const own = namespace(OWN, { tier: "control-plane" });
  const operators = namespace("hypershift", { tier: "infra" });
  const HIT = ["deny spec.ingress[0]"];

  test("ignores a stated name label, because the API server writes it", () => {
    const NAME = "kubernetes.io/metadata.name";
    const byName = (name: string) =>
      admin({
        ingress: [{ action: "Deny", from: [{ namespaces: { matchLabels: { [NAME]: name } } }] }],
      });
    const misnamed = namespace("hypershift", { [NAME]: "shop" });
    expect(violated(byName("hypershift"), own, misnamed)).toEqual(HIT);
    expect(violated(byName("shop"), own, misnamed)).toEqual([]);
    expect(violated(byName("hypershift"), own, namespace("hypershift", { [NAME]: UNKNOWN }))).toEqual(HIT);
  });

  test.each<[string, Resource[], string[]]>([
    ["labels of both ends", [own, operators], HIT],
    ["labels from a patch", [namespace(OWN, { tier: "control-plane" }, "NamespacePatch"), operators], HIT],
    [
      "a patch with the same labels",
      [own, namespace(OWN, { tier: "control-plane" }, "NamespacePatch"), operators],
      HIT,
    ],
    [
      "two Namespaces with the same label",
      [own, namespace(OWN, { tier: "control-plane", a: "b" }), operators],
      HIT,
    ],
    ["labels of only one end", [own], []],
    ["another value of the label", [own, namespace("hypershift", { tier: "shop" })], []],
    ["another namespace", [own, namespace("shop", { tier: "infra" })], []],
    ["an unknown value", [own, namespace("hypershift", { tier: UNKNOWN })], []],
    ["unknown labels", [namespace(OWN, UNKNOWN), operators], []],
    ["a value that is not a string", [own, namespace("hypershift", { tier: true })], []],
    [
      "a patch with another value",
      [own, operators, namespace("hypershift", { tier: "b" }, "NamespacePatch")],
      [],
    ],
    ["two Namespaces, one without the label", [own, operators, namespace("hypershift", {})], []],
  ])("judges a denial of administrators with %s", (_, namespaces, expected) => {
    expect(violated(deny, ...namespaces)).toEqual(expected);
  });

  test("agrees with prove", () => {
    const out = admin({ egress: [{ action: "Deny", to: [{ namespaces: labelled("infra") }] }] });
    const refuted = (...objects: Resource[]) => {
      const judged = new JudgedResources(plan(out, ...objects));
      return flowsOfPlan(judged, wholeTopology(judged.clusters[0]!)!).filter(
        ({ proof }) => proof === Proof.Refuted,
      );
    };
    const dns = namespace("openshift-dns", { tier: "infra" });
    expect(refuted(own, dns).length).toBeGreaterThan(0);
    expect(refuted(own)).toEqual([]);
    expect(refuted(dns)).toEqual([]);
  });

  describe("judges access that NetworkPolicies allow", () => {
    const isolated = [
      policy("deny", { policyTypes: ["Ingress"] }),
      policy("same", { ingress: [{ from: [{ podSelector: {} }] }] }),
      policy("monitoring", {
        ingress: [
          {
            from: [
              { namespaceSelector: { matchLabels: { "network.openshift.io/policy-group": "monitoring" } } },
            ],
          },
          {
            from: [
              { namespaceSelector: { matchLabels: { "network.openshift.io/policy-group": "ingress" } } },
            ],
          },
        ],
      }),
      policy("addresses", {
        ingress: [
          {
            from: [{ ipBlock: { cidr: "0.0.0.0/0" } }, { ipBlock: { cidr: "::/0" } }],
            ports: [6443, 8091, 8443, 9090].map((port) => ({ port })),
          },
        ],
      }),
    ];
    const infra = policy("infra", { ingress: [{ from: [{ namespaceSelector: labelled("infra") }] }] });

    test.each<[string, Resource[], string[], string[]]>([
      ["no labels stated", [], [], ["infra spec.ingress[0].from[0]"]],
      ["the label that a rule selects", [operators], [], []],
      ["another value", [namespace("hypershift", { tier: "shop" })], ["addresses ingress"], []],
      [
        "an unknown value",
        [namespace("hypershift", { tier: UNKNOWN })],
        [],
        ["infra spec.ingress[0].from[0]"],
      ],
    ])("from operators: %s", (_, namespaces, errors, unknown) => {
      expect(violated(...isolated, infra, ...namespaces)).toEqual(errors);
      expect(open(...isolated, infra, ...namespaces)).toEqual(unknown);
    });

    test("by a policy group label on the operators' Namespace", () => {
      const group = namespace("hypershift", { "network.openshift.io/policy-group": "monitoring" });
      expect(violated(...isolated)).toEqual(["addresses ingress"]);
      expect(violated(...isolated, group)).toEqual([]);
      const hidden = namespace("hypershift", { "network.openshift.io/policy-group": UNKNOWN });
      expect(violated(...isolated, hidden)).toEqual([]);
    });

    const from = (matchLabels: Record<string, string>) =>
      policy("router", { ingress: [{ from: [{ namespaceSelector: { matchLabels } }] }] });

    test.each<[Record<string, string>, boolean]>([
      [{ "network.openshift.io/policy-group": "ingress" }, true],
      [{ "policy-group.network.openshift.io/ingress": "" }, true],
      [{ "policy-group.network.openshift.io/ingress": "true" }, false],
      [{ "policy-group.network.openshift.io/host-network": "" }, false],
      [{ "kubernetes.io/metadata.name": "openshift-ingress" }, true],
      [{ "kubernetes.io/metadata.name": "openshift-monitoring" }, true],
      [{ "kubernetes.io/metadata.name": "openshift-console" }, false],
    ])("by OpenShift's labels of namespaces that documented flows come from: %j, %s", (labels, isOne) => {
      const found = violations(isolationFlowExcess, plan(isolated[0]!, from(labels)));
      expect(found.map(({ path }) => path)).toEqual(isOne ? [] : ["spec.ingress[0]"]);
    });

    test("by the newer form of the router's policy group label", () => {
      const [deny, same] = isolated;
      const unknownBy = (labels: Record<string, string>) =>
        open(deny!, same!, from(labels)).filter((place) => place.startsWith("router "));
      expect(unknownBy({ "policy-group.network.openshift.io/ingress": "" })).toEqual([]);
      expect(unknownBy({ "policy-group.network.openshift.io/host-network": "" })).not.toEqual([]);
      const denial = (key: string) =>
        admin({
          subject: { namespaces: { matchLabels: { "kubernetes.io/metadata.name": OWN } } },
          ingress: [{ action: "Deny", from: [{ namespaces: { matchLabels: { [key]: "" } } }] }],
        });
      expect(violated(denial("policy-group.network.openshift.io/ingress"))).toEqual(HIT);
      expect(violated(denial("policy-group.network.openshift.io/other"))).toEqual([]);
    });

    test("by all labels of a Namespace that was read from a cluster", () => {
      const running = (labels: PropertyValue): Resource => ({
        ...namespace("hypershift", labels),
        origin: { live: "Namespace hypershift", runsIn: "cluster/a" },
      });
      expect(violated(...isolated, infra, running({ tier: "infra" }))).toEqual([]);
      expect(violated(...isolated, infra, running({}))).toEqual(["addresses ingress"]);
      expect(open(...isolated, infra, running({}), namespace("hypershift", { a: "b" }))).toEqual([
        "infra spec.ingress[0].from[0]",
      ]);
    });
  });
});
