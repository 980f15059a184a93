import { merge, subtract, type Prefix, FAMILIES } from "../../address";
import { onceForEach, onceIn } from "../../collections";
import { outOfForce } from "../../objects/networkPolicy/shapes";
import { Direction } from "../../requirements/vocabulary";
import { LIMIT } from "../../requirements/limits";
import { API_NAMESPACE, type Maybe, selected } from "../../resources/kubernetesObject";
import { entriesOf, isGiven, isMap, read, readText, readValue, type Found } from "../../resources/read";
import { UNKNOWN, type PropertyValue, type Resource, type UnknownValue } from "../../resources/resource";
import { NO_PACKETS, packets, union, type PacketSet } from "../packets/packetSet";
import { blocksOf, endsAt, type UnknownPart } from "./traffic";
import { Action, anyRule, type Clause, type Filter, perhaps } from "./filter";
import {
  hiddenBy,
  isWithoutSpec,
  type KnownServices,
  networkPolicyServices,
  peersAbout,
  rulesAbout,
  type PodEnd,
  policiesAbout,
  type PolicyEnd,
  selectsEnd,
} from "./policySelection";

/** Packets between a pod that policies govern and one other end. */
export interface PolicyView {
  direction: Direction;
  pod: PodEnd;
  other: PolicyEnd;
  /** A cache for checking many pods against one end: what the rules allow there does not change with the pod. */
  rules?: RulesAbout;
}

/** What the rules of each policy allow, for pods that have the same named ports. */
export type RulesAbout = Map<Resource, { ports: PodEnd["ports"]; clauses: Clause[] }>;

/** The property of a policy that lists the rules of a direction, and the property of a rule that lists the peers. */
export const LIST = {
  [Direction.Ingress]: ["ingress", "from"],
  [Direction.Egress]: ["egress", "to"],
} as const;

/**
 * The filter of NetworkPolicies for packets between a pod and another end. Policies add up: a pod that none selects in a direction
 * is open there; for a selected pod, the rules of all policies that select it allow packets, and the rest is dropped.
 */
export function networkPolicyFilter(policies: readonly Resource[], view: PolicyView): Filter {
  const isolating = policiesAbout(policies, view.pod).flatMap((policy) => {
    const here = isolates(policy, view);
    return here === false ? [] : [{ policy, isolates: here }];
  });
  const clauses = isolating.flatMap(({ policy, isolates: sure }) =>
    rulesOf(policy, view).map((clause) => (sure ? clause : perhaps(clause, doubtAbout(policy, view)))),
  );
  const surely = isolating.flatMap(({ policy, isolates: sure }) => (sure ? [policy] : []));
  if (surely.length > 0) return { clauses, otherwise: Action.Deny, isolating: surely };
  return {
    clauses: [
      ...clauses,
      // A policy that may not select the pod may drop what no rule allows.
      ...isolating.map(({ policy }) => anyRule(doubtAbout(policy, view), [Action.Deny])),
    ],
    otherwise: Action.Pass,
  };
}

/** The unknown value that decides whether a policy isolates the pod. */
function doubtAbout(policy: Resource, { direction, pod }: PolicyView): UnknownValue {
  const { namespace, selector, concerns } = scopeOf(policy);
  if (namespace === UNKNOWN) return { resource: policy, path: "metadata.namespace" };
  const isSelected = selected(selector, pod.labels) !== undefined;
  if (isSelected && concerns[direction] === undefined) {
    const path = isGiven(readValue(policy.properties, "spec.policyTypes"))
      ? "spec.policyTypes"
      : "spec.egress";
    return hiddenBy(policy, "policyTypes") ?? hiddenBy(policy, "egress") ?? { resource: policy, path };
  }
  const fault = isSelected && outOfForce(policy);
  if (fault) return { resource: policy, ...fault };
  return hiddenBy(policy, "podSelector") ?? { resource: policy, path: "spec.podSelector" };
}

/** What decides which pods a policy isolates. */
interface Scope {
  namespace: string | typeof UNKNOWN;
  selector: PropertyValue | undefined;
  concerns: Readonly<Record<Direction, Maybe>>;
}

/** Cached, because each policy is checked against many pods. */
const scopeOf = onceForEach((policy: Resource): Scope => ({
  namespace: readText(policy.properties, "metadata.namespace") ?? API_NAMESPACE,
  selector: hiddenBy(policy, "podSelector") ? UNKNOWN : readValue(policy.properties, "spec.podSelector"),
  concerns: {
    [Direction.Ingress]: isAbout(policy, Direction.Ingress),
    [Direction.Egress]: isAbout(policy, Direction.Egress),
  },
}));

/** Whether a policy is about a direction. */
export const concerns = (policy: Resource, direction: Direction): Maybe =>
  scopeOf(policy).concerns[direction];

/** Whether a policy isolates the pod in this direction, unknown if it may not be in force. Without `policyTypes`, a policy applies to ingress. */
export function isolates(policy: Resource, { direction, pod }: PolicyView): Maybe {
  const { namespace, selector, concerns } = scopeOf(policy);
  if (namespace !== UNKNOWN && namespace !== pod.namespace) return false;
  const isSelected = selected(selector, pod.labels);
  const isMeant = concerns[direction];
  if (isSelected === false || isMeant === false) return false;
  if (namespace === UNKNOWN || isSelected === undefined || isMeant === undefined) return undefined;
  return outOfForce(policy) ? undefined : true;
}

function isAbout(policy: Resource, direction: Direction): Maybe {
  const { properties } = policy;
  if (isWithoutSpec(policy)) return false;
  const types = read(properties, "spec.policyTypes[]").map(({ value }) => value);
  const word = direction === Direction.Ingress ? "Ingress" : "Egress";
  if (types.includes(word)) return true;
  if (types.includes(UNKNOWN)) return undefined;
  if (types.length > 0) return false;
  if (hiddenBy(policy, "policyTypes")) return undefined;
  if (direction === Direction.Ingress) return true;
  if (hiddenBy(policy, "egress")) return undefined;
  const rules = readValue(properties, "spec.egress");
  return rules === UNKNOWN ? undefined : entriesOf(rules).length > 0;
}

function rulesOf(policy: Resource, view: PolicyView): Clause[] {
  const { ports } = view.pod;
  const known = view.rules?.get(policy);
  if (known && known.ports === ports) return known.clauses;
  const clauses = readRules(policy, view);
  view.rules?.set(policy, { ports, clauses });
  return clauses;
}

function readRules(policy: Resource, view: PolicyView): Clause[] {
  const [list, ends] = LIST[view.direction];
  const hidden = hiddenBy(policy, list);
  if (hidden) return [anyRule(hidden, [Action.Allow])];
  return rulesAbout(policy, list, ends, view.other).map(({ path, value }) => {
    const services = networkPolicyServices(value, path, listenerOf(view));
    const { isAnybody, peers } = peersAbout(value, ends, path, view.other);
    const parts = isAnybody ? [EVERYBODY] : peers.flatMap((peer) => peersOf(peer, policy, view));
    return clauseOf(policy, path, services, parts, view);
  });
}

/** The end that listens at the ports of rules. */
export const listenerOf = ({ direction, pod, other }: PolicyView): PolicyEnd =>
  direction === Direction.Ingress ? pod : other;

/** The addresses of the other end that a peer of a rule covers. */
export interface KnownPeer {
  /** Default: all of them. */
  prefixes?: readonly Prefix[];
  /** Whether it covers the other end at all. */
  matches: Maybe;
  unknown: readonly UnknownPart[];
}

const EVERYBODY: KnownPeer = { matches: true, unknown: [] };

function peersOf({ path, value }: Found, policy: Resource, { other }: PolicyView): KnownPeer[] {
  const block = value === UNKNOWN ? undefined : readValue(value, "ipBlock");
  return isGiven(block)
    ? amongPods(addressPeer(block, `${path}.ipBlock`), `${path}.ipBlock`, other)
    : [peerOf({ path, value }, policy, other)];
}

/**
 * What a peer that is given by blocks covers of an end. Blocks are matched against pods too. If the addresses of the pods are unknown,
 * a block of every address certainly contains them, and one smaller than a node's part of a cluster network certainly not all of them.
 *
 * @param isDenial whether packets of only some of the pods count too
 */
export function amongPods(peer: KnownPeer, path: string, other: PolicyEnd, isDenial = false): KnownPeer[] {
  const { prefixes, matches } = peer;
  if (other.kind === "addresses" || !other.isHidden || !prefixes || matches === undefined) return [peer];
  const complete = merge(prefixes).filter(({ length }) => length === 0);
  const isEverything = complete.length === FAMILIES.length;
  // Few clusters have IPv6: a denial of it alone need not drop any packet.
  const whole = isDenial && !isEverything ? complete.filter(({ family }) => family === 4) : complete;
  // If one family is covered completely, the other stays open: the pods need not have an address in it.
  const isOpen =
    !isEverything &&
    (isDenial || prefixes.some(({ family, length }) => length <= LIMIT.defaultHostPrefix[family]));
  return [
    ...(whole.length > 0 ? [{ matches, prefixes: whole, unknown: [] }] : []),
    ...(isOpen ? [{ matches: undefined, unknown: [{ path, reason: ADDRESSES_OF_PODS }] }] : []),
  ];
}

const ADDRESSES_OF_PODS = "it is not known whether the pods at the other end have addresses in it";

function peerOf({ path, value }: Found, policy: Resource, other: PolicyEnd): KnownPeer {
  if (value === UNKNOWN) return { matches: undefined, unknown: [{ path }] };
  const namespaceSelector = readValue(value, "namespaceSelector");
  const podSelector = readValue(value, "podSelector");
  if (namespaceSelector === undefined && podSelector === undefined)
    return { matches: undefined, unknown: [{ path, reason: "unknown kind of peer" }] };
  const own = readText(policy.properties, "metadata.namespace");
  const matches = selectsEnd(
    other,
    own === UNKNOWN ? undefined : (own ?? API_NAMESPACE),
    namespaceSelector,
    podSelector,
  );
  return { matches, unknown: matches === undefined ? [{ path }] : [] };
}

/** Blocks are read for each pod and rule, and may have thousands of exceptions. YAML aliases can put one block at several paths. */
const knownBlocks = onceForEach((_: object) => new Map<string, KnownPeer>());

const addressPeer = (block: PropertyValue, path: string): KnownPeer =>
  isMap(block)
    ? onceIn(knownBlocks(block), path, () => readAddressPeer(block, path))
    : readAddressPeer(block, path);

/** A block without its exceptions: packets match it by their addresses, no matter which object has them. */
function readAddressPeer(block: PropertyValue, path: string): KnownPeer {
  const cidr = blocksOf(read(block, "cidr", path));
  const except = blocksOf(read(block, "except[]", path));
  if (cidr.prefixes.length === 0)
    return { matches: undefined, unknown: cidr.unknown.length > 0 ? cidr.unknown : [{ path }] };
  return {
    matches: except.unknown.length > 0 ? undefined : true,
    prefixes: subtract(cidr.prefixes, except.prefixes),
    unknown: except.unknown,
  };
}

/** Builds the clause of a rule: every service with every peer. */
export function clauseOf(
  policy: Resource,
  path: string,
  services: KnownServices,
  peers: readonly KnownPeer[],
  { direction }: PolicyView,
  actions: readonly Action[] = [Action.Allow],
): Clause {
  // One set for all peers: each has the same services, which may be as many as there are peers.
  const between = (ranges: KnownServices["sure"], some: readonly KnownPeer[]): PacketSet => {
    const lists = [...new Set(some.map(({ prefixes }) => prefixes))];
    if (lists.length === 0) return NO_PACKETS;
    if (lists.includes(undefined)) return packets({ services: ranges });
    // The only list stays itself, because what it contains is computed once.
    const prefixes = lists.length === 1 ? lists[0]! : lists.flatMap((list) => list ?? []);
    return packets({ services: ranges, ...endsAt(direction, prefixes) });
  };
  const meant = peers.filter(({ matches }) => matches !== false);
  const sure = between(
    services.sure,
    meant.filter(({ matches }) => matches),
  );
  const possible = between(services.possible, meant);
  const places = [...services.unknown, ...meant.flatMap(({ unknown }) => unknown)];
  return {
    resource: policy,
    path,
    actions,
    sure,
    possible: union(sure, possible),
    unknown: [...new Map(places.map((place) => [place.path, { resource: policy, ...place }])).values()],
  };
}
