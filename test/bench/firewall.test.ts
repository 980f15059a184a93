import { SHAPES, firewallRules } from "../../bench/firewall/rules";
import { minimised, surplusOf } from "../../src/reachability/firstMatch/surplus";

describe("the egress firewalls of the bench", () => {
  test.each(SHAPES)("have in shape %s the same rules in every run, with and without surplus", (shape) => {
    const rules = firewallRules(shape, 600, 7);
    expect(firewallRules(shape, 600, 7)).toEqual(rules);
    const surplus = surplusOf(rules).filter((why) => why !== undefined).length;
    expect(surplus).toBeGreaterThan(50);
    expect(surplus).toBeLessThan(600);
    expect(minimised(rules).length).toBeLessThanOrEqual(600 - surplus);
  });

  test("name ports in half of the rules", () => {
    const named = firewallRules("random", 1_000, 7).filter(({ services }) => services.length > 0).length;
    expect(Math.abs(named - 500)).toBeLessThan(100);
  });
});
