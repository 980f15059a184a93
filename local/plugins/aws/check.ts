import { createHash } from "node:crypto";

import type { CheckFault, Kind, Properties, Property, Props, Value } from "./kind";
import { hasUnknown, isUnknown } from "../provider/values";

/** The list of inputs that the provider filled in, stored with the inputs as in the official provider. */
export const FILLED_IN = "__defaults";

export interface CheckRequest {
  token: string;
  /** The resource's name, the last part of its URN. */
  name: string;
  inputs: Props;
  /** The inputs of the last deployment, from which a generated name is kept. */
  oldInputs?: Props;
  randomSeed?: Uint8Array;
  /** The name that the stack's configuration proposes (`pulumi:autonaming`), if any. */
  proposedName?: string;
}

/** The inputs with defaults and generated names, and all faults in them at once. */
export function check<State>(
  kind: Kind<State>,
  request: CheckRequest,
): { inputs: Props; faults: CheckFault[] } {
  const { [FILLED_IN]: _, ...given } = request.inputs;
  const known = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined && value !== null),
  );
  const faults = propertyFaults(request.token, kind.properties, known, "");
  const inputs = withDefaults(kind.properties, known, request);
  if (faults.length === 0) faults.push(...(kind.faults?.(inputs as State) ?? []));
  return { inputs, faults };
}

function propertyFaults(token: string, properties: Properties, values: Props, path: string): CheckFault[] {
  const unsupported = Object.keys(values)
    .filter((name) => properties[name] === undefined)
    .map((name) => ({
      property: path + name,
      reason: `${token} of the local stand-in does not know this property: leave it out, or install the official provider (pulumi plugin install resource aws)`,
    }));
  const missing = Object.entries(properties)
    .filter(([name, property]) => property.required && values[name] === undefined)
    .map(([name]) => ({ property: path + name, reason: "a value is required" }));
  const wrong = Object.entries(values).flatMap(([name, value]) => {
    const property = properties[name];
    return property === undefined ? [] : valueFaults(token, property, value, path + name);
  });
  return [...unsupported, ...missing, ...wrong];
}

function valueFaults(token: string, property: Property, value: Value, path: string): CheckFault[] {
  if (isUnknown(value) || value === undefined || value === null) return [];
  const expected = { set: "list", block: "map" }[property.type as string] ?? property.type;
  const actual = Array.isArray(value) ? "list" : typeof value === "object" ? "map" : typeof value;
  if (expected !== actual) return [{ property: path, reason: `expected a ${expected}, got a ${actual}` }];
  const { element } = property;
  if (element !== undefined) {
    return Array.isArray(value)
      ? value.flatMap((item, index) => elementFaults(token, element, item, `${path}[${index}]`))
      : elementFaults(token, element, value, path);
  }
  if (hasUnknown(value)) return [];
  const reason = property.check?.(value as never);
  return reason === undefined ? [] : [{ property: path, reason }];
}

function elementFaults(token: string, element: Properties, item: Value, path: string): CheckFault[] {
  if (isUnknown(item)) return [];
  if (typeof item !== "object" || item === null || Array.isArray(item)) {
    return [{ property: path, reason: "expected a map of properties" }];
  }
  const { [FILLED_IN]: _, ...given } = item;
  return propertyFaults(token, element, given, `${path}.`);
}

function withDefaults(properties: Properties, known: Props, request: CheckRequest): Props {
  const filled = Object.entries(properties).flatMap(([name, property]): [string, Value][] => {
    if (known[name] !== undefined) return [];
    if (property.default !== undefined) return [[name, property.default]];
    if (property.autonamed && !known.namePrefix) return [[name, generatedName(name, request)]];
    return [];
  });
  if (filled.length === 0) return known;
  return { ...known, ...Object.fromEntries(filled), [FILLED_IN]: filled.map(([name]) => name).sort() };
}

/** A unique name, kept for the lifetime of the resource. */
function generatedName(
  property: string,
  { name, oldInputs, randomSeed, proposedName }: CheckRequest,
): string {
  const before = oldInputs?.[property];
  const wasFilledIn = Array.isArray(oldInputs?.[FILLED_IN]) && oldInputs[FILLED_IN].includes(property);
  if (wasFilledIn && typeof before === "string") return before;
  if (proposedName) return proposedName;
  const seed = randomSeed === undefined || randomSeed.length === 0 ? String(Math.random()) : randomSeed;
  return `${name}-${createHash("sha256").update(seed).update(name).digest("hex").slice(0, 7)}`;
}
