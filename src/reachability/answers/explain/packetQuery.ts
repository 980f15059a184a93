import { parseAddress } from "../../../address/parse";
import { prefixOf, readPrefix, type Prefix } from "../../../address";
import { LIMIT } from "../../../requirements/limits";
import { Protocol, Zone } from "../../../requirements/vocabulary";

/** One end of packets: addresses, or a zone of the requirements. */
export type QueriedEnd = { prefix: Prefix } | { zone: Zone };

/** Some packets, as far as the user states which. */
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
/** `SOURCE -> DESTINATION, PROTOCOL PORT`, of which any part may be missing. */
const FORM = /^(?:(?<source>[^,]*?)\s*->\s*(?:(?<destination>[^,]*?)\s*(?:,|$))?)?\s*(?<service>[^,>]*)$/;
const SERVICE = /^(?:(?<protocol>[a-z]+)(?:[\s/]+|$))?(?<port>\d+)?$/i;

/**
 * Packets as people and findings write them: `6443`, `udp/53`, `10.0.0.5 -> 10.1.0.9, TCP 31091`, `worker -> , TCP 443`. Ends are
 * addresses, CIDR blocks or zones. Undefined where it is nothing of that.
 */
export function readPacketQuery(text: string): PacketQuery | undefined {
  const parts = FORM.exec(text.trim())?.groups;
  const service = parts && SERVICE.exec((parts.service ?? "").trim())?.groups;
  if (!parts || !service) return undefined;
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

/** Undefined where nothing is said, null where it cannot be read. */
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
