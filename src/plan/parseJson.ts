import { constants, isAscii } from "node:buffer";
import { TOO_DEEP } from "../collections";
import { lineAndColumn, type InputFault } from "./inputs";
import { JsonBytes, parsedText } from "./scan/jsonBytes";

/** The result of `JSON.parse`, or the place where parsing stopped and whether it follows a whole value. */
export type ParsedJson =
  | { value: unknown; fault?: undefined; isFollowed?: undefined }
  | { value?: undefined; fault: InputFault; isFollowed?: boolean };

/** Whether one string can hold that many bytes. */
export const fitsOneString = (bytes: Buffer): boolean => bytes.length < constants.MAX_STRING_LENGTH;

/** The text of UTF-8 bytes. Most plans are ASCII, which Node decodes faster as latin1. */
export const textOf = (bytes: Buffer): string => bytes.toString(isAscii(bytes) ? "latin1" : "utf8");

/** Parses JSON that fits one string. Also rejects JSON that `JSON.parse` accepts but that is nested too deeply. */
export function parseJson(bytes: Buffer, file: string): ParsedJson {
  const end = endOfJson(bytes);
  return end.isWhole && end.at === bytes.length
    ? { value: parsedText(textOf(bytes)) }
    : { fault: jsonFault(bytes, file, end), isFollowed: end.isWhole };
}

/** A JSON value with its bytes, and the line on which it begins. */
export interface JsonPart {
  value: unknown;
  bytes: Buffer;
  line: number;
}

/** Parses bytes that are several JSON values, as `jq '.items[]'` writes them; undefined if they are anything else. */
export function jsonParts(bytes: Buffer): JsonPart[] | undefined {
  const json = new JsonBytes(bytes);
  const parts: JsonPart[] = [];
  let [line, counted] = [1, 0];
  for (let at = json.afterSpace(0); at < bytes.length;) {
    const end = json.afterValue(at);
    if (end < 0) return undefined;
    for (; counted < at; counted++) if (bytes[counted] === LINE_FEED) line++;
    const part = bytes.subarray(at, end);
    parts.push({ value: parsedText(textOf(part)), bytes: part, line });
    at = json.afterSpace(end);
  }
  return parts.length > 1 ? parts : undefined;
}

const LINE_FEED = 0x0a;
const WRITE_ANEW = "write the file again";

/** The fault at which JSON ends. Never shows the text, unlike `JSON.parse`, because it may hold secrets. */
export function jsonFault(bytes: Buffer, file: string, { at, isWhole, isTooDeep }: JsonEnd): InputFault {
  if (isTooDeep) return { file, ...lineAndColumn(bytes, at), ...TOO_DEEP };
  if (at === bytes.length)
    return {
      file,
      ...lineAndColumn(bytes, endOfText(bytes)),
      problem: "JSON ends in the middle of a value",
      remedy: WRITE_ANEW,
    };
  const place = { file, ...lineAndColumn(bytes, at) };
  return isWhole
    ? { ...place, problem: "more text follows the JSON value", remedy: oneValueOnly(bytes) }
    : { ...place, problem: "is not JSON from here on", remedy: `check this place, or ${WRITE_ANEW}` };
}

/** The end of the text without trailing spaces. */
function endOfText(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1]! <= 0x20) end--;
  return end;
}

/** With PULUMI_ENABLE_STREAMING_JSON_PREVIEW, the engine writes one event per line. */
const oneValueOnly = (bytes: Buffer) =>
  /^\s*\{"(sequence|timestamp)":/.test(bytes.toString("latin1", 0, 100))
    ? "these are engine events; run pulumi preview --json without PULUMI_ENABLE_STREAMING_JSON_PREVIEW"
    : "write one JSON value per file";

/** How far bytes are valid JSON. */
export interface JsonEnd {
  /** The position of the first invalid byte; the number of bytes if more could follow. */
  at: number;
  /** Whether the bytes before it are a whole value. */
  isWhole: boolean;
  /** Whether reading stopped because the value is nested too deeply. */
  isTooDeep?: boolean;
}

/**
 * Finds where JSON ends or becomes invalid. `JSON.parse` does not report the place of every mistake, and accepts no more
 * than one string can hold.
 */
export function endOfJson(bytes: Buffer): JsonEnd {
  const json = new JsonBytes(bytes);
  const end = json.afterValue(json.afterSpace(0));
  return end < 0
    ? { at: ~end, isWhole: false, isTooDeep: json.isTooDeep }
    : { at: json.afterSpace(end), isWhole: true };
}
