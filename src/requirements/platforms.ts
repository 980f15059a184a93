import { EndpointAccess, InfrastructurePlatform, Platform, PublishingType } from "./vocabulary";

/**
 * Platforms whose HostedCluster says who can reach the published services, with the values that it takes. The first one is
 * what the API writes where none is given.
 */
const accessModes: { readonly [platform in Platform]?: readonly EndpointAccess[] } = {
  [Platform.AWS]: [EndpointAccess.Public, EndpointAccess.PublicAndPrivate, EndpointAccess.Private],
  [Platform.Azure]: [EndpointAccess.Public, EndpointAccess.PublicAndPrivate, EndpointAccess.Private],
  [Platform.GCP]: [EndpointAccess.Private, EndpointAccess.PublicAndPrivate],
};

/** The values of `endpointAccess` that a platform takes; none where the platform has no such choice. */
export function endpointAccessModes(platform: Platform): readonly EndpointAccess[] {
  return accessModes[platform] ?? [];
}

/** The access that holds where none is given; on a platform without the choice everything is `Public`. */
export function defaultEndpointAccess(platform: Platform): EndpointAccess {
  return endpointAccessModes(platform)[0] ?? EndpointAccess.Public;
}

/** Whether private networks reach the control plane through an endpoint of their own. */
export const reachedPrivately = (access: EndpointAccess): boolean => access !== EndpointAccess.Public;

/** Platforms whose services are published by node port where nothing else is said. */
const nodePortPlatforms: ReadonlySet<Platform> = new Set([Platform.Agent, Platform.None]);

/** The publishing strategy that holds for a service where none is given. */
export function defaultPublishing(platform: Platform, isApiServer: boolean): PublishingType {
  if (nodePortPlatforms.has(platform)) return PublishingType.NodePort;
  return isApiServer ? PublishingType.LoadBalancer : PublishingType.Route;
}

/** What the nodes of a hosted cluster run on, where nothing else is said: hosts of the platform Agent are bare metal. */
export function infrastructureOf(platform: Platform): InfrastructurePlatform {
  return platform === Platform.Agent ? InfrastructurePlatform.BareMetal : InfrastructurePlatform[platform];
}

/** Whether a hosted cluster of that platform may run on this infrastructure: with Agent and None on any. */
export function mayRunOn(platform: Platform, infrastructure: InfrastructurePlatform): boolean {
  if (platform === Platform.Agent || platform === Platform.None) return true;
  return infrastructureOf(platform) === infrastructure;
}
