import fc from "fast-check";
import {
  policyResource,
  type PacketPolicy,
  type PolicyPeer,
  type PolicyRule,
} from "../../../src/isolation/networkPolicy";
import { LabelSelectorOperator } from "../../../src/resources/kubernetesObject";
import { excessText, ingressExcess, withLabels } from "../../../src/reachability/isolation/excess";
import { Direction, Protocol } from "../../../src/requirements/vocabulary";
import { NAMESPACE_LABEL } from "../../../src/requirements/networkPolicies";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { STORED } from "../filters/passing";
import { OWN, addresses, allows, everyPod, passes, policyOn, selects, type OneEnd } from "./universe";

const resourceOf = (policy: PacketPolicy): Resource => ({ ...policyResource(policy, OWN), origin: STORED });
const from = (...peers: PolicyPeer[]): PolicyRule => ({ peers });
const inNamespaces = (matchLabels: Record<string, string>): PolicyPeer => ({
  namespaceSelector: { matchLabels },
});
const allow = (...rules: PolicyRule[]): PacketPolicy => ({ pods: {}, ingress: rules });

/** Describes what policies allow beyond the documented ones. */
const opened = (policies: readonly PacketPolicy[], documented: readonly PacketPolicy[] = []) =>
  ingressExcess(policies.map(resourceOf), documented.map(resourceOf), OWN)?.map((excess) => {
    const { who, pod, services } = excessText(excess);
    return `${excess.clause.path}: ${who} -> ${pod}, ${services}`;
  });

describe("M12 the ingress that a rule allows into pods beyond the documented flows", () => {
  const protocols = [Protocol.Tcp, Protocol.Udp, Protocol.Sctp];
  const numbers = Array.from({ length: 12 }, (_, position) => position + 1);
  const strangers: OneEnd[] = [
    // Includes one address outside every block of the universe, which only a rule for all sources allows.
    ...[...addresses, 0xc0000201].map((address) => ({ address })),
    ...everyPod.flatMap((namespace) => everyPod.map((labels) => ({ namespace, labels }))),
  ];

  it("matches the NetworkPolicy API, packet by packet and rule by rule", () => {
    const policies = fc.array(policyOn(Direction.Ingress), { maxLength: 2 });
    fc.assert(
      fc.property(policies, policies, (own, documented) => {
        const isolates = (pod: (typeof everyPod)[number]) =>
          documented.some((policy) => policy.ingress && selects(policy.pods, pod));
        const isExcess = (rule: PolicyRule, pod: (typeof everyPod)[number]) =>
          strangers.some((stranger) =>
            protocols.some((protocol) =>
              numbers.some(
                (port) =>
                  allows(rule, stranger, protocol, port) &&
                  !(isolates(pod) && passes(documented, Direction.Ingress, pod, stranger, protocol, port)),
              ),
            ),
          );
        const expected = own.flatMap(({ pods, ingress = [] }, position) =>
          ingress.flatMap((rule, place) =>
            everyPod.some((pod) => selects(pods, pod) && isExcess(rule, pod))
              ? [`${position} spec.ingress[${place}]`]
              : [],
          ),
        );
        const resources = own.map(resourceOf);
        const found = ingressExcess(resources, documented.map(resourceOf), OWN)!;
        expect(
          found.map(({ clause }) => `${resources.indexOf(clause.resource)} ${clause.path}`).sort(),
        ).toEqual(expected.sort());
      }),
      { numRuns: 50 },
    );
  });

  it("is listed once for each rule, with the first sender that the rule allows", () => {
    const policies = [
      allow(from({ ipBlock: { cidr: "10.0.0.0/8" } }), from(inNamespaces({ team: "shop" }))),
      allow(from({ ipBlock: { cidr: "10.0.0.0/8" } })),
    ];
    expect(opened(policies)).toEqual([
      "spec.ingress[0]: 10.0.0.0/8 -> without labels that a policy names, every protocol",
      "spec.ingress[0]: 10.0.0.0/8 -> without labels that a policy names, every protocol",
      "spec.ingress[1]: pods without labels that a policy names and of namespaces with team=shop -> without labels that a policy names, every protocol",
    ]);
  });

  it("names senders, pods and ports by the labels that policies distinguish", () => {
    const sender = { podSelector: { matchLabels: { app: "a", tier: "b" } }, namespaceSelector: {} };
    const etcd: PacketPolicy = {
      pods: { matchLabels: { app: "etcd" } },
      ingress: [{ peers: [sender], ports: [{ protocol: Protocol.Tcp, port: 2379 }] }],
    };
    expect(opened([etcd])).toEqual([
      "spec.ingress[0]: pods with app=a, tier=b of namespaces without labels that a policy names -> with app=etcd, TCP 2379",
    ]);
    expect(opened([etcd], [etcd])).toEqual([]);
    expect(withLabels({})).toBe("without labels that a policy names");
  });

  it("is only the undocumented part of what a rule allows", () => {
    const block = (cidr: string) => allow(from({ ipBlock: { cidr } }));
    expect(opened([block("10.0.0.0/8")], [block("10.0.0.0/9")])).toEqual([
      "spec.ingress[0]: 10.128.0.0/9 -> without labels that a policy names, every protocol",
    ]);
    expect(opened([block("10.0.0.0/9")], [block("10.0.0.0/8")])).toEqual([]);
  });

  it("is what the documented policies of each pod do not allow, whatever their names", () => {
    const { In, NotIn } = LabelSelectorOperator;
    const about = (operator: LabelSelectorOperator, key: string, ...values: string[]) => ({
      matchExpressions: [{ key, operator, values }],
    });
    const everywhere = from({ namespaceSelector: {} });
    const etcd = { pods: { matchLabels: { app: "etcd" } }, ingress: [everywhere] };
    const notShop = from({ namespaceSelector: about(NotIn, "team", "shop") });
    const api = { pods: { matchLabels: { app: "api" } }, ingress: [notShop] };
    expect(opened([{ pods: about(In, "app", "etcd", "api"), ingress: [everywhere] }], [etcd, api])).toEqual([
      "spec.ingress[0]: pods without labels that a policy names and of namespaces with team=shop -> with app=api, every protocol",
    ]);
  });

  it("excludes pods of the namespace itself, but not pods of other namespaces in the same rule", () => {
    const named = (...values: string[]): PolicyPeer => ({
      namespaceSelector: {
        matchExpressions: [{ key: NAMESPACE_LABEL.name, operator: LabelSelectorOperator.In, values }],
      },
    });
    expect(opened([allow(from({ podSelector: {} }))])).toEqual([]);
    expect(opened([allow(from(named(OWN)))])).toEqual([]);
    for (const names of [
      [OWN, "shop"],
      ["shop", OWN],
    ])
      expect(opened([allow(from(named(...names)))])).toEqual([
        "spec.ingress[0]: pods without labels that a policy names and of namespaces with kubernetes.io/metadata.name=shop -> without labels that a policy names, every protocol",
      ]);
  });

  it("ignores rules and selectors that are not known yet", () => {
    const policyWith = (spec: PropertyValue): Resource => ({
      origin: {},
      type: "kubernetes:networking.k8s.io/v1:NetworkPolicy",
      name: "a",
      properties: { metadata: { name: "a", namespace: OWN }, spec },
    });
    const rules = [{ from: [{ ipBlock: { cidr: "10.0.0.0/8" } }] }];
    const found = (spec: PropertyValue) => ingressExcess([policyWith(spec)], [], OWN);
    expect(found({ podSelector: {}, ingress: rules })).toHaveLength(1);
    expect(found({ podSelector: UNKNOWN, ingress: rules })).toEqual([]);
    expect(found({ podSelector: {}, ingress: UNKNOWN })).toEqual([]);
    expect(found({ podSelector: {}, ingress: [{ from: [{ namespaceSelector: UNKNOWN }] }] })).toEqual([]);
    expect(found({ podSelector: {}, ingress: [{ from: [{ podSelector: UNKNOWN }] }] })).toEqual([]);
  });

  it("is not computed if policies distinguish too many pods, senders or namespaces", () => {
    const many = Array.from({ length: 15 }, (_, position) => ({ matchLabels: { [`key-${position}`]: "a" } }));
    expect(opened(many.map((pods) => ({ pods, ingress: [] })))).toBeUndefined();
    expect(
      opened([allow(...many.map((podSelector) => from({ podSelector, namespaceSelector: {} })))]),
    ).toBeUndefined();
    // Without a namespace selector they select pods of their own namespace, which are not strangers.
    expect(opened([allow(...many.map((podSelector) => from({ podSelector })))])).toEqual([]);
    expect(opened([allow(...many.map((namespaceSelector) => from({ namespaceSelector })))])).toBeUndefined();
  });
});
