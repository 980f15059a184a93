import type { PortRange } from "../../requirements/requirement";
import { Protocol } from "../../requirements/vocabulary";
import { UNKNOWN } from "../../resources/resource";
import { letsPass, type TrafficSpec } from "../../resources/trafficSpec";

/** What a flow asks for. */
interface Asked {
  protocol: Protocol;
  ports?: PortRange;
}

const NAMED: ReadonlySet<string> = new Set(Object.values(Protocol));
const WITH_PORTS: ReadonlySet<Protocol> = new Set([Protocol.Tcp, Protocol.Udp, Protocol.Sctp]);

/**
 * Whether a rule can match traffic of a flow at all. Plain numbers say it, so that of a plan's many rules only the few that
 * speak of a flow become sets of packets.
 */
export function mayMatch({ protocol, ports }: TrafficSpec, asked: Asked): boolean {
  if (asked.protocol === Protocol.Any || protocol === UNKNOWN) return true;
  if (!letsPass(protocol, asked.protocol)) return !isKnown(protocol);
  const isSaid = ports !== undefined && ports !== UNKNOWN && asked.ports !== undefined;
  if (!isSaid || !WITH_PORTS.has(asked.protocol) || letsPass(protocol, Protocol.Any)) return true;
  return ports.from <= asked.ports!.to && asked.ports!.from <= ports.to;
}

/** A protocol that nobody here knows may be any. */
const isKnown = (protocol: string): boolean => NAMED.has(protocol) || /^\d{1,3}$/.test(protocol);
