import { parsePrefix, subtract, type Prefix } from "../../address";
import type { PortRange } from "../../requirements/requirement";
import { Direction, Protocol } from "../../requirements/vocabulary";
import { selects } from "../labelSelector";
import type { Labels, PacketPolicy, PolicyPeer, PolicyPort, PolicyRule } from "./networkPolicy";

/** Pods with exactly these labels: of the governed namespace itself, or of one that has the given labels. */
export interface PodEnd {
  labels: Labels;
  /** Absent: the governed namespace. */
  namespace?: Labels;
}

/** The other end of a flow: pods, or addresses outside. */
export type FlowEnd = PodEnd | { prefixes: readonly Prefix[] };

/** Packets between a pod of the governed namespace and one other end. */
export interface PodPackets {
  direction: Direction;
  /** Labels of the pod in the governed namespace. */
  pod: Labels;
  end: FlowEnd;
  /** `Any` means every protocol and port. */
  protocol: Protocol;
  /** Absent: every port. */
  ports?: PortRange;
}

/** Packets that policies drop: an address where the other end is addresses, and a port where not all are. */
export interface Dropped {
  address?: string;
  port?: number;
}

/**
 * Whether the network policies of a namespace let all of these packets pass, exactly; where not, an example of what they
 * drop. Policies add up: a pod is isolated in a direction when one policy selects it there, and then the rules of all
 * policies that select it allow.
 */
export function droppedBy(
  policies: readonly PacketPolicy[],
  ownNamespace: Labels,
  packets: PodPackets,
): Dropped | undefined {
  const selecting = policies.filter(
    (policy) => policy[packets.direction] !== undefined && selects(policy.pods, packets.pod),
  );
  if (selecting.length === 0) return undefined;
  const rules = selecting.flatMap((policy) => policy[packets.direction] ?? []);
  for (const port of examplePorts(rules, packets)) {
    const open = rules.filter((rule) => opens(rule, packets.protocol, port));
    const dropped = droppedEnd(open, ownNamespace, packets.end);
    if (dropped) return { ...dropped, ...(port !== undefined && { port }) };
  }
  return undefined;
}

/** What is left of the other end when the rules have taken theirs. */
function droppedEnd(
  rules: readonly PolicyRule[],
  ownNamespace: Labels,
  end: FlowEnd,
): Pick<Dropped, "address"> | undefined {
  if (rules.some(({ peers }) => peers === undefined)) return undefined;
  const peers = rules.flatMap((rule) => rule.peers ?? []);
  if ("prefixes" in end) {
    const left = peers.reduce<readonly Prefix[]>(
      (rest, { ipBlock }) => (ipBlock ? subtract(rest, addressesOf(ipBlock)) : rest),
      end.prefixes,
    );
    return left[0] && { address: left[0].first() };
  }
  return peers.some((peer) => meetsPod(peer, ownNamespace, end)) ? undefined : {};
}

function addressesOf({ cidr, except = [] }: NonNullable<PolicyPeer["ipBlock"]>): Prefix[] {
  return subtract(prefixesOf([cidr]), prefixesOf(except));
}

const prefixesOf = (cidrs: readonly string[]) => cidrs.flatMap((cidr) => parsePrefix(cidr).prefix ?? []);

function meetsPod(
  { ipBlock, podSelector, namespaceSelector }: PolicyPeer,
  ownNamespace: Labels,
  { labels, namespace }: PodEnd,
): boolean {
  if (ipBlock) return false; // Which addresses pods have, no policy says.
  if (podSelector && !selects(podSelector, labels)) return false;
  return namespaceSelector
    ? selects(namespaceSelector, namespace ?? ownNamespace)
    : namespace === undefined && podSelector !== undefined;
}

/** One port out of each run of ports that every rule treats alike; `undefined` stands for all protocols and ports. */
function examplePorts(
  rules: readonly PolicyRule[],
  { protocol, ports }: PodPackets,
): readonly (number | undefined)[] {
  if (protocol === Protocol.Any) return [undefined];
  const { from, to } = ports ?? { from: 0, to: 65535 };
  const bounds = rules.flatMap((rule) => (rule.ports ?? []).flatMap(boundsOf));
  return [...new Set([from, ...bounds.filter((bound) => bound > from && bound <= to)])];
}

/** Where something else begins. */
const boundsOf = ({ port, endPort }: PolicyPort): number[] =>
  port === undefined ? [] : [port, (endPort ?? port) + 1];

function opens({ ports }: PolicyRule, protocol: Protocol, port: number | undefined): boolean {
  if (ports === undefined) return true;
  if (port === undefined) return false;
  return ports.some(
    (entry) =>
      entry.protocol === protocol &&
      (entry.port === undefined || (port >= entry.port && port <= (entry.endPort ?? entry.port))),
  );
}
