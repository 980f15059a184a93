import type { Prefix } from "../../address";
import type { Resource, UnknownValue } from "../../resources/resource";
import { NO_PACKETS, type PacketSet } from "../packets/packetSet";

/** What becomes of a packet. */
export enum Action {
  Allow = "allow",
  Deny = "deny",
  /** The next filter decides. */
  Pass = "pass",
}

/** One rule of a filter. */
export interface Clause {
  /** Where it is written. */
  resource: Resource;
  /** The place in the resource: `spec.egress[3]`; empty where the resource is the rule. */
  path: string;
  /** What it does; more than one where that is not known. */
  actions: readonly Action[];
  /** Packets that it matches, whatever the unknown values are. */
  sure: PacketSet;
  /** Packets that it may match: all of `sure`, and those for which an unknown value decides. */
  possible: PacketSet;
  /** Addresses that are taken for those behind groups and lists that it names. */
  assumed?: readonly Prefix[];
  /** The values that decide, where `sure` and `possible` differ or the action is not known. */
  unknown: readonly UnknownValue[];
}

/** What judges packets at one place: the first rule that matches decides. Among rules that only allow, order means nothing. */
export interface Filter {
  clauses: readonly Clause[];
  /** What becomes of packets that no rule matches. */
  otherwise: Action;
  /** What makes it deny those, where that is no rule: the policies that isolate a pod. */
  isolating?: readonly Resource[];
}

/** What a rule does with the packets that it matches. */
export enum Effect {
  Allows,
  Drops,
  /** One of those, and it is unknown which. */
  Either,
  /** Unknown values decide whether it matches any of these packets. */
  MayAllow,
  MayDrop,
  /** That takes a closer look. */
  Unclear,
}

export const EFFECT: Readonly<Record<Action, Effect>> = {
  [Action.Allow]: Effect.Allows,
  [Action.Deny]: Effect.Drops,
  // The next filter decides.
  [Action.Pass]: Effect.Unclear,
};

const MAYBE: Readonly<Record<Action, Effect>> = {
  [Action.Allow]: Effect.MayAllow,
  [Action.Deny]: Effect.MayDrop,
  [Action.Pass]: Effect.Unclear,
};

/** A rule whose effect is unknown makes doubtful what it matches, whatever comes behind it. */
export function effectOf({ actions, sure, possible }: Clause): Effect {
  const [action, ...others] = actions;
  if (action === undefined || actions.includes(Action.Pass)) return Effect.Unclear;
  if (others.length > 0) return Effect.Either;
  if (sure === possible) return EFFECT[action];
  return sure === NO_PACKETS ? MAYBE[action] : Effect.Unclear;
}
