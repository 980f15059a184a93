import { describeReference } from "../../requirements/documents";
import type { PortRange, Requirement } from "../../requirements/requirement";
import { requirementOf, requirements } from "../../requirements/requirements";
import { Direction, Perspective } from "../../requirements/vocabulary";
import { onceForEach } from "../../resources/onceForEach";
import { nodeFlows } from "../../topology/flows/nodeNetwork";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { Role, type RequiredFlow } from "../../topology/requiredFlow";
import { requiredFlows } from "../../topology/requiredFlows";
import type { HostHop, Journey, PodHop } from "../../flows";

/** Every flow that some hosts of a cluster need, among themselves too. */
export const hostFlows = onceForEach((topology: NormalizedTopology): readonly RequiredFlow[] => [
  ...requiredFlows(topology),
  ...([Role.ControlPlane, Role.Workers] as const).flatMap((role) => nodeFlows(topology, role)),
]);

/** The rows that ask for what a journey needs at one of its places. */
export function rowsBehind(topology: NormalizedTopology, journey: Journey, hop: Journey["hops"][number]) {
  if (hop.kind === "hosts") return rowsAtHosts(topology, hop);
  // What leaves a namespace or pods is asked for by what its packets meet behind them.
  if (hop.kind === "namespace" || hop.kind === "senders")
    return [
      ...new Set(journey.hops.flatMap((next) => (next.kind === "hosts" ? rowsAtHosts(topology, next) : []))),
    ];
  return hop.kind === "pods" ? rowsAtPods(topology, hop) : [];
}

function rowsAtHosts(topology: NormalizedTopology, hop: HostHop): Requirement[] {
  const peers = hop.direction === Direction.Ingress ? hop.sources : hop.destinations;
  const zones = new Set(peers.map(({ zone }) => zone));
  const fitting = hostFlows(topology).filter(
    ({ role, direction, protocol, ports }) =>
      role === hop.role && direction === hop.direction && protocol === hop.protocol && meet(ports, hop.ports),
  );
  const exact = fitting.filter((flow) => flow.peers.some(({ zone }) => zones.has(zone)));
  return distinctRows((exact.length > 0 ? exact : fitting).map(({ requirement }) => requirement));
}

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
