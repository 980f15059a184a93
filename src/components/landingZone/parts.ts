import { reachedPrivately } from "../../requirements/platforms";
import { Platform } from "../../requirements/vocabulary";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { isRecord } from "../aws/inputShape";
import {
  LandingZonePart,
  type HostedClusterLandingZoneArgs,
  type LeftOutPart,
} from "./hostedClusterLandingZoneArgs";

/** Which parts a landing zone has. */
export interface PartChoice {
  made: ReadonlySet<LandingZonePart>;
  leftOut: LeftOutPart[];
}

/** Parts that live in the hosted cluster. */
export const HOSTED_PARTS: ReadonlySet<LandingZonePart> = new Set([
  LandingZonePart.EgressFirewalls,
  LandingZonePart.EgressIps,
  LandingZonePart.MulticastNamespaces,
]);

export const NO_HOSTED_CLUSTER = "hostedClusterKubeconfig is not given";

/** Decides from plain values and from what is given at all, never from what an Output holds. */
export function choiceOfParts(args: HostedClusterLandingZoneArgs, topology: NormalizedTopology): PartChoice {
  const leftOut = Object.values(LandingZonePart).flatMap((part) => {
    const reason = args.leaveOut?.includes(part) ? "it stands in leaveOut" : whyNot(part, args, topology);
    return reason === undefined ? [] : [{ part, reason }];
  });
  const without = new Set(leftOut.map(({ part }) => part));
  return { made: new Set(Object.values(LandingZonePart).filter((part) => !without.has(part))), leftOut };
}

/** Why a part that nobody wants away is not made. One whose settings are given is made, or refused. */
function whyNot(
  part: LandingZonePart,
  args: HostedClusterLandingZoneArgs,
  topology: NormalizedTopology,
): string | undefined {
  if (HOSTED_PARTS.has(part)) {
    if (isEmpty(args[part])) return "none is given";
    return args.hostedClusterKubeconfig === undefined ? NO_HOSTED_CLUSTER : undefined;
  }
  return args[part] === undefined ? unasked[part]?.(args, topology) : undefined;
}

const isEmpty = (entries: unknown) =>
  entries === undefined || entries === null || (isRecord(entries) && Object.keys(entries).length === 0);

type Condition = (args: HostedClusterLandingZoneArgs, topology: NormalizedTopology) => string | undefined;

/** Why a part is not made where no settings are given. */
const unasked: { readonly [part in LandingZonePart]?: Condition } = {
  [LandingZonePart.SecurityGroups]: ({ vpcId }) => (vpcId === undefined ? "vpcId is not given" : undefined),
  [LandingZonePart.PrivateEndpoint]: ({ vpcId, workerVpcId }, { platform, endpointAccess }) => {
    if (platform !== Platform.AWS) return "only clusters on AWS have VPC endpoints";
    if (!reachedPrivately(endpointAccess)) return "a cluster with Public access has no VPC endpoints";
    return vpcId === undefined && workerVpcId === undefined ? "workerVpcId is not given" : undefined;
  },
  [LandingZonePart.OvnSubnets]: (_, { internalJoinSubnet, internalTransitSwitchSubnet }) =>
    internalJoinSubnet || internalTransitSwitchSubnet ? undefined : "the topology states no internal subnet",
  [LandingZonePart.Proxy]: ({ topology }) => (topology.proxy ? undefined : "the topology has no proxy"),
};
