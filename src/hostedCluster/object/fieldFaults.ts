import type { Fault } from "../../fault";
import type { ObjectField, ObjectRule } from "../../requirements/hostedCluster";
import { isGiven, isMap, read } from "../../resources/read";
import { UNKNOWN, type PropertyValue } from "../../resources/resource";
import { howTo, valueFaults } from "../../objects/places";

/** Something that is wrong with an object, with the rule that says so. */
export interface ObjectFault extends Fault {
  rule: ObjectRule;
  /** True where only some versions of the API refuse it. */
  isWarning?: boolean;
}

/** What one field says, as far as it is there: faults, and the places whose values are not known yet. */
export interface FieldJudgement {
  faults: ObjectFault[];
  unknown: string[];
}

/**
 * What is wrong with one field of an object. No value is shown: whatever stands in a wrong place may be a secret.
 *
 * @param isPatch a patch may leave out what is demanded
 */
export function judgeField(object: PropertyValue, field: ObjectField, isPatch: boolean): FieldJudgement {
  const places = read(object, field.path);
  const missing = field.required && !isPatch ? missingPlaces(object, field.path) : [];
  return {
    faults: [
      ...missing.map((path) => ({ path, problem: "missing", remedy: howTo(field), rule: field.rule })),
      ...places.flatMap((place) =>
        valueFaults(field, place).map((fault) => ({ ...fault, rule: field.rule })),
      ),
    ],
    unknown: places.flatMap(({ path, value }) =>
      value === UNKNOWN && sameDepth(path, field.path) ? [path] : [],
    ),
  };
}

/** Whether a place is that of the field itself, and not of something around it. */
const sameDepth = (path: string, wanted: string): boolean => path.replaceAll(/\[\d+\]/g, "[]") === wanted;

/** The places of a field in objects that lack it. */
function missingPlaces(object: PropertyValue, path: string): string[] {
  const cut = path.lastIndexOf(".");
  const key = path.slice(cut + 1);
  return read(object, path.slice(0, cut)).flatMap(({ path: parent, value }) =>
    isMap(value) && !isGiven(value[key]) ? [`${parent}.${key}`] : [],
  );
}
