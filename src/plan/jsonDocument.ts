import { readLargeJson } from "./largeJson";
import { EngineStates } from "./engineStates";
import { ENTRY, EntryFinder, type ListKey } from "./scan/entryPlaces";
import { JsonBytes } from "./scan/jsonBytes";
import { fitsOneString, parseJson, type ParsedJson } from "./parseJson";
/** A JSON document. Plans are read without parsing what is not looked at; what is no plan, or unusual, is parsed whole. */
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
