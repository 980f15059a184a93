import { Proof } from "../proof/prove";
import { append } from "../../resources/maps";
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
import { describeRule, describeWritten } from "./places";
import { paragraphs, plural } from "../../text";

/** An answer as lines for people: what is refuted first, then what is unknown, what is assumed, and what is open without need. */
export function describeAnswer({
  cluster,
  flows,
  excess,
  undecided = [],
  outside,
  summary,
}: PlanAnswer): string[] {
  const groups = flowGroups(flows);
  return paragraphs([
    [
      `${cluster}: ${flowsSentence(summary)}; ${plural(excess.length, "rule opens", "rules open")} more than is needed`,
    ],
    ...groups.filter(({ proof }) => proof !== Proof.Proved).map(groupLines),
    excess.length > 0 ? ["open without need", ...excess.flatMap(excessLines)] : [],
    undecided.length > 0 ? ["may open more", ...undecided.map((value) => `  ${describeUnknown(value)}`)] : [],
    ...groups.filter(({ proof }) => proof === Proof.Proved).map(groupLines),
    [
      "outside the model",
      ...outside.map(({ what, flows: keys }) => `  ${what} (${plural(keys.length, "flow")})`),
    ],
  ]);
}

const ACCEPTED = { exempted: "exempted", disabled: "its rule is disabled" } as const;

/** `workers-konnectivity: Workers reach Konnectivity by NodePort` */
export const nameOfFlow = ({ key, title, optional, accepted }: FlowAnswer): string => {
  const remarks = [
    ...(optional ? ["not every pod needs it"] : []),
    ...(accepted ? [ACCEPTED[accepted]] : []),
  ];
  return `${key}: ${title}${remarks.length > 0 ? ` (${remarks.join(", ")})` : ""}`;
};

/** One flow with all that is said of it, as lines. */
export const describeFlow = (flow: FlowAnswer): string[] => [
  `${flow.proof.padEnd(9)}${nameOfFlow(flow)}`,
  ...detailsOf(flow),
];

function detailsOf(flow: FlowAnswer): string[] {
  switch (flow.proof) {
    case Proof.Proved:
      return flow.rules.map((rule) => `  by          ${describeRule(rule)}`);
    case Proof.Assumed:
      return flow.assumptions.flatMap((one) => [`  at          ${one.place}`, ...assumptionLines(one)]);
    case Proof.Refuted:
      return flow.refutations.flatMap((one) => {
        const [packet, ...rest] = ownLines(one);
        return [packet!, ...causeLines(one), ...rest];
      });
    case Proof.Unknown:
      return reasonLines(flow);
  }
}

/** Flows of one verdict that the same things decide: often it is one group that the plan lacks. */
export interface FlowGroup {
  proof: Proof;
  /** In the order of the journeys; one at least. */
  flows: readonly FlowAnswer[];
  /** What is to be said of all of them, as lines. */
  causes: readonly string[];
}

const WORST_FIRST: readonly Proof[] = [Proof.Refuted, Proof.Unknown, Proof.Assumed, Proof.Proved];

/**
 * Flows by what decides them. What is dropped comes first: what is a fault, then what not every pod needs, then what a
 * configuration accepts.
 */
export function flowGroups(flows: readonly FlowAnswer[]): FlowGroup[] {
  const byCause = new Map<string, FlowAnswer[]>();
  for (const flow of flows)
    append(byCause, [flow.proof, gravityOf(flow), ...causesOf(flow)].join("\n"), [flow]);
  return [...byCause.values()]
    .map((alike) => ({ proof: alike[0]!.proof, flows: alike, causes: causesOf(alike[0]!) }))
    .sort((a, b) => rankOf(a) - rankOf(b));
}

const gravityOf = ({ proof, optional, accepted }: FlowAnswer): number =>
  proof !== Proof.Refuted ? 0 : accepted ? 2 : optional ? 1 : 0;

const rankOf = ({ proof, flows: [first] }: FlowGroup): number =>
  WORST_FIRST.indexOf(proof) * 3 + gravityOf(first!);

function causesOf(flow: FlowAnswer): string[] {
  switch (flow.proof) {
    case Proof.Proved:
      return [];
    case Proof.Assumed:
      return [...new Map(flow.assumptions.map((one) => [one.by, one])).values()].flatMap(assumptionLines);
    case Proof.Refuted:
      return flow.refutations.flatMap(causeLines);
    case Proof.Unknown:
      return reasonLines(flow);
  }
}

/** One dropped flow with all that is said of it; of several flows what is said of all of them, and then of each. */
function groupLines({ proof, flows, causes }: FlowGroup): string[] {
  const [first, ...others] = flows;
  if (proof === Proof.Refuted && others.length === 0) return describeFlow(first!);
  const own = flows.map((flow) => ("refutations" in flow ? flow.refutations.flatMap(ownLines) : []));
  const common = own[0]!.filter((line) => own.every((lines) => lines.includes(line)));
  return [
    `${proof.padEnd(9)}${plural(flows.length, "flow")}`,
    ...causes,
    ...common,
    ...flows.flatMap((flow, place) => [
      `    ${nameOfFlow(flow)}`,
      ...own[place]!.filter((line) => !common.includes(line)).map((line) => `    ${line}`),
    ]),
  ];
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

/** What drops it, and the way out that other flows share. */
const causeLines = ({ guard, rule, lever, obstacle, note }: Refutation): string[] => [
  `  dropped     by ${guard}: ${rule ? `${describeRule(rule)} denies it` : "no rule lets it pass"}`,
  ...[lever, obstacle].flatMap((way) => (way === undefined ? [] : [`  repair      ${way}`])),
  ...(note === undefined ? [] : [`  note        ${note}`]),
];

/** What is dropped, and the rules that would let it pass. */
const ownLines = ({ asked, packet, repair, lever, documents }: Refutation): string[] => [
  `  ${(asked === "answers" ? "answer" : "packet").padEnd(12)}${describePacket(packet)}`,
  // Rules beside those of a component are the second best: its argument is the reader's own lever.
  ...(lever === undefined ? repair.map((one) => `  repair      ${describeRepair(one)}`) : []),
  ...(documents.length > 0 ? [`  documented  ${documents.join("; ")}`] : []),
];

/** `ingress[0].cidrBlocks of SecurityGroup workers: the entries of prefix list pl-1 are not in this stack` */
export const describeUnknown = ({ resource, path, reason }: UnknownAnswer): string =>
  `${path} of ${describeWritten(resource)}${reason === undefined ? "" : `: ${reason}`}`;

const excessLines = ({ rule, places }: ExcessAnswer): string[] =>
  places.flatMap(({ place, guard, packets }) =>
    packets.map((line) => `  ${rule ? describeRule(rule) : guard}: ${line}, at ${place}`),
  );
