import type { Prefix } from "../../address";
import type { UnknownValue } from "../../resources/resource";
import { seenAtHosts, type FlowPeer, type RequiredFlow, type SeenPackets } from "../../flows/model";
import { allowedBy, decisions, doubts, type Decision } from "../filters";
import type { Filter } from "../filters/filter";
import { blocksOf } from "../packets/print";
import { NO_PACKETS, difference, intersection, isEmpty, packets, union, type PacketSet } from "../packets";
import { answersTo, packetsOf } from "../path/judge";
import { peersOf } from "../../flows/hosts";
import type { NormalizedTopology } from "../../topology/normalizedTopology";

/** What the filters before some hosts make of a flow with one of its peers. */
export interface EndVerdict {
  /** Packets that have to pass and are dropped for sure. */
  blocked: PacketSet;
  /** What drops the first of them; absent where that hangs on unknown values, although every way of them drops it. */
  decision?: Decision;
  /** Values that decide on packets whose verdict is unknown. */
  values: readonly UnknownValue[];
  /** True where it hangs on the addresses of the peer, which the topology does not say. */
  unsaid: boolean;
}

/** The packets of a flow with one of its peers. One whose addresses are not stated may be any of `everywhere`. */
export const seenWith = (flow: RequiredFlow, peer: FlowPeer, everywhere: readonly Prefix[]): SeenPackets =>
  seenAtHosts(flow, [peer.prefixes ? peer : { ...peer, prefixes: everywhere }]);

/** What becomes of the packets of a flow with one peer. */
export const judgeCalls = (
  seen: SeenPackets,
  peer: FlowPeer,
  filters: readonly Filter[],
  lost?: PacketSet,
): EndVerdict => judgeEnd(packetsOf(seen), peer, filters, lost);

/** What becomes of the answers, which filters that keep no state judge in the other direction. */
export const judgeAnswers = (
  seen: SeenPackets,
  peer: FlowPeer,
  filters: readonly Filter[],
  lost?: PacketSet,
): EndVerdict => judgeEnd(answersTo(seen), peer, filters, lost);

/**
 * Where the topology says the peer, all of its packets have to pass. Where it does not, a port at which nothing passes is
 * closed to it, wherever it is; a port at which some addresses pass may be open to the right ones, but for those packets
 * that a flow between known ends needs and loses here.
 */
function judgeEnd(
  required: PacketSet,
  peer: FlowPeer,
  filters: readonly Filter[],
  lost: PacketSet = NO_PACKETS,
): EndVerdict {
  const isSaid = peer.prefixes !== undefined && !peer.assumed;
  const { sure, possible } = allowedBy(filters, required);
  const blocked = isSaid
    ? difference(required, possible)
    : union(difference(required, atServicesOf(possible)), intersection(required, lost));
  const rest = difference(difference(required, sure), blocked);
  const decision = isEmpty(blocked) ? undefined : decisions(filters, blocked)[0];
  return {
    blocked,
    ...(decision && { decision }),
    values: isEmpty(rest) ? [] : doubts(filters, rest),
    unsaid: !isSaid && !isEmpty(rest),
  };
}

/** Everything that asks for what some packet of a set asks for. */
const atServicesOf = (set: PacketSet): PacketSet =>
  packets({ services: blocksOf(set).flatMap(({ services }) => services) });

/** All packets of a flow with the peers whose addresses the topology says, or has assumed, as filters before its hosts see them. */
export function flowPackets(flow: RequiredFlow, topology: NormalizedTopology): PacketSet {
  const peers = peersOf(topology, flow).filter(({ prefixes }) => prefixes);
  return peers.length === 0 ? NO_PACKETS : packetsOf(seenAtHosts(flow, peers));
}
