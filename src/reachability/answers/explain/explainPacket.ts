import type { Requirement } from "../../../requirements/requirement";
import { requirements } from "../../../requirements/requirements";
import { Perspective, Zone, type Platform } from "../../../requirements/vocabulary";
import type { NormalizedTopology } from "../../../topology/normalizedTopology";
import { readings } from "../../../topology/readings";
import type { Surroundings } from "../../../flows";
import type { ExplainedFlow, PacketExplanation } from "./explanation";
import { fits, holds, isIn, matches } from "./matches";
import { describeQuery, type PacketQuery } from "./packetQuery";
import { placesAsked } from "./placesAsked";
import { explainedRow } from "./rows";

/**
 * Which requirements ask that packets pass; with a topology, which flows of that cluster they belong to. `surroundings` is what a
 * plan says besides.
 */
export function explainPacket(
  query: PacketQuery,
  topology?: NormalizedTopology,
  surroundings?: Surroundings,
): PacketExplanation {
  const flows = topology ? flowsOfEveryReading(query, topology, surroundings) : [];
  const byAddress = [query.source, query.destination].some((end) => end && "prefix" in end);
  const asked = new Set(flows.flatMap((flow) => flow.requirements));
  const rows = requirements.filter(
    (row) =>
      asked.has(row.id) ||
      ((!topology || (!byAddress && row.platforms.includes(topology.platform))) &&
        asksFor(row, query, topology?.platform)),
  );
  return {
    version: 1,
    asked: describeQuery(query),
    rows: narrowestFirst(rows).map(explainedRow),
    flows,
    notes: [
      ...(byAddress && !topology ? ["which zones the addresses are in, only a topology says"] : []),
      ...(topology && isIn(query.source, topology.workerNatCidrs) && !flows.some(({ sure }) => sure)
        ? [BEHIND_NAT]
        : []),
      ...notYetKnown(topology),
    ],
  };
}

const BEHIND_NAT =
  "the source is an address of NAT behind which workers stand: documents name workers as the source, and hosts behind load balancers see node ports or ports of pods instead";

/** What the flows of a cluster hang on. */
export const notYetKnown = (topology: NormalizedTopology | undefined): string[] =>
  topology && topology.unknown.length > 0
    ? [`not known yet: ${topology.unknown.join(", ")}; flows that hang on them are listed as perhaps`]
    : [];

/** Rows of single ports come before those of ranges, and those before rows of everything. */
export const narrowestFirst = (rows: readonly Requirement[]): Requirement[] =>
  [...rows].sort((a, b) => width(a) - width(b));

const width = ({ ports }: Requirement): number => (ports ? ports.to - ports.from : Infinity);

/** Without a platform every one counts. */
function asksFor(row: Requirement, query: PacketQuery, platform: Platform | undefined): boolean {
  const { source, destination, protocol, port } = query;
  const replaced = row.replacedOn.some(
    (one) => one.port === port && (platform === undefined || one.platform === platform),
  );
  const [from, to] = [source, destination].map((end) => (end && "zone" in end ? end.zone : undefined));
  const own = OWN[row.perspective];
  return (
    fits(row.protocol, protocol, port) &&
    (replaced || holds(row.ports, port)) &&
    isAmong(from, row.sources.length > 0 ? row.sources : own) &&
    isAmong(to, row.destinations.length > 0 ? row.destinations : own)
  );
}

/** The zones of the place whose row it is: the row does not name them at that end. */
const OWN: Readonly<Record<Perspective, readonly Zone[]>> = {
  [Perspective.Worker]: [Zone.Workers, Zone.MachineNetwork, Zone.SameSecurityGroup],
  [Perspective.ControlPlane]: [Zone.ControlPlane, Zone.SameNamespace, Zone.Pods],
  [Perspective.Management]: [Zone.ControlPlane, Zone.ManagementApi, Zone.ManagementKubelet],
};

const isAmong = (zone: Zone | undefined, zones: readonly Zone[]): boolean =>
  zone === undefined || zones.includes(zone) || zones.includes(Zone.Any);

/** Where the topology has values that nobody knows yet: flows of everything that it may turn out to be, sure where all have them. */
function flowsOfEveryReading(
  query: PacketQuery,
  topology: NormalizedTopology,
  surroundings: Surroundings | undefined,
): ExplainedFlow[] {
  const all = readings(topology).map((reading) => flowsOf(query, reading.topology, surroundings));
  const found = new Map<string, { flow: ExplainedFlow; sureIn: number }>();
  for (const flow of all.flat()) {
    const name = `${flow.key} ${flow.place}`;
    const known = found.get(name) ?? { flow, sureIn: 0 };
    found.set(name, { ...known, sureIn: known.sureIn + Number(flow.sure) });
  }
  return [...found.values()].map(({ flow, sureIn }) => ({ ...flow, sure: sureIn >= all.length }));
}

function flowsOf(
  query: PacketQuery,
  topology: NormalizedTopology,
  surroundings: Surroundings | undefined,
): ExplainedFlow[] {
  return placesAsked(topology, surroundings).flatMap(
    ({ seen, behindNat, isDisputed, requirements: asking, ...flow }) => {
      const match = matches(query, seen, behindNat);
      return match === "no"
        ? []
        : [{ ...flow, requirements: asking(), sure: match === "yes" && !isDisputed }];
    },
  );
}
