import type { AnalyzeRequest, AnalyzerResource, AnalyzeStackRequest } from "@pulumi/pulumi/proto/analyzer_pb";

import { MASKED, SECRET_SIGN, SIGNATURE } from "../src/plan/engineValue";
import { analyzerServices, type Service } from "./analyzerService";

/** What became of the secrets that the engine sends. */
export interface SecretMarks {
  /** Whether those of a resource were taken out before the policy library saw them. */
  kept(urn: string): boolean;
}

type Shown = Pick<
  AnalyzeRequest | AnalyzerResource,
  "getUrn" | "getProperties" | "setProperties" | "getProvider"
>;
type Properties = NonNullable<ReturnType<Shown["getProperties"]>>;

/**
 * Puts the text that previews have for secrets in their place. The engine marks them, the policy library unwraps them, and no
 * policy could tell them from other values, which findings print. So the requests are changed where they are read: no
 * secret gets into this program. What is sent back to the engine, for `remediate`, is left as it is.
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

/** Changes what a method of the service reads; nothing where a version of the SDK has another one. */
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
      // A mark that is left stands where no version known here has one.
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
  // The class of the library's own version: another one writes messages that it does not take.
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
  // Archives that hold a secret are none any more without it.
  return object[SIGNATURE] === SECRET_SIGN || JSON.stringify(object).includes(SECRET_SIGN) ? MASKED : object;
}

const maskedEntries = (object: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, maskedValue(value)]));
