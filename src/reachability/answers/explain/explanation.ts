import { Direction, type Perspective, Phase, Protocol } from "../../../requirements/vocabulary";
import type { UnknownAnswer } from "../answer";
import { describeUnknown } from "../describeAnswer";
import { describeRule, type WrittenRule } from "../places";
import { describeReference } from "../../../requirements/documents";
import { ALL_PLATFORMS, ALL_STRATEGIES, type Requirement } from "../../../requirements/requirement";
import { paragraphs } from "../../../text";

/** A row of the requirements with all that its reader has to know, as plain data. */
export interface ExplainedRow {
  id: string;
  /** One sentence: who talks to whom, and why. */
  purpose: string;
  /** Who listens (ingress), or who is asked (egress). */
  component: string;
  direction: Direction;
  perspective: Perspective;
  /** `TCP 8091`, `ICMP`, `every protocol`. */
  service: string;
  /** Zones: sources of ingress, destinations of egress. */
  peers: readonly string[];
  phase: Phase;
  /** Publishing strategies with which it holds; empty: with all. */
  publishing: readonly string[];
  /** The service whose strategy decides. Absent: that of any. */
  published?: string;
  /** Platforms on which it holds; empty: on all. */
  platforms: readonly string[];
  /** Document and heading of each source. */
  documents: readonly string[];
  /** Where documents are silent or contradict each other. */
  note?: string;
  /** What upstream really does. */
  upstream?: string;
  /** What else is not as the row says it: other ports, refusals, rows that no document has. */
  disagreements: readonly string[];
}

/** A flow of one cluster that packets belong to. */
export interface ExplainedFlow {
  /** `control-plane/ingress/konnectivity`, or the key of a journey: `workers-konnectivity`. */
  key: string;
  purpose: string;
  /** `ingress of control-plane`, `pods kube-apiserver`. */
  place: string;
  /** Ids of the rows that ask for it. */
  requirements: readonly string[];
  /** False where the topology does not say the addresses that decide, or does not know values yet. */
  sure: boolean;
}

/** Why packets are to pass. */
export interface PacketExplanation {
  version: 1;
  /** What was asked: `10.0.0.5 -> 10.1.0.9, TCP 31091`. */
  asked: string;
  rows: readonly ExplainedRow[];
  /** Flows of the cluster in question. Empty without a topology. */
  flows: readonly ExplainedFlow[];
  /** What could not be taken into account. */
  notes: readonly string[];
}

/** What a rule of the gate stands on. */
export interface RuleExplanation {
  version: 1;
  rule: string;
  title: string;
  description: string;
  remediation: string;
  documents: readonly string[];
  /** Rows that it holds plans against. */
  rows: readonly ExplainedRow[];
}

/** What a rule that is written in a plan does, and who asks for it. */
export interface WrittenExplanation {
  version: 1;
  places: readonly ExplainedPlace[];
  /** Rows that ask for something of it. */
  rows: readonly ExplainedRow[];
}

/** A rule at one place. */
export interface ExplainedPlace {
  rule: WrittenRule;
  place: string;
  /** `allow`, `deny`, `pass`; more than one where that is not known. */
  actions: readonly string[];
  /** What it matches at most, in smallest form. */
  packets: readonly string[];
  /** The values that decide whether it matches all of that. */
  unknown: readonly UnknownAnswer[];
  /** Documented flows that have packets in it. */
  flows: readonly ExplainedFlow[];
  /** What it opens although no flow needs it. */
  excess: readonly string[];
}

/** A row as plain data, with all that does not agree with it. */
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

/** Where reality is not as the row says it. */
function disagreements(row: Requirement): string[] {
  const { replacedOn, upstreamRejects, openInFirewall, portSeenAt, documents } = row;
  const others = replacedOn.map(
    ({ platform, publishing, port }) =>
      `on ${platform}${publishing ? ` with ${publishing}` : ""} the port is ${port}`,
  );
  const refused =
    upstreamRejects.length > 0
      ? [`HyperShift refuses this way of publishing on ${upstreamRejects.join(", ")}`]
      : [];
  return [
    ...others,
    ...refused,
    ...(openInFirewall ? [] : ["it listens on localhost: no firewall is to be opened for it"]),
    ...(portSeenAt === "pod"
      ? ["a port of pods: packet filters of hosts do not see it unless the pod uses the host network"]
      : []),
    ...(documents.every(({ document }) => document.repository !== undefined)
      ? ["no document lists it: the software needs it"]
      : []),
  ];
}

/** Why packets are to pass, as lines for people. */
export function describePacketExplanation({ asked, rows, flows, notes }: PacketExplanation): string[] {
  return paragraphs([
    [`${asked}: ${headline(rows.length, flows.length)}`],
    notes.map((note) => `note: ${note}`),
    flowLines("flows of this cluster", flows),
    ...rows.map(describeRow),
  ]);
}

/** What a rule of the gate stands on. */
export function describeRuleExplanation(explanation: RuleExplanation): string[] {
  const { rule, title, description, remediation, documents, rows } = explanation;
  return paragraphs([
    [`${rule}: ${title}`],
    [description],
    [`fix         ${remediation}`, `documented  ${documents.join("; ")}`],
    rows.length === 0 ? [] : [`${counted(rows.length)} for what it judges`],
    ...rows.map(describeRow),
  ]);
}

/** What rules of a plan do, and who asks for it. */
export function describeWrittenExplanation({ places, rows }: WrittenExplanation): string[] {
  if (places.length === 0) return ["none of its rules is on the path of a documented flow of this cluster"];
  return paragraphs([...places.map(placeLines), ...rows.map(describeRow)]);
}

function placeLines({ rule, place, actions, packets, unknown, flows, excess }: ExplainedPlace): string[] {
  const does = `${unknown.length > 0 ? "may " : ""}${actions.join(" or ")}`;
  const noFlow = flows.length === 0 ? ["  no documented flow has packets in it"] : [];
  return [
    `${describeRule(rule)}, at ${place}`,
    ...packets.map((line) => `  ${does.padEnd(10)}  ${line}`),
    ...unknown.map((value) => `  not known   ${describeUnknown(value)}`),
    ...flows.map((flow) => `  needed by   ${flowText(flow)}`),
    ...noFlow,
    ...excess.map((line) => `  excess      ${line}`),
  ];
}

const flowText = ({ key, purpose, sure }: ExplainedFlow): string =>
  `${key}: ${purpose}${sure ? "" : " (perhaps: the topology does not say all that decides)"}`;

const flowLines = (heading: string, flows: readonly ExplainedFlow[]): string[] =>
  flows.length === 0 ? [] : [heading, ...flows.map((flow) => `  ${flowText(flow)}, at ${flow.place}`)];

/** One row with all that does not agree with it. */
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

/** Documents demand some flows beside their port tables: to a proxy, for one. */
function headline(rows: number, flows: number): string {
  if (rows > 0) return `${counted(rows)} for it`;
  return flows > 0 ? "flows of this cluster need it" : "no requirement asks for it";
}

const counted = (count: number): string => (count === 1 ? "1 requirement asks" : `${count} requirements ask`);
