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

const NAME = "kubernetes.io/metadata.name";
const policy = (...ingress: PropertyValue[]): Resource => ({
  origin: {},
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

  test("let in together what a rule for each lets in, few or many, and name what each does not know", () => {
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
    ["no list of peers lets everybody in", {}, "everybody", []],
    ["nor does an empty one keep anybody out", { from: [] }, "everybody", []],
    ["an entry that is not known may be any rule", UNKNOWN, "perhaps", ["spec.ingress[0]"]],
    [
      "a peer without a block is one by selectors",
      { from: [{ ipBlock: null, podSelector: {} }] },
      "nobody",
      [],
    ],
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

  test("a selector of pods alone means the policy's own namespace, one of namespaces all pods in those", () => {
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

describe("blocks and pods whose addresses nothing says", () => {
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
    ["every address holds theirs", EVERYTHING, false, [peer(...EVERYTHING)]],
    [
      "every address of one family holds theirs of that family, and perhaps all",
      ["0.0.0.0/0"],
      false,
      [peer("0.0.0.0/0"), perhaps],
    ],
    ["less than one node's part of a network does not hold all of them", ["10.0.0.0/24"], false, []],
    ["one node's part may", ["10.0.0.0/23"], false, [perhaps]],
    ["one of several blocks may", ["10.0.0.0/23", "10.1.0.0/30"], false, [perhaps]],
    ["so in IPv6", ["fd00::/64"], false, [perhaps]],
    ["and less does not", ["fd00::/65"], false, []],
    ["a denial of less may be one of some of them", ["10.0.0.0/24"], true, [perhaps]],
    ["a denial of everything is one of all", EVERYTHING, true, [peer(...EVERYTHING)]],
  ])("%s", (_, texts, isDenial, expected) => {
    expect(amongPods(peer(...texts), "it", hidden, isDenial)).toEqual(expected);
  });

  test("of other ends it is said as it is written, and so is what is not known itself", () => {
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

  test("that of a control plane has its name and the mark of control planes", () => {
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

  test("another one by its name is no control plane, and in no policy group that it is not known for", () => {
    expect(labelsOfNamespaces({ [NAME]: "team" }, "clusters-a")).toEqual({
      labels: { [NAME]: "team" },
      complete: false,
      absent: [GROUP, INGRESS, CONTROL_PLANE],
    });
  });

  test("those by another label have some name; those of a policy group none of the names that are known", () => {
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

  test("what is stated of the namespace of a pod is known of it; addresses have none", () => {
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
