import { parseAddress, readPrefix } from "../../address";
import { isGiven, isList, isMap } from "../places";
import { UNKNOWN, type PropertyValue } from "../resource";

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
export const isByPresence = (key: string): boolean => isSelector(key) || key === "ipsecConfig";

/** Selectors are one value: each label more chooses less. */
export const isSelector = (key: string): boolean => key.endsWith("Selector");
