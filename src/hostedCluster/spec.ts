import { serviceProperty } from "../requirements/publishedServices";
import { platformSections, typedFields } from "../requirements/hostedCluster";
import type { NormalizedService, NormalizedTopology } from "../topology/normalizedTopology";
import { ovnKubernetesConfig, type HostedClusterOvnConfig } from "./fragments";
import type { Fault } from "../fault";
import { EndpointAccess, Platform, PublishingType, Service } from "../requirements/vocabulary";
import { compareReleases, formatRelease, releaseOfImage, type Release } from "../requirements/release";
import type { PropertyMap } from "../resources/read";
import { merged, placeOf, valueAt } from "./additionalSpec";
import { hostedClusterRelations } from "./object";

/** The network settings of a HostedCluster that are not part of the topology. */
export interface NetworkSettings {
  allowedCidrBlocks?: unknown;
  allocateNodeCidrs?: boolean;
  disableMultiNetwork?: boolean;
  mtu?: number;
}

/** The part of a HostedCluster's spec that comes from the topology and these settings, without the proxy. */
export interface NetworkSpec {
  platform: { type: string } & Record<string, unknown>;
  networking: NetworkingSpec;
  services: ServiceEntry[];
  operatorConfiguration?: {
    clusterNetworkOperator: { disableMultiNetwork?: boolean; ovnKubernetesConfig?: HostedClusterOvnConfig };
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
 * Turns the topology into the spec of a HostedCluster. Defaults are written out, so that neither the server's nor another
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

/** The order in which services are written. It can never change, because the server compares the lists in order. */
const ORDER = [Service.APIServer, Service.Ignition, Service.Konnectivity, Service.OAuthServer] as const;

/** Every service with its publishing strategy. */
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

/** Faults of settings that a HostedCluster to be created needs, beyond what its firewalls need. */
export function serviceFaults({ services, endpointAccess, platform }: NormalizedTopology): Fault[] {
  return ORDER.flatMap((service) => {
    const { type, address, hostname } = services[service];
    const path = `topology.services.${serviceProperty[service]}`;
    if (type === PublishingType.NodePort && address === undefined)
      return [
        {
          path: `${path}.address`,
          problem: `missing: ${service} is published by NodePort, and nodes reach the port at this address`,
          remedy:
            "write the host name or address of the management cluster's nodes, or of a load balancer in front of them",
        },
      ];
    const isPublicApi =
      service === Service.APIServer &&
      type === PublishingType.Route &&
      endpointAccess !== EndpointAccess.Private;
    // On AWS the judgement of the topology already reports this.
    if (isPublicApi && hostname === undefined && platform !== Platform.AWS)
      return [
        {
          path: `${path}.hostname`,
          problem: "missing: HyperShift creates no Route for a public API server without a host name",
          remedy: "write a host name, or publish by LoadBalancer",
        },
      ];
    return [];
  });
}

/** The release of the spec's image. Undefined if the image is named by its digest. */
export function releaseOfSpec(spec: PropertyMap | undefined): Release | undefined {
  const image = valueAt(spec, "release.image");
  return typeof image === "string" ? releaseOfImage(image) : undefined;
}

/** Faults of inputs in combination: applies the rules on the object built from them, and reports each fault at its input. */
export function specRuleFaults(
  spec: PropertyMap,
  topology: NormalizedTopology,
  settings: NetworkSettings,
): Fault[] {
  const typed = networkSpec(topology, settings);
  const object = { kind: "HostedCluster", spec: merged({ ...typed }, spec) as PropertyMap };
  return [
    ...otherReleaseFaults(spec, topology),
    ...hostedClusterRelations(object).map(({ path, problem, remedy }) => ({
      path: inputOf(path, typed.services),
      problem,
      remedy,
    })),
  ];
}

const SERVICE = /^spec\.services\[(\d+)\]\.servicePublishingStrategy\.(?:\w+\.)?(\w+)$/;

/** The input that sets a field of the object: `topology.services.apiServer.nodePort`, `additionalSpecJson platform.azure.private`. */
function inputOf(path: string, services: readonly ServiceEntry[]): string {
  const [, position, field] = SERVICE.exec(path) ?? [];
  if (position !== undefined && field !== undefined) {
    const service = services[Number(position)]!.service as Service;
    return `topology.services.${serviceProperty[service]}.${field === "port" ? "nodePort" : field}`;
  }
  const inSpec = path.slice("spec.".length);
  return typedFields.get(inSpec) ?? placeOf(inSpec);
}

function otherReleaseFaults(spec: PropertyMap, { release }: NormalizedTopology): Fault[] {
  const ofImage = releaseOfSpec(spec);
  if (!release || !ofImage || compareReleases(release, ofImage) === 0) return [];
  const problem = `is of release ${formatRelease(ofImage)}, and topology.release is ${formatRelease(release)}`;
  return [{ path: placeOf("release.image"), problem, remedy: "write the same release in both" }];
}
