import { Action, type Filter } from "../../../src/reachability/filters/filter";
import { adminNetworkPolicyFilter } from "../../../src/reachability/filters/adminNetworkPolicy";
import { networkPolicyFilter } from "../../../src/reachability/filters/networkPolicy";
import type { PodEnd } from "../../../src/reachability/filters/policySelection";
import { Proof, prove } from "../../../src/reachability/proof/prove";
import { EVERY_PACKET } from "../../../src/reachability/packets/packetSet";
import { Direction } from "../../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { expectPassing, every, named, none, STORED } from "./passing";
import { egressFirewallFilter } from "../shown";

const pod: PodEnd = {
  kind: "pod",
  namespace: "own",
  namespaceLabels: { labels: {}, complete: true },
  labels: { labels: {}, complete: true },
};
const view = { direction: Direction.Egress, pod, other: { kind: "addresses" } } as const;
const REFUSED = "the API server refuses the policy";

const object = (type: string, metadata: Record<string, PropertyValue>, spec: PropertyValue): Resource => ({
  origin: { file: "policy.yaml", line: 1 },
  type: `kubernetes:${type}`,
  name: "it",
  properties: { metadata: { name: "it", ...metadata }, spec },
});
const policy = (
  egress: PropertyValue,
  more: Record<string, PropertyValue> = {},
  metadata: Record<string, PropertyValue> = {},
) =>
  object(
    "networking.k8s.io/v1:NetworkPolicy",
    { namespace: "own", ...metadata },
    { podSelector: {}, policyTypes: ["Egress"], egress, ...more },
  );
const deny = policy([]);
const allowAll: PropertyValue = {};
const PORT_0: PropertyValue = { ports: [{ port: 0 }] };

describe("a NetworkPolicy that the API server refuses", () => {
  const filter = (...policies: Resource[]) => networkPolicyFilter(policies, view);

  it.each<[string, Resource, string]>([
    ["one port", policy([allowAll, PORT_0]), "spec.egress[1].ports[0].port"],
    ["a property that no policy has", policy([allowAll], { engress: [] }), "spec.engress"],
    [
      "one block",
      policy([allowAll, { to: [{ ipBlock: { cidr: "10.0.0.0" } }] }]),
      "spec.egress[1].to[0].ipBlock.cidr",
    ],
    [
      "one exception",
      policy([allowAll, { to: [{ ipBlock: { cidr: "10.0.0.0/8", except: ["11.0.0.0/16"] } }] }]),
      "spec.egress[1].to[0].ipBlock.except[0]",
    ],
    ["its name", policy([allowAll], {}, { name: "It" }), "metadata.name"],
    ["a label", policy([allowAll], {}, { labels: { app: "a b" } }), "metadata.labels.app"],
    ["a property of its metadata", policy([allowAll], {}, { label: {} }), "metadata.label"],
  ])("because of %s allows nothing for certain", (_, one, path) => {
    expectPassing(filter(deny, one), none, every);
    expect(named(filter(deny, one))).toContain(`${path}: ${REFUSED}`);
    expect(prove(EVERY_PACKET, [filter(deny, one)]).proof).toBe(Proof.Unknown);
  });

  it("drops nothing for certain, and may drop what it does not allow", () => {
    const refused = policy([PORT_0]);
    const found = filter(refused);
    expect(found.otherwise).toBe(Action.Pass);
    expect(prove(EVERY_PACKET, [found, { clauses: [], otherwise: Action.Allow }]).proof).toBe(Proof.Unknown);
  });

  it.each<[string, Resource]>([
    ["it is valid", policy([allowAll])],
    ["a value that may be valid is not known", policy([allowAll, { ports: [{ port: UNKNOWN }] }])],
    ["a cluster has stored it", { ...policy([allowAll, PORT_0]), origin: STORED }],
    ["a program only reads it", { ...policy([allowAll, PORT_0]), isRead: true }],
    ["only a warning is due: a port by its name", policy([allowAll, { ports: [{ port: "web" }] }])],
    [
      "its block has host bits, which the API server accepts",
      policy([allowAll, { to: [{ ipBlock: { cidr: "10.0.0.1/8" } }] }]),
    ],
  ])("is in force if %s", (_, one) => {
    expectPassing(filter(deny, one), every, every);
  });
});

describe("an administrators' policy that the API server refuses or that is not applied", () => {
  const admin = (egress: PropertyValue, metadata: Record<string, PropertyValue> = {}) =>
    object("policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy", metadata, {
      priority: 10,
      subject: { namespaces: {} },
      egress,
    });
  const everywhere = [{ networks: ["0.0.0.0/0", "::/0"] }];
  const rule = (action: string) => ({ action, to: everywhere });
  const selecting = (namespaces: PropertyValue): PropertyValue => ({
    action: "Deny",
    to: [{ namespaces }],
  });
  const filter = (one: Resource, direction = Direction.Egress) =>
    adminNetworkPolicyFilter([one], { ...view, direction });

  it.each<[string, Resource, string]>([
    ["no peers", admin([rule("Allow"), { action: "Deny", to: [] }]), `spec.egress[1].to: ${REFUSED}`],
    [
      "a network without a mask",
      admin([rule("Allow"), { action: "Deny", to: [{ networks: ["10.0.0.1"] }] }]),
      `spec.egress[1].to[0].networks[0]: ${REFUSED}`,
    ],
    [
      "an operator that does not exist",
      admin([
        rule("Allow"),
        selecting({ matchExpressions: [{ key: "a", operator: "Equals", values: ["b"] }] }),
      ]),
      "spec.egress[1].to[0].namespaces.matchExpressions[0].operator: a policy with such a selector is not applied",
    ],
    ["its name", admin([rule("Allow")], { name: "It" }), `metadata.name: ${REFUSED}`],
  ])("because of %s decides nothing for certain", (_, one, reason) => {
    const [first] = filter(one).clauses;
    expect(first!.sure).not.toBe(first!.possible);
    expectPassing(filter(one), none, every);
    expect(named(filter(one))).toContain(reason);
  });

  it.each<[string, Resource]>([
    ["it is valid", admin([rule("Allow")])],
    ["a cluster has stored it", { ...admin([rule("Allow"), { action: "Deny", to: [] }]), origin: STORED }],
    [
      "its namespace, which the API server clears, is no name",
      admin([rule("Allow")], { namespace: "Foo_X" }),
    ],
    [
      "only one of its rules has no effect",
      admin([rule("Allow"), { ...rule("Deny"), ports: [{ portNumber: { protocol: "ICMP", port: 1 } }] }]),
    ],
  ])("is in force if %s", (_, one) => expectPassing(filter(one), every, every));

  it("is not applied although a cluster has stored it", () => {
    const one = admin([rule("Allow"), selecting({ matchLabels: { a: "b c" } })]);
    expectPassing(filter({ ...one, origin: STORED }), none, every);
  });
});

describe("a patch of an object that the plan does not show", () => {
  const OPEN: Filter = { clauses: [], otherwise: Action.Allow };
  const patch = (spec?: Record<string, PropertyValue>): Resource => ({
    origin: { file: "patch.yaml", line: 1 },
    type: "kubernetes:networking.k8s.io/v1:NetworkPolicyPatch",
    name: "it",
    properties: { metadata: { name: "it", namespace: "own" }, ...(spec && { spec }) },
  });
  const proofOf = (filter: Filter) => prove(EVERY_PACKET, [filter, OPEN]).proof;
  const whole = { podSelector: {}, policyTypes: ["Egress"], egress: [allowAll] };
  const without = (property: string) =>
    Object.fromEntries(Object.entries(whole).filter(([name]) => name !== property));
  const hidden = (path: string) => `${path}: the plan does not show the policy that is patched`;

  it.each(["podSelector", "policyTypes", "egress"])("leaves the %s of a policy as it is", (property) => {
    const found = networkPolicyFilter([patch(without(property))], view);
    expect(proofOf(found)).toBe(Proof.Unknown);
    expect(named(found)).toContain(hidden(`spec.${property}`));
    // What the patched policy allows beside another one is not known either.
    const beside = networkPolicyFilter([deny, patch(without(property))], view);
    expectPassing(beside, none, every);
  });

  it("decides for certain if it states everything", () => {
    expectPassing(networkPolicyFilter([deny, patch(whole)], view), every, every);
    expect(proofOf(networkPolicyFilter([patch({ ...whole, egress: [] })], view))).toBe(Proof.Refuted);
  });

  it.each<[string, Resource]>([
    ["no spec", patch()],
    ["other pods", patch({ podSelector: { matchLabels: { app: "a" } }, egress: [] })],
    ["the other direction", patch({ policyTypes: ["Ingress"], egress: [] })],
  ])("is not about the packets with %s", (_, one) => {
    const found = networkPolicyFilter([one], view);
    expect(found.clauses).toEqual([]);
    expect(found.otherwise).toBe(Action.Pass);
  });

  it("leaves the types of a policy without types to its rules of egress", () => {
    const types = { podSelector: {}, policyTypes: [] };
    expect(named(networkPolicyFilter([patch(types)], view))).toContain(hidden("spec.egress"));
    expect(named(networkPolicyFilter([patch({ ...types, egress: [] })], view))).toEqual([]);
  });

  const adminPatch = (spec?: Record<string, PropertyValue>): Resource => ({
    ...patch(spec),
    type: "kubernetes:policy.networking.k8s.io/v1alpha1:AdminNetworkPolicyPatch",
  });
  const adminSpec = {
    priority: 10,
    subject: { pods: { namespaceSelector: {}, podSelector: {} } },
    egress: [{ action: "Allow", to: [{ networks: ["0.0.0.0/0", "::/0"] }] }],
  };

  it.each<[string, Record<string, PropertyValue>]>([
    ["subject", { ...adminSpec, subject: null }],
    ["subject.pods.podSelector", { ...adminSpec, subject: { pods: { namespaceSelector: {} } } }],
    ["priority", { ...adminSpec, priority: null }],
    ["egress", { ...adminSpec, egress: null }],
  ])("leaves the %s of an administrators' policy as it is", (_, spec) => {
    const found = adminNetworkPolicyFilter([adminPatch(spec)], view);
    expect(prove(EVERY_PACKET, [found, OPEN]).proof).not.toBe(Proof.Refuted);
    expectPassing(found, none, every);
  });

  it("decides like an administrators' policy if it states everything, and nothing without a spec", () => {
    expectPassing(adminNetworkPolicyFilter([adminPatch(adminSpec)], view), every, every);
    expect(adminNetworkPolicyFilter([adminPatch()], view).clauses).toEqual([]);
  });

  it("leaves the rules of an egress firewall as they are, which an object must have", () => {
    const firewall = (type: string, spec?: Record<string, PropertyValue>): Resource => ({
      ...patch(spec),
      type: `kubernetes:k8s.ovn.org/v1:EgressFirewall${type}`,
      properties: { metadata: { name: "default", namespace: "own" }, ...(spec && { spec }) },
    });
    for (const spec of [undefined, {}]) {
      const found = egressFirewallFilter(firewall("Patch", spec), []);
      expectPassing(found, none, every);
      expect(named(found)).toEqual([
        "spec.egress: the plan does not show the egress firewall that is patched",
      ]);
    }
    expect(named(egressFirewallFilter(firewall("", {}), []))).toEqual([
      "spec.egress: missing: the API server refuses the object",
    ]);
    const stated = egressFirewallFilter(firewall("Patch", { egress: [] }), []);
    expectPassing(stated, every, every);
  });
});
