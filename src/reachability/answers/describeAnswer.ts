import { Proof } from "../proof/prove";
import { grouped } from "../../collections";
import type {
  Acceptance,
  AssumptionAnswer,
  ExcessAnswer,
  FlowAnswer,
  FlowCounts,
  PlanAnswer,
  Refutation,
  UnknownAnswer,
  UnknownFlow,
} from "./answer";
import { describePacket, describeRule, describeWritten } from "./places";
import { paragraphs, plural } from "../../text";
import { describeRepair } from "./repair/describeRepair";
import { describeReference } from "../../requirements/documents";
import type { PortRange, Requirement } from "../../requirements/requirement";
import { requirementOf, requirements } from "../../requirements/requirements";
import { Direction, Perspective } from "../../requirements/vocabulary";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import type { HostHop, Journey, PodHop } from "../../flows/model";

/** An answer as lines for people: first what is refuted, then unknown, assumed, open without need, and proved. */
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

/** One flow with all its details, as lines. */
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

/** Flows of one verdict with the same causes: often one group that the plan lacks. */
export interface FlowGroup {
  proof: Proof;
  /** At least one, in the order of the journeys. */
  flows: readonly FlowAnswer[];
  /** The lines that apply to all of them. */
  causes: readonly string[];
}

const WORST_FIRST: readonly Proof[] = [Proof.Refuted, Proof.Unknown, Proof.Assumed, Proof.Proved];

/**
 * Groups flows by their causes. Refuted flows come first: faults, then flows that not every pod needs, then drops that a
 * configuration accepts.
 */
export function flowGroups(flows: readonly FlowAnswer[]): FlowGroup[] {
  const keyOf = (flow: FlowAnswer) => [flow.proof, gravityOf(flow), ...causesOf(flow)].join("\n");
  return [...grouped(flows, keyOf).values()]
    .map((alike) => ({ proof: alike[0].proof, flows: alike, causes: causesOf(alike[0]) }))
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

/** One refuted flow with all its details; of several flows the common lines first, then the lines of each. */
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
  ...missing.map(({ input, why }) => `  not stated  ${input === "" ? "" : `${input}: `}${why}`),
  ...values.map((value) => `  not known   ${describeUnknown(value)}`),
  ...unguarded.map((place) => `  not shown   what guards ${place}`),
];

/** What drops the flow, and the fix that it shares with other flows. */
const causeLines = ({ guard, rule, lever, obstacle, note }: Refutation): string[] => [
  `  dropped     by ${guard}: ${rule ? `${describeRule(rule)} denies it` : "no rule allows it"}`,
  ...[lever, obstacle].flatMap((way) => (way === undefined ? [] : [`  repair      ${way}`])),
  ...(note === undefined ? [] : [`  note        ${note}`]),
];

/** What is dropped, and the rules that would allow it. */
const ownLines = ({ asked, packet, repair, lever, documents }: Refutation): string[] => [
  `  ${(asked === "answers" ? "answer" : "packet").padEnd(12)}${describePacket(packet)}`,
  // Rules next to those of a component are second best: the component's argument is the reader's own lever.
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

/** The number of flows of each verdict. */
export function countFlows(
  flows: readonly { proof: Proof; optional?: boolean; accepted?: Acceptance }[],
): FlowCounts {
  const count = (proof: Proof) => flows.filter((flow) => flow.proof === proof).length;
  const refuted = flows.filter(({ proof }) => proof === Proof.Refuted);
  const accepted = (why: Acceptance) => refuted.filter((flow) => flow.accepted === why).length;
  const faults = refuted.filter((flow) => !flow.accepted);
  const optionalRefuted = faults.filter(({ optional }) => optional).length;
  return {
    proved: count(Proof.Proved),
    assumed: count(Proof.Assumed),
    unknown: count(Proof.Unknown),
    refuted: faults.length - optionalRefuted,
    optionalRefuted,
    exempted: accepted("exempted"),
    disabled: accepted("disabled"),
  };
}

/** `8 of 49 documented flows proved, 30 assumed, 11 unknown, 0 refuted`: the same words wherever proofs are counted. */
export function flowsSentence(counts: FlowCounts): string {
  const { proved, assumed, unknown, refuted, optionalRefuted, exempted, disabled } = counts;
  const all = proved + assumed + unknown + refuted + exempted + disabled;
  const said = [
    `${proved} of ${plural(all, "documented flow")} proved`,
    `${assumed} assumed`,
    `${unknown} unknown`,
    `${refuted} refuted`,
    ...(exempted > 0 ? [`${exempted} exempted`] : []),
    ...(disabled > 0 ? [`${disabled} dropped because the rule is disabled`] : []),
  ].join(", ");
  const dropped =
    optionalRefuted > 0
      ? `, and ${plural(optionalRefuted, "flow that not every pod needs is", "flows that not every pod needs are")} dropped`
      : "";
  return `${said}${dropped}${provesNothing(counts) ? ": this plan proves nothing" : ""}`;
}

/** Whether there are flows and none is proved: the plan then says nothing about right or wrong. */
export const provesNothing = (counts: FlowCounts): boolean =>
  counts.proved === 0 && Object.values(counts).some((count) => count > 0);

/** The rows that require what a journey needs at one of its places. */
export function rowsBehind(topology: NormalizedTopology, journey: Journey, hop: Journey["hops"][number]) {
  if (hop.kind === "hosts") return rowsAtHosts(hop);
  // What leaves a namespace or pods is required by the rows of the hosts that its packets pass next.
  if (hop.kind === "namespace" || hop.kind === "senders")
    return [...new Set(journey.hops.flatMap((next) => (next.kind === "hosts" ? rowsAtHosts(next) : [])))];
  return hop.kind === "pods" ? rowsAtPods(topology, hop) : [];
}

const rowsAtHosts = ({ flow }: HostHop): Requirement[] => (flow ? [requirementOf(flow.requirement)] : []);

function rowsAtPods({ platform }: NormalizedTopology, hop: PodHop): Requirement[] {
  return requirements.filter(
    (row) =>
      row.perspective === Perspective.ControlPlane &&
      row.direction === Direction.Ingress &&
      row.protocol === hop.protocol &&
      row.platforms.includes(platform) &&
      (row.service === undefined || row.service === hop.service) &&
      row.ports !== undefined &&
      meet(row.ports, hop.ports),
  );
}

/** Whether two ranges have a port in common; an undefined range has all ports. */
export const meet = (a: PortRange | undefined, b: PortRange | undefined): boolean =>
  !a || !b || (a.from <= b.to && b.from <= a.to);

export const distinctRows = (ids: readonly string[]): Requirement[] => [...new Set(ids)].map(requirementOf);

/** Documents and headings of rows, without duplicates: `OKD networking, Table 1. Common ingress ports`. */
export const documentsOf = (rows: readonly Requirement[]): string[] => [
  ...new Set(rows.flatMap(({ documents }) => documents.map(describeReference))),
];
