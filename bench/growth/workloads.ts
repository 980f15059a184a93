import type { JsonObject } from "../../local/fuzz/json";
import type { FuzzedResource } from "../../local/fuzz/samples";
import {
  besideCluster,
  block24,
  cluster,
  CONTROL_PLANE,
  type Dimension,
  object,
  readBy,
  upTo,
} from "./dimension";
import { egressIp, labels, machine, networking, node, nodePool, resources } from "./parts";

const on = readBy(["check", "prove", "pack"], 250);
/**
 * An object of 1.5 MB, the most that etcd accepts, has fewer keys. Beyond this number, V8's hash table of an object's keys no longer
 * fits into the processor's caches, and its cost grows by four for twice as many keys.
 */
const KEYS = { upTo: 64_000 };
/** A property of a HostedCluster. */
const spec = (title: string, of: (count: number) => JsonObject, size?: typeof KEYS): Dimension =>
  on(title, (count) => ({ resources: [cluster(0, of(count))] }), size);
/** The resources for each place, in addition to the hosted cluster. */
const each = (title: string, of: (place: number) => readonly FuzzedResource[]): Dimension =>
  on(title, (count) => resources(count, of, cluster()));
const metadata = (title: string, of: (count: number) => JsonObject): Dimension =>
  on(
    title,
    (count) => {
      const { properties, ...rest } = cluster();
      const said = properties.metadata as JsonObject;
      return { resources: [{ ...rest, properties: { ...properties, metadata: { ...said, ...of(count) } } }] };
    },
    KEYS,
  );
const firewall = (egress: readonly JsonObject[], namespace = "shop"): FuzzedResource =>
  object("k8s.ovn.org/v1", "EgressFirewall", { name: "default", namespace }, { spec: { egress } });
const toNodes = (place: number): JsonObject => ({
  type: "Allow",
  to: { nodeSelector: { matchLabels: { pool: `pool-${place}` } } },
});
const namespace = (place: number): FuzzedResource =>
  object("v1", "Namespace", { name: `shop-${place}`, labels: { team: `team-${place}` } }, {});
const proxied = (noProxy: string): JsonObject => ({
  configuration: { proxy: { httpProxy: "http://proxy.example.com:3128", noProxy } },
});
const OURS = "hypershift.openshift.io/cluster";
const OPERATOR = "operator.openshift.io/v1";
const OLD = { release: { image: "quay.io/openshift-release-dev/ocp-release:4.7.1-x86_64" } };
const service = (more: JsonObject): FuzzedResource =>
  object(
    "v1",
    "Service",
    { name: "web", namespace: "shop" },
    { spec: { type: "LoadBalancer", externalTrafficPolicy: "Local", ...more } },
  );

/** Fields of HostedClusters, NodePools, nodes, pods and further networks. */
export const WORKLOADS: Readonly<Record<string, Dimension>> = {
  "cluster-labels": metadata("labels of a HostedCluster", (count) => ({ labels: labels(count) })),
  "cluster-annotations": metadata("annotations of a HostedCluster", (count) => ({
    annotations: labels(count),
  })),
  "cluster-fields": spec("unknown fields of a HostedCluster", labels, KEYS),
  "cluster-services": spec("services of a HostedCluster", (count) => ({
    services: upTo(count, (place) => ({
      service: `APIServer${place === 0 ? "" : place}`,
      servicePublishingStrategy: { type: "LoadBalancer" },
    })),
  })),
  "cluster-machines": spec("machineNetwork of a HostedCluster", (count) =>
    networking(upTo(count, (place) => ({ cidr: block24(place) }))),
  ),
  "cluster-machines-faults": spec("wrong entries of machineNetwork of a HostedCluster", (count) =>
    networking(upTo(count, (place) => ({ cidr: `10.300.${place}.0/x` }))),
  ),
  "cluster-no-proxy": spec("noProxy of a HostedCluster", (count) =>
    proxied(upTo(count, (place) => (place % 2 === 0 ? block24(place) : `.h-${place}.example.com`)).join(",")),
  ),
  "cluster-no-proxy-again": spec("equal noProxy entries of a HostedCluster", (count) =>
    proxied(upTo(count, () => "10.0.0.0/8,.a.example.com").join(",")),
  ),
  "cluster-no-proxy-faults": spec("wrong noProxy entries of a HostedCluster", (count) =>
    proxied(upTo(count, (place) => `*wrong-${place}/99`).join(",")),
  ),
  "cluster-node-selector": on(
    "nodeSelector of a HostedCluster",
    (count) => ({
      resources: [cluster(0, { nodeSelector: labels(count) }), node(1, labels(count)), node(2)],
    }),
    KEYS,
  ),
  "cluster-tolerations": on("tolerations of a HostedCluster x taints of its nodes", (count) => ({
    resources: [
      cluster(0, { tolerations: upTo(count, (place) => ({ key: `key-${place}`, operator: "Exists" })) }),
      node(
        1,
        { [OURS]: CONTROL_PLANE },
        { taints: upTo(count, (place) => ({ key: `key-${place}`, value: "x", effect: "NoSchedule" })) },
      ),
    ],
  })),
  "pool-labels": on(
    "nodeLabels of a NodePool",
    (count) => ({ resources: [cluster(), nodePool(0, { nodeLabels: labels(count) })] }),
    KEYS,
  ),
  "pool-taints": on("taints of a NodePool", (count) => ({
    resources: [
      cluster(),
      nodePool(0, {
        taints: upTo(count, (place) => ({ key: `key-${place}`, value: "x", effect: "NoSchedule" })),
      }),
    ],
  })),
  "pools-of-others": each("NodePools of other clusters", (place) => [
    nodePool(place, { clusterName: `other-${place}` }),
  ]),
  "pools-and-egress-ips": each("NodePools x EgressIPs", (place) => [
    nodePool(place, { nodeLabels: { "k8s.ovn.org/egress-assignable": "" } }),
    egressIp(place),
  ]),
  "nodes-and-egress-ips": each("nodes x EgressIPs", (place) => [
    node(place, { "k8s.ovn.org/egress-assignable": "" }),
    egressIp(place),
  ]),
  "namespaces-and-egress-ips": each("Namespaces x EgressIPs", (place) => [namespace(place), egressIp(place)]),
  "egress-ips-of-shared-labels": each("Namespaces x EgressIPs that share one of two labels", (place) => {
    const both = { env: "prod", own: `own-${place}` };
    return [
      object("v1", "Namespace", { name: `shop-${place}`, labels: both }, {}),
      egressIp(place, { matchLabels: both }),
    ];
  }),
  "egress-ips-of-no-label": each("Namespaces x EgressIPs that demand no value of a label", (place) => [
    object("v1", "Namespace", { name: `shop-${place}`, labels: { own: `own-${place}` } }, {}),
    egressIp(
      place,
      { matchExpressions: [{ key: "own", operator: "NotIn", values: [`own-${place}`] }] },
      { matchLabels: { app: `app-${place}` } },
    ),
  ]),
  "egress-ips-by-values": each("EgressIPs that select by In", (place) => [
    egressIp(place, { matchExpressions: [{ key: "team", operator: "In", values: [`team-${place}`] }] }),
  ]),
  "egress-ips-and-routers": each("EgressIPs x EgressRouters", (place) => [
    egressIp(place),
    object(
      "network.operator.openshift.io/v1",
      "EgressRouter",
      { name: `router-${place}`, namespace: `shop-${place}` },
      {
        spec: {
          mode: "Redirect",
          addresses: [{ ip: `${machine(place + 10)}/16` }],
          redirect: { redirectRules: [{ port: 80, protocol: "TCP", destinationIP: "192.0.2.1" }] },
        },
      },
    ),
  ]),
  "firewall-nodes": on("nodes x EgressFirewall rules that select them", (count) => ({
    resources: [
      cluster(),
      ...upTo(count, (place) => node(place, { pool: `pool-${place}` })),
      firewall(upTo(count, toNodes)),
    ],
  })),
  "firewall-pools": on("NodePools x EgressFirewall rules that select them", (count) => ({
    resources: [
      cluster(),
      ...upTo(count, (place) => nodePool(place, { nodeLabels: { pool: `pool-${place}` } })),
      firewall(upTo(count, toNodes)),
    ],
  })),
  "firewall-of-control-plane": on("rules of an EgressFirewall of a control plane", (count) => ({
    resources: [
      cluster(),
      firewall(
        upTo(count, (place) => ({
          type: place % 2 === 0 ? "Deny" : "Allow",
          to: { cidrSelector: block24(place) },
          ports: [{ protocol: "TCP", port: 443 }],
        })),
        CONTROL_PLANE,
      ),
    ],
  })),
  "nodes-and-pods": on("nodes x pods of a control plane", (count) => ({
    resources: [
      cluster(0, { nodeSelector: { [OURS]: CONTROL_PLANE } }),
      ...upTo(count, (place) => [
        node(place, { [OURS]: CONTROL_PLANE, [`pool-${place}`]: "x" }),
        object(
          "v1",
          "Pod",
          { name: `pod-${place}`, namespace: CONTROL_PLANE },
          {
            spec: {
              nodeName: `node-${place}`,
              nodeSelector: { [`pool-${place}`]: "x" },
              containers: [{ name: "one", image: "one" }],
            },
          },
        ),
      ]).flat(),
    ],
  })),
  deployments: {
    ...on("Deployments of a control plane", () => ({})),
    make: besideCluster((place) =>
      object(
        "apps/v1",
        "Deployment",
        { name: `app-${place}`, namespace: CONTROL_PLANE },
        {
          spec: {
            selector: { matchLabels: { app: `app-${place}` } },
            template: {
              metadata: { labels: { app: `app-${place}` } },
              spec: { containers: [{ name: "one", image: "one" }] },
            },
          },
        },
      ),
    ),
  },
  "machine-config-pools": each("MachineConfigPools x nodes", (place) => [
    object(
      "machineconfiguration.openshift.io/v1",
      "MachineConfigPool",
      { name: `pool-${place}` },
      { spec: { nodeSelector: { matchLabels: { [`pool-${place}`]: "" } } } },
    ),
    node(place, { [`pool-${place}`]: "" }),
  ]),
  "operator-networks": on("networks of the Network operator", (count) => ({
    resources: [
      cluster(),
      object(
        OPERATOR,
        "Network",
        { name: "cluster" },
        {
          spec: {
            additionalNetworks: upTo(count, (place) => ({
              name: `net-${place}`,
              namespace: "shop",
              type: "Raw",
              rawCNIConfig: "{}",
            })),
            clusterNetwork: upTo(count, (place) => ({ cidr: block24(place), hostPrefix: 26 })),
          },
        },
      ),
    ],
  })),
  "network-objects": each("Network objects", (place) => [
    object(
      OPERATOR,
      "Network",
      { name: `net-${place}` },
      {
        spec: {
          defaultNetwork: {
            ovnKubernetesConfig: { ipv4: { internalJoinSubnet: `100.${place & 255}.0.0/16` } },
          },
        },
      },
    ),
  ]),
  "user-networks": each("user-defined networks", (place) => [
    object(
      "k8s.ovn.org/v1",
      "UserDefinedNetwork",
      { name: "own", namespace: `shop-${place}` },
      { spec: { topology: "Layer3", layer3: { role: "Primary", subnets: [{ cidr: block24(place) }] } } },
    ),
  ]),
  "user-networks-that-overlap": each("user-defined networks with one block", (place) => [
    object(
      "k8s.ovn.org/v1",
      "ClusterUserDefinedNetwork",
      { name: `own-${place}` },
      { spec: { network: { topology: "Layer2", layer2: { role: "Primary", subnets: ["10.132.0.0/16"] } } } },
    ),
  ]),
  "egress-qos": each("EgressQoS objects", (place) => [
    object(
      "k8s.ovn.org/v1",
      "EgressQoS",
      { name: "default", namespace: `shop-${place}` },
      { spec: { egress: [{ dscp: 30, dstCIDR: block24(place) }] } },
    ),
  ]),
  "service-ports": on("ports of a Service", (count) => ({
    resources: [
      cluster(0, OLD),
      service({ ports: upTo(count, (place) => ({ name: `port-${place}`, port: 1 + (place % 65_000) })) }),
    ],
  })),
  "service-sources": on("loadBalancerSourceRanges of a Service", (count) => ({
    resources: [cluster(0, OLD), service({ loadBalancerSourceRanges: upTo(count, block24) })],
  })),
  proxies: each("Proxy objects", (place) => [
    object(
      "config.openshift.io/v1",
      "Proxy",
      { name: `proxy-${place}` },
      { spec: { httpProxy: "http://proxy.example.com:3128", noProxy: "a.example.com" } },
    ),
  ]),
  "address-plans": each("files of a ledger", (place) => [
    object(
      "hypershift-network/v1",
      "AddressPlan",
      { name: `tenant-${place}`, namespace: "clusters" },
      { spec: { ranges: { machineNetwork: [block24(place)] } } },
    ),
  ]),
};
