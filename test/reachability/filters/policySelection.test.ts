import fc from "fast-check";
import { adminNetworkPolicyFilter } from "../../../src/reachability/filters/adminNetworkPolicy";
import { networkPolicyFilter } from "../../../src/reachability/filters/networkPolicy";
import {
  peersAbout,
  type PodEnd,
  policiesAbout,
  type PolicyEnd,
} from "../../../src/reachability/filters/policySelection";
import { Direction } from "../../../src/requirements/vocabulary";
import { podClasses } from "../../../bench/pods/judge";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";

const namespaces = fc.constantFrom("a", "b");
const keys = ["app", "tier"];
const values = fc.constantFrom("x", "y");
const labels = fc.dictionary(fc.constantFrom(...keys), values, { maxKeys: 2 });

const selector: fc.Arbitrary<PropertyValue> = fc.oneof(
  { weight: 5, arbitrary: labels.map((matchLabels): PropertyValue => ({ matchLabels })) },
  fc
    .tuple(fc.constantFrom(...keys), fc.constantFrom("In", "NotIn", "Exists", "DoesNotExist"), values)
    .map(([key, operator, value]): PropertyValue => ({
      matchExpressions: [{ key, operator, values: [value] }],
    })),
  labels.map((matchLabels): PropertyValue => ({
    matchLabels: { ...matchLabels, app: UNKNOWN as PropertyValue },
  })),
  fc.constant<PropertyValue>(UNKNOWN),
);
const policies = fc
  .array(
    fc.record({ namespace: fc.oneof({ weight: 5, arbitrary: namespaces }, fc.constant(UNKNOWN)), selector }),
    {
      minLength: 9,
      maxLength: 20,
    },
  )
  .map((list) =>
    list.map(({ namespace, selector: podSelector }, position): Resource => ({
      origin: { file: "policies.yaml", line: position + 1 },
      type: "kubernetes:networking.k8s.io/v1:NetworkPolicy",
      name: `policy-${position}`,
      properties: {
        metadata: { namespace },
        spec: { podSelector, ingress: [{ ports: [{ port: 8_000 + position }] }] },
      },
    })),
  );
const pod = fc
  .record({ namespace: namespaces, labels, complete: fc.boolean() })
  .map(({ namespace, labels: own, complete }): PodEnd => ({
    kind: "pod",
    namespace,
    namespaceLabels: { labels: {}, complete: true },
    labels: { labels: own, complete },
  }));
const filterOf = (list: readonly Resource[], one: PodEnd) =>
  networkPolicyFilter(list, { direction: Direction.Ingress, pod: one, other: { kind: "addresses" } });

describe("policies looked up by the labels that they require", () => {
  test("include every policy that selects a pod, in the original order", () => {
    fc.assert(
      fc.property(policies, pod, (list, one) => {
        const found = policiesAbout(list, one);
        expect(found).toEqual(list.filter((policy) => found.includes(policy)));
        for (const policy of list)
          if (filterOf([policy], one).clauses.length > 0) expect(found).toContain(policy);
      }),
      { numRuns: 300 },
    );
  });

  test("include every administrators' policy that selects a pod, in any namespace", () => {
    const ofAdministrators = fc
      .array(fc.tuple(selector, fc.boolean()), { minLength: 9, maxLength: 20 })
      .map((subjects) =>
        subjects.map(([podSelector, isOfPods], position): Resource => ({
          origin: {},
          type: "kubernetes:policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy",
          name: `policy-${position}`,
          properties: {
            metadata: { name: `policy-${position}` },
            spec: {
              priority: position,
              subject: isOfPods ? { pods: { namespaceSelector: {}, podSelector } } : { namespaces: {} },
              ingress: [{ action: "Deny", from: [{ namespaces: {} }] }],
            },
          },
        })),
      );
    fc.assert(
      fc.property(ofAdministrators, pod, pod, (list, one, other) => {
        const of = (some: readonly Resource[]) =>
          adminNetworkPolicyFilter(some, { direction: Direction.Ingress, pod: one, other }).clauses;
        expect(of(list)).toEqual(list.flatMap((policy) => of([policy])));
      }),
      { numRuns: 300 },
    );
  });

  test("give the filter of exactly the policies that select a pod", () => {
    fc.assert(
      fc.property(policies, pod, (list, one) => {
        const single = list.flatMap((policy) => filterOf([policy], one).clauses.slice(0, 1));
        const { clauses } = filterOf(list, one);
        expect(new Set(clauses.map(({ resource }) => resource))).toEqual(
          new Set(single.map(({ resource }) => resource)),
        );
      }),
    );
  });

  test("are few for a pod whose labels are all known", () => {
    const list = Array.from({ length: 20 }, (_, position): Resource => ({
      origin: {},
      type: "kubernetes:networking.k8s.io/v1:NetworkPolicy",
      name: `policy-${position}`,
      properties: {
        metadata: { namespace: "a" },
        spec: { podSelector: { matchLabels: { app: `app-${position}`, tier: "x" } } },
      },
    }));
    const [one] = [
      {
        kind: "pod" as const,
        namespace: "a",
        namespaceLabels: { labels: {}, complete: true },
        labels: { labels: { app: "app-3", tier: "x" }, complete: true },
      },
    ];
    expect(policiesAbout(list, one).map(({ name }) => name)).toEqual(["policy-3"]);
  });

  describe("peers looked up in a rule with many peers", () => {
    const NAME = "kubernetes.io/metadata.name";
    const namespaceSelector = (name: string) => ({ matchLabels: { [NAME]: name } });
    const podSelector = (app: string) => ({ matchLabels: { app } });
    const from: PropertyValue[] = [
      { podSelector: podSelector("x") },
      { namespaceSelector: namespaceSelector("a") },
      { ipBlock: { cidr: "10.0.0.0/8" } },
      { namespaceSelector: namespaceSelector("b"), podSelector: podSelector("x") },
      { podSelector: podSelector("y") },
      ...Array.from({ length: 9 }, (_, place) => ({
        namespaceSelector: namespaceSelector(`other-${place}`),
      })),
    ];
    const podOf = (isComplete: boolean, isNamespaceComplete: boolean): PodEnd => ({
      kind: "pod",
      namespace: "a",
      namespaceLabels: { labels: { [NAME]: "a" }, complete: isNamespaceComplete },
      labels: { labels: { app: "x" }, complete: isComplete },
    });
    const placesFor = (end: PolicyEnd, peers = from) =>
      peersAbout({ from: peers }, "from", "rule", end).peers.map(({ path }) => path);
    const at = (...places: number[]) => places.map((place) => `rule.from[${place}]`);
    const everyPlace = at(...from.keys());

    test("are those that may select a pod, in order", () => {
      expect(placesFor(podOf(true, true))).toEqual(at(0, 1, 2));
    });

    test("are all of them for a pod with unknown labels", () => {
      expect([placesFor(podOf(false, true)), placesFor(podOf(true, false))]).toEqual([
        everyPlace,
        everyPlace,
      ]);
    });

    test("are those that require no label, for addresses", () => {
      expect(placesFor({ kind: "addresses" })).toEqual(at(2));
      expect(placesFor({ kind: "addresses" }, from.slice(0, 4))).toEqual(at(0, 1, 2, 3));
    });
  });

  test("pods with equal labels form one class, in whatever order the labels are written", () => {
    const podWith = (own: Record<string, string>): PodEnd => ({
      kind: "pod",
      namespace: "a",
      namespaceLabels: { labels: {}, complete: true },
      labels: { labels: own, complete: true },
    });
    const classes = podClasses([
      podWith({ app: "x", tier: "y" }),
      podWith({ tier: "y", app: "x" }),
      podWith({ app: "x" }),
    ]);
    expect(classes.map((members) => members.length)).toEqual([2, 1]);
  });
});
