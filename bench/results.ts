import { cpus, totalmem } from "node:os";
import { keepsLimit, limitText, ratio, type Figure } from "./figure";
import { markdownTable } from "./table";

/** The measurements of a complete benchmark run, as stored in bench/results.json. */
export interface Results {
  /** Date of the run: `2026-11-26`. */
  date: string;
  /** The machine: `2 x Intel Xeon, 8 GB, Node.js v20.20.2`. */
  machine: string;
  figures: readonly Result[];
}

/** One figure of the run. */
export interface Result {
  name: string;
  /** Our fastest run, or least memory, in `unit`. */
  ours: number;
  /** The same for the peer. */
  peer: number;
  /** The peer: `cidr-tools`. */
  with: string;
  unit: string;
  /** How many times as fast we are, or how many times as much we take, as the limit defines it. */
  ratio: number;
  /** The limit in words: `at least 5`. */
  limit: string;
  met: boolean;
}

/** The results of the figures, with the date and the machine. */
export function resultsOf(figures: readonly Figure[], date = new Date()): Results {
  const [first] = cpus();
  const machine = `${cpus().length} x ${first?.model.trim() ?? "processor"}, ${Math.round(totalmem() / 2 ** 30)} GB, Node.js ${process.version}`;
  return {
    date: date.toISOString().slice(0, 10),
    machine,
    figures: figures.map((figure, at) => ({
      name: wholeName(figures, at),
      ours: rounded(figure.ours.min),
      peer: rounded(figure.theirs.min),
      with: figure.other,
      unit: figure.unit ?? "ms",
      ratio: rounded(ratio(figure)),
      limit: limitText(figure),
      met: keepsLimit(figure),
    })),
  };
}

/** An indented name in the table belongs to the figure above: this combines both names. */
function wholeName(figures: readonly Figure[], at: number): string {
  const { name } = figures[at]!;
  if (!name.startsWith(" ")) return name;
  const above = figures.slice(0, at).findLast((figure) => !figure.name.startsWith(" "));
  return above ? `${above.name}: ${name.trim()}` : name.trim();
}

const rounded = (number: number): number => Number(number.toPrecision(3));

/** Why a figure misses its limit. A figure without a reason here is open work, or other load on the machine. */
const REASONS: Readonly<Record<string, string>> = {
  "100000 nested prefixes, all parents":
    "Chains of prefixes merge to a quarter of their number, so that mergeCidr has less to sort than of others, while we say for each prefix which one it lies in.",
  "100000 VPC-like prefixes, all parents":
    "mergeCidr too reads and sorts IPv4 as numbers, and answers less: one merged list, where we say for each prefix which one it lies in.",
  "100000 duplicate-heavy prefixes, all parents":
    "mergeCidr goes on with the few blocks that differ, while we answer for each of all texts.",
  "50000 flows through 100000 rules of 2500 security groups and 1500 network ACLs, with excess":
    "JSON.parse is compiled code that looks at each byte once. In a profile of ours no function takes more than a twentieth, and a sixth is freeing memory.",
  ...sameReason(
    "Half of it reads the bytes in JavaScript, so that only what rules ask for becomes objects; JSON.parse is compiled code. A tenth is loading the command, which a larger file hides.",
    "check of 10000 resources with 99880 rules, 84 MB",
    "check of 10000 resources with 99880 rules, 84 MB: work",
    "check of 40000 resources with 399520 rules, 338 MB",
    "check of 40000 resources with 399520 rules, 338 MB: work",
  ),
  "hypershift-network --help":
    "The command line is compiled anew by each process: Node.js 20 keeps no compiled code between them.",
  "a preview of the security groups of 200 hosted clusters, 3800 resources":
    "A tenth of what the program does is planning the rules of each component and proving them; the engine registers the components, too.",
};

/** Several figures with the same reason. */
function sameReason(reason: string, ...names: string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, reason]));
}

/** The section on figures that miss their limit; empty if there are none. */
const missedText = (missed: readonly Result[]): string[] =>
  missed.length === 0
    ? []
    : [
        "## Beyond their limit",
        "",
        ...missed.map(
          ({ name, ratio: times, limit }) =>
            `- ${name}: ${times}, limit ${limit}. ${REASONS[name] ?? "The cause is not known."}`,
        ),
        "",
      ];

/** docs/performance.md: the results as a table. */
export function performanceText({ date, machine, figures }: Results): string {
  const cells = figures.map(({ name, ours, peer, with: other, unit, ratio: times, limit, met }) => [
    name,
    `${ours} ${unit}`,
    other,
    `${peer} ${unit}`,
    String(times),
    limit,
    limit === "none" ? "" : met ? "met" : "**not met**",
  ]);
  const missed = figures.filter(({ met }) => !met);
  return [
    "# Performance",
    "",
    `\`npm run bench\` writes this page and \`bench/results.json\`: both sides of each line from one run, in turns, on the same data. This run: ${date}, on ${machine}.`,
    "",
    "Times are those of the fastest run, which shows the least of what else the machine did. The ratio is how many times as fast as the",
    "other side we are where the limit is `at least`, and how many times as much we take where it is `at most`. Packages that only read",
    "blocks get a sort and a sweep over their bounds, because none says which block lies in which; the limit is about the best of them.",
    missed.length === 0
      ? "Every limit is met."
      : `${missed.length} of ${figures.length} figures are beyond their limit.`,
    "",
    ...markdownTable(["figure", "ours", "compared with", "theirs", "ratio", "limit", ""], cells),
    "",
    ...missedText(missed),
    "How time and memory grow with each property of an input: `npm run growth`. Twice as much takes at most 2.3 times as long, or as much",
    "longer as is printed more; where all pairs of something would be printed, the first hundred are, and the number of the others. Network policies",
    "that each select all pods but some (`NotIn`) take up to four times as long for twice as many: every kind of pod is judged under all others' policies.",
    "",
  ].join("\n");
}
