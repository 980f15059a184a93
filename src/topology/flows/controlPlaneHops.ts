import { ROUTER, type Router } from "../../requirements/publishedServices";
import { port } from "../../requirements/requirement";
import { requirementOf } from "../../requirements/requirements";
import { LoadBalancerTargets, Phase, PublishingType, Service } from "../../requirements/vocabulary";
import type { NormalizedTopology } from "../normalizedTopology";
import { ipTarget } from "../publishedPorts";
import { hasOwnRouter, servedByManagementRouter } from "../routers";
import { Role, View } from "../requiredFlow";
import type { FlowPeer, RequiredFlow } from "../requiredFlow";
import { CALLED_BY_USERS, flowOf, nodePortKey, publishedBy, serviceKey, UNPINNED } from "./flow";
import { dialingWorkers, externalClients, loadBalancers, translatedWorkers } from "./peers";

/** What control-plane hosts see after translation: node ports, pod ports behind load balancers, translated sources. */
export function translatedIngress(topology: NormalizedTopology): RequiredFlow[] {
  return [...pinnedNodePorts(topology), ...unpinnedNodePorts(topology), ...behindLoadBalancers(topology)];
}

const openServices = (topology: NormalizedTopology, ...types: PublishingType[]) =>
  publishedBy(topology, ...types).filter((service) => topology.bootstrap || service !== Service.Ignition);

function phaseOf(services: readonly Service[]): Phase {
  return services.every((service) => service === Service.Ignition) ? Phase.Bootstrap : Phase.Always;
}

function pinnedNodePorts(topology: NormalizedTopology): RequiredFlow[] {
  const row = requirementOf("up-nodeport-range");
  return openServices(topology, PublishingType.NodePort).flatMap((service) => {
    const { nodePort } = topology.services[service];
    if (nodePort === undefined) return [];
    return [
      flowOf(row, Role.ControlPlane, {
        key: nodePortKey(topology, service),
        ports: port(nodePort),
        peers: sourcesOf(topology, [service]),
        view: View.Hop,
        phase: phaseOf([service]),
        purpose: `The node port behind which ${service} listens`,
        publicAllowed: CALLED_BY_USERS.has(service),
      }),
    ];
  });
}

/** Nobody knows which port of the range is taken: workers alone may reach it. */
function unpinnedNodePorts(topology: NormalizedTopology): RequiredFlow[] {
  const services = openServices(topology, PublishingType.NodePort).filter(
    (service) => topology.services[service].nodePort === undefined,
  );
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
    peers: translatedWorkers(topology),
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
 * One router serves all routes, or two do: then the control plane's own has those that workers reach privately, and the
 * management cluster's those that users call.
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

/** Balancers put their own addresses in the place of the clients'; those of clients are opened on request. */
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
    peers: clientsOf(topology, services),
    purpose: `Load balancers with IP targets that are told to keep client addresses lead to the pods of ${services.join(", ")}`,
    publicAllowed: services.some((service) => CALLED_BY_USERS.has(service)),
    optIn: true,
  });
  return [behind, kept];
}

/** Workers with the addresses from which they dial, and users of services that they call too. */
function clientsOf(topology: NormalizedTopology, services: readonly Service[]): FlowPeer[] {
  const clients = externalClients(topology);
  const users =
    services.some((service) => CALLED_BY_USERS.has(service)) && (clients.prefixes || clients.unknown);
  return [...dialingWorkers(topology), ...(users ? [clients] : [])];
}

/** The same, and the balancers and private endpoints in the workers' place. */
function sourcesOf(topology: NormalizedTopology, services: readonly Service[]): FlowPeer[] {
  const dialing = dialingWorkers(topology).length;
  return [...translatedWorkers(topology), ...clientsOf(topology, services).slice(dialing)];
}
