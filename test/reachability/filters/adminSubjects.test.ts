import {
  adminNetworkPolicyFilter,
  isLate,
  isOfBaseline,
  isSubject,
  isUnordered,
} from "../../../src/reachability/filters/adminNetworkPolicy";
import { allowedBy } from "../../../src/reachability/filters/decide";
import type { PodEnd, PolicyEnd } from "../../../src/reachability/filters/policySelection";
import { isEmpty } from "../../../src/reachability/packets/packetSet";
import { Direction } from "../../../src/requirements/vocabulary";
import type { Maybe } from "../../../src/resources/kubernetesObject";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";

const pod: PodEnd = {
  kind: "pod",
  namespace: "clusters-a",
  namespaceLabels: { labels: { team: "shop" }, complete: true },
  labels: { labels: { app: "etcd" }, complete: true },
};
const outside: PolicyEnd = { kind: "addresses" };
const policyOf = (spec: PropertyValue, kind = "v1alpha1:AdminNetworkPolicy", name = "admin"): Resource => ({
  origin: {},
  type: `kubernetes:policy.networking.k8s.io/${kind}`,
  name,
  properties: { spec },
});
const CLUSTER = "v1alpha2:ClusterNetworkPolicy";
const BASELINE = "v1alpha1:BaselineAdminNetworkPolicy";
const matching = (key: string, value: string) => ({ matchLabels: { [key]: value } });
const [shop, bank] = [matching("team", "shop"), matching("team", "bank")];
const [etcd, router] = [matching("app", "etcd"), matching("app", "router")];

describe("whom a policy of administrators is about", () => {
  test.each<[string, PropertyValue, Maybe]>([
    ["all pods of the namespaces", { namespaces: shop }, true],
    ["none of those of others", { namespaces: bank }, false],
    ["the pods in every namespace", { pods: { podSelector: etcd } }, true],
    ["no other pods", { pods: { podSelector: router } }, false],
    ["all pods in the namespaces", { pods: { namespaceSelector: shop } }, true],
    ["the pods, and only in the namespaces", { pods: { namespaceSelector: bank, podSelector: etcd } }, false],
    ["the pods where namespaces are nothing", { namespaces: null, pods: { podSelector: router } }, false],
    [
      "perhaps, where the namespaces are not known, whatever the pods are",
      { namespaces: UNKNOWN, pods: { podSelector: router } },
      undefined,
    ],
    [
      "perhaps, where the pods are not known, whatever the namespaces are",
      { namespaces: bank, pods: UNKNOWN },
      undefined,
    ],
    ["perhaps, where the selector is not known", { pods: { podSelector: UNKNOWN } }, undefined],
    ["perhaps, where it says nothing", {}, undefined],
    ["perhaps, where it is not known", UNKNOWN, undefined],
  ])("%s", (_, subject, expected) => {
    expect(isSubject(policyOf({ subject }), pod)).toBe(expected);
  });
});

describe("where a policy of administrators stands", () => {
  test.each<[string, string, PropertyValue, boolean]>([
    ["a baseline", BASELINE, undefined as never, true],
    ["a cluster's policy of that tier", CLUSTER, "Baseline", true],
    ["a cluster's policy of the other tier", CLUSTER, "Admin", false],
    ["a cluster's policy of a tier that is not known", CLUSTER, UNKNOWN, false],
    ["an AdminNetworkPolicy, whatever is written in it", "v1alpha1:AdminNetworkPolicy", "Baseline", false],
  ])("%s stands behind NetworkPolicies or not", (_, kind, tier, expected) => {
    expect(isOfBaseline(policyOf({ tier }, kind))).toBe(expected);
  });

  test("OVN-Kubernetes leaves AdminNetworkPolicies of high priorities unapplied, and nothing else", () => {
    const late = (kind: string | undefined, priority: number | undefined) =>
      isLate(policyOf({}, kind), priority);
    expect([late(undefined, 99), late(undefined, 100), late(undefined, undefined)]).toEqual([
      false,
      true,
      false,
    ]);
    expect([late(CLUSTER, 1_000), late(BASELINE, 1_000)]).toEqual([false, false]);
  });

  const everywhere = { networks: ["0.0.0.0/0", "::/0"] };
  const rule = (action: string | typeof UNKNOWN, priority: number | typeof UNKNOWN, kind?: string) =>
    policyOf(
      { tier: "Admin", priority, subject: { namespaces: {} }, egress: [{ action, to: [everywhere] }] },
      kind,
      [action, priority].map((word) => (word === UNKNOWN ? "unknown" : word)).join(" "),
    );
  const filterOf = (...policies: Resource[]) =>
    adminNetworkPolicyFilter(policies, { direction: Direction.Egress, pod, other: outside });
  const doubts = (...policies: Resource[]) =>
    filterOf(...policies).clauses.flatMap(({ resource, unknown }) =>
      unknown.map((value) => [resource.name, value.path, isUnordered(value)]),
    );

  test("which of two with one priority comes first is not defined, where they decide differently", () => {
    expect(doubts(rule("Allow", 5), rule("Deny", 5))).toEqual([
      ["Allow 5", "spec.priority", true],
      ["Deny 5", "spec.priority", true],
    ]);
    expect(doubts(rule("Allow", 5), rule("Allow", 5))).toEqual([]);
    expect(doubts(rule("Allow", 5), rule("Deny", 6))).toEqual([]);
  });

  test("nor of two kinds, whatever their priorities", () => {
    expect(doubts(rule("Accept", 5, CLUSTER), rule("Deny", 6))).toEqual([
      ["Accept 5", "spec.priority", true],
      ["Deny 6", "spec.priority", true],
    ]);
  });

  test("an action that is not known may be another one than that of the rule beside it", () => {
    const list = [rule(UNKNOWN, 5), rule("Allow", 5)];
    expect(doubts(...list)).toEqual([
      ["unknown 5", "spec.priority", true],
      ["Allow 5", "spec.priority", true],
    ]);
    expect(isEmpty(allowedBy([filterOf(...list)]).sure)).toBe(true);
  });

  test("a priority that is not known, or none of OVN-Kubernetes, is no matter of order", () => {
    expect(doubts(rule("Deny", UNKNOWN))).toEqual([["Deny unknown", "spec.priority", false]]);
    expect(doubts(rule("Deny", 100))).toEqual([["Deny 100", "spec.priority", false]]);
    const value = { resource: rule("Deny", 5), path: "spec.subject" };
    expect(isUnordered(value)).toBe(false);
    expect(isUnordered({ ...value, path: "spec.priority" })).toBe(false);
  });
});
