import { UNKNOWN, type PropertyValue } from "../resources/resource";
import { SECRET } from "../resources/secrets";

/** What the engine writes for values that a preview does not know yet, one text for each type. */
const NOT_KNOWN: ReadonlySet<string> = new Set([
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** The length of these texts, which few others in a plan have. */
const NOT_KNOWN_LENGTH = 36;

/** The key of objects that stand for something else; its value states for what. */
export const SIGNATURE = "4dabf18193072939515e22adb298388d";
/** The value of that key that marks a secret. */
export const SECRET_SIGN = "1b47061264138c4ac30d75fd1eb44270";
const OUTPUT = "d0e6a833031e9bbcd3f4e8bde6ca49a4";
const RESOURCE = "5cf8f73096256a8f31e491e813e4eb8e";
/** What a preview shows instead of a secret. */
export const MASKED = "[secret]";

/** The first bytes of texts and keys that mark secrets; few others begin with them. */
export const SECRET_MARKS: readonly number[] = [MASKED, SIGNATURE].map((mark) => mark.charCodeAt(0));

/** Whether the bytes of a text or key may mark a secret. */
export function mayMarkSecret(bytes: Uint8Array, from: number, to: number): boolean {
  const [masked, signature] = SECRET_MARKS;
  const length = to - from;
  return bytes[from] === masked
    ? length === MASKED.length
    : bytes[from] === signature && length === SIGNATURE.length;
}

/** Whether a text of this length may be a mark with another meaning. */
export const mayBeMarked = (length: number): boolean =>
  length === NOT_KNOWN_LENGTH || length === MASKED.length;

/** Whether a text has no meaning other than itself. */
export const isOrdinary = (text: string): boolean =>
  !mayBeMarked(text.length) || engineValue(text, { count: 0 }) === text;

/** Counts secrets. */
export interface Secrets {
  count: number;
}

/**
 * Reads a property value as the engine writes it in previews and stack exports. Unknown values become UNKNOWN. Secrets become
 * SECRET, even in plain text, because findings print values. Values without such marks are not copied.
 */
export function engineValue(value: unknown, secrets: Secrets): PropertyValue {
  if (typeof value === "string") {
    if (value.length === NOT_KNOWN_LENGTH && NOT_KNOWN.has(value)) return UNKNOWN;
    return value === MASKED ? secret(secrets) : value;
  }
  if (typeof value !== "object" || value === null) return value as PropertyValue;
  if (Array.isArray(value)) return engineList(value, secrets);
  const object = value as Record<string, unknown>;
  return SIGNATURE in object ? marked(object, secrets) : engineObject(object, secrets);
}

function engineList(list: readonly unknown[], secrets: Secrets): PropertyValue {
  let copy: PropertyValue[] | undefined;
  for (let position = 0; position < list.length; position++) {
    const read = engineValue(list[position], secrets);
    if (read !== list[position]) (copy ??= [...(list as PropertyValue[])])[position] = read;
  }
  return copy ?? (list as PropertyValue[]);
}

function engineObject(object: Record<string, unknown>, secrets: Secrets): PropertyValue {
  let copy: Record<string, PropertyValue> | undefined;
  for (const key in object) {
    const read = engineValue(object[key], secrets);
    if (read !== object[key]) (copy ??= { ...(object as Record<string, PropertyValue>) })[key] = read;
  }
  return copy ?? (object as Record<string, PropertyValue>);
}

/** Reads a marked object. Assets and archives become null, because they are files that are not judged. */
function marked(object: Record<string, unknown>, secrets: Secrets): PropertyValue {
  switch (object[SIGNATURE]) {
    case SECRET_SIGN:
      return secret(secrets);
    case OUTPUT:
      if (object.secret === true) return secret(secrets);
      return "value" in object ? engineValue(object.value, secrets) : UNKNOWN;
    case RESOURCE:
      return "id" in object ? engineValue(object.id, secrets) : null;
    default:
      return null;
  }
}

function secret(secrets: Secrets): typeof SECRET {
  secrets.count++;
  return SECRET;
}
