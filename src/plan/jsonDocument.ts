import { EngineStates } from "./engineStates";
import { readListed } from "./jsonList";
import { readLargeJson } from "./largeJson";
import { fitsOneString, parseJson, type ParsedJson } from "./parseJson";

/** A JSON document. Plans are read without parsing what nobody looks at; what is no plan, or unusual, is parsed whole. */
export function readJsonDocument(bytes: Buffer, file: string): ParsedJson {
  const plan = readPlan(bytes, file);
  if (plan) return { value: plan.document };
  return fitsOneString(bytes) ? parseJson(bytes, file) : readLargeJson(bytes, file);
}

/**
 * A preview or stack export, of which only what is read of it is parsed: rules of security groups, old states and stack
 * traces are most of what they hold.
 */
export const readPlan = (bytes: Buffer, file: string): { document: unknown } | undefined =>
  readListed(bytes, (json, key) => {
    const states = new EngineStates(json, file);
    return key === "steps" ? (at) => states.step(at) : (at) => states.state(at);
  });
