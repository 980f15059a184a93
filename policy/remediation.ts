import type { ResourceRemediation } from "@pulumi/policy";

import { isUnknownValueError } from "./fromEngine";
import type { Rule, SafeMend } from "../src/gate/rule";

type Container = Record<string | number, unknown>;

/**
 * Writes what a rule can mend safely into the inputs of a resource. The engine asks only where the rule's level is
 * `remediate`, which no default is. Inputs are changed in place: what is secret in them stays secret.
 */
export function remediationOf({ mends }: Rule): ResourceRemediation | undefined {
  if (!mends) return undefined;
  return ({ type, props }) => {
    const changed = mends(type).map((mend) => mendAt(props, mend.path.split("."), mend));
    return changed.includes(true) ? props : undefined;
  };
}

/** Mends the values at a path; true where one was changed. */
function mendAt(container: unknown, [step = "", ...rest]: readonly string[], mend: SafeMend): boolean {
  if (typeof container !== "object" || container === null) return false;
  const isList = step.endsWith("[]");
  const key = isList ? step.slice(0, -2) : step;
  if (!isList) return mendKey(container as Container, key, rest, mend);
  const list = known(container as Container, key);
  if (!Array.isArray(list)) return false;
  // The engine's lists throw where an unknown entry is read, so each is read by itself.
  const positions = Array.from({ length: list.length }, (_, at) => at);
  return positions.map((at) => mendKey(list as unknown as Container, at, rest, mend)).includes(true);
}

function mendKey(
  container: Container,
  key: string | number,
  rest: readonly string[],
  mend: SafeMend,
): boolean {
  const value = known(container, key);
  if (rest.length > 0) return mendAt(value, rest, mend);
  const mended = typeof value === "string" ? mend.mend(value) : undefined;
  if (mended === undefined) return false;
  container[key] = mended;
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
