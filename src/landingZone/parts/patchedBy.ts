import { podSecurityOverride } from "../../requirements/podIsolation";
import type { HostedClusterReference } from "../../components/hostedClusterPatch";
import { LandingZonePart, type HostedClusterLandingZoneArgs } from "../hostedClusterLandingZoneArgs";
import { given } from "./part";

/** Parts that patch an existing HostedCluster: the first one that is made does, for the others too. */
const PATCHING = [
  LandingZonePart.Proxy,
  LandingZonePart.OvnSubnets,
  LandingZonePart.Isolation,
  LandingZonePart.DedicatedNodes,
] as const;

/** The annotation that isolation asks for, on the HostedCluster. */
export const annotationsOf = (
  { isolation }: HostedClusterLandingZoneArgs,
  made: ReadonlySet<LandingZonePart>,
): Record<string, string> | undefined =>
  made.has(LandingZonePart.Isolation) && isolation?.podSecurityLevel !== undefined
    ? podSecurityOverride(isolation.podSecurityLevel)
    : undefined;

/** The part whose patch it is. */
export function patchingPart(
  args: HostedClusterLandingZoneArgs,
  made: ReadonlySet<LandingZonePart>,
): LandingZonePart | undefined {
  const annotates = annotationsOf(args, made) !== undefined;
  return PATCHING.find((one) => made.has(one) && (one !== LandingZonePart.Isolation || annotates));
}

/** One object takes one patch: what a part is told of an existing HostedCluster, where it is the one that patches it. */
export function patchedBy(
  part: (typeof PATCHING)[number],
  args: HostedClusterLandingZoneArgs,
  made: ReadonlySet<LandingZonePart>,
): { existingHostedCluster?: HostedClusterReference; hostedClusterAnnotations?: Record<string, string> } {
  const { existingHostedCluster } = args;
  if (existingHostedCluster === undefined || patchingPart(args, made) !== part) return {};
  const takesAnnotations = part === LandingZonePart.Proxy || part === LandingZonePart.OvnSubnets;
  const hostedClusterAnnotations = takesAnnotations ? annotationsOf(args, made) : undefined;
  return given({ existingHostedCluster, hostedClusterAnnotations });
}
