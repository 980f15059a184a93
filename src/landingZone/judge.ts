import type { Fault } from "../fault";
import { hostedClusterReference } from "../objects/hostedClusterReference";
import { judgeShape } from "../objects/shape";
import { isGiven } from "../resources/read";
import { normalizeTopology } from "../topology/normalizeTopology";
import type { NormalizedTopology } from "../topology/normalizedTopology";
import { knownPart } from "../components/settled";
import {
  type HostedClusterLandingZoneArgs,
  LandingZonePart,
  type LeftOutPart,
} from "./hostedClusterLandingZoneArgs";
import {
  below,
  PartTarget,
  joined,
  type PartJudgement,
  type Part,
  type UniqueEntry,
  type ZoneContext,
} from "./parts/part";
import { keyFaults, valueText } from "../components/hostRules/givenValues";
import { type PropertyValue, UNKNOWN } from "../resources/resource";
import { missingInputFaults, plainnessFaults } from "../components/checked";
import { plannedTopology } from "../topology/addressBlocks";
import { awsParts } from "./parts/aws";
import { controlPlaneParts } from "./parts/controlPlane";
import { egressParts } from "./parts/egress";
import { hostedClusterParts, networkOperatorParts } from "./parts/hostedCluster";
import { isRecord } from "../collections";

/** The result of judging the inputs of a landing zone. */
export interface LandingZoneJudgement {
  /** Absent if the topology cannot be read. */
  topology?: NormalizedTopology;
  choice: PartChoice;
  faults: Fault[];
  warnings: string[];
}

/**
 * Returns all faults of the inputs, of every part at once, to the extent that the inputs are known. If the topology cannot be
 * read, each part is still judged by what does not depend on it.
 */
export function judgeLandingZone(
  component: ZoneContext["component"],
  name: string,
  args: HostedClusterLandingZoneArgs,
): LandingZoneJudgement {
  const raw = plannedTopology(knownPart(args.topology));
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
    ...judgeShape(hostedClusterReference(topology), {
      path: "existingHostedCluster",
      value: knownPart(args.existingHostedCluster),
    }).faults,
  ];
  return {
    ...(topology && { topology }),
    choice,
    faults: [...own, ...unsaid(ofParts.faults, own), ...usedTwice(ofParts.unique)],
    warnings: [...new Set([...withoutHostedCluster(choice), ...ofParts.warnings])],
  };
}

/** Inputs that parts share are at the top level, the others among the settings of their part. */
const SHARED: { readonly [target in PartTarget]: RegExp } = {
  [PartTarget.Aws]: /^(topology|vpcId|workerVpcId|region|tags)\b/,
  [PartTarget.ManagementCluster]: /^(topology|existingHostedCluster)\b/,
  [PartTarget.HostedCluster]: /^topology\b/,
};

/** The judgement of a part, with paths that point to where its user wrote the input. */
function judged({ part, target, judge }: Part, zone: ZoneContext): PartJudgement {
  const { faults, warnings, unique = [] } = judge(zone);
  const placed = (path: string) => (SHARED[target].test(path) ? path : below(part, path));
  return {
    faults: faults.map((fault) => ({ ...fault, path: placed(fault.path) })),
    warnings: warnings.map(placed),
    unique: unique.map((one) => ({ ...one, path: placed(one.path) })),
  };
}

/** Reports a fault of a shared input once, and not if the zone has already reported it. */
function unsaid(faults: readonly Fault[], own: readonly Fault[]): Fault[] {
  const said = new Set(own.map(({ path }) => path));
  const others = faults.filter(({ path }) => !said.has(path));
  return [...new Map(others.map((fault) => [`${fault.path} ${fault.problem}`, fault])).values()];
}

/** Faults of entries that claim the same unique name or address. */
function usedTwice(unique: readonly UniqueEntry[]): Fault[] {
  const first = new Map<string, UniqueEntry>();
  return unique.flatMap((one) => {
    const key = `${one.what} ${one.value}`;
    const other = first.get(key);
    if (!other) first.set(key, one);
    const problem = `${one.value} already has ${one.what}: ${other?.path}`;
    return other ? [{ path: one.path, problem, remedy: "keep one of the two" }] : [];
  });
}

/** A warning about parts that were requested in a cluster that is not reachable yet. */
export function withoutHostedCluster({ waiting }: PartChoice): string[] {
  if (waiting.size === 0) return [];
  return [
    `hostedClusterKubeconfig missing: ${[...waiting].join(", ")} left out, because they belong to the hosted cluster; set it when the cluster is up`,
  ];
}

/** Which parts a landing zone creates. */
export interface PartChoice {
  made: ReadonlySet<LandingZonePart>;
  leftOut: LeftOutPart[];
  /** Parts that were requested in a cluster that is not reachable yet. */
  waiting: ReadonlySet<LandingZonePart>;
}

/** Decides from plain values and from which inputs are given, never from the value of an Output. */
export function choiceOfParts(
  args: HostedClusterLandingZoneArgs,
  topology: NormalizedTopology | undefined,
): PartChoice {
  const unwanted: readonly unknown[] = Array.isArray(args.leaveOut) ? args.leaveOut : [];
  const reasons = parts.map((part) => ({
    part: part.part,
    reason: unwanted.includes(part.part) ? "it is in leaveOut" : whyNot(part, args, topology),
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

/** Why a part that is not opted out of is not created. A part whose settings are given is created or refused. */
function whyNot(
  { part, target, keyed, unasked }: Part,
  args: HostedClusterLandingZoneArgs,
  topology: NormalizedTopology | undefined,
): string | undefined {
  const input: unknown = args[part];
  const isAsked = input !== undefined && !(keyed && isRecord(input) && Object.keys(input).length === 0);
  const reason = isAsked ? undefined : unasked(args, topology);
  const isReachable = target !== PartTarget.HostedCluster || args.hostedClusterKubeconfig !== undefined;
  return reason ?? (isReachable ? undefined : NO_HOSTED_CLUSTER);
}

/** Faults of inputs that decide which parts exist: they must be plain and have the right form. */
function shapeFaults(args: HostedClusterLandingZoneArgs): Fault[] {
  return [
    ...missingInputFaults(args, {
      topology: "describe the hosted cluster: { name: ..., platform: ..., ... }",
    }),
    ...plainnessFaults("topology", args.topology),
    ...parts.flatMap((part) => inputFaults(part, args[part.part])),
    ...leaveOutFaults(knownPart(args.leaveOut)),
    ...kubeconfigFaults(knownPart(args.hostedClusterKubeconfig)),
    ...twoClusters(args),
  ];
}

/** Whether the input of a part has the right form: otherwise its rules have nothing to judge. */
const hasShape = (part: Part, args: HostedClusterLandingZoneArgs): boolean =>
  inputFaults(part, args[part.part]).length === 0;

function inputFaults({ part, keyed, valued }: Part, input: unknown): Fault[] {
  const faults = objectFaults(part, input);
  if (faults.length > 0 || !keyed || !isRecord(input)) return faults;
  return Object.entries(input).flatMap(([key, entry]) => [
    ...keyFaults(`${part}.${key}`, key),
    ...(valued ? [] : objectFaults(`${part}.${key}`, entry)),
  ]);
}

/** An Output cannot decide which resources exist, whatever its value. */
function objectFaults(path: string, value: unknown): Fault[] {
  if (value === undefined) return [];
  if (knownPart(value) === UNKNOWN) return plainnessFaults(path, value);
  return isRecord(value)
    ? []
    : [{ path, problem: `${valueText(value)} is not an object`, remedy: "write its settings: { ... }" }];
}

function leaveOutFaults(leaveOut: PropertyValue): Fault[] {
  if (!isGiven(leaveOut)) return [];
  const words: readonly unknown[] = Object.values(LandingZonePart);
  const remedy = `write some of ${words.join(", ")}`;
  if (!Array.isArray(leaveOut)) return [{ path: "leaveOut", problem: "is not a list", remedy }];
  return leaveOut.flatMap((part, position) =>
    words.includes(part)
      ? []
      : [{ path: `leaveOut[${position}]`, problem: `${valueText(part)} is not a part`, remedy }],
  );
}

function kubeconfigFaults(kubeconfig: PropertyValue): Fault[] {
  if (!isGiven(kubeconfig) || kubeconfig === UNKNOWN) return [];
  if (typeof kubeconfig === "string" && kubeconfig.trim() !== "") return [];
  const remedy = "write the content of the Secret <name>-admin-kubeconfig, or leave it out";
  return [{ path: "hostedClusterKubeconfig", problem: "is not a kubeconfig", remedy }];
}

function twoClusters({ hostedCluster, existingHostedCluster, leaveOut }: HostedClusterLandingZoneArgs) {
  const isMade = hostedCluster !== undefined && !leaveOut?.includes(LandingZonePart.HostedCluster);
  if (!isMade || existingHostedCluster === undefined) return [];
  const problem = "names a HostedCluster, and hostedCluster creates one";
  return [{ path: "existingHostedCluster", problem, remedy: "remove one of the two" }];
}

/** Every part of a landing zone, in order of creation: a part uses outputs of earlier parts. */
export const parts = [
  ...awsParts,
  ...hostedClusterParts,
  ...controlPlaneParts,
  ...networkOperatorParts,
  ...egressParts,
];
