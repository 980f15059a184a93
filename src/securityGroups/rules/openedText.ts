import { merge, type Prefix } from "../../address";
import { PORT } from "../../requirements/ports";
import { Direction } from "../../requirements/vocabulary";
import {
  PROTOCOL_NUMBER,
  blocksOf,
  describeServices,
  difference,
  leftOut,
  packets,
  service,
  type PacketSet,
  type ServiceRange,
} from "../../reachability/packets";
import { packetParts } from "../../gate/packetParts";
import { outsider, prefixText } from "../../gate/wording";

/** How many parts a sentence names, and how many services in each. */
const MOST = 3;
const MOST_SERVICES = 6;

/**
 * Packets that a rule lets pass, in as few words as there are: `TCP 22 from 10.0.0.0/16`, and by what is left out where that is
 * shorter: `TCP 443 from 0.0.0.0/0 except 10.0.0.0/16`.
 */
export function openedText(set: PacketSet, direction: Direction, rule: PacketSet): string {
  const whole = packetParts(rule, direction);
  const prefixes = merge(whole.flatMap((part) => part.prefixes));
  const services = whole.flatMap((part) => part.services);
  const side = direction === Direction.Ingress ? "from" : "to";
  const parts = packetParts(set, direction).map(
    (part) => `${servicesShort(part.services, services)} ${side} ${prefixesShort(part.prefixes, prefixes)}`,
  );
  const more = parts.length > MOST ? `; and ${parts.length - MOST} more` : "";
  return `${parts.slice(0, MOST).join("; ")}${more}`;
}

function prefixesShort(prefixes: readonly Prefix[], whole: readonly Prefix[]): string {
  const except = leftOut(prefixes, whole);
  return except ? `${prefixText(whole)} except ${prefixText(except)}` : prefixText(prefixes);
}

function servicesShort(services: readonly ServiceRange[], whole: readonly ServiceRange[]): string {
  const rest = blocksOf(difference(packets({ services: whole }), packets({ services })))[0]?.services ?? [];
  const [named, all, except] = [services, whole, rest].map((some) => some.flatMap(describeServices));
  return except!.length > 0 && all!.length + except!.length < named!.length
    ? `${listText(all!)} except ${listText(except!)}`
    : listText(named!);
}

function listText(names: readonly string[]): string {
  const shown = names.slice(0, MOST_SERVICES).join(", ");
  return names.length > MOST_SERVICES ? `${shown} and ${names.length - MOST_SERVICES} more` : shown;
}

/** One packet that passes: from an address that is nobody's worker, at a port that everybody knows where it is among them. */
export function openedPacket(set: PacketSet, direction: Direction, hosts: string): string {
  const [{ services, prefixes }] = packetParts(set, direction) as [ReturnType<typeof packetParts>[number]];
  const address = outsider(prefixes[0]!);
  const [port] = describeServices(exampleOf(services));
  return direction === Direction.Ingress
    ? `${address} -> ${hosts}, ${port}`
    : `${hosts} -> ${address}, ${port}`;
}

function exampleOf(services: readonly ServiceRange[]): ServiceRange {
  const tcp = service(PROTOCOL_NUMBER.tcp);
  const ssh = service(PROTOCOL_NUMBER.tcp, { from: PORT.ssh, to: PORT.ssh });
  const holds = ({ from, to }: ServiceRange) => from <= ssh.from && ssh.to <= to;
  if (services.some(holds)) return ssh;
  const inTcp = services.find(({ from, to }) => from <= tcp.to && tcp.from <= to);
  // Port 0 is none that anybody calls.
  const first = inTcp ? Math.min(Math.max(inTcp.from, tcp.from + 1), inTcp.to) : services[0]!.from;
  return { from: first, to: first };
}
