import { Proof } from "../proof";
import { append } from "../../resources/append";
import type {
  AssumptionAnswer,
  ExcessAnswer,
  FlowAnswer,
  PlanAnswer,
  Refutation,
  UnknownAnswer,
  UnknownFlow,
} from "./answer";
import { describePacket } from "./packetText";
import { describeRepair } from "./repair";
import { flowsSentence } from "./sentence";
import { describeRule, describeWritten } from "./written";
import { paragraphs } from "../../paragraphs";
import { plural } from "../../plural";

/** An answer as lines for people: what is refuted first, then what nobody can say, what is assumed, and what is open without need. */
export function describeAnswer({
  cluster,
  flows,
  excess,
  undecided = [],
  outside,
  summary,
}: PlanAnswer): string[] {
  const { proved } = summary;
  return paragraphs([
    [
      `${cluster}: ${flowsSentence(summary)}; ${plural(excess.length, "rule opens", "rules open")} more than is needed`,
    ],
    ...worstFirst(flows).map(describeFlow),
    ...unknownSections(flows),
    ...assumedSections(flows),
    excess.length > 0 ? ["open without need", ...excess.flatMap(excessLines)] : [],
    undecided.length > 0 ? ["may open more", ...undecided.map((value) => `  ${describeUnknown(value)}`)] : [],
    proved > 0 ? provedLines(flows) : [],
    [
      "outside the model",
      ...outside.map(({ what, flows: keys }) => `  ${what} (${plural(keys.length, "flow")})`),
    ],
  ]);
}

/** What is dropped: first what is a fault, then what not every pod needs, then what a configuration accepts. */
const worstFirst = (flows: readonly FlowAnswer[]): FlowAnswer[] =>
  flows.filter(({ proof }) => proof === Proof.Refuted).sort((a, b) => gravityOf(a) - gravityOf(b));

const gravityOf = ({ optional, accepted }: FlowAnswer): number => (accepted ? 2 : optional ? 1 : 0);

const ACCEPTED = { exempted: "exempted", disabled: "its rule is disabled" } as const;

const nameOf = ({ key, title, optional, accepted }: NamedFlow): string => {
  const remarks = [
    ...(optional ? ["not every pod needs it"] : []),
    ...(accepted ? [ACCEPTED[accepted]] : []),
  ];
  return `${key}: ${title}${remarks.length > 0 ? ` (${remarks.join(", ")})` : ""}`;
};

type NamedFlow = Pick<FlowAnswer, "key" | "title" | "optional" | "accepted">;

/** One flow with all that is said of it, as lines. */
export function describeFlow(flow: FlowAnswer): string[] {
  const head = `${flow.proof.padEnd(9)}${nameOf(flow)}`;
  switch (flow.proof) {
    case Proof.Proved:
      return [head, ...flow.rules.map((rule) => `  by          ${describeRule(rule)}`)];
    case Proof.Assumed:
      return [
        head,
        ...flow.assumptions.flatMap((one) => [`  at          ${one.place}`, ...assumptionLines(one)]),
      ];
    case Proof.Refuted:
      return [head, ...flow.refutations.flatMap(refutationLines)];
    case Proof.Unknown:
      return [head, ...reasonLines(flow)];
  }
}

/** Flows that nobody can say anything of for the same reasons stand together: often it is one group that the plan lacks. */
function unknownSections(flows: readonly FlowAnswer[]): string[][] {
  const byReason = new Map<string, Extract<FlowAnswer, UnknownFlow>[]>();
  for (const flow of flows)
    if (flow.proof === Proof.Unknown) append(byReason, JSON.stringify(reasonLines(flow)), [flow]);
  return [...byReason.values()].map((alike) => [
    "unknown",
    ...reasonLines(alike[0]!),
    ...alike.map((flow) => `    ${nameOf(flow)}`),
  ]);
}

/** Flows that hang on the same groups of others stand together, those that hang on most first. */
function assumedSections(flows: readonly FlowAnswer[]): string[][] {
  const byCause = new Map<string, { causes: AssumptionAnswer[]; lines: string[] }>();
  for (const flow of flows) {
    if (flow.proof !== Proof.Assumed) continue;
    const causes = [...new Map(flow.assumptions.map((one) => [one.by, one])).values()];
    const key = causes.map(({ by }) => by).join(" ");
    const known = byCause.get(key) ?? { causes, lines: [] };
    known.lines.push(`    ${nameOf(flow)}`);
    byCause.set(key, known);
  }
  const groups = [...byCause.values()].sort((a, b) => b.causes.length - a.causes.length);
  return groups.map(({ causes, lines }) => [
    `assumed  ${plural(lines.length, "flow")}`,
    ...causes.flatMap(assumptionLines),
    ...lines,
  ]);
}

const assumptionLines = ({ name, releases, documents, toProof }: AssumptionAnswer): string[] => [
  `  by          ${name}`,
  `  as of       ${releases}: ${documents.join("; ")}`,
  `  to prove    ${toProof}`,
];

const reasonLines = ({ missing, values, unguarded }: UnknownFlow): string[] => [
  ...missing.map(({ input, why }) => `  not said    ${input === "" ? "" : `${input}: `}${why}`),
  ...values.map((value) => `  not known   ${describeUnknown(value)}`),
  ...unguarded.map((place) => `  not shown   what guards ${place}`),
];

function refutationLines({
  guard,
  asked,
  packet,
  rule,
  repair,
  lever,
  obstacle,
  note,
  documents,
}: Refutation): string[] {
  const why = rule ? `${describeRule(rule)} denies it` : "no rule lets it pass";
  const what = asked === "answers" ? "answer" : "packet";
  return [
    `  ${what.padEnd(12)}${describePacket(packet)}`,
    `  dropped     by ${guard}: ${why}`,
    // Rules beside those of a component are the second best: its argument is the reader's own lever.
    ...(lever === undefined ? repair.map(describeRepair) : [lever]).map((one) => `  repair      ${one}`),
    ...(obstacle === undefined ? [] : [`  repair      ${obstacle}`]),
    ...(note === undefined ? [] : [`  note        ${note}`]),
    ...(documents.length > 0 ? [`  documented  ${documents.join("; ")}`] : []),
  ];
}

/** `ingress[0].cidrBlocks of SecurityGroup workers: the entries of prefix list pl-1 are not in this stack` */
export const describeUnknown = ({ resource, path, reason }: UnknownAnswer): string =>
  `${path} of ${describeWritten(resource)}${reason === undefined ? "" : `: ${reason}`}`;

const excessLines = ({ rule, places }: ExcessAnswer): string[] =>
  places.flatMap(({ place, guard, packets }) =>
    packets.map((line) => `  ${rule ? describeRule(rule) : guard}: ${line}, at ${place}`),
  );

const provedLines = (flows: readonly FlowAnswer[]): string[] => [
  "proved",
  ...flows.flatMap(({ proof, key, title }) => (proof === Proof.Proved ? [`  ${key}: ${title}`] : [])),
];
