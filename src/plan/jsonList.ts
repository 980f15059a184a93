import { JsonBytes } from "./jsonBytes";
import { textOf } from "./parseJson";

/** The list that a plan is: its key, and where it begins. */
interface List {
  key: string;
  from: number;
}

/** What takes the place of the entries while the rest is parsed. */
const PLACEHOLDER = "entries of the list";
/** Plans say little before their list begins. */
const HEAD = 1024 * 1024;
const BEGINNING = /"(steps|resources)"[ \t\r\n]*:[ \t\r\n]*\[/;

/** Reads the entry at a place; undefined where that is not to be done here. */
export type ReadEntry = (at: number) => { end: number; value: unknown } | undefined;

/**
 * Parses JSON that is one long list of objects, as previews and stack exports are: of each entry what `reader` reads, and
 * the rest with a text in the place of the list. When entries are JSON, and the rest is, then so is the whole. Undefined
 * where it is not, and for everything unusual.
 */
export function readListed(
  bytes: Buffer,
  reader: (json: JsonBytes, key: string) => ReadEntry,
): { document: unknown } | undefined {
  const list = findList(bytes);
  if (!list) return undefined;
  const { key, from } = list;
  const json = new JsonBytes(bytes);
  const readEntry = reader(json, key);
  const entries: unknown[] = [];
  const end = json.afterEntries(from, (at) => {
    const entry = readEntry(at);
    if (!entry) return ~at;
    entries.push(entry.value);
    return entry.end;
  });
  return end < 0 ? undefined : withEntries(frameOf(bytes, from, end), key, entries);
}

function findList(bytes: Buffer): List | undefined {
  const found = BEGINNING.exec(bytes.toString("latin1", 0, HEAD));
  return found ? { key: found[1]!, from: found.index + found[0].length - 1 } : undefined;
}

/** What is around the list, parsed with a placeholder between. */
function frameOf(bytes: Buffer, from: number, end: number): unknown {
  const parts = [bytes.subarray(0, from), bytes.subarray(end)];
  if (parts.some((part) => part.includes(PLACEHOLDER))) return undefined;
  try {
    return JSON.parse(parts.map(textOf).join(`"${PLACEHOLDER}"`));
  } catch {
    // Also where it is more than one text can hold.
    return undefined;
  }
}

/** Where plans have their list. Keys that come twice lead elsewhere: then the placeholder is not there. */
const PATHS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  steps: [[]],
  resources: [["deployment"], ["checkpoint", "latest"]],
};

function withEntries(frame: unknown, key: string, entries: unknown[]): { document: unknown } | undefined {
  for (const path of PATHS[key] ?? []) {
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
