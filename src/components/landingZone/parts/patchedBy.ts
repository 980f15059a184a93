import { podSecurityOverride } from "../../../requirements/podIsolation";
import type { HostedClusterReference } from "../../kubernetes/hostedClusterReference";
import { LandingZonePart, type HostedClusterLandingZoneArgs } from "../hostedClusterLandingZoneArgs";
import { given } from "./part";

/** Parts that patch an existing HostedCluster: the first one that is made does, for the others too. */
const PATCHING = [LandingZonePart.Proxy, LandingZonePart.OvnSubnets, LandingZonePart.Isolation] as const;

/** The annotation that isolation asks for, on the HostedCluster. */
export const annotationsOf = (
  { isolation }: HostedClusterLandingZoneArgs,
  made: ReadonlySet<LandingZonePart>,
): Record<string, string> | undefined =>
  made.has(LandingZonePart.Isolation) && isolation?.podSecurityLevel !== undefined
    ? podSecurityOverride(isolation.podSecurityLevel)
    : undefined;

/** One object takes one patch: what a part is told of an existing HostedCluster, where it is the one that patches it. */
export function patchedBy(
  part: (typeof PATCHING)[number],
  args: HostedClusterLandingZoneArgs,
  made: ReadonlySet<LandingZonePart>,
): { existingHostedCluster?: HostedClusterReference; hostedClusterAnnotations?: Record<string, string> } {
  const { existingHostedCluster } = args;
  const annotations = annotationsOf(args, made);
  const patching = PATCHING.filter((one) => one !== LandingZonePart.Isolation || annotations);
  if (existingHostedCluster === undefined || patching.find((one) => made.has(one)) !== part) return {};
  return given({
    existingHostedCluster,
    hostedClusterAnnotations: part === LandingZonePart.Isolation ? undefined : annotations,
  });
}
