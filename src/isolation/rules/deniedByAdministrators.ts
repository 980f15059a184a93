import type { JudgedResources } from "../../gate/judgedResources";
import { flowsOfPlan, wholeTopology } from "../../gate/refutedFlows";
import { type Judgement, violated } from "../../gate/rule";
import { onceIn } from "../../collections";
import { Action, type Clause, type Filter } from "../../reachability/filters/filter";
import { intersection, isEmpty } from "../../reachability/packets";
import { identityOf, packetLines, ruleOf } from "../../reachability/answers/places";
import { Proof, type Verdict } from "../../reachability/proof/prove";
import { isNetworkPolicy } from "../../resources/resourceTypes";
import { plural } from "../../text";

/** A rule of a policy of administrators, with the documented flows that lose packets by it. */
interface Denial {
  clause: Clause;
  /** Titles by key. */
  flows: Map<string, string>;
  /** What the first of them loses: `TCP 6443 from 10.0.0.0/16`. */
  lost: string;
}

/**
 * What rules of the administrators' policies deny of documented flows, at pods of the control plane: no NetworkPolicy beside them
 * lets it pass.
 */
export const deniedByAdministrators = (judged: JudgedResources): Judgement[] =>
  judged.clusters.flatMap((cluster) => {
    const topology = wholeTopology(cluster);
    if (!topology) return [];
    const denials = new Map<string, Denial>();
    for (const { journey, proof, guards } of flowsOfPlan(judged, topology)) {
      if (proof !== Proof.Refuted) continue;
      for (const { guard, verdict } of guards) {
        if (guard.standing?.kind !== "networkPolicies" || verdict.proof !== Proof.Refuted) continue;
        const clause = denialOf(guard.filters, verdict);
        if (!clause) continue;
        const { direction } = guard.standing;
        onceIn(denials, identityOf(ruleOf(clause)), () => ({
          clause,
          flows: new Map(),
          lost: packetLines(verdict.dropped, direction)[0] ?? "",
        })).flows.set(journey.key, journey.title);
      }
    }
    const { namespace, name } = topology;
    return [...denials.values()].map((denial) => denied(`${namespace}/${name}`, denial));
  });

/**
 * The rule that denies. Where unknown values decide which of several it is, although each of them denies, the first; absent where
 * NetworkPolicies drop the packets, which they do by letting nothing pass.
 */
function denialOf(
  filters: readonly Filter[],
  { decision, dropped }: Extract<Verdict, { proof: Proof.Refuted }>,
): Clause | undefined {
  const ofAdministrators = ({ resource }: Clause) => !isNetworkPolicy(resource.type);
  if (decision?.clause) return ofAdministrators(decision.clause) ? decision.clause : undefined;
  return filters
    .flatMap(({ clauses }) => clauses)
    .find(
      (clause) =>
        ofAdministrators(clause) &&
        clause.actions.includes(Action.Deny) &&
        !isEmpty(intersection(clause.possible, dropped)),
    );
}

function denied(cluster: string, { clause, flows, lost }: Denial): Judgement {
  const [title = "", ...more] = flows.values();
  const others = more.length > 0 ? `, and ${plural(more.length, "other flow")}` : "";
  return violated({
    resource: clause.resource.origin,
    path: clause.path,
    message: `denies packets of a documented flow: ${title}${others}`,
    witness: lost,
    fix: "except these pods from the rule, or let these packets pass by a rule before it: no NetworkPolicy can",
    cluster,
    flow: [...flows.keys()],
  });
}
