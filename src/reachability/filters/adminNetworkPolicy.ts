import { grouped, onceIn } from "../../collections";
import { outOfForce } from "../../objects/networkPolicy/shapes";
import { Protocol } from "../../requirements/vocabulary";
import {
  type Found,
  isGiven,
  isMap,
  read,
  type Read,
  readNumber,
  readText,
  readValue,
} from "../../resources/read";
import { UNKNOWN, type PropertyValue, type Resource, type UnknownValue } from "../../resources/resource";
import { LIMIT } from "../../requirements/limits";
import {
  isAdminNetworkPolicy,
  isBaselineAdminNetworkPolicy,
  isClusterNetworkPolicy,
} from "../../resources/resourceTypes";
import {
  difference,
  intersection,
  isEmpty,
  NO_PACKETS,
  type PacketSet,
  union,
  unionAll,
} from "../packets/packetSet";
import { blocksOf } from "./traffic";
import { Action, anyRule, type Clause, type Filter, perhaps } from "./filter";
import { amongPods, LIST, listenerOf, clauseOf, type KnownPeer, type PolicyView } from "./networkPolicy";
import {
  exactly,
  hiddenBy,
  isWithoutSpec,
  type KnownServices,
  named,
  nothingSure,
  type PodEnd,
  type PolicyEnd,
  selectsEnd,
  somePort,
  policiesAbout,
  rulesAbout,
  together,
  UNRESTRICTED,
} from "./policySelection";
import type { Maybe } from "../../resources/kubernetesObject";

/**
 * The filter of the administrators' policies that precede NetworkPolicies: AdminNetworkPolicies, and ClusterNetworkPolicies of the
 * tier Admin. The policy with the lowest priority value comes first, its rules in their order. The first rule that matches allows
 * a packet, denies it, or passes it on to the NetworkPolicies. Packets that no rule matches are passed on too.
 */
export const adminNetworkPolicyFilter = (policies: readonly Resource[], view: PolicyView): Filter =>
  tierFilter(policies, view, "Admin");

/**
 * The filter of the policies that follow the NetworkPolicies, for packets that no other policy decides on: the
 * BaselineAdminNetworkPolicy, and ClusterNetworkPolicies of the tier Baseline, in the same order. Packets that they pass on are allowed.
 */
export const baselineFilter = (policies: readonly Resource[], view: PolicyView): Filter =>
  tierFilter(policies, view, "Baseline");

type Tier = "Admin" | "Baseline";

/** The action for packets that a tier does not decide on. */
const BEHIND: Readonly<Record<Tier, Action>> = { Admin: Action.Pass, Baseline: Action.Allow };

/** The rules of one policy, and its rank among the policies. */
interface Ranked {
  policy: Resource;
  /** Undefined if it is unknown. */
  priority: number | undefined;
  clauses: readonly Clause[];
}

function tierFilter(policies: readonly Resource[], view: PolicyView, tier: Tier): Filter {
  const all = policiesAbout(policies, view.pod).flatMap((policy): Ranked[] => {
    const isHere = isOfTier(policy, tier);
    const clauses = isHere === false ? [] : clausesOf(policy, view, BEHIND[tier]);
    if (clauses.length === 0) return [];
    const priority = priorityOf(policy);
    const doubt = isHere ? isLate(policy, priority) && LATE : { path: TIER };
    const doubted = doubt && clauses.map((clause) => perhaps(clause, { resource: policy, ...doubt }));
    return [{ policy, priority, clauses: doubted || clauses }];
  });
  const unranked = all.filter(({ priority }) => priority === undefined);
  const ranked = all
    .filter(({ priority }) => priority !== undefined)
    .sort((a, b) => a.priority! - b.priority!);
  return {
    clauses: [
      ...unranked.flatMap(({ policy, clauses }) =>
        clauses.map((clause) => perhaps(clause, { resource: policy, path: PRIORITY, reason: NO_ORDER })),
      ),
      ...inOrder(ranked),
    ],
    otherwise: BEHIND[tier],
  };
}

const TIER = "spec.tier";
const PRIORITY = "spec.priority";
const NO_ORDER = "the order of policies with unknown or equal priorities is not defined";
const LATE = {
  path: PRIORITY,
  reason: `OVN-Kubernetes supports no priority above ${LIMIT.adminPolicyPriority.maxOfOvn}, and does not apply the policy`,
};
const NO_ORDER_OF_KINDS = "the order of this policy and a policy of another kind is not defined";

function isOfTier({ type, properties }: Resource, tier: Tier): Maybe {
  if (!isClusterNetworkPolicy(type)) return true;
  const stated = readText(properties, TIER);
  if (stated === tier) return true;
  return stated === "Admin" || stated === "Baseline" ? false : undefined;
}

/** Whether a policy certainly follows the NetworkPolicies. */
export const isOfBaseline = (policy: Resource): boolean =>
  isBaselineAdminNetworkPolicy(policy.type) ||
  (isClusterNetworkPolicy(policy.type) && isOfTier(policy, "Baseline") === true);

/** A cluster has one BaselineAdminNetworkPolicy, which has no priority and gets 0 here. Undefined if the priority is unknown. */
const priorityOf = ({ type, properties }: Resource): number | undefined => {
  if (isBaselineAdminNetworkPolicy(type)) return 0;
  const priority = readNumber(properties, PRIORITY);
  return typeof priority === "number" ? priority : undefined;
};

/** Whether a priority is beyond those of OVN-Kubernetes. The API permits more, for other network plugins. */
export const isLate = ({ type }: Resource, priority: number | undefined): boolean =>
  isAdminNetworkPolicy(type) && priority !== undefined && priority > LIMIT.adminPolicyPriority.maxOfOvn;

/** The clauses of policies in their order. If two policies without a defined order may decide differently, neither certainly decides. */
function inOrder(ranked: readonly Ranked[]): Clause[] {
  const isCluster = ({ policy }: Ranked) => isClusterNetworkPolicy(policy.type);
  const kinds = [true, false].map((wanted) => ranked.filter((one) => isCluster(one) === wanted));
  const isMixed = kinds.every(({ length }) => length > 0);
  const groups = kinds.flatMap((kind) => [...grouped(kind, ({ priority }) => priority).values()]);
  const known = new Map<Action | undefined, (one: Ranked) => PacketSet>();
  const rivalsOf = (action: Action | undefined) =>
    onceIn(known, action, () => {
      const [ofCluster, ofOlder] = kinds.map((kind) =>
        isMixed ? otherwiseMatched(kind, action) : NO_PACKETS,
      );
      const besides = new Map(groups.flatMap((group) => besidesOthers(group, action)));
      return (one) => union(isCluster(one) ? ofOlder! : ofCluster!, besides.get(one)!);
    });
  const reason = isMixed ? NO_ORDER_OF_KINDS : NO_ORDER;
  return ranked.flatMap((one) =>
    one.clauses.map((clause) => {
      const [action, ...more] = clause.actions;
      return exceptFor(clause, rivalsOf(more.length > 0 ? undefined : action)(one), reason);
    }),
  );
}

/** What policies may match by rules that do not certainly have this action. */
const otherwiseMatched = (policies: readonly Ranked[], action: Action | undefined): PacketSet =>
  unionAll(
    policies.flatMap(({ clauses }) =>
      clauses.flatMap(({ actions, possible }) => (actions.every((one) => one === action) ? [] : [possible])),
    ),
  );

/** For each of `policies`, what the other ones may match by rules that do not certainly have this action. */
function besidesOthers(
  policies: readonly Ranked[],
  action: Action | undefined,
  among = NO_PACKETS,
): (readonly [policy: Ranked, others: PacketSet])[] {
  if (policies.length < 2) return policies.map((one) => [one, among]);
  const middle = policies.length >> 1;
  const [first, second] = [policies.slice(0, middle), policies.slice(middle)];
  return [
    ...besidesOthers(first, action, union(among, otherwiseMatched(second, action))),
    ...besidesOthers(second, action, union(among, otherwiseMatched(first, action))),
  ];
}

/** Makes a rule uncertain for packets that a rule which may precede it may match. */
function exceptFor(clause: Clause, rivals: PacketSet, reason: string): Clause {
  if (isEmpty(rivals) || isEmpty(intersection(clause.possible, rivals))) return clause;
  const unknown = [...clause.unknown, { resource: clause.resource, path: PRIORITY, reason }];
  return { ...clause, sure: difference(clause.sure, rivals), unknown };
}

/** Whether a value is unknown only because the order of policies with known priorities is not defined. */
export const isUnordered = ({ resource, path, reason }: UnknownValue): boolean =>
  path === PRIORITY &&
  (reason === NO_ORDER || reason === NO_ORDER_OF_KINDS) &&
  typeof readNumber(resource.properties, PRIORITY) === "number";

/** The action words of both API versions: a policy with a word of the other version is rejected. */
const ACTIONS: Readonly<Record<"cluster" | "older", Readonly<Record<string, Action>>>> = {
  cluster: { Accept: Action.Allow, Deny: Action.Deny, Pass: Action.Pass },
  older: { Allow: Action.Allow, Deny: Action.Deny, Pass: Action.Pass },
};

function clausesOf(policy: Resource, view: PolicyView, behind: Action): Clause[] {
  const isMeant = isSubject(policy, view.pod);
  if (isMeant === false) return [];
  const [list, ends] = LIST[view.direction];
  const isCluster = isClusterNetworkPolicy(policy.type);
  const doubtful =
    outOfForce(policy) ?? (isMeant ? undefined : (hiddenBy(policy, "subject") ?? { path: "spec.subject" }));
  const hidden = hiddenBy(policy, list);
  if (hidden) return [anyRule(hidden, [...new Set([Action.Allow, Action.Deny, behind])])];
  return rulesAbout(policy, list, ends, view.other).map((rule) => {
    const services = servicesOf(rule, view, isCluster);
    const words = actionsOf(rule.value, isCluster);
    const isDenial = words.includes(Action.Deny);
    const peers = read(rule.value, `${ends}[]`, rule.path).flatMap((peer) => peersOf(peer, view, isDenial));
    const all = rule.value === UNKNOWN ? [doubtfulPeer(rule.path)] : peers;
    // `Pass` hands packets to whatever follows this tier.
    const actions = words.map((action) => (action === Action.Pass ? behind : action));
    const clause = clauseOf(policy, rule.path, services, all, view, [...new Set(actions)]);
    return doubtful ? perhaps(clause, { resource: policy, ...doubtful }) : clause;
  });
}

function actionsOf(rule: PropertyValue, isCluster: boolean): readonly Action[] {
  const word = readText(rule, "action");
  const action = typeof word === "string" ? ACTIONS[isCluster ? "cluster" : "older"][word] : undefined;
  return action === undefined ? Object.values(Action) : [action];
}

/** Whether a pod is a subject of a policy. */
export function isSubject(policy: Resource, pod: PodEnd): Maybe {
  if (isWithoutSpec(policy)) return false;
  const subject = readValue(policy.properties, "spec.subject");
  if (!isMap(subject)) return undefined;
  const { namespaces, pods } = subject;
  if (namespaces === UNKNOWN || pods === UNKNOWN) return undefined;
  if (isMap(namespaces)) return selectsEnd(pod, undefined, namespaces, undefined);
  const isHidden = ["namespaceSelector", "podSelector"].some((key) =>
    hiddenBy(policy, `subject.pods.${key}`),
  );
  return isMap(pods) && !isHidden ? podsSelected(pods, pod) : undefined;
}

const podsSelected = (pods: PropertyValue, end: PolicyEnd): Maybe =>
  selectsEnd(
    end,
    undefined,
    readValue(pods, "namespaceSelector") ?? {},
    readValue(pods, "podSelector") ?? {},
  );

const doubtfulPeer = (path: string, reason?: string): KnownPeer => ({
  matches: undefined,
  unknown: [{ path, ...(reason !== undefined && { reason }) }],
});

function peersOf({ path, value }: Found, { other }: PolicyView, isDenial: boolean): KnownPeer[] {
  if (!isMap(value)) return [doubtfulPeer(path)];
  const { namespaces, pods, nodes, networks, domainNames } = value;
  const selecting = (selector: PropertyValue, select: () => Maybe): KnownPeer[] => {
    const matches = selector === UNKNOWN ? undefined : select();
    return [{ matches, unknown: matches === undefined ? [{ path }] : [] }];
  };
  if (isGiven(namespaces))
    return selecting(namespaces, () => selectsEnd(other, undefined, namespaces, undefined));
  if (isGiven(pods)) return selecting(pods, () => podsSelected(pods, other));
  if (isGiven(networks)) return amongPods(networksPeer(value, path), `${path}.networks`, other, isDenial);
  // Pods have their own addresses, which are neither those of nodes nor those of names outside the cluster.
  if (other.kind === "pod" && (isGiven(nodes) || isGiven(domainNames))) return [];
  return [doubtfulPeer(path, "the objects do not contain the addresses of this peer")];
}

function networksPeer(value: PropertyValue, path: string): KnownPeer {
  const { prefixes, unknown } = blocksOf(read(value, "networks[]", path));
  return unknown.length > 0 ? { matches: undefined, unknown } : { matches: true, prefixes, unknown };
}

function servicesOf({ path, value }: Found, view: PolicyView, isCluster: boolean): KnownServices {
  const services = read(value, isCluster ? "protocols[]" : "ports[]", path);
  if (services.length === 0) return UNRESTRICTED;
  return together(services.map((one) => (isCluster ? protocolOf : portOf)(one, listenerOf(view))));
}

const PROTOCOLS = [Protocol.Tcp, Protocol.Udp, Protocol.Sctp];

const namedOf = (name: string, path: string, listener: PolicyEnd): KnownServices =>
  together(PROTOCOLS.map((protocol) => named(name, protocol, path, listener)));

/** A protocol of a ClusterNetworkPolicy with its ports. */
function protocolOf({ path, value }: Found, listener: PolicyEnd): KnownServices {
  const name = readText(value, "destinationNamedPort");
  if (typeof name === "string") return namedOf(name, path, listener);
  const protocol = PROTOCOLS.find((word) => isMap(readValue(value, word.toLowerCase())));
  if (protocol === undefined) return nothingSure(path);
  const port = `${protocol.toLowerCase()}.destinationPort`;
  const bounds = readValue(value, `${port}.range`) === undefined ? ["number", "number"] : RANGE;
  const [from, to] = bounds.map((bound) => readNumber(value, `${port}.${bound}`));
  return betweenPorts(protocol, path, from, to);
}

const RANGE = ["range.start", "range.end"];

const betweenPorts = (protocol: string, path: string, from: Read<number>, to: Read<number>): KnownServices =>
  typeof from === "number" && typeof to === "number"
    ? exactly(protocol, path, from, to)
    : somePort(protocol, path);

function portOf({ path, value }: Found, listener: PolicyEnd): KnownServices {
  const name = readText(value, "namedPort");
  if (typeof name === "string") return namedOf(name, path, listener);
  const [range, ...bounds] =
    readValue(value, "portRange") === undefined
      ? (["portNumber", "port", "port"] as const)
      : (["portRange", "start", "end"] as const);
  const protocol = readText(value, `${range}.protocol`) ?? "TCP";
  const [from, to] = bounds.map((bound) => readNumber(value, `${range}.${bound}`));
  return protocol === UNKNOWN ? nothingSure(path) : betweenPorts(protocol, path, from, to);
}
