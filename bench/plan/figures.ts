import { strictEqual } from "node:assert/strict";
import type { Figure } from "../figure";
import { timeInTurns, timingOf, worked } from "../timing";
import type { Resource } from "../../src/resources/resource";
import { ACLS } from "./acls";
import {
  GROUPS,
  generatePlan,
  textOfPlan,
  type GeneratedPlan,
  type PlanDocument,
  type PlanSize,
} from "./generate";
import { guardsOf, judgePlan, proofFromAllRules, resourcesOf, type JudgedPlan } from "./judge";
import { peakMemory } from "./memory";

const SEED = 20_261_121;
const LARGE: PlanSize = { groups: 2_500, rulesPerGroup: 40 };
/** The most times the duration of `JSON.parse`, and the most additional megabytes. */
const TIMES_PARSING = 0.8;
const MEGABYTES = 256;
/** The most times the duration for twice the rules. */
const GROWTH = 2.3;
const SAMPLE = 500;

/** Counts from checking the answers, for the report. */
export interface CheckedPlan {
  flows: number;
  proved: number;
  refuted: number;
  unknown: number;
  excess: number;
  /** Number of flows that were proved a second time from the sets of all rules. */
  sample: number;
}

/** A plan with 100,000 rules in 2,500 groups: time and memory compared with parsing it. */
export function planFigures(turns: number): { figures: Figure[]; checked: CheckedPlan } {
  const plan = generatePlan(LARGE, SEED);
  const text = textOfPlan(plan.document);
  const name = `${plan.flows.length} flows through ${LARGE.groups * LARGE.rulesPerGroup} rules of ${LARGE.groups} security groups and ${(LARGE.groups / GROUPS.length) * ACLS.length} network ACLs`;
  const other = `JSON.parse of the plan, ${Math.round(text.length / 1e6)} MB`;
  const resources = resourcesOf(JSON.parse(text) as PlanDocument);
  const checked = checkedPlan(resources, plan);
  const [ours, theirs] = timeInTurns(
    () => judgePlan(resources, plan),
    () => JSON.parse(text) as unknown,
    turns,
    2,
    worked,
  );
  const memory = peakMemory(text, LARGE, SEED, 3);
  return {
    figures: [
      {
        name: `${name}, with excess`,
        ours,
        other,
        theirs,
        unit: "ms of processor time",
        limit: { atMost: TIMES_PARSING },
      },
      {
        name: "  peak memory with the plan",
        ours: timingOf(memory.judging),
        other: "only parsing",
        theirs: timingOf(memory.parsing),
        unit: "MB",
        limit: { more: MEGABYTES },
      },
    ],
    checked,
  };
}

/** Throws if an answer is wrong. */
function checkedPlan(resources: readonly Resource[], plan: GeneratedPlan): CheckedPlan {
  const judged = judgePlan(resources, plan);
  const guardsAt = guardsOf(resources);
  let sample = 0;
  for (let flow = 0; flow < plan.flows.length; flow += Math.ceil(plan.flows.length / SAMPLE), sample++)
    strictEqual(judged.proofs[flow], proofFromAllRules(plan.flows[flow]!, guardsAt), `flow ${flow}`);
  return { flows: plan.flows.length, ...counted(judged), excess: judged.excess, sample };
}

function counted({ proofs }: JudgedPlan): Pick<CheckedPlan, "proved" | "refuted" | "unknown"> {
  const count = { proved: 0, assumed: 0, refuted: 0, unknown: 0 };
  for (const proof of proofs) count[proof]++;
  const { proved, refuted, unknown } = count;
  return { proved, refuted, unknown };
}

/** The sizes to compare, up to 400,000 rules. */
const GROWING: readonly (readonly [name: string, from: PlanSize, to: PlanSize])[] = [
  ["twice the groups", { groups: 5_000, rulesPerGroup: 40 }, { groups: 10_000, rulesPerGroup: 40 }],
  [
    "twice the rules of each group",
    { groups: 2_500, rulesPerGroup: 80 },
    { groups: 2_500, rulesPerGroup: 160 },
  ],
  [
    "twice the rules of 10 groups",
    { groups: 10, rulesPerGroup: 10_000 },
    { groups: 10, rulesPerGroup: 20_000 },
  ],
  [
    "twice the rules of 10 groups",
    { groups: 10, rulesPerGroup: 20_000 },
    { groups: 10, rulesPerGroup: 40_000 },
  ],
];

interface Sized {
  resources: Resource[];
  questions: Pick<GeneratedPlan, "flows" | "wanted">;
}

/** How the time grows with the plan and its flows. */
export function growthFigures(turns: number): Figure[] {
  return GROWING.map(([name, from, to]) => {
    const [small, large] = [from, to].map((size) => {
      const { document, ...questions } = generatePlan(size, SEED);
      return { resources: resourcesOf(document), questions };
    }) as [Sized, Sized];
    const [theirs, ours] = timeInTurns(
      () => judgePlan(small.resources, small.questions),
      () => judgePlan(large.resources, large.questions),
      turns,
      1,
      worked,
    );
    return {
      name: `${name}: ${rulesOf(to)} rules`,
      ours,
      other: `${rulesOf(from)} rules`,
      theirs,
      unit: "ms of processor time" as const,
      limit: { atMost: GROWTH },
    };
  });
}

const rulesOf = ({ groups, rulesPerGroup }: PlanSize): number => groups * rulesPerGroup;
