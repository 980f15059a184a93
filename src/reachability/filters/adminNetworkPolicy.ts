import { append } from "../../collections";
import { Direction } from "../../requirements/vocabulary";
import { isObject, read, readNumber, readText, readValue, type Found } from "../../resources/read";
import { UNKNOWN, type PropertyValue, type Resource } from "../../resources/resource";
import { NO_PACKETS } from "../packets";
import { blocksOf } from "./traffic";
import { Action, type Clause, type Filter } from "./filter";
import { LIST, clauseOf, type KnownPeer, type PolicyView } from "./networkPolicy";
import {
  exactly,
  type KnownServices,
  named,
  nothingSure,
  type PolicyEnd,
  selectsEnd,
  together,
  UNRESTRICTED,
} from "./policySelection";
import type { Maybe } from "../../resources/kubernetesObject";

/**
 * What AdminNetworkPolicies make of packets: the policy with the lowest priority value comes first, its rules in their order;
 * the first rule that matches allows, denies, or passes on to the NetworkPolicies, as does what no rule matches.
 */
export function adminNetworkPolicyFilter(policies: readonly Resource[], view: PolicyView): Filter {
  const ordered = policies
    .map((policy) => ({ policy, priority: priorityOf(policy) }))
    .sort((a, b) => rank(a.priority) - rank(b.priority));
  const doubtful = new Set(ambiguous(ordered.map(({ priority }) => priority)));
  const clauses = ordered.flatMap(({ policy }, position) => {
    const found = clausesOf(policy, view);
    return doubtful.has(position) ? found.map((clause) => withoutRank(clause, policy)) : found;
  });
  const [unranked, ranked] = [true, false].map((isUnranked) =>
    clauses.filter((clause) => clause.unknown.some(({ path }) => path === PRIORITY) === isUnranked),
  );
  return { clauses: [...unranked!, ...ranked!], otherwise: Action.Pass };
}

/** What the BaselineAdminNetworkPolicy makes of packets that no other policy decides on. */
export function baselineFilter(policies: readonly Resource[], view: PolicyView): Filter {
  return { clauses: policies.flatMap((policy) => clausesOf(policy, view)), otherwise: Action.Allow };
}

const PRIORITY = "spec.priority";
/** Undefined where it is unknown. */
const priorityOf = ({ properties }: Resource): number | undefined => {
  const priority = readNumber(properties, PRIORITY);
  return typeof priority === "number" ? priority : undefined;
};
const rank = (priority: number | undefined): number => priority ?? -1;

/** Positions of policies whose order is unknown: the order among equal values is not defined. */
function ambiguous(priorities: readonly (number | undefined)[]): number[] {
  const places = new Map<number | undefined, number[]>();
  priorities.forEach((priority, position) => append(places, priority, [position]));
  return [...places].flatMap(([priority, here]) => (priority === undefined || here.length > 1 ? here : []));
}

/** A rule that may stand before others decides only perhaps. */
const withoutRank = (clause: Clause, policy: Resource): Clause => ({
  ...clause,
  sure: NO_PACKETS,
  unknown: [
    ...clause.unknown,
    {
      resource: policy,
      path: PRIORITY,
      reason: "the order of policies with unknown or equal values is not defined",
    },
  ],
});

const ACTIONS: Readonly<Record<string, Action>> = {
  Allow: Action.Allow,
  Deny: Action.Deny,
  Pass: Action.Pass,
};

function clausesOf(policy: Resource, view: PolicyView): Clause[] {
  const isSubject = subjectIs(readValue(policy.properties, "spec.subject"), view);
  if (isSubject === false) return [];
  const [list, ends] = LIST[view.direction];
  return read(policy.properties, `spec.${list}[]`).map((rule) => {
    const services = servicesOf(rule, view);
    const peers = read(rule.value, `${ends}[]`, rule.path).map((peer) => peerOf(peer, view));
    const all = rule.value === UNKNOWN ? [doubtfulPeer(rule.path)] : peers;
    const clause = clauseOf(policy, rule.path, services, all, view, actionsOf(rule.value));
    if (isSubject) return clause;
    const unknown = [...clause.unknown, { resource: policy, path: "spec.subject" }];
    return { ...clause, sure: NO_PACKETS, unknown };
  });
}

function actionsOf(rule: PropertyValue): readonly Action[] {
  const word = readText(rule, "action");
  const action = typeof word === "string" ? ACTIONS[word] : undefined;
  return action === undefined ? Object.values(Action) : [action];
}

function subjectIs(subject: PropertyValue | undefined, { pod }: PolicyView): Maybe {
  if (!isObject(subject)) return undefined;
  const { namespaces, pods } = subject;
  if (namespaces === UNKNOWN || pods === UNKNOWN) return undefined;
  if (isObject(namespaces)) return selectsEnd(pod, undefined, namespaces, undefined);
  return isObject(pods) ? podsSelected(pods, pod) : undefined;
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

function peerOf({ path, value }: Found, { other }: PolicyView): KnownPeer {
  if (!isObject(value)) return doubtfulPeer(path);
  const { namespaces, pods, networks } = value;
  if (namespaces !== undefined && namespaces !== null) {
    const matches = namespaces === UNKNOWN ? undefined : selectsEnd(other, undefined, namespaces, undefined);
    return { matches, unknown: matches === undefined ? [{ path }] : [] };
  }
  if (pods !== undefined && pods !== null) {
    const matches = pods === UNKNOWN ? undefined : podsSelected(pods, other);
    return { matches, unknown: matches === undefined ? [{ path }] : [] };
  }
  if (networks !== undefined && networks !== null) return networksPeer(value, path);
  return doubtfulPeer(path, "the addresses behind this peer are not in the objects");
}

function networksPeer(value: PropertyValue, path: string): KnownPeer {
  const { prefixes, unknown } = blocksOf(read(value, "networks[]", path));
  return unknown.length > 0 ? { matches: undefined, unknown } : { matches: true, prefixes, unknown };
}

function servicesOf({ path, value }: Found, { direction, pod, other }: PolicyView): KnownServices {
  const ports = read(value, "ports[]", path);
  if (ports.length === 0) return UNRESTRICTED;
  const listener = direction === Direction.Ingress ? pod : other;
  return together(ports.map((port) => portOf(port, listener)));
}

function portOf({ path, value }: Found, listener: PolicyEnd): KnownServices {
  const name = readText(value, "namedPort");
  if (typeof name === "string")
    return together(["TCP", "UDP", "SCTP"].map((protocol) => named(name, protocol, path, listener)));
  const [range, ...bounds] =
    readValue(value, "portRange") === undefined
      ? (["portNumber", "port", "port"] as const)
      : (["portRange", "start", "end"] as const);
  const protocol = readText(value, `${range}.protocol`) ?? "TCP";
  const [from, to] = bounds.map((bound) => readNumber(value, `${range}.${bound}`));
  if (typeof protocol !== "string" || typeof from !== "number" || typeof to !== "number")
    return nothingSure(path);
  return exactly(protocol, path, from, to);
}
