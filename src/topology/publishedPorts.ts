import { NODE_PORTS } from "../requirements/ports";
import {
  NODE_API_PORT,
  PORT_OF_OLD_CLUSTERS,
  publishedService,
  type Listener,
  type Router,
} from "../requirements/publishedServices";
import { port, type PortRange } from "../requirements/requirement";
import { PublishingType, type Service } from "../requirements/vocabulary";
import type { NormalizedTopology } from "./normalizedTopology";

type Stated = Pick<NormalizedTopology, "apiServerPort">;

/** The port at which nodes and the pods on them reach the API server, on the node itself. */
export const nodeApiServerPort = ({ apiServerPort = NODE_API_PORT }: Stated = {}): number => apiServerPort;

/**
 * The port at which clients dial a service; the range of node ports where the service has one of them and nobody says which,
 * and undefined where it is not known yet how the service is published.
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

/** The pods of a service, and where they listen in this cluster. */
export const servingPods = (topology: NormalizedTopology, service: Service): Listener[] =>
  publishedService(service, topology.platform).pods.map((pods) => listening(pods, topology));

function listening(pods: Listener, { apiServerPort }: Stated): Listener {
  const isMoved = pods.isApiServer && apiServerPort !== undefined && apiServerPort !== PORT_OF_OLD_CLUSTERS;
  return isMoved ? { ...pods, port: apiServerPort } : pods;
}

/** The port to which load balancers of a service with IP targets lead, as hosts of the pods see it, and the row that has it. */
export function ipTarget(topology: NormalizedTopology, service: Service): Router {
  const { pods, podRow } = publishedService(service, topology.platform);
  return { port: listening(pods[0], topology).port, podRow };
}
