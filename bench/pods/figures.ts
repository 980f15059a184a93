import { strictEqual } from "node:assert/strict";
import type { Figure } from "../figure";
import { timeInTurns, worked } from "../timing";
import { judgePods, pairsByBruteForce } from "./judge";
import { generatePods, generatePolicies } from "./pods";

const PODS = 10_000;
const POLICIES = 1_000;
const SEED = 20_261_123;
const WITHIN = 200;

/** Which policies select which pods and which calls reach them, compared with matching each pod's labels against each policy. */
export function podFigures(turns: number): Figure[] {
  const pods = generatePods(PODS, SEED);
  const policies = generatePolicies(POLICIES, SEED);
  strictEqual(
    judgePods(pods, policies).pairs,
    pairsByBruteForce(pods, policies),
    "pairs of pods and policies",
  );
  const [ours, theirs] = timeInTurns(
    // Uses a new list each time, so that nothing is cached from the previous turn.
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
