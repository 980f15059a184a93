import { byPlanner, disagreement, reversed } from "../../local/fleet/agreement";
import { fleetOf } from "../../local/fleet/cases";

const SEED = 1;
const FLEETS = 600;
const fleets = Array.from({ length: FLEETS }, (_, at) => fleetOf(SEED, at + 1));

test("the planner agrees with one that tries every address, on random fleets", () => {
  for (const [at, given] of fleets.entries()) {
    const found = disagreement(given);
    if (found)
      throw new Error(
        `fleet ${at + 1} of seed ${SEED}: ${JSON.stringify({ given, ...found }, undefined, 1)}`,
      );
  }
});

test("the random fleets include shortages, widened pools, complete plans, conflicts and forecasts", () => {
  const answers = fleets.map(byPlanner);
  const count = (holds: (answer: (typeof answers)[number]) => boolean) => answers.filter(holds).length;
  expect(count(({ shortages }) => shortages.length > 0)).toBeGreaterThan(FLEETS / 5);
  expect(count(({ shortages }) => shortages.some(({ widened }) => widened !== undefined))).toBeGreaterThan(
    FLEETS / 20,
  );
  expect(count(({ unplaced }) => unplaced.length === 0)).toBeGreaterThan(FLEETS / 20);
  expect(count(({ conflicts }) => conflicts.length > 0)).toBeGreaterThan(FLEETS / 20);
  expect(count(({ more }) => more.some((one) => / [1-9]\d* /.test(one)))).toBeGreaterThan(FLEETS / 20);
});

test("the order of entries does not change the plan", () => {
  for (const given of fleets.slice(0, 300)) expect(byPlanner(reversed(given))).toEqual(byPlanner(given));
});
