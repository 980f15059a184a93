import { NO_PACKETS } from "../packets";
import { Action, type Clause } from "./filter";

/** What a rule does with the packets that it matches. */
export enum Effect {
  Allows,
  Drops,
  /** One of those, and nobody knows which. */
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

/** A rule of which nobody knows what it does makes doubtful what it matches, whatever comes behind it. */
export function effectOf({ actions, sure, possible }: Clause): Effect {
  const [action, ...others] = actions;
  if (action === undefined || actions.includes(Action.Pass)) return Effect.Unclear;
  if (others.length > 0) return Effect.Either;
  if (sure === possible) return EFFECT[action];
  return sure === NO_PACKETS ? MAYBE[action] : Effect.Unclear;
}
