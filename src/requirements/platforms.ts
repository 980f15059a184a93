import {
  EndpointAccess,
  InfrastructurePlatform,
  LoadBalancerTargets,
  Platform,
  PublishingType,
} from "./vocabulary";
import {
  at,
  AWS_LOAD_BALANCING,
  CLOUD_PROVIDER_AWS,
  type DocumentReference,
  HYPERSHIFT,
  KUBERNETES,
} from "./documents";
import { compareReleases, formatRelease, type Release } from "./release";

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

/** Platforms on which the network operator makes no network of both families. (CNO, pkg/network/render.go) */
const SINGLE_STACK: readonly Platform[] = [Platform.GCP, Platform.IBMCloud, Platform.PowerVS];

/** Feature gates that decide about it: before `from` there is none, and from `byDefault` on it is open. */
const GATED: { readonly [platform in Platform]?: { gate: string; from: Release; byDefault?: Release } } = {
  [Platform.AWS]: {
    gate: "AWSDualStackInstall",
    from: { major: 4, minor: 21 },
    byDefault: { major: 5, minor: 0 },
  },
  [Platform.Azure]: { gate: "AzureDualStackInstall", from: { major: 4, minor: 21 } },
};

/**
 * Why clusters of a platform, by its name, surely have no network of both families, as what the network operator does; undefined where they
 * may have one.
 *
 * @param release undefined where it is not known
 * @param featureSet the cluster's own, which opens feature gates; undefined where it is the default
 */
export function whySingleStack(
  platform: string,
  release: Release | undefined,
  featureSet: string | undefined,
): string | undefined {
  const why = "makes no such network";
  if (SINGLE_STACK.some((one) => one === platform)) return why;
  const gated = GATED[platform as Platform];
  if (!gated || !release) return undefined;
  const { gate, from, byDefault = UNPUBLISHED_RELEASE } = gated;
  const ofRelease = `of release ${formatRelease(release)} ${why}`;
  if (compareReleases(release, from) < 0) return ofRelease;
  const isClosed = featureSet === undefined && compareReleases(release, byDefault) < 0;
  return isClosed ? `${ofRelease} without the feature gate ${gate}` : undefined;
}

/** Nothing says of releases from there on what they open by default. */
export const UNPUBLISHED_RELEASE: Release = { major: 5, minor: 0 };

/** What upstream code and documents say of something that the requirement documents leave open. */
export interface UpstreamDecision {
  what: string;
  documents: readonly DocumentReference[];
}

/** What pods see behind load balancers whose targets are their addresses. */
export const IP_TARGETS: UpstreamDecision = {
  what: "Network load balancers with IP targets show their own addresses: client IP preservation is off by default for TCP targets that are addresses. Where a target group has preserve_client_ip.enabled, ask for the flow whose key ends in -clients.",
  documents: [
    at(
      AWS_LOAD_BALANCING,
      "Edit target group attributes for your Network Load Balancer, Client IP preservation",
    ),
  ],
};

/** What node ports see behind load balancers whose targets are instances, and who opens them for it. */
export const INSTANCE_TARGETS: UpstreamDecision = {
  what: "Network load balancers with instance targets keep client addresses. The cloud controller of the management cluster opens the node ports in the nodes' own security group: to loadBalancerSourceRanges of the Service, without them to everybody, and to the subnets of the load balancer for health checks.",
  documents: [
    at(
      AWS_LOAD_BALANCING,
      "Edit target group attributes for your Network Load Balancer, Client IP preservation",
    ),
    at(CLOUD_PROVIDER_AWS, "pkg/providers/v1/aws_loadbalancer.go"),
  ],
};

/** What becomes of networking.apiServer.allowedCIDRBlocks of a HostedCluster. */
export const ALLOWED_BLOCKS_DECISION: UpstreamDecision = {
  what: "HyperShift writes networking.apiServer.allowedCIDRBlocks as loadBalancerSourceRanges into the Services of the API server and of the control plane's own router. Clouds whose controller keeps others out at the load balancer drop them; elsewhere it hangs on what makes load balancers. On AWS with instance targets they are rules of the nodes' security group, which adds up with other groups.",
  documents: [
    at(HYPERSHIFT, "control-plane-operator/controllers/hostedcontrolplane/kas/service.go"),
    at(KUBERNETES, "Service, spec.loadBalancerSourceRanges"),
    at(CLOUD_PROVIDER_AWS, "pkg/providers/v1/aws_loadbalancer.go"),
  ],
};

/** Whether load balancers of a platform keep out whom a Service does not list, whatever groups of the hosts say. */
export const keepsOthersOut = (platform: Platform, targets: LoadBalancerTargets | undefined): boolean =>
  ENFORCING.has(platform) || (platform === Platform.AWS && targets === LoadBalancerTargets.Ip);

/** Their controllers write the ranges into the network security group, or the firewall, of the load balancer. */
const ENFORCING: ReadonlySet<Platform> = new Set([Platform.Azure, Platform.GCP]);

/** The decision in one line with its sources. */
export const describeDecision = ({ what, documents }: UpstreamDecision): string =>
  `${what} (${documents.map(({ document, heading }) => `${document.key}, ${heading}`).join("; ")})`;
