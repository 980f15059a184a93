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

/** A value that is another one than planned. */
export interface Difference {
  /** `spec.networking.machineNetwork[0].cidr` */
  path: string;
  /** As JSON; `absent` where the plan states that nothing is. */
  planned: string;
  /** As JSON; `absent` where nothing is. */
  found: string;
}

/** Where values are compared. */
interface Place {
  path: string;
  /** The property. */
  key: string;
  /** Whether the plan states all that is: nothing may be there beside it. */
  isWhole: boolean;
}

/** What is other where an object runs than a plan states. What the plan leaves open is ignored: others fill it in. */
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

/** What the API server writes into a rule that leaves it out. */
const isDefault = (key: string, value: PropertyValue): boolean => key === "protocol" && value === "TCP";

const difference = (
  { path, key }: Place,
  planned: PropertyValue | undefined,
  found: PropertyValue | undefined,
): Difference => ({
  path,
  planned: reportedValue(key, planned),
  // What a stack keeps secret is unknown in the plan, and in the clear where it runs.
  found: holdsUnknown(planned) ? HIDDEN : reportedValue(key, found),
});

/** Whether two values that are neither lists nor objects mean the same: `FD01::/48` and `fd01::/48`, `1400` and `"1400"`. */
export const isSame = (planned: PropertyValue, found: PropertyValue): boolean =>
  planned === found || (isScalar(planned) && isScalar(found) && canonical(planned) === canonical(found));

/** One way to write a value. Some languages send numbers and truth values as texts. */
export function canonical(value: PropertyValue): string {
  if (!isScalar(value)) return JSON.stringify(value) ?? "";
  const text = String(value);
  return readPrefix(text)?.text ?? parseAddress(text).address?.text ?? text;
}

const isScalar = (value: PropertyValue): value is string | number | boolean =>
  value !== UNKNOWN && typeof value !== "object";

/**
 * Whether a value says no more than nothing would: the API server and its clients leave out what Go takes for empty.
 *
 * @param key of the property
 */
export function isNothing(value: PropertyValue | undefined, key: string): boolean {
  if (!isGiven(value) || value === "" || value === 0 || value === false) return true;
  if (isList(value)) return value.length === 0;
  return (
    isMap(value) && !isByPresence(key) && Object.entries(value).every(([name, one]) => isNothing(one, name))
  );
}

/** An empty selector chooses everything, and an empty ipsecConfig turns IPsec on. */
const isByPresence = (key: string): boolean => isSelector(key) || key === "ipsecConfig";

/** Selectors are one value: each label more chooses less. */
const isSelector = (key: string): boolean => key.endsWith("Selector");

/** URLs of proxies may hold credentials in ways that no pattern knows. */
const PROXIES: ReadonlySet<string> = new Set(["httpProxy", "httpsProxy"]);
/** `//user:password@host`; a password may hold anything but a space. */
const hasCredentials = (text: string): boolean =>
  text.split(/\s/).some((word) => {
    const from = word.indexOf("//");
    return from >= 0 && word.includes("@", from + 2);
  });
/** In place of a value. */
export const HIDDEN = "not shown, because it may hold credentials";

/**
 * A value as reports print it: JSON without credentials, at any depth.
 *
 * @param key of the property that holds it
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

/** Lists whose order says nothing, by the property that holds them. */
const UNORDERED: ReadonlySet<string> = new Set(["policyTypes", "egressIPs", "values", "allowedCIDRBlocks"]);

/** Lists whose entries are known by one of their properties, and to which others may add entries of their own. */
const KEYED: ReadonlyMap<string, string> = new Map([["additionalNetworks", "name"]]);

/** Lists to which a patch adds what it states: their CRDs call them sets and maps. All others it replaces. */
const JOINED: ReadonlySet<string> = new Set(["allowedCIDRBlocks", "additionalNetworks"]);

/** Lists that the API server fills in where nothing is in them. */
export const FILLED_IN: ReadonlySet<string> = new Set(["policyTypes"]);

/**
 * What all resources of one object state together: patches before the object itself. Where two of the same rank contradict
 * each other it is unknown which was written last.
 */
export function statedTogether(resources: readonly Resource[]): PropertyMap {
  const of = (patches: boolean) =>
    resources
      .filter(({ type }) => isPatch(type) === patches)
      .map(({ inputs, properties }) => inputs ?? properties)
      .reduce<PropertyValue>((all, one) => merged(all, one, () => UNKNOWN), {});
  return merged(of(false), of(true), (_, patch) => patch) as PropertyMap;
}

/** @param between decides between two values that are not the same */
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

/** The same without what stands at a path. */
export function without(value: PropertyValue | undefined, [key, ...rest]: readonly string[]): PropertyValue {
  if (key === undefined) return UNKNOWN;
  return isMap(value) && propertyOf(value, key) !== undefined
    ? { ...value, [key]: without(value[key], rest) }
    : (value ?? null);
}
