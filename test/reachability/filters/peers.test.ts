import fc from "fast-check";
import {
  amongPods,
  networkPolicyFilter,
  type KnownPeer,
} from "../../../src/reachability/filters/networkPolicy";
import {
  controlPlaneLabels,
  labelsOfNamespaces,
  withStatedLabels,
  type PodEnd,
  type PolicyEnd,
} from "../../../src/reachability/filters/policySelection";
import { equal, unionAll } from "../../../src/reachability/packets/packetSet";
import { Direction } from "../../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { prefix } from "../smallUniverse";
import { STORED } from "./passing";

const NAME = "kubernetes.io/metadata.name";
const policy = (...ingress: PropertyValue[]): Resource => ({
  origin: STORED,
  type: "kubernetes:networking.k8s.io/v1:NetworkPolicy",
  name: "it",
  properties: { metadata: { name: "it", namespace: "a" }, spec: { podSelector: {}, ingress } },
});
const podIn = (namespace: string, labels: Record<string, string>, complete = true): PodEnd => ({
  kind: "pod",
  namespace,
  namespaceLabels: { labels: { [NAME]: namespace }, complete },
  labels: { labels, complete },
});
const clausesFor = (one: Resource, other: PolicyEnd) =>
  networkPolicyFilter([one], { direction: Direction.Ingress, pod: podIn("a", {}), other }).clauses;

describe("the peers of a rule", () => {
  const labels = fc.dictionary(fc.constantFrom("app", "tier"), fc.constantFrom("x", "y"), { maxKeys: 2 });
  const selector = fc.oneof(
    { weight: 4, arbitrary: labels.map((matchLabels): PropertyValue => ({ matchLabels })) },
    fc.constant<PropertyValue>({ matchExpressions: [{ key: "app", operator: "Exists" }] }),
    fc.constant<PropertyValue>(UNKNOWN),
  );
  const namespaceSelector = fc.oneof(
    fc.constantFrom("a", "b").map((name): PropertyValue => ({ matchLabels: { [NAME]: name } })),
    fc.constant<PropertyValue>({}),
  );
  const peer: fc.Arbitrary<PropertyValue> = fc.oneof(
    selector.map((podSelector): PropertyValue => ({ podSelector })),
    namespaceSelector.map((one): PropertyValue => ({ namespaceSelector: one })),
    fc
      .tuple(namespaceSelector, selector)
      .map(([one, podSelector]): PropertyValue => ({ namespaceSelector: one, podSelector })),
    fc.nat(9).map((bits): PropertyValue => ({ ipBlock: { cidr: `10.0.0.${bits}/32` } })),
    fc.constant<PropertyValue>(UNKNOWN),
  );
  const end: fc.Arbitrary<PolicyEnd> = fc.oneof(
    fc
      .tuple(fc.constantFrom("a", "b"), labels, fc.boolean(), fc.boolean())
      .map(([namespace, own, complete, isNamespaceComplete]): PolicyEnd => {
        const pod = podIn(namespace, own, complete);
        return { ...pod, namespaceLabels: { ...pod.namespaceLabels, complete: isNamespaceComplete } };
      }),
    fc.constant<PolicyEnd>({ kind: "addresses" }),
  );

  test("allow together what separate rules allow, and name the same unknown values", () => {
    const peers = fc.oneof(
      fc.array(peer, { minLength: 1, maxLength: 4 }),
      fc.array(peer, { minLength: 9, maxLength: 20, size: "max" }),
    );
    fc.assert(
      fc.property(peers, end, (from, other) => {
        const [all] = clausesFor(policy({ from }), other);
        const each = clausesFor(policy(...from.map((one): PropertyValue => ({ from: [one] }))), other);
        for (const extent of ["sure", "possible"] as const)
          expect(equal(all![extent], unionAll(each.map((one) => one[extent])))).toBe(true);
        const places = each.flatMap(({ unknown }) =>
          unknown.map(({ path, reason }) => ({
            path: path.replace(/\[(\d+)\]\.from\[0\]/, "[0].from[$1]"),
            reason,
          })),
        );
        expect(all!.unknown.map(({ path, reason }) => ({ path, reason }))).toEqual(places);
      }),
      { numRuns: 500 },
    );
  });

  test.each<[string, PropertyValue, string, string[]]>([
    ["allow all ends if there is no list", {}, "everybody", []],
    ["allow all ends if the list is empty", { from: [] }, "everybody", []],
    ["may be any peers if the rule is unknown", UNKNOWN, "perhaps", ["spec.ingress[0]"]],
    ["count as selectors if the block is null", { from: [{ ipBlock: null, podSelector: {} }] }, "nobody", []],
  ])("%s", (_, rule, who, unknown) => {
    const [clause] = clausesFor(policy(rule), { kind: "addresses" });
    const [everybody] = clausesFor(policy({}), { kind: "addresses" });
    const lets = (set: typeof everybody) => [
      equal(clause!.sure, set!.sure),
      equal(clause!.possible, set!.sure),
    ];
    expect([who, ...lets(everybody)]).toEqual([who, who === "everybody", who !== "nobody"]);
    expect(clause!.unknown.map(({ path }) => path)).toEqual(unknown);
  });

  test("are in the policy's namespace if only pods are selected, and all pods of a selected namespace", () => {
    const lets = (one: PropertyValue, other: PolicyEnd) => {
      const [clause] = clausesFor(policy({ from: [one] }), other);
      const [everybody] = clausesFor(policy({}), other);
      return equal(clause!.sure, everybody!.sure);
    };
    const [here, there] = [podIn("a", { app: "x" }), podIn("b", { app: "x" })];
    const ofX = { podSelector: { matchLabels: { app: "x" } } };
    const inB = { namespaceSelector: { matchLabels: { [NAME]: "b" } } };
    expect([lets(ofX, here), lets(ofX, there)]).toEqual([true, false]);
    expect([lets(inB, here), lets(inB, there)]).toEqual([false, true]);
    expect([lets({ ...ofX, ...inB }, there), lets({ ...ofX, ...inB }, podIn("b", {}))]).toEqual([
      true,
      false,
    ]);
  });
});

describe("blocks for pods whose addresses are unknown", () => {
  const hidden: PolicyEnd = { ...podIn("a", {}), isHidden: true };
  const peer = (...texts: string[]): KnownPeer => ({
    matches: true,
    prefixes: texts.map(prefix),
    unknown: [],
  });
  const perhaps = {
    matches: undefined,
    unknown: [
      { path: "it", reason: "it is not known whether the pods at the other end have addresses in it" },
    ],
  };
  const EVERYTHING = ["0.0.0.0/0", "::/0"];

  test.each<[string, string[], boolean, unknown[]]>([
    ["match if they contain every address", EVERYTHING, false, [peer(...EVERYTHING)]],
    [
      "match addresses of one family, and may match all, if they contain every address of that family",
      ["0.0.0.0/0"],
      false,
      [peer("0.0.0.0/0"), perhaps],
    ],
    ["do not match if smaller than the part of one node", ["10.0.0.0/24"], false, []],
    ["may match if as large as the part of one node", ["10.0.0.0/23"], false, [perhaps]],
    ["may match if one of several blocks is large enough", ["10.0.0.0/23", "10.1.0.0/30"], false, [perhaps]],
    ["may match in IPv6 if large enough", ["fd00::/64"], false, [perhaps]],
    ["do not match in IPv6 if smaller", ["fd00::/65"], false, []],
    ["may match even if smaller, for a deny rule", ["10.0.0.0/24"], true, [perhaps]],
    ["match if they contain every address, for a deny rule", EVERYTHING, true, [peer(...EVERYTHING)]],
    [
      "match in IPv4 if they contain all of it, for a deny rule",
      ["0.0.0.0/0"],
      true,
      [peer("0.0.0.0/0"), perhaps],
    ],
    ["may match in IPv6, which few clusters have, for a deny rule", ["::/0"], true, [perhaps]],
    [
      "match if they contain every address together",
      ["0.0.0.0/1", "128.0.0.0/1", "::/1", "8000::/1"],
      true,
      [peer(...EVERYTHING)],
    ],
    ["do not match if no two of them make a whole", ["0.0.0.0/1", "128.0.0.0/2"], true, [perhaps]],
  ])("%s", (_, texts, isDenial, expected) => {
    expect(amongPods(peer(...texts), "it", hidden, isDenial)).toEqual(expected);
  });

  test("are returned unchanged for other ends, as are unknown peers and peers without blocks", () => {
    const small = peer("10.0.0.0/24");
    for (const end of [podIn("a", {}), { kind: "addresses" } as const])
      expect(amongPods(small, "it", end)).toEqual([small]);
    const unknown: KnownPeer = {
      matches: undefined,
      prefixes: [prefix("10.0.0.0/8")],
      unknown: [{ path: "x" }],
    };
    expect(amongPods(unknown, "it", hidden)).toEqual([unknown]);
    const all: KnownPeer = { matches: true, unknown: [] };
    expect(amongPods(all, "it", hidden)).toEqual([all]);
  });
});

describe("the labels of namespaces", () => {
  const GROUP = "network.openshift.io/policy-group";
  const INGRESS = "policy-group.network.openshift.io/ingress";
  const CONTROL_PLANE = "hypershift.openshift.io/hosted-control-plane";

  test("include the name and the control-plane label for a control plane's namespace", () => {
    expect(controlPlaneLabels("clusters-a")).toEqual({
      labels: { [NAME]: "clusters-a" },
      complete: false,
      present: { [CONTROL_PLANE]: [] },
    });
    expect(labelsOfNamespaces({ [NAME]: "clusters-a" }, "clusters-a")).toEqual({
      ...controlPlaneLabels("clusters-a"),
      absent: [GROUP, INGRESS],
    });
  });

  test("exclude the control-plane label and unrelated policy groups for another namespace stated by name", () => {
    expect(labelsOfNamespaces({ [NAME]: "team" }, "clusters-a")).toEqual({
      labels: { [NAME]: "team" },
      complete: false,
      absent: [GROUP, INGRESS, CONTROL_PLANE],
    });
  });

  test("include some name if another label is stated, but no known name for a policy group", () => {
    expect(labelsOfNamespaces({ team: "shop" }, "clusters-a")).toEqual({
      labels: { team: "shop" },
      complete: false,
      present: { [NAME]: [] },
    });
    const group = labelsOfNamespaces({ [GROUP]: "ingress" }, "clusters-a");
    expect(group).toMatchObject({ complete: false, absent: [INGRESS, CONTROL_PLANE] });
    expect(group.labels).toMatchObject({ [GROUP]: "ingress" });
    expect(group.present?.[NAME]).toContain("clusters-a");
  });

  test("are looked up by name for the namespace of a pod, and not for addresses", () => {
    const pod = podIn("a", {}, false);
    const outside: PolicyEnd = { kind: "addresses" };
    const none = () => undefined;
    expect([withStatedLabels(pod, none), withStatedLabels(outside, none)]).toEqual([pod, outside]);
    const asked: string[] = [];
    withStatedLabels(outside, (name) => void asked.push(name));
    withStatedLabels(pod, (name) => void asked.push(name));
    expect(asked).toEqual(["a"]);
  });
});
