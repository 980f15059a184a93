import { ENTRIES } from "../../bench/plan/acls";
import { generatePlan, generateQuestions, textOfPlan, type PlanDocument } from "../../bench/plan/generate";
import { guardsOf, judgePlan, proofFromAllRules, resourcesOf } from "../../bench/plan/judge";
import { Action, type Clause } from "../../src/reachability/filters/filter";
import { difference, isEmpty, unionAll } from "../../src/reachability/packets/packetSet";
import { packetsOf } from "../../src/reachability/path/duty";
import { Proof } from "../../src/reachability/proof/prove";
import { Direction } from "../../src/requirements/vocabulary";
import { TYPE } from "../../src/resources/resourceTypes";

const SIZES = [
  { groups: 60, rulesPerGroup: 40 },
  { groups: 10, rulesPerGroup: 240 },
] as const;

describe("the plan of the bench", () => {
  test.each(SIZES)("has the stated number of groups and rules: $groups of $rulesPerGroup", (size) => {
    const plan = generatePlan(size, 3);
    const ofGroups = plan.document.steps.filter(({ newState: { type } }) => type !== TYPE.networkAcl);
    const rules = ofGroups.map(({ newState: { inputs } }) =>
      Array.isArray(inputs.ingress) ? inputs.ingress.length + (inputs.egress as unknown[]).length : 1,
    );
    const groups = ofGroups.filter(({ newState: { inputs } }) => "ingress" in inputs);
    const acls = plan.document.steps.filter((one) => !ofGroups.includes(one));
    expect(acls).toHaveLength((size.groups / 5) * 3);
    for (const { newState } of acls)
      for (const direction of Object.values(Direction))
        expect(newState.inputs[direction]).toHaveLength(ENTRIES);
    expect(groups).toHaveLength(size.groups);
    expect(rules.reduce((a, b) => a + b, 0)).toBe(size.groups * size.rulesPerGroup);
    expect(plan.flows).toHaveLength((size.groups / 5) * 2.5 * size.rulesPerGroup);
  });

  test("is the same in every run, with the same questions with or without its resources", () => {
    const plan = generatePlan(SIZES[0], 3);
    expect(textOfPlan(generatePlan(SIZES[0], 3).document)).toBe(textOfPlan(plan.document));
    expect(generateQuestions(SIZES[0], 3)).toEqual({ flows: plan.flows, wanted: plan.wanted });
  });

  test.each(SIZES)(
    "has verdicts that equal those of the sets of all rules: $groups of $rulesPerGroup",
    (size) => {
      const plan = generatePlan(size, 4);
      const resources = resourcesOf(JSON.parse(textOfPlan(plan.document)) as PlanDocument);
      const { proofs } = judgePlan(resources, plan);
      const guardsAt = guardsOf(resources);
      expect(plan.flows.map((flow) => proofFromAllRules(flow, guardsAt))).toEqual(proofs);
      for (const proof of [Proof.Proved, Proof.Refuted, Proof.Unknown]) expect(proofs).toContain(proof);
    },
  );

  test("has as excess exactly the rules that open more than the flows at their hop", () => {
    const plan = generatePlan(SIZES[0], 5);
    const resources = resourcesOf(plan.document);
    const guardsAt = guardsOf(resources);
    const wanted = new Map<readonly Clause[], ReturnType<typeof packetsOf>[]>();
    for (const hop of plan.wanted) {
      const [{ clauses, otherwise }] = guardsAt(hop).groups;
      expect(otherwise).toBe(Action.Deny);
      wanted.set(clauses, [...(wanted.get(clauses) ?? []), packetsOf(hop)]);
    }
    const excess = [...wanted].flatMap(([clauses, sets]) => {
      const all = unionAll(sets);
      return clauses.filter(({ sure }) => !isEmpty(difference(sure, all)));
    });
    expect(judgePlan(resources, plan).excess).toBe(excess.length);
    expect(excess.length).toBeGreaterThan(100);
  });
});
