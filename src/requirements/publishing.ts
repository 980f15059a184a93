import {
  OCP_4_7_OVN,
  HYPERSHIFT,
  OCP_4_10_OVN,
  OCP_RELEASE_NOTES,
  at,
  type DocumentReference,
} from "./documents";
import { defaultEndpointAccess, endpointAccessModes } from "./platforms";
import { ALL_PLATFORMS } from "./requirement";
import { EndpointAccess, Platform, PublishingType, Service } from "./vocabulary";
import { since, type Since } from "./release";

/** A way of publishing a service that HyperShift refuses, or that does not work. */
export interface PublishingRefusal {
  service: Service;
  platforms: readonly Platform[];
  refused: readonly PublishingType[];
  /** Access modes for which it is refused. Default: all. */
  access?: readonly EndpointAccess[];
  /** The reason, as the end of the sentence "`<strategy>` for `<service>` is refused: ...". */
  reason: string;
  documents: readonly DocumentReference[];
}

const { Route, NodePort, LoadBalancer } = PublishingType;
const otherThanAzure = ALL_PLATFORMS.filter((platform) => platform !== Platform.Azure);
const awsController = at(
  HYPERSHIFT,
  "hypershift-operator/controllers/hostedcluster/hostedcluster_controller.go",
);
const azureCrd = at(HYPERSHIFT, "HostedCluster CRD, spec (Azure rules)");

/** The refusals for each service. */
export const publishingRefusals: readonly PublishingRefusal[] = [
  {
    service: Service.Ignition,
    platforms: ALL_PLATFORMS,
    refused: [LoadBalancer],
    reason: "HyperShift publishes Ignition by Route or NodePort only",
    documents: [at(HYPERSHIFT, "control-plane-operator/controllers/hostedcontrolplane/v2/ignitionserver")],
  },
  {
    service: Service.OAuthServer,
    platforms: otherThanAzure,
    refused: [LoadBalancer],
    reason: "HyperShift gives OAuth a load balancer on Azure only",
    documents: [at(HYPERSHIFT, "control-plane-operator/controllers/hostedcontrolplane/oauth/service.go")],
  },
  {
    service: Service.OAuthServer,
    platforms: [Platform.Azure],
    refused: [NodePort],
    reason: "on Azure OAuth is published by Route, self-managed also by LoadBalancer",
    documents: [azureCrd],
  },
  {
    service: Service.Konnectivity,
    platforms: [Platform.Azure],
    refused: [NodePort, LoadBalancer],
    reason: "on Azure Konnectivity is published by Route",
    documents: [azureCrd],
  },
  {
    service: Service.Ignition,
    platforms: [Platform.Azure],
    refused: [NodePort],
    reason: "on Azure Ignition is published by Route",
    documents: [azureCrd],
  },
  ...[Service.OAuthServer, Service.Konnectivity, Service.Ignition].map((service) => ({
    service,
    platforms: [Platform.AWS],
    refused: service === Service.Konnectivity ? [NodePort, LoadBalancer] : [NodePort],
    reason: `on AWS ${service} is published by Route`,
    documents: [awsController],
  })),
  {
    service: Service.APIServer,
    platforms: [Platform.AWS],
    refused: [NodePort],
    reason: "on AWS the API server is published by LoadBalancer, or by Route with a host name",
    documents: [awsController],
  },
  {
    service: Service.APIServer,
    platforms: [Platform.Azure, Platform.GCP],
    access: [EndpointAccess.Private],
    refused: [NodePort],
    reason: "node ports do not lead through the private endpoint",
    documents: [at(HYPERSHIFT, "docs/content/reference/service-publishing-strategies.md")],
  },
];

/** Why a service cannot be published that way; `undefined` if it can. */
export function publishingRefusal(
  platform: Platform,
  access: EndpointAccess,
  service: Service,
  type: PublishingType,
): PublishingRefusal | undefined {
  return publishingRefusals.find(
    (refusal) =>
      refusal.service === service &&
      refusal.platforms.includes(platform) &&
      refusal.refused.includes(type) &&
      (refusal.access?.includes(access) ?? true),
  );
}

/**
 * Why a service cannot be published that way, given what is known of platform and access: if one is
 * unknown, the service is refused only if every possible value is.
 */
export function certainRefusal(
  platform: Platform | undefined,
  access: EndpointAccess | undefined,
  service: Service,
  type: PublishingType,
): PublishingRefusal | undefined {
  const refusals = (platform ? [platform] : ALL_PLATFORMS).flatMap((one) =>
    (access ? [access] : accessesOf(one)).map((each) => publishingRefusal(one, each, service, type)),
  );
  return refusals.includes(undefined) ? undefined : refusals[0];
}

function accessesOf(platform: Platform): readonly EndpointAccess[] {
  const modes = endpointAccessModes(platform);
  return modes.length > 0 ? modes : [defaultEndpointAccess(platform)];
}

/** The strategies that a service can have, given what is known of platform and access. */
export function supportedPublishing(
  platform: Platform | undefined,
  access: EndpointAccess | undefined,
  service: Service,
): readonly PublishingType[] {
  return [Route, NodePort, LoadBalancer].filter((type) => !certainRefusal(platform, access, service, type));
}

/** Whether the API server's Route requires a host name: otherwise HyperShift's controller refuses it on AWS. */
export function needsHostname(
  platform: Platform,
  access: EndpointAccess,
  service: Service,
  type: PublishingType,
) {
  return (
    service === Service.APIServer &&
    type === Route &&
    platform === Platform.AWS &&
    access !== EndpointAccess.Private
  );
}

const missingIn47 = at(OCP_4_7_OVN, "15.1.3. OVN-Kubernetes limitations");

/** The first releases whose OVN-Kubernetes supports the value `Local` of these fields of a Service. */
export const LOCAL_TRAFFIC_POLICY_SINCE = {
  externalTrafficPolicy: since(4, 10, missingIn47, at(OCP_4_10_OVN, "OVN-Kubernetes limitations")),
  internalTrafficPolicy: since(
    4,
    11,
    missingIn47,
    at(OCP_RELEASE_NOTES, "4.11, Internal traffic support for OVN-Kubernetes"),
  ),
} as const satisfies Record<string, Since>;
