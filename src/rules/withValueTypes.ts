import { isGiven, isList, isMap, stepTo } from "../resources/read";
import { UNKNOWN, type PropertyValue, type Resource } from "../resources/resource";
import { placesByResource, Status, unknown, violated, type Judgement, type Rule } from "../gate/rule";
import { NOT_OF_TYPE, OF_TYPE } from "../objects/places";
import { typedKinds, type TypedKind, type ValueType } from "./valueTypes";

/**
 * The rule, which also speaks of values that cannot stand where they do, and of those that are not known: where a name or a setting
 * that decides what is judged at all is one of them, the rest would pass without a word.
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

/** What is not said already. Thousands of objects may have one fault each: only those of the same object are compared. */
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

/** Whether a value would be a text in quotes. */
const isScalar = (value: PropertyValue): boolean => typeof value === "number" || typeof value === "boolean";

/** The type that a value has to have. */
type Needs = keyof typeof OF_TYPE;

/** Whether a provider makes what is needed of a value. */
function isConverted(value: PropertyValue, needs: Needs): boolean {
  if (needs === "text") return isScalar(value);
  const pattern = needs === "number" ? /^-?\d+$/ : needs === "flag" ? /^(true|false)$/ : undefined;
  return typeof value === "string" && pattern?.test(value) === true;
}

/** A value that cannot stand where it does, with what has to stand there; without, where that is unknown. */
interface Misfit {
  path: string;
  value: PropertyValue;
  needs?: Needs;
}

/** What cannot stand in a value of a type. No value is shown: whatever stands in a wrong place may be a secret. */
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
