import type { Prefix } from "../../address";
import type { Resource, UnknownValue } from "../../resources/resource";
import { EVERY_PACKET, NO_PACKETS, type PacketSet } from "../packets/packetSet";

/** What happens to a packet. */
export enum Action {
  Allow = "allow",
  Deny = "deny",
  /** The next filter decides. */
  Pass = "pass",
}

/** One rule of a filter. */
export interface Clause {
  /** The resource that contains it. */
  resource: Resource;
  /** The path in the resource: `spec.egress[3]`; empty if the resource is the rule. */
  path: string;
  /** What it does; more than one if that is not known. */
  actions: readonly Action[];
  /** Packets that it matches, whatever the unknown values are. */
  sure: PacketSet;
  /** Packets that it may match: all of `sure`, and those for which an unknown value decides. */
  possible: PacketSet;
  /** Addresses that are assumed to be those behind the groups and lists that it names. */
  assumed?: readonly Prefix[];
  /** The values that decide if `sure` and `possible` differ or the action is not known. */
  unknown: readonly UnknownValue[];
}

/** Stands for rules that the input does not show: they may match any packet. */
export const anyRule = (
  unknown: UnknownValue,
  actions: readonly Action[] = [Action.Allow, Action.Deny],
): Clause => ({
  resource: unknown.resource,
  path: unknown.path,
  actions,
  sure: NO_PACKETS,
  possible: EVERY_PACKET,
  unknown: [unknown],
});

/** The rule as one that may or may not decide. */
export const perhaps = (clause: Clause, doubt: UnknownValue): Clause => ({
  ...clause,
  sure: NO_PACKETS,
  unknown: [...clause.unknown, doubt],
});

/** An ordered list of rules that judges packets at one place: the first match decides. Among rules that only allow, order is irrelevant. */
export interface Filter {
  clauses: readonly Clause[];
  /** The action for packets that no rule matches. */
  otherwise: Action;
  /** What makes it deny those packets if that is not a rule: the policies that isolate a pod. */
  isolating?: readonly Resource[];
}

/** Allows everything. */
export const OPEN: Filter = { clauses: [], otherwise: Action.Allow };

/** What a rule does with the packets that it matches. */
export enum Effect {
  Allows,
  Drops,
  /** It allows or drops them, and it is unknown which. */
  Either,
  /** Unknown values decide whether it matches any of these packets. */
  MayAllow,
  MayDrop,
  /** A quick check cannot tell. */
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

/** A rule whose effect is unknown makes the outcome for what it matches uncertain, whatever follows it. */
export function effectOf({ actions, sure, possible }: Clause): Effect {
  const [action, ...others] = actions;
  if (action === undefined || actions.includes(Action.Pass)) return Effect.Unclear;
  if (others.length > 0) return Effect.Either;
  if (sure === possible) return EFFECT[action];
  return sure === NO_PACKETS ? MAYBE[action] : Effect.Unclear;
}
