import { NAMESPACE_LABEL, withPolicyGroup } from "../../requirements/networkPolicies";
import { isPortName } from "../../requirements/names";
import { Direction } from "../../requirements/vocabulary";
import { onceForEach, onceIn } from "../../collections";
import { outOfForce } from "../../objects/networkPolicy/shapes";
import { textOf } from "../../resources/oneObject";
import { type Found, isGiven, isMap, read, readValue, unknownPlaces } from "../../resources/read";
import { type PropertyValue, type Resource, UNKNOWN, type UnknownValue } from "../../resources/resource";
import { isNetworkPolicy } from "../../resources/resourceTypes";
import {
  isInControlPlane,
  isNamespaceUnknown,
  type NormalizedTopology,
  UNNAMED_CLUSTER,
} from "../../topology/normalizedTopology";
import { adminNetworkPolicyFilter, isSubject } from "../filters/adminNetworkPolicy";
import { allowedBy } from "../filters/decide";
import {
  demandsOfPolicy,
  meantBy,
  policiesAbout,
  type PolicyEnd,
  Selection,
  unknownNumber,
} from "../filters/policySelection";
import { concerns, LIST, networkPolicyFilter, type PolicyView } from "../filters/networkPolicy";
import { Action, type Clause, type Filter } from "../filters/filter";
import type { PacketSet } from "../packets/packetSet";
import { excessOf } from "../proof/prove";
import {
  isolatesPod,
  labelClasses,
  type Labels,
  podEnd,
  podSelectorOf,
  selectingIndex,
  selectsLabels,
} from "./podTraffic";
import { blocksOf } from "../packets/print";
import { describeServices } from "../packets/service";

/** A sender that is let in: addresses outside, or pods of namespaces with these labels. */
export type Entrant = { kind: "addresses" } | { kind: "pods"; namespace: Labels; labels: Labels };

/** What a rule of a policy lets into pods and no documented policy does. */
export interface PolicyExcess {
  clause: Clause;
  /** Labels of a pod that is reached: `with app=etcd`. */
  pod: Labels;
  from: Entrant;
  packets: PacketSet;
}

interface ExcessAsked {
  counts?: (pod: Labels, from: Entrant) => boolean;
  isPossibleWanted?: boolean;
}

/**
 * Finds what each rule of `given` lets into pods of a namespace beyond what the documented policies do: one example per rule.
 * Pods of the namespace itself do not count. `undefined` if the policies tell more pods apart than can be checked.
 *
 * @param given NetworkPolicies, and administrators' policies: no NetworkPolicy blocks what those let in
 * @param documented likewise
 * @param asked which senders count (default: all), and whether what the documented policies only may let in is wanted (default: no)
 */
export function ingressExcess(
  given: readonly Resource[],
  documented: readonly Resource[],
  namespace: string,
  { counts = () => true, isPossibleWanted = false }: ExcessAsked = {},
): PolicyExcess[] | undefined {
  // Policies that apply to other pods, or let nothing in, would tell pods apart to no purpose.
  const policies = given.filter((policy) => isNetworkPolicy(policy.type) || mayConcern(policy, namespace));
  if (!policies.some(mayLetIn)) return [];
  const pods = labelClasses([...policies, ...documented].map(selectorOf));
  if (!pods) return undefined;
  const found = new Map<string, PolicyExcess>();
  const places = new Map([...policies, ...documented].map((policy, place) => [policy, place]));
  const entrances = new Map<string, Entrances | undefined>();
  const views = new Map<string, Pick<PolicyView, "other" | "rules">>();
  const viewOf = (from: Entrant) =>
    onceIn(views, JSON.stringify(from), () => ({ other: endOf(from), rules: new Map() }));
  for (const labels of pods) {
    const pod = podEnd(namespace, labels);
    // Only the policies that select the pod decide what enters it.
    const [own, others] = [policies, documented].map((some) =>
      policiesAbout(some, pod).filter((policy) => selectsLabels(selectorOf(policy), labels) !== false),
    ) as [Resource[], Resource[]];
    const isolating = others.find(
      (policy) => isNetworkPolicy(policy.type) && isolatesPod(policy, Direction.Ingress, namespace, labels),
    );
    const key = [...own, ...others, isolating].map((policy) => policy && places.get(policy)).join();
    const here = onceIn(entrances, key, () => entrancesOf(own, others, isolating, namespace));
    if (!here) return undefined;
    for (const from of here.entrants) {
      if (!counts(labels, from)) continue;
      const view = { direction: Direction.Ingress, pod, ...viewOf(from) };
      const admitting = here.admitting.of(view.other);
      if (admitting.length === 0) continue;
      const { sure, possible } = allowedBy(filtersOf(here.documented.of(view.other), view));
      const wanted = isPossibleWanted ? possible : sure;
      for (const { clause, packets } of excessOf(wanted, filtersOf(admitting, view, NOTHING_ELSE))) {
        const key = clause && JSON.stringify([places.get(clause.resource), clause.path]);
        if (clause && !found.has(key!)) found.set(key!, { clause, pod: labels, from, packets });
      }
    }
  }
  return [...found.values()];
}

/** Why it is not known what policies open. */
export const TOO_MANY = "the policies distinguish too many kinds of pods to check each of them";

/** What decides if policies tell more pods apart than can be checked. There must be at least one. */
export function tooManyKinds([first]: readonly Resource[]): UnknownValue {
  const resource = first!;
  return { resource, path: pathToPods(resource), reason: TOO_MANY };
}

/** The property of a policy that selects its pods. */
const pathToPods = ({ type }: Resource): string =>
  isNetworkPolicy(type) ? "spec.podSelector" : "spec.subject";

const mayConcern = (policy: Resource, namespace: string): boolean =>
  isSubject(policy, { ...podEnd(namespace, {}), labels: { labels: {}, complete: false } }) !== false;

const mayLetIn = ({ type, properties }: Resource): boolean =>
  isNetworkPolicy(type) ||
  read(properties, "spec.ingress[].action").some(({ value }) => value !== "Deny" && value !== "Pass");

/** The selector of a policy for pods of the namespace: policies of administrators may select all pods in it. */
const selectorOf = (policy: Resource): PropertyValue =>
  isNetworkPolicy(policy.type)
    ? podSelectorOf(policy)
    : (readValue(policy.properties, "spec.subject.pods.podSelector") ?? {});

/**
 * The filters of NetworkPolicies, and of administrators' policies before them, if there are any.
 *
 * @param alone what follows administrators' policies if there are no others. Default: packets that they pass on enter
 */
function filtersOf(policies: readonly Resource[], view: PolicyView, alone?: Filter): Filter[] {
  const own = policies.filter(({ type }) => isNetworkPolicy(type));
  const admin = policies.filter(({ type }) => !isNetworkPolicy(type));
  const behind = alone && own.length === 0 && admin.length > 0 ? alone : networkPolicyFilter(own, view);
  return admin.length === 0 ? [behind] : [adminNetworkPolicyFilter(admin, view), behind];
}

/** Packets that administrators' policies pass on are not let in by these. */
const NOTHING_ELSE: Filter = { clauses: [], otherwise: Action.Deny };

/** What may enter the pods that a set of policies selects. */
interface Entrances {
  entrants: readonly Entrant[];
  /** The policies, indexed by what they may let in. */
  admitting: Selection<Resource>;
  /** The documented policies that decide on what is let in, likewise. */
  documented: Selection<Resource>;
}

/** @param isolating one of the documented policies that certainly isolates the pods, if there is one */
function entrancesOf(
  policies: readonly Resource[],
  documented: readonly Resource[],
  isolating: Resource | undefined,
  namespace: string,
): Entrances | undefined {
  const entrants = entrantsOf([...policies, ...documented], namespace);
  if (!entrants) return undefined;
  const [list, ends] = LIST[Direction.Ingress];
  const demandsOf = (policy: Resource) => demandsOfPolicy(policy, list, ends);
  return {
    entrants,
    admitting: new Selection(policies, demandsOf),
    // One policy that isolates the pods drops what none lets in. If none certainly does, each of them may drop it.
    documented: new Selection(documented, (policy) =>
      isolating === undefined || policy === isolating ? undefined : demandsOf(policy),
    ),
  };
}

/** Addresses, and one pod for each way in which the rules tell pods of other namespaces apart. */
function entrantsOf(policies: readonly Resource[], namespace: string): Entrant[] | undefined {
  const peers = policies.flatMap(({ properties }) =>
    read(properties, "spec.ingress[].from[]")
      .map(({ value }) => meantBy(value))
      // A peer without a namespace selector means pods of the policy's own namespace, which do not count.
      .filter(({ namespaces }) => namespaces !== undefined),
  );
  const namespaceSelectors = peers.map(({ namespaces }) => namespaces!);
  // The policy's namespace is a class by itself: another namespace that the rules treat the same is still an entrant.
  const own = { matchLabels: { [NAMESPACE_LABEL.name]: namespace } };
  const namespaces = labelClasses([...namespaceSelectors, own])
    ?.filter((labels) => labels[NAMESPACE_LABEL.name] !== namespace)
    .map(withPolicyGroup);
  if (!namespaces) return undefined;
  const selecting = selectingIndex(namespaceSelectors);
  const sendersOf = new Map<string, Labels[] | undefined>();
  const entrants: Entrant[] = [{ kind: "addresses" }];
  for (const one of namespaces) {
    // Only peers that select a namespace tell its pods apart.
    const positions = selecting(one).map(([position]) => position);
    const key = positions.join();
    const senders = onceIn(sendersOf, key, () =>
      labelClasses(positions.flatMap((at) => peers[at]!.pods ?? [])),
    );
    if (!senders) return undefined;
    for (const labels of senders) entrants.push({ kind: "pods", namespace: one, labels });
  }
  return entrants;
}

function endOf(from: Entrant): PolicyEnd {
  if (from.kind === "addresses") return from;
  return {
    kind: "pod",
    namespace: from.namespace[NAMESPACE_LABEL.name] ?? "",
    namespaceLabels: { labels: from.namespace, complete: true },
    labels: { labels: from.labels, complete: true },
  };
}

/** Labels for use in a sentence: `with app=etcd, tier=a`; `none` if a pod or namespace has no label that matters. */
export function withLabels(labels: Labels, none = "without labels that a policy names"): string {
  const pairs = Object.entries(labels).map(([key, value]) => `${key}=${value}`);
  return pairs.length === 0 ? none : `with ${pairs.join(", ")}`;
}

/** `pods with app=a of namespaces with team=shop` */
function sendersText(pods: Labels, namespaces: Labels): string {
  const isPlain = Object.keys(pods).length === 0;
  return isPlain
    ? `pods ${withLabels(pods)} and of namespaces ${withLabels(namespaces, "without such labels")}`
    : `pods ${withLabels(pods)} of namespaces ${withLabels(namespaces)}`;
}

/** What a rule of a policy opens, as parts of a sentence. */
export interface ExcessText {
  /** What is let in: `10.0.0.0/8`, `pods with app=a of namespaces with team=shop`. */
  who: string;
  /** Labels of a pod that is reached: `with app=etcd`. */
  pod: string;
  /** `TCP 2379`, `every protocol`. */
  services: string;
}

/** Describes one example of what a rule opens. */
export function excessText({ pod, from, packets }: PolicyExcess): ExcessText {
  const { services, sources } = blocksOf(packets)[0]!;
  const who = from.kind === "addresses" ? sources.join(", ") : sendersText(from.labels, from.namespace);
  return { who, pod: withLabels(pod), services: services.flatMap(describeServices).join(", ") };
}

/** A rule that may let something into pods, as it is written. */
export interface EntranceRule {
  policy: Resource;
  /** `spec.ingress[0]` */
  path: string;
  /** Equal for rules that let the same into the same pods. Unknown values count as equal. */
  text: string;
  /** The values that decide what the rule lets into which pods. */
  unknown: readonly UnknownValue[];
}

/** The rules of a policy that may let something into pods: none if the policy only denies, or is only about egress. */
export const entranceRules = onceForEach((policy: Resource): readonly EntranceRule[] => {
  const { type, properties } = policy;
  const isOfNamespace = isNetworkPolicy(type);
  const isMeant = isOfNamespace ? concerns(policy, Direction.Ingress) : true;
  if (isMeant === false) return [];
  const pods = pathToPods(policy);
  const fault = outOfForce(policy);
  const ofPolicy = [
    ...read(properties, pods).flatMap(unknownIn),
    ...(isMeant === undefined ? read(properties, "spec.policyTypes[]").flatMap(unknownIn) : []),
  ];
  return read(properties, "spec.ingress[]")
    .filter(mayAllow)
    .map((rule): EntranceRule => {
      const places = new Set([...ofPolicy, ...unknownIn(rule)]);
      return {
        policy,
        path: rule.path,
        text: textOf([readValue(properties, pods) ?? {}, rule.value, isMeant ?? UNKNOWN]),
        unknown: [
          ...(fault ? [{ resource: policy, ...fault }] : []),
          ...[...places].filter((path) => path !== fault?.path).map((path) => ({ resource: policy, path })),
          ...namedPorts(rule).map((named) => ({ resource: policy, ...named })),
        ],
      };
    });
});

/** Rules of administrators' policies have an action. */
function mayAllow({ value }: Found): boolean {
  const action = readValue(value, "action");
  return action !== "Deny" && action !== "Pass";
}

/** The paths of everything in a selector or rule that is not known, or is of a shape that no API server accepts. */
const unknownIn = ({ path, value }: Found): string[] => [
  ...unknownPlaces(value, path),
  ...SHAPE.flatMap((inside) => read(value, inside, path)).flatMap((one) =>
    one.value === UNKNOWN ? [one.path] : [],
  ),
];

const SELECTOR = ["matchLabels", "matchExpressions[].values[]"];

/** The innermost properties of selectors and rules. */
const SHAPE: readonly string[] = [
  ...SELECTOR,
  "ports[].port",
  "from[].ipBlock.cidr",
  "from[].ipBlock.except[]",
  ...["podSelector", "namespaceSelector"].flatMap((key) =>
    SELECTOR.map((inside) => `from[].${key}.${inside}`),
  ),
];

/** The ports that a rule states by name, in the form of NetworkPolicies and in that of administrators' policies. */
const namedPorts = ({ path, value }: Found): { path: string; reason: string }[] =>
  ["ports[].port", "ports[].namedPort"]
    .flatMap((inside) => read(value, inside, path))
    .flatMap((port) =>
      typeof port.value === "string" && isPortName(port.value)
        ? { path: port.path, reason: unknownNumber(port.value) }
        : [],
    );

/** Whether an example of a sender says all that a rule lets in: its blocks, or pods and namespaces that it selects by labels alone. */
export function namesOneSender(rule: PropertyValue): boolean {
  const peers = read(rule, "from[]").map(({ value }) => value);
  const [first] = peers;
  if (first === undefined) return false;
  if (peers.every((peer) => isGiven(readValue(peer, "ipBlock")))) return true;
  const { namespaces, pods } = meantBy(first);
  const expressions = [...read(namespaces, EXPRESSIONS), ...read(pods, EXPRESSIONS)];
  const labels = readValue(namespaces, "matchLabels");
  return peers.length === 1 && expressions.length === 0 && isMap(labels) && Object.keys(labels).length > 0;
}

const EXPRESSIONS = "matchExpressions[]";

/** What decides whether a policy is in the namespace of a control plane at all; none if that is known. */
export function doubtsAboutNamespace(policy: Resource, topology: NormalizedTopology): UnknownValue[] {
  if (!isNetworkPolicy(policy.type) || isInControlPlane(topology, policy) !== undefined) return [];
  const reason = isNamespaceUnknown(topology) ? { reason: UNNAMED_CLUSTER } : {};
  return [{ resource: policy, path: "metadata.namespace", ...reason }];
}

/** The rules of a policy that may let more into pods of a control plane than they certainly do. */
export const rulesInDoubt = (policy: Resource, topology: NormalizedTopology): EntranceRule[] =>
  entranceRules(policy)
    .map((rule) => ({ ...rule, unknown: [...doubtsAboutNamespace(policy, topology), ...rule.unknown] }))
    .filter(({ unknown }) => unknown.length > 0);

/** A policy or a part of it, with a text that is equal for equal ones. */
type Written = Pick<EntranceRule, "policy" | "text">;

/**
 * What others do not have. Each of the others counts for one, of the same policy if there is one: of two with the same text, unknown
 * values may differ.
 */
export function beyondOthers<One extends Written>(all: readonly One[], others: readonly One[]): One[] {
  const inPolicy = ({ policy, text }: Written) => `${policy.name} ${text}`;
  const byText = ({ text }: Written) => text;
  return notAmong(notAmong(all, others, inPolicy), notAmong(others, all, inPolicy), byText);
}

/** The entries that remain if each of the others takes away one with the same key. */
function notAmong<Entry>(
  entries: readonly Entry[],
  others: readonly Entry[],
  keyOf: (entry: Entry) => string,
): Entry[] {
  const left = new Map<string, number>();
  for (const key of others.map(keyOf)) left.set(key, (left.get(key) ?? 0) + 1);
  return entries.filter((entry) => {
    const count = left.get(keyOf(entry)) ?? 0;
    left.set(keyOf(entry), count - 1);
    return count <= 0;
  });
}
