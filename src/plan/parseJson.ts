import { constants, isAscii } from "node:buffer";

import { lineAndColumn, type InputFault } from "./inputFault";

/** What `JSON.parse` gives, or the place where it stopped. */
export type ParsedJson = { value: unknown; fault?: undefined } | { value?: undefined; fault: InputFault };

/** Whether one string can hold that many bytes. */
export const fitsOneString = (bytes: Buffer): boolean => bytes.length < constants.MAX_STRING_LENGTH;

/** Text of UTF-8 bytes. Plans are ASCII for the most part, for which Node has a shorter way. */
export const textOf = (bytes: Buffer): string => bytes.toString(isAscii(bytes) ? "latin1" : "utf8");

/** Parses JSON. The fault names the place and never shows the text as `JSON.parse` does, because it may hold secrets. */
export function parseJson(text: string, file: string): ParsedJson {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { fault: jsonFault(text, file) };
  }
}

const WRITE_ANEW = "write the file anew";

function jsonFault(text: string, file: string): InputFault {
  const end = text.trimEnd().length;
  const good = longestBeginning(text);
  if (good >= end)
    return {
      file,
      ...lineAndColumn(text, end),
      problem: "JSON ends in the middle of a value",
      remedy: WRITE_ANEW,
    };
  const place = { file, ...lineAndColumn(text, good) };
  return isValue(text.slice(0, good))
    ? { ...place, problem: "more text follows the JSON value", remedy: oneValueOnly(text) }
    : { ...place, problem: "is no JSON from here on", remedy: `look at this place, or ${WRITE_ANEW}` };
}

/** How much of a text can be the beginning of JSON. V8 does not tell the place of every mistake. */
function longestBeginning(text: string): number {
  let good = 0;
  let bad = text.length + 1;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isBeginning(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const { message } = error as Error;
    const position = Number(/at position (\d+)/.exec(message)?.[1] ?? NaN);
    return position >= text.length || /end of JSON|Unterminated string/.test(message);
  }
}

function isValue(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** With PULUMI_ENABLE_STREAMING_JSON_PREVIEW the engine writes its events, one a line. */
const oneValueOnly = (text: string) =>
  /^\s*\{"(sequence|timestamp)":/.test(text)
    ? "these are the engine's events; run pulumi preview --json without PULUMI_ENABLE_STREAMING_JSON_PREVIEW"
    : "write one JSON value a file";
