import { reachedPrivately } from "../../requirements/platforms";
import { Platform } from "../../requirements/vocabulary";
import type { Fault } from "../../fault";
import { isMap, type PropertyMap } from "../../resources/read";
import {
  HostedControlPlaneNetworkAcls,
  networkAclFaults,
  networkAclWarnings,
} from "../../networkAcls/component/hostedControlPlaneNetworkAcls";
import type { HostedControlPlaneNetworkAclsArgs } from "../../networkAcls/component/hostedControlPlaneNetworkAclsArgs";
import {
  HostedControlPlaneSecurityGroups,
  securityGroupFaults,
  securityGroupWarnings,
} from "../../securityGroups/component/hostedControlPlaneSecurityGroups";
import type { HostedControlPlaneSecurityGroupsArgs } from "../../securityGroups/component/hostedControlPlaneSecurityGroupsArgs";
import {
  PrivateEndpointSecurityGroup,
  privateEndpointFaults,
  privateEndpointWarnings,
} from "../../securityGroups/component/privateEndpointSecurityGroup";
import type { PrivateEndpointSecurityGroupArgs } from "../../securityGroups/component/privateEndpointSecurityGroupArgs";
import { LandingZonePart, type HostedClusterLandingZoneArgs } from "../hostedClusterLandingZoneArgs";
import { PartTarget, UNREADABLE, given, partWithSettings, type LeftOutBecause } from "./part";

/** The inputs that all AWS resources share. */
const onAws = ({ topology, region, tags }: HostedClusterLandingZoneArgs) => given({ topology, region, tags });

/** The VPCs of hosts and workers. A part reports itself if the VPC that it needs is missing. */
const vpcs = ({ vpcId, workerVpcId }: HostedClusterLandingZoneArgs) =>
  given({ vpcId, workerVpcId }) as { vpcId: NonNullable<typeof vpcId> };

const securityGroups = partWithSettings({
  part: LandingZonePart.SecurityGroups,
  target: PartTarget.Aws,
  unasked: ({ vpcId }) => (vpcId === undefined ? "vpcId is not given" : undefined),
  argsOf: ({ args }): HostedControlPlaneSecurityGroupsArgs => ({
    ...args.securityGroups,
    ...onAws(args),
    ...vpcs(args),
  }),
  judge: (known, { name }, args) => ({
    faults: securityGroupFaults(name, args, known),
    warnings: securityGroupWarnings(args),
  }),
  create: (name, args, opts) => {
    const groups = new HostedControlPlaneSecurityGroups(name, args, opts);
    return {
      controlPlaneSecurityGroupId: groups.controlPlaneSecurityGroupId,
      workerSecurityGroupId: groups.workerSecurityGroupId,
      ...given({
        controlPlaneSecurityGroupArn: groups.controlPlaneSecurityGroupArn,
        workerSecurityGroupArn: groups.workerSecurityGroupArn,
      }),
      securityGroupRules: groups.rules,
    };
  },
});

const networkAcls = partWithSettings({
  part: LandingZonePart.NetworkAcls,
  target: PartTarget.Aws,
  unasked: () => "no subnet is declared dedicated",
  argsOf: ({ args }): HostedControlPlaneNetworkAclsArgs => ({
    ...args.networkAcls,
    ...onAws(args),
    ...vpcs(args),
  }),
  judge: (known, _, args) => ({
    faults: [...nothingDedicated(known), ...networkAclFaults(args, known)],
    warnings: networkAclWarnings(args),
  }),
  create: (name, args, opts) => {
    const acls = new HostedControlPlaneNetworkAcls(name, args, opts);
    return {
      controlPlaneNetworkAclId: acls.controlPlaneNetworkAclId,
      ...given({
        workerNetworkAclId: acls.workerNetworkAclId,
        controlPlaneNetworkAclArn: acls.controlPlaneNetworkAclArn,
        workerNetworkAclArn: acls.workerNetworkAclArn,
      }),
      networkAclRules: acls.rules,
    };
  },
});

/** A fault for ACLs that no subnet could use. */
function nothingDedicated({ dedicatedSubnets = null }: PropertyMap): Fault[] {
  const isSome = dedicatedSubnets !== null && !(isMap(dedicatedSubnets) && isEmpty(dedicatedSubnets));
  if (isSome) return [];
  const remedy = "declare the subnets that only this hosted cluster uses, or leave networkAcls out";
  return [{ path: "dedicatedSubnets", problem: "missing: an ACL filters whole subnets", remedy }];
}

const isEmpty = (map: PropertyMap): boolean => Object.keys(map).length === 0;

const noEndpoint: LeftOutBecause = ({ vpcId, workerVpcId }, topology) => {
  if (!topology) return UNREADABLE;
  if (topology.platform !== Platform.AWS) return "only clusters on AWS have VPC endpoints";
  if (!reachedPrivately(topology.endpointAccess)) return "a cluster with Public access has no VPC endpoints";
  return vpcId === undefined && workerVpcId === undefined ? "workerVpcId is not given" : undefined;
};

const privateEndpoint = partWithSettings({
  part: LandingZonePart.PrivateEndpoint,
  target: PartTarget.Aws,
  unasked: noEndpoint,
  argsOf: ({ args }): PrivateEndpointSecurityGroupArgs => {
    const vpcId = args.workerVpcId ?? args.vpcId;
    return { ...args.privateEndpoint, ...onAws(args), ...(given({ vpcId }) as { vpcId: string }) };
  },
  judge: (known, { name, args: { workerVpcId } }, args) => ({
    // The endpoints are in the workers' VPC, whichever input names it.
    faults: privateEndpointFaults(name, args, known).map((fault) =>
      fault.path === "vpcId" && workerVpcId !== undefined ? { ...fault, path: "workerVpcId" } : fault,
    ),
    warnings: privateEndpointWarnings(args),
  }),
  create: (name, args, opts) => {
    const endpoint = new PrivateEndpointSecurityGroup(name, args, opts);
    return {
      privateEndpointSecurityGroupId: endpoint.securityGroupId,
      ...given({ privateEndpointSecurityGroupArn: endpoint.securityGroupArn }),
      vpcEndpointIds: endpoint.endpointIds,
      privateEndpointRules: endpoint.rules,
    };
  },
});

/** Parts in the AWS account of hosts and workers. */
export const awsParts = [securityGroups, networkAcls, privateEndpoint];
