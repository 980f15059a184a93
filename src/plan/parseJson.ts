import { constants, isAscii } from "node:buffer";
import { TOO_DEEP } from "../nesting";
import { lineAndColumn, type InputFault } from "./inputFault";
import { readLargeJson } from "./largeJson";
import { EngineStates } from "./engineStates";
import { ENTRY, EntryFinder, type ListKey } from "./scan/entryPlaces";
import { JsonBytes } from "./scan/jsonBytes";

/** What `JSON.parse` gives, or the place where it stopped. */
export type ParsedJson = { value: unknown; fault?: undefined } | { value?: undefined; fault: InputFault };

/** Whether one string can hold that many bytes. */
export const fitsOneString = (bytes: Buffer): boolean => bytes.length < constants.MAX_STRING_LENGTH;

/** Text of UTF-8 bytes. Plans are ASCII for the most part, for which Node has a shorter way. */
export const textOf = (bytes: Buffer): string => bytes.toString(isAscii(bytes) ? "latin1" : "utf8");

/** Parses JSON that fits one string. What `JSON.parse` takes may still be nested too deeply. */
export function parseJson(bytes: Buffer, file: string): ParsedJson {
  if (endOfJson(bytes).isTooDeep) return { fault: jsonFault(bytes, file) };
  try {
    return { value: JSON.parse(textOf(bytes)) as unknown };
  } catch {
    return { fault: jsonFault(bytes, file) };
  }
}

const WRITE_ANEW = "write the file anew";

/** The first mistake. The text is never shown, as `JSON.parse` does it, because it may hold secrets. */
export function jsonFault(bytes: Buffer, file: string): InputFault {
  const { at, isWhole, isTooDeep } = endOfJson(bytes);
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
    : { ...place, problem: "is no JSON from here on", remedy: `look at this place, or ${WRITE_ANEW}` };
}

/** Where the text ends but for spaces. */
function endOfText(bytes: Buffer): number {
  let end = bytes.length;
  while (end > 0 && bytes[end - 1]! <= 0x20) end--;
  return end;
}

/** With PULUMI_ENABLE_STREAMING_JSON_PREVIEW the engine writes its events, one a line. */
const oneValueOnly = (bytes: Buffer) =>
  /^\s*\{"(sequence|timestamp)":/.test(bytes.toString("latin1", 0, 100))
    ? "these are the engine's events; run pulumi preview --json without PULUMI_ENABLE_STREAMING_JSON_PREVIEW"
    : "write one JSON value a file";

/** A JSON document. Plans are read without parsing what nobody looks at; what is no plan, or unusual, is parsed whole. */
export function readJsonDocument(bytes: Buffer, file: string): ParsedJson {
  const plan = readListed(bytes, file);
  if (plan) return { value: plan.document };
  return fitsOneString(bytes) ? parseJson(bytes, file) : readLargeJson(bytes, file);
}

/** The list that a plan is: its key, and where it begins. */
interface List {
  key: ListKey;
  from: number;
}

/** What takes the place of the entries while the rest is parsed. */
const PLACEHOLDER = "entries of the list";
/** Plans say little before their list begins. */
const HEAD = 1024 * 1024;
const BEGINNING = /"(steps|resources)"[ \t\r\n]*:[ \t\r\n]*\[/;

/**
 * Parses a preview or stack export, which is one long list of objects. Of each entry only what is read is parsed, of which
 * rules of security groups, old states and stack traces are no part; the rest is parsed with a text in the place of the
 * list. When entries are JSON, and the rest is, then so is the whole. Undefined where it is not, and for everything unusual.
 */
export function readListed(bytes: Buffer, file: string): { document: unknown } | undefined {
  const list = findList(bytes);
  if (!list) return undefined;
  const { key, from } = list;
  const json = new JsonBytes(bytes);
  const finder = new EntryFinder(json, key);
  const states = new EngineStates(json, key, file);
  const numbers = new Int32Array(ENTRY.width);
  const entries: unknown[] = [];
  const end = json.afterEntries(from, (at) => {
    numbers.fill(0);
    const after = finder.find(at, numbers);
    if (after >= 0) entries.push(states.value(numbers));
    return after;
  });
  return end < 0 ? undefined : withEntries(frameOf(bytes, from, end), key, entries);
}

function findList(bytes: Buffer): List | undefined {
  const found = BEGINNING.exec(bytes.toString("latin1", 0, HEAD));
  return found ? { key: found[1] as ListKey, from: found.index + found[0].length - 1 } : undefined;
}

/** What is around the list, parsed with a placeholder between. */
function frameOf(bytes: Buffer, from: number, end: number): unknown {
  const [before, after] = [bytes.subarray(0, from), bytes.subarray(end)];
  if ([before, after].some((part) => part.includes(PLACEHOLDER))) return undefined;
  const frame = Buffer.concat([before, Buffer.from(`"${PLACEHOLDER}"`), after]);
  return fitsOneString(frame) ? parseJson(frame, "").value : undefined;
}

/** Where plans have their list. Keys that come twice lead elsewhere: then the placeholder is not there. */
const PATHS: Readonly<Record<ListKey, readonly (readonly string[])[]>> = {
  steps: [[]],
  resources: [["deployment"], ["checkpoint", "latest"]],
};

function withEntries(frame: unknown, key: ListKey, entries: unknown[]): { document: unknown } | undefined {
  for (const path of PATHS[key]) {
    const holder = path.reduce((value, step) => (isMap(value) ? value[step] : undefined), frame);
    const list = isMap(holder) ? holder[key] : undefined;
    if (isMap(holder) && list === PLACEHOLDER) {
      holder[key] = entries;
      return { document: frame };
    }
  }
  return undefined;
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

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
