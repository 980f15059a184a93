import { minimised, surplusOf } from "../../src/reachability/firstMatch/surplus";
import type { Figure } from "../figure";
import { timeInTurns, worked } from "../timing";
import { SHAPES, firewallRules } from "./rules";

/** The most rules that OVN-Kubernetes accepts. */
const RULES = 8_000;
const SEED = 20_261_122;
const SHADOWING = 75;
const MINIMISING = 200;

/** Finding the redundant rules of a large egress firewall and its shortest form, compared with sorting the rules by their blocks. */
export function firewallFigures(turns: number): Figure[] {
  return SHAPES.flatMap((shape) => {
    const rules = firewallRules(shape, RULES, SEED);
    const against = (name: string, within: number, ours: () => unknown): Figure => {
      const [ourTime, theirTime] = timeInTurns(ours, () => sorted(rules), turns, 3, worked);
      return {
        name: `${name} of ${RULES} rules of an egress firewall, ${shape}`,
        ours: ourTime,
        other: "sorting them",
        theirs: theirTime,
        unit: "ms of processor time",
        limit: { within },
      };
    };
    return [
      against("surplus", SHADOWING, () => surplusOf(rules)),
      against("shortest form", MINIMISING, () => minimised(rules)),
    ];
  });
}

const sorted = (rules: ReturnType<typeof firewallRules>): unknown =>
  [...rules].sort((a, b) => (a.prefix!.text < b.prefix!.text ? -1 : 1));
