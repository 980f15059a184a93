import type { JsonObject } from "../../local/fuzz/json";
import type { FuzzedResource } from "../../local/fuzz/samples";
import {
  besideCluster,
  block24,
  cluster,
  CONTROL_PLANE,
  type Dimension,
  host,
  object,
  ON_PLANS,
  upTo,
} from "./dimension";

/** A network policy in the control-plane namespace. */
export const policy = (name: string, spec: JsonObject): FuzzedResource =>
  object("networking.k8s.io/v1", "NetworkPolicy", { name, namespace: CONTROL_PLANE }, { spec });
const policies = (count: number, spec: (place: number) => JsonObject) => ({
  resources: [cluster(), ...upTo(count, (place) => policy(`policy-${place}`, spec(place)))],
});
const onePolicy = (spec: JsonObject) => ({ resources: [cluster(), policy("policy", spec)] });
const ports = (port: number) => [{ protocol: "TCP", port }];
/** A selector that requires a label unique to its place. */
export const labelled = (place: number, key = "app"): JsonObject => ({
  matchLabels: { [key]: `${key}-${place}` },
});
const admin = (name: string, priority: number, rule: JsonObject): FuzzedResource =>
  object(
    "policy.networking.k8s.io/v1alpha1",
    "AdminNetworkPolicy",
    { name },
    { spec: { priority, subject: { namespaces: {} }, ingress: [rule] } },
  );

/** Network policies: many of them, and large ones. */
export const POLICIES: Readonly<Record<string, Dimension>> = {
  "policies-with-selectors": {
    title: "NetworkPolicies with selectors of their own",
    from: 125,
    commands: [...ON_PLANS, "explain", "certificate"],
    explained: `${CONTROL_PLANE}-policy-0`,
    make: (count) =>
      policies(count, (place) => ({
        podSelector: labelled(place),
        ingress: [
          { from: [{ podSelector: labelled(place, "role") }], ports: ports(8_000 + (place % 1_000)) },
        ],
      })),
  },
  "policies-of-one-kind": {
    title: "NetworkPolicies of one peer kind",
    from: 250,
    make: (count) =>
      policies(count, (place) => ({
        podSelector: {},
        ingress: [{ from: [{ namespaceSelector: labelled(place, "team") }], ports: ports(6443) }],
      })),
  },
  "policies-for-blocks": {
    title: "NetworkPolicies with a block each",
    from: 250,
    make: (count) =>
      policies(count, (place) => ({
        podSelector: {},
        ingress: [{ from: [{ ipBlock: { cidr: block24(place) } }], ports: ports(6443) }],
      })),
  },
  "policies-elsewhere": {
    title: "NetworkPolicies in namespaces of their own",
    from: 500,
    make: besideCluster((place) =>
      object(
        "networking.k8s.io/v1",
        "NetworkPolicy",
        { name: "own", namespace: `shop-${place}` },
        { spec: { podSelector: labelled(place), ingress: [{ from: [{ podSelector: {} }] }] } },
      ),
    ),
  },
  "pod-selectors": {
    title: "podSelector peers in a rule",
    from: 125,
    make: (count) =>
      onePolicy({
        podSelector: {},
        ingress: [{ from: upTo(count, (place) => ({ podSelector: labelled(place) })), ports: ports(6443) }],
      }),
  },
  "namespace-selectors": {
    title: "namespaceSelector peers in a rule",
    from: 125,
    make: (count) =>
      onePolicy({
        podSelector: {},
        ingress: [
          { from: upTo(count, (place) => ({ namespaceSelector: labelled(place) })), ports: ports(6443) },
        ],
      }),
  },
  "policy-rules": {
    title: "rules in a NetworkPolicy",
    from: 250,
    make: (count) =>
      onePolicy({
        podSelector: {},
        ingress: upTo(count, (place) => ({
          from: [{ ipBlock: { cidr: block24(place) } }],
          ports: ports(1_024 + place),
        })),
      }),
    upTo: 32_000,
  },
  "policy-rules-by-namespace": {
    title: "rules in a NetworkPolicy, each for namespaces of its own",
    from: 250,
    make: (count) =>
      onePolicy({
        podSelector: {},
        ingress: upTo(count, (place) => ({
          from: [{ namespaceSelector: labelled(place, "team") }],
          ports: ports(1_024 + place),
        })),
      }),
    upTo: 32_000,
  },
  "policy-egress-rules": {
    title: "egress rules in a NetworkPolicy",
    from: 250,
    make: (count) =>
      onePolicy({
        podSelector: {},
        policyTypes: ["Egress"],
        egress: upTo(count, (place) => ({
          to: [{ ipBlock: { cidr: block24(place) } }],
          ports: ports(1_024 + place),
        })),
      }),
    upTo: 32_000,
  },
  "policy-ports": {
    title: "ports of a rule in a NetworkPolicy",
    from: 250,
    make: (count) =>
      onePolicy({
        podSelector: {},
        ingress: [{ ports: upTo(count, (place) => ({ protocol: "TCP", port: 1_024 + 2 * place })) }],
      }),
    upTo: 16_000,
  },
  "policy-exceptions": {
    title: "exceptions of a block in a NetworkPolicy",
    from: 500,
    make: (count) =>
      onePolicy({
        podSelector: {},
        ingress: [
          { from: [{ ipBlock: { cidr: "11.0.0.0/8", except: upTo(count, (place) => host(2 * place)) } }] },
        ],
      }),
  },
  "expression-values": {
    title: "values of an expression",
    from: 250,
    make: (count) =>
      onePolicy({
        podSelector: {
          matchExpressions: [{ key: "app", operator: "In", values: upTo(count, (place) => `app-${place}`) }],
        },
        ingress: [{ from: [{ podSelector: {} }] }],
      }),
  },
  expressions: {
    title: "expressions of a selector",
    from: 125,
    make: (count) =>
      onePolicy({
        podSelector: {
          matchExpressions: upTo(count, (place) => ({ key: `app-${place}`, operator: "Exists" })),
        },
        ingress: [{ from: [{ podSelector: {} }] }],
      }),
  },
  "admin-policies": {
    title: "AdminNetworkPolicies",
    from: 125,
    make: besideCluster((place) =>
      admin(`admin-${place}`, place % 1_000, {
        action: "Deny",
        from: [{ namespaces: labelled(place, "team") }],
        ports: [{ portNumber: { protocol: "TCP", port: 6443 } }],
      }),
    ),
  },
};
