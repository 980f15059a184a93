import { platformSections } from "../requirements/hostedClusterSpec";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { ovnKubernetesConfig, type OvnKubernetesConfig } from "./ovnSettings";
import { serviceEntries, type ServiceEntry } from "./services";

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
