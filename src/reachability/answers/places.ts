import { Direction } from "../../requirements/vocabulary";
import type { Hop, HostHop } from "../../flows/model";
import type { Clause } from "../filters/filter";
import { withLabels } from "../isolation/excess";
import type { Labels } from "../isolation/podTraffic";
import { idOf, kindInType, type Origin, type Resource } from "../../resources/resource";
import { Prefix } from "../../address";
import { MOST_LISTED, onceForEach } from "../../collections";
import { firstOf } from "../../text";
import {
  describeServices,
  EVERY_SERVICE,
  PROTOCOL_NUMBER,
  service,
  type ServiceRange,
  TRANSPORT_NUMBER,
} from "../packets/service";
import { difference, EVERY_PACKET, packets, type PacketSet } from "../packets/packetSet";
import type { Packet } from "../packets/example";
import { type PacketBlock, blocksOf, leftOut } from "../packets/print";

/** `ingress of control-plane` */
export const hostPlace = ({ direction, role }: Pick<HostHop, "direction" | "role">): string =>
  `${direction} of ${role}`;

/** `ingress of control-plane`, `pods kube-apiserver`. */
export function placeOf(hop: Hop): string {
  switch (hop.kind) {
    case "hosts":
      return hostPlace(hop);
    case "pods":
      return `pods ${hop.app}`;
    case "senders":
      return `egress of pods of the control plane to ${hop.to === "addresses" ? "addresses" : "pods elsewhere"}`;
    case "namespace":
      return `egress of namespace ${hop.namespace}`;
    case "balancer":
      return "public load balancer";
    case "node":
      return `${hop.listener} on each node`;
  }
}

/** The direction of the rules that a flow meets at a place. */
export function directionAt(hop: Hop): Direction {
  if (hop.kind === "hosts") return hop.direction;
  return hop.kind === "namespace" || hop.kind === "senders" ? Direction.Egress : Direction.Ingress;
}

/** `pods with app=router`, `pods of namespaces with kubernetes.io/metadata.name=openshift-dns`. */
export function podsText(labels: Labels, namespace?: Labels): string {
  const own = namespace === undefined || Object.keys(labels).length > 0 ? ` ${withLabels(labels)}` : "";
  return `pods${own}${namespace ? ` of namespaces ${withLabels(namespace)}` : ""}`;
}

/** The ends of packets that policies see as pods, whatever their addresses. */
export function podsAt(hop: Hop): { source?: string; destination?: string } {
  switch (hop.kind) {
    case "pods":
      return {
        ...(hop.from !== "addresses" && { source: podsText(hop.from.labels, hop.from.namespaceLabels) }),
        destination: placeOf(hop),
      };
    case "senders":
      return {
        source: "pods of the control plane",
        ...(hop.to !== "addresses" && { destination: podsText({}, hop.to) }),
      };
    default:
      return {};
  }
}

/** The pods at the other end of packets, as rules of a direction see it; undefined if policies see only addresses there. */
export const otherPodsAt = (hop: Hop, direction: Direction): string | undefined =>
  podsAt(hop)[direction === Direction.Ingress ? "source" : "destination"];

/** The place where something is written, as plain data. */
export interface Written extends Origin {
  /** Pulumi type token. */
  type: string;
  /** Name in the program, or name of the object. */
  name: string;
}

/** A rule and the place where it is written. */
export interface WrittenRule extends Written {
  /** Path in the resource: `ingress[2]`; empty if the resource is the rule. */
  path: string;
}

export const writtenAt = ({ origin, type, name }: Resource): Written => ({ ...origin, type, name });

export const ruleOf = ({ resource, path }: Pick<Clause, "resource" | "path">): WrittenRule => ({
  ...writtenAt(resource),
  path,
});

/** `SecurityGroup workers`. */
export const describeWritten = ({ type, name }: Pick<Written, "type" | "name">): string =>
  `${kindInType(type)} ${name}`;

/** `ingress[2] of SecurityGroup workers`, `SecurityGroupIngressRule ssh`. */
export const describeRule = ({ path, ...written }: WrittenRule): string =>
  path === "" ? describeWritten(written) : `${path} of ${describeWritten(written)}`;

const keyOf = ({ file, line, type, name, ...origin }: Written): unknown =>
  idOf(origin) ?? [file, line, type, name];

/** A key that is equal for equal rules. */
export const identityOf = (rule: WrittenRule): string => JSON.stringify([keyOf(rule), rule.path]);

/** A key that is equal for everything that is written at one place. */
export const placeKey = (written: Written | undefined): string =>
  written ? JSON.stringify(keyOf(written)) : "";

/** Whether a resource is written at a place. */
export const isWrittenAt = (written: Written | undefined, resource: Resource | undefined): boolean =>
  placeKey(written) === placeKey(resource && writtenAt(resource));

/** One packet in plain words. */
export interface PlainPacket {
  /** An address, or `any address` if it is not stated and does not matter; pods by their labels if policies see those. */
  source: string;
  destination: string;
  /** `TCP 6443`, `ICMP type 8 code 0`, `ESP`. */
  service: string;
}

const { icmp, icmpV6 } = PROTOCOL_NUMBER;
const HAS_MORE: ReadonlySet<number> = new Set([...Object.values(TRANSPORT_NUMBER), icmp, icmpV6]);

/** `TCP 6443` */
export function serviceText({ protocol, port }: Pick<Packet, "protocol" | "port">): string {
  const range = HAS_MORE.has(protocol) ? service(protocol, { from: port, to: port }) : service(protocol);
  return describeServices(range).join(", ");
}

/** `198.51.100.7 -> 10.1.0.0, TCP 31091` */
export const describePacket = ({ source, destination, service: what }: PlainPacket): string =>
  `${source} -> ${destination}, ${what}`;

const isEverything = (prefixes: readonly Prefix[]): boolean => prefixes.some(({ length }) => length === 0);

/**
 * Packets at a place, one line per block: `TCP 443 from 10.0.0.0/16`. The side that rules there do not check is named only if it is
 * not everything.
 *
 * @param peers the pods or hosts at the other end, if rules know them by labels or groups rather than by addresses
 */
export function packetLines(set: PacketSet, direction: Direction, peers?: string): string[] {
  const blocks = blocksOf(set);
  if (peers === undefined) return blockLines(blocks, direction);
  const word = direction === Direction.Ingress ? "from" : "to";
  return [...new Set(blocks.map(({ services }) => `${servicesText(services)} ${word} ${peers}`))];
}

function blockLines(blocks: readonly PacketBlock[], direction: Direction): string[] {
  return blocks.map(({ services, sources, destinations }) => {
    const isIngress = direction === Direction.Ingress;
    const ends = [
      ...(isIngress || !isEverything(sources) ? [`from ${prefixesText(sources)}`] : []),
      ...(!isIngress || !isEverything(destinations) ? [`to ${prefixesText(destinations)}`] : []),
    ];
    return `${servicesText(services)} ${ends.join(" ")}`;
  });
}

/** Names the exceptions if that is shorter: `every protocol except TCP 22`. */
function servicesText(services: readonly ServiceRange[]): string {
  const rest = blocksOf(difference(EVERY_PACKET, packets({ services })))[0]?.services ?? [];
  const [named, except] = [services.flatMap(describeServices), rest.flatMap(describeServices)];
  return except.length > 0 && except.length + 1 < named.length
    ? `${describeServices(EVERY_SERVICE).join(", ")} except ${except.join(", ")}`
    : named.join(", ");
}

/**
 * Names the exceptions if that is shorter: `0.0.0.0/0 except 10.0.0.0/16`. Many rules name the same prefix list: its text is built
 * once, with at most `MOST_LISTED` entries.
 */
const prefixesText = onceForEach((prefixes: readonly Prefix[]): string => {
  const whole = prefixes.map(({ family }) => new Prefix(family, 0n, 0)).slice(0, 1);
  const except = leftOut(prefixes, whole);
  return except ? `${textsOf(whole)} except ${textsOf(except)}` : textsOf(prefixes);
});

const textsOf = (prefixes: readonly Prefix[]): string => firstOf(prefixes.map(String), MOST_LISTED);

/** All combinations of some services, sources and destinations, as plain data. */
export interface PlainBlock {
  /** `TCP 443`, `UDP 53` */
  services: readonly string[];
  /** CIDR blocks. */
  sources: readonly string[];
  destinations: readonly string[];
}

/** Packets as text for people and as data for programs, from the same few disjoint blocks. */
export function packetsInWords(
  set: PacketSet,
  direction: Direction,
): { packets: string[]; blocks: PlainBlock[] } {
  const blocks = blocksOf(set);
  return { packets: blockLines(blocks, direction), blocks: blocks.map(plainBlock) };
}

const plainBlock = ({ services, sources, destinations }: PacketBlock): PlainBlock => ({
  services: services.flatMap(describeServices),
  sources: sources.map(({ text }) => text),
  destinations: destinations.map(({ text }) => text),
});
