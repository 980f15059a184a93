import { judgePods, pairsByBruteForce } from "../../bench/pods/judge";
import { generatePods, generatePolicies } from "../../bench/pods/pods";
import { podClasses } from "../../src/reachability/filters/policySelection";

describe("the pods of the bench", () => {
  const pods = generatePods(600, 1);
  const policies = generatePolicies(150, 2);

  test("as many pairs are found as by comparing every pod with every policy", () => {
    const judged = judgePods(pods, policies);
    expect(judged.pairs).toBe(pairsByBruteForce(pods, policies));
    expect(judged.pairs).toBeGreaterThan(100);
  });

  test("some pods are reached and some are not", () => {
    const { open } = judgePods(pods, policies);
    expect(open).toBeGreaterThan(50);
    expect(open).toBeLessThan(550);
  });

  test("a class judged by itself comes to the same as its pods one by one", () => {
    const single = pods.map((pod) => judgePods([pod], policies));
    const together = judgePods(pods, policies);
    expect(single.reduce((sum, one) => sum + one.open, 0)).toBe(together.open);
    expect(together.classes).toBe(podClasses(pods).length);
  });
});
