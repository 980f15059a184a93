import { readListed } from "./jsonList";
import { readLargeJson } from "./largeJson";
import { fitsOneString, parseJson, type ParsedJson } from "./parseJson";

/** A JSON document. Plans are read without parsing what nobody looks at; what is no plan, or unusual, is parsed whole. */
export function readJsonDocument(bytes: Buffer, file: string): ParsedJson {
  const plan = readListed(bytes, file);
  if (plan) return { value: plan.document };
  return fitsOneString(bytes) ? parseJson(bytes, file) : readLargeJson(bytes, file);
}
