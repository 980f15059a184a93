import { strictEqual } from "node:assert/strict";
import type { Figure } from "../figure";
import { timeInTurns, worked } from "../timing";
import { judgePods, pairsByBruteForce } from "./judge";
import { generatePods, generatePolicies } from "./pods";

const PODS = 10_000;
const POLICIES = 1_000;
const SEED = 20_261_123;
const WITHIN = 200;

/** Which policies select which pods and whom calls reach, beside comparing the labels of each pod with each policy. */
export function podFigures(turns: number): Figure[] {
  const pods = generatePods(PODS, SEED);
  const policies = generatePolicies(POLICIES, SEED);
  strictEqual(
    judgePods(pods, policies).pairs,
    pairsByBruteForce(pods, policies),
    "pairs of pods and policies",
  );
  const [ours, theirs] = timeInTurns(
    // A list of its own each time: nothing is left of the turn before.
    () => judgePods(pods, [...policies]),
    () => pairsByBruteForce(pods, policies),
    turns,
    3,
    worked,
  );
  return [
    {
      name: `${PODS} pods and ${POLICIES} policies, with a verdict for each class`,
      ours,
      other: "comparing all labels",
      theirs,
      unit: "ms of processor time",
      limit: { within: WITHIN },
    },
  ];
}
