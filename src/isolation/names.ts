import { hyperShiftPolicies } from "../requirements/networkPolicies";

/** How the names of this package's policies begin, so that they differ from those that HyperShift writes again and again. */
const PREFIX = "isolation-";

export const policyName = (key: string): string => `${PREFIX}${key}`;

/** Who else writes a policy of that name, as the subject of a sentence. */
export function ownerOfName(name: string): string | undefined {
  if (hyperShiftPolicies.some((policy) => policy.name === name)) return "HyperShift";
  return name.startsWith(PREFIX) ? "this component" : undefined;
}
