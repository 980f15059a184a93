import { serviceFaults } from "../hostedCluster/spec";
import { diffPlans } from "../reachability/answers/diff/diffPlans";
import { Proof } from "../reachability/proof/prove";
import {
  internalSubnet,
  internalSubnetProperties,
  type InternalSubnetProperty,
} from "../requirements/internalSubnets";
import { formatRelease } from "../requirements/release";
import { releaseImage } from "../requirements/hostedCluster/forms";
import { isolationFlowBlocked } from "../isolation/rules/isolationFlowBlocked";
import { planQuestion } from "../rules/conclusion";
import { fixOf, Status, type Judgement } from "../gate/rule";
import { readText } from "../resources/read";
import { isHostedCluster, isNodePool } from "../resources/resourceTypes";
import { OvnSubnetRule } from "../topology/normalize/ovnSubnets";
import { isFault, overlapsOf, type RangeConflict } from "../topology/reservedRanges";
import type { Fault } from "../fault";
import type { Obstacle } from "./runBook";
import { type Change, differingOf, type ClusterState, type Transition } from "./drafts";
import { RELEASE_IMAGE, rewordedFields } from "./facets";
import { againstClosing } from "./steps/bootstrap";
import { changesPolicies, policyJudgements } from "./steps/isolation";
import { neverMovable } from "./steps/upgrade";

/** What must be resolved before the first step, so that no step cuts what works today. */
export const obstaclesOf = (transition: Transition): Obstacle[] => [
  ...faultObstacles(transition),
  ...releaseObstacles(transition),
  ...imageObstacles(transition.change),
  ...rewordedFields(transition.change).map(refusedAsWritten),
  ...bootstrapObstacles(transition),
  ...otherProperty(transition),
  ...collisions(transition),
  ...(differingOf(transition, "services").length > 0 ? serviceFaults(transition.reachable).map(ofFault) : []),
  ...(changesPolicies(transition) ? policyJudgements(transition, Status.Violated).map(cutByPolicy) : []),
  ...cutFlows(transition.change.current, transition.change.wanted),
];

const ofFault = ({ path, problem, remedy }: { path: string; problem: string; remedy: string }): Obstacle => ({
  what: `${path}: ${problem}`,
  fix: remedy,
});

/** New faults of the wanted topology, or of the part of it that the cluster can reach. */
function faultObstacles({ change: { current, wanted }, mixed }: Transition): Obstacle[] {
  const keyOf = ({ path, problem }: Fault) => `${path} ${problem}`;
  const known = new Set(current.faults.map(keyOf));
  const all = new Map([...wanted.faults, ...mixed].map((fault) => [keyOf(fault), fault]));
  return [...all.values()]
    .filter((fault) => !known.has(keyOf(fault)) && fault.rule !== OvnSubnetRule.Release)
    .map(ofFault);
}

const refusedAsWritten = (path: string): Obstacle => ({
  what: `spec.${path}: states the current value differently, and the API server accepts it only once`,
  fix: "write it as the HostedCluster has it",
});

/** Nodes that still need the ports to be closed. */
const bootstrapObstacles = (transition: Transition): Obstacle[] =>
  againstClosing(transition).map(({ subject, expected, found, fix }) => ({
    what: `bootstrap: ${subject}: ${expected} is needed to close the ports, but found: ${found}`,
    fix: fix ?? "leave bootstrap true",
  }));

/** Internal subnets that no release on the upgrade path supports. */
const releaseObstacles = (transition: Transition): Obstacle[] =>
  neverMovable(transition).map((property) => {
    const since = formatRelease(internalSubnet(property).since!);
    const { release } = transition.reachable;
    return {
      what: `${property}: HostedClusters have it since ${since}, and the wanted release is ${release ? formatRelease(release) : "not stated"}`,
      fix: `use ${since} or newer, or leave ${property} out`,
    };
  });

/** A release image that the API server refuses; it accepted the current one. */
function imageObstacles({ current, wanted }: Change): Obstacle[] {
  const [before, after] = [current, wanted].map(({ object }) => readText(object, `spec.${RELEASE_IMAGE}`));
  if (typeof after !== "string" || after === before || releaseImage.matches(after)) return [];
  return [
    {
      what: `spec.${RELEASE_IMAGE}: ${JSON.stringify(after)} is not ${releaseImage.name}`,
      fix: releaseImage.remedy,
    },
  ];
}

/** OVN has one subnet for two properties: a running cluster keeps the property that it states. */
const otherProperty = ({ current, reachable }: Transition): Obstacle[] =>
  internalSubnetProperties.flatMap((property) => {
    const same = internalSubnet(property).sameAs as InternalSubnetProperty | undefined;
    if (same === undefined || !current[property] || reachable[property] || !reachable[same]) return [];
    return [
      {
        what: `${same} is wanted instead of ${property}, and the network operator refuses both together`,
        fix: `change the subnet with ${property}`,
      },
    ];
  });

/** Collisions that nothing refuses and that the current topology does not have. */
function collisions({ current, reachable }: Transition): Obstacle[] {
  const text = ({ range, other }: RangeConflict) =>
    `${range.name} ${range.prefix.text} overlaps ${other.name} ${other.prefix.text}`;
  const known = new Set(overlapsOf(current, Infinity).map(text));
  return overlapsOf(reachable, Infinity)
    .filter((conflict) => !isFault(conflict) && !known.has(text(conflict)))
    .map((conflict) => {
      const { range, other } = conflict;
      const breaks = other.row?.breaks ?? range.row?.breaks ?? "packets for the shared addresses are lost";
      const instead = other.implicit && other.path !== undefined ? `, or write ${other.path}` : "";
      return { what: `${text(conflict)}: ${breaks}`, fix: `move ${range.name}${instead}` };
    });
}

/** Documented flows that the resources of the wanted state drop and the current ones do not. */
function cutFlows(current: ClusterState, wanted: ClusterState): Obstacle[] {
  const isBeside = ({ type }: { type: string }) => !isHostedCluster(type) && !isNodePool(type);
  if (!wanted.judged.resources.some(isBeside)) return [];
  const [old, now] = [current, wanted].map(({ judged, topology }) => planQuestion(judged, topology));
  return diffPlans(old!, now!)
    .flows.filter(({ after, before }) => after === Proof.Refuted && before !== Proof.Refuted)
    .map(({ key, title }) => ({
      what: `the wanted state drops a documented flow: ${key}: ${title}`,
      fix: "hypershift-network prove on the wanted state names the packet and the rule to add",
    }));
}

const cutByPolicy = ({
  message,
  witness,
  fix,
}: Judgement & { witness?: string; fix?: string }): Obstacle => ({
  what: `${message}${witness === undefined ? "" : `: ${witness}`}`,
  fix: fix ?? fixOf(isolationFlowBlocked),
});
