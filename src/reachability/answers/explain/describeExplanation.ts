import { Direction, Phase } from "../../../requirements/vocabulary";
import { describeRule } from "../places";
import { paragraphs } from "../../../text";
import type {
  ExplainedFlow,
  ExplainedPlace,
  ExplainedRow,
  PacketExplanation,
  RuleExplanation,
  WrittenExplanation,
} from "./explanation";

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
  if (places.length === 0) return ["it stands before nothing of this cluster"];
  return paragraphs([...places.map(placeLines), ...rows.map(describeRow)]);
}

function placeLines({ rule, place, actions, packets, flows, excess }: ExplainedPlace): string[] {
  const noFlow = flows.length === 0 ? ["  no documented flow has packets in it"] : [];
  return [
    `${describeRule(rule)}, at ${place}`,
    ...packets.map((line) => `  ${actions.join(" or ").padEnd(10)}  ${line}`),
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
