import { UNKNOWN, type PropertyValue, type Resource } from "../../src/resources/resource";
import { stepTo } from "../../src/resources/read";
import type { Properties } from "./builders";

/** The value with itself and each of its parts unknown in turn, and the path of the unknown part. */
export function* unknownInTurn(
  value: PropertyValue,
  path = "",
): Generator<[path: string, value: PropertyValue]> {
  if (path !== "") yield [path, UNKNOWN];
  if (Array.isArray(value)) {
    const list = value as readonly PropertyValue[];
    for (const [at, entry] of list.entries())
      for (const [where, other] of unknownInTurn(entry, `${path}[${at}]`))
        yield [where, list.with(at, other)];
  } else if (typeof value === "object" && value !== null) {
    const map = value as Properties;
    for (const [key, entry] of Object.entries(map))
      for (const [where, other] of unknownInTurn(entry, path === "" ? key : `${path}${stepTo(key)}`))
        yield [where, { ...map, [key]: other }];
  }
}

/** The resources with each part of each resource secret in turn, and the path of that secret. */
export function* secretInTurn(
  resources: readonly Resource[],
): Generator<{ holder: Resource; path: string; resources: Resource[] }> {
  for (const [at, one] of resources.entries())
    for (const [path, properties] of unknownInTurn(one.properties)) {
      const holder = { ...one, properties: properties as Properties, secrets: [path] };
      yield { holder, path, resources: resources.with(at, holder) };
    }
}

/** The resource with a secret at a path. */
export function hidden(resource: Resource, path: string): Resource {
  for (const { holder, path: own } of secretInTurn([resource])) if (own === path) return holder;
  throw new Error(`${resource.name} has no ${path}`);
}
