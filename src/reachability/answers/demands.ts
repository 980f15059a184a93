import { describeReference } from "../../requirements/documents";
import type { PortRange, Requirement } from "../../requirements/requirement";
import { requirementOf, requirements } from "../../requirements/requirements";
import { Direction, Perspective } from "../../requirements/vocabulary";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import type { HostHop, Journey, PodHop } from "../../flows/model";

/** The rows that ask for what a journey needs at one of its places. */
export function rowsBehind(topology: NormalizedTopology, journey: Journey, hop: Journey["hops"][number]) {
  if (hop.kind === "hosts") return rowsAtHosts(hop);
  // What leaves a namespace or pods is asked for by what its packets meet behind them.
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

/** Whether two ranges have a port in common; an absent one has all. */
export const meet = (a: PortRange | undefined, b: PortRange | undefined): boolean =>
  !a || !b || (a.from <= b.to && b.from <= a.to);

export const distinctRows = (ids: readonly string[]): Requirement[] => [...new Set(ids)].map(requirementOf);

/** Documents and headings of rows, each once: `OKD networking, Table 1. Common ingress ports`. */
export const documentsOf = (rows: readonly Requirement[]): string[] => [
  ...new Set(rows.flatMap(({ documents }) => documents.map(describeReference))),
];
