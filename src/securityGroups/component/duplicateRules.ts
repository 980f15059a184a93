import { parsePrefix } from "../../address/parse";
import type { Fault } from "../../fault";
import { grouped } from "../../components/hostRules/grouped";
import type { GivenValue } from "../../components/hostRules/givenValues";
import {
  describePeer,
  ruleIdentity,
  type PlannedRule,
  type RulePeer,
} from "../../components/hostRules/plannedRule";

/**
 * Rules that turn out to be the same one when the values of other resources are known: two resources were declared for
 * them by then, and AWS takes one. Values that are known from the beginning make one rule instead.
 */
export function duplicateFaults(rules: readonly PlannedRule[], given: readonly GivenValue[]): Fault[] {
  const values = new Map(given.map(({ path, value }) => [path, value]));
  const resolved = rules.map((rule) => ({ rule, identity: ruleIdentity(withValue(rule, values)) }));
  const twins = grouped(resolved, ({ identity }) => identity).flatMap(([first, ...others]) =>
    others.map((other) => twinOf(first.rule, other.rule)),
  );
  return grouped(twins, ({ path, twin }) => `${path} ${twin}`).map((same) => {
    const [{ path, twin }] = same;
    const flows = same.flatMap((each) => each.flows);
    return {
      path,
      problem: `is the same peer as ${twin}, and AWS takes a rule once: ${flows.join(", ")}`,
      remedy: "take one of the two out, or write plain values, of which one rule is made",
    };
  });
}

/** The rule whose peer was not known from the beginning, with the other one. */
function twinOf(first: PlannedRule, second: PlannedRule) {
  const [late, other] = placeOf(second.peer) === undefined ? [first, second] : [second, first];
  return { path: placeOf(late.peer) ?? "", twin: describePeer(other.peer), flows: late.flows };
}

/** Where the value of a peer is written that is not known from the beginning. */
function placeOf(peer: RulePeer): string | undefined {
  if (peer.kind === "eventual") return peer.path;
  return peer.kind === "reference" && peer.reference.id === undefined ? peer.reference.path : undefined;
}

function withValue(rule: PlannedRule, values: ReadonlyMap<string, unknown>): PlannedRule {
  const { peer } = rule;
  const value = values.get(placeOf(peer) ?? "");
  if (typeof value !== "string") return rule;
  if (peer.kind === "reference")
    return { ...rule, peer: { ...peer, reference: { ...peer.reference, id: value } } };
  const { prefix } = parsePrefix(value);
  return prefix ? { ...rule, peer: { kind: "prefix", prefix } } : rule;
}
