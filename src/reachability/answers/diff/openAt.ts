import type { UnknownValue } from "../../../resources/resource";
import { allowedBy, doubts, type Known } from "../../filters";
import { EVERY_PACKET, NO_PACKETS, difference, intersection } from "../../packets";
import type { Guard } from "../../path";
import type { ComparedPlace } from "./comparedPlaces";
import { paragraphs } from "../../../text";
import { describeUnknown } from "../describeAnswer";
import { ChangeKind, type FlowChange, type PacketChange, type PlanDiff } from "./diff";

/** What passes a place, and the values that decide on the rest. */
export interface OpenAt extends Known {
  values: readonly UnknownValue[];
}

/** What a plan lets pass at a place: what every guard does. Where nothing stands, everything or nothing that anybody knows of. */
export function openAt(place: ComparedPlace | undefined, isOpen: boolean): OpenAt {
  if (!place || place.guards.length === 0) {
    const all = isOpen ? EVERY_PACKET : NO_PACKETS;
    return { sure: all, possible: all, values: [] };
  }
  const parts = place.guards.map(openThrough);
  return {
    sure: parts.map(({ sure }) => sure).reduce(intersection),
    possible: parts.map(({ possible }) => possible).reduce(intersection),
    values: parts.flatMap(({ values }) => values),
  };
}

/** Where rules may stand that are not shown, or where a guard may not stand at all, more may pass than it says. */
function openThrough({ filters, incomplete, doubtful = [] }: Guard): OpenAt {
  const { sure, possible } = allowedBy(filters);
  const isPartial = incomplete !== undefined || doubtful.length > 0;
  return {
    sure,
    possible: isPartial ? EVERY_PACKET : possible,
    values: [
      ...doubts(filters, difference(possible, sure)),
      ...(incomplete ? [incomplete] : []),
      ...doubtful,
    ],
  };
}

const HEADING: Readonly<Record<ChangeKind, string>> = {
  [ChangeKind.NewPrincipal]: "opened to new principals",
  [ChangeKind.Widened]: "opened wider",
  [ChangeKind.Closed]: "closed",
};

/** A difference as lines for people: what opens to new principals first. */
export function describeDiff({ cluster, flows, changes, unknown, oneSided }: PlanDiff): string[] {
  const sections = Object.values(ChangeKind).map((kind) =>
    section(HEADING[kind], changes.filter((change) => change.kind === kind).flatMap(changeLines)),
  );
  return paragraphs([
    [`${cluster}: ${changes.length === 0 ? "nothing opens or closes" : summaryOf(changes)}`],
    section("documented flows that change", flows.map(flowLine)),
    ...sections,
    section("may open or close more: values that are not known", unknown.map(describeUnknown)),
    section(
      "shown by only one plan",
      oneSided.map(({ place, missingIn }) => `${place}: the ${missingIn} plan shows nothing that guards it`),
    ),
  ]);
}

const section = (heading: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [heading, ...lines.map((line) => `  ${line}`)];

function summaryOf(changes: readonly PacketChange[]): string {
  const lines = (kind: ChangeKind) =>
    changes.filter((change) => change.kind === kind).flatMap((change) => change.packets).length;
  const [fresh, wider, closed] = Object.values(ChangeKind).map(lines);
  return `${fresh} opened to new principals, ${wider} opened wider, ${closed} closed`;
}

const flowLine = ({ key, title, before, after }: FlowChange): string =>
  `${key}: ${before ?? "not needed"} -> ${after ?? "not needed"}: ${title}`;

const changeLines = ({ place, services, packets }: PacketChange): string[] =>
  packets.map((line) => `${place}${services.length > 0 ? ` (${services.join(", ")})` : ""}: ${line}`);
