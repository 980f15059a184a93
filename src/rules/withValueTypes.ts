import { isGiven, isList, isMap, stepTo } from "../resources/read";
import { UNKNOWN, type PropertyValue, type Resource } from "../resources/resource";
import { placesByResource, Status, unknown, violated, type Judgement, type Rule } from "../gate/rule";
import { NOT_OF_TYPE, OF_TYPE } from "../objects/places";
import { typedKinds, type TypedKind, type ValueType } from "./valueTypes";

/**
 * Extends a rule to report values of a wrong type and values that are not known: if a name or a
 * setting that decides what is checked at all has such a value, the rest would pass silently.
 */
export function withValueTypes(rule: Rule): Rule {
  const kinds = typedKinds.filter(({ rule: id }) => id === rule.id);
  if (kinds.length === 0) return rule;
  return {
    ...rule,
    judge: (judged) => {
      const found = rule.judge(judged);
      const asked = kinds.filter(
        ({ beside }) => beside === undefined || (beside === "clusters") === judged.clusters.length > 0,
      );
      const more = asked.flatMap((kind) =>
        judged.ofKind(kind.holds).flatMap((resource) => judgementsOf(resource, kind)),
      );
      return more.length === 0 ? found : [...found, ...unsaid(more, found)];
    },
  };
}

/** The judgements that are not in `found`. Compares only judgements of the same object, because thousands of objects may have a fault. */
function unsaid(more: readonly Judgement[], found: readonly Judgement[]): Judgement[] {
  const violations = found.filter(({ status }) => status === Status.Violated);
  const [said, surelySaid] = [placesByResource(found), placesByResource(violations)];
  return more.filter(({ resource, path, status }) => {
    const places = (status === Status.Unknown ? said : surelySaid).get(resource);
    return !places?.haveIn(path) && !places?.holds(path);
  });
}

function judgementsOf(resource: Resource, { fields, isCloud }: TypedKind): Judgement[] {
  const found = misfits(resource.properties, fields, "");
  if (isCloud)
    return found.flatMap(({ path, needs, value }) =>
      needs === undefined || isConverted(value, needs)
        ? []
        : [unknown({ resource, path, reason: NOT_OF_TYPE[needs] })],
    );
  return found.map(({ path, needs, value }) =>
    needs === undefined
      ? unknown({ resource, path })
      : violated({
          resource: resource.origin,
          path,
          message: NOT_OF_TYPE[needs],
          fix: needs === "text" && isScalar(value) ? "write it in quotes" : `write ${OF_TYPE[needs]}`,
        }),
  );
}

/** Whether a value would be a text if it were quoted. */
const isScalar = (value: PropertyValue): boolean => typeof value === "number" || typeof value === "boolean";

/** The required type of a value. */
type Needs = keyof typeof OF_TYPE;

/** Whether a provider converts a value to the required type. */
function isConverted(value: PropertyValue, needs: Needs): boolean {
  if (needs === "text") return isScalar(value);
  const pattern = needs === "number" ? /^-?\d+$/ : needs === "flag" ? /^(true|false)$/ : undefined;
  return typeof value === "string" && pattern?.test(value) === true;
}

/** A value that does not fit, with the required type; without a type if the value is unknown. */
interface Misfit {
  path: string;
  value: PropertyValue;
  needs?: Needs;
}

/** The parts of a value that do not fit a type. Messages show no value: a value in a wrong place may be a secret. */
function misfits(value: PropertyValue | undefined, type: ValueType, path: string): Misfit[] {
  if (!isGiven(value)) return [];
  if (value === UNKNOWN) return [{ path, value }];
  switch (type) {
    case "text":
      return typeof value === "string" ? [] : [{ path, value, needs: "text" }];
    case "number":
      return Number.isInteger(value) ? [] : [{ path, value, needs: "number" }];
    case "flag":
      return typeof value === "boolean" ? [] : [{ path, value, needs: "flag" }];
  }
  if (isEntryType(type)) {
    if (!isList(value)) return [{ path, value, needs: "list" }];
    return value.flatMap((entry, position) => misfits(entry, type[0], `${path}[${position}]`));
  }
  if (!isMap(value)) return [{ path, value, needs: "object" }];
  const keys = Object.keys(type === "texts" ? value : type);
  return keys.flatMap((key) =>
    misfits(value[key], type === "texts" ? "text" : type[key]!, path === "" ? key : `${path}${stepTo(key)}`),
  );
}

const isEntryType = (type: ValueType): type is readonly [ValueType] => Array.isArray(type);
