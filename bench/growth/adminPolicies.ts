import type { JsonObject } from "../../local/fuzz/json";
import type { FuzzedResource } from "../../local/fuzz/samples";
import { block24, cluster, CONTROL_PLANE, type Dimension, host, object, readBy, upTo } from "./dimension";
import { labels, resources } from "./parts";
import { labelled, policy } from "./policies";

const on = readBy(["check", "prove", "pack"], 125);
const each = (title: string, of: (place: number) => readonly FuzzedResource[]): Dimension =>
  on(title, (count) => resources(count, of, cluster()));
const admin = (name: string, spec: JsonObject, kind = "AdminNetworkPolicy"): FuzzedResource =>
  object("policy.networking.k8s.io/v1alpha1", kind, { name }, { spec });
const one = (title: string, of: (count: number) => JsonObject, more: Partial<Dimension> = {}): Dimension =>
  on(
    title,
    (count) => ({
      resources: [cluster(), admin("one", { priority: 1, subject: { namespaces: {} }, ...of(count) })],
    }),
    more,
  );
/** A policy that admits pods of its namespace on that many ports. */
const ports = (
  title: string,
  port: (place: number) => JsonObject,
  more: Partial<Dimension> = {},
): Dimension =>
  on(
    title,
    (count) => ({
      resources: [
        cluster(),
        policy("policy", {
          podSelector: {},
          ingress: [{ from: [{ podSelector: {} }], ports: upTo(count, port) }],
        }),
      ],
    }),
    more,
  );
const pod = (name: string, own: JsonObject): FuzzedResource =>
  object(
    "v1",
    "Pod",
    { name, namespace: CONTROL_PLANE, labels: own },
    { spec: { containers: [{ name: "one", image: "one" }] } },
  );
const expression = (key: string, operator: string, values?: readonly string[]): JsonObject => ({
  matchExpressions: [{ key, operator, ...(values && { values }) }],
});
const rule = (place: number): JsonObject => ({
  action: place % 2 === 0 ? "Allow" : "Deny",
  from: [{ namespaces: labelled(place, "team") }],
  ports: [{ portNumber: { protocol: "TCP", port: 6443 } }],
});

/** Network policies next to pods and namespaces, with further selectors, and policies of administrators. */
export const ADMIN_POLICIES: Readonly<Record<string, Dimension>> = {
  "policies-and-pods": each("NetworkPolicies x pods", (place) => [
    pod(`pod-${place}`, { app: `app-${place}` }),
    policy(`policy-${place}`, {
      podSelector: labelled(place),
      ingress: [{ from: [{ podSelector: labelled(place + 1) }] }],
    }),
  ]),
  "policies-and-namespaces": each("NetworkPolicies x Namespaces", (place) => [
    object("v1", "Namespace", { name: `shop-${place}`, labels: { team: `team-${place}` } }, {}),
    policy(`policy-${place}`, {
      podSelector: {},
      ingress: [{ from: [{ namespaceSelector: labelled(place, "team") }] }],
    }),
  ]),
  "pod-labels": on("NetworkPolicies x labels of a pod", (count) => ({
    resources: [
      cluster(),
      pod("pod", labels(count)),
      ...upTo(count, (place) =>
        policy(`policy-${place}`, {
          podSelector: { matchLabels: { [`key-${place}`]: `${place}` } },
          ingress: [{ from: [{ podSelector: {} }] }],
        }),
      ),
    ],
  })),
  "policies-that-are-equal": each("NetworkPolicies that let everything in", (place) => [
    policy(`policy-${place}`, { podSelector: {}, ingress: [{}] }),
  ]),
  "policies-that-deny": each("NetworkPolicies that deny", (place) => [
    policy(`policy-${place}`, { podSelector: {}, policyTypes: ["Ingress", "Egress"] }),
  ]),
  "policies-of-egress": each("NetworkPolicies of egress", (place) => [
    policy(`policy-${place}`, {
      podSelector: labelled(place),
      policyTypes: ["Egress"],
      egress: [
        {
          to: [{ ipBlock: { cidr: block24(place), except: [host((1 << 16) + 256 * place)] } }],
          ports: [{ protocol: "TCP", port: 443 }],
        },
      ],
    }),
  ]),
  "policies-but-some": {
    ...each("NetworkPolicies that select by NotIn", (place) => [
      policy(`policy-${place}`, {
        podSelector: expression("app", "NotIn", [`app-${place}`]),
        ingress: [{ from: [{ podSelector: expression("role", "NotIn", [`role-${place}`]) }] }],
      }),
    ]),
    pairs:
      "each policy selects all kinds of pods but one, and every kind is judged under all policies but its own",
  },
  "policies-by-keys": each("NetworkPolicies that select by Exists", (place) => [
    policy(`policy-${place}`, {
      podSelector: expression(`key-${place}`, "Exists"),
      ingress: [{ from: [{ podSelector: {} }] }],
    }),
  ]),
  "pods-of-namespaces": on("podSelector and namespaceSelector peers in a rule", (count) => ({
    resources: [
      cluster(),
      policy("policy", {
        podSelector: {},
        ingress: [
          {
            from: upTo(count, (place) => ({
              podSelector: labelled(place),
              namespaceSelector: labelled(place, "team"),
            })),
          },
        ],
      }),
    ],
  })),
  "policy-port-ranges": ports(
    "ranges of ports of a rule in a NetworkPolicy",
    (place) => ({ protocol: "TCP", port: 1 + place, endPort: 60_000 - place }),
    { upTo: 16_000 },
  ),
  "policy-named-ports": ports("named ports of a rule in a NetworkPolicy", (place) => ({
    protocol: "TCP",
    port: `name-${place}`,
  })),
  "admin-rules": one("rules of an AdminNetworkPolicy", (count) => ({ ingress: upTo(count, rule) })),
  "admin-egress-rules": one("egress rules of an AdminNetworkPolicy", (count) => ({
    egress: upTo(count, (place) => ({ action: "Allow", to: [{ networks: [block24(place)] }] })),
  })),
  "admin-networks": one("networks of a rule of an AdminNetworkPolicy", (count) => ({
    egress: [{ action: "Allow", to: [{ networks: upTo(count, block24) }] }],
  })),
  "admin-ports": one(
    "ports of a rule of an AdminNetworkPolicy",
    (count) => ({
      ingress: [
        {
          action: "Deny",
          from: [{ namespaces: {} }],
          ports: upTo(count, (place) => ({ portNumber: { protocol: "TCP", port: 1 + 2 * place } })),
        },
      ],
    }),
    { upTo: 16_000 },
  ),
  "admin-subjects": each("AdminNetworkPolicies with subjects of their own", (place) => [
    admin(`admin-${place}`, {
      priority: place % 1_000,
      subject: { pods: { namespaceSelector: labelled(place, "team"), podSelector: labelled(place) } },
      ingress: [
        {
          action: "Deny",
          from: [{ pods: { namespaceSelector: {}, podSelector: labelled(place, "role") } }],
        },
      ],
    }),
  ]),
  "baseline-rules": on("rules of a BaselineAdminNetworkPolicy", (count) => ({
    resources: [
      cluster(),
      admin(
        "default",
        { subject: { namespaces: {} }, ingress: upTo(count, rule) },
        "BaselineAdminNetworkPolicy",
      ),
    ],
  })),
  "cluster-policies": each("ClusterNetworkPolicies", (place) => [
    object(
      "policy.networking.k8s.io/v1alpha2",
      "ClusterNetworkPolicy",
      { name: `policy-${place}` },
      {
        spec: {
          tier: "Admin",
          priority: place % 1_000,
          subject: { namespaces: {} },
          ingress: [{ action: "Deny", from: [{ namespaces: labelled(place, "team") }] }],
        },
      },
    ),
  ]),
};
