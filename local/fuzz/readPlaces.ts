import { JudgedResources } from "../../src/gate/judgedResources";
import { rules } from "../../src/rules";
import { verdictOf } from "../../src/gate/verdict";
import type { PropertyValue } from "../../src/resources/resource";
import { providerUrn, urnOf } from "./documents";
import { pathOf, type Steps } from "./json";
import type { FuzzedResource } from "./samples";
import type { Configuration } from "../../src/gate/configuration";

/** For each resource, the places of the values that some rule reads. */
export function readPlaces(
  resources: readonly FuzzedResource[],
  configuration: Configuration,
): ReadonlySet<string>[] {
  const places = resources.map(() => new Set<string>());
  const watched = resources.map((one, at) => ({
    origin: { urn: urnOf(one) },
    type: one.type,
    name: one.name,
    ...(one.parent && { parent: urnOf(one.parent) }),
    ...(one.provider !== undefined && { provider: providerUrn(one.provider) }),
    properties: watch(one.properties, [], places[at]!) as { [key: string]: PropertyValue },
  }));
  verdictOf(new JudgedResources(watched, configuration), rules);
  return places;
}

/** Wraps a value and records every place that is read; one proxy for each part, because rules compare parts by identity. */
function watch(value: unknown, steps: Steps, places: Set<string>): unknown {
  if (typeof value !== "object" || value === null) return value;
  const made = new Map<string | symbol, unknown>();
  return new Proxy(value, {
    get(target, key, receiver) {
      const inside: unknown = Reflect.get(target, key, receiver);
      if (typeof key === "symbol" || !Object.hasOwn(target, key) || key === "length") return inside;
      if (made.has(key)) return made.get(key);
      const next = [...steps, Array.isArray(target) ? Number(key) : key];
      places.add(pathOf(next));
      const watched = watch(inside, next, places);
      made.set(key, watched);
      return watched;
    },
  });
}
