import { parseAddress } from "../../../address/parse";
import { overlap, type Prefix, prefixOf, readPrefix } from "../../../address";
import { LIMIT } from "../../../requirements/limits";
import { Perspective, type Platform, Protocol, Zone } from "../../../requirements/vocabulary";
import type { PortRange, Requirement } from "../../../requirements/requirement";
import { requirements } from "../../../requirements/requirements";
import type { NormalizedTopology } from "../../../topology/normalizedTopology";
import { readings } from "../../../topology/readings";
import { NO_SURROUNDINGS, type Surroundings } from "../../../flows/surroundings";
import { type ExplainedFlow, explainedRow, type PacketExplanation } from "./explanation";
import { type PlaceAsked, placesAsked } from "./placesAsked";
import type { FlowPeer, SeenPackets } from "../../../flows/model";

/** One end of packets: addresses, or a zone of the requirements. */
export type QueriedEnd = { prefix: Prefix } | { zone: Zone };

/** A set of packets, to the extent that the user states which. */
export interface PacketQuery {
  source?: QueriedEnd;
  destination?: QueriedEnd;
  protocol?: Protocol;
  port?: number;
}

const PROTOCOLS: ReadonlyMap<string, Protocol> = new Map(
  Object.values(Protocol).map((protocol) => [protocol.toLowerCase(), protocol]),
);
const ZONES: ReadonlyMap<string, Zone> = new Map(Object.values(Zone).map((zone) => [zone, zone]));
/** `SOURCE -> DESTINATION, PROTOCOL PORT`; every part is optional. */
function partsOf(text: string): { source?: string; destination?: string; service: string } {
  const arrow = text.indexOf("->");
  if (arrow < 0) return { service: text };
  const [destination = "", ...service] = text.slice(arrow + 2).split(",");
  return { source: text.slice(0, arrow), destination, service: service.join(",") };
}
const SERVICE = /^(?:(?<protocol>[a-z]+)(?:[\s/]+|$))?(?<port>\d+)?$/i;
/** `443/TCP`, as kubectl prints it. */
const PORT_FIRST = /^(\d+)[\s/]+([a-z]+)$/i;

/**
 * Parses packets as people and findings write them: `6443`, `udp/53`, `53/UDP`, `10.0.0.5 -> 10.1.0.9, TCP 31091`, `worker -> , TCP
 * 443`. Ends are addresses, CIDR blocks or zones. Returns undefined for any other text.
 */
export function readPacketQuery(text: string): PacketQuery | undefined {
  const parts = partsOf(text);
  const service = SERVICE.exec(parts.service.trim().replace(PORT_FIRST, "$2 $1"))?.groups;
  if (!service) return undefined;
  const [source, destination] = [parts.source, parts.destination].map(readEnd);
  const protocol = service.protocol === undefined ? undefined : PROTOCOLS.get(service.protocol.toLowerCase());
  const port = service.port === undefined ? undefined : Number(service.port);
  const isWrong =
    source === null ||
    destination === null ||
    (service.protocol !== undefined && !protocol) ||
    (port !== undefined && (port < LIMIT.port.min || port > LIMIT.port.max));
  if (isWrong) return undefined;
  const query = {
    ...(source && { source }),
    ...(destination && { destination }),
    ...(protocol && { protocol }),
    ...(port !== undefined && { port }),
  };
  return Object.keys(query).length > 0 ? query : undefined;
}

/** Undefined if the text states no end, null if it cannot be read. */
function readEnd(text: string | undefined): QueriedEnd | undefined | null {
  const word = text?.trim() ?? "";
  if (word === "" || word === "any") return undefined;
  const zone = ZONES.get(word);
  if (zone) return { zone };
  const address = parseAddress(word).address;
  const prefix = address ? prefixOf(address) : readPrefix(word);
  return prefix ? { prefix } : null;
}

/** `10.0.0.5 -> 10.1.0.9, TCP 31091`; without ends only the service. */
export function describeQuery({ source, destination, protocol, port }: PacketQuery): string {
  const service = [...(protocol ? [protocol] : []), ...(port === undefined ? [] : [port])].join(" ");
  if (!source && !destination) return protocol ? service : `port ${service}`;
  return `${endText(source)} -> ${endText(destination)}${service === "" ? "" : `, ${service}`}`;
}

const endText = (end: QueriedEnd | undefined): string =>
  !end ? "any" : "zone" in end ? end.zone : end.prefix.text;

/**
 * Lists the requirements that need packets to pass and, with a topology, the flows of that cluster that the packets belong to.
 * `surroundings` is what a plan states in addition.
 */
export function explainPacket(
  query: PacketQuery,
  topology?: NormalizedTopology,
  surroundings = NO_SURROUNDINGS,
): PacketExplanation {
  const asksOf: Asking = ({ seen, behindNat }) => matches(query, seen, behindNat);
  const flows = topology ? flowsOfEveryReading(asksOf, topology, surroundings) : [];
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
      ...(byAddress && !topology ? ["the zones of the addresses are unknown without a topology"] : []),
      ...(topology && isIn(query.source, topology.workerNatCidrs) && !flows.some(({ sure }) => sure)
        ? [BEHIND_NAT]
        : []),
      ...notYetKnown(topology),
    ],
  };
}

/**
 * Explains what commands print: a row of the documents by its id, `wk-out-443`, and a flow by its key, `workers-kube-apiserver` or
 * `control-plane/ingress/konnectivity`. Empty if there is no such row and, in a cluster, no such flow.
 */
export function explainKey(
  word: string,
  topology?: NormalizedTopology,
  surroundings = NO_SURROUNDINGS,
): PacketExplanation {
  const isRow = requirements.some(({ id }) => id === word);
  const asksOf: Asking = (place) =>
    (isRow ? place.requirements().includes(word) : place.key === word) ? "yes" : "no";
  const flows = topology ? flowsOfEveryReading(asksOf, topology, surroundings) : [];
  const asked = new Set([word, ...(isRow ? [] : flows.flatMap((flow) => flow.requirements))]);
  const rows = requirements.filter(({ id }) => asked.has(id));
  return {
    version: 1,
    asked: word,
    rows: rows.map(explainedRow),
    flows,
    notes: notYetKnown(topology),
  };
}

const BEHIND_NAT =
  "the source is a NAT address in front of the workers: documents name workers as the source, and hosts behind load balancers see node ports or ports of pods instead";

/** The unknown values that the flows of a cluster depend on. */
export const notYetKnown = (topology: NormalizedTopology | undefined): string[] =>
  topology && topology.unknown.length > 0
    ? [`not known yet: ${topology.unknown.join(", ")}; flows that depend on them are listed as perhaps`]
    : [];

/** Sorts rows of single ports before rows of ranges, and rows without ports last. */
export const narrowestFirst = (rows: readonly Requirement[]): Requirement[] =>
  [...rows].sort((a, b) => width(a) - width(b));

const width = ({ ports }: Requirement): number => (ports ? ports.to - ports.from : Infinity);

/** Whether a row requires the packets. Without a platform, the replaced ports of all platforms count. */
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

/** The zones of a perspective's own place, which its rows do not name at that end. */
const OWN: Readonly<Record<Perspective, readonly Zone[]>> = {
  [Perspective.Worker]: [Zone.Workers, Zone.MachineNetwork, Zone.SameSecurityGroup],
  [Perspective.ControlPlane]: [Zone.ControlPlane, Zone.SameNamespace, Zone.Pods],
  [Perspective.Management]: [Zone.ControlPlane, Zone.ManagementApi, Zone.ManagementKubelet],
};

const isAmong = (zone: Zone | undefined, zones: readonly Zone[]): boolean =>
  zone === undefined || zones.includes(zone) || zones.includes(Zone.Any);

/** Returns the flows of every reading of a topology with unknown values; a flow is sure only if it is sure in all readings. */
function flowsOfEveryReading(
  asksOf: Asking,
  topology: NormalizedTopology,
  surroundings: Surroundings,
): ExplainedFlow[] {
  const all = readings(topology).map((reading) => flowsOf(asksOf, reading.topology, surroundings));
  const found = new Map<string, { flow: ExplainedFlow; sureIn: number }>();
  for (const flow of all.flat()) {
    const name = `${flow.key} ${flow.place}`;
    const known = found.get(name) ?? { flow, sureIn: 0 };
    found.set(name, { ...known, sureIn: known.sureIn + Number(flow.sure) });
  }
  return [...found.values()].map(({ flow, sureIn }) => ({ ...flow, sure: sureIn >= all.length }));
}

/** Whether a question is about a place. */
type Asking = (place: PlaceAsked) => ReturnType<typeof matches>;

function flowsOf(asksOf: Asking, topology: NormalizedTopology, surroundings: Surroundings): ExplainedFlow[] {
  return placesAsked(topology, surroundings).flatMap((asked) => {
    const { key, purpose, place, isPossible, requirements: asking } = asked;
    const match = asksOf(asked);
    return match === "no"
      ? []
      : [{ key, purpose, place, requirements: asking(), sure: match === "yes" && !isPossible }];
  });
}

const WITHOUT_PORTS: ReadonlySet<Protocol> = new Set([Protocol.Icmp, Protocol.Esp]);

/** Whether a row's protocol fits a query. A query with a port but no protocol means the protocols that have ports. */
export const fits = (of: Protocol, wanted: Protocol | undefined, port: number | undefined): boolean =>
  wanted === undefined
    ? port === undefined || !WITHOUT_PORTS.has(of)
    : of === wanted || of === Protocol.Any || wanted === Protocol.Any;

/** Whether a range has the requested port; an undefined range has all ports. */
export const holds = (ports: PortRange | undefined, port: number | undefined): boolean =>
  port === undefined || !ports || (ports.from <= port && port <= ports.to);

/** Whether a place needs packets to pass. Perhaps: the topology does not state the addresses that decide. */
export type Match = "yes" | "no" | "perhaps";

/** Whether packets must pass a place. `behind` are addresses of NAT that may stand for workers as the source. */
export function matches(query: PacketQuery, seen: SeenPackets, behind: readonly Prefix[] = []): Match {
  const { source, destination, protocol, port } = query;
  if (!fits(seen.protocol, protocol, port) || !holds(seen.ports, port)) return "no";
  const ends = [isEnd(source, seen.sources, behind), isEnd(destination, seen.destinations)];
  if (ends.includes("no")) return "no";
  return ends.includes("perhaps") ? "perhaps" : "yes";
}

function isEnd(
  end: QueriedEnd | undefined,
  peers: readonly FlowPeer[],
  behind: readonly Prefix[] = [],
): Match {
  if (!end || peers.length === 0) return "yes";
  if ("zone" in end) return peers.some(({ zone }) => zone === end.zone || zone === Zone.Any) ? "yes" : "no";
  const here = peers.filter(({ prefixes }) => isIn(end, prefixes));
  if (here.some(({ assumed }) => !assumed)) return "yes";
  const mayBe = ({ prefixes, zone }: FlowPeer) => !prefixes || (zone === Zone.Workers && isIn(end, behind));
  return here.length > 0 || peers.some(mayBe) ? "perhaps" : "no";
}

/** Whether an end overlaps some blocks. */
export const isIn = (end: QueriedEnd | undefined, prefixes: readonly Prefix[] = []): boolean =>
  end !== undefined && "prefix" in end && prefixes.some((prefix) => overlap(prefix, end.prefix));
