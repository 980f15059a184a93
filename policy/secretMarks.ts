import type { AnalyzeRequest, AnalyzerResource, AnalyzeStackRequest } from "@pulumi/pulumi/proto/analyzer_pb";

import { MASKED, SECRET_SIGN, SIGNATURE } from "../src/plan/engineValue";
import { analyzerServices, type Service } from "./analyzerService";

/** Whether secrets that the engine sends were masked. */
export interface SecretMarks {
  /** Whether the secrets of a resource were masked before the policy library read them. */
  kept(urn: string): boolean;
}

type Shown = Pick<
  AnalyzeRequest | AnalyzerResource,
  "getUrn" | "getProperties" | "setProperties" | "getProvider"
>;
type Properties = NonNullable<ReturnType<Shown["getProperties"]>>;

/**
 * Replaces secrets by the text that previews show for them. The engine marks secrets, but the policy library unwraps them, so that
 * policies could not distinguish them from other values, which findings print. Therefore the requests are changed when they are
 * read: no secret gets into this program. What is sent back to the engine, for `remediate`, is left unchanged.
 */
export function keepSecretMarks(...services: readonly Partial<Service>[]): SecretMarks {
  const kept = new Set<string>();
  const note = (shown: readonly Shown[], isKept: boolean): void => {
    for (const one of shown) kept[isKept ? "add" : "delete"](one.getUrn());
  };
  for (const service of services.length > 0 ? services : analyzerServices()) {
    hook(service.analyze, (request: AnalyzeRequest) => [request], note);
    hook(service.analyzeStack, (request: AnalyzeStackRequest) => request.getResourcesList(), note);
  }
  return { kept: (urn) => kept.has(urn) };
}

interface Message {
  serializeBinary(): Uint8Array;
}

/** Changes what a method of the service reads; does nothing if a version of the SDK has a different method. */
function hook<Request extends Message>(
  method: { requestDeserialize: (bytes: Buffer) => Request } | undefined,
  shownIn: (request: Request) => readonly Shown[],
  note: (shown: readonly Shown[], isKept: boolean) => void,
): void {
  if (typeof method?.requestDeserialize !== "function") return;
  const { requestDeserialize } = method;
  method.requestDeserialize = (bytes) => {
    const request = requestDeserialize(bytes);
    const shown = shownIn(request);
    if (!holdsMark(bytes)) note(shown, true);
    else {
      for (const one of shown) hide(one);
      // A remaining mark is at a place where no known version has one.
      note(shown, !holdsMark(request.serializeBinary()));
    }
    return request;
  };
}

const holdsMark = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(SECRET_SIGN);

function hide(shown: Shown): void {
  const properties = shown.getProperties();
  if (properties) shown.setProperties(masked(properties));
  const provider = shown.getProvider();
  const settings = provider?.getProperties();
  if (settings) provider!.setProperties(masked(settings));
}

function masked(properties: Properties): Properties {
  // Uses the class of the library's own version: another version writes messages that the library does not accept.
  const struct = properties.constructor as unknown as StructClass;
  return struct.fromJavaScript(maskedEntries(properties.toJavaScript()));
}

interface StructClass {
  fromJavaScript(value: Record<string, unknown>): Properties;
}

function maskedValue(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(maskedValue);
  const object = value as Record<string, unknown>;
  if (!(SIGNATURE in object)) return maskedEntries(object);
  // An archive that holds a secret is replaced as a whole, because it is not valid without the secret.
  return object[SIGNATURE] === SECRET_SIGN || JSON.stringify(object).includes(SECRET_SIGN) ? MASKED : object;
}

const maskedEntries = (object: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, maskedValue(value)]));
