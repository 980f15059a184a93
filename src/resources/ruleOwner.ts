import { isObject, readText } from "./read";
import type { PropertyValue, Resource } from "./resource";
import type { SecurityGroupRule } from "./securityGroups";

/** How controllers begin the descriptions of rules that they write into the groups of others. (Kubernetes, Service, AWS NLB) */
const CONTROLLERS: readonly string[] = ["kubernetes.io/rule/nlb/", "elbv2.k8s.aws/"];

/** Whether a controller wrote a rule, and would write it again: it is nobody's decision in a plan. */
export function isByController({ resource, path }: Pick<SecurityGroupRule, "resource" | "path">): boolean {
  const description = readText(writtenAt(resource, path), "description");
  return (
    typeof description === "string" && CONTROLLERS.some((beginning) => description.startsWith(beginning))
  );
}

/** The properties of a rule: those of its resource, or an entry of a list in it. */
export function writtenAt({ properties }: Resource, path: string): PropertyValue | undefined {
  const [, list, position] = /^(\w+)\[(\d+)\]$/.exec(path) ?? [];
  if (list === undefined) return properties;
  const entries = properties[list];
  return Array.isArray(entries) ? (entries as readonly PropertyValue[])[Number(position)] : undefined;
}

const OWNED = /^kubernetes\.io\/cluster\//;

/** Whether a group belongs to a cluster's own controllers, as HyperShift's for nodes and VPC endpoints do, and not to a user. */
export function isOwnedByCluster(group: Resource | undefined): boolean {
  const tags: (PropertyValue | undefined)[] = [group?.properties.tagsAll, group?.properties.tags];
  return tags.some(
    (its) =>
      isObject(its) && Object.entries(its).some(([key, value]) => OWNED.test(key) && value === "owned"),
  );
}
