import { CALLED_BY_USERS } from "../../requirements/publishedServices";
import { PORT } from "../../requirements/ports";
import { port, type PortRange } from "../../requirements/requirement";
import { requirementOf } from "../../requirements/requirements";
import {
  Direction,
  EndpointAccess,
  LoadBalancerTargets,
  NetworkType,
  Platform,
  PublishingType,
  Role,
} from "../../requirements/vocabulary";
import { onceForEach, onceIn } from "../../collections";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { View, type FlowPeer, type RequiredFlow } from "../model";
import { publishedBy } from "../../topology/publishing";
import { flowOf } from "./fromRow";
import { controlPlaneHosts, externalClients, loadBalancers, workers } from "../peers";

/** The nodes behind a packet filter: those of one of the two clusters. */
export type NodeRole = typeof Role.ControlPlane | typeof Role.Workers;

/** Traffic that nodes of one cluster need among themselves. */
interface NodeTraffic {
  key: string;
  /** The row with protocol and ports. */
  row: string;
  /** Whose nodes need it. Default: those of both clusters. */
  role?: NodeRole;
  /** Its ports on platforms with other ports. */
  portsOn?: { readonly [platform in Platform]?: PortRange };
  /** Whether no rule is created unless the user requests the key. Default: never. */
  optIn?: (topology: NormalizedTopology, role: NodeRole) => boolean;
  /** Whether replies go to this port too, as those of tunnels do. */
  samePortBothWays?: true;
}

const always = () => true;
const forHosts = (_: NormalizedTopology, role: NodeRole) => role === Role.ControlPlane;
/** The tunnel between nodes by the network type of their cluster. Others are third-party software, of which none is documented. */
const TUNNEL: { readonly [type in NetworkType]?: string } = {
  [NetworkType.OVNKubernetes]: "geneve",
  [NetworkType.OpenShiftSDN]: "vxlan",
  [NetworkType.Calico]: "vxlan",
};

/** The network of the management cluster is OVN-Kubernetes; the topology states that of the hosted cluster. */
const tunnelOf = ({ networkType }: NormalizedTopology, role: NodeRole): string | undefined =>
  TUNNEL[role === Role.Workers ? networkType : NetworkType.OVNKubernetes];
const unlessTunnel =
  (key: string): NodeTraffic["optIn"] =>
  (topology, role) =>
    tunnelOf(topology, role) !== key;

const traffic: readonly NodeTraffic[] = [
  {
    key: "geneve",
    row: "up-aws-worker-udp-6081",
    portsOn: { [Platform.KubeVirt]: port(PORT.kubevirtGeneve) },
    optIn: unlessTunnel("geneve"),
    samePortBothWays: true,
  },
  {
    key: "vxlan",
    row: "up-aws-worker-udp-4789",
    portsOn: { [Platform.KubeVirt]: port(PORT.kubevirtVxlan) },
    optIn: unlessTunnel("vxlan"),
    samePortBothWays: true,
  },
  { key: "ipsec-ike", row: "up-aws-worker-udp-500", optIn: always, samePortBothWays: true },
  { key: "ipsec-nat", row: "up-aws-worker-udp-4500", optIn: always, samePortBothWays: true },
  { key: "ipsec-esp", row: "up-aws-worker-esp", optIn: always, samePortBothWays: true },
  { key: "kubelet", row: "up-aws-worker-tcp-10250" },
  { key: "management-api-server", row: "cp-out-6443", role: Role.ControlPlane },
  { key: "etcd-client", row: "up-etcd-2379", role: Role.ControlPlane },
  { key: "etcd-peer", row: "up-etcd-2380", role: Role.ControlPlane },
  { key: "etcd-metrics", row: "up-etcd-2381", role: Role.ControlPlane },
  { key: "etcd-health", row: "up-etcd-9980", role: Role.ControlPlane },
  { key: "host-services-tcp", row: "up-aws-worker-tcp-9000" },
  { key: "host-services-udp", row: "up-aws-worker-udp-9000", optIn: forHosts },
  { key: "node-ports-tcp", row: "up-aws-worker-tcp-30000" },
  { key: "node-ports-udp", row: "up-aws-worker-udp-30000", optIn: forHosts },
  { key: "icmp", row: "up-aws-worker-icmp", samePortBothWays: true },
  { key: "ssh", row: "up-aws-worker-ssh", optIn: always },
];

/**
 * What the nodes of a cluster need among themselves in both directions, whatever is hosted on them: for filters around their
 * subnets, which see all of it. Security groups of a hosted cluster do not need it: the nodes have other groups for it.
 */
export const nodeFlows = (topology: NormalizedTopology, role: NodeRole): readonly RequiredFlow[] =>
  onceIn(made(topology), role, () => flowsAmong(topology, role));

const made = onceForEach((_: NormalizedTopology) => new Map<NodeRole, readonly RequiredFlow[]>());

function flowsAmong(topology: NormalizedTopology, role: NodeRole): RequiredFlow[] {
  const peers = [role === Role.ControlPlane ? controlPlaneHosts(topology) : workers(topology)];
  const among = traffic
    .filter((each) => each.role === undefined || each.role === role)
    .flatMap(({ key, row: id, portsOn, optIn, samePortBothWays }) =>
      Object.values(Direction).map((direction) => ({
        ...flowOf(requirementOf(id), role, {
          key: `nodes-${key}`,
          peers,
          view: View.Hop,
          optIn: optIn?.(topology, role) ?? false,
          publicAllowed: false,
          ...portsOfGuests(topology, role, portsOn),
          ...(samePortBothWays && { samePortBothWays }),
        }),
        direction,
      })),
    );
  return role === Role.ControlPlane ? [...among, ...fromLoadBalancers(topology)] : among;
}

/** The platform is that of the hosted cluster's nodes; nodes of the management cluster have the usual ports. */
function portsOfGuests(
  { platform }: NormalizedTopology,
  role: NodeRole,
  portsOn: NodeTraffic["portsOn"],
): Pick<RequiredFlow, "ports"> {
  const ports = role === Role.Workers ? portsOn?.[platform] : undefined;
  return ports ? { ports } : {};
}

/**
 * What load balancers send to node ports in addition to the traffic of workers: health checks, and users with their own addresses,
 * which AWS load balancers keep. With IP targets, both go to the ports of the pods instead.
 */
export function fromLoadBalancers(topology: NormalizedTopology): RequiredFlow[] {
  const services = publishedBy(topology, PublishingType.LoadBalancer, PublishingType.Route);
  if (services.length === 0 || topology.loadBalancerTargets === LoadBalancerTargets.Ip) return [];
  const flow = (key: string, peer: FlowPeer, purpose: string, publicAllowed = false) =>
    flowOf(requirementOf("up-nodeport-range"), Role.ControlPlane, {
      key,
      peers: [peer],
      view: View.Hop,
      purpose,
      publicAllowed,
    });
  const checks = flow(
    "load-balancer-health",
    loadBalancers(topology),
    "Load balancers check the health of the services behind node ports",
  );
  const forUsers = services.filter((service) => CALLED_BY_USERS.has(service));
  const hidden = topology.endpointAccess === EndpointAccess.Private || forUsers.length === 0;
  if (hidden || topology.loadBalancerTargets === undefined) return [checks];
  const purpose = `Load balancers that keep users' addresses lead them to the node ports of ${forUsers.join(", ")}`;
  return [checks, flow("load-balancer-clients", externalClients(topology), purpose, true)];
}
