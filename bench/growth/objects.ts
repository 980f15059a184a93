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
  upTo,
  ON_PLANS,
} from "./dimension";
import { labelled, policy } from "./policies";

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
const addressPool = (name: string, addresses: string[]): FuzzedResource =>
  object(
    "metallb.io/v1beta1",
    "IPAddressPool",
    { name, namespace: "metallb-system" },
    { spec: { addresses } },
  );
const machine = (place: number): string => `10.200.${(place >> 8) & 255}.${place & 255}`;

/** Kubernetes objects that send packets out, run or are reached. Read as manifests without a plan, which some commands ignore. */
export const OBJECTS: Readonly<Record<string, Dimension>> = {
  "egress-ips": {
    title: "EgressIPs with selectors of their own",
    from: 250,
    commands: ON_PLANS,
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
    make: besideCluster((place) =>
      egressFirewall(place === 0 ? "default" : `more-${place}`, "shop", [to("Allow", block24(place))]),
    ),
  },
  "egress-firewalls-elsewhere": {
    title: "EgressFirewalls in namespaces of their own",
    from: 500,
    make: besideCluster((place) => egressFirewall("default", `shop-${place}`, [to("Deny", "0.0.0.0/0")])),
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
    make: besideCluster((place) =>
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
  },
  "balancer-pools": {
    title: "pools of load balancers in the pod network",
    from: 250,
    make: besideCluster((place) => addressPool(`lb-${place}`, [`10.132.${place & 255}.0/24`])),
  },
  "balancer-pools-and-egress-ips": {
    title: "pools of load balancers x EgressIPs that lie in all of them",
    from: 125,
    make: (count) => ({
      resources: [
        ...egressIps(count, (place) => ({
          egressIPs: [machine(place + 10)],
          namespaceSelector: labelled(place, "team"),
        })).resources,
        ...upTo(count, (place) =>
          addressPool(`lb-${place}`, [`10.200.0.0-10.200.${(place >> 8) & 255}.255`]),
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
    make: besideCluster((place) =>
      object(
        "v1",
        "Pod",
        { name: `pod-${place}`, namespace: CONTROL_PLANE, labels: { app: `app-${place}` } },
        { spec: { hostNetwork: place % 2 === 0, containers: [{ name: "one", image: "one" }] } },
      ),
    ),
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
