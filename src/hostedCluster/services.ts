import type { Fault } from "../fault";
import { EndpointAccess, Platform, PublishingType, Service } from "../requirements/vocabulary";
import type { NormalizedService, NormalizedTopology } from "../topology/normalizedTopology";
import { serviceProperty } from "../topology/normalize/services";

/** `spec.services[]` of a HostedCluster. */
export interface ServiceEntry {
  service: string;
  servicePublishingStrategy: PublishingStrategy;
}

/** `spec.services[].servicePublishingStrategy` of a HostedCluster. */
export interface PublishingStrategy {
  type: string;
  nodePort?: { address: string; port?: number };
  route?: { hostname: string };
  loadBalancer?: { hostname: string };
}

/** The order in which they are written, which can never change: the server compares the lists as they stand. */
const ORDER = [Service.APIServer, Service.Ignition, Service.Konnectivity, Service.OAuthServer] as const;

/** Every service with the way in which it is published. */
export function serviceEntries({ services }: NormalizedTopology): ServiceEntry[] {
  return ORDER.map((service) => ({ service, servicePublishingStrategy: strategyOf(services[service]) }));
}

function strategyOf({ type, nodePort, address, hostname }: NormalizedService): PublishingStrategy {
  switch (type) {
    case PublishingType.NodePort:
      return {
        type,
        nodePort: { address: address ?? "", ...(nodePort !== undefined && { port: nodePort }) },
      };
    case PublishingType.LoadBalancer:
      return { type, ...(hostname !== undefined && { loadBalancer: { hostname } }) };
    default:
      return { type: PublishingType.Route, ...(hostname !== undefined && { route: { hostname } }) };
  }
}

/** What an object needs that is to be created, beyond what its firewalls need to know. */
export function serviceFaults({ services, endpointAccess, platform }: NormalizedTopology): Fault[] {
  return ORDER.flatMap((service) => {
    const { type, address, hostname } = services[service];
    const path = `topology.services.${serviceProperty[service]}`;
    if (type === PublishingType.NodePort && address === undefined)
      return [
        {
          path: `${path}.address`,
          problem: `missing: ${service} is published by NodePort, and nothing says where nodes reach the port`,
          remedy:
            "write the host name or address of the management cluster's nodes, or of a load balancer before them",
        },
      ];
    const isPublicApi =
      service === Service.APIServer &&
      type === PublishingType.Route &&
      endpointAccess !== EndpointAccess.Private;
    // On AWS the topology says so itself.
    if (isPublicApi && hostname === undefined && platform !== Platform.AWS)
      return [
        {
          path: `${path}.hostname`,
          problem: "missing: HyperShift makes no Route of a public API server without a host name",
          remedy: "write a host name, or publish by LoadBalancer",
        },
      ];
    return [];
  });
}
