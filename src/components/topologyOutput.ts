import { serviceProperty } from "../requirements/publishedServices";
import { endpointAccessModes } from "../requirements/platforms";
import { Service } from "../requirements/vocabulary";
import type { HostedClusterTopology, PublishedService } from "../topology/hostedClusterTopology";
import type { NormalizedService, NormalizedTopology } from "../topology/normalizedTopology";

/**
 * The topology that a component registers as an output: as it was given, with its defaults written out and without
 * credentials. Policies read it again as a topology.
 */
export function topologyOutput(
  given: HostedClusterTopology,
  normal: NormalizedTopology,
): HostedClusterTopology {
  const { namespace, platform, endpointAccess, services, clusterNetwork, serviceNetwork, bootstrap } = normal;
  return {
    ...withoutCredentials(given),
    namespace,
    ...(endpointAccessModes(platform).length > 0 && { endpointAccess }),
    services: Object.fromEntries(
      Object.values(Service).map((service) => [serviceProperty[service], serviceOutput(services[service])]),
    ),
    clusterNetwork: clusterNetwork.map(({ prefix, hostPrefix }) => ({ cidr: prefix.text, hostPrefix })),
    serviceNetwork: serviceNetwork.map(({ text }) => ({ cidr: text })),
    bootstrap,
  };
}

/** The topology as it may stand in the state: without the credentials that URLs of proxies can hold. */
export function withoutCredentials<T>(topology: T): T {
  const { proxy } = (topology ?? {}) as Partial<HostedClusterTopology>;
  if (typeof proxy !== "object" || proxy === null) return topology;
  const cleaned = Object.entries(proxy).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === "string" ? value.replace(/^([a-z]+:\/\/)?.*@/i, "$1") : value,
  ]);
  return { ...topology, proxy: Object.fromEntries(cleaned) as unknown };
}

/** Topologies are plain, so their services have a type. */
const serviceOutput = (service: NormalizedService): PublishedService => ({ ...service }) as PublishedService;
