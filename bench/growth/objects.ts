import type { JsonObject } from "../../local/fuzz/json";
import type { FuzzedResource } from "../../local/fuzz/samples";
import {
  block24,
  cluster,
  type Command,
  CONTROL_PLANE,
  type Dimension,
  host,
  object,
  ON_PLANS,
  upTo,
} from "./dimension";

const policy = (name: string, spec: JsonObject): FuzzedResource =>
  object("networking.k8s.io/v1", "NetworkPolicy", { name, namespace: CONTROL_PLANE }, { spec });
const policies = (count: number, spec: (place: number) => JsonObject) => ({
  resources: [cluster(), ...upTo(count, (place) => policy(`policy-${place}`, spec(place)))],
});
const onePolicy = (spec: JsonObject) => ({ resources: [cluster(), policy("policy", spec)] });
const ports = (port: number) => [{ protocol: "TCP", port }];
const labelled = (place: number, key = "app"): JsonObject => ({ matchLabels: { [key]: `${key}-${place}` } });
const egressFirewall = (name: string, namespace: string, egress: JsonObject[]): FuzzedResource =>
  object("k8s.ovn.org/v1", "EgressFirewall", { name, namespace }, { spec: { egress } });
const firewall = (egress: JsonObject[]) => ({
  resources: [cluster(), egressFirewall("default", "shop", egress)],
});
const to = (type: string, cidrSelector: string, more: JsonObject = {}): JsonObject => ({
  type,
  to: { cidrSelector },
  ...more,
});
const egressIps = (count: number, spec: (place: number) => JsonObject) => ({
  resources: [
    cluster(),
    ...upTo(count, (place) =>
      object("k8s.ovn.org/v1", "EgressIP", { name: `ip-${place}` }, { spec: spec(place) }),
    ),
  ],
});
const machine = (place: number): string => `10.200.${(place >> 8) & 255}.${place & 255}`;
const admin = (name: string, priority: number, rule: JsonObject): FuzzedResource =>
  object(
    "policy.networking.k8s.io/v1alpha1",
    "AdminNetworkPolicy",
    { name },
    { spec: { priority, subject: { namespaces: {} }, ingress: [rule] } },
  );

/** Objects without a plan are read as manifests, and a part of the commands has nothing to say of them. */
const ON_OBJECTS: readonly Command[] = ["check", "prove", "report", "diff", "pack"];

/** Kubernetes objects that filter packets or send them out. */
export const OBJECTS: Readonly<Record<string, Dimension>> = {
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
    make: (count) => ({
      resources: [
        cluster(),
        ...upTo(count, (place) =>
          object(
            "networking.k8s.io/v1",
            "NetworkPolicy",
            { name: "own", namespace: `shop-${place}` },
            { spec: { podSelector: labelled(place), ingress: [{ from: [{ podSelector: {} }] }] } },
          ),
        ),
      ],
    }),
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
    make: (count) => ({
      resources: [
        cluster(),
        ...upTo(count, (place) =>
          admin(`admin-${place}`, place % 1_000, {
            action: "Deny",
            from: [{ namespaces: labelled(place, "team") }],
            ports: [{ portNumber: { protocol: "TCP", port: 6443 } }],
          }),
        ),
      ],
    }),
  },
  "egress-ips": {
    title: "EgressIPs with selectors of their own",
    from: 250,
    commands: ON_OBJECTS,
    make: (count) =>
      egressIps(count, (place) => ({
        egressIPs: [machine(place + 10)],
        namespaceSelector: labelled(place, "team"),
      })),
  },
  "egress-ips-of-one-namespace": {
    title: "EgressIPs that select the same namespaces",
    from: 125,
    make: (count) =>
      egressIps(count, (place) => ({
        egressIPs: [machine(place + 10)],
        namespaceSelector: { matchLabels: { team: "shop" } },
      })),
  },
  "egress-ips-of-one-address": {
    title: "EgressIPs with one address",
    from: 125,
    make: (count) =>
      egressIps(count, (place) => ({
        egressIPs: [machine(10)],
        namespaceSelector: labelled(place, "team"),
      })),
  },
  "egress-addresses": {
    title: "addresses of an EgressIP",
    from: 500,
    make: (count) =>
      egressIps(1, () => ({
        egressIPs: upTo(count, (place) => machine(place + 10)),
        namespaceSelector: { matchLabels: { team: "shop" } },
      })),
  },
  "egress-firewalls": {
    title: "EgressFirewalls in a namespace",
    from: 1_000,
    make: (count) => ({
      resources: [
        cluster(),
        ...upTo(count, (place) =>
          egressFirewall(place === 0 ? "default" : `more-${place}`, "shop", [to("Allow", block24(place))]),
        ),
      ],
    }),
  },
  "egress-firewalls-elsewhere": {
    title: "EgressFirewalls in namespaces of their own",
    from: 500,
    make: (count) => ({
      resources: [
        cluster(),
        ...upTo(count, (place) => egressFirewall("default", `shop-${place}`, [to("Deny", "0.0.0.0/0")])),
      ],
    }),
  },
  "firewall-rules": {
    title: "rules of an EgressFirewall",
    from: 1_000,
    upTo: 32_000,
    make: (count) => firewall(upTo(count, (place) => to(place % 2 === 0 ? "Allow" : "Deny", block24(place)))),
  },
  "firewall-surplus": {
    title: "EgressFirewall rules, all surplus",
    from: 1_000,
    upTo: 32_000,
    make: (count) =>
      firewall([to("Deny", "0.0.0.0/0"), ...upTo(count, (place) => to("Allow", block24(place)))]),
  },
  "firewall-surplus-by-many": {
    title: "EgressFirewall rules that many rules before them take",
    from: 500,
    upTo: 16_000,
    make: (count) =>
      firewall([
        ...upTo(count, (place) => to("Allow", host(2 * place))),
        ...upTo(count, () => to("Deny", "11.0.0.0/8")),
      ]),
  },
  "firewall-names": {
    title: "rules of an EgressFirewall for DNS names",
    from: 1_000,
    upTo: 32_000,
    make: (count) =>
      firewall(upTo(count, (place) => ({ type: "Allow", to: { dnsName: `host-${place}.example.com` } }))),
  },
  "firewall-ports": {
    title: "ports of an EgressFirewall rule",
    from: 1_000,
    upTo: 32_000,
    make: (count) =>
      firewall([
        to("Allow", "11.0.0.0/8", {
          ports: upTo(count, (place) => ({ protocol: "TCP", port: 1 + 2 * (place % 32_000) })),
        }),
        to("Deny", "0.0.0.0/0"),
      ]),
  },
  "router-redirects": {
    title: "redirects of an EgressRouter",
    from: 500,
    upTo: 32_000,
    make: (count) => ({
      resources: [
        cluster(),
        object(
          "network.operator.openshift.io/v1",
          "EgressRouter",
          { name: "legacy", namespace: "shop" },
          {
            spec: {
              mode: "Redirect",
              addresses: [{ ip: "10.200.0.9/16", gateway: "10.200.0.1" }],
              redirect: {
                redirectRules: upTo(count, (place) => ({
                  port: 1 + (place % 65_000),
                  protocol: "TCP",
                  destinationIP: host(place).slice(0, -3),
                })),
              },
            },
          },
        ),
      ],
    }),
  },
  routers: {
    title: "EgressRouters",
    from: 250,
    make: (count) => ({
      resources: [
        cluster(),
        ...upTo(count, (place) =>
          object(
            "network.operator.openshift.io/v1",
            "EgressRouter",
            { name: `legacy-${place}`, namespace: "shop" },
            {
              spec: {
                mode: "Redirect",
                addresses: [{ ip: `${machine(place + 10)}/16`, gateway: "10.200.0.1" }],
                redirect: { redirectRules: [{ port: 80, protocol: "TCP", destinationIP: "192.0.2.1" }] },
              },
            },
          ),
        ),
      ],
    }),
  },
  "node-pools": {
    title: "NodePools",
    from: 500,
    make: (count) => ({
      resources: [
        cluster(),
        ...upTo(count, (place) =>
          object(
            "hypershift.openshift.io/v1beta1",
            "NodePool",
            { name: `pool-${place}`, namespace: "clusters" },
            {
              spec: {
                clusterName: "tenant-0",
                replicas: 2,
                nodeLabels: { "k8s.ovn.org/egress-assignable": "" },
                platform: { type: "AWS" },
              },
            },
          ),
        ),
        object(
          "k8s.ovn.org/v1",
          "EgressIP",
          { name: "shop" },
          {
            spec: { egressIPs: [machine(9)], namespaceSelector: { matchLabels: { team: "shop" } } },
          },
        ),
      ],
    }),
  },
  nodes: {
    title: "nodes of a cluster",
    from: 500,
    make: (count) => ({
      resources: [
        cluster(0, { nodeSelector: { "hypershift.openshift.io/cluster": CONTROL_PLANE } }),
        ...upTo(count, (place) =>
          object(
            "v1",
            "Node",
            { name: `node-${place}`, labels: { "hypershift.openshift.io/cluster": CONTROL_PLANE } },
            { spec: { taints: [{ key: "other", value: "x", effect: "NoSchedule" }] } },
          ),
        ),
      ],
    }),
  },
  pods: {
    title: "pods of a control plane",
    from: 500,
    make: (count) => ({
      resources: [
        cluster(),
        ...upTo(count, (place) =>
          object(
            "v1",
            "Pod",
            { name: `pod-${place}`, namespace: CONTROL_PLANE, labels: { app: `app-${place}` } },
            { spec: { hostNetwork: place % 2 === 0, containers: [{ name: "one", image: "one" }] } },
          ),
        ),
      ],
    }),
  },
  containers: {
    title: "containers of a pod",
    from: 500,
    make: (count) => ({
      resources: [
        cluster(),
        object(
          "v1",
          "Pod",
          { name: "pod", namespace: CONTROL_PLANE },
          {
            spec: {
              containers: upTo(count, (place) => ({
                name: `c-${place}`,
                image: "one",
                securityContext: { privileged: true },
                ports: [{ containerPort: 1 + (place % 60_000), hostPort: 1 + (place % 60_000) }],
              })),
            },
          },
        ),
      ],
    }),
  },
  services: {
    title: "Services",
    from: 500,
    make: (count) => ({
      resources: [
        cluster(0, { release: { image: "quay.io/openshift-release-dev/ocp-release:4.7.1-x86_64" } }),
        ...upTo(count, (place) =>
          object(
            "v1",
            "Service",
            { name: `web-${place}`, namespace: "shop" },
            { spec: { type: "LoadBalancer", externalTrafficPolicy: "Local" } },
          ),
        ),
      ],
    }),
  },
  namespaces: {
    title: "Namespaces",
    from: 500,
    make: (count) => ({
      resources: [
        cluster(),
        policy("own", { podSelector: {}, ingress: [{ from: [{ namespaceSelector: labelled(1, "team") }] }] }),
        ...upTo(count, (place) =>
          object("v1", "Namespace", { name: `shop-${place}`, labels: { team: `team-${place}` } }, {}),
        ),
      ],
    }),
  },
  "networks-of-clusters": {
    title: "hybrid networks of a Network object",
    from: 250,
    make: (count) => ({
      resources: [
        cluster(),
        object(
          "operator.openshift.io/v1",
          "Network",
          { name: "cluster" },
          {
            spec: {
              defaultNetwork: {
                ovnKubernetesConfig: {
                  hybridOverlayConfig: {
                    hybridClusterNetwork: upTo(count, (place) => ({ cidr: block24(place), hostPrefix: 28 })),
                  },
                },
              },
            },
          },
        ),
      ],
    }),
  },
};
