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
import { STORED } from "./passing";

const pod: PodEnd = {
  kind: "pod",
  namespace: "clusters-a",
  namespaceLabels: { labels: { team: "shop" }, complete: true },
  labels: { labels: { app: "etcd" }, complete: true },
};
const outside: PolicyEnd = { kind: "addresses" };
const policyOf = (spec: PropertyValue, kind = "v1alpha1:AdminNetworkPolicy", name = "admin"): Resource => ({
  origin: STORED,
  type: `kubernetes:policy.networking.k8s.io/${kind}`,
  name,
  properties: { spec },
});
const CLUSTER = "v1alpha2:ClusterNetworkPolicy";
const BASELINE = "v1alpha1:BaselineAdminNetworkPolicy";
const matching = (key: string, value: string) => ({ matchLabels: { [key]: value } });
const [shop, bank] = [matching("team", "shop"), matching("team", "bank")];
const [etcd, router] = [matching("app", "etcd"), matching("app", "router")];

describe("the subject of an administrators' policy", () => {
  test.each<[string, PropertyValue, Maybe]>([
    ["includes all pods of the selected namespaces", { namespaces: shop }, true],
    ["excludes the pods of other namespaces", { namespaces: bank }, false],
    ["includes the selected pods in every namespace", { pods: { podSelector: etcd } }, true],
    ["excludes other pods", { pods: { podSelector: router } }, false],
    ["includes all pods in the namespaces of a pods subject", { pods: { namespaceSelector: shop } }, true],
    [
      "excludes selected pods in other namespaces",
      { pods: { namespaceSelector: bank, podSelector: etcd } },
      false,
    ],
    ["excludes other pods if namespaces is null", { namespaces: null, pods: { podSelector: router } }, false],
    [
      "may include a pod if the namespaces are unknown, whatever the pods",
      { namespaces: UNKNOWN, pods: { podSelector: router } },
      undefined,
    ],
    [
      "may include a pod if the pods are unknown, whatever the namespaces",
      { namespaces: bank, pods: UNKNOWN },
      undefined,
    ],
    ["may include a pod if the selector is unknown", { pods: { podSelector: UNKNOWN } }, undefined],
    ["may include a pod if it is empty", {}, undefined],
    ["may include a pod if it is unknown", UNKNOWN, undefined],
  ])("%s", (_, subject, expected) => {
    expect(isSubject(policyOf({ subject }), pod)).toBe(expected);
  });
});

describe("the position of an administrators' policy", () => {
  test.each<[string, string, PropertyValue, boolean]>([
    ["a BaselineAdminNetworkPolicy", BASELINE, undefined as never, true],
    ["a ClusterNetworkPolicy of tier Baseline", CLUSTER, "Baseline", true],
    ["a ClusterNetworkPolicy of tier Admin", CLUSTER, "Admin", false],
    ["a ClusterNetworkPolicy of an unknown tier", CLUSTER, UNKNOWN, false],
    ["an AdminNetworkPolicy with a tier field", "v1alpha1:AdminNetworkPolicy", "Baseline", false],
  ])("%s comes after NetworkPolicies or not, according to its kind and tier", (_, kind, tier, expected) => {
    expect(isOfBaseline(policyOf({ tier }, kind))).toBe(expected);
  });

  test("only AdminNetworkPolicies have priorities that are too high for OVN-Kubernetes", () => {
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

  test("the order of two policies with the same priority is undefined if they decide differently", () => {
    expect(doubts(rule("Allow", 5), rule("Deny", 5))).toEqual([
      ["Allow 5", "spec.priority", true],
      ["Deny 5", "spec.priority", true],
    ]);
    expect(doubts(rule("Allow", 5), rule("Allow", 5))).toEqual([]);
    expect(doubts(rule("Allow", 5), rule("Deny", 6))).toEqual([]);
  });

  test("the order of policies of two kinds is undefined, whatever their priorities", () => {
    expect(doubts(rule("Accept", 5, CLUSTER), rule("Deny", 6))).toEqual([
      ["Accept 5", "spec.priority", true],
      ["Deny 6", "spec.priority", true],
    ]);
  });

  test("an unknown action may differ from the action of a rule with the same priority", () => {
    const list = [rule(UNKNOWN, 5), rule("Allow", 5)];
    expect(doubts(...list)).toEqual([
      ["unknown 5", "spec.priority", true],
      ["Allow 5", "spec.priority", true],
    ]);
    expect(isEmpty(allowedBy([filterOf(...list)]).sure)).toBe(true);
  });

  test("an unknown priority or one that OVN-Kubernetes does not support is not an undefined order", () => {
    expect(doubts(rule("Deny", UNKNOWN))).toEqual([["Deny unknown", "spec.priority", false]]);
    expect(doubts(rule("Deny", 100))).toEqual([["Deny 100", "spec.priority", false]]);
    const value = { resource: rule("Deny", 5), path: "spec.subject" };
    expect(isUnordered(value)).toBe(false);
    expect(isUnordered({ ...value, path: "spec.priority" })).toBe(false);
  });
});
