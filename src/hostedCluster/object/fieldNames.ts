import { onceIn } from "../../collections";
import type { HostedClusterField, ObjectRule } from "../../requirements/hostedCluster";
import { entriesOf, isGiven, isMap, type Place } from "../../resources/read";
import { closest } from "../../topology/normalize/values";
import type { ObjectFault } from "./serviceFaults";

/** The names of the fields below a place of an object, as far as a table has them. */
export interface FieldNames {
  /** The rule of the field there, or of the first below it: it speaks of what is written in its place. */
  rule: ObjectRule;
  below: Map<string, FieldNames>;
}

/** What stands in the way of a field without a rule of its own. */
const UNRULED: ObjectRule = "publishing-unsupported";

/** The names in a table of fields. */
export function fieldNames(fields: readonly Pick<HostedClusterField, "path" | "rule">[]): FieldNames {
  const names: FieldNames = { rule: UNRULED, below: new Map() };
  for (const { path, rule } of fields) {
    const steps = path.replaceAll("[]", ".[]").split(".");
    const below = () => ({ rule: rule ?? UNRULED, below: new Map<string, FieldNames>() });
    const own = steps.reduce((at, step) => onceIn(at.below, step, below), names);
    if (rule) own.rule = rule;
  }
  return names;
}

/** What the API server makes of a field that it does not have. */
export const NO_SUCH_FIELD =
  "no such field: the API drops it, and refuses the object where fields are validated strictly";

/** Fields that are none, beside fields with nearly the same name. Of others the API may have more than a table. */
export function misspelledFaults({ below }: FieldNames, { path, value }: Place): ObjectFault[] {
  const entries = below.get("[]");
  if (entries)
    return entriesOf(value).flatMap((entry, position) =>
      misspelledFaults(entries, { path: `${path}[${position}]`, value: entry }),
    );
  if (below.size === 0 || !isMap(value)) return [];
  return Object.keys(value).flatMap((key) => {
    const at = path === "" ? key : `${path}.${key}`;
    const known = below.get(key);
    if (known) return misspelledFaults(known, { path: at, value: value[key]! });
    const meant = path === "" ? undefined : closest(key, [...below.keys()]);
    if (meant === undefined || !isGiven(value[key])) return [];
    const { rule } = below.get(meant)!;
    return [{ path: at, problem: NO_SUCH_FIELD, remedy: `did you mean ${meant}?`, rule }];
  });
}
