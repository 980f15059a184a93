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
    "Nested prefixes merge into few, so mergeCidr has less to sort; this package finds the enclosing prefix of each one.",
  "100000 VPC-like prefixes, all parents":
    "mergeCidr also parses and sorts IPv4 as numbers, but returns less: one merged list instead of the enclosing prefix of each one.",
  "100000 duplicate-heavy prefixes, all parents":
    "mergeCidr continues with the few distinct blocks; this package returns an answer for each text.",
  "50000 flows through 100000 rules of 2500 security groups and 1500 network ACLs, with excess":
    "JSON.parse is native code that reads each byte once. The time of this package is spread over many functions.",
  ...sameReason(
    "The command scans the bytes in JavaScript, so that only values that rules read become objects; JSON.parse is native code. Loading the command matters less for larger files.",
    "check of 10000 resources with 99880 rules, 84 MB",
    "check of 10000 resources with 99880 rules, 84 MB: work",
    "check of 40000 resources with 399520 rules, 338 MB",
    "check of 40000 resources with 399520 rules, 338 MB: work",
  ),
  "hypershift-network --help":
    "Each process compiles the command line again: Node.js 20 does not keep compiled code.",
  "a preview of the security groups of 200 hosted clusters, 3800 resources":
    "The program also plans and proves the rules of each component, and the engine registers the components.",
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
        "## Missed limits",
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
    `\`npm run bench\` writes this page and \`bench/results.json\`: each line compares two programs that ran alternately, in one run, on the same data. This run: ${date}, on ${machine}.`,
    "",
    "Times are those of the fastest repetition, which other load on the machine affects least. Where the limit is `at least`, the ratio is",
    "how many times as fast as the other program this package is; where it is `at most`, how many times as much time or memory it takes. Packages",
    "that only parse blocks cannot tell which block lies in which: the benchmark adds a sort and a sweep to them. The limit applies to the",
    "fastest of them.",
    missed.length === 0
      ? "Every limit is met."
      : `${missed.length} of ${figures.length} figures miss their limit.`,
    "",
    ...markdownTable(["figure", "ours", "compared with", "theirs", "ratio", "limit", ""], cells),
    "",
    ...missedText(missed),
    "`npm run growth` measures how time and memory grow with each property of an input. An input twice as large takes at most 2.3 times as long,",
    "or longer in proportion to the additional output; of pairs, only the first hundred are printed, with the number of the others. Network policies",
    "that each select all pods except some (`NotIn`) take up to four times as long for twice as many: every kind of pod is judged under all others' policies.",
    "",
  ].join("\n");
}
