import { overlap } from "../../../address";
import type { PortRange, Requirement } from "../../../requirements/requirement";
import { requirements } from "../../../requirements/requirements";
import { Direction, Perspective, Protocol, Zone, type Platform } from "../../../requirements/vocabulary";
import type { NormalizedTopology } from "../../../topology/normalizedTopology";
import { readings } from "../../../topology/readings";
import { flowKey, type FlowPeer } from "../../../topology/requiredFlow";
import { hostFlows, rowsBehind } from "../demands";
import { journeys, type SeenPackets } from "../../path";
import { hostsOf } from "../../path/hosts";
import { placeOf } from "../places";
import type { ExplainedFlow, PacketExplanation } from "./explanation";
import { describeQuery, type PacketQuery, type QueriedEnd } from "./packetQuery";
import { explainedRow } from "./rows";

/** Which requirements ask that packets pass; with a topology, which flows of that cluster they belong to. */
export function explainPacket(query: PacketQuery, topology?: NormalizedTopology): PacketExplanation {
  const flows = topology ? flowsOfEveryReading(query, topology) : [];
  const byAddress = [query.source, query.destination].some((end) => end && "prefix" in end);
  const asked = new Set(flows.flatMap((flow) => flow.requirements));
  const rows = requirements
    .filter(
      ({ id, platforms }) =>
        !topology || asked.has(id) || (!byAddress && platforms.includes(topology.platform)),
    )
    .filter((row) => asksFor(row, query, topology?.platform))
    .sort((a, b) => width(a) - width(b));
  return {
    version: 1,
    asked: describeQuery(query),
    rows: rows.map(explainedRow),
    flows,
    notes: [
      ...(byAddress && !topology ? ["which zones the addresses are in, only a topology says"] : []),
      ...(topology && topology.unknown.length > 0
        ? [`not known yet: ${topology.unknown.join(", ")}; flows that hang on them are listed as perhaps`]
        : []),
    ],
  };
}

/** Rows of single ports come before those of ranges, and those before rows of everything. */
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

const WITHOUT_PORTS: ReadonlySet<Protocol> = new Set([Protocol.Icmp, Protocol.Esp]);

/** Who names a port means a protocol that has some. */
const fits = (of: Protocol, wanted: Protocol | undefined, port: number | undefined): boolean =>
  wanted === undefined
    ? port === undefined || !WITHOUT_PORTS.has(of)
    : of === wanted || of === Protocol.Any || wanted === Protocol.Any;

const holds = (ports: PortRange | undefined, port: number | undefined): boolean =>
  port === undefined || !ports || (ports.from <= port && port <= ports.to);

const isAmong = (zone: Zone | undefined, zones: readonly Zone[]): boolean =>
  zone === undefined || zones.includes(zone) || zones.includes(Zone.Any);

/** Where the topology has values that nobody knows yet: flows of everything that it may turn out to be, sure where all have them. */
function flowsOfEveryReading(query: PacketQuery, topology: NormalizedTopology): ExplainedFlow[] {
  const all = readings(topology).map((reading) => flowsOf(query, reading.topology));
  const found = new Map<string, { flow: ExplainedFlow; sureIn: number }>();
  for (const flow of all.flat()) {
    const name = `${flow.key} ${flow.place}`;
    const known = found.get(name) ?? { flow, sureIn: 0 };
    found.set(name, { ...known, sureIn: known.sureIn + Number(flow.sure) });
  }
  return [...found.values()].map(({ flow, sureIn }) => ({ ...flow, sure: sureIn >= all.length }));
}

function flowsOf(query: PacketQuery, topology: NormalizedTopology): ExplainedFlow[] {
  const atHosts = hostFlows(topology).flatMap((flow): ExplainedFlow[] => {
    const own = [hostsOf(topology, flow.role)];
    const isIngress = flow.direction === Direction.Ingress;
    const seen = {
      ...flow,
      sources: isIngress ? flow.peers : own,
      destinations: isIngress ? own : flow.peers,
    };
    const match = matches(query, seen);
    if (match === "no") return [];
    return [
      {
        key: flowKey(flow),
        purpose: flow.purpose,
        place: `${flow.direction} of ${flow.role}`,
        requirements: [flow.requirement],
        sure: match === "yes",
      },
    ];
  });
  const onTheWay = journeys(topology).flatMap((journey) =>
    journey.hops.flatMap((hop): ExplainedFlow[] => {
      const match = hop.kind === "pods" ? matches(query, hop) : "no";
      if (match === "no") return [];
      const rows = rowsBehind(topology, journey, hop).map(({ id }) => id);
      const { key, title: purpose } = journey;
      return [{ key, purpose, place: placeOf(hop), requirements: rows, sure: match === "yes" }];
    }),
  );
  return [...atHosts, ...onTheWay];
}

type Match = "yes" | "no" | "perhaps";

function matches(query: PacketQuery, seen: SeenPackets): Match {
  const { source, destination, protocol, port } = query;
  if (!fits(seen.protocol, protocol, port) || !holds(seen.ports, port)) return "no";
  const ends = [isEnd(source, seen.sources), isEnd(destination, seen.destinations)];
  if (ends.includes("no")) return "no";
  return ends.includes("perhaps") ? "perhaps" : "yes";
}

function isEnd(end: QueriedEnd | undefined, peers: readonly FlowPeer[]): Match {
  if (!end || peers.length === 0) return "yes";
  if ("zone" in end) return peers.some(({ zone }) => zone === end.zone || zone === Zone.Any) ? "yes" : "no";
  if (peers.some(({ prefixes = [] }) => prefixes.some((prefix) => overlap(prefix, end.prefix)))) return "yes";
  return peers.some(({ prefixes }) => !prefixes) ? "perhaps" : "no";
}
