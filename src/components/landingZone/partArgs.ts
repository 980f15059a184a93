import type { HostedControlPlaneSecurityGroupsArgs } from "../aws/hostedControlPlaneSecurityGroupsArgs";
import type { PrivateEndpointSecurityGroupArgs } from "../aws/privateEndpointSecurityGroupArgs";
import type { EgressFirewallArgs, EgressFirewallSettings } from "../kubernetes/egressFirewallArgs";
import type { EgressIPArgs, EgressIPSettings } from "../kubernetes/egressIpArgs";
import type { OvnSubnetConfigArgs } from "../kubernetes/ovnSubnetConfigArgs";
import type { ProxyConfigArgs } from "../kubernetes/proxyConfigArgs";
import type { HostedClusterLandingZoneArgs } from "./hostedClusterLandingZoneArgs";

type Zone = HostedClusterLandingZoneArgs;

/** Inputs without those that are undefined: a part takes them for given otherwise. */
function given<T extends object>(inputs: T): { [key in keyof T]: Exclude<T[key], undefined> } {
  return Object.fromEntries(Object.entries(inputs).filter(([, value]) => value !== undefined)) as never;
}

/** What all resources of AWS have in common. */
const onAws = ({ topology, region, tags }: Zone) => given({ topology, region, tags });

export const securityGroupArgs = (zone: Zone): HostedControlPlaneSecurityGroupsArgs => ({
  ...zone.securityGroups,
  ...onAws(zone),
  ...(given({ vpcId: zone.vpcId, workerVpcId: zone.workerVpcId }) as { vpcId: string }),
});

export const privateEndpointArgs = (zone: Zone): PrivateEndpointSecurityGroupArgs => ({
  ...zone.privateEndpoint,
  ...onAws(zone),
  ...(given({ vpcId: zone.workerVpcId ?? zone.vpcId }) as { vpcId: string }),
});

/** One object takes one patch: with a proxy that patches the cluster, the subnets go into its patch. */
export const ovnSubnetArgs = (zone: Zone, hasProxy: boolean): OvnSubnetConfigArgs => ({
  ...zone.ovnSubnets,
  ...given({
    topology: zone.topology,
    existingHostedCluster: hasProxy ? undefined : zone.existingHostedCluster,
  }),
});

export const proxyArgs = (zone: Zone, ovnSubnets: ProxyConfigArgs["ovnSubnets"]): ProxyConfigArgs => {
  const { topology, existingHostedCluster } = zone;
  return {
    ...zone.proxy,
    ...given({
      topology,
      existingHostedCluster,
      ovnSubnets: existingHostedCluster === undefined ? undefined : ovnSubnets,
    }),
  };
};

export const egressFirewallArgs = (
  { topology }: Zone,
  settings: EgressFirewallSettings,
): EgressFirewallArgs => ({
  ...settings,
  topology,
});

export const egressIpArgs = ({ topology }: Zone, key: string, settings: EgressIPSettings): EgressIPArgs => ({
  objectName: `${topology?.name}-${key}`,
  ...settings,
  topology,
});
