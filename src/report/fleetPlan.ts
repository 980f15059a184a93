import { keyOfCluster } from "../fleet/document";
import { topologyRanges } from "../fleet/ledger";
import { kindName } from "../fleet/fleet";
import { type ChosenKind, chosenKinds, chosenNames } from "../topology/reservedRanges";
import { EntryState, type FleetPlan, type Forecast, type PlannedEntry } from "../fleet/planFleet";
import type { Shortage } from "../fleet/shortage";
import { firstOf, inSentence, paragraphs, plural, visibleLines } from "../text";
import { fenced, plain, plainTable } from "./markdown";
import { alignedRows } from "./text";

/** The plan of a fleet, and what was written. */
export interface FleetReport {
  plan: FleetPlan;
  /** The ledger folder and the number of files written; undefined if none were to be written. */
  written?: { folder: string; files: number };
}

const HEAD = ["cluster", "state", ...chosenKinds.map((kind) => chosenNames[kind]), "nodes at most"];

function row({ state, entry, nodes }: PlannedEntry): string[] {
  const cell = (kind: ChosenKind) =>
    entry.ranges
      .filter((range) => range.kind === kind)
      .map(
        ({ prefix, hostPrefix }) =>
          `${prefix.text}${hostPrefix === undefined ? "" : ` (/${hostPrefix} each)`}`,
      )
      .join(", ") || "-";
  return [keyOfCluster(entry), state, ...chosenKinds.map(cell), nodes === undefined ? "-" : `${nodes}`];
}

const summary = ({ plan: { entries, unplaced }, written }: FleetReport): string[] => {
  const count = (state: EntryState) => `${entries.filter((one) => one.state === state).length} ${state}`;
  const states = Object.values(EntryState).map(count).join(", ");
  const left = unplaced.length > 0 ? `, ${unplaced.length} without room` : "";
  return [
    `${plural(entries.length + unplaced.length, "cluster")}: ${states}${left}`,
    ...(written ? [`${plural(written.files, "file")} written into ${written.folder}`] : []),
  ];
};

const length = (lengthOf: number): string => `/${lengthOf}`;

/** Why something does not fit, what occupies the pool, and what would be enough. */
function shortageLines({
  kind,
  pools,
  wanted,
  takers,
  moreTakers,
  free,
  widened,
  beside,
}: Shortage): string[] {
  return [
    `${kindName[kind]} of ${firstOf(wanted.map(({ key, length: of }) => `${key} (${length(of)})`))}: no room in ${pools.map(({ text }) => text).join(", ")}`,
    `  free       ${free.length > 0 ? `${free.join(", ")} at most` : "nothing"}`,
    ...takers.map(({ name, cidr }, at) => `  ${at === 0 ? "taken by" : "        "}   ${cidr}  ${name}`),
    ...(moreTakers > 0 ? [`             and ${moreTakers} more`] : []),
    `  would fit  ${widened ? `${widened.to.text} instead of ${widened.pool.text}, or ` : ""}an additional empty pool of ${length(beside)}`,
  ];
}

/** Returns `the pools of a, b and c are exhausted`. */
const exhausted = (names: readonly string[]): string =>
  `the ${names.length === 1 ? "pool" : "pools"} of ${inSentence(names, "and")} ${names.length === 1 ? "is" : "are"} exhausted`;

const forecastLine = ({ like, clusters, more, isMore, limitedBy }: Forecast): string =>
  `  like ${like}${clusters > 1 ? ` (${clusters} of the fleet)` : ""}: ${
    isMore
      ? `more than ${more} more`
      : `${more === 0 ? "no more:" : `${more} more, then`} ${exhausted(limitedBy.map((kind) => kindName[kind]))}`
  }`;

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...lines];

const findings = ({
  shortages,
  outgrown,
  conflicts,
  otherRanges,
  pools,
  forecasts,
}: FleetPlan): string[][] => [
  section("no room", shortages.flatMap(shortageLines)),
  section(
    "outgrown",
    outgrown.map(
      ({ cluster, demand, range }) =>
        `  ${keyOfCluster(cluster)}: ${kindName[demand.kind]} ${range.prefix.text} is too small for ${plural(cluster.nodes, "node")}, which need ${length(demand.length)}: a running cluster keeps its networks; delete the file of a cluster that does not exist yet`,
    ),
  ),
  section(
    "conflicts",
    conflicts.map(
      ({ range, other, witness }) =>
        `  ${range.name} ${range.prefix.text} and ${other.name} ${other.prefix.text}: ${witness} is in both`,
    ),
  ),
  section(
    "other ranges",
    otherRanges.map(
      ({ entry, kind, planned, deployed }) =>
        `  ${keyOfCluster(entry)}: its HostedCluster has ${inSentence(deployed, "and")} as ${kindName[kind]}, its file ${inSentence(planned, "and")}: correct the file; a running cluster keeps its networks`,
    ),
  ),
  section(
    "pools",
    alignedRows(
      pools.map(({ kind, pool, used, widest }) => [
        `  ${chosenNames[kind]}`,
        pool.text,
        `${used} % taken`,
        widest === undefined ? "no free block" : `largest free block ${length(widest)}`,
      ]),
    ),
  ),
  section("room for more", forecasts.map(forecastLine)),
];

/** The plan of a fleet for a terminal. */
export const fleetText = (report: FleetReport): string =>
  `${visibleLines(
    paragraphs([
      summary(report),
      alignedRows([HEAD, ...report.plan.entries.map(row)]),
      ...findings(report.plan),
    ]),
  )}\n`;

/** The plan of a fleet as Markdown. */
export const fleetMarkdown = (report: FleetReport): string => {
  const table = plainTable(HEAD, report.plan.entries.map(row));
  return `${[...summary(report).map(plain), table, fenced(paragraphs(findings(report.plan)))].join("\n\n")}\n`;
};

/** The plan of a fleet as plain data. */
export const fleetData = ({ plan, written }: FleetReport): unknown => ({
  version: 1,
  clusters: plan.entries.map(({ state, entry, nodes }) => ({
    cluster: keyOfCluster(entry),
    state,
    platform: entry.platform,
    ...topologyRanges(entry),
    reused: [...new Set(entry.ranges.filter(({ isReused }) => isReused).map(({ kind }) => kind))],
    ...(nodes !== undefined && { nodes }),
  })),
  unplaced: plan.unplaced,
  shortages: plan.shortages.map(({ widened, ...shortage }) => ({
    ...shortage,
    ...(widened && { widened }),
  })),
  outgrown: plan.outgrown.map(({ cluster, demand, range }) => ({
    cluster: keyOfCluster(cluster),
    kind: demand.kind,
    cidr: range.prefix,
    wanted: demand.length,
  })),
  conflicts: plan.conflicts.map(({ range, other, witness }) => ({
    cluster: keyOfCluster(range.entry),
    range: range.name,
    cidr: range.prefix,
    other: other.name,
    otherCidr: other.prefix,
    witness,
  })),
  otherRanges: plan.otherRanges.map(({ entry, ...ranges }) => ({ cluster: keyOfCluster(entry), ...ranges })),
  pools: plan.pools,
  forecasts: plan.forecasts,
  ...(written && { written }),
});
