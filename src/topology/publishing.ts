import { reachedPrivately } from "../requirements/platforms";
import { NODE_PORTS } from "../requirements/ports";
import {
  type Listener,
  NODE_API_PORT,
  PORT_OF_OLD_CLUSTERS,
  ROUTER,
  type Router,
  phaseOf,
  publishedService,
  serviceProperty,
} from "../requirements/publishedServices";
import { type PortRange, port } from "../requirements/requirement";
import { EndpointAccess, Phase, Platform, PublishingType, Service } from "../requirements/vocabulary";
import type { NormalizedTopology } from "./normalizedTopology";

type Stated = Pick<NormalizedTopology, "apiServerPort">;

/** The port at which nodes and the pods on them reach the API server, on the node itself. */
export const nodeApiServerPort = ({ apiServerPort = NODE_API_PORT }: Stated = {}): number => apiServerPort;

/**
 * The port to which clients of a service connect: the range of node ports if the service has one and
 * it is not stated which, and undefined if it is not known yet how the service is published.
 */
export function dialledPorts(
  { services, platform }: NormalizedTopology,
  service: Service,
): PortRange | undefined {
  const { type, nodePort } = services[service];
  if (type === undefined) return undefined;
  if (type !== PublishingType.NodePort) return port(publishedService(service, platform).dialled[type]);
  return nodePort === undefined ? NODE_PORTS : port(nodePort);
}

/** The host at which clients reach a service: of a node port its address, else the host name; undefined if it is not stated. */
export function hostOfService({ services }: NormalizedTopology, service: Service): string | undefined {
  const { type, address, hostname } = services[service];
  return type === PublishingType.NodePort ? address : hostname;
}

/** Where nodes reach the API server from outside the cluster. */
export interface OutsideApi {
  /** Host name, or address without brackets; absent if it is not known. */
  host?: string | undefined;
  /** Several if the node port is not known. */
  ports: PortRange;
  /** The property that decides on the host, and that with the node port, if the API server has one. */
  hostInput?: string;
  portInput?: string;
}

/**
 * Where HyperShift lets nodes reach the API server: with a private endpoint at its name in the private zone, which no input changes.
 *
 * @param stated the host, if something else than the topology states it
 */
export function outsideApi(topology: NormalizedTopology, stated: string | undefined): OutsideApi {
  const service = Service.APIServer;
  const { type } = topology.services[service];
  const input = (part: string) => `services.${serviceProperty[service]}.${part}`;
  const ofType = type === PublishingType.NodePort ? "address" : "hostname";
  const where = reachedPrivately(topology.endpointAccess)
    ? { host: `api.${topology.name}.hypershift.local` }
    : { host: hostOfService(topology, service), hostInput: input(type === undefined ? "type" : ofType) };
  return {
    ...(stated === undefined || stated === "" ? where : { host: stated }),
    ports: dialledPorts(topology, service) ?? port(nodeApiServerPort()),
    ...(type === PublishingType.NodePort && { portInput: input("nodePort") }),
  };
}

/** The pods of a service, and the ports on which they listen in this cluster. */
export const servingPods = (topology: NormalizedTopology, service: Service): Listener[] =>
  publishedService(service, topology.platform).pods.map((pods) => listening(pods, topology));

function listening(pods: Listener, { apiServerPort }: Stated): Listener {
  const isMoved = pods.isApiServer && apiServerPort !== undefined && apiServerPort !== PORT_OF_OLD_CLUSTERS;
  return isMoved ? { ...pods, port: apiServerPort } : pods;
}

/** The port to which load balancers with IP targets forward a service, as hosts of the pods see it, and its row. */
export function ipTarget(topology: NormalizedTopology, service: Service): Router {
  const { pods, podRow } = publishedService(service, topology.platform);
  return { port: listening(pods[0], topology).port, podRow };
}

/** Whether the management cluster's router serves routes of the control plane: those that the control plane's own router does not serve. */
export function servedByManagementRouter(topology: NormalizedTopology): boolean {
  return publishedBy(topology, PublishingType.Route).length > 0 && !servesOwnRoutes(topology);
}

/**
 * Whether the control plane has its own router, in pods with the label `app: private-router`: for
 * private networks, and if the API server is published by a Route with a host name.
 */
export function hasOwnRouter(topology: NormalizedTopology): boolean {
  return reachedPrivately(topology.endpointAccess) || servesOwnRoutes(topology);
}

/** Whether the control plane's own router serves the public routes too. */
function servesOwnRoutes({ platform, endpointAccess, services }: NormalizedTopology): boolean {
  if (platform === Platform.IBMCloud) return false;
  const { type, hostname } = services[Service.APIServer];
  const ownHostname = type === PublishingType.Route && hostname !== undefined;
  return ownHostname || endpointAccess === EndpointAccess.Private;
}

/** The router that serves a Route: through a private endpoint always the control plane's own. */
export const routerOf = (topology: NormalizedTopology, isPrivate: boolean): Router =>
  isPrivate || !servedByManagementRouter(topology) ? ROUTER.own : ROUTER.management;

/** The entries of `services` that are open now: after the bootstrap, endpoints that only joining nodes call are closed. */
export const openNow = ({ bootstrap }: NormalizedTopology, services: readonly Service[]): Service[] =>
  services.filter((service) => bootstrap || phaseOf([service]) !== Phase.Bootstrap);

/** The services that are published in one of the ways in `types`. */
export function publishedBy(topology: NormalizedTopology, ...types: PublishingType[]): Service[] {
  return Object.values(Service).filter((service) =>
    types.some((type) => topology.services[service].type === type),
  );
}
