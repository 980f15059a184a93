import type { NormalizedTopology } from "../topology/normalizedTopology";
import { isRecord } from "../components/hostRules/inputShape";
import {
  type HostedClusterLandingZoneArgs,
  type LandingZonePart,
  type LeftOutPart,
} from "./hostedClusterLandingZoneArgs";
import { parts } from "./parts/everyPart";
import { Home, type Part } from "./parts/part";

/** Which parts a landing zone has. */
export interface PartChoice {
  made: ReadonlySet<LandingZonePart>;
  leftOut: LeftOutPart[];
  /** Parts that were asked for in a cluster that nobody can reach yet. */
  waiting: ReadonlySet<LandingZonePart>;
}

/** Decides from plain values and from what is given at all, never from what an Output holds. */
export function choiceOfParts(
  args: HostedClusterLandingZoneArgs,
  topology: NormalizedTopology | undefined,
): PartChoice {
  const unwanted: readonly unknown[] = Array.isArray(args.leaveOut) ? args.leaveOut : [];
  const reasons = parts.map((part) => ({
    part: part.part,
    reason: unwanted.includes(part.part) ? "it stands in leaveOut" : whyNot(part, args, topology),
  }));
  const of = (matches: (reason: string | undefined) => boolean) =>
    new Set(reasons.filter(({ reason }) => matches(reason)).map(({ part }) => part));
  return {
    made: of((reason) => reason === undefined),
    leftOut: reasons.flatMap(({ part, reason }) => (reason === undefined ? [] : [{ part, reason }])),
    waiting: of((reason) => reason === NO_HOSTED_CLUSTER),
  };
}

const NO_HOSTED_CLUSTER = "hostedClusterKubeconfig is not given";

/** Why a part that nobody wants away is not made. One whose settings are given is made, or refused. */
function whyNot(
  { part, home, keyed, unasked }: Part,
  args: HostedClusterLandingZoneArgs,
  topology: NormalizedTopology | undefined,
): string | undefined {
  const input: unknown = args[part];
  const isAsked = input !== undefined && !(keyed && isRecord(input) && Object.keys(input).length === 0);
  const reason = isAsked ? undefined : unasked(args, topology);
  const isReachable = home !== Home.HostedCluster || args.hostedClusterKubeconfig !== undefined;
  return reason ?? (isReachable ? undefined : NO_HOSTED_CLUSTER);
}
