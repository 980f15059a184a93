import { Direction, type Perspective, Phase, Protocol } from "../../../requirements/vocabulary";
import type { UnknownAnswer } from "../answer";
import { describeUnknown } from "../describeAnswer";
import { describeRule, hostPlace, type WrittenRule } from "../places";
import { describeReference } from "../../../requirements/documents";
import { ALL_PLATFORMS, ALL_STRATEGIES, type Requirement } from "../../../requirements/requirement";
import { flowKey, type RequiredFlow } from "../../../flows/model";
import { Action } from "../../filters/filter";
import { paragraphs } from "../../../text";

/** A row of the requirements with everything that its reader needs to know, as plain data. */
export interface ExplainedRow {
  id: string;
  /** One sentence: who talks to whom, and why. */
  purpose: string;
  /** What listens (ingress) or is called (egress). */
  component: string;
  direction: Direction;
  perspective: Perspective;
  /** `TCP 8091`, `ICMP`, `every protocol`. */
  service: string;
  /** Zones: sources of ingress, destinations of egress. */
  peers: readonly string[];
  phase: Phase;
  /** Publishing strategies to which it applies; empty: all. */
  publishing: readonly string[];
  /** The service whose strategy decides. Absent: the strategy of any service decides. */
  published?: string;
  /** Platforms to which it applies; empty: all. */
  platforms: readonly string[];
  /** Document and heading of each source. */
  documents: readonly string[];
  /** Gaps and contradictions of the documents. */
  note?: string;
  /** How upstream actually behaves. */
  upstream?: string;
  /** Other deviations from the row: other ports, refusals, rows that no document has. */
  disagreements: readonly string[];
}

/** A flow of one cluster, with packets that the query asks about. */
export interface ExplainedFlow {
  /** `control-plane/ingress/konnectivity`, or the key of a journey: `workers-konnectivity`. */
  key: string;
  purpose: string;
  /** `ingress of control-plane`, `pods kube-apiserver`. */
  place: string;
  /** Ids of the rows that require it. */
  requirements: readonly string[];
  /** False if the topology does not state the deciding addresses, or has unknown values. */
  sure: boolean;
}

/** A flow of hosts; sure if the topology states the addresses of all peers. */
export const explainedFlow = (flow: RequiredFlow): ExplainedFlow => ({
  key: flowKey(flow),
  purpose: flow.purpose,
  place: hostPlace(flow),
  requirements: [flow.requirement],
  sure: flow.peers.every(({ prefixes }) => prefixes),
});

/** Why packets must pass. */
export interface PacketExplanation {
  version: 1;
  /** The query: `10.0.0.5 -> 10.1.0.9, TCP 31091`. */
  asked: string;
  rows: readonly ExplainedRow[];
  /** Flows of the cluster in question. Empty without a topology. */
  flows: readonly ExplainedFlow[];
  /** What could not be considered. */
  notes: readonly string[];
}

/** What a rule of the policy pack is based on. */
export interface RuleExplanation {
  version: 1;
  rule: string;
  title: string;
  description: string;
  /** What else it checks and what it does not. */
  details: readonly string[];
  remediation: string;
  documents: readonly string[];
  /** Rows that the rule compares plans with. */
  rows: readonly ExplainedRow[];
}

/** What a rule that is written in a plan does, and which requirements need it. */
export interface WrittenExplanation {
  version: 1;
  places: readonly ExplainedPlace[];
  /** Rows that require something of it. */
  rows: readonly ExplainedRow[];
}

/** A rule at one place. */
export interface ExplainedPlace {
  rule: WrittenRule;
  place: string;
  /** `allow`, `deny`, `pass`; more than one if the action is not known. */
  actions: readonly Action[];
  /** The most that it can match, in smallest form. */
  packets: readonly string[];
  /** The values that decide whether it matches all of these packets. */
  unknown: readonly UnknownAnswer[];
  /** Documented flows with packets that the rule matches. */
  flows: readonly ExplainedFlow[];
  /** What it opens without need. */
  excess: readonly string[];
}

/** A row as plain data, with all deviations from it. */
export function explainedRow(row: Requirement): ExplainedRow {
  const { id, purpose, component, direction, perspective, phase, note, upstream, service } = row;
  return {
    id,
    purpose,
    component,
    direction,
    perspective,
    service: serviceOf(row),
    peers: direction === Direction.Ingress ? row.sources : row.destinations,
    phase,
    publishing: row.publishing.length === ALL_STRATEGIES.length ? [] : row.publishing,
    ...(service && { published: service }),
    platforms: row.platforms.length === ALL_PLATFORMS.length ? [] : row.platforms,
    documents: row.documents.map(describeReference),
    ...(note !== undefined && { note }),
    ...(upstream !== undefined && { upstream }),
    disagreements: disagreements(row),
  };
}

function serviceOf({ protocol, ports }: Requirement): string {
  const name = protocol === Protocol.Any ? "every protocol" : protocol;
  if (!ports) return name;
  return `${name} ${ports.from === ports.to ? ports.from : `${ports.from}-${ports.to}`}`;
}

/** How reality deviates from a row. */
function disagreements(row: Requirement): string[] {
  const { replacedOn, upstreamRejects, openInFirewall, portSeenAt, documents } = row;
  return [
    ...replacedOn.map(
      ({ platform, publishing, port }) =>
        `on ${platform}${publishing ? ` with ${publishing}` : ""} the port is ${port}`,
    ),
    ...(upstreamRejects.length > 0
      ? [`HyperShift refuses this way of publishing on ${upstreamRejects.join(", ")}`]
      : []),
    ...(openInFirewall ? [] : ["it listens on localhost: no firewall has to allow it"]),
    ...(portSeenAt === "pod"
      ? ["a port of pods: packet filters of hosts do not see it unless the pod uses the host network"]
      : []),
    ...(documents.every(({ document }) => document.repository !== undefined)
      ? ["no document lists it, but the software needs it"]
      : []),
  ];
}

/** Why packets must pass, as lines for people. */
export function describePacketExplanation({ asked, rows, flows, notes }: PacketExplanation): string[] {
  return paragraphs([
    [`${asked}: ${headline(rows.length, flows.length)}`],
    notes.map((note) => `note: ${note}`),
    flowLines("flows of this cluster", flows),
    ...rows.map(describeRow),
  ]);
}

/** What a rule of the policy pack is based on, as lines for people. */
export function describeRuleExplanation(explanation: RuleExplanation): string[] {
  const { rule, title, description, details, remediation, documents, rows } = explanation;
  return paragraphs([
    [`${rule}: ${title}`],
    [description],
    details.map((detail) => `- ${detail}`),
    [`fix         ${remediation}`, `documented  ${documents.join("; ")}`],
    rows.length === 0 ? [] : [`${counted(rows.length)} for what it checks`],
    ...rows.map(describeRow),
  ]);
}

/** What rules of a plan do and which requirements need them, as lines for people. */
export function describeWrittenExplanation({ places, rows }: WrittenExplanation): string[] {
  if (places.length === 0) return ["none of its rules is on the path of a documented flow of this cluster"];
  return paragraphs([...places.map(placeLines), ...rows.map(describeRow)]);
}

function placeLines({ rule, place, actions, packets, unknown, flows, excess }: ExplainedPlace): string[] {
  const does = `${unknown.length > 0 ? "may " : ""}${actions.join(" or ")}`;
  // An earlier rule may let the packets pass that a denying one matches.
  const relation = actions.includes(Action.Deny) ? "matches" : "needed by";
  // A rule without actions is listed only for what is not known about it.
  const noFlow = flows.length === 0 && actions.length > 0 ? ["  no documented flow has such packets"] : [];
  return [
    `${describeRule(rule)}, at ${place}`,
    ...packets.map((line) => `  ${does.padEnd(10)}  ${line}`),
    ...unknown.map((value) => `  not known   ${describeUnknown(value)}`),
    ...flows.map((flow) => `  ${relation.padEnd(10)}  ${flowText(flow)}`),
    ...noFlow,
    ...excess.map((line) => `  excess      ${line}`),
  ];
}

const flowText = ({ key, purpose, sure }: ExplainedFlow): string =>
  `${key}: ${purpose}${sure ? "" : " (perhaps: the topology does not state everything that decides this)"}`;

const flowLines = (heading: string, flows: readonly ExplainedFlow[]): string[] =>
  flows.length === 0 ? [] : [heading, ...flows.map((flow) => `  ${flowText(flow)}, at ${flow.place}`)];

/** One row with all deviations from it, as lines. */
export function describeRow(row: ExplainedRow): string[] {
  const { id, purpose, service, direction, perspective, component, peers, documents } = row;
  const side = direction === Direction.Ingress ? "from" : "to";
  return [
    `${id}: ${purpose}`,
    `  packets     ${service}, ${direction} of ${perspective}: ${component}`,
    ...(peers.length > 0 ? [`  ${side.padEnd(10)}  ${peers.join(", ")}`] : []),
    ...whenLine(row),
    `  documented  ${documents.join("; ")}`,
    ...(row.note === undefined ? [] : [`  note        ${row.note}`]),
    ...(row.upstream === undefined ? [] : [`  upstream    ${row.upstream}`]),
    ...row.disagreements.map((text) => `  but         ${text}`),
  ];
}

function whenLine({ published, publishing, platforms, phase }: ExplainedRow): string[] {
  const how = publishing.length > 0 ? [`${published ?? "a service"} by ${publishing.join(" or ")}`] : [];
  const where = platforms.length > 0 ? [`on ${platforms.join(", ")}`] : [];
  const until = phase === Phase.Bootstrap ? ["while nodes join"] : [];
  const when = [...how, ...where, ...until];
  return when.length > 0 ? [`  when        ${when.join("; ")}`] : [];
}

/** Documents require some flows outside their port tables, for example flows to a proxy. */
function headline(rows: number, flows: number): string {
  if (rows > 0) return `${counted(rows)} for it`;
  return flows > 0 ? "flows of this cluster need it" : "no requirement needs it";
}

const counted = (count: number): string => (count === 1 ? "1 requirement asks" : `${count} requirements ask`);
