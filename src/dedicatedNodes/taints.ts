import { append } from "../collections";
import type { Fault } from "../fault";
import {
  NODE_KEY,
  TaintEffect,
  TolerationOperator,
  toleratedTaints,
  type Taint,
  type Toleration,
} from "../requirements/dedicatedNodes";
import { LIMIT } from "../requirements/limits";
import { type PropertyValue, UNKNOWN } from "../resources/resource";
import {
  entriesOf,
  holdsUnknown,
  isGiven,
  isMap,
  type Place,
  propertyOf,
  type PropertyMap,
} from "../resources/read";
import { labelKey, labelValue, list, needed, number, object, shapeFaults, word } from "../objects/shape";

/** The taint settings other than the hosted cluster. They are valid and plain. */
export interface TaintOptions {
  reserveForControlPlanes?: boolean | undefined;
  additionalTaints?: readonly Taint[] | undefined;
}

/** The taints of nodes dedicated to one hosted control plane: those that its pods tolerate by default, and the user's. */
export function nodeTaints(
  controlPlaneNamespace: string,
  { reserveForControlPlanes, additionalTaints = [] }: TaintOptions,
): Taint[] {
  const own = toleratedTaints(controlPlaneNamespace).filter(
    ({ key }) => key === NODE_KEY.cluster || reserveForControlPlanes === true,
  );
  return [...own, ...additionalTaints];
}

/** Whether a toleration lets a pod stay permanently on a node with that taint. */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  const { key = "", operator = TolerationOperator.Equal, value = "", effect } = toleration;
  const runsOut = toleration.tolerationSeconds !== undefined && taint.effect === TaintEffect.NoExecute;
  if (runsOut || (effect !== undefined && effect !== taint.effect)) return false;
  if (operator === TolerationOperator.Exists) return key === "" || key === taint.key;
  return key === taint.key && value === (taint.value ?? "");
}

/** Whether any of these tolerations lets a pod stay. For many taints: each taint is compared only with tolerations of its key. */
export function toleratedBy(tolerations: readonly Toleration[]): (taint: Taint) => boolean {
  const byKey = new Map<string, Toleration[]>();
  for (const toleration of tolerations) append(byKey, toleration.key ?? "", [toleration]);
  // A toleration without a key may tolerate every taint.
  return (taint) =>
    [taint.key, ""].some((key) => byKey.get(key)?.some((toleration) => tolerates(toleration, taint)));
}

const EFFECTS = Object.values(TaintEffect);

const MOST_TAINTS = LIMIT.nodePoolTaints - toleratedTaints("").length;

const additionalTaints = list(
  object(
    {
      key: needed(labelKey, "write name or prefix.example.com/name"),
      value: labelValue,
      effect: needed(word(EFFECTS, "a taint needs ")),
    },
    { remedy: "write key, value and effect", relations: [ownFaults] },
  ),
  {
    size: { min: 0, max: MOST_TAINTS },
    remedy: `write a list of key, value and effect, ${MOST_TAINTS} entries at most`,
    once: (entry) => {
      const [own, effect] = [propertyOf(entry, "key"), propertyOf(entry, "effect")];
      return typeof own === "string" && typeof effect === "string" ? `${own}:${effect}` : undefined;
    },
  },
);

/** Faults of the taints in addition to the component's own. A taint that the control plane does not tolerate keeps it off its nodes. */
export function additionalTaintFaults(
  { path, value }: Place,
  tolerations: PropertyValue | undefined,
  controlPlaneNamespace: string | undefined,
): Fault[] {
  const faults = shapeFaults(additionalTaints, { path, value });
  const isKnown = controlPlaneNamespace !== undefined && !holdsUnknown(tolerations) && !holdsUnknown(value);
  if (faults.length > 0 || !isKnown) return faults;
  const isTolerated = toleratedBy([
    ...toleratedTaints(controlPlaneNamespace),
    ...(entriesOf(tolerations).filter(isMap) as unknown as Toleration[]),
  ]);
  return (entriesOf(value) as unknown as Taint[]).flatMap((taint, position) =>
    isTolerated(taint) ? [] : [untolerated(`${path}[${position}]`, taint)],
  );
}

function ownFaults(path: string, taint: PropertyMap): Fault[] {
  if (taint.key !== NODE_KEY.cluster) return [];
  return [{ path: `${path}.key`, problem: `${taint.key} is set automatically`, remedy: "remove it" }];
}

function untolerated(path: string, { key, value, effect }: Taint): Fault {
  const shown = `${key}${value ? `=${value}` : ""}:${effect}`;
  const hint =
    key === NODE_KEY.documented
      ? `remove it: HyperShift's own key ${NODE_KEY.cluster} is set anyway`
      : "remove the taint";
  return {
    path,
    problem: `${shown} is a taint that pods of the control plane do not tolerate: none could run there`,
    remedy: `add a toleration for it to spec.tolerations of the HostedCluster and write that in tolerations, or ${hint}`,
  };
}

/** The tolerations of a HostedCluster. */
export const tolerations = list(
  object(
    {
      key: labelKey,
      operator: word(Object.values(TolerationOperator)),
      value: labelValue,
      effect: word(EFFECTS),
      tolerationSeconds: number(),
    },
    { remedy: "write key, operator, effect", relations: [tolerationFaults] },
  ),
  {
    size: { min: 0, max: LIMIT.tolerations },
    remedy: `write spec.tolerations, ${LIMIT.tolerations} entries at most`,
  },
);

function tolerationFaults(path: string, toleration: PropertyMap): Fault[] {
  const { operator, effect } = toleration;
  const exists = operator === TolerationOperator.Exists;
  const faults: Fault[] = [];
  if (!isGiven(toleration.key) && !exists && operator !== UNKNOWN)
    faults.push({ path: `${path}.key`, problem: "missing", remedy: "write it, or operator: Exists" });
  if (isGiven(toleration.value) && exists)
    faults.push({
      path: `${path}.value`,
      problem: "is set together with operator Exists, which compares no value",
      remedy: "remove one of the two",
    });
  if (isGiven(toleration.tolerationSeconds) && effect !== TaintEffect.NoExecute && effect !== UNKNOWN)
    faults.push({
      path: `${path}.tolerationSeconds`,
      problem: "is set without effect NoExecute, the only effect that uses it",
      remedy: "add effect: NoExecute, or remove it",
    });
  return faults;
}
