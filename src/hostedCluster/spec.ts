import { platformSections } from "../requirements/hostedClusterSpec";
import type { NormalizedService, NormalizedTopology } from "../topology/normalizedTopology";
import { ovnKubernetesConfig, type OvnKubernetesConfig } from "./ovnSettings";
import type { Fault } from "../fault";
import { EndpointAccess, Platform, PublishingType, Service } from "../requirements/vocabulary";
import { serviceProperty } from "../topology/normalize/services";
import { NODE_PORTS } from "../requirements/ports";
import { reachedPrivately } from "../requirements/platforms";
import { compareReleases, formatRelease, releaseOfImage, type Release } from "../requirements/release";
import { entriesOf, isGiven, propertyOf, type PropertyMap } from "../resources/places";
import { placeOf, valueAt } from "./additionalSpec";

/** The settings of a HostedCluster's network that stand beside the topology. */
export interface NetworkSettings {
  allowedCidrBlocks?: unknown;
  allocateNodeCidrs?: boolean;
  disableMultiNetwork?: boolean;
  mtu?: number;
}

/** The part of a HostedCluster's spec that a topology and the settings beside it say, without proxy. */
export interface NetworkSpec {
  platform: { type: string } & Record<string, unknown>;
  networking: NetworkingSpec;
  services: ServiceEntry[];
  operatorConfiguration?: {
    clusterNetworkOperator: { disableMultiNetwork?: boolean; ovnKubernetesConfig?: OvnKubernetesConfig };
  };
}

/** `spec.networking` of a HostedCluster. */
export interface NetworkingSpec {
  networkType: string;
  clusterNetwork: { cidr: string; hostPrefix: number }[];
  serviceNetwork: { cidr: string }[];
  machineNetwork?: { cidr: string }[];
  apiServer?: { advertiseAddress?: string; port?: number; allowedCIDRBlocks?: unknown };
  allocateNodeCIDRs?: string;
}

/**
 * What the topology becomes in a HostedCluster. Defaults are written out, so that neither the server's nor another
 * release's defaults decide about a network that can never change.
 */
export function networkSpec(topology: NormalizedTopology, settings: NetworkSettings): NetworkSpec {
  const operator = networkOperator(topology, settings);
  return {
    platform: platformSpec(topology),
    networking: networking(topology, settings),
    services: serviceEntries(topology),
    ...(operator && { operatorConfiguration: { clusterNetworkOperator: operator } }),
  };
}

function platformSpec({ platform, endpointAccess }: NormalizedTopology): NetworkSpec["platform"] {
  const section = platformSections[platform];
  if (section?.access === undefined || endpointAccess === section.impliedAccess) return { type: platform };
  return { type: platform, [section.key]: { [section.access]: endpointAccess } };
}

function networking(topology: NormalizedTopology, settings: NetworkSettings): NetworkingSpec {
  const { networkType, clusterNetwork, serviceNetwork, machineNetwork, advertiseAddress, apiServerPort } =
    topology;
  const { allowedCidrBlocks, allocateNodeCidrs } = settings;
  const apiServer = {
    ...(advertiseAddress && { advertiseAddress: advertiseAddress.text }),
    ...(apiServerPort !== undefined && { port: apiServerPort }),
    ...(allowedCidrBlocks !== undefined && { allowedCIDRBlocks: allowedCidrBlocks }),
  };
  return {
    networkType,
    clusterNetwork: clusterNetwork.map(({ prefix, hostPrefix }) => ({ cidr: prefix.text, hostPrefix })),
    serviceNetwork: serviceNetwork.map(({ text }) => ({ cidr: text })),
    ...(machineNetwork.length > 0 && { machineNetwork: machineNetwork.map(({ text }) => ({ cidr: text })) }),
    ...(Object.keys(apiServer).length > 0 && { apiServer }),
    ...(allocateNodeCidrs !== undefined && { allocateNodeCIDRs: allocateNodeCidrs ? "Enabled" : "Disabled" }),
  };
}

function networkOperator(topology: NormalizedTopology, { disableMultiNetwork, mtu }: NetworkSettings) {
  const config = ovnKubernetesConfig(topology, mtu);
  if (!config && disableMultiNetwork === undefined) return undefined;
  return {
    ...(disableMultiNetwork !== undefined && { disableMultiNetwork }),
    ...(config && { ovnKubernetesConfig: config }),
  };
}

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

/** The release that the spec's image names. None for a digest. */
export function releaseOfSpec(spec: PropertyMap | undefined): Release | undefined {
  const image = valueAt(spec, "release.image");
  return typeof image === "string" ? releaseOfImage(image) : undefined;
}

/** The rules on what a topology and the rest of the spec say together, those of the CRD and those of the controllers. */
export function specRuleFaults(spec: PropertyMap, topology: NormalizedTopology): Fault[] {
  return [
    ...otherReleaseFaults(spec, topology),
    ...azureFaults(spec, topology),
    ...nodePortRangeFaults(spec, topology),
    ...certificateFaults(spec, topology),
  ];
}

function otherReleaseFaults(spec: PropertyMap, { release }: NormalizedTopology): Fault[] {
  const ofImage = releaseOfSpec(spec);
  if (!release || !ofImage || compareReleases(release, ofImage) === 0) return [];
  const problem = `is of release ${formatRelease(ofImage)}, and topology.release is ${formatRelease(release)}`;
  return [{ path: placeOf("release.image"), problem, remedy: "write the same release in both" }];
}

/** Azure: private access needs its settings, and OAuth by load balancer a cluster that is managed by its owner. */
function azureFaults(spec: PropertyMap, topology: NormalizedTopology): Fault[] {
  if (topology.platform !== Platform.Azure) return [];
  const { endpointAccess, services } = topology;
  const settings = isGiven(valueAt(spec, "platform.azure.private"));
  const path = placeOf("platform.azure.private");
  const needed = reachedPrivately(endpointAccess);
  const mode = valueAt(spec, "platform.azure.azureAuthenticationConfig.azureAuthenticationConfigType");
  const faults: Fault[] = [];
  if (needed && !settings)
    faults.push({
      path,
      problem: `missing: endpointAccess ${endpointAccess} needs it`,
      remedy: 'write it, for instance {"type": "PrivateLink", "privateLink": {...}}',
    });
  if (!needed && settings)
    faults.push({
      path,
      problem: `goes with private access, and endpointAccess is ${endpointAccess}`,
      remedy: "take it out, or write topology.endpointAccess",
    });
  if (services[Service.OAuthServer].type === PublishingType.LoadBalancer && mode !== "WorkloadIdentities")
    faults.push({
      path: "topology.services.oauthServer.type",
      problem: "LoadBalancer is refused on Azure without the authentication type WorkloadIdentities",
      remedy: "write Route",
    });
  return faults;
}

function nodePortRangeFaults(spec: PropertyMap, { services }: NormalizedTopology): Fault[] {
  const { type, nodePort } = services[Service.APIServer];
  const range = valueAt(spec, "configuration.network.serviceNodePortRange");
  const match = typeof range === "string" ? /^(\d+)-(\d+)$/.exec(range) : null;
  if (type !== PublishingType.NodePort || nodePort === undefined || !match) return [];
  const [from, to] = [Number(match[1]), Number(match[2])];
  if (nodePort >= from && nodePort <= to) return [];
  return [
    {
      path: "topology.services.apiServer.nodePort",
      problem: `${nodePort} is not in ${from}-${to}, which ${placeOf("configuration.network.serviceNodePortRange")} says`,
      remedy: `write one from ${Math.max(from, NODE_PORTS.from)} to ${Math.min(to, NODE_PORTS.to)}`,
    },
  ];
}

/** The API server's load balancer has a certificate of HyperShift's own, which no named certificate may replace. */
function certificateFaults(spec: PropertyMap, { services }: NormalizedTopology): Fault[] {
  const { type, hostname } = services[Service.APIServer];
  if (type !== PublishingType.LoadBalancer || hostname === undefined) return [];
  const certificates = entriesOf(valueAt(spec, "configuration.apiServer.servingCerts.namedCertificates"));
  return certificates.flatMap((certificate, position) =>
    entriesOf(propertyOf(certificate, "names")).includes(hostname)
      ? [
          {
            path: placeOf(`configuration.apiServer.servingCerts.namedCertificates[${position}].names`),
            problem: `holds ${hostname}, the host name of the API server's load balancer`,
            remedy: "leave it out there, or name the API server otherwise",
          },
        ]
      : [],
  );
}
