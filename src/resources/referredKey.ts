import type { Resource } from "./resource";
import type { ResourceIndex } from "./resourceIndex";
import { VPCS } from "./resourceTypes";

/** What tells a resource from others of its kind. */
export const keyOf = ({ origin, name }: Resource): string => origin.urn ?? name;

/** What a property refers to, as a key that is the same for all who refer to it; one of its own where it is unknown. */
export const referredKey = (
  index: ResourceIndex,
  resource: Resource,
  property: string,
  types: ReadonlySet<string>,
): string => knownKey(index, resource, property, types) ?? `${keyOf(resource)} ${property}`;

/** The same; undefined where it is unknown. */
export function knownKey(
  index: ResourceIndex,
  resource: Resource,
  property: string,
  types: ReadonlySet<string>,
): string | undefined {
  const referred = index.referred(resource, property, types);
  if (typeof referred === "string") return referred;
  return typeof referred === "object" ? keyOf(referred) : undefined;
}

/** The key of the VPC that a property refers to; undefined where it is unknown. */
export const vpcKey = (index: ResourceIndex, resource: Resource, property: string): string | undefined =>
  knownKey(index, resource, property, VPCS);
