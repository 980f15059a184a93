import type { Operation } from "../servers/ovn";
import type { Node, Pod, Scene } from "./scene";

/** The address ranges of all pods. */
export const CLUSTER_NETWORK = ["10.128.0.0/14", "fd01::/48"] as const;

/** The nodes of every cluster. Each has its own switch. */
export const NODES: readonly Node[] = [
  {
    name: "node-0",
    labels: { role: "gateway", zone: "a" },
    addresses: { 4: "192.168.130.10", 6: "fd00:130::10" },
  },
  { name: "node-1", labels: { zone: "b" }, addresses: { 4: "192.168.130.11", 6: "fd00:130::11" } },
];

/** The switch and the port that lead to all other addresses. */
const OUTSIDE = "outside";
const WORLD = "world";
const OUTSIDE_MAC = "0a:00:00:00:ff:02";
const OUTSIDE_ADDRESSES: Readonly<Record<4 | 6, string>> = { 4: "100.64.0.2", 6: "fd98::2" };
const GATEWAY_MAC = "0a:00:00:00:ff:01";

const routerMac = (node: number): string => `0a:00:00:00:00:${hex(node)}`;
const hex = (number: number): string => number.toString(16).padStart(2, "0");

/** Addresses of a pod by its position among the pods of its scene. */
export const addressesAt = (position: number, node: number): Pod["addresses"] => {
  const host = position + 16;
  return {
    4: `10.128.${node * 64 + (host >> 8)}.${host & 255}`,
    6: `fd01:0:0:${node}::${host.toString(16)}`,
  };
};

const macOf = ({ addresses }: Pod): string =>
  `0a:58:${addresses[4]
    .split(".")
    .map((part) => hex(Number(part)))
    .join(":")}`;

/** The port that leads to all other addresses. */
export const worldOf = ({ id }: Scene): string => `${id}-${WORLD}`;

/** The switch where a packet enters, and a match of its input port and Ethernet addresses: `inport == "a" && eth.src == ...`. */
export function entrance(
  scene: Scene,
  pod: Pod | undefined,
  neighbour: Pod | undefined,
): { network: string; match: string } {
  const source = pod ? macOf(pod) : OUTSIDE_MAC;
  const target = !pod ? GATEWAY_MAC : neighbour?.node === pod.node ? macOf(neighbour) : routerMac(pod.node);
  return {
    network: `${scene.id}-${pod ? NODES[pod.node]!.name : OUTSIDE}`,
    match: `inport == "${pod?.name ?? worldOf(scene)}" && eth.src == ${source} && eth.dst == ${target} && ip.ttl == 64`,
  };
}

const set = (values: readonly unknown[]) => ["set", values];
const map = (values: object) => ["map", Object.entries(values)];
const reference = (name: string) => ["named-uuid", name];
const insert = (table: string, row: object, name?: string): Operation => ({
  op: "insert",
  table,
  row,
  ...(name !== undefined && { "uuid-name": name }),
});

/** A valid name for a row within a transaction. */
const rowName = (name: string): string => `row_${name.replaceAll("-", "_")}`;

/** A reference to a pod's port for other rows of the transaction. */
export const portReference = ({ name }: Pod): unknown => reference(rowName(name));

/** A switch for each node with the pods there, a router between them, and the outside network behind the router. */
export function networkRows(scene: Scene): Operation[] {
  const { id, pods } = scene;
  const switches = [
    ...NODES.map(({ name }, node) => ({
      name: `${id}-${name}`,
      mac: routerMac(node),
      networks: [`10.128.${node * 64}.1/18`, `fd01:0:0:${node}::1/64`],
      ports: pods
        .filter((pod) => pod.node === node)
        .map((pod) => portOf(pod.name, macOf(pod), pod.addresses)),
    })),
    {
      name: `${id}-${OUTSIDE}`,
      mac: GATEWAY_MAC,
      networks: ["100.64.0.1/16", "fd98::1/64"],
      ports: [portOf(worldOf(scene), OUTSIDE_MAC, OUTSIDE_ADDRESSES)],
    },
  ];
  const routes = ([4, 6] as const).map((family) => ({
    ip_prefix: family === 4 ? "0.0.0.0/0" : "::/0",
    nexthop: OUTSIDE_ADDRESSES[family],
  }));
  const routeName = (position: number): string => rowName(`${id}-route-${position}`);
  return [
    ...switches.flatMap(switchRows),
    ...routes.map((route, position) => insert("Logical_Router_Static_Route", route, routeName(position))),
    insert("Logical_Router", {
      name: `${id}-router`,
      ports: set(switches.map(({ name }) => reference(rowName(`${name}-router`)))),
      static_routes: set(routes.map((_, position) => reference(routeName(position)))),
    }),
  ];
}

interface Port {
  name: string;
  addresses: string;
}

const portOf = (name: string, mac: string, addresses: Pod["addresses"]): Port => ({
  name,
  addresses: [mac, ...Object.values(addresses)].join(" "),
});

interface Switch {
  name: string;
  /** MAC address of the router at this switch. */
  mac: string;
  /** Addresses of the router at this switch. */
  networks: readonly string[];
  ports: readonly Port[];
}

function switchRows({ name, mac, networks, ports }: Switch): Operation[] {
  const [router, up] = [`${name}-router`, `${name}-up`];
  const options = map({ "router-port": router });
  return [
    ...ports.map((port) => insert("Logical_Switch_Port", port, rowName(port.name))),
    insert("Logical_Router_Port", { name: router, mac, networks: set(networks) }, rowName(router)),
    insert("Logical_Switch_Port", { name: up, type: "router", addresses: "router", options }, rowName(up)),
    insert("Logical_Switch", {
      name,
      ports: set([up, ...ports.map((port) => port.name)].map((port) => reference(rowName(port)))),
    }),
  ];
}
