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
 * Platforms whose HostedCluster states who can reach the published services, with the values that it
 * accepts. The first value is the API's default.
 */
const accessModes: { readonly [platform in Platform]?: readonly EndpointAccess[] } = {
  [Platform.AWS]: [EndpointAccess.Public, EndpointAccess.PublicAndPrivate, EndpointAccess.Private],
  [Platform.Azure]: [EndpointAccess.Public, EndpointAccess.PublicAndPrivate, EndpointAccess.Private],
  [Platform.GCP]: [EndpointAccess.Private, EndpointAccess.PublicAndPrivate],
};

/** The values of `endpointAccess` that a platform accepts; none if the platform has no such setting. */
export function endpointAccessModes(platform: Platform): readonly EndpointAccess[] {
  return accessModes[platform] ?? [];
}

/** The default access; on a platform without the setting everything is `Public`. */
export function defaultEndpointAccess(platform: Platform): EndpointAccess {
  return endpointAccessModes(platform)[0] ?? EndpointAccess.Public;
}

/** Whether private networks reach the control plane through an endpoint of their own. */
export const reachedPrivately = (access: EndpointAccess): boolean => access !== EndpointAccess.Public;

/** Platforms whose services are published by node port by default. */
const nodePortPlatforms: ReadonlySet<Platform> = new Set([Platform.Agent, Platform.None]);

/** The default publishing strategy of a service. */
export function defaultPublishing(platform: Platform, isApiServer: boolean): PublishingType {
  if (nodePortPlatforms.has(platform)) return PublishingType.NodePort;
  return isApiServer ? PublishingType.LoadBalancer : PublishingType.Route;
}

/** The default infrastructure of a hosted cluster's nodes: hosts of the platform Agent are bare metal. */
export function infrastructureOf(platform: Platform): InfrastructurePlatform {
  return platform === Platform.Agent ? InfrastructurePlatform.BareMetal : InfrastructurePlatform[platform];
}

/** Whether a hosted cluster of a platform may run on an infrastructure: with Agent and None on any. */
export function mayRunOn(platform: Platform, infrastructure: InfrastructurePlatform): boolean {
  if (platform === Platform.Agent || platform === Platform.None) return true;
  return infrastructureOf(platform) === infrastructure;
}

/** Platforms on which the network operator creates no dual-stack network. (CNO, pkg/network/render.go) */
const SINGLE_STACK: readonly Platform[] = [Platform.GCP, Platform.IBMCloud, Platform.PowerVS];

/** Feature gates for dual stack: before `from` the gate does not exist, and since `byDefault` it is enabled by default. */
const GATED: { readonly [platform in Platform]?: { gate: string; from: Release; byDefault?: Release } } = {
  [Platform.AWS]: {
    gate: "AWSDualStackInstall",
    from: { major: 4, minor: 21 },
    byDefault: { major: 5, minor: 0 },
  },
  [Platform.Azure]: { gate: "AzureDualStackInstall", from: { major: 4, minor: 21 } },
};

/**
 * Why clusters of a platform certainly have no dual-stack network, as a clause about the network operator; undefined if they may have one.
 *
 * @param release undefined if it is not known
 * @param featureSet the cluster's own, which enables feature gates; undefined if it is the default
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

/** From this release on it is not known which gates are enabled by default. */
export const UNPUBLISHED_RELEASE: Release = { major: 5, minor: 0 };

/** What upstream code and documents state about something that the requirement documents leave open. */
export interface UpstreamDecision {
  what: string;
  documents: readonly DocumentReference[];
}

/** What pods see behind load balancers whose targets are pod addresses. */
export const IP_TARGETS: UpstreamDecision = {
  what: "Network load balancers with IP targets show their own addresses: client IP preservation is off by default for TCP targets that are addresses. If a target group has preserve_client_ip.enabled, request the flow whose key ends in -clients.",
  documents: [
    at(
      AWS_LOAD_BALANCING,
      "Edit target group attributes for your Network Load Balancer, Client IP preservation",
    ),
  ],
};

/** What node ports see behind load balancers whose targets are instances, and who opens the node ports. */
export const INSTANCE_TARGETS: UpstreamDecision = {
  what: "Network load balancers with instance targets keep client addresses. The cloud controller of the management cluster opens the node ports in the nodes' own security group: to loadBalancerSourceRanges of the Service, to every address if there are none, and to the subnets of the load balancer for health checks.",
  documents: [
    at(
      AWS_LOAD_BALANCING,
      "Edit target group attributes for your Network Load Balancer, Client IP preservation",
    ),
    at(CLOUD_PROVIDER_AWS, "pkg/providers/v1/aws_loadbalancer.go"),
  ],
};

/** What happens to networking.apiServer.allowedCIDRBlocks of a HostedCluster. */
export const ALLOWED_BLOCKS_DECISION: UpstreamDecision = {
  what: "HyperShift writes networking.apiServer.allowedCIDRBlocks as loadBalancerSourceRanges into the Services of the API server and of the control plane's own router. Clouds whose controller filters at the load balancer drop other clients; elsewhere this depends on the implementation of load balancers. On AWS with instance targets the blocks are rules of the nodes' security group, which add to the rules of other groups.",
  documents: [
    at(HYPERSHIFT, "control-plane-operator/controllers/hostedcontrolplane/kas/service.go"),
    at(KUBERNETES, "Service, spec.loadBalancerSourceRanges"),
    at(CLOUD_PROVIDER_AWS, "pkg/providers/v1/aws_loadbalancer.go"),
  ],
};

/** Whether load balancers of a platform drop sources that a Service does not list, regardless of the hosts' security groups. */
export const keepsOthersOut = (platform: Platform, targets: LoadBalancerTargets | undefined): boolean =>
  ENFORCING.has(platform) || (platform === Platform.AWS && targets === LoadBalancerTargets.Ip);

/** Platforms whose controllers write the ranges into the network security group or the firewall of the load balancer. */
const ENFORCING: ReadonlySet<Platform> = new Set([Platform.Azure, Platform.GCP]);

/** The decision in one line with its sources. */
export const describeDecision = ({ what, documents }: UpstreamDecision): string =>
  `${what} (${documents.map(({ document, heading }) => `${document.key}, ${heading}`).join("; ")})`;
