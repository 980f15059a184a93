import { paragraphs } from "../../../paragraphs";
import { describeUnknown } from "../describeAnswer";
import { ChangeKind, type FlowChange, type PacketChange, type PlanDiff } from "./diff";

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
      "shown by one plan alone",
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
