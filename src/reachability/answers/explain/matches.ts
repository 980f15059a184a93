import { overlap, type Prefix } from "../../../address";
import type { PortRange } from "../../../requirements/requirement";
import { Protocol, Zone } from "../../../requirements/vocabulary";
import type { FlowPeer, SeenPackets } from "../../../flows/model";
import type { PacketQuery, QueriedEnd } from "./packetQuery";

const WITHOUT_PORTS: ReadonlySet<Protocol> = new Set([Protocol.Icmp, Protocol.Esp]);

/** Who names a port means a protocol that has some. */
export const fits = (of: Protocol, wanted: Protocol | undefined, port: number | undefined): boolean =>
  wanted === undefined
    ? port === undefined || !WITHOUT_PORTS.has(of)
    : of === wanted || of === Protocol.Any || wanted === Protocol.Any;

/** Whether a range has the port that is asked for; without a range there is every port. */
export const holds = (ports: PortRange | undefined, port: number | undefined): boolean =>
  port === undefined || !ports || (ports.from <= port && port <= ports.to);

/** Whether a place asks for packets. Perhaps: the topology does not say the addresses that decide. */
export type Match = "yes" | "no" | "perhaps";

/** Whether packets are among those that have to pass a place. `behind` are addresses of NAT behind which workers may be the source. */
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

/** Whether an end has addresses in some blocks. */
export const isIn = (end: QueriedEnd | undefined, prefixes: readonly Prefix[] = []): boolean =>
  end !== undefined && "prefix" in end && prefixes.some((prefix) => overlap(prefix, end.prefix));
