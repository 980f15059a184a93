import type { ResourceRemediation } from "@pulumi/policy";

import { isUnknownValueError } from "./fromEngine";
import type { Rule, SafeCorrection } from "../src/gate/rule";

type Container = Record<string | number, unknown>;

/**
 * Writes a rule's safe corrections into the inputs of a resource. The engine calls it only if the rule's level is `remediate`,
 * which is never the default. Inputs are changed in place, so that secrets in them stay secret.
 */
export function remediationOf({ corrections }: Rule): ResourceRemediation | undefined {
  if (!corrections) return undefined;
  return ({ type, props }) => {
    const changed = corrections(type).map((correction) =>
      correctAt(props, correction.path.split("."), correction),
    );
    return changed.includes(true) ? props : undefined;
  };
}

/** Corrects the values at a path; returns true if one was changed. */
function correctAt(
  container: unknown,
  [step = "", ...rest]: readonly string[],
  correction: SafeCorrection,
): boolean {
  if (typeof container !== "object" || container === null) return false;
  const isList = step.endsWith("[]");
  const key = isList ? step.slice(0, -2) : step;
  if (!isList) return correctKey(container as Container, key, rest, correction);
  const list = known(container as Container, key);
  if (!Array.isArray(list)) return false;
  // The engine's lists throw if an unknown entry is read, so each entry is read separately.
  const positions = Array.from({ length: list.length }, (_, at) => at);
  return positions.map((at) => correctKey(list as unknown as Container, at, rest, correction)).includes(true);
}

function correctKey(
  container: Container,
  key: string | number,
  rest: readonly string[],
  correction: SafeCorrection,
): boolean {
  const value = known(container, key);
  if (rest.length > 0) return correctAt(value, rest, correction);
  const corrected = typeof value === "string" ? correction.correct(value) : undefined;
  if (corrected === undefined) return false;
  container[key] = corrected;
  return true;
}

/** A value, or undefined if it is not known yet: the engine's objects throw in that case. */
function known(container: Container, key: string | number): unknown {
  try {
    return container[key];
  } catch (error) {
    if (isUnknownValueError(error)) return undefined;
    throw error;
  }
}
