import {
  holdsUnknown,
  isGiven,
  isList,
  isMap,
  type PropertyMap,
  propertyOf,
  readValue,
  stepTo,
} from "../read";
import { type PropertyValue, type Resource, UNKNOWN } from "../resource";
import type { ComparedKind } from "./comparedObjects";
import { parseAddress } from "../../address/parse";
import { readPrefix } from "../../address";
import { isDeepStrictEqual } from "node:util";
import { isPatch } from "../resourceTypes";

/** A value that differs from the planned one. */
export interface Difference {
  /** `spec.networking.machineNetwork[0].cidr` */
  path: string;
  /** As JSON; `absent` if the plan states that there is none. */
  planned: string;
  /** As JSON; `absent` if there is none. */
  found: string;
}

/** A place at which values are compared. */
interface Place {
  path: string;
  /** The name of the property. */
  key: string;
  /** Whether the plan states the whole value, so that anything in addition is a difference. */
  isWhole: boolean;
}

/** How a running object differs from what a plan states. What the plan leaves open is ignored, because others fill it in. */
export function differences(
  { paths, rules = [] }: ComparedKind,
  stated: PropertyMap,
  running: PropertyMap,
): Difference[] {
  return paths.flatMap((path) => {
    const place = { path, key: path.slice(path.lastIndexOf(".") + 1), isWhole: false };
    return new Comparison(new Set(rules)).at(place, readValue(stated, path), readValue(running, path));
  });
}

class Comparison {
  constructor(private readonly rules: ReadonlySet<string>) {}

  at(place: Place, planned: PropertyValue | undefined, found: PropertyValue | undefined): Difference[] {
    if (!isGiven(planned) || planned === UNKNOWN) return [];
    const isAbsent = !isGiven(found);
    if (isAbsent && isNothing(planned, place.key)) return [];
    if (isMap(planned) && (isMap(found) || (isAbsent && !isByPresence(place.key))))
      return this.#inMap(place, planned, isMap(found) ? found : {});
    if (isList(planned) && (isList(found) || isAbsent)) return this.#inList(place, planned, found ?? []);
    return !isAbsent && isSame(planned, found) ? [] : [difference(place, planned, found)];
  }

  #inMap(place: Place, planned: PropertyMap, found: PropertyMap): Difference[] {
    const isWhole = place.isWhole || isSelector(place.key);
    const inside = (key: string): Place => {
      const path = `${place.path}${stepTo(key)}`;
      return { path, key, isWhole: isWhole || this.rules.has(path) };
    };
    const stated = Object.entries(planned).flatMap(([key, value]) =>
      this.at(inside(key), value, propertyOf(found, key)),
    );
    if (!isWhole) return stated;
    const beside = Object.entries(found).filter(
      ([key, value]) =>
        !isGiven(propertyOf(planned, key)) && !isNothing(value, key) && !isDefault(key, value),
    );
    return [...stated, ...beside.map(([key, value]) => difference(inside(key), undefined, value))];
  }

  #inList(place: Place, planned: readonly PropertyValue[], found: readonly PropertyValue[]): Difference[] {
    const { path, key } = place;
    if (planned.length === 0 && FILLED_IN.has(key)) return [];
    const name = KEYED.get(key);
    if (name !== undefined) return this.#byName(place, name, planned, found);
    const other = [difference(place, planned, found)];
    if (planned.length !== found.length) return other;
    if (UNORDERED.has(key)) {
      const known = planned.filter((entry) => entry !== UNKNOWN).map(canonical);
      const there = new Set(found.map(canonical));
      return known.every((entry) => there.has(entry)) ? [] : other;
    }
    return planned.flatMap((value, position) =>
      this.at({ ...place, path: `${path}[${position}]`, key: "" }, value, found[position]),
    );
  }

  #byName(
    place: Place,
    name: string,
    planned: readonly PropertyValue[],
    found: readonly PropertyValue[],
  ): Difference[] {
    return planned.flatMap((entry, position) => {
      const own = readValue(entry, name);
      if (own === UNKNOWN) return [];
      const one = found.find((candidate) => readValue(candidate, name) === own);
      const at = { ...place, path: `${place.path}[${position}]`, key: "" };
      return one === undefined ? [difference(at, entry, undefined)] : this.at(at, entry, one);
    });
  }
}

/** Whether a value is the default that the API server writes into a rule that omits it. */
const isDefault = (key: string, value: PropertyValue): boolean => key === "protocol" && value === "TCP";

const difference = (
  { path, key }: Place,
  planned: PropertyValue | undefined,
  found: PropertyValue | undefined,
): Difference => ({
  path,
  planned: reportedValue(key, planned),
  // A secret of a stack is unknown in the plan, and in plain text in the running object.
  found: holdsUnknown(planned) ? HIDDEN : reportedValue(key, found),
});

/** Whether two values that are neither lists nor objects mean the same: `FD01::/48` and `fd01::/48`, `1400` and `"1400"`. */
export const isSame = (planned: PropertyValue, found: PropertyValue): boolean =>
  planned === found || (isScalar(planned) && isScalar(found) && canonical(planned) === canonical(found));

/** The canonical text of a value. Some languages send numbers and booleans as texts. */
export function canonical(value: PropertyValue): string {
  if (!isScalar(value)) return JSON.stringify(value) ?? "";
  const text = String(value);
  return readPrefix(text)?.text ?? parseAddress(text).address?.text ?? text;
}

const isScalar = (value: PropertyValue): value is string | number | boolean =>
  value !== UNKNOWN && typeof value !== "object";

/**
 * Whether a value means the same as an absent one: the API server and its clients omit what Go considers empty.
 *
 * @param key the name of the property
 */
export function isNothing(value: PropertyValue | undefined, key: string): boolean {
  if (!isGiven(value) || value === "" || value === 0 || value === false) return true;
  if (isList(value)) return value.length === 0;
  return (
    isMap(value) && !isByPresence(key) && Object.entries(value).every(([name, one]) => isNothing(one, name))
  );
}

/** Whether an empty value has a meaning: an empty selector selects everything, and an empty ipsecConfig turns IPsec on. */
const isByPresence = (key: string): boolean => isSelector(key) || key === "ipsecConfig";

/** Selectors are compared as a whole, because each additional label selects less. */
const isSelector = (key: string): boolean => key.endsWith("Selector");

/** Properties with URLs of proxies, which may hold credentials that no pattern recognizes. */
const PROXIES: ReadonlySet<string> = new Set(["httpProxy", "httpsProxy"]);
/** `//user:password@host`; a password may hold anything but a space. */
const hasCredentials = (text: string): boolean =>
  text.split(/\s/).some((word) => {
    const from = word.indexOf("//");
    return from >= 0 && word.includes("@", from + 2);
  });
/** Reported in place of a value. */
export const HIDDEN = "not shown, because it may hold credentials";

/**
 * A value as reports print it: JSON without credentials, at any depth.
 *
 * @param key the name of the property that holds it
 */
export function reportedValue(key: string, value: PropertyValue | undefined): string {
  if (value === undefined || value === null) return "absent";
  if (PROXIES.has(key) && value === "") return "absent";
  if (isHidden(key, value)) return HIDDEN;
  return JSON.stringify(value, (name, one: unknown) =>
    one === UNKNOWN ? "unknown" : isHidden(name, one) ? HIDDEN : one,
  );
}

const isHidden = (key: string, value: unknown): boolean =>
  (PROXIES.has(key) && isFilled(value)) || (typeof value === "string" && hasCredentials(value));

const isFilled = (value: unknown): boolean => value !== "" && value !== UNKNOWN && value !== null;

/** Lists whose order has no meaning, by the property that holds them. */
const UNORDERED: ReadonlySet<string> = new Set(["policyTypes", "egressIPs", "values", "allowedCIDRBlocks"]);

/** Lists whose entries are identified by one of their properties, and to which others may add entries of their own. */
const KEYED: ReadonlyMap<string, string> = new Map([["additionalNetworks", "name"]]);

/** Lists to which a patch adds its entries, because their CRDs declare them as sets or maps. A patch replaces all other lists. */
const JOINED: ReadonlySet<string> = new Set(["allowedCIDRBlocks", "additionalNetworks"]);

/** Lists that the API server fills in if they are empty. */
export const FILLED_IN: ReadonlySet<string> = new Set(["policyTypes"]);

/**
 * What all resources of one object state together. Patches take precedence over the object itself. If two of the same rank
 * contradict each other, the value is UNKNOWN, because it is unknown which was written last.
 */
export function statedTogether(resources: readonly Resource[]): PropertyMap {
  const of = (patches: boolean) =>
    resources
      .filter(({ type }) => isPatch(type) === patches)
      .map(({ inputs, properties }) => inputs ?? properties)
      .reduce<PropertyValue>((all, one) => merged(all, one, () => UNKNOWN), {});
  return merged(of(false), of(true), (_, patch) => patch) as PropertyMap;
}

/** @param between decides between two values that differ */
function merged(
  one: PropertyValue | undefined,
  other: PropertyValue | undefined,
  between: (one: PropertyValue, other: PropertyValue) => PropertyValue,
  key = "",
): PropertyValue {
  if (!isGiven(one)) return other ?? null;
  if (!isGiven(other) || isDeepStrictEqual(one, other)) return one;
  if (isMap(one) && isMap(other)) {
    const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
    return Object.fromEntries(
      [...keys].map((name) => [name, merged(propertyOf(one, name), propertyOf(other, name), between, name)]),
    );
  }
  if (isList(one) && isList(other) && JOINED.has(key))
    return [...one, ...other.filter((entry) => !one.some((known) => isDeepStrictEqual(known, entry)))];
  return between(one, other);
}

/** A value with UNKNOWN at a path, so that the place is not compared. */
export function without(value: PropertyValue | undefined, [key, ...rest]: readonly string[]): PropertyValue {
  if (key === undefined) return UNKNOWN;
  return isMap(value) && propertyOf(value, key) !== undefined
    ? { ...value, [key]: without(value[key], rest) }
    : (value ?? null);
}
