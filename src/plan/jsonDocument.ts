import { EngineStates } from "./engineStates";
import { ENTRY, EntryFinder, type ListKey } from "./scan/entryPlaces";
import { JsonBytes } from "./scan/jsonBytes";
import { endOfJson, fitsOneString, jsonFault, type ParsedJson, parseJson, textOf } from "./parseJson";

/**
 * A JSON document. Plans are read without parsing what is not looked at; what is no plan, or unusual, is parsed whole. Of a plan with
 * lines of a log around it, the plan.
 */
export function readJsonDocument(bytes: Buffer, file: string): ParsedJson & { isInLog?: boolean } {
  const plan = readListed(bytes, file);
  if (plan) return { value: plan.document };
  const parsed = fitsOneString(bytes) ? parseJson(bytes, file) : readLargeJson(bytes, file);
  const inLog = parsed.fault && planInLog(bytes);
  return inLog ? { ...readJsonDocument(inLog, file), isInLog: true } : parsed;
}

/** Words that no plan is without, and that logs do not have. */
const PLAN_WORDS = ['"changeSummary"', '"deployment"'] as const;

/**
 * The JSON of a plan among lines of a log: Pulumi writes to the same stream which policy packs it installs, where it saved a plan, and
 * warnings. Undefined where there are no such lines, or where they may be something to judge.
 */
export function planInLog(bytes: Buffer): Buffer | undefined {
  const from = bytes[0] === BRACE ? 0 : bytes.indexOf("\n{") + 1;
  if (from === 0 && bytes[0] !== BRACE) return undefined;
  const behind = bytes.subarray(from);
  if (!PLAN_WORDS.some((word) => behind.includes(word))) return undefined;
  const { at, isWhole } = endOfJson(behind);
  const [before, plan, after] = [bytes.subarray(0, from), behind.subarray(0, at), behind.subarray(at)];
  const isLog = (part: Buffer) => !part.includes("apiVersion") && part[0] !== BRACE && !part.includes("\n{");
  return isWhole && plan.length < bytes.length && isLog(before) && isLog(after) ? plan : undefined;
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

const BRACE = 0x7b;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING: ReadonlySet<number> = new Set([BRACE, 0x5b]);
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d]);

/** Lists of plans that hold one resource an entry. They are parsed entry by entry. */
const LISTS: ReadonlySet<string> = new Set(["steps", "resources"]);

/**
 * JSON of more bytes than one string can hold. Previews and stack exports are one long list: its entries are cut out of
 * the bytes and parsed one by one, the rest is parsed as a whole.
 */
export function readLargeJson(bytes: Buffer, file: string): ParsedJson {
  const end = endOfJson(bytes);
  if (!end.isWhole || end.at < bytes.length) return { fault: jsonFault(bytes, file, end) };
  const cut = cutList(bytes);
  if (!cut)
    return {
      fault: {
        file,
        problem: "is larger than 512 MiB and neither a whole preview nor a whole stack export",
        remedy: "write the file anew, or split it",
      },
    };
  // The whole is JSON, so its parts are.
  const value = JSON.parse(textOf(cut.frame)) as unknown;
  const entries = cut.entries.map(({ from, to }): unknown => JSON.parse(textOf(bytes.subarray(from, to))));
  cut.put(value, entries);
  return { value };
}

interface Cut {
  /** The text without the entries of the list. */
  frame: Buffer;
  entries: { from: number; to: number }[];
  /** Puts the entries back where they were. */
  put: (document: unknown, entries: unknown[]) => void;
}

/** Finds the list by its key, and where each of its entries begins and ends. */
function cutList(bytes: Buffer): Cut | undefined {
  const path: string[] = [];
  let key = "";
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      const end = endOfString(bytes, at);
      if (nextIsColon(bytes, end)) key = bytes.toString("utf8", at + 1, end - 1);
      at = end - 1;
    } else if (OPENING.has(byte)) {
      if (byte === 0x5b && LISTS.has(key)) return cutAt(bytes, at, [...path.slice(1), key]);
      path.push(key);
      key = "";
    } else if (CLOSING.has(byte)) path.pop();
  }
  return undefined;
}

function cutAt(bytes: Buffer, open: number, path: readonly string[]): Cut | undefined {
  const entries: { from: number; to: number }[] = [];
  let depth = 0;
  let from = open + 1;
  for (let at = open + 1; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) at = endOfString(bytes, at) - 1;
    else if (OPENING.has(byte)) depth++;
    else if (CLOSING.has(byte) && depth-- === 0) {
      if (bytes.subarray(from, at).some((one) => one > 0x20)) entries.push({ from, to: at });
      const frame = Buffer.concat([bytes.subarray(0, open + 1), bytes.subarray(at)]);
      return { frame, entries, put: (document, values) => put(document, path, values) };
    } else if (byte === COMMA && depth === 0) {
      entries.push({ from, to: at });
      from = at + 1;
    }
  }
  return undefined;
}

/** The position after the closing quote. */
function endOfString(bytes: Buffer, open: number): number {
  for (let at = bytes.indexOf(QUOTE, open + 1); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let slashes = 0;
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return bytes.length;
}

function nextIsColon(bytes: Buffer, from: number): boolean {
  let at = from;
  while (bytes[at]! <= 0x20) at++;
  return bytes[at] === 0x3a;
}

function put(document: unknown, path: readonly string[], entries: unknown[]): void {
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], document);
  (holder as Record<string, unknown>)[path.at(-1)!] = entries;
}
