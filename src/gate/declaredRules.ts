import { nameForRole } from "../resources/groupRoles";
import { isObject, read, readText } from "../resources/read";
import type { Resource } from "../resources/resource";
import type { ResourceIndex } from "../resources/resourceIndex";
import { OUR_COMPONENTS } from "../resources/resourceTypes";

/** Whether a rule was made by one of our components because its user asked for it beside the documented flows. */
export type IsDeclared = (rule: Resource) => boolean;

const ADDITIONAL = "additionalRules.";
const CALLER = "-caller-";

/** The key of a rule that the user writes: `additionalRules.ssh`. */
export const additionalRuleKey = (key: string): string => `${ADDITIONAL}${key}`;

/** The key of a flow from a caller that the user names: `endpoint-router-caller-office`. */
export const callerFlowKey = (flow: string, caller: string): string => `${flow}${CALLER}${caller}`;

const isAskedFor = (key: string): boolean => key.startsWith(ADDITIONAL) || key.includes(CALLER);

/** What users declared: components have a table of their rules, with the flows or inputs that each is made for. */
export function declaredRules(index: ResourceIndex): IsDeclared {
  const known = new Map<Resource, ReadonlySet<string>>();
  const namesOf = (component: Resource): ReadonlySet<string> => {
    const names = known.get(component) ?? declaredNames(component);
    known.set(component, names);
    return names;
  };
  return (rule) => {
    const component = index.at(rule.parent);
    return component?.type.startsWith(OUR_COMPONENTS) === true && namesOf(component).has(rule.name);
  };
}

/** Rules of a component have its name, role, direction and key in theirs. */
function declaredNames({ name, properties }: Resource): ReadonlySet<string> {
  const rows = read(properties, "rules[]").flatMap(({ value }) => (isObject(value) ? [value] : []));
  const declared = rows.filter((row) =>
    read(row, "flows[]").some(({ value }) => typeof value === "string" && isAskedFor(value)),
  );
  return new Set(
    declared.map((row) => {
      const [role = "", direction = "", key = ""] = ["role", "direction", "key"].map((property) =>
        String(readText(row, property)),
      );
      return nameForRole(name, role, direction, key);
    }),
  );
}
