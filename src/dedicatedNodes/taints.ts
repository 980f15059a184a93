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
import type { PropertyValue } from "../resources/resource";
import {
  entriesOf,
  holdsUnknown,
  isGiven,
  isList,
  isMap,
  type Place,
  type PropertyMap,
} from "../resources/read";
import {
  choiceFaults,
  labelKeyFaults,
  labelValueFaults,
  shownText,
  unknownKeyFaults,
  wordFaults,
} from "../objects/places";

/** What decides about the taints beside the hosted cluster; right and plain. */
export interface TaintOptions {
  reserveForControlPlanes?: boolean | undefined;
  additionalTaints?: readonly Taint[] | undefined;
}

/** The taints of nodes that are for one hosted control plane: those that its pods tolerate by themselves, and the user's. */
export function nodeTaints(
  controlPlaneNamespace: string,
  { reserveForControlPlanes, additionalTaints = [] }: TaintOptions,
): Taint[] {
  const own = toleratedTaints(controlPlaneNamespace).filter(
    ({ key }) => key === NODE_KEY.cluster || reserveForControlPlanes === true,
  );
  return [...own, ...additionalTaints];
}

/** Whether a toleration lets a pod stay on a node with that taint for good. */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  const { key = "", operator = TolerationOperator.Equal, value = "", effect } = toleration;
  const runsOut = toleration.tolerationSeconds !== undefined && taint.effect === TaintEffect.NoExecute;
  if (runsOut || (effect !== undefined && effect !== taint.effect)) return false;
  if (operator === TolerationOperator.Exists) return key === "" || key === taint.key;
  return key === taint.key && value === (taint.value ?? "");
}

const EFFECTS = Object.values(TaintEffect);

/** The faults of taints beside the component's own. A taint that the control plane does not tolerate keeps it off its nodes. */
export function additionalTaintFaults(
  { path, value }: Place,
  known: PropertyMap,
  controlPlaneNamespace: string | undefined,
): Fault[] {
  if (!isGiven(value) || holdsUnknown(value)) return [];
  if (!isList(value))
    return [{ path, problem: `${shownText(value)} is no list`, remedy: "write key, value and effect" }];
  const most = LIMIT.nodePoolTaints - toleratedTaints("").length;
  if (value.length > most)
    return [{ path, problem: `are ${value.length} taints`, remedy: `write ${most} at most` }];
  const formal = value.flatMap((entry, position) =>
    taintFaults(`${path}[${position}]`, entry, value.slice(0, position)),
  );
  const tolerations = entriesOf(known.tolerations) as unknown as Toleration[];
  const judgeable = controlPlaneNamespace !== undefined && !holdsUnknown(known.tolerations);
  if (formal.length > 0 || !judgeable) return formal;
  const tolerated = [...toleratedTaints(controlPlaneNamespace), ...tolerations];
  return (value as unknown as Taint[]).flatMap((taint, position) =>
    tolerated.some((toleration) => tolerates(toleration, taint))
      ? []
      : [untolerated(`${path}[${position}]`, taint)],
  );
}

function untolerated(path: string, { key, value, effect }: Taint): Fault {
  const shown = `${key}${value ? `=${value}` : ""}:${effect}`;
  const hint =
    key === NODE_KEY.documented
      ? `HyperShift's own key ${NODE_KEY.cluster} is set without it`
      : "take the taint out";
  return {
    path,
    problem: `${shown} is a taint that pods of the control plane do not tolerate: none could run there`,
    remedy: `give it a toleration in spec.tolerations of the HostedCluster and write that in tolerations, or leave it: ${hint}`,
  };
}

function taintFaults(path: string, entry: PropertyValue, before: readonly PropertyValue[]): Fault[] {
  if (!isMap(entry)) return [{ path, problem: "is no taint", remedy: "write key, value and effect" }];
  const { key, value, effect } = entry;
  const twice = before.some((other) => isMap(other) && other.key === key && other.effect === effect);
  const own = key === NODE_KEY.cluster;
  return [
    ...unknownKeyFaults(path, entry, ["key", "value", "effect"]),
    ...labelKeyFaults({ path: `${path}.key`, value: key }),
    ...(isGiven(value) ? labelValueFaults({ path: `${path}.value`, value }) : []),
    ...wordFaults({ path: `${path}.effect`, value: effect }, EFFECTS, "a taint needs "),
    ...(own ? [{ path: `${path}.key`, problem: `${key} is set anyway`, remedy: "take it out" }] : []),
    ...(twice ? [{ path, problem: `${shownText(key)} stands there twice`, remedy: "take it out" }] : []),
  ];
}

/** The faults of the tolerations of a HostedCluster. */
export function tolerationsFaults({ path, value }: Place): Fault[] {
  if (!isGiven(value) || holdsUnknown(value)) return [];
  if (!isList(value))
    return [{ path, problem: `${shownText(value)} is no list`, remedy: "write spec.tolerations" }];
  if (value.length > LIMIT.tolerations)
    return [
      { path, problem: `are ${value.length} tolerations`, remedy: `write ${LIMIT.tolerations} at most` },
    ];
  return value.flatMap((entry, position) => tolerationFaults(`${path}[${position}]`, entry));
}

function tolerationFaults(path: string, entry: PropertyValue): Fault[] {
  if (!isMap(entry)) return [{ path, problem: "is no toleration", remedy: "write key, operator, effect" }];
  const { key, operator, value, effect, tolerationSeconds: seconds } = entry;
  const exists = operator === TolerationOperator.Exists;
  const faults = [
    ...unknownKeyFaults(path, entry, ["key", "operator", "value", "effect", "tolerationSeconds"]),
    ...(isGiven(key) ? labelKeyFaults({ path: `${path}.key`, value: key }) : []),
    ...choiceFaults({ path: `${path}.operator`, value: operator }, Object.values(TolerationOperator)),
    ...(isGiven(value) ? labelValueFaults({ path: `${path}.value`, value }) : []),
    ...choiceFaults({ path: `${path}.effect`, value: effect }, EFFECTS),
  ];
  if (!isGiven(key) && !exists)
    faults.push({ path: `${path}.key`, problem: "missing", remedy: "write it, or operator: Exists" });
  if (isGiven(value) && exists)
    faults.push({
      path: `${path}.value`,
      problem: "stands beside operator Exists, which compares no value",
      remedy: "take one of the two out",
    });
  if (isGiven(seconds) && (!Number.isInteger(seconds) || effect !== TaintEffect.NoExecute))
    faults.push({
      path: `${path}.tolerationSeconds`,
      problem: `${shownText(seconds)} is no number of seconds, or the effect is not NoExecute`,
      remedy: "write a whole number beside effect: NoExecute, or take it out",
    });
  return faults;
}
