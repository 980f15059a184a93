import { isObject, readText } from "./read";
import type { PropertyValue, Resource } from "./resource";
import type { SecurityGroupRule } from "./securityGroups";
import type { Family } from "../address";

/** How controllers begin the descriptions of rules that they write into the groups of others. (Kubernetes, Service, AWS NLB) */
const CONTROLLERS: readonly string[] = ["kubernetes.io/rule/nlb/", "elbv2.k8s.aws/"];

/** Whether a controller wrote a rule, and would write it again: it is not a decision of the plan. */
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

/** What a security-group rule names at its other end, as AWS's quota counts it. */
export type CountedPeer =
  | { kind: "prefix"; family: Family }
  /** A security group, the own one among them. */
  | { kind: "group" }
  /** A prefix list, with the most entries that it may have. */
  | { kind: "prefixList"; maxEntries: number };

/** Both families, which AWS counts apart. */
export const FAMILIES: readonly Family[] = [4, 6];

/**
 * As how many rules of a family AWS counts one: a block once in its family; a security group once in both; a prefix list as
 * often as it may have entries, in both, because its family is not known.
 */
export function ruleWeight(peer: CountedPeer, family: Family): number {
  if (peer.kind === "prefix") return peer.family === family ? 1 : 0;
  return peer.kind === "prefixList" ? peer.maxEntries : 1;
}
