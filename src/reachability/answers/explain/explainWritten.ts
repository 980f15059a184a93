import { Direction } from "../../../requirements/vocabulary";
import type { Resource } from "../../../resources/resource";
import { flowKey } from "../../../topology/requiredFlow";
import { Action, type Clause } from "../../filters";
import { intersection, isEmpty, type PacketSet } from "../../packets";
import { hostExcess, packetsOf, planGuards } from "../../path";
import type { PlanQuestion } from "../answerPlan";
import { distinctRows, hostFlows, rowsBehind } from "../demands";
import { comparedPlaces, type ComparedPlace } from "../diff/comparedPlaces";
import { packetLines } from "../packetText";
import { ruleOf } from "../written";
import type { ExplainedFlow, ExplainedPlace, WrittenExplanation } from "./explanation";
import { explainedRow } from "./rows";

/**
 * What the rules of a resource of a plan do around a hosted cluster, and who asks for it. `path` is one rule of it (`ingress[2]`);
 * absent: all. No place: they stand before nothing of that cluster.
 */
export function explainWritten(
  question: PlanQuestion,
  resource: Resource,
  path?: string,
): WrittenExplanation {
  const found = [...comparedPlaces(question).values()].flatMap((place) =>
    clausesAt(place, resource, path).map((clause) => explainedPlace(question, place, clause)),
  );
  const rows = distinctRows(found.flatMap(({ flows }) => flows.flatMap((flow) => flow.requirements)));
  return { version: 1, places: found, rows: rows.map(explainedRow) };
}

const clausesAt = ({ guards }: ComparedPlace, resource: Resource, path: string | undefined): Clause[] =>
  guards
    .flatMap(({ filters }) => filters.flatMap(({ clauses }) => clauses))
    .filter((clause) => clause.resource === resource && (path === undefined || clause.path === path));

function explainedPlace(question: PlanQuestion, place: ComparedPlace, clause: Clause): ExplainedPlace {
  const { name, direction } = place;
  return {
    rule: ruleOf(clause),
    place: name,
    actions: clause.actions,
    packets: packetLines(clause.possible, direction),
    flows: flowsIn(question, place, clause.possible),
    excess: clause.actions.includes(Action.Allow) ? excessOfClause(question, place, clause) : [],
  };
}

function flowsIn({ topology }: PlanQuestion, place: ComparedPlace, matched: PacketSet): ExplainedFlow[] {
  const isPart = (packets: PacketSet) => !isEmpty(intersection(matched, packets));
  const own = hostFlows(topology).filter(({ role, direction }) => place.name === `${direction} of ${role}`);
  const atHosts = own.flatMap((flow): ExplainedFlow[] => {
    const ends =
      flow.direction === Direction.Ingress ? { sources: flow.peers } : { destinations: flow.peers };
    if (!isPart(packetsOf({ sources: [], destinations: [], ...flow, ...ends }))) return [];
    const { purpose, requirement, peers } = flow;
    const sure = peers.every(({ prefixes }) => prefixes);
    return [{ key: flowKey(flow), purpose, place: place.name, requirements: [requirement], sure }];
  });
  const atPods = place.flows.flatMap(({ journey, hop }): ExplainedFlow[] => {
    if (hop.kind !== "pods" || !isPart(packetsOf(hop))) return [];
    const rows = rowsBehind(topology, journey, hop).map(({ id }) => id);
    const sure = hop.sources.every(({ prefixes }) => prefixes);
    return [{ key: journey.key, purpose: journey.title, place: place.name, requirements: rows, sure }];
  });
  return [...atHosts, ...atPods];
}

function excessOfClause(question: PlanQuestion, place: ComparedPlace, clause: Clause): string[] {
  const { index, topology, configured, declared } = question;
  const { resource, path } = clause;
  return hostExcess(topology, planGuards(index, topology, configured), declared)
    .filter(
      (one) =>
        one.clause?.resource === resource &&
        one.clause.path === path &&
        place.name === `${one.direction} of ${one.role}`,
    )
    .flatMap(({ packets, direction }) => packetLines(packets, direction));
}
