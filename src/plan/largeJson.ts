import { endOfJson, jsonFault, parseJson, type ParsedJson } from "./parseJson";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPENING: ReadonlySet<number> = new Set([0x7b, 0x5b]);
const CLOSING: ReadonlySet<number> = new Set([0x7d, 0x5d]);

/** Lists of plans that hold one resource an entry. They are parsed entry by entry. */
const LISTS: ReadonlySet<string> = new Set(["steps", "resources"]);

/**
 * JSON of more bytes than one string can hold. Previews and stack exports are one long list: its entries are cut out of
 * the bytes and parsed one by one, the rest is parsed as a whole.
 */
export function readLargeJson(bytes: Buffer, file: string): ParsedJson {
  const { at, isWhole } = endOfJson(bytes);
  if (!isWhole || at < bytes.length) return { fault: jsonFault(bytes, file) };
  const cut = cutList(bytes);
  if (!cut)
    return {
      fault: {
        file,
        problem: "is larger than 512 MiB and neither a whole preview nor a whole stack export",
        remedy: "write the file anew, or split it",
      },
    };
  const frame = parseJson(cut.frame, file);
  if (frame.fault) return frame;
  const entries: unknown[] = [];
  for (const { from, to } of cut.entries) {
    const entry = parseJson(bytes.subarray(from, to), file);
    if (entry.fault) return { fault: { ...entry.fault, ...placeIn(bytes, from, entry.fault.line ?? 1) } };
    entries.push(entry.value);
  }
  cut.put(frame.value, entries);
  return frame;
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
      if (end < 0) return undefined;
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
    if (byte === QUOTE) {
      at = endOfString(bytes, at) - 1;
      if (at < 0) return undefined;
    } else if (OPENING.has(byte)) depth++;
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

/** The position after the closing quote, -1 where there is none. */
function endOfString(bytes: Buffer, open: number): number {
  for (let at = bytes.indexOf(QUOTE, open + 1); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    let slashes = 0;
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
  return -1;
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

/** The line in the whole file. */
function placeIn(bytes: Buffer, from: number, line: number): { line: number } {
  let breaks = 0;
  for (let at = bytes.indexOf(0x0a); at !== -1 && at < from; at = bytes.indexOf(0x0a, at + 1)) breaks++;
  return { line: breaks + line };
}
