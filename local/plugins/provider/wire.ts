import type { JavaScriptValue, Struct as StructMessage } from "google-protobuf/google/protobuf/struct_pb";

import { Struct } from "../../protobuf";
import type { SecretPlaces } from "./secrets";
import { isMap, type Props, Secret, type Value, withOneUnknown } from "./values";

/** The key by which the engine marks special values, and the mark of a secret. */
const SIGNATURE = "4dabf18193072939515e22adb298388d";
const SECRET = "1b47061264138c4ac30d75fd1eb44270";

/** Properties as received: plain values, and where the secrets were. */
export interface Received {
  props: Props;
  secrets: SecretPlaces | undefined;
}

/** Converts properties from the engine's representation. Undefined becomes an empty object. */
export function fromWire(struct: StructMessage | undefined): Received {
  const { value, secrets } = open(struct?.toJavaScript() ?? {});
  return { props: value as Props, secrets };
}

/** Converts properties to the engine's representation; omits undefined values. */
export function toWire(props: Props): StructMessage {
  return Struct.fromJavaScript(sealed(props) as { [name: string]: JavaScriptValue });
}

function open(value: Value): { value: Value; secrets: SecretPlaces | undefined } {
  if (typeof value === "string") return { value: withOneUnknown(value), secrets: undefined };
  if (Array.isArray(value)) {
    const items = value.map(open);
    return {
      value: items.map((item) => item.value),
      secrets: items.some((item) => item.secrets !== undefined) ? true : undefined,
    };
  }
  if (!isMap(value)) return { value, secrets: undefined };
  if (value[SIGNATURE] === SECRET) return { value: open(value.value).value, secrets: true };
  return openMap(value);
}

function openMap(map: Props): { value: Props; secrets: SecretPlaces | undefined } {
  const value: Props = {};
  const secrets: { [name: string]: SecretPlaces } = {};
  for (const [name, inner] of Object.entries(map)) {
    const opened = open(inner);
    value[name] = opened.value;
    if (opened.secrets !== undefined) secrets[name] = opened.secrets;
  }
  return { value, secrets: Object.keys(secrets).length === 0 ? undefined : secrets };
}

function sealed(value: Value): Value {
  if (value instanceof Secret) return { [SIGNATURE]: SECRET, value: sealed(value.value) ?? null };
  if (Array.isArray(value)) return value.map((item) => sealed(item) ?? null);
  if (!isMap(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .map(([name, inner]) => [name, sealed(inner)]),
  );
}
