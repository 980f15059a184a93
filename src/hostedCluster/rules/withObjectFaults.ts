import { isJudgedObject, judgeObject } from "../object";
import type { ObjectRule } from "../../requirements/hostedCluster";
import type { Resource } from "../../resources/resource";
import type { JudgedResources } from "../../gate/judgedResources";
import { Level, Status, unknown, violated, type Judgement } from "../../gate/rule";

/**
 * What a rule found, and what objects by themselves show under it: fields that the API server refuses, and relations between
 * them. A place that the rule spoke of already is not named twice.
 */
export function withObjectFaults(
  judged: JudgedResources,
  rule: ObjectRule,
  found: readonly Judgement[],
): Judgement[] {
  const more = judged.ofKind(isJudgedObject).flatMap((resource) => ofObject(resource, rule));
  return [...found, ...more.filter((one) => !found.some((other) => isSaid(one, other)))];
}

/** Whether another judgement of the same object speaks of this place, more exactly of a place in it, or of all around it. */
function isSaid(one: Judgement, other: Judgement): boolean {
  if (one.resource !== other.resource || one.status !== other.status) return false;
  // What is wrong with single services stands at the list, beside what is wrong with the list.
  if (one.path === LIST) return false;
  if (one.path === other.path || isInside(other.path, one.path)) return true;
  return one.status === Status.Unknown && isInside(one.path, other.path);
}

const LIST = "spec.services";
const isInside = (path: string, outer: string): boolean =>
  path.startsWith(`${outer}.`) || path.startsWith(`${outer}[`);

function ofObject(resource: Resource, rule: ObjectRule): Judgement[] {
  const { faults, unknown: pending } = judgeObject(resource, rule);
  return [
    ...faults.map(({ path, problem, remedy, isWarning }) =>
      violated({
        resource: resource.origin,
        path,
        message: problem,
        fix: remedy,
        ...(isWarning && { level: Level.Warning }),
      }),
    ),
    ...pending.map((path) => unknown({ resource, path })),
  ];
}
