import { type Maybe, selected } from "../../resources/kubernetesObject";
import { append, grouped, onceIn } from "../../collections";
import type { NamespaceLabels } from "../../resources/oneObject";
import { isMap, read, readText, readValue } from "../../resources/read";
import { UNKNOWN, type PropertyValue, type Resource } from "../../resources/resource";
import { FAMILIES, type Prefix } from "../../address";
import type { Traffic } from "../../flows/model";
import { nameOfNamespaces } from "../../requirements/networkPolicies";
import type { Direction } from "../../requirements/vocabulary";
import { adminNetworkPolicyFilter } from "../filters/adminNetworkPolicy";
import { Action, type Filter, OPEN } from "../filters/filter";
import {
  controlPlaneLabels,
  demandedLabel,
  labelOf,
  labelsOfNamespaces,
  type PodEnd,
  type PolicyEnd,
  withStatedLabels,
} from "../filters/policySelection";
import { isolates, networkPolicyFilter, type PolicyView, type RulesAbout } from "../filters/networkPolicy";
import { endsAt } from "../filters/traffic";
import { difference, isEmpty, packets, type PacketSet } from "../packets/packetSet";
import { servicesOf } from "../packets/service";
import { Proof, prove, type ProofResult } from "../proof/prove";

/** All labels of an object. */
export type Labels = Readonly<Record<string, string>>;

/** The most label sets that can be checked in reasonable time. */
const MOST = 20_000;

/** Whether a selector selects an object with these labels and no others. */
export const selectsLabels = (selector: PropertyValue | undefined, labels: Labels): Maybe =>
  selected(selector, { labels, complete: true });

/**
 * One set of labels for each way in which these selectors tell objects apart: each key is absent, has each value that a selector
 * names, or has a value that none names. What holds for all of the sets holds for every object. `undefined` if there are too many.
 */
export function labelClasses(all: readonly PropertyValue[]): Labels[] | undefined {
  // Repeated selectors tell nothing more apart.
  const selectors = [...grouped(all, textOf).values()].map(([first]) => first);
  const classes = new Map<string, Labels>();
  const every = everyLabels(valuesByKey(selectors));
  if (!every) return undefined;
  const selecting = selectingIndex(selectors);
  for (const labels of every) {
    const way = selecting(labels)
      .map(([position, selects]) => `${position} ${selects}`)
      .join();
    if (!classes.has(way)) classes.set(way, labels);
  }
  return [...classes.values()];
}

/** Equal for equal selectors. Unknown values are replaced, because JSON has no form for them. */
const textOf = (selector: PropertyValue): string =>
  JSON.stringify(selector, (_, value: unknown) => (value === UNKNOWN ? { [""]: "unknown" } : value));

/** The positions of the selectors that select, or may select, an object with given labels. */
export function selectingIndex(
  selectors: readonly PropertyValue[],
): (labels: Labels) => (readonly [position: number, selects: Maybe])[] {
  // A selector that requires a label selects nothing without it.
  const demanding = new Map<string, number[]>();
  const others: number[] = [];
  for (const [position, selector] of selectors.entries()) {
    const label = demandedLabel(selector);
    if (label === undefined) others.push(position);
    else append(demanding, label, [position]);
  }
  return (labels) => {
    const asked = Object.entries(labels).flatMap((label) => demanding.get(labelOf(...label)) ?? []);
    return [...others, ...asked]
      .map((position) => [position, selectsLabels(selectors[position], labels)] as const)
      .filter(([, selects]) => selects !== false);
  };
}

function everyLabels(values: ReadonlyMap<string, ReadonlySet<string>>): Labels[] | undefined {
  const count = [...values.values()].reduce((product, named) => product * (named.size + 2), 1);
  if (count > MOST) return undefined;
  return [...values].reduce<Labels[]>(
    (sets, [key, named]) => {
      const given = [...named, unnamed(named)].map((value) => ({ [key]: value }));
      return [{}, ...given].flatMap((label) => sets.map((labels) => ({ ...labels, ...label })));
    },
    [{}],
  );
}

function valuesByKey(selectors: readonly PropertyValue[]): Map<string, Set<string>> {
  const all = new Map<string, Set<string>>();
  const note = (key: string, values: readonly PropertyValue[]) => {
    const known = onceIn(all, key, () => new Set<string>());
    for (const value of values) if (typeof value === "string") known.add(value);
  };
  for (const selector of selectors) {
    const matchLabels = readValue(selector, "matchLabels");
    for (const [key, value] of Object.entries(isMap(matchLabels) ? matchLabels : {})) note(key, [value]);
    for (const { value } of read(selector, "matchExpressions[]")) {
      const key = readText(value, "key");
      if (typeof key === "string")
        note(
          key,
          read(value, "values[]").map((entry) => entry.value),
        );
    }
  }
  return all;
}

function unnamed(values: ReadonlySet<string>): string {
  let other = "other";
  while (values.has(other)) other += "s";
  return other;
}

/** Packets between pods of one namespace and another end. */
export interface PodTraffic {
  direction: Direction;
  /** Label selector of the pods in the namespace. */
  pods: PropertyValue;
  end: PolicyEnd;
  /** Addresses of the other end. Default: any. */
  prefixes?: readonly Prefix[];
  /** Protocols with their ports. Default: all ports. */
  services: readonly Traffic[];
  /** The stated labels of the namespaces of both ends. Default: none. */
  labelsOf?: NamespaceLabels;
}

/** The verdict of policies on traffic, for the pods with the worst one. */
export interface TrafficVerdict {
  /** Labels of such a pod. */
  pod: Labels;
  verdict: ProofResult;
  /** True if all of the traffic is dropped. */
  isCutOff: boolean;
}

/**
 * Whether policies allow traffic for every pod of the namespace that its selector selects: refuted if some traffic of one pod is
 * dropped, unknown if unknown values decide for one pod. `undefined` if the policies tell more pods apart than can be checked.
 *
 * @param admin the administrators' policies before them: no policy of the namespace decides on packets that those decide on
 */
export const judgeTraffic = (
  policies: readonly Resource[],
  namespace: string,
  traffic: PodTraffic,
  admin: readonly Resource[] = [],
): TrafficVerdict | undefined =>
  worstOf(namespace, traffic, [...policies.map(podSelectorOf), ...subjectSelectors(admin)], (view) => [
    // A filter without rules would only take time.
    ...(admin.length > 0 ? [taken(adminNetworkPolicyFilter(admin, view))] : []),
    networkPolicyFilter(policies, view),
    OPEN,
  ]);

/** The verdict of the administrators' policies that precede all others on traffic, and the filters of the pods with the worst one. */
export const judgeByAdministrators = (
  admin: readonly Resource[],
  namespace: string,
  traffic: PodTraffic,
): (TrafficVerdict & { filters: readonly Filter[] }) | undefined =>
  worstOf(namespace, traffic, subjectSelectors(admin), (view) => [
    adminNetworkPolicyFilter(admin, view),
    OPEN,
  ]);

/** The worst verdict among all the pods that the selectors tell apart. */
function worstOf(
  namespace: string,
  traffic: PodTraffic,
  selectors: readonly PropertyValue[],
  filtersOf: (view: PolicyView) => readonly Filter[],
): (TrafficVerdict & { filters: readonly Filter[] }) | undefined {
  const pods = labelClasses([traffic.pods, ...selectors])?.filter((labels) =>
    selectsLabels(traffic.pods, labels),
  );
  const required = packetsOfTraffic(traffic);
  const { direction, end, labelsOf } = traffic;
  const stated = <End extends PolicyEnd>(one: End): End => (labelsOf ? withStatedLabels(one, labelsOf) : one);
  const other = stated(end);
  const rules: RulesAbout = new Map();
  const verdicts = pods?.map((pod) => {
    const filters = filtersOf({ direction, pod: stated(podEnd(namespace, pod)), other, rules });
    const verdict = prove(required, filters);
    const isRefuted = verdict.proof === Proof.Refuted;
    return { pod, verdict, filters, isCutOff: isRefuted && isEmpty(difference(required, verdict.dropped)) };
  });
  const [first] = verdicts ?? [];
  const worst = (proof: Proof) => verdicts?.find(({ verdict }) => verdict.proof === proof);
  return worst(Proof.Refuted) ?? worst(Proof.Unknown) ?? first;
}

/** Counts what an administrators' policy certainly denies as allowed: no policy behind it decides on that. What it may deny stays open. */
const taken = ({ clauses, otherwise }: Filter): Filter => ({
  clauses: clauses.map((clause) => {
    if (clause.actions.some((action) => action !== Action.Deny)) return clause;
    return { ...clause, actions: [Action.Allow], possible: clause.sure, unknown: [] };
  }),
  otherwise,
});

const subjectSelectors = (admin: readonly Resource[]): PropertyValue[] =>
  admin.flatMap(({ properties }) => readValue(properties, "spec.subject.pods.podSelector") ?? []);

export const podSelectorOf = ({ properties }: Resource): PropertyValue =>
  readValue(properties, "spec.podSelector") ?? {};

/** Whether a policy certainly isolates a pod with these labels. */
export const isolatesPod = (
  policy: Resource,
  direction: Direction,
  namespace: string,
  labels: Labels,
): boolean =>
  isolates(policy, { direction, pod: podEnd(namespace, labels), other: { kind: "addresses" } }) === true;

/** A pod of a namespace with exactly these labels. */
export const podEnd = (namespace: string, labels: Labels): PodEnd => ({
  kind: "pod",
  namespace,
  namespaceLabels: controlPlaneLabels(namespace),
  labels: { labels, complete: true },
});

/** Pods of namespaces with these labels; `own` is the control-plane namespace. Their other labels are not stated. */
export const podsIn = (namespaceLabels: Labels, own: string): PodEnd => ({
  kind: "pod",
  isHidden: true,
  namespace: nameOfNamespaces(namespaceLabels),
  namespaceLabels: labelsOfNamespaces(namespaceLabels, own),
  labels: { labels: {}, complete: false },
});

/** All packets of the traffic. The pods themselves may have any address. */
function packetsOfTraffic({ direction, prefixes, services }: PodTraffic): PacketSet {
  const [four, six] = FAMILIES.map((family) =>
    packets({
      services: services.map(({ protocol, ports }) => servicesOf(protocol, ports, family)),
      ...(prefixes && endsAt(direction, prefixes)),
    }),
  );
  return { 4: four![4], 6: six![6] };
}
