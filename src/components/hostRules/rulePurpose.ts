import { packetsOfTraffic } from "../../reachability/filters/traffic";
import type { PacketSet } from "../../reachability/packets";
import { Direction, type Role } from "../../requirements/vocabulary";
import type { RequiredFlow } from "../../flows/model";
import type { PlannedRule } from "./plannedRule";

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
