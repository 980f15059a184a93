import { jsonList } from "../../local/fuzz/documents";
import type { JsonObject } from "../../local/fuzz/json";
import type { FuzzedResource } from "../../local/fuzz/samples";
import { TYPE } from "../../src/resources/resourceTypes";
import {
  block24,
  cluster,
  CONTROL_PLANE,
  type Command,
  type Dimension,
  type Grown,
  object,
  readBy,
  resource,
  upTo,
} from "./dimension";
import { networking, node, nodePool, resources, tcp, TENANT } from "./parts";

const COMMANDS: readonly Command[] = ["check", "check-map", "report", "plan", "prove", "pack"];
const shown = readBy(COMMANDS, 20);
/** That many hosted clusters, each with its resources. */
const each = (
  title: string,
  of: (place: number) => readonly FuzzedResource[],
  more: Partial<Dimension> = {},
): Dimension => shown(title, (count) => resources(count, of), more);
const stated = readBy(["check", "check-map", "report", "plan", "change"], 20);
const configured = (title: string, of: (place: number) => JsonObject): Dimension => {
  const make = (count: number, more: JsonObject = {}): Grown => ({
    configuration: {
      hostedClusters: upTo(count, (place) => ({ ...TENANT, ...more, name: `tenant-${place}`, ...of(place) })),
    },
    resources: [cluster()],
  });
  return stated(title, make, { before: (count) => make(count, { release: "4.19" }) });
};
const SERVICES = ["APIServer", "OAuthServer", "Konnectivity", "Ignition"];
const published = (strategy: (position: number) => JsonObject): JsonObject => ({
  services: SERVICES.map((service, position) => ({ service, servicePublishingStrategy: strategy(position) })),
});
const ownNamespace = (place: number): string => `clusters-tenant-${place}`;
const OURS = "hypershift.openshift.io/cluster";

const POOLS: JsonObject = {
  machineNetwork: ["10.0.0.0/11"],
  clusterNetwork: ["10.64.0.0/10", "10.128.0.0/9"],
  serviceNetwork: ["172.16.0.0/12"],
  internalJoinSubnet: ["100.64.0.0/11"],
  internalTransitSwitchSubnet: ["100.96.0.0/11"],
};
/** A fleet document with that many clusters, as users write it. */
const fleet = (count: number, more: JsonObject = {}): JsonObject => ({
  apiVersion: "hypershift-network/v1",
  kind: "Fleet",
  spec: {
    pools: POOLS,
    reuse: ["serviceNetwork", "internalJoinSubnet", "internalTransitSwitchSubnet"],
    defaults: { platform: "AWS", release: "4.20", podsPerNode: 29, zones: 3 },
    clusters: upTo(count, (place) => ({ name: `tenant-${place}`, nodes: 3 + (place % 40) })),
    ...more,
  },
});
const planned = (
  title: string,
  document: (count: number) => JsonObject,
  more: Partial<Dimension> = {},
): Dimension => ({
  title,
  from: 100,
  commands: ["fleet"],
  make: (count) => ({ configuration: document(count) }),
  ...more,
});
const beside = (title: string, of: (place: number) => FuzzedResource): Dimension =>
  planned(title, fleet, {
    make: (count) => ({ configuration: fleet(count), resources: upTo(count, of) }),
  });

const allowSame = (name: string): FuzzedResource =>
  object(
    "networking.k8s.io/v1",
    "NetworkPolicy",
    { name, namespace: CONTROL_PLANE },
    { spec: { podSelector: {}, policyTypes: ["Ingress"], ingress: [{ from: [{ podSelector: {} }] }] } },
  );
const allowPort = (name: string, port: number): FuzzedResource =>
  object(
    "networking.k8s.io/v1",
    "NetworkPolicy",
    { name, namespace: CONTROL_PLANE },
    { spec: { podSelector: {}, policyTypes: ["Ingress"], ingress: [{ ports: [{ port }] }] } },
  );
/** By a provider of its own, under a name that no other resource has. */
const by = (place: number) => ({ name: `one-${place}`, provider: `east-${place}` });
/** The objects of one management cluster, with a hosted cluster whose name is the same in all of them. */
const MANAGEMENT_CLUSTER: readonly FuzzedResource[] = [
  cluster(0),
  object("v1", "Namespace", { name: CONTROL_PLANE }, {}),
  allowSame("same"),
  object(
    "policy.networking.k8s.io/v1alpha1",
    "AdminNetworkPolicy",
    { name: "open" },
    {
      spec: {
        priority: 1,
        subject: { namespaces: {} },
        ingress: [{ action: "Allow", from: [{ namespaces: {} }] }],
      },
    },
  ),
  object(
    "operator.openshift.io/v1",
    "Network",
    { name: "cluster" },
    {
      spec: {
        defaultNetwork: { type: "OVNKubernetes", ovnKubernetesConfig: { ipsecConfig: { mode: "Full" } } },
      },
    },
  ),
  object(
    "config.openshift.io/v1",
    "Proxy",
    { name: "cluster" },
    {
      spec: { httpsProxy: "http://proxy.example.com:3128", noProxy: "10.0.0.0/8" },
    },
  ),
];

/** Many hosted clusters: their relations, their resources and their ranges. */
export const FLEETS: Readonly<Record<string, Dimension>> = {
  "clusters-of-one-network": each(
    "hosted clusters, many with the same machines",
    (place) => [cluster(place)],
    {
      commands: [...COMMANDS, "flows", "diff", "explain"],
      explained: "10.200.0.1",
    },
  ),
  "clusters-apart": each("hosted clusters whose networks are apart", (place) => [
    cluster(
      place,
      networking([{ cidr: block24(3 * place) }], {
        clusterNetwork: [{ cidr: block24(3 * place + 1) }],
        serviceNetwork: [{ cidr: block24(3 * place + 2) }],
      }),
    ),
  ]),
  "clusters-of-one-name": each("hosted clusters of one name", (place) => [
    { ...cluster(0), name: `cluster-${place}` },
  ]),
  "clusters-in-folders": {
    title: "management clusters in folders, each with a hosted cluster of one name",
    from: 20,
    commands: ["check", "prove"],
    make: (count) => ({
      files: {
        // A policy of all of them, as in the base of overlays.
        "policy.json": JSON.stringify(allowSame("shared").properties),
        ...Object.fromEntries(
          upTo(count, (place) => [
            `cluster-${place}/cluster.json`,
            jsonList(MANAGEMENT_CLUSTER.map(({ properties }) => properties)),
          ]),
        ),
      },
    }),
  },
  "clusters-by-providers": {
    title: "management clusters by provider, each with a hosted cluster of one name",
    from: 20,
    commands: ["check", "prove", "pack"],
    make: (count) =>
      resources(count, (place) =>
        MANAGEMENT_CLUSTER.map((one) => ({
          ...one,
          name: `${one.name}-${place}`,
          provider: `east-${place}`,
        })),
      ),
  },
  "policies-of-two-folders": {
    title: "policies that differ in two folders, each with a hosted cluster of one name",
    from: 50,
    commands: ["check", "prove"],
    make: (count) => ({
      files: Object.fromEntries(
        ["east", "west"].flatMap((folder, side) => [
          [`${folder}/clusters.json`, jsonList(upTo(count, (place) => cluster(place).properties))],
          [
            `${folder}/policies.json`,
            jsonList(upTo(count, (place) => allowPort(`policy-${place}`, 8000 + side).properties)),
          ],
        ]),
      ),
    }),
  },
  "policy-by-providers": {
    title: "policies of one name by provider",
    from: 250,
    commands: ["check", "prove", "pack"],
    make: (count) => ({
      resources: [
        cluster(),
        ...upTo(count, (place) => ({ ...allowPort("same", 8000 + place), ...by(place) })),
      ],
    }),
  },
  "configured-clusters-by-providers": {
    title: "hosted clusters of one name by provider, each with an entry of the configuration",
    from: 20,
    commands: ["check", "prove", "pack"],
    make: (count) => ({
      ...resources(count, (place) => [{ ...cluster(), ...by(place) }]),
      configuration: {
        hostedClusters: upTo(count, (place) => ({ ...TENANT, managementCluster: `east-${place}` })),
      },
    }),
  },
  "patched-clusters-of-one-name": each("hosted clusters of one name, each with a patch", (place) => {
    const { type, properties } = cluster();
    const metadata = { name: "tenant", namespace: `team-${place}` };
    const patched: JsonObject = { spec: { release: { image: "quay.io/ocp-release:4.20.4-x86_64" } } };
    return [
      { type, name: `cluster-${place}`, properties: { ...properties, metadata } },
      { type: `${type}Patch`, name: `patch-${place}`, properties: { ...patched, metadata } },
    ];
  }),
  "pools-by-providers": each("address pools of hosted clusters by provider", (place) => [
    { ...cluster(place), ...by(place) },
    {
      ...object(
        "metallb.io/v1beta1",
        "IPAddressPool",
        { name: "pool", namespace: "metallb-system" },
        { spec: { addresses: ["10.132.7.0/24"] } },
      ),
      ...by(place),
    },
  ]),
  "hidden-node-pools": each("hosted clusters and NodePools whose cluster name is a secret", (place) => [
    cluster(place),
    nodePool(place, { clusterName: "[secret]" }),
  ]),
  "clusters-of-one-host-name": each("hosted clusters that publish one host name", (place) => [
    cluster(
      place,
      published(() => ({ type: "Route", route: { hostname: "api.example.com" } })),
    ),
  ]),
  "clusters-of-one-node-port": each("hosted clusters that publish one node port", (place) => [
    cluster(place, {
      platform: { type: "None" },
      ...published((position) => ({
        type: "NodePort",
        nodePort: { address: "10.1.1.1", port: 30_000 + position },
      })),
    }),
  ]),
  "clusters-with-vpcs": each("hosted clusters with a VPC each at one transit gateway", (place) => [
    ...(place === 0 ? [resource(TYPE.transitGateway, "tgw-1", {})] : []),
    cluster(place, {
      ...networking([{ cidr: block24(place) }]),
      platform: {
        type: "AWS",
        aws: {
          endpointAccess: "Private",
          region: "us-east-1",
          cloudProviderConfig: { vpc: `vpc-${place}` },
        },
      },
    }),
    resource(TYPE.vpc, `vpc-${place}`, { cidrBlock: block24(place) }),
    resource(TYPE.transitGatewayAttachment, `at-${place}`, {
      transitGatewayId: "tgw-1",
      vpcId: `vpc-${place}`,
    }),
  ]),
  "clusters-with-nodes": each("hosted clusters with a node each", (place) => [
    cluster(place, { nodeSelector: { [OURS]: ownNamespace(place) } }),
    node(
      place,
      { [OURS]: ownNamespace(place) },
      { taints: [{ key: OURS, value: ownNamespace(place), effect: "NoSchedule" }] },
    ),
  ]),
  "clusters-with-policies": each("hosted clusters with a NetworkPolicy each", (place) => [
    cluster(place),
    object(
      "networking.k8s.io/v1",
      "NetworkPolicy",
      { name: "own", namespace: ownNamespace(place) },
      { spec: { podSelector: {}, ingress: [{ from: [{ podSelector: {} }] }] } },
    ),
  ]),
  "clusters-with-firewalls": each("hosted clusters with an EgressFirewall each", (place) => [
    cluster(place),
    object(
      "k8s.ovn.org/v1",
      "EgressFirewall",
      { name: "default", namespace: ownNamespace(place) },
      { spec: { egress: [{ type: "Deny", to: { cidrSelector: "0.0.0.0/0" } }] } },
    ),
  ]),
  "clusters-of-components": each("components with a hosted cluster each", (place) => [
    {
      type: "hypershift-network:index:HostedClusterNetwork",
      name: `net-${place}`,
      properties: {
        topology: { ...TENANT, name: `tenant-${place}`, machineNetwork: [{ cidr: block24(place) }] },
      },
    },
  ]),
  "cluster-patches": each("patches on one HostedCluster", (place) => [
    ...(place === 0 ? [cluster()] : []),
    {
      type: "kubernetes:hypershift.openshift.io/v1beta1:HostedClusterPatch",
      name: `patch-${place}`,
      properties: {
        apiVersion: "hypershift.openshift.io/v1beta1",
        kind: "HostedCluster",
        metadata: { name: "tenant-0", namespace: "clusters" },
        spec: { nodeSelector: { [`key-${place}`]: "x" } },
      },
    },
  ]),
  "configured-clusters": {
    ...configured("hosted clusters of the configuration", (place) => ({
      machineNetwork: [{ cidr: block24(place) }],
    })),
    commands: ["check", "prove", "plan", "change", "flows", "report"],
  },
  "configured-clusters-of-one-network": configured(
    "hosted clusters of the configuration with one network",
    () => ({}),
  ),
  "management-clusters": configured("management clusters of the configuration", (place) => ({
    managementCluster: `management-${place}`,
  })),
  "configured-clusters-with-groups": {
    ...configured("", () => ({})),
    title: "hosted clusters of the configuration with groups each",
    commands: ["check", "prove", "pack"],
    make: (count) => ({
      configuration: {
        hostedClusters: upTo(count, (place) => ({
          ...TENANT,
          name: `tenant-${place}`,
          securityGroups: { controlPlane: [`sg-${place}`], workers: [`sg-w${place}`] },
        })),
      },
      ...resources(count, (place) => [
        resource(TYPE.securityGroup, `sg-${place}`, {
          ingress: [{ ...tcp(6443), securityGroups: [`sg-w${place}`] }],
        }),
        resource(TYPE.securityGroup, `sg-w${place}`, { ingress: [] }),
      ]),
    }),
  },
  fleet: planned("clusters of a fleet", fleet),
  "fleet-that-does-not-fit": planned("clusters of a fleet that do not fit", (count) =>
    fleet(count, { pools: { ...POOLS, machineNetwork: ["10.0.0.0/28"] } }),
  ),
  "fleet-pools": planned("pools of a fleet", (count) =>
    fleet(5, { pools: { ...POOLS, machineNetwork: upTo(count, block24) } }),
  ),
  "fleet-pools-and-clusters": planned("clusters of a fleet x its pools", (count) =>
    fleet(count, { pools: { ...POOLS, machineNetwork: upTo(count, block24) } }),
  ),
  "fleet-pools-without-room": planned("clusters of a fleet x pools without room for them", (count) =>
    fleet(count, {
      pools: { ...POOLS, machineNetwork: upTo(count, (place) => `10.${place >> 8}.${place & 255}.0/30`) },
    }),
  ),
  "fleet-taken": planned("taken blocks of a fleet", (count) =>
    fleet(5, { taken: upTo(count, (place) => ({ name: `net-${place}`, cidr: block24(place) })) }),
  ),
  "fleet-and-clusters": beside("clusters beside a fleet", (place) => cluster(place)),
  "fleet-and-namesakes": {
    title: "clusters of a fleet x deployed clusters by provider, all of one name",
    from: 25,
    commands: ["fleet"],
    make: (count) => ({
      configuration: fleet(1, {
        clusters: upTo(count, (place) => ({
          name: "tenant-0",
          managementCluster: `${place % 2 === 0 ? "east" : "west"}-${place}`,
          nodes: 3,
        })),
      }),
      ...resources(count, (place) => [{ ...cluster(), ...by(place) }]),
    }),
  },
  "fleet-and-vpcs": beside("VPCs beside a fleet", (place) =>
    resource(TYPE.vpc, `vpc-${place}`, { cidrBlock: `10.${(place >> 8) & 31}.${place & 255}.0/24` }),
  ),
  "fleet-of-one-name": planned(
    "clusters of a fleet with one name",
    (count) => fleet(1, { clusters: upTo(count, () => ({ name: "tenant", nodes: 3 })) }),
    { refused: true },
  ),
  "fleet-faults": planned(
    "faults of a fleet",
    (count) =>
      fleet(1, { clusters: upTo(count, (place) => ({ name: `tenant-${place}`, nodes: -3, no: 1 })) }),
    { refused: true },
  ),
};
