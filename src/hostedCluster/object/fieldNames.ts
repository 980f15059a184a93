import { onceIn } from "../../collections";
import type { HostedClusterField, ObjectRule } from "../../requirements/hostedCluster";
import { entriesOf, isGiven, isMap, type Place } from "../../resources/read";
import { closest } from "../../topology/normalize/values";
import type { ObjectFault } from "./serviceFaults";

/** The names of the fields below a path of an object, to the extent that a table lists them. */
export interface FieldNames {
  /** The rule of the field at this path, or of the first field below it. It reports misspelled names of the field. */
  rule: ObjectRule;
  below: Map<string, FieldNames>;
}

/** The rule for fields without a rule of their own. */
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

/** What the API server does with a field that it does not know. */
export const NO_SUCH_FIELD =
  "no such field: the API drops it, and refuses the object if fields are validated strictly";

/** Faults of unknown fields with nearly the name of a known one. Other unknown fields may exist in the API without being in the table. */
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
