import type { Origin, Resource } from "../resource";
import { isPatch } from "../resourceTypes";
import { identityOf, type Identity } from "./identity";

/** An object that is compared, with everything that is said of it: itself, and patches on it. */
export interface ObjectOfPlan {
  identity: Identity;
  /** The object itself where it is there, otherwise the first patch. */
  origin: Origin;
  resources: Resource[];
}

/** The objects that resources speak of, as far as they are compared. */
export function objectsOf(resources: readonly Resource[]): ObjectOfPlan[] {
  const objects = new Map<string, { identity: Identity; resources: Resource[] }>();
  for (const resource of resources) {
    const identity = identityOf(resource);
    if (!identity) continue;
    const known = objects.get(identity.key);
    if (known) known.resources.push(resource);
    else objects.set(identity.key, { identity, resources: [resource] });
  }
  return [...objects.values()].map((object) => ({ ...object, origin: originOf(object.resources) }));
}

const originOf = (resources: readonly Resource[]): Origin =>
  (resources.find(({ type }) => !isPatch(type)) ?? resources[0]!).origin;

/** The providers that resources of a stack name. */
export const providersOf = (resources: readonly Resource[]): ReadonlySet<string> =>
  new Set(resources.flatMap(({ provider }) => provider ?? []));
