import { UNKNOWN, type PropertyValue } from "../resource";

/** URLs of proxies may hold credentials in ways that no pattern knows. */
const PROXIES: ReadonlySet<string> = new Set(["httpProxy", "httpsProxy"]);
/** `//user:password@host`; a password may hold anything but a space. */
const CREDENTIALS = /\/\/\S*@/;
/** In place of a value. */
export const HIDDEN = "not shown, because it may hold credentials";

/**
 * A value as reports print it: JSON without credentials, at any depth.
 *
 * @param key of the property that holds it
 */
export function shown(key: string, value: PropertyValue | undefined): string {
  if (value === undefined || value === null) return "absent";
  if (PROXIES.has(key) && value === "") return "absent";
  if (isHidden(key, value)) return HIDDEN;
  return JSON.stringify(value, (name, one: unknown) =>
    one === UNKNOWN ? "unknown" : isHidden(name, one) ? HIDDEN : one,
  );
}

const isHidden = (key: string, value: unknown): boolean =>
  (PROXIES.has(key) && isFilled(value)) || (typeof value === "string" && CREDENTIALS.test(value));

const isFilled = (value: unknown): boolean => value !== "" && value !== UNKNOWN && value !== null;
