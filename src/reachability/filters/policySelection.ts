import { KeyedList, onceForEach, onceIn } from "../../collections";
import {
  API_NAMESPACE,
  every,
  type KnownLabels,
  type Maybe,
  selected,
} from "../../resources/kubernetesObject";
import { type Found, isGiven, isMap, read, readNumber, readText, readValue } from "../../resources/read";
import { type PropertyValue, type Resource, UNKNOWN, type UnknownValue } from "../../resources/resource";
import { isNetworkPolicy, isPatch } from "../../resources/resourceTypes";
import { type NamespaceLabels, withStated } from "../../resources/oneObject";
import {
  MANAGEMENT_NAMESPACE,
  NAMESPACE_LABEL,
  namespaceOfGroup,
  withPolicyGroup,
} from "../../requirements/networkPolicies";
import { Protocol } from "../../requirements/vocabulary";
import { EVERY_SERVICE, service, type ServiceRange, TRANSPORT_NUMBER } from "../packets/service";
import type { UnknownPart } from "./traffic";

/** Why parts of an object of which a plan shows only a patch are unknown. */
export const PATCHED = "the plan does not show the policy that is patched";

/** What only the patched policy states: a property of the spec that a patch leaves out, and thereby as it is. */
export const hiddenBy = (policy: Resource, property: string): UnknownValue | undefined =>
  isPatch(policy.type) && !isGiven(readValue(policy.properties, `spec.${property}`))
    ? { resource: policy, path: `spec.${property}`, reason: PATCHED }
    : undefined;

/** Whether a policy is a patch that changes nothing for packets. */
export const isWithoutSpec = ({ type, properties }: Resource): boolean =>
  isPatch(type) && !("spec" in properties);

/** A label as one string, to look up the selectors that require it. */
export const labelOf = (key: string, value: string): string => `${key}\n${value}`;

/** The labels that an object needs to be selected, each as `key\nvalue`. */
function demandsOf(selector: PropertyValue | undefined): string[] {
  const labels = readValue(selector, "matchLabels");
  if (!isMap(labels)) return [];
  return Object.entries(labels).flatMap(([key, value]) =>
    typeof value === "string" ? [labelOf(key, value)] : [],
  );
}

/** One label without which a selector selects nothing, as `key\nvalue`; undefined if it requires none with a known value. */
export const demandedLabel = (selector: PropertyValue | undefined): string | undefined =>
  demandsOf(selector)[0];

const demandedLabels = ({ type, properties }: Resource): string[] =>
  demandsOf(
    readValue(properties, isNetworkPolicy(type) ? "spec.podSelector" : "spec.subject.pods.podSelector"),
  );

/** The key for policies of administrators, which have no namespace. */
const EVERY_NAMESPACE = "";
/** Stands for the label of policies whose selectors require no label with a known value. */
const NO_LABEL = "";

function rarest(labels: readonly string[], frequency: ReadonlyMap<string, number>): string | undefined {
  let best: string | undefined;
  for (const label of labels)
    if (best === undefined || frequency.get(label)! < frequency.get(best)!) best = label;
  return best;
}

/**
 * Finds the policies that may select a pod without checking each: by namespace, then by one label that their selectors require.
 * Whether a policy does select the pod is up to its selectors. Cached by list, because many pods are judged by one list of policies.
 */
const selectionAmong = onceForEach((policies: readonly Resource[]) => {
  const demanded = policies.map(demandedLabels);
  const frequency = new Map<string, number>();
  for (const label of demanded.flat()) frequency.set(label, (frequency.get(label) ?? 0) + 1);
  const all = policies.map((policy, at) => ({
    policy,
    namespace: namespaceOf(policy),
    // The label that the fewest policies require yields the fewest that do not select the pod after all.
    label: rarest(demanded[at]!, frequency) ?? NO_LABEL,
  }));
  const byNamespace = new KeyedList(all, ({ namespace }) => namespace);
  const byLabel = new KeyedList(all, ({ namespace, label }) =>
    namespace === undefined ? undefined : labelOf(namespace, label),
  );
  return ({ namespace, labels: { labels, complete } }: PodEnd): Resource[] => {
    const own = [NO_LABEL, ...Object.entries(labels).map((label) => labelOf(...label))];
    // A pod that may have other labels may be selected by any of them.
    const found = complete
      ? byLabel.of([namespace, EVERY_NAMESPACE].flatMap((one) => own.map((label) => labelOf(one, label))))
      : byNamespace.of([namespace, EVERY_NAMESPACE]);
    return found.map(({ policy }) => policy);
  };
});

/** The namespace of a policy; undefined if it may be any. */
function namespaceOf({ type, properties }: Resource): string | undefined {
  if (!isNetworkPolicy(type)) return EVERY_NAMESPACE;
  const namespace = readText(properties, "metadata.namespace") ?? API_NAMESPACE;
  return namespace === UNKNOWN ? undefined : namespace;
}

/** The policies that may select a pod, in their order. Do not change a list after its first use here. */
export const policiesAbout = (policies: readonly Resource[], pod: PodEnd): readonly Resource[] =>
  policies.length <= FEW ? policies : selectionAmong(policies)(pod);

/** Checking this few is as fast as finding them. */
const FEW = 8;

/** A named port of a container. */
export interface NamedPort {
  name: string;
  /** `TCP` if the container states none. */
  protocol: string;
  port: number;
}

/** A pod as policies see it. Its addresses are those of the packets. */
export interface PodEnd {
  kind: "pod";
  /** True if its addresses are not stated: its packets may then have any address. */
  isHidden?: true;
  /** Name of its namespace. */
  namespace: string;
  namespaceLabels: KnownLabels;
  labels: KnownLabels;
  /** Named ports of its containers. Undefined if unknown. */
  ports?: readonly NamedPort[];
}

/** Something outside the cluster, or a node: policies see only its addresses, which are those of the packets. */
export interface AddressEnd {
  kind: "addresses";
}

/** One end of packets. */
export type PolicyEnd = PodEnd | AddressEnd;

/** The end with the stated labels of its namespace added. */
export function withStatedLabels<End extends PolicyEnd>(end: End, labelsOf: NamespaceLabels): End {
  const stated = end.kind === "pod" ? labelsOf(end.namespace) : undefined;
  return end.kind === "pod" && stated
    ? { ...end, namespaceLabels: withStated(end.namespaceLabels, stated) }
    : end;
}

/** The labels of the namespace of a hosted control plane; its other labels are not stated. */
export const controlPlaneLabels = (namespace: string): KnownLabels => ({
  labels: { [NAMESPACE_LABEL.name]: namespace },
  complete: false,
  present: { [NAMESPACE_LABEL.controlPlane]: [] },
});

/**
 * The labels of namespaces that are identified by the `stated` ones; `own` is the control-plane namespace. Other labels are not
 * stated. A namespace that is identified by its name belongs to no policy group, and a namespace that is identified by its policy
 * group is none of those that are identified by name.
 */
export function labelsOfNamespaces(stated: Readonly<Record<string, string>>, own: string): KnownLabels {
  const { name, policyGroup, ingressGroup, controlPlane } = NAMESPACE_LABEL;
  const groups = [policyGroup, ingressGroup];
  const labels = withPolicyGroup(stated);
  if (labels[name] === own) return { ...controlPlaneLabels(own), absent: groups };
  if (name in labels) return { labels, complete: false, absent: [...groups, controlPlane] };
  const isGroup = policyGroup in labels;
  const named = namespaceOfGroup(labels[policyGroup]);
  return {
    labels: named === undefined ? labels : { ...labels, [name]: named },
    complete: false,
    ...(isGroup && { absent: [ingressGroup, controlPlane] }),
    present: { [name]: isGroup ? [own, ...Object.values(MANAGEMENT_NAMESPACE)] : [] },
  };
}

/**
 * Whether a namespace selector and a pod selector select an end. Without a namespace selector, the policy's own namespace counts:
 * `own`, undefined if it is unknown.
 */
export function selectsEnd(
  end: PolicyEnd,
  own: string | undefined,
  namespaceSelector: PropertyValue | undefined,
  podSelector: PropertyValue | undefined,
): Maybe {
  if (end.kind === "addresses") return false;
  const isOwn = own === undefined ? undefined : end.namespace === own;
  const inNamespace =
    namespaceSelector === undefined ? isOwn : selected(namespaceSelector, end.namespaceLabels);
  return every([inNamespace, selected(podSelector, end.labels)]);
}

/** The services that ports of a policy stand for. */
export interface KnownServices {
  sure: readonly ServiceRange[];
  possible: readonly ServiceRange[];
  /** Paths of the values that decide. */
  unknown: readonly UnknownPart[];
}

/** Every service, with certainty: no port restricts it. */
export const UNRESTRICTED: KnownServices = { sure: [EVERY_SERVICE], possible: [EVERY_SERVICE], unknown: [] };

/** The services of all the ports together. */
export function together(parts: readonly KnownServices[]): KnownServices {
  return {
    sure: parts.flatMap(({ sure }) => sure),
    possible: parts.flatMap(({ possible }) => possible),
    unknown: parts.flatMap(({ unknown }) => unknown),
  };
}

/** The services of the ports of a NetworkPolicy at an end: no ports mean every service, a port without a number every port. */
export function networkPolicyServices(rule: PropertyValue, path: string, listener: PolicyEnd): KnownServices {
  const ports = read(rule, "ports[]", path);
  if (ports.length === 0) return UNRESTRICTED;
  return together(ports.map((port) => ofPort(port, listener)));
}

function ofPort({ path, value }: Found, listener: PolicyEnd): KnownServices {
  const protocol = readText(value, "protocol") ?? Protocol.Tcp;
  if (protocol === UNKNOWN) return nothingSure(path);
  const number = readValue(value, "port");
  if (number === UNKNOWN) return somePort(protocol, path);
  if (number === undefined) return exactly(protocol, path);
  if (isNamedPort(number)) return named(number, protocol, path, listener);
  if (typeof number !== "string" && typeof number !== "number")
    return nothingSure(`${path}.port`, "is neither a number nor a name");
  const end = readNumber(value, "endPort");
  if (end === UNKNOWN) return somePort(protocol, `${path}.endPort`, undefined, Number(number));
  return exactly(protocol, path, Number(number), end ?? Number(number));
}

/** Whether a port of a policy is a name: a text of digits counts as a number. */
const isNamedPort = (port: PropertyValue | undefined): port is string =>
  typeof port === "string" && !/^\d+$/.test(port);

const LAST_PORT = 65_535;

/** Ports of a protocol, from the first to the last. Default: all. */
export function exactly(protocol: string, path: string, from = 0, to = LAST_PORT): KnownServices {
  const known = TRANSPORT_NUMBER[protocol];
  if (known === undefined) return nothingSure(path, `unknown protocol ${protocol}`);
  if (![from, to].every(isPort)) return nothingSure(path, "no such port");
  if (from > to) return nothingSure(path, "the last port is before the first");
  const services = [service(known, { from, to })];
  return { sure: services, possible: services, unknown: [] };
}

const isPort = (number: number): boolean => Number.isInteger(number) && number >= 0 && number <= LAST_PORT;

/** A port by its name: its number may differ in each pod, and there is none if no container has the name. */
export function named(name: string, protocol: string, path: string, listener: PolicyEnd): KnownServices {
  if (listener.kind === "addresses") return together([]);
  if (!listener.ports) return somePort(protocol, path, unknownNumber(name));
  const ports = listener.ports.filter((port) => port.name === name && port.protocol === protocol);
  return together(ports.map(({ port }) => exactly(protocol, path, port, port)));
}

/** Why a port that a policy states by name is unknown: pods declare its number. */
export const unknownNumber = (name: string): string => `the number of the pods' port ${name} is not known`;

/** Unknown ports of a known protocol. */
export const somePort = (protocol: string, path: string, reason?: string, from?: number): KnownServices =>
  nothingSure(path, reason, exactly(protocol, path, from).possible);

/** Unknown services, at most these. */
export function nothingSure(
  path: string,
  reason?: string,
  possible: readonly ServiceRange[] = [EVERY_SERVICE],
): KnownServices {
  return {
    sure: [],
    possible,
    unknown: [{ path, ...(reason !== undefined && { reason }) }],
  };
}

/** Selectors of a peer of a rule. */
export interface Senders {
  /** Undefined: the policy's own namespace. */
  namespaces: PropertyValue | undefined;
  pods: PropertyValue | undefined;
}

/** A NetworkPolicy has both selectors side by side; an administrator's policy has them inside a kind of peer. */
export function meantBy(peer: PropertyValue): Senders {
  const [namespaces, pods] = ["namespaces", "pods"].map((key) => readValue(peer, key));
  if (isGiven(namespaces)) return { namespaces, pods: undefined };
  const within = isGiven(pods) ? pods : peer;
  const stated = readValue(within, "namespaceSelector");
  return { namespaces: stated ?? (isGiven(pods) ? {} : undefined), pods: readValue(within, "podSelector") };
}

/** Labels of which an end needs at least one to match; undefined if it needs none. */
type Demands = readonly string[] | undefined;

function demandsOfPeer(peer: PropertyValue): Demands {
  const { namespaces, pods } = meantBy(peer);
  const namespace = demandedLabel(namespaces);
  const pod = demandedLabel(pods);
  if (namespace !== undefined) return [`namespace ${namespace}`];
  return pod === undefined ? undefined : [`pod ${pod}`];
}

/** A rule without peers applies to every end. */
function demandsOfRule(rule: PropertyValue, key: string): Demands {
  const peers = read(rule, `${key}[]`);
  return peers.length > 0 ? demandsOfAny(peers.map(({ value }) => demandsOfPeer(value))) : undefined;
}

/** The labels that the rules of one list of a policy require. A list without rules applies to no end. */
export const demandsOfPolicy = ({ properties }: Resource, list: string, key: string): Demands =>
  demandsOfAny(read(properties, `spec.${list}[]`).map(({ value }) => demandsOfRule(value, key)));

const demandsOfAny = (all: readonly Demands[]): Demands =>
  all.every((demands) => demands !== undefined) ? all.flat() : undefined;

/** Policies, rules, or peers of a rule, indexed so that those that may apply to an end are found without checking each. */
export class Selection<T> {
  readonly #demanding: KeyedList<string, { one: T; demand: string | undefined }> | undefined;

  constructor(
    readonly all: readonly T[],
    demandsOf: (one: T) => Demands,
  ) {
    if (all.length <= FEW) return;
    const each = all.flatMap((one) =>
      [...new Set(demandsOf(one) ?? [undefined])].map((demand) => ({ one, demand })),
    );
    this.#demanding = new KeyedList(each, ({ demand }) => demand);
  }

  /** The entries that may apply to an end, in their order. */
  of(end: PolicyEnd): readonly T[] {
    if (!this.#demanding) return this.all;
    if (end.kind === "pod" && !(end.namespaceLabels.complete && end.labels.complete)) return this.all;
    const asked =
      end.kind === "addresses"
        ? []
        : [
            ...Object.entries(end.namespaceLabels.labels).map((label) => `namespace ${labelOf(...label)}`),
            ...Object.entries(end.labels.labels).map((label) => `pod ${labelOf(...label)}`),
          ];
    return [...new Set(this.#demanding.of(asked).map(({ one }) => one))];
  }
}

/** What a policy or a rule lists, by the name of the list. */
const selectionsIn = onceForEach((_: object) => new Map<string, Selection<Found>>());

/** The rules of a policy that may apply to an end, in their order, with their paths. */
export const rulesAbout = (policy: Resource, list: string, key: string, end: PolicyEnd): readonly Found[] =>
  onceIn(
    selectionsIn(policy),
    list,
    () => new Selection(read(policy.properties, `spec.${list}[]`), ({ value }) => demandsOfRule(value, key)),
  ).of(end);

/** The peers of a rule that may select an end, with their paths; `isAnybody` if the rule names no peers. */
export function peersAbout(
  rule: PropertyValue,
  key: string,
  path: string,
  end: PolicyEnd,
): { isAnybody: boolean; peers: readonly Found[] } {
  // That the rule is unknown is already reported with its services.
  if (!isMap(rule)) return { isAnybody: true, peers: [] };
  const selection = onceIn(
    selectionsIn(rule),
    key,
    () => new Selection(read(rule, `${key}[]`), (peer) => demandsOfPeer(peer.value)),
  );
  const peers = selection
    .of(end)
    .map(({ path: place, value }): Found => ({ path: `${path}.${place}`, value }));
  return { isAnybody: selection.all.length === 0, peers };
}
