import { Service } from "../../../requirements/vocabulary";
import { append, onceIn } from "../../../collections";
import type { Resource, UnknownValue } from "../../../resources/resource";
import { type FlowPeer, namedEnds, seenAtHosts } from "../../../flows/model";
import { hostFlows } from "../../../flows/hops";
import { Action, type Clause } from "../../filters/filter";
import { decisions } from "../../filters/decide";
import { EVERY_PACKET, intersection, isEmpty, type PacketSet, unionAll } from "../../packets/packetSet";
import { mayBeAnybody } from "../../flows/groupFilter";
import { entranceRules, rulesInDoubt, tooManyKinds } from "../../isolation/excess";
import { hostExcess, type HostExcess } from "../../path/excess";
import { packetsOf } from "../../path/duty";
import { planGuards } from "../../path/planGuards";
import { type PlanQuestion, type PodExcess, podExcess } from "../answerPlan";
import { distinctRows, rowsBehind } from "../describeAnswer";
import { unknownAnswers } from "../flowAnswer";
import { type ComparedPlace, comparedPlaces } from "../diff/comparedPlaces";
import { hostPlace, identityOf, packetLines, ruleOf, writtenAt } from "../places";
import {
  explainedFlow,
  type ExplainedFlow,
  type ExplainedPlace,
  explainedRow,
  type WrittenExplanation,
  type PacketExplanation,
  type RuleExplanation,
} from "./explanation";
import { readText, readValue } from "../../../resources/read";
import { networkAcls } from "../../../resources/networkAcls";
import type { ResourceIndex } from "../../../resources/resourceIndex";
import { securityGroups } from "../../../resources/securityGroups";
import { serviceKey } from "../../../requirements/publishedServices";
import { PORT } from "../../../requirements/ports";
import type { Requirement } from "../../../requirements/requirement";
import { requirements } from "../../../requirements/requirements";
import type { NormalizedTopology } from "../../../topology/normalizedTopology";
import { narrowestFirst, notYetKnown } from "./explainPacket";
import { describeReference, type DocumentReference } from "../../../requirements/documents";

/**
 * What the rules of a resource do around a hosted cluster, and which requirements need them. Rules of a group may be resources of
 * their own; the rules of a component are those of its children. `path` selects one rule (`ingress[2]`); default: all. No places:
 * none of the rules is on the path of documented flows of that cluster.
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
    question.fleet,
  ).filter(({ clause }) => clause && parts.has(clause.resource) && !question.isMeant?.(clause));
  const excess: ExcessByRule = new Map();
  for (const one of all) {
    const { resource, path: at } = one.clause!;
    const ofResource = onceIn(excess, resource, () => new Map<string, HostExcess[]>());
    append(ofResource, at, [one]);
  }
  const places = [...comparedPlaces(question).values()];
  const explained = (clausesOf: (place: ComparedPlace) => readonly Clause[]) =>
    places.flatMap((place) => {
      const forOthers = clausesForOthers(place);
      return clausesOf(place).map((clause) => explainedPlace(question, place, clause, excess, forOthers));
    });
  const isMeant: IsMeant = (rule) => parts.has(rule.resource) && (path === undefined || rule.path === path);
  const ruled = explained(({ guards }) =>
    guards.flatMap(({ filters }) => filters.flatMap(({ clauses }) => clauses.filter(isMeant))),
  );
  const pods = excessAtPods(question, parts);
  const opened = openedByPolicies(pods, isMeant);
  const known =
    ruled.length + opened.length > 0 || path !== undefined
      ? [...ruled, ...opened]
      : explained((place) => withoutRules(place, parts));
  const found = [...known, ...undecidedPolicies(pods, question, parts, path, ruled)];
  const rows = distinctRows(found.flatMap(({ flows }) => flows.flatMap((flow) => flow.requirements)));
  return { version: 1, places: found, rows: rows.map(explainedRow) };
}

/** Whether a rule is among those to explain. */
type IsMeant = (rule: Pick<Clause, "resource" | "path">) => boolean;

/** What the policies of the namespace open, if a part is one of them. */
const excessAtPods = ({ isolation, topology }: PlanQuestion, parts: ReadonlySet<Resource>): PodExcess[] =>
  isolation && [...isolation.policies, ...isolation.admin].some((policy) => parts.has(policy))
    ? podExcess(isolation, topology.controlPlaneNamespace)
    : [];

/** What policies let into pods although no document requires it, with one example for each rule. */
const openedByPolicies = (pods: readonly PodExcess[], isMeant: IsMeant): ExplainedPlace[] =>
  pods
    .flatMap(({ found }) => found)
    .flatMap(({ clause, place: { place, packets } }) => {
      if (!clause || !isMeant(clause)) return [];
      const { actions } = clause;
      return { ...NOTHING, rule: ruleOf(clause), place, actions, packets, excess: packets };
    });

/** What may let more into pods than is certain: rules with unknown values, if no place shows them already, or too many kinds of pods. */
function undecidedPolicies(
  pods: readonly PodExcess[],
  { topology }: PlanQuestion,
  parts: ReadonlySet<Resource>,
  path: string | undefined,
  ruled: readonly ExplainedPlace[],
): ExplainedPlace[] {
  const shown = new Set(ruled.flatMap(({ rule, unknown }) => (unknown.length > 0 ? [identityOf(rule)] : [])));
  return pods.flatMap(({ policies, isTooMany }) => {
    const own = policies.filter((policy) => parts.has(policy) && entranceRules(policy).length > 0);
    const tooMany = isTooMany && own.length > 0 && path === undefined ? [tooManyKinds(own)] : [];
    const rules = own
      .flatMap((policy) => rulesInDoubt(policy, topology))
      .map((rule) => undecidedPlace(rule.policy, rule.path, rule.unknown))
      .filter(({ rule }) => (path === undefined || rule.path === path) && !shown.has(identityOf(rule)));
    return [...tooMany.map((value) => undecidedPlace(value.resource, value.path, [value])), ...rules];
  });
}

const undecidedPlace = (
  policy: Resource,
  path: string,
  unknown: readonly UnknownValue[],
): ExplainedPlace => ({
  ...NOTHING,
  rule: { ...writtenAt(policy), path },
  place: "pods",
  unknown: unknownAnswers(unknown),
});

const NOTHING = { actions: [], packets: [], unknown: [], flows: [], excess: [] };

/** What rules allow without need, by the resource and path of each rule. */
type ExcessByRule = Map<Resource, Map<string, HostExcess[]>>;

/** A policy without rules denies what no other policy allows. */
const withoutRules = ({ guards }: ComparedPlace, parts: ReadonlySet<Resource>): Clause[] =>
  guards.flatMap(({ filters }) => {
    const here = filters.flatMap(({ isolating = [] }) => isolating).filter((resource) => parts.has(resource));
    if (here.length === 0) return [];
    const dropped = unionAll(
      decisions(filters, EVERY_PACKET).flatMap(({ clause, action, packets }) =>
        clause === undefined && action === Action.Deny ? [packets] : [],
      ),
    );
    const denies = { path: "", actions: [Action.Deny], sure: dropped, possible: dropped, unknown: [] };
    return isEmpty(dropped) ? [] : here.map((resource) => ({ resource, ...denies }));
  });

function explainedPlace(
  question: PlanQuestion,
  place: ComparedPlace,
  clause: Clause,
  excess: ExcessByRule,
  forOthers: ReturnType<typeof clausesForOthers>,
): ExplainedPlace {
  const { name, direction } = place;
  const isAllow = clause.actions.includes(Action.Allow);
  const opened = isAllow ? (excess.get(clause.resource)?.get(clause.path) ?? []) : [];
  const found = opened.filter((one) => name === hostPlace(one));
  // Only flows that anybody's hosts may have can need a rule for hosts of other clusters.
  const isAsked = forOthers.get(clause.resource)?.has(clause.path) ? mayBeAnybody : () => true;
  return {
    rule: ruleOf(clause),
    place: name,
    actions: clause.actions,
    packets: packetLines(clause.possible, direction),
    unknown: unknownAnswers(clause.unknown),
    flows: flowsIn(question, place, clause.possible, isAsked),
    excess: found.flatMap(({ packets, peers }) => packetLines(packets, direction, peers)),
  };
}

/** The rules at a place that name only hosts of other hosted clusters, by resource and path. */
function clausesForOthers({ guards }: ComparedPlace): ReadonlyMap<Resource, ReadonlySet<string>> {
  const found = new Map<Resource, Set<string>>();
  for (const { openToOthers } of guards)
    for (const { clause, areAll } of openToOthers?.() ?? [])
      if (areAll) onceIn(found, clause.resource, () => new Set<string>()).add(clause.path);
  return found;
}

function flowsIn(
  { topology }: PlanQuestion,
  place: ComparedPlace,
  matched: PacketSet,
  isAsked: (peers: readonly FlowPeer[]) => boolean,
): ExplainedFlow[] {
  const isPart = (packets: PacketSet) => !isEmpty(intersection(matched, packets));
  const own = [...hostFlows(topology).values()].filter(
    (flow) => place.name === hostPlace(flow) && isAsked(flow.peers),
  );
  const atHosts = own.filter((flow) => isPart(packetsOf(seenAtHosts(flow, flow.peers)))).map(explainedFlow);
  const elsewhere = place.flows.flatMap(({ journey, hop }): ExplainedFlow[] => {
    if (hop.kind === "hosts" || !isPart(packetsOf(hop))) return [];
    const rows = rowsBehind(topology, journey, hop).map(({ id }) => id);
    const sure = namedEnds(place.direction, hop).every(({ prefixes }) => prefixes);
    return [{ key: journey.key, purpose: journey.title, place: place.name, requirements: rows, sure }];
  });
  return [...atHosts, ...elsewhere];
}

/** The resources that a word may mean: URN, name in the program, name in AWS, value of the tag `Name`. */
export function resourcesNamed({ resources }: ResourceIndex, word: string): Resource[] {
  const found = resources.filter((resource) => namesOf(resource).includes(word));
  const urns = new Set(found.map(({ origin }) => origin.urn));
  // A component and one of its parts often share a name: the part is explained with the component.
  return found.filter(({ parent }) => parent === undefined || !urns.has(parent));
}

/** Every name by which a user may refer to a resource. */
export function namesOf({ name, origin, properties, readBy = [] }: Resource): string[] {
  const tag = readValue(properties, "tags.Name");
  const texts = [name, origin.urn, readText(properties, "name"), tag];
  const here = texts.filter((text): text is string => typeof text === "string" && text !== "");
  return [...new Set([...here, ...readBy.flatMap(namesOf)])];
}

/** A resource, its descendants, and the rules of groups and ACLs among them that are resources of their own. */
export function partsOf(index: ResourceIndex, whole: Resource): ReadonlySet<Resource> {
  const parts = new Set([whole]);
  const urns = new Set([whole.origin.urn]);
  // Not every plan lists parents before their children: repeats until it finds no more.
  for (let before = 0; before < parts.size;) {
    before = parts.size;
    for (const resource of index.resources) {
      if (resource.parent === undefined || !urns.has(resource.parent)) continue;
      parts.add(resource);
      urns.add(resource.origin.urn);
    }
  }
  const filters = [...securityGroups(index).groups, ...networkAcls(index).acls];
  for (const { resource, rules } of filters)
    if (resource && parts.has(resource)) for (const rule of rules) parts.add(rule.resource);
  return parts;
}

/** Turns `kubeApiserver` into `kube-apiserver`. */
const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Ports by the name of their service, if only one service uses the port. */
const OWN_PORT: ReadonlyMap<string, number> = new Map(
  Object.entries(PORT)
    .filter(([, number], _, all) => all.filter(([, other]) => other === number).length === 1)
    .map(([name, number]) => [kebab(name), number]),
);
const PUBLISHED: ReadonlyMap<string, Service> = new Map(
  Object.values(Service).flatMap((service) => [
    [service.toLowerCase(), service],
    [serviceKey[service], service],
  ]),
);

/** The names of the components that listen or are called, as a row states them. */
const componentsOf = ({ component }: Requirement): string[] => component.toLowerCase().split(", ");

/** Every service name that `explainService` accepts: components that listen, published services, purposes of ports. */
export const serviceNames: readonly string[] = [
  ...new Set([...requirements.flatMap(componentsOf), ...PUBLISHED.keys(), ...OWN_PORT.keys()]),
].filter((name) => /^[a-z][a-z0-9-]+$/.test(name));

const names: ReadonlySet<string> = new Set(serviceNames);

/** Whether a word is the name of a service, in any capitalisation. */
export const isServiceName = (word: string): boolean => names.has(word.toLowerCase());

/** Lists the requirements that concern a service and, with a topology, the flows of that cluster that they require. */
export function explainService(word: string, topology?: NormalizedTopology): PacketExplanation {
  const name = word.toLowerCase();
  const all = topology ? [...hostFlows(topology).values()] : [];
  const asked = new Set(all.map(({ requirement }) => requirement));
  // Nodes need some ports on every platform, whatever platforms their row states.
  const isHere = ({ id, platforms }: Requirement) =>
    !topology || platforms.includes(topology.platform) || asked.has(id);
  const about = requirements.filter(isHere);
  const own = about.filter((row) => isOf(row, name));
  const others = about.filter((row) => !own.includes(row) && isNamedIn(row, name));
  const rows = [...narrowestFirst(own), ...narrowestFirst(others)];
  const ids = new Set(rows.map(({ id }) => id));
  const flows = all.filter(({ requirement }) => ids.has(requirement));
  return {
    version: 1,
    asked: name,
    rows: rows.map(explainedRow),
    flows: flows.map(explainedFlow),
    notes: notYetKnown(topology),
  };
}

/** Whether a row is about the service itself. */
function isOf(row: Requirement, name: string): boolean {
  const number = OWN_PORT.get(name);
  const isAtPort = number !== undefined && row.ports?.from === number && row.ports.to === number;
  const published = PUBLISHED.get(name);
  return (
    isAtPort || (published !== undefined && row.service === published) || componentsOf(row).includes(name)
  );
}

/** Whether the purpose of a row names the service, for example as the caller. */
const isNamedIn = ({ purpose }: Requirement, name: string): boolean =>
  new RegExp(`(?<![\\w-])${name}s?(?![\\w-])`, "i").test(purpose);

/** The texts of a rule of the policy pack. */
export interface ExplainableRule {
  /** `port-missing` */
  id: string;
  title: string;
  description: string;
  details?: readonly string[];
  remediation: string;
  documents: readonly DocumentReference[];
  rows?: (row: Requirement) => boolean;
}

/** What a rule of the policy pack requires, where that is documented, and the requirement rows behind it. */
export function explainRule(rule: ExplainableRule): RuleExplanation {
  const { id, title, description, details = [], remediation, documents, rows } = rule;
  const references = new Set(documents.map(describeReference));
  const sharesHeading = (row: Requirement) =>
    row.documents.some((reference) => references.has(describeReference(reference)));
  return {
    version: 1,
    rule: id,
    title,
    description,
    details,
    remediation,
    documents: [...references],
    rows: requirements.filter(rows ?? sharesHeading).map(explainedRow),
  };
}
