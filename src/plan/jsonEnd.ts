import { JsonBytes } from "./scan/jsonBytes";

/** How far bytes are JSON. */
export interface JsonEnd {
  /** The first byte that cannot stand there; the number of bytes where more could follow. */
  at: number;
  /** Whether the bytes before it are a whole value. */
  isWhole: boolean;
  /** Whether the value there is nested too deeply to go on. */
  isTooDeep?: boolean;
}

/**
 * Where JSON ends or stops being JSON. `JSON.parse` does not tell the place of every mistake, and takes no more than one
 * text can hold.
 */
export function endOfJson(bytes: Buffer): JsonEnd {
  const json = new JsonBytes(bytes);
  const end = json.afterValue(json.afterSpace(0));
  return end < 0
    ? { at: ~end, isWhole: false, isTooDeep: json.isTooDeep }
    : { at: json.afterSpace(end), isWhole: true };
}
