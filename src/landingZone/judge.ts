import type * as pulumi from "@pulumi/pulumi";
import type { Fault } from "../fault";
import { hostedClusterReferenceFaults } from "../objects/hostedClusterReference";
import { isGiven } from "../objects/places";
import { normalizeTopology } from "../topology/normalizeTopology";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { knownPart } from "../components/checked";
import { choiceOfParts, type PartChoice } from "./choice";
import type { HostedClusterLandingZoneArgs } from "./hostedClusterLandingZoneArgs";
import { parts } from "./parts/everyPart";
import { Home, below, joined, type Judgement, type Part, type Taken, type Zone } from "./parts/part";
import { hasShape, shapeFaults } from "./shape";

/** What the inputs of a landing zone come to. */
export interface LandingZoneJudgement {
  /** Absent when the topology cannot be read. */
  topology?: NormalizedTopology;
  choice: PartChoice;
  faults: Fault[];
  warnings: string[];
}

/**
 * Everything that is wrong with the inputs, in every part at once, as far as they are known. A topology that cannot be read
 * keeps no part from being judged by what does not depend on it.
 */
export function judgeLandingZone(
  component: pulumi.ComponentResource,
  name: string,
  args: HostedClusterLandingZoneArgs,
): LandingZoneJudgement {
  const raw = knownPart(args.topology);
  const { topology, readable, faults: ofTopology } = normalizeTopology(raw);
  const choice = choiceOfParts(args, readable);
  const asked = new Set([...choice.made, ...choice.waiting]);
  const zone = { name, component, args, made: asked };
  const ofParts = joined(
    parts.filter((part) => asked.has(part.part) && hasShape(part, args)).map((part) => judged(part, zone)),
  );
  const own = [
    ...shapeFaults(args),
    ...(isGiven(raw) ? ofTopology : []),
    ...hostedClusterReferenceFaults("existingHostedCluster", knownPart(args.existingHostedCluster), topology),
  ];
  return {
    ...(topology && { topology }),
    choice,
    faults: [...own, ...unsaid(ofParts.faults, own), ...takenTwice(ofParts.taken)],
    warnings: [...new Set([...withoutHostedCluster(choice), ...ofParts.warnings])],
  };
}

/** Inputs that parts share stand at the top, the others among the settings of their part. */
const SHARED: { readonly [home in Home]: RegExp } = {
  [Home.Aws]: /^(topology|vpcId|workerVpcId|region|tags)\b/,
  [Home.ManagementCluster]: /^(topology|existingHostedCluster)\b/,
  [Home.HostedCluster]: /^topology\b/,
};

/** What a part says, at the places where its user wrote it. */
function judged({ part, home, judge }: Part, zone: Zone): Judgement {
  const { faults, warnings, taken = [] } = judge(zone);
  const placed = (path: string) => (SHARED[home].test(path) ? path : below(part, path));
  return {
    faults: faults.map((fault) => ({ ...fault, path: placed(fault.path) })),
    warnings: warnings.map(placed),
    taken: taken.map((one) => ({ ...one, path: placed(one.path) })),
  };
}

/** What parts say of inputs that they share counts once, and not where the zone has said it itself. */
function unsaid(faults: readonly Fault[], own: readonly Fault[]): Fault[] {
  const said = new Set(own.map(({ path }) => path));
  const others = faults.filter(({ path }) => !said.has(path));
  return [...new Map(others.map((fault) => [`${fault.path} ${fault.problem}`, fault])).values()];
}

/** What two entries say is theirs. */
function takenTwice(taken: readonly Taken[]): Fault[] {
  const first = new Map<string, Taken>();
  return taken.flatMap((one) => {
    const key = `${one.what} ${one.value}`;
    const other = first.get(key);
    if (!other) first.set(key, one);
    const problem = `${one.value} has ${one.what} already, ${other?.path}`;
    return other ? [{ path: one.path, problem, remedy: "keep one of the two" }] : [];
  });
}

/** What was asked for in a cluster that nobody can reach yet. */
export function withoutHostedCluster({ waiting }: PartChoice): string[] {
  if (waiting.size === 0) return [];
  return [
    `hostedClusterKubeconfig missing: ${[...waiting].join(", ")} left out, which belong to the hosted cluster; give it when the cluster is up`,
  ];
}
