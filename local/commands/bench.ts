import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { clusterObjectFigures } from "../../bench/check/clusterObjects";
import { checkFigures } from "../../bench/check/figures";
import { componentsFigure } from "../../bench/components/figures";
import { firewallFigures } from "../../bench/firewall/figures";
import { keepsLimit, ratio, type Figure } from "../../bench/figure";
import { type CheckedFleet, fleetFigures } from "../../bench/fleet/figures";
import { loadingFigure } from "../../bench/loading";
import { packFigure } from "../../bench/pack/figures";
import { overlapFigures, type Checked } from "../../bench/overlap";
import { growthFigures, planFigures, type CheckedPlan } from "../../bench/plan/figures";
import { podFigures } from "../../bench/pods/figures";
import { performanceText, resultsOf } from "../../bench/results";
import { providerFigures } from "../../bench/provider/figures";
import { figureTable } from "../../bench/table";

const HELP = `npm run bench [-- PART...] [--json]

Measures what this package promises about speed, each figure beside something that runs in the same turns. A run of all parts
writes bench/results.json and docs/performance.md.
  overlap     100,000 and 1,000,000 prefixes from strings,   at least 5 times faster than the best of cidr-tools,
              random, nested, VPC-like, repeated             fast-cidr-tools, ip-cidr, ipaddr.js and netmask, at least 10 times
                                                             faster than mergeCidr, the answers checked first
  plan        50,000 flows through 100,000 rules             at most 0.8 times JSON.parse on the same plan, and 256 MB more
                                                             (every security group and network ACL on the way of a flow, calls
                                                             and answers)
  growth      growth of that with the plan                   at most 2.3 times for twice the rules, up to 400,000
  firewall    an egress firewall of 8,000 rules              surplus rules within 75 ms, its shortest form within 200 ms
  pods        10,000 pods and 1,000 network policies         within 200 ms, the answers checked first
  fleet       the address plan of 500 clusters               within 50 ms, the plan checked first
              of 5,000 clusters                              within 500 ms
              check of 1,000 HostedClusters of 20 ranges     at most 1.25 times the time of parsing their YAML
  check       check of 80 MB, 100,000 rules                  at most 1.1 times the time of a node that parses the file, 1.55
                                                             times the work of all processors, and no more memory
              check of four times that                       at most 0.75 times the time of a node that parses it, 1.1 times
                                                             the work, and no more memory
              check of 200 MB that are cut off               refused within 5 s
              check of 590 MB                                within 15 s and 1,200 MB; parsing it in one piece is not possible
              hypershift-network --help                      at most 1.2 times the time of node -e 0
  components  preview of groups of 200 hosted clusters       at most 1.1 times that of the same resources, written out
  loading     loading the policy pack                        at most 1.25 times the time of loading only @pulumi/policy
  pack        a preview of 2,000 resources                   at most 1.05 times the time behind a policy pack that is empty
  provider    the first component of a program in another    within 2 s of processor time and 250 MB
              language

  PART     only those parts, such as: npm run bench -- check pack
  --json   the figures as JSON
  --help   this text

Exit status: 0 all limits kept, 1 a limit missed or a figure not measured, 2 wrong usage.`;

const OVERLAP_TURNS = 9;
const PLAN_TURNS = 11;
const GROWTH_TURNS = 5;
const SMALL_TURNS = 11;
const LOADING_TURNS = 9;
const CHECK_TURNS = 5;
const COMPONENTS_TURNS = 3;
const PACK_TURNS = 4;
const PROVIDER_TURNS = 5;
const ROOT = join(__dirname, "..", "..", "..");

/** Figures, and the expected answers that the measured code was checked against first. */
interface Measured {
  figures: readonly Figure[];
  checked?: Readonly<Record<string, unknown>>;
  /** The answers as text for people. */
  answers?: string;
}

const PARTS: Readonly<Record<string, () => Measured | Promise<Measured>>> = {
  overlap: async () => {
    const { figures, checked } = await overlapFigures(OVERLAP_TURNS);
    return { figures, checked: { ...checked }, answers: overlapAnswers(checked) };
  },
  plan: () => {
    const { figures, checked } = planFigures(PLAN_TURNS);
    return { figures, checked: { plan: checked }, answers: planAnswers(checked) };
  },
  growth: () => ({ figures: growthFigures(GROWTH_TURNS) }),
  firewall: () => ({ figures: firewallFigures(SMALL_TURNS) }),
  pods: () => ({ figures: podFigures(SMALL_TURNS) }),
  fleet: () => {
    const { figures, checked } = fleetFigures(SMALL_TURNS);
    return {
      figures: [...figures, ...clusterObjectFigures(ROOT, CHECK_TURNS)],
      checked: { fleet: checked },
      answers: fleetAnswers(checked),
    };
  },
  check: () => ({ figures: checkFigures(ROOT, CHECK_TURNS) }),
  components: async () => ({ figures: [await componentsFigure(COMPONENTS_TURNS)] }),
  loading: () => ({ figures: [loadingFigure(ROOT, LOADING_TURNS)] }),
  pack: async () => ({ figures: [await packFigure(ROOT, PACK_TURNS)] }),
  provider: async () => ({ figures: await providerFigures(ROOT, PROVIDER_TURNS) }),
};

async function main(given: readonly string[]): Promise<number> {
  const names = Object.keys(PARTS);
  const wrong = given.filter((one) => !["--json", "--help"].includes(one) && !names.includes(one));
  if (wrong.length > 0) {
    console.error(`npm run bench does not know ${wrong.join(" ")}\n\n${HELP}`);
    return 2;
  }
  if (given.includes("--help")) {
    console.log(HELP);
    return 0;
  }
  const parts = names.filter((part) => given.includes(part));
  const measured: Measured[] = [];
  const failures: string[] = [];
  for (const part of parts.length > 0 ? parts : names)
    try {
      measured.push(await PARTS[part]!());
    } catch (error) {
      failures.push(`${part} was not measured: ${(error as Error).message}`);
    }
  console.log(given.includes("--json") ? asJson(measured, failures) : asText(measured));
  failures.forEach((failure) => console.error(failure));
  if (parts.length === 0 && failures.length === 0) keep(measured.flatMap(({ figures }) => figures));
  const isKept = measured.every(({ figures }) => figures.every(keepsLimit));
  return failures.length === 0 && isKept ? 0 : 1;
}

/** Writes the results of a complete run, for programs and for people. */
function keep(figures: readonly Figure[]): void {
  const results = resultsOf(figures);
  writeFileSync(join(ROOT, "bench", "results.json"), `${JSON.stringify(results, undefined, 2)}\n`);
  writeFileSync(join(ROOT, "docs", "performance.md"), performanceText(results));
  console.error("written: bench/results.json and docs/performance.md");
}

const overlapAnswers = ({ duplicates, nested, pairs, sample }: Checked): string =>
  `answers checked: ${duplicates} duplicates, ${nested} nested, ${pairs} pairs as the bounds of every package give them; ` +
  `${sample} prefixes by brute force`;

const planAnswers = ({ proved, refuted, unknown, excess, sample }: CheckedPlan): string =>
  `flows: ${proved} proved, ${refuted} refuted, ${unknown} unknown, ${excess} rules with excess; ` +
  `${sample} proved again from the sets of all rules`;

const fleetAnswers = ({ clusters, distinct, stayed }: CheckedFleet): string =>
  `fleet: ${clusters} clusters have the same ranges in every run, ${distinct} of them overlap no other, ${stayed} clusters stay where they are when others come`;

function asText(measured: readonly Measured[]): string {
  return [
    figureTable(measured.flatMap(({ figures }) => figures)),
    ...measured.flatMap(({ answers = [] }) => answers),
    "ms* is the time that processors work for the process, which others on the machine hardly change",
    "the ratio is that of the fastest runs, which the limit is about, and that of the medians",
  ].join("\n");
}

function asJson(measured: readonly Measured[], failures: readonly string[]): string {
  const figures = measured
    .flatMap((part) => part.figures)
    .map((figure) => ({
      ...figure,
      ratio: { min: ratio(figure), median: ratio(figure, "median") },
      kept: keepsLimit(figure),
    }));
  const checked = Object.assign({}, ...measured.map((part) => part.checked)) as object;
  return JSON.stringify({ version: 1, figures, checked, failures }, undefined, 2);
}

const given = process.argv.slice(2);
main(given[0] === "bench" ? given.slice(1) : given).then(
  (status) => (process.exitCode = status),
  (error: unknown) => {
    console.error(`npm run bench failed: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 1;
  },
);
