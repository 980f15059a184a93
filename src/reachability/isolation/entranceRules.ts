import { onceForEach } from "../../collections";
import { Direction } from "../../requirements/vocabulary";
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
import { concerns } from "../filters/networkPolicy";
import { isNamedPort, unknownNumber } from "../filters/policySelection";
import { pathToPods } from "./excess";

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
        text: textOf([readValue(properties, pods) ?? {}, rule.value]),
        unknown: [
          ...[...places].map((path) => ({ resource: policy, path })),
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

/** The ports that a rule states by name. */
const namedPorts = ({ path, value }: Found): { path: string; reason: string }[] =>
  read(value, "ports[].port", path).flatMap((port) =>
    isNamedPort(port.value) ? { path: port.path, reason: unknownNumber(port.value) } : [],
  );

/** Whether an example of a sender says all that a rule lets in: its blocks, or pods and namespaces that it selects by labels alone. */
export function namesOneSender(rule: PropertyValue): boolean {
  const peers = read(rule, "from[]").map(({ value }) => value);
  const [first] = peers;
  if (first === undefined) return false;
  if (peers.every((peer) => isGiven(readValue(peer, "ipBlock")))) return true;
  const isPlain = ["namespaceSelector", "podSelector"].every(
    (key) => read(first, `${key}.matchExpressions[]`).length === 0,
  );
  const namespaces = readValue(first, "namespaceSelector.matchLabels");
  return peers.length === 1 && isPlain && isMap(namespaces) && Object.keys(namespaces).length > 0;
}

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
