import { isEmpty, type PacketSet } from "../../reachability/packets";
import { flowPackets, judgeCalls, seenWith } from "../../reachability/flows/flowEnd";
import type { Filter } from "../../reachability/filters/filter";
import { excessOf } from "../../reachability/proof/prove";
import { Direction, type Role } from "../../requirements/vocabulary";
import { openedText } from "../../securityGroups/rules/portExcess";
import type { Fault } from "../../fault";
import { everyAddress } from "../../flows/peers";
import type { NormalizedTopology } from "../../topology/normalizedTopology";
import { flowKey, type FlowPeer, type RequiredFlow } from "../../flows/model";
import { packetsOfTraffic } from "../../reachability/filters/traffic";
import type { PlannedRule } from "./plannedRule";

/** What is about to be made before the hosts of one role, as the readers of resources see it. */
export interface Place {
  /** In findings: `control-plane`. */
  role: Role;
  /** What is made of a flow with one of its peers. */
  filterFor: (flow: RequiredFlow, peer: FlowPeer) => Filter;
  /** Everything that is made in one direction. */
  filter: (direction: Direction) => Filter;
  /** The flows that pass here. */
  isPassedBy: (flow: RequiredFlow) => boolean;
}

/**
 * Whether what is about to be made lets every flow pass that it is made for, and nothing beyond those and what the user
 * declared. Peers that the topology does not say prove nothing: warnings name them.
 */
export function proofFaults(
  places: readonly Place[],
  { flows, declared }: RulePurpose,
  topology: NormalizedTopology,
): Fault[] {
  return places.flatMap((place) => {
    const own = flows.filter(place.isPassedBy);
    const asked = declared.filter(({ role }) => role === place.role);
    return [
      ...own.flatMap((flow) => blockedFaults(flow, place, topology)),
      ...Object.values(Direction).flatMap((direction) =>
        beyondFaults(direction, place, own, asked, topology),
      ),
    ];
  });
}

function blockedFaults(flow: RequiredFlow, { filterFor }: Place, topology: NormalizedTopology): Fault[] {
  return flow.peers
    .filter(({ prefixes }) => prefixes)
    .flatMap((one) => {
      // What is assumed for want of a property is opened, and has to be.
      const peer = { ...one, assumed: false };
      const seen = seenWith(flow, peer, everyAddress(topology));
      const { blocked } = judgeCalls(seen, peer, [filterFor(flow, peer)]);
      if (isEmpty(blocked)) return [];
      const what = openedText(blocked, flow.direction, blocked);
      return [
        {
          path: "rules",
          problem: `of ${flowKey(flow)} would not let ${what} pass`,
          remedy: `this is a mistake of hypershift-network: report it with the topology; disabledRules: [${flowKey(flow)}] makes the rest`,
        },
      ];
    });
}

function beyondFaults(
  direction: Direction,
  { role, filter }: Place,
  flows: readonly RequiredFlow[],
  declared: readonly Declared[],
  topology: NormalizedTopology,
): Fault[] {
  const wanted = [
    ...flows.filter((flow) => flow.direction === direction).map((flow) => flowPackets(flow, topology)),
    ...declared.filter((one) => one.direction === direction).map(({ packets }) => packets()),
  ];
  return excessOf(wanted, [filter(direction)]).map(({ clause, packets }) => ({
    path: "rules",
    problem: `of ${role} ${direction} would let ${openedText(packets, direction, clause?.sure ?? packets)} pass, which no flow and no additional rule asks for`,
    remedy: "this is a mistake of hypershift-network: report it with the topology",
  }));
}

/** What rules are made for. */
export interface RulePurpose {
  flows: readonly RequiredFlow[];
  /** What is wanted open besides: `additionalRules`, `callers`. */
  declared: readonly Declared[];
}

/** Packets that are wanted open although no flow needs them. */
export interface Declared {
  role: Role;
  direction: Direction;
  packets: () => PacketSet;
}

/** What a rule of the user opens, as far as its block is known. */
export const declaredBy = ({ role, direction, protocol, ports, peer }: PlannedRule): Declared => ({
  role,
  direction,
  packets: () => {
    const prefixes = peer.kind === "prefix" ? [peer.prefix] : [];
    const ends = direction === Direction.Ingress ? { sources: prefixes } : { destinations: prefixes };
    return packetsOfTraffic({ protocol, ...(ports && { ports }) }, ends);
  },
});
