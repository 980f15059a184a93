import { excessText, ingressExcess } from "../../../src/reachability/isolation/excess";
import {
  judgeByAdministrators,
  judgeTraffic,
  podsIn,
  type PodTraffic,
} from "../../../src/reachability/isolation/podTraffic";
import { Proof } from "../../../src/reachability/proof/prove";
import { NAMESPACE_LABEL } from "../../../src/requirements/networkPolicies";
import { Direction, Protocol } from "../../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { policyResource } from "../../../src/isolation/networkPolicy";
import { OWN } from "./universe";

const EVERY_POD: PropertyValue = { namespaces: {} };
interface About {
  subject?: PropertyValue;
  priority?: number;
  /** Restricts the rule further. */
  more?: { ports?: PropertyValue };
}
const admin = (
  action: PropertyValue,
  from: PropertyValue[] = [EVERY_POD],
  { subject = EVERY_POD, priority = 10, more = {} }: About = {},
): Resource => ({
  origin: {},
  type: "kubernetes:policy.networking.k8s.io/v1alpha1:AdminNetworkPolicy",
  name: `admin-${priority}`,
  properties: { spec: { subject, priority, ingress: [{ action, from, ...more }] } },
});
const pods = (matchLabels: Record<string, string>): PropertyValue => ({
  pods: { namespaceSelector: {}, podSelector: { matchLabels } },
});
const closed = policyResource({ pods: {}, ingress: [] }, OWN);

describe("the ingress that administrators' policies allow beyond the documented flows", () => {
  const opened = (given: readonly Resource[], documented = [closed]) =>
    ingressExcess(given, documented, OWN)?.map((excess) => {
      const { who, pod, services } = excessText(excess);
      return `${excess.clause.path}: ${who} -> ${pod}, ${services}`;
    });
  const ANY = "without labels that a policy names";

  test.each<[string, PropertyValue, string]>([
    [
      "all pods of namespaces",
      { namespaces: { matchLabels: { team: "shop" } } },
      `pods ${ANY} and of namespaces with team=shop`,
    ],
    ["some pods of every namespace", pods({ app: "a" }), `pods with app=a of namespaces ${ANY}`],
    [
      "some pods of namespaces",
      {
        pods: {
          namespaceSelector: { matchLabels: { team: "shop" } },
          podSelector: { matchLabels: { app: "a" } },
        },
      },
      "pods with app=a of namespaces with team=shop",
    ],
  ])("is named by its senders: %s", (_, peer, who) => {
    expect(opened([admin("Allow", [peer])])).toEqual([`spec.ingress[0]: ${who} -> ${ANY}, every protocol`]);
  });

  test("is empty for policies that deny or pass", () => {
    expect(opened([admin("Deny"), admin("Pass", undefined, { priority: 11 })])).toEqual([]);
    expect(opened([admin("Pass"), admin("Allow", undefined, { priority: 11 })])).toEqual([]);
    expect(opened([admin(UNKNOWN)])).toEqual([]);
  });

  test("covers only the pods that the policies select", () => {
    expect(opened([admin("Allow", undefined, { subject: pods({ app: "etcd" }) })])).toEqual([
      `spec.ingress[0]: pods ${ANY} and of namespaces without such labels -> with app=etcd, every protocol`,
    ]);
    const elsewhere = { namespaces: { matchLabels: { [NAMESPACE_LABEL.name]: "shop" } } };
    expect(opened([admin("Allow", undefined, { subject: elsewhere })])).toEqual([]);
  });

  test("ignores how policies distinguish pods if they select other namespaces or allow nothing", () => {
    const many = (action: string, namespaceSelector: PropertyValue) =>
      Array.from({ length: 15 }, (_, position) => {
        const podSelector = { matchLabels: { [`key-${position}`]: "a" } };
        return admin(action, undefined, { subject: { pods: { namespaceSelector, podSelector } } });
      });
    const shop = { matchLabels: { [NAMESPACE_LABEL.name]: "shop" } };
    const last = admin("Allow", undefined, { priority: 90 });
    expect(opened([...many("Allow", shop), last])).toHaveLength(1);
    expect(opened(many("Deny", {}))).toEqual([]);
    expect(opened(many("Allow", {}))).toBeUndefined();
  });
});

describe("the verdict of network policies together with administrators' policies before them", () => {
  const traffic: PodTraffic = {
    direction: Direction.Ingress,
    pods: {},
    end: podsIn({ team: "shop" }, OWN),
    services: [{ protocol: Protocol.Tcp }],
  };
  const open = policyResource({ pods: {}, ingress: [{}] }, OWN);
  const perhaps = [{ namespaces: { matchLabels: { floor: "3" } } }];

  test.each<[string, Resource[], Proof, Proof]>([
    ["no policy", [], Proof.Proved, Proof.Refuted],
    ["one that allows", [admin("Allow")], Proof.Proved, Proof.Proved],
    ["one that passes to network policies", [admin("Pass")], Proof.Proved, Proof.Refuted],
    ["one that denies, which is reported separately", [admin("Deny")], Proof.Proved, Proof.Proved],
    ["one that may allow", [admin("Allow", perhaps)], Proof.Proved, Proof.Unknown],
    ["one that may deny", [admin("Deny", perhaps)], Proof.Proved, Proof.Refuted],
    ["one with an unknown action", [admin(UNKNOWN)], Proof.Unknown, Proof.Unknown],
  ])("accounts for %s", (_, policies, behindOpen, behindClosed) => {
    const proofs = [open, closed].map((one) => judgeTraffic([one], OWN, traffic, policies)?.verdict.proof);
    expect(proofs).toEqual([behindOpen, behindClosed]);
  });

  test("is judged for the pods with the worst verdict", () => {
    const etcd: About = { subject: pods({ app: "etcd" }) };
    const judged = (policies: Resource[]) => judgeByAdministrators(policies, OWN, traffic);
    expect(judged([])).toMatchObject({ pod: {}, verdict: { proof: Proof.Proved }, isCutOff: false });
    expect(judged([admin("Deny", undefined, etcd)])).toMatchObject({
      pod: { app: "etcd" },
      verdict: { proof: Proof.Refuted },
      isCutOff: true,
    });
    expect(judged([admin("Deny", perhaps, etcd)])).toMatchObject({
      pod: { app: "etcd" },
      verdict: { proof: Proof.Unknown },
      isCutOff: false,
    });
    const http: About = { ...etcd, more: { ports: [{ portNumber: { protocol: "TCP", port: 80 } }] } };
    expect(judged([admin("Deny", undefined, http)])).toMatchObject({
      verdict: { proof: Proof.Refuted },
      isCutOff: false,
    });
    const beside = judgeTraffic([open], OWN, traffic, [admin(UNKNOWN, undefined, etcd)]);
    expect(beside).toMatchObject({ pod: { app: "etcd" }, verdict: { proof: Proof.Unknown } });
  });
});
