import { readText, readValue } from "../../../resources/read";
import { networkAcls } from "../../../resources/networkAcls";
import type { Resource } from "../../../resources/resource";
import type { ResourceIndex } from "../../../resources/resourceIndex";
import { securityGroups } from "../../../resources/securityGroups";

/** The resources that people mean by a word: URN, name in the program, name in AWS, value of the tag `Name`. */
export function resourcesNamed({ resources }: ResourceIndex, word: string): Resource[] {
  const found = resources.filter((resource) => namesOf(resource).includes(word));
  const urns = new Set(found.map(({ origin }) => origin.urn));
  // A component and a part of it often have the same name: the part is explained with the component.
  return found.filter(({ parent }) => parent === undefined || !urns.has(parent));
}

/** Every name by which people may ask for a resource. */
export function namesOf({ name, origin, properties }: Resource): string[] {
  const tag = readValue(properties, "tags.Name");
  const texts = [name, origin.urn, readText(properties, "name"), tag];
  return [...new Set(texts.filter((text) => typeof text === "string" && text !== ""))] as string[];
}

/** A resource, those that it is the parent of, and the rules of groups and ACLs among them that are resources of their own. */
export function partsOf(index: ResourceIndex, whole: Resource): ReadonlySet<Resource> {
  const parts = new Set([whole]);
  const urns = new Set([whole.origin.urn]);
  // Parents stand before their children only in some plans: as long as there are more, it is looked again.
  for (let before = 0; before < parts.size;) {
    before = parts.size;
    for (const resource of index.resources) {
      if (resource.parent === undefined || !urns.has(resource.parent)) continue;
      parts.add(resource);
      urns.add(resource.origin.urn);
    }
  }
  const filters = [...securityGroups(index).groups, ...networkAcls(index).acls];
  for (const { resource, rules } of filters)
    if (resource && parts.has(resource)) for (const rule of rules) parts.add(rule.resource);
  return parts;
}
