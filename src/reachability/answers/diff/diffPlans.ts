import { grouped, onceForBoth, onceForEach, onceIn } from "../../../collections";
import { firstOf } from "../../../text";
import { PacketIndex } from "../../packets/packetIndex";
import {
  difference,
  intersection,
  isEmpty,
  NO_PACKETS,
  type PacketSet,
  union,
  unionAll,
} from "../../packets/packetSet";
import type { PacketBounds } from "../../filters/decide";
import { judgedJourneys, type JudgedJourney } from "../../path/judge";
import { firewallRulesAt, hyperShiftResources } from "../../path/guards";
import { administratorsOf, isCertainlyOf, planGuards, policiesOf } from "../../path/planGuards";
import { keyOfPlace, managementOf, placesOf } from "../../../resources/managementCluster";
import { keyOfObject, placeOf, textOfSpec } from "../../../resources/oneObject";
import { ResourceIndex } from "../../../resources/resourceIndex";
import {
  isAdministratorsPolicy,
  isAdminNetworkPolicy,
  isAnyNetworkPolicy,
  isEgressFirewall,
} from "../../../resources/resourceTypes";
import { surroundingsOf } from "../../../flows/surroundings";
import { refusalOf, rulesOfFirewall } from "../../filters/egressFirewall";
import { outOfForce } from "../../../objects/networkPolicy/shapes";
import {
  beyondOthers,
  doubtsAboutNamespace,
  entranceRules,
  excessText,
  ingressExcess,
  namesOneSender,
  type PolicyExcess,
  tooManyKinds,
} from "../../isolation/excess";
import { Direction } from "../../../requirements/vocabulary";
import { valueAt } from "../../../resources/read";
import type { Resource, UnknownValue } from "../../../resources/resource";
import type { PlanQuestion } from "../answerPlan";
import type { UnknownAnswer } from "../answer";
import { unknownAnswers } from "../flowAnswer";
import { packetLines, packetsInWords } from "../places";
import { comparedPlaces, type ComparedPlace, comparesEntrance } from "./comparedPlaces";
import {
  byService,
  ChangeKind,
  type FlowChange,
  type OfService,
  type PacketChange,
  type PlanDiff,
  splitByPrincipals,
} from "./diff";
import { type Passing, passingBoth } from "./passing";

/** One of the two plans of a hosted cluster. */
export type PlanSide = Omit<PlanQuestion, "declared">;

/** What passes a place in only one plan. */
export interface PlaceChange {
  /** Packets that may pass now and certainly did not before. */
  opened: PacketSet;
  /** Packets that may be dropped now and certainly passed before. */
  closed: PacketSet;
  /** The place as in the new plan, or in the old plan if only that has it. */
  place: ComparedPlace;
  before: Passing;
  after: Passing;
  /** The part of `opened` and of `closed` that depends on peers of which rules state only the names. */
  named: { opened: NamedPart; closed: NamedPart };
  /** The plan that shows no filter at the place. */
  missingIn?: "old" | "new";
}

/** Packets of peers that are only named. */
interface NamedPart {
  packets: PacketSet;
  /** Those of each peer, and perhaps more. */
  peers: ReadonlyMap<string, PacketSet>;
}

/** What a change opens (may pass now and certainly did not) and closes (certainly passed and may not now). */
export function diffPlans(old: PlanSide, now: PlanSide): PlanDiff {
  const [before, after] = inForce(old, now);
  const [was, is] = [withIndex(old, before), withIndex(now, after)];
  const places = placeChanges(was, is);
  const entering = changedEntrances(ChangeKind.NewPrincipal, is, was);
  const shut = changedEntrances(ChangeKind.Closed, was, is);
  const changes = [...places.flatMap(changesAt), ...entering.changes, ...shut.changes];
  const [added, removed] = [refusedBeyond(now, old), refusedBeyond(old, now)];
  const opening = new Set(
    unknownAnswers([...entering.opening, ...added.filter(({ mayOpen }) => mayOpen).flatMap(valuesOf)]).map(
      identityOfUnknown,
    ),
  );
  const unknown = unknownAnswers([
    ...places.flatMap(undecided),
    ...entering.unknown,
    ...shut.unknown,
    ...[...added, ...removed].flatMap(valuesOf),
  ]);
  const order = Object.values(ChangeKind);
  return {
    version: 1,
    cluster: `${now.topology.namespace}/${now.topology.name}`,
    flows: flowChanges(judged(old), judged(now)),
    changes: changes.sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind)),
    unknown: unknown.map((one) => (opening.has(identityOfUnknown(one)) ? { ...one, opens: true } : one)),
    oneSided: places.flatMap(({ place: { name }, missingIn }) =>
      missingIn === undefined ? [] : [{ place: name, missingIn }],
    ),
  };
}

const withIndex = (side: PlanSide, index: ResourceIndex): PlanSide =>
  index === side.index ? side : { ...side, index };

/** Both plans with what is in force around a cluster, see `standingIn`. Plans in which releases refuse the same are read once. */
function inForce(old: PlanSide, now: PlanSide): Indexes {
  const [then, later] = [tooNew(old), tooNew(now)];
  const key = [then, later].map((keys) => [...keys].join()).join("\n");
  return onceIn(standing(old.index, now.index), key, () =>
    standingIn(old.index, now.index, isOutOfForce(then), isOutOfForce(later)),
  );
}

type Indexes = readonly [ResourceIndex, ResourceIndex];

const standing = onceForBoth((_: ResourceIndex, __: ResourceIndex) => new Map<string, Indexes>());

/** Keys of the egress firewalls of a hosted cluster that only its release refuses. Usually empty. */
const tooNew = ({ index, topology, configured }: PlanSide): ReadonlySet<string> =>
  new Set(
    surroundingsOf(index, topology, configured).namespaces.flatMap((one) =>
      refusalOf(firewallRulesAt(one, topology)) && !refusalOf(rulesOfFirewall(one.firewall))
        ? (keyOfObject(one.firewall) ?? [])
        : [],
    ),
  );

/**
 * Both plans with the policies that are in force: not those that the API server refuses or that are not applied. If only the new plan's
 * version of a policy or an egress firewall is such a one, the old plan's stays in force.
 */
function standingIn(
  old: ResourceIndex,
  now: ResourceIndex,
  wasOut: (object: Resource) => boolean,
  isOut: (object: Resource) => boolean,
): Indexes {
  const [was, is] = [old.ofKind(hasForce), now.ofKind(hasForce)];
  const before = was.filter(outOfForce);
  const then = before.length > 0 ? indexWithout(old, before) : old;
  if (!is.some(isOut)) return [then, now];
  const keyOf = keysAmong(was, is);
  const there = new Set(is.filter((object) => !isOut(object)).map(keyOf));
  const isReplaced = (key: string | undefined) => key !== undefined && !there.has(key);
  const replaced = new Set(is.filter(isOut).map(keyOf).filter(isReplaced));
  const kept = was.filter((object) => !wasOut(object) && replaced.has(keyOf(object)));
  const keptKeys = new Set(kept.map(keyOf));
  // Without an earlier version, it is not known what stands in place of a firewall that is refused.
  const gone = is.filter(
    (object) => isOut(object) && (!isEgressFirewall(object.type) || keptKeys.has(keyOf(object))),
  );
  return [then, gone.length > 0 ? indexWithout(now, gone, kept) : now];
}

const hasForce = (type: string): boolean => isAnyNetworkPolicy(type) || isEgressFirewall(type);

/** @param tooNewKeys those of the egress firewalls that the release refuses */
const isOutOfForce =
  (tooNewKeys: ReadonlySet<string>) =>
  (object: Resource): boolean =>
    isEgressFirewall(object.type)
      ? tooNewKeys.has(keyOfObject(object) ?? "") || refusalOf(rulesOfFirewall(object)) !== undefined
      : outOfForce(object) !== undefined;

/** Keys that are equal for one object in two plans. Clusters are told apart by servers and providers that both plans have. */
function keysAmong(...sides: readonly [readonly Resource[], readonly Resource[]]) {
  const [old, now] = sides.map(placesOf);
  return (object: Resource): string | undefined => {
    const [place, key] = [managementOf(object), keyOfObject(object)];
    if (key === undefined || !place || place.by === "folder") return key;
    const at = keyOfPlace(place);
    return old!.has(at) && now!.has(at) ? `${at} ${key}` : key;
  };
}

/** The policies and egress firewalls of one side that are not in force, and that the other side does not have. */
const refusedBeyond = (having: PlanSide, without: PlanSide) =>
  beyondOthers(refusedPolicies(having), refusedPolicies(without));

const refusedPolicies = (side: PlanSide): DoubtfulPolicy[] => [
  ...[...policiesOf(side.index, side.topology), ...administratorsAt(side)].flatMap((policy) =>
    doubtfulBecause(policy, outOfForce(policy), entranceRules(policy).length > 0),
  ),
  ...surroundingsOf(side.index, side.topology, side.configured).namespaces.flatMap((one) =>
    doubtfulBecause(one.firewall, refusalOf(firewallRulesAt(one, side.topology)), false),
  ),
];

const doubtfulBecause = (
  policy: Resource,
  fault: Omit<UnknownValue, "resource"> | undefined,
  mayOpen: boolean,
): DoubtfulPolicy[] =>
  fault ? [{ policy, text: textOfSpec(policy), unknown: [{ resource: policy, ...fault }], mayOpen }] : [];

/** A policy that may not apply, and the values that decide. */
interface DoubtfulPolicy {
  policy: Resource;
  text: string;
  unknown: readonly UnknownValue[];
  mayOpen: boolean;
}

const valuesOf = ({ unknown }: Pick<DoubtfulPolicy, "unknown">) => unknown;

const identityOfUnknown = (one: UnknownAnswer): string => JSON.stringify(one);

/**
 * What opens and closes at every place of two plans, as sets of packets. Policies whose namespace is not known may close something, and
 * open nothing for certain.
 */
export function placeChanges(old: PlanSide, now: PlanSide): PlaceChange[] {
  const [was, is] = [certainPart(old), certainPart(now)];
  const certain = changesBetween(was, is);
  if (was === old && is === now) return [...certain.values()];
  const all = changesBetween(old, now);
  return [...certain].map(([key, change]) => {
    const { closed, named } = all.get(key) ?? change;
    return { ...change, closed, named: { opened: change.named.opened, closed: named.closed } };
  });
}

/** What changes at every place, by its key: a namespace of each cluster may have the same name. */
function changesBetween(old: PlanSide, now: PlanSide): Map<string, PlaceChange> {
  const [oldPlaces, newPlaces] = [comparedPlaces(old, true), comparedPlaces(now, true)];
  const keys = new Set([...newPlaces.keys(), ...oldPlaces.keys()]);
  const changeAt = (key: string): PlaceChange => {
    const [was, is] = [oldPlaces.get(key), newPlaces.get(key)];
    const place = (is ?? was)!;
    const [before, after] = passingBoth(was, is, place.isOpen);
    const named = {
      opened: namedPart(before, after, "possible"),
      closed: namedPart(after, before, "sure"),
    };
    const missingIn = place.isOpen ? undefined : sideWithout(was, is);
    return {
      place,
      before,
      after,
      named,
      opened: unionAll([named.opened.packets, ...beyondIn(allOf(after), allOf(before), "possible")]),
      closed: unionAll([named.closed.packets, ...beyondIn(allOf(before), allOf(after), "sure")]),
      ...(missingIn && { missingIn }),
    };
  };
  return new Map(Array.from(keys, (key) => [key, changeAt(key)]));
}

/** What passes in each case of what names stand for, except those with peers that only one side names. */
const casesOf = ({ cases, ofNames }: Passing): PacketBounds[] => [
  ...cases,
  ...ofNames.flatMap(({ bounds, peers }) => (peers.length === 0 ? [bounds] : [])),
];

/** What passes with the rules as they are written, and in each of these cases. */
const allOf = (side: Passing): PacketBounds[] => [side.whole, ...casesOf(side)];

/** What one side has in each case that the other has not. */
function beyondIn(
  one: readonly PacketBounds[],
  other: readonly PacketBounds[],
  what: keyof PacketBounds,
): PacketSet[] {
  const pairs = one.map((bounds, at) => [bounds, other[at]!] as const);
  return pairs
    .filter(([here, there], at) => pairs.findIndex((pair) => pair[0] === here && pair[1] === there) === at)
    .map(([here, there]) => difference(here[what], there[what]));
}

/**
 * What may pass on one side, and may not on the other, because rules name other peers there, or the same peers for other packets.
 *
 * @param what what passes without names: `possible` if it opens, and `sure` if it closes, because an unknown value does not keep it open
 */
function namedPart(without: Passing, having: Passing, what: keyof PacketBounds): NamedPart {
  const allowed = beyond(having.named, without.named, "allowed");
  const denied = beyond(without.named, having.named, "denied");
  if (allowed.size + denied.size === 0) return NO_PART;
  const [unnamed] = without.cases;
  const entering = difference(unionAll([...allowed.values()]), union(unnamed[what], having.cases[0][what]));
  const unblocked = difference(
    intersection(unionAll([...denied.values()]), unnamed.possible),
    without.whole.sure,
  );
  const together = ofSeveral(without, having, what);
  const packets = unionAll([
    intersection(union(entering, unblocked), having.whole.possible),
    ...together.map(([, set]) => set),
  ]);
  if (isEmpty(packets)) return NO_PART;
  const peers = new Map(allowed);
  for (const [peer, set] of [...denied, ...together])
    peers.set(peer, union(set, peers.get(peer) ?? NO_PACKETS));
  return { packets, peers };
}

/** What passes on one side only if the addresses of a peer that only one side names are also those of another name. */
function ofSeveral(without: Passing, having: Passing, what: keyof PacketBounds): [string, PacketSet][] {
  const several = having.ofNames.flatMap(({ bounds, peers }, at) => {
    if (peers.length === 0) return [];
    return [{ peers, packets: difference(bounds[what], without.ofNames[at]!.bounds[what]) }];
  });
  if (several.every(({ packets }) => isEmpty(packets))) return [];
  const plain = unionAll(beyondIn(casesOf(having), casesOf(without), what));
  return several.flatMap(({ peers, packets }) => {
    const left = difference(packets, plain);
    return peers.map((peer): [string, PacketSet] => {
      const { allowed, denied } = (having.named.get(peer) ?? without.named.get(peer))!;
      return [peer, intersection(left, union(allowed, denied))];
    });
  });
}

const NO_PART: NamedPart = { packets: NO_PACKETS, peers: new Map() };

/** What the rules of one side have for each peer that those of the other side do not have for it. */
function beyond(
  one: Passing["named"],
  other: Passing["named"],
  what: "allowed" | "denied",
): Map<string, PacketSet> {
  const found = new Map<string, PacketSet>();
  for (const [peer, { [what]: here }] of one) {
    const there = other.get(peer)?.[what];
    const more = there ? difference(here, there) : here;
    if (!isEmpty(more)) found.set(peer, more);
  }
  return found;
}

/** The values that decide whether more opens or closes: of the peers that are only named, those of whom something changes. */
function undecided({ before, after, named }: PlaceChange): UnknownValue[] {
  const changed = new Set([...named.opened.peers.keys(), ...named.closed.peers.keys()]);
  return [before, after].flatMap((side) => [
    ...side.values,
    ...[...side.named].flatMap(([peer, { values }]) => (changed.has(peer) ? values : [])),
  ]);
}

function sideWithout(was: ComparedPlace | undefined, is: ComparedPlace | undefined) {
  const [old, now] = [was, is].map((place) => (place?.guards.length ?? 0) > 0);
  return old === now ? undefined : old ? "new" : "old";
}

function changesAt({ place, before, opened, closed, named }: PlaceChange): PacketChange[] {
  const { name, direction } = place;
  const change = (
    kind: ChangeKind,
    { services, packets: set }: Pick<OfService, "services" | "packets">,
    peers?: readonly string[],
  ): PacketChange[] => {
    if (isEmpty(set) || peers?.length === 0) return [];
    const { packets: lines, blocks } = packetsInWords(set, direction);
    const packets = peers ? packetLines(set, direction, firstOf(peers)) : lines;
    return [{ kind, place: name, direction, services, ...(peers && { peers }), packets, blocks }];
  };
  const parts = (set: PacketSet, { packets }: NamedPart) =>
    byService(difference(set, packets), flowsOf(place));
  const reached = (peer: string, { asked }: OfService) =>
    !isEmpty(intersection(before.named.get(peer)?.allowed ?? NO_PACKETS, asked));
  return [
    ...parts(opened, named.opened).flatMap((part) => {
      const { fresh, widened } = splitByPrincipals(part, before.cases[0].possible, direction);
      return [
        ...change(ChangeKind.NewPrincipal, { ...part, packets: fresh }),
        ...change(ChangeKind.Widened, { ...part, packets: widened }),
      ];
    }),
    ...ofPeers(named.opened, place).flatMap(({ part, peers }) => {
      const known = peers.filter((peer) => reached(peer, part));
      const fresh = peers.filter((peer) => !reached(peer, part));
      return [...change(ChangeKind.NewPrincipal, part, fresh), ...change(ChangeKind.Widened, part, known)];
    }),
    ...parts(closed, named.closed).flatMap((part) => change(ChangeKind.Closed, part)),
    ...ofPeers(named.closed, place).flatMap(({ part, peers }) => change(ChangeKind.Closed, part, peers)),
  ];
}

const flowsOf = ({ flows, isWhole }: ComparedPlace): ComparedPlace["flows"] => (isWhole ? [] : flows);

/** Packets of peers that are only named, by service, and the peers that have the same of it. */
function ofPeers({ packets, peers }: NamedPart, place: ComparedPlace) {
  if (isEmpty(packets)) return [];
  const index = new PacketIndex();
  const all = [...peers];
  all.forEach(([, set], position) => index.add(set, position));
  return byService(packets, flowsOf(place)).flatMap((part) => {
    const having = index.meeting(part.packets).flatMap((position) => {
      const [peer, set] = all[position]!;
      const here = intersection(set, part.packets);
      return isEmpty(here) ? [] : [{ peer, part: { ...part, packets: here } }];
    });
    return [...grouped(having, (one) => packetLines(one.part.packets, place.direction).join()).values()].map(
      (some) => ({ part: some[0].part, peers: some.map(({ peer }) => peer) }),
    );
  });
}

/**
 * What policies of one side let into pods that those of the other side, and those of HyperShift, do not: one example for each rule.
 * Unknown values and named ports of rules that the other side does not have decide whether there is more.
 */
function changedEntrances(kind: ChangeKind, having: PlanSide, without: PlanSide) {
  const [all, others] = [having, without].map(({ index, topology }) =>
    policiesOf(index, topology).filter((policy) => isCertainlyOf(policy, topology)),
  ) as [Resource[], Resource[]];
  const rules = beyondOthers(
    [...all, ...administratorsAt(having)].flatMap(entranceRules),
    [...others, ...administratorsAt(without)].flatMap(entranceRules),
  );
  const doubtful = beyondOthers(doubtfulPolicies(having), doubtfulPolicies(without));
  const unknown = [...rules, ...doubtful].flatMap(valuesOf);
  const opening = [...rules, ...doubtful.filter(({ mayOpen }) => mayOpen)].flatMap(valuesOf);
  const first = administratorsAt(having, isAdminNetworkPolicy);
  const last = administratorsAt(without, isAdminNetworkPolicy);
  const { topology } = having;
  const own = hyperShiftResources(topology);
  // Administrators' policies decide first: if one of them changes, any policy may let in what it did not before.
  const given = isSameSpecs(first, last) ? beyondSpecs(all, others) : [...all, ...own, ...first];
  if (given.length === 0) return { changes: [], unknown, opening };
  const isCompared = comparesEntrance(having);
  const found = ingressExcess(
    [...new Set([...given, ...first])],
    [...others, ...own, ...last],
    topology.controlPlaneNamespace,
    {
      counts: (pod, from) => !isCompared(pod, from),
      isPossibleWanted: kind === ChangeKind.NewPrincipal,
    },
  );
  if (!found) {
    const tooMany = tooManyKinds(given);
    return { changes: [], unknown: [tooMany, ...unknown], opening: [tooMany, ...opening] };
  }
  const changes = new Map(
    found.map((one) => {
      const change = entranceChange(kind, one);
      return [[change.place, ...change.packets].join(), change];
    }),
  );
  return { changes: [...changes.values()], unknown, opening };
}

/** The policies of administrators that may concern the cluster. */
const administratorsAt = (
  { index, topology }: PlanSide,
  isOfKind = isAdministratorsPolicy,
): readonly Resource[] =>
  index.ofKind(isAdministratorsPolicy).length === 0 ? [] : administratorsOf(index, topology, isOfKind);

/** The policies whose spec none of the others has. */
function beyondSpecs(policies: readonly Resource[], others: readonly Resource[]): Resource[] {
  const known = new Set(others.map(textOfSpec));
  return policies.filter((policy) => !known.has(textOfSpec(policy)));
}

const isSameSpecs = (some: readonly Resource[], others: readonly Resource[]): boolean =>
  beyondSpecs(some, others).length + beyondSpecs(others, some).length === 0;

/** The policies of a side whose namespace is not known, and the values that decide what they open. */
const doubtfulPolicies = ({ index, topology }: PlanSide): DoubtfulPolicy[] =>
  policiesOf(index, topology).flatMap((policy) => {
    const doubts = doubtsAboutNamespace(policy, topology);
    const rules = entranceRules(policy);
    const unknown = [...doubts, ...rules.flatMap((rule) => rule.unknown)];
    const mayOpen = rules.length > 0;
    return doubts.length === 0 ? [] : [{ policy, text: textOfSpec(policy), unknown, mayOpen }];
  });

/** A side without the policies whose namespace is not known: what they would open or close is not certain at any place. */
function certainPart(side: PlanSide): PlanSide {
  const { index, topology } = side;
  const doubtful = policiesOf(index, topology).filter(
    (policy) => doubtsAboutNamespace(policy, topology).length > 0,
  );
  if (doubtful.length === 0) return side;
  const key = doubtful.map(({ origin }) => origin.urn ?? placeOf(origin)).join("\n");
  return { ...side, index: onceIn(indexesWithout(index), key, () => indexWithout(index, doubtful)) };
}

/** Kept for each list of policies, because what is read of an index is read once: most lists are those of all clusters. */
const indexesWithout = onceForEach((_: ResourceIndex) => new Map<string, ResourceIndex>());

function indexWithout(
  index: ResourceIndex,
  policies: readonly Resource[],
  others: readonly Resource[] = [],
): ResourceIndex {
  const origins = new Set(policies.map(({ origin }) => origin));
  return new ResourceIndex([...index.resources.filter(({ origin }) => !origins.has(origin)), ...others]);
}

function entranceChange(kind: ChangeKind, one: PolicyExcess): PacketChange {
  const { who, pod, services } = excessText(one);
  const { packets: lines, blocks } = packetsInWords(one.packets, Direction.Ingress);
  const isOfPods = one.from.kind === "pods";
  const { resource, path } = one.clause;
  const isExample = !namesOneSender(valueAt(resource.properties, path) ?? null);
  const written = isOfPods ? [`${services} from ${who}`] : lines;
  return {
    kind,
    place: `pods ${pod}`,
    direction: Direction.Ingress,
    services: [],
    ...(isOfPods && { peers: [who] }),
    ...(isExample && { example: true }),
    packets: isExample ? written.map((line) => line.replace(" from ", ", for example from ")) : written,
    blocks,
  };
}

/** HyperShift's own policies do not change with a plan: both plans are judged with them, although clusters are read without them. */
const judged = ({ index, topology, configured }: PlanSide): JudgedJourney[] =>
  judgedJourneys(index, topology, planGuards(index, topology, configured, false), configured);

function flowChanges(old: readonly JudgedJourney[], now: readonly JudgedJourney[]): FlowChange[] {
  const was = new Map(old.map((one) => [one.journey.key, one]));
  const is = new Map(now.map((one) => [one.journey.key, one]));
  return [...new Set([...is.keys(), ...was.keys()])].flatMap((key) => {
    const [before, after] = [was.get(key), is.get(key)];
    if (before?.proof === after?.proof) return [];
    const { title } = (after ?? before)!.journey;
    return [{ key, title, ...(before && { before: before.proof }), ...(after && { after: after.proof }) }];
  });
}
