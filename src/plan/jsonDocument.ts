import { EngineStates } from "./engineStates";
import { ENTRY, EntryFinder, type ListKey } from "./scan/entryPlaces";
import { JsonBytes } from "./scan/jsonBytes";
import { Names } from "./scan/jsonMembers";
import { endOfJson, fitsOneString, jsonFault, type ParsedJson, parseJson } from "./parseJson";
import { isRecord } from "../collections";

/**
 * Reads a JSON document. Of a plan, parses only what is needed; parses any other or unusual document as a whole. If a plan has log lines
 * around it, reads the plan.
 */
export function readJsonDocument(bytes: Buffer, file: string): ParsedJson & { isInLog?: boolean } {
  const plan = readListed(bytes, file);
  if (plan) return { value: plan.document };
  const parsed = fitsOneString(bytes) ? parseJson(bytes, file) : readLargeJson(bytes, file);
  const inLog = parsed.fault && planInLog(bytes);
  return inLog ? { ...readJsonDocument(inLog, file), isInLog: true } : parsed;
}

/** Words of which every plan has one and logs have none. */
const PLAN_WORDS = ['"changeSummary"', '"deployment"'] as const;

/**
 * The JSON of a plan among log lines: Pulumi writes to the same stream which policy packs it installs, where it saved a plan, and
 * warnings. Undefined if there are no such lines, or if they may be something to judge.
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

/** The list of a plan: its key, and where it begins. */
interface List {
  key: ListKey;
  from: number;
}

/** Stands for the list while the rest is parsed. */
const PLACEHOLDER = "entries of the list";
/** The number of bytes in which the list must begin; plans have little before it. */
const HEAD = 1024 * 1024;
const BEGINNING = /"(steps|resources)"[ \t\r\n]*:[ \t\r\n]*\[/;

/**
 * Parses a preview or stack export, which is one long list of objects. Of each entry, parses only what is needed, usually
 * without rules of security groups, old states and stack traces. Parses the rest with a placeholder for the list: if the
 * entries and the rest are JSON, so is the whole. Undefined if it is not, and for everything unusual.
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

/** Parses what is around the list, with a placeholder for the list. */
function frameOf(bytes: Buffer, from: number, end: number): unknown {
  const [before, after] = [bytes.subarray(0, from), bytes.subarray(end)];
  if ([before, after].some((part) => part.includes(PLACEHOLDER))) return undefined;
  const frame = Buffer.concat([before, Buffer.from(`"${PLACEHOLDER}"`), after]);
  return fitsOneString(frame) ? parseJson(frame, "").value : undefined;
}

/** Where plans have their list. If a key occurs twice, the path may lead elsewhere, where the placeholder is missing. */
const PATHS: Readonly<Record<ListKey, readonly (readonly string[])[]>> = {
  steps: [[]],
  resources: [["deployment"], ["checkpoint", "latest"]],
};

function withEntries(frame: unknown, key: ListKey, entries: unknown[]): { document: unknown } | undefined {
  for (const path of PATHS[key]) {
    const holder = path.reduce((value, step) => (isRecord(value) ? value[step] : undefined), frame);
    const list = isRecord(holder) ? holder[key] : undefined;
    if (isRecord(holder) && list === PLACEHOLDER) {
      (holder as Record<string, unknown>)[key] = entries;
      return { document: frame };
    }
  }
  return undefined;
}

const BRACE = 0x7b;

/**
 * Reads JSON that is larger than one string can be. Previews and stack exports are one long list: its entries are parsed one by one, the
 * rest as a whole.
 */
export function readLargeJson(bytes: Buffer, file: string): ParsedJson {
  const end = endOfJson(bytes);
  if (!end.isWhole || end.at < bytes.length) return { fault: jsonFault(bytes, file, end) };
  const plan = entryByEntry(bytes);
  if (plan) return { value: plan.document };
  return {
    fault: {
      file,
      problem: "is larger than 512 MiB and is neither a complete preview nor a complete stack export",
      remedy: "write the file again, or split it",
    },
  };
}

/** Parses a plan entry by entry. The whole must be known to be JSON, so that its parts are. */
function entryByEntry(bytes: Buffer): { document: unknown } | undefined {
  const json = new JsonBytes(bytes);
  for (const key of ["steps", "resources"] as const)
    for (const path of PATHS[key]) {
      const from = valueAlong(json, [...path, key]);
      if (from === undefined) continue;
      const entries: unknown[] = [];
      const end = json.afterEntries(from, (at) => {
        const after = json.afterValue(at);
        if (!fitsOneString(bytes.subarray(at, after))) return ~at;
        entries.push(json.parsed({ from: at, to: after }));
        return after;
      });
      if (end >= 0) return withEntries(frameOf(bytes, from, end), key, entries);
    }
  return undefined;
}

/** The position of the value at a path of keys. Of equal keys the last counts, as for `JSON.parse`. */
function valueAlong(json: JsonBytes, path: readonly string[]): number | undefined {
  let place: number | undefined = json.afterSpace(0);
  for (const step of path) {
    if (place === undefined) break;
    const names = new Names([step]);
    const holder: number = place;
    place = undefined;
    json.afterMembers(holder, (key, at) => {
      if (names.at(json.bytes, key) === 0) place = at;
      return json.afterValue(at);
    });
  }
  return place;
}
