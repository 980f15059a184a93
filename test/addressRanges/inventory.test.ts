import { readPrefix } from "../../src/address";
import { inventoryAt, Reach } from "../../src/addressRanges/inventory";
import { JudgedResources } from "../../src/gate/judgedResources";
import type { Resource } from "../../src/resources/resource";
import { TYPE } from "../../src/resources/resourceTypes";
import {
  agent,
  egressIp,
  hostedCluster,
  loadBalancerPool,
  node,
  ovn,
  resource,
  type Properties,
} from "../rules/builders";
import { peering, vpcOf } from "./vpcs";

/** Everything that has addresses of a block, in order: the block, the name, the path and how it is reached. */
function at(block: string, ...resources: Resource[]): string[] {
  const judged = new JudgedResources(resources);
  const [{ topology, ...cluster }] = judged.clusters as [(typeof judged.clusters)[number]];
  return inventoryAt(judged, { ...cluster, topology: topology! }, readPrefix(block)!).map(
    ({ range, reach }) =>
      [range.prefix.text, range.name, range.at, ...(reach === undefined ? [] : [Reach[reach]])].join(" | "),
  );
}

const route = (name: string, destinationCidrBlock: string, target: Properties, of = "workers") => {
  const table = resource(TYPE.routeTable, of, { vpcId: `vpc-${of}`, id: `rtb-${of}` });
  return [table, resource(TYPE.route, name, { routeTableId: `rtb-${of}`, destinationCidrBlock, ...target })];
};
const byPeering = { vpcPeeringConnectionId: "pcx-1" };

test.each<[string, string, string[]]>([
  [
    "a network of the cluster",
    "10.132.0.9/32",
    ["10.132.0.0/14 | the cluster network | spec.networking.clusterNetwork[0].cidr"],
  ],
  [
    "a range that the cluster uses by default",
    "172.20.0.0/24",
    [
      "172.20.0.1/32 | the address at which nodes reach the API server | spec.networking.apiServer.advertiseAddress",
    ],
  ],
  ["nothing", "10.77.0.0/16", []],
])("the inventory at a block lists %s", (_, block, expected) => {
  expect(at(block, hostedCluster())).toEqual(expected);
});

test("addresses of nodes, EgressIP objects and load-balancer pools are listed at their objects", () => {
  const pool = loadBalancerPool(["10.0.0.0/29", "10.9.0.0/29"]);
  const machines = "10.0.0.0/16 | the machine network | spec.networking.machineNetwork[0].cidr";
  const objects = [agent, node("n", "10.0.0.5"), egressIp("shop", ["10.0.0.6"]), pool];
  expect(at("10.0.0.4/30", ...objects)).toEqual([
    machines,
    "10.0.0.5/32 | an address of Node n | status.addresses[0].address",
    "10.0.0.6/32 | an address of EgressIP shop | spec.egressIPs[0]",
    "10.0.0.0/29 | the load-balancer pool lb | spec.addresses[0]",
  ]);
  expect(at("10.0.0.8/30", ...objects)).toEqual([machines]);
});

test("of two clusters with one name, each has only the objects of its own management cluster", () => {
  const of = (provider: string, one: Resource): Resource => ({
    ...one,
    provider: `urn:pulumi:dev::test::pulumi:providers:kubernetes::${provider}`,
  });
  const clusters = ["stage", "prod"].map((name) => of(name, agent));
  expect(at("10.77.0.0/16", ...clusters, of("stage", node("n", "10.77.0.5")))).toHaveLength(1);
  expect(at("10.77.0.0/16", ...clusters, of("prod", node("n", "10.77.0.5")))).toEqual([]);
});

describe("the inventory lists VPCs", () => {
  test("in the order of how they are reached, then in the order of the stack", () => {
    const all = [
      ...vpcOf("apart", "10.77.0.0/24"),
      ...vpcOf("d", "10.77.1.0/24"),
      ...vpcOf("c", "10.77.2.0/24"),
      ...vpcOf("workers", "10.0.0.0/16", "10.77.3.0/24"),
    ];
    expect(
      at("10.77.0.0/16", hostedCluster(), ...all, peering("workers", "c"), peering("d", "workers")),
    ).toEqual([
      "10.77.3.0/24 | VPC workers | cidrBlock | Home",
      "10.77.2.0/24 | VPC c | cidrBlock | Connected",
      "10.77.1.0/24 | VPC d | cidrBlock | Connected",
      "10.77.0.0/24 | VPC apart | cidrBlock | Unconnected",
    ]);
  });

  test("by their subnets if the VPC itself is not in the stack", () => {
    const subnet = resource(TYPE.subnet, "a", { vpcId: "vpc-far", cidrBlock: "10.77.4.0/24" });
    const whole = [
      ...vpcOf("near", "10.77.0.0/16"),
      resource(TYPE.subnet, "b", { vpcId: "vpc-near", cidrBlock: "10.77.4.0/24" }),
    ];
    expect(at("10.77.4.0/25", hostedCluster(), subnet)).toEqual([
      "10.77.4.0/24 | subnet a | cidrBlock | Unconnected",
    ]);
    expect(at("10.77.4.0/25", hostedCluster(), ...whole)).toEqual([
      "10.77.0.0/16 | VPC near | cidrBlock | Unconnected",
    ]);
  });
});

describe("the inventory with a route of the workers", () => {
  const workers = vpcOf("workers", "10.0.0.0/16");
  const said = (block: string) =>
    `${block} | the network behind the peering (route r) | destinationCidrBlock`;

  test.each<[string, Resource[], string[]]>([
    [
      "lists the network behind the route if it is not in the input",
      route("r", "10.77.0.0/16", byPeering),
      [`${said("10.77.0.0/16")} | Connected`],
    ],
    [
      "omits the route if it leads to a reached VPC of the input",
      [...route("r", "10.77.0.0/16", byPeering), ...vpcOf("c", "10.77.0.0/16"), peering("workers", "c")],
      ["10.77.0.0/16 | VPC c | cidrBlock | Connected"],
    ],
    [
      "omits the route if it leads to a part of a reached VPC",
      [...route("r", "10.77.1.0/24", byPeering), ...vpcOf("c", "10.77.0.0/16"), peering("workers", "c")],
      ["10.77.0.0/16 | VPC c | cidrBlock | Connected"],
    ],
    [
      "lists both the VPC and the route if the route is wider than the VPC",
      [...route("r", "10.76.0.0/15", byPeering), ...vpcOf("c", "10.77.0.0/16"), peering("workers", "c")],
      ["10.77.0.0/16 | VPC c | cidrBlock | Connected", `${said("10.76.0.0/15")} | Connected`],
    ],
    [
      "lists both the VPC and the route if nothing connects the VPC",
      [...route("r", "10.77.0.0/16", byPeering), ...vpcOf("c", "10.77.0.0/16")],
      ["10.77.0.0/16 | VPC c | cidrBlock | Unconnected", `${said("10.77.0.0/16")} | Connected`],
    ],
    [
      "lists a route to a network interface without saying that it is connected",
      route("r", "10.77.0.0/16", { networkInterfaceId: "eni-1" }),
      ["10.77.0.0/16 | the network behind the network interface (route r) | destinationCidrBlock"],
    ],
    [
      "omits a route of another VPC",
      [...vpcOf("c", "10.99.0.0/16"), ...route("r", "10.77.0.0/16", byPeering, "c")],
      [],
    ],
  ])("%s", (_, others, expected) => {
    expect(at("10.77.1.0/24", hostedCluster(), ...workers, ...others)).toEqual(expected);
  });
});

describe("the inventory of a cluster on KubeVirt", () => {
  const network = (config: Properties = {}, more: Partial<Resource> = {}): Resource => ({
    ...resource("kubernetes:operator.openshift.io/v1:Network", "cluster", {
      spec: {
        clusterNetwork: [{ cidr: "10.77.0.0/16" }],
        serviceNetwork: ["172.30.0.0/16"],
        defaultNetwork: { ovnKubernetesConfig: config },
      },
    }),
    ...more,
  });
  const kubeVirt = (more: Partial<Resource> = {}) => ({
    ...hostedCluster({ platform: { type: "KubeVirt" } }),
    ...more,
  });
  const pods = ["10.77.0.0/16 | the cluster network of the management cluster | spec.clusterNetwork[0].cidr"];
  const provider = (name: string) => ({
    provider: `urn:pulumi:dev::test::pulumi:providers:kubernetes::${name}`,
  });
  const file = (folder: string) => ({ origin: { file: `${folder}/objects.yaml`, line: 1 } });

  test.each<[string, Resource[], string[]]>([
    ["lists the networks of its management cluster", [kubeVirt(), network()], pods],
    ["omits them if the cluster is not on KubeVirt", [hostedCluster(), network()], []],
    ["omits a Network object of another provider", [kubeVirt(provider("a")), network({}, provider("b"))], []],
    [
      "lists a Network object of the same provider",
      [kubeVirt(provider("a")), network({}, provider("a"))],
      pods,
    ],
    [
      "lists a Network object in another folder",
      [kubeVirt(file("tenants")), network({}, file("fleet"))],
      pods,
    ],
    [
      "omits a Network object that a component created for a hosted cluster",
      [
        kubeVirt(),
        resource("hypershift-network:index:HostedControlPlane", "ours", {}),
        network({}, { parent: "urn:pulumi:dev::test::hypershift-network:index:HostedControlPlane::ours" }),
      ],
      [],
    ],
  ])("%s", (_, resources, expected) => {
    expect(at("10.77.0.0/16", ...resources)).toEqual(expected);
  });

  test.each<[string, Properties, string, string[]]>([
    [
      "the service network",
      {},
      "172.30.0.0/16",
      ["172.30.0.0/16 | the service network of the management cluster | spec.serviceNetwork[0]"],
    ],
    [
      "the join subnet",
      { ipv4: { internalJoinSubnet: "100.99.0.0/16" } },
      "100.99.0.0/16",
      [
        "100.99.0.0/16 | OVN's join subnet of the management cluster | spec.defaultNetwork.ovnKubernetesConfig.ipv4.internalJoinSubnet",
      ],
    ],
    [
      "the default join subnet",
      {},
      "100.64.0.0/16",
      [
        "100.64.0.0/16 | OVN's default join subnet of the management cluster | spec.defaultNetwork.ovnKubernetesConfig.ipv4.internalJoinSubnet",
      ],
    ],
    // It stays inside the nodes.
    [
      "no transit switch subnet",
      { ipv4: { internalTransitSwitchSubnet: "100.99.0.0/16" } },
      "100.99.0.0/16",
      [],
    ],
  ])("lists of the management cluster: %s", (_, config, block, expected) => {
    expect(at(block, kubeVirt(), network(config))).toEqual(expected);
  });

  test("reads both Network objects of the management cluster as one", () => {
    const config = resource("kubernetes:config.openshift.io/v1:Network", "config", {
      spec: { clusterNetwork: [{ cidr: "10.77.0.0/16" }], serviceNetwork: ["172.30.0.0/16"] },
    });
    const settings = resource("kubernetes:operator.openshift.io/v1:Network", "cluster", {
      spec: { defaultNetwork: { ovnKubernetesConfig: { ipv4: { internalJoinSubnet: "100.99.0.0/16" } } } },
    });
    expect(at("100.64.0.0/16", kubeVirt(), config, settings)).toEqual([]);
    expect(at("10.77.0.0/16", kubeVirt(), config, settings)).toEqual(pods);
  });
});

test("the default of a replaced range is not in use", () => {
  expect(at("100.64.0.0/16", hostedCluster(ovn("100.99.0.0/16")))).toEqual([]);
});
