import {
  CALLED_BY_USERS,
  DOCUMENTED_SERVICES,
  ROUTER,
  type Router,
  phaseOf,
  serviceKey,
} from "../../requirements/publishedServices";
import { type Requirement, port } from "../../requirements/requirement";
import { requirementOf } from "../../requirements/requirements";
import {
  Direction,
  LoadBalancerTargets,
  Perspective,
  PublishingType,
  Role,
  Service,
  Zone,
} from "../../requirements/vocabulary";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import {
  hasOwnRouter,
  ipTarget,
  openNow,
  publishedBy,
  servedByManagementRouter,
} from "../../topology/publishing";
import { type FlowPeer, type RequiredFlow, View } from "../model";
import {
  dialingWorkers,
  dnsServers,
  externalClients,
  httpsPeers,
  isPrivatePath,
  loadBalancers,
  managementApi,
  peerFrom,
  routes,
  translatedWorkers,
  whereSaid,
  workers,
} from "../peers";
import { UNPINNED, flowOf, holdingRows, nodePortKey } from "./fromRow";

/** How a documented row becomes a flow of control-plane hosts. */
interface Ingress {
  key: string;
  /** Rows of which at most one holds. */
  rows: readonly string[];
  /** Sources, if they are fewer than those of the row. */
  sources?: readonly Zone[];
  /** Whether no rule is created unless the user requests the key. Default: never. */
  optIn?: (topology: NormalizedTopology) => boolean;
}

const always = () => true;
const ignitionByRoute = ({ services }: NormalizedTopology) =>
  services[Service.Ignition].type !== PublishingType.NodePort;

const ingresses: readonly Ingress[] = [
  ...DOCUMENTED_SERVICES.map(({ key, controlPlane }) => ({ key, rows: controlPlane })),
  { key: "router", rows: ["cp-in-route-443"], sources: [Zone.Workers] },
  { key: "ignition-server", rows: ["cp-in-ign-9090"], optIn: ignitionByRoute },
  {
    key: "capi-health",
    rows: [
      "cp-in-capi-aws",
      "cp-in-capi-kubevirt",
      "cp-in-capi-openstack",
      "cp-in-capi-powervs",
      "cp-in-agent-capi-health",
    ],
    optIn: always,
  },
  { key: "orc-health", rows: ["cp-in-orc"], optIn: always },
  { key: "private-router-http", rows: ["cp-in-private-router-http"], optIn: always },
  { key: "private-router-https", rows: ["cp-in-private-router-https"], optIn: always },
];

/** Ingress of control-plane hosts, with ports and sources as in the documents. */
export function documentedIngress(topology: NormalizedTopology): RequiredFlow[] {
  const rows = holdingRows(topology, Perspective.ControlPlane, Direction.Ingress);
  const flows = ingresses.flatMap(({ key, rows: ids, sources, optIn }) =>
    ids.flatMap((id) => {
      const row = rows.get(id);
      if (!row) return [];
      const peers = (sources ?? row.sources).map((zone) => sourceOf(topology, zone));
      return [flowOf(row, Role.ControlPlane, { key, peers, optIn: optIn?.(topology) ?? false })];
    }),
  );
  return [...flows, ...routerClients(topology, rows.get("cp-in-route-443"))];
}

/** Browsers of users reach OAuth, and kubectl reaches the API server, through a port that the documents open only for nodes. */
function routerClients(topology: NormalizedTopology, row: Requirement | undefined): RequiredFlow[] {
  const served = publishedBy(topology, PublishingType.Route).filter((service) =>
    CALLED_BY_USERS.has(service),
  );
  if (!row || served.length === 0) return [];
  return [
    flowOf(row, Role.ControlPlane, {
      key: "router-clients",
      peers: [externalClients(topology)],
      view: View.Hop,
      purpose: `Users reach ${served.join(" and ")} through the router`,
    }),
  ];
}

function sourceOf(topology: NormalizedTopology, zone: Zone): FlowPeer {
  switch (zone) {
    case Zone.Workers:
      return workers(topology);
    case Zone.ExternalClients:
      return externalClients(topology);
    case Zone.ManagementKubelet:
      return peerFrom(topology, zone, "managementClusterCidrs");
    default:
      return peerFrom(topology, zone, "loadBalancerSubnetCidrs");
  }
}

/** Ingress of control-plane hosts after translation: node ports, pod ports behind load balancers, translated sources. */
export function translatedIngress(topology: NormalizedTopology): RequiredFlow[] {
  return [...pinnedNodePorts(topology), ...unpinnedNodePorts(topology), ...behindLoadBalancers(topology)];
}

const openServices = (topology: NormalizedTopology, ...types: PublishingType[]) =>
  openNow(topology, publishedBy(topology, ...types));

function pinnedNodePorts(topology: NormalizedTopology): RequiredFlow[] {
  const row = requirementOf("up-nodeport-range");
  return openServices(topology, PublishingType.NodePort).flatMap((service) => {
    const { nodePort } = topology.services[service];
    if (nodePort === undefined) return [];
    return [
      flowOf(row, Role.ControlPlane, {
        key: nodePortKey(topology, service),
        ports: port(nodePort),
        peers: [...translatedWorkers(topology), ...usersOf(topology, [service])],
        view: View.Hop,
        phase: phaseOf([service]),
        purpose: `The node port behind which ${service} listens`,
        publicAllowed: CALLED_BY_USERS.has(service),
      }),
    ];
  });
}

/** Services at node ports that are not pinned: it is unknown which port of the range each has. */
const unpinnedServices = (topology: NormalizedTopology) =>
  openServices(topology, PublishingType.NodePort).filter(
    (service) => topology.services[service].nodePort === undefined,
  );

/** The range, for users who are stated: on request only. */
export function unpinnedForUsers(topology: NormalizedTopology): RequiredFlow[] {
  const services = unpinnedServices(topology).filter((service) => CALLED_BY_USERS.has(service));
  const peers = usersOf(topology, services);
  if (peers.length === 0) return [];
  return [
    flowOf(requirementOf("up-nodeport-range"), Role.ControlPlane, {
      key: `${UNPINNED}-users`,
      peers,
      view: View.Hop,
      phase: phaseOf(services),
      purpose: `Users reach the node ports of ${services.join(" and ")}, which are not pinned`,
      optIn: true,
    }),
  ];
}

/** Only workers get the whole range. */
function unpinnedNodePorts(topology: NormalizedTopology): RequiredFlow[] {
  const services = unpinnedServices(topology);
  if (services.length === 0) return [];
  return [
    flowOf(requirementOf("up-nodeport-range"), Role.ControlPlane, {
      key: UNPINNED,
      peers: dialingWorkers(topology),
      view: View.Hop,
      phase: phaseOf(services),
      purpose: `Workers reach the node ports of ${services.join(", ")}, of which none is pinned`,
    }),
  ];
}

function behindLoadBalancers(topology: NormalizedTopology): RequiredFlow[] {
  const services = openServices(topology, PublishingType.LoadBalancer, PublishingType.Route);
  if (services.length === 0) return [];
  if (topology.loadBalancerTargets === LoadBalancerTargets.Instance)
    return [nodePortsBehind(topology, services)];
  return topology.loadBalancerTargets === LoadBalancerTargets.Ip ? podPortsBehind(topology) : [];
}

function nodePortsBehind(topology: NormalizedTopology, services: readonly Service[]): RequiredFlow {
  return flowOf(requirementOf("up-nodeport-range"), Role.ControlPlane, {
    key: "load-balancer-node-ports",
    peers: services.some((service) => isPrivatePath(topology, service, Zone.Workers))
      ? [...dialingWorkers(topology), loadBalancers(topology)]
      : translatedWorkers(topology),
    view: View.Hop,
    phase: phaseOf(services),
    purpose: `Load balancers with instance targets lead to the node ports of ${services.join(", ")}`,
  });
}

/** Ports at which load balancers with IP targets reach pods. */
function podPortsBehind(topology: NormalizedTopology): RequiredFlow[] {
  const balanced = publishedBy(topology, PublishingType.LoadBalancer).filter(
    (service) => service !== Service.Ignition,
  );
  const flows = balanced.flatMap((service) =>
    podPort(topology, `${serviceKey[service]}-pod`, ipTarget(topology, service), [service]),
  );
  return [...flows, ...routerPods(topology)];
}

/**
 * One router serves all routes, or two do: then the control plane's own router serves the routes that workers reach privately, and
 * the management cluster's router those that users call.
 */
function routerPods(topology: NormalizedTopology): RequiredFlow[] {
  const routed = openServices(topology, PublishingType.Route);
  if (!servedByManagementRouter(topology)) return podPort(topology, "router-pod", ROUTER.own, routed);
  if (!hasOwnRouter(topology)) return podPort(topology, "router-pod", ROUTER.management, routed);
  const own = routed.filter((service) => service !== Service.OAuthServer);
  const shared = routed.filter((service) => CALLED_BY_USERS.has(service));
  return [
    ...podPort(topology, "router-pod", ROUTER.own, own),
    ...podPort(topology, "management-router-pod", ROUTER.management, shared),
  ];
}

/** Load balancers replace client addresses by their own; client addresses are opened on request. */
function podPort(
  topology: NormalizedTopology,
  key: string,
  { port: number, podRow: row }: Router,
  services: readonly Service[],
): RequiredFlow[] {
  if (services.length === 0) return [];
  const seen = { ports: port(number), view: View.Hop, phase: phaseOf(services) };
  const behind = flowOf(requirementOf(row), Role.ControlPlane, {
    ...seen,
    key,
    peers: [loadBalancers(topology)],
    purpose: `Load balancers with IP targets reach the pods of ${services.join(", ")}`,
    publicAllowed: false,
  });
  const kept = flowOf(requirementOf(row), Role.ControlPlane, {
    ...seen,
    key: `${key}-clients`,
    peers: [...dialingWorkers(topology), ...usersOf(topology, services)],
    purpose: `Load balancers with IP targets that are told to keep client addresses lead to the pods of ${services.join(", ")}`,
    publicAllowed: services.some((service) => CALLED_BY_USERS.has(service)),
    optIn: true,
  });
  return [behind, kept];
}

/** Users, if they call one of the services and the topology states their addresses. */
const usersOf = (topology: NormalizedTopology, services: readonly Service[]): FlowPeer[] =>
  services.some((service) => CALLED_BY_USERS.has(service)) ? whereSaid(externalClients(topology)) : [];

/** Egress of control-plane hosts. */
export function controlPlaneEgress(topology: NormalizedTopology): RequiredFlow[] {
  const dns = [dnsServers(topology, ["managementClusterCidrs", "loadBalancerSubnetCidrs"])];
  const flow = (id: string, key: string, peers = dns) =>
    flowOf(requirementOf(id), Role.ControlPlane, { key, peers });
  return [
    flow("cp-out-443", "https", httpsPeers(topology, [routes(topology)])),
    flow("cp-out-6443", "management-api", [managementApi(topology)]),
    flow("cp-out-dns-tcp", "dns-tcp"),
    flow("cp-out-dns-udp", "dns-udp"),
  ];
}
