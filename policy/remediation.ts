import type { ResourceRemediation } from "@pulumi/policy";

import { isUnknownValueError } from "./fromEngine";
import type { Rule, SafeCorrection } from "../src/gate/rule";

type Container = Record<string | number, unknown>;

/**
 * Writes what a rule can correct safely into the inputs of a resource. The engine asks only where the rule's level is
 * `remediate`, which no default is. Inputs are changed in place: what is secret in them stays secret.
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

/** Corrects the values at a path; true where one was changed. */
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
  // The engine's lists throw where an unknown entry is read, so each is read by itself.
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

/** A value, or undefined where it is not known yet: the engine's objects throw then. */
function known(container: Container, key: string | number): unknown {
  try {
    return container[key];
  } catch (error) {
    if (isUnknownValueError(error)) return undefined;
    throw error;
  }
}
