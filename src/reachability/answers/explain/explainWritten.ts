import { Direction } from "../../../requirements/vocabulary";
import { append } from "../../../resources/maps";
import type { Resource } from "../../../resources/resource";
import { flowKey } from "../../../flows/model";
import { hostFlows } from "../../../flows";
import { Action, type Clause } from "../../filters/filter";
import { intersection, isEmpty, type PacketSet } from "../../packets";
import { hostExcess, packetsOf, planGuards, type HostExcess } from "../../path";
import type { PlanQuestion } from "../answerPlan";
import { distinctRows, rowsBehind } from "../sentence";
import { comparedPlaces, type ComparedPlace } from "../diff/comparedPlaces";
import { packetLines } from "../packetText";
import { ruleOf } from "../places";
import {
  explainedRow,
  type ExplainedFlow,
  type ExplainedPlace,
  type WrittenExplanation,
} from "./explanation";
import { partsOf } from "./resourceParts";

/**
 * What the rules of a resource of a plan do around a hosted cluster, and who asks for it: those of a group are its own and those
 * that are resources of their own, those of a component are its children's. `path` is one rule of it (`ingress[2]`); absent: all.
 * No place: they stand before nothing of that cluster.
 */
export function explainWritten(
  question: PlanQuestion,
  resource: Resource,
  path?: string,
): WrittenExplanation {
  const parts = partsOf(question.index, resource);
  const all = hostExcess(
    question.topology,
    planGuards(question.index, question.topology, question.configured),
    question.declared,
  ).filter(({ clause }) => clause && parts.has(clause.resource) && !question.isMeant?.(clause));
  const excess: ExcessByRule = new Map();
  for (const one of all) {
    const { resource, path: at } = one.clause!;
    const ofResource = excess.get(resource) ?? new Map<string, HostExcess[]>();
    append(ofResource, at, [one]);
    excess.set(resource, ofResource);
  }
  const found = [...comparedPlaces(question).values()].flatMap((place) =>
    clausesAt(place, parts, path).map((clause) => explainedPlace(question, place, clause, excess)),
  );
  const rows = distinctRows(found.flatMap(({ flows }) => flows.flatMap((flow) => flow.requirements)));
  return { version: 1, places: found, rows: rows.map(explainedRow) };
}

/** What rules let pass and need not, by the resource and the path of each. */
type ExcessByRule = Map<Resource, Map<string, HostExcess[]>>;

const clausesAt = (
  { guards }: ComparedPlace,
  parts: ReadonlySet<Resource>,
  path: string | undefined,
): Clause[] =>
  guards
    .flatMap(({ filters }) => filters.flatMap(({ clauses }) => clauses))
    .filter((clause) => parts.has(clause.resource) && (path === undefined || clause.path === path));

function explainedPlace(
  question: PlanQuestion,
  place: ComparedPlace,
  clause: Clause,
  excess: ExcessByRule,
): ExplainedPlace {
  const { name, direction } = place;
  return {
    rule: ruleOf(clause),
    place: name,
    actions: clause.actions,
    packets: packetLines(clause.possible, direction),
    flows: flowsIn(question, place, clause.possible),
    excess: clause.actions.includes(Action.Allow) ? excessOfClause(excess, place, clause) : [],
  };
}

function flowsIn({ topology }: PlanQuestion, place: ComparedPlace, matched: PacketSet): ExplainedFlow[] {
  const isPart = (packets: PacketSet) => !isEmpty(intersection(matched, packets));
  const own = [...hostFlows(topology).values()].filter(
    ({ role, direction }) => place.name === `${direction} of ${role}`,
  );
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

const excessOfClause = (
  excess: ExcessByRule,
  { name }: ComparedPlace,
  { resource, path }: Clause,
): string[] =>
  (excess.get(resource)?.get(path) ?? [])
    .filter(({ role, direction }) => name === `${direction} of ${role}`)
    .flatMap(({ packets, direction }) => packetLines(packets, direction));
