import { reachedPrivately } from "../requirements/platforms";
import { ROUTER, type Router } from "../requirements/publishedServices";
import { EndpointAccess, Platform, PublishingType, Service } from "../requirements/vocabulary";
import { publishedBy } from "./flows/flow";
import type { NormalizedTopology } from "./normalizedTopology";

/** Whether the management cluster's router serves routes of the control plane: those that no router of its own serves. */
export function servedByManagementRouter(topology: NormalizedTopology): boolean {
  return publishedBy(topology, PublishingType.Route).length > 0 && !servesOwnRoutes(topology);
}

/**
 * Whether the control plane has a router of its own, in pods with the label `app: private-router`: for private networks,
 * and where the API server is published by a Route with a host name.
 */
export function hasOwnRouter(topology: NormalizedTopology): boolean {
  return reachedPrivately(topology.endpointAccess) || servesOwnRoutes(topology);
}

/** Whether that router serves the public routes too. */
function servesOwnRoutes({ platform, endpointAccess, services }: NormalizedTopology): boolean {
  if (platform === Platform.IBMCloud) return false;
  const { type, hostname } = services[Service.APIServer];
  const ownHostname = type === PublishingType.Route && hostname !== undefined;
  return ownHostname || endpointAccess === EndpointAccess.Private;
}

/** The router behind which a Route is found: through a private endpoint always the control plane's own. */
export const routerOf = (topology: NormalizedTopology, isPrivate: boolean): Router =>
  isPrivate || !servedByManagementRouter(topology) ? ROUTER.own : ROUTER.management;
