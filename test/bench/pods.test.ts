import { judgePods, pairsByBruteForce, podClasses } from "../../bench/pods/judge";
import { generatePods, generatePolicies } from "../../bench/pods/pods";

describe("the pods of the bench", () => {
  const pods = generatePods(600, 1);
  const policies = generatePolicies(150, 2);

  test("have as many pairs as found by comparing every pod with every policy", () => {
    const judged = judgePods(pods, policies);
    expect(judged.pairs).toBe(pairsByBruteForce(pods, policies));
    expect(judged.pairs).toBeGreaterThan(100);
  });

  test("include reachable and unreachable pods", () => {
    const { open } = judgePods(pods, policies);
    expect(open).toBeGreaterThan(50);
    expect(open).toBeLessThan(550);
  });

  test("give the same result when judged by class as one by one", () => {
    const single = pods.map((pod) => judgePods([pod], policies));
    const together = judgePods(pods, policies);
    expect(single.reduce((sum, one) => sum + one.open, 0)).toBe(together.open);
    expect(together.classes).toBe(podClasses(pods).length);
  });
});
