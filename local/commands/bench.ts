import { join } from "node:path";
import { checkFigures } from "../../bench/check/figures";
import { firewallFigures } from "../../bench/firewall/figures";
import { keepsLimit, ratio, type Figure } from "../../bench/figure";
import { loadingFigure } from "../../bench/loading";
import { packFigure } from "../../bench/pack/figures";
import { overlapFigures, type Checked } from "../../bench/overlap";
import { growthFigures, planFigures, type CheckedPlan } from "../../bench/plan/figures";
import { podFigures } from "../../bench/pods/figures";
import { figureTable } from "../../bench/table";

const HELP = `npm run bench [-- --json]

Measures what this package promises about speed, each figure beside something that runs in the same turns:
  overlap of 100,000 prefixes from strings   at least 5 times faster than cidr-tools, the answers checked first
  50,000 flows through 100,000 rules         at most the time of JSON.parse on the same plan, and 256 MB more
                                             (every security group and network ACL on the way of a flow, calls and answers)
  growth of that with the plan               at most 2.3 times for twice the rules, up to 400,000
  an egress firewall of 8,000 rules          surplus rules within 75 ms, its shortest form within 200 ms
  10,000 pods and 1,000 network policies     within 200 ms, the answers checked first
  check of 80 MB, 100,000 rules              at most 1.25 times the time of a node that parses the file, 1.55 times the work
                                             of all processors, and no more memory
  check of four times that                   at most the time of a node that parses it, 1.1 times the work, and no more memory
  check of 200 MB that are cut off           refused within 5 s
  check of 590 MB                            within 15 s and 1,200 MB; parsing it in one piece is not possible
  hypershift-network --help                  at most 1.4 times the time of node -e 0
  loading the policy pack                    at most 1.25 times the time of loading @pulumi/policy alone
  a preview of 2,000 resources               at most 1.15 times the time behind a policy pack that is empty

  --json   the figures as JSON
  --help   this text

Exit status: 0 all limits kept, 1 a limit missed or a figure not measured, 2 wrong usage.`;

const OVERLAP_TURNS = 21;
const PLAN_TURNS = 11;
const GROWTH_TURNS = 5;
const SMALL_TURNS = 11;
const LOADING_TURNS = 9;
const CHECK_TURNS = 5;
const PACK_TURNS = 4;
const ROOT = join(__dirname, "..", "..", "..");

/** What is measured in processes of its own, from the compiled package. */
const ofProcesses: readonly (readonly [what: string, measured: () => Figure[] | Promise<Figure[]>])[] = [
  ["check", () => checkFigures(ROOT, CHECK_TURNS)],
  ["loading the policy pack", () => [loadingFigure(ROOT, LOADING_TURNS)]],
  ["a preview behind the pack", async () => [await packFigure(ROOT, PACK_TURNS)]],
];

async function main(options: readonly string[]): Promise<number> {
  const wrong = options.filter((option) => !["--json", "--help"].includes(option));
  if (wrong.length > 0) {
    console.error(`npm run bench does not know ${wrong.join(" ")}\n\n${HELP}`);
    return 2;
  }
  if (options.includes("--help")) {
    console.log(HELP);
    return 0;
  }
  const { figures, checked } = await overlapFigures(OVERLAP_TURNS);
  const plan = planFigures(PLAN_TURNS);
  figures.push(
    ...plan.figures,
    ...growthFigures(GROWTH_TURNS),
    ...firewallFigures(SMALL_TURNS),
    ...podFigures(SMALL_TURNS),
  );
  const failures: string[] = [];
  for (const [what, measured] of ofProcesses)
    try {
      figures.push(...(await measured()));
    } catch (error) {
      failures.push(`${what} was not measured: ${(error as Error).message}`);
    }
  const all = { ...checked, plan: plan.checked };
  console.log(options.includes("--json") ? asJson(figures, all, failures) : asText(figures, all));
  failures.forEach((failure) => console.error(failure));
  return failures.length === 0 && figures.every(keepsLimit) ? 0 : 1;
}

type AllChecked = Checked & { plan: CheckedPlan };

function asText(figures: readonly Figure[], { duplicates, nested, pairs, sample, plan }: AllChecked): string {
  return [
    figureTable(figures),
    `answers checked: ${duplicates} duplicates, ${nested} nested, ${pairs} pairs as cidr-tools' bounds give them; ` +
      `${sample} prefixes by brute force`,
    `flows: ${plan.proved} proved, ${plan.refuted} refuted, ${plan.unknown} unknown, ${plan.excess} rules with excess; ` +
      `${plan.sample} proved again from the sets of all rules`,
    "ms* is the time that processors work for the process, which others on the machine hardly change",
    "the ratio is that of the fastest runs, which the limit is about, and that of the medians",
  ].join("\n");
}

function asJson(figures: readonly Figure[], checked: AllChecked, failures: readonly string[]): string {
  const measured = figures.map((figure) => ({
    ...figure,
    ratio: { min: ratio(figure), median: ratio(figure, "median") },
    kept: keepsLimit(figure),
  }));
  return JSON.stringify({ version: 1, figures: measured, checked, failures }, undefined, 2);
}

const given = process.argv.slice(2);
main(given[0] === "bench" ? given.slice(1) : given).then(
  (status) => (process.exitCode = status),
  (error: unknown) => {
    console.error(`npm run bench failed: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  },
);
