import { textOf } from "./parseJson";

/** The list that a plan is: its key, where its entries are, and how one of them begins. */
interface List {
  key: string;
  /** Where the first entry begins. */
  first: number;
  /** What stands between two entries, the beginning of the second one among it. */
  between: Buffer;
  /** How much of that belongs to the entry before. */
  closing: number;
}

/** What takes the place of the entries while the rest is parsed. */
const PLACEHOLDER = "entries of the list";
/** So many bytes are parsed at once. More is not faster, and takes more memory. */
const BATCH = 64 * 1024;
/** Plans say little before their list begins. */
const HEAD = 1024 * 1024;

/**
 * Parses JSON that is one long list of objects, as previews and stack exports are, a part of the list at a time: of each
 * entry what `kept` returns stays in memory; the bytes do too where that holds on to `again`, which parses the entry once more. Where the parts begin is guessed from the first entry, because writers write
 * all alike. A wrong guess cannot pass: when each part by itself is a list, and the rest with a list in their place is
 * JSON, then so is the whole, with these entries and no others. Undefined where it is not, and for everything unusual.
 */
export function readListed(
  bytes: Buffer,
  kept: (entry: unknown, key: string, again: () => unknown) => unknown,
  size = BATCH,
): { document: unknown } | undefined {
  const list = findList(bytes);
  if (!list) return undefined;
  const { key, first } = list;
  const entries: unknown[] = [];
  const last = new LastBatch();
  let from = first;
  for (;;) {
    const comma = endOfBatch(bytes, from, list, size);
    const to = comma ?? endOfList(bytes, from);
    const batch = to === undefined ? undefined : parsedBatch(bytes, from, to);
    if (to === undefined || !batch || batch.length === 0) return undefined;
    const again = last.reader(bytes, from, to);
    for (let position = 0; position < batch.length; position++)
      entries.push(kept(batch[position], key, () => again(position)));
    if (comma === undefined) return withEntries(frameOf(bytes, first, to), key, entries);
    from = comma + 1;
  }
}

const parsedBatch = (bytes: Buffer, from: number, to: number): unknown[] | undefined =>
  parsed(() => `[${textOf(bytes.subarray(from, to))}]`) as unknown[] | undefined;

/** The batch that was parsed last, for those who come back for an entry: they mostly want its neighbours next. */
class LastBatch {
  #from: number | undefined;
  #entries: readonly unknown[] = [];

  /** Gives the entries of a batch, parsed once more. */
  reader(bytes: Buffer, from: number, to: number): (position: number) => unknown {
    return (position) => {
      if (this.#from !== from) this.#entries = parsedBatch(bytes, from, to)!;
      this.#from = from;
      return this.#entries[position];
    };
  }
}

/** Also undefined where it is more than one text can hold. */
function parsed(text: () => string): unknown {
  try {
    return JSON.parse(text());
  } catch {
    return undefined;
  }
}

const BEGINNING = /"(steps|resources)"[ \t\r\n]*:[ \t\r\n]*\[([ \t\r\n]*)(\{[ \t\r\n]*"\w+"[ \t\r\n]*:)/;

function findList(bytes: Buffer): List | undefined {
  const found = BEGINNING.exec(bytes.toString("latin1", 0, HEAD));
  if (!found) return undefined;
  const [all, key, space, opening] = found as unknown as [string, string, string, string];
  const first = found.index + all.length - opening.length;
  const betweens = (space === "" ? ["", " "] : [space]).map((gap) => ({ gap, text: `},${gap}${opening}` }));
  const near = bytes.subarray(first, first + HEAD);
  const { gap, text } = betweens.find((one) => near.includes(one.text)) ?? betweens[0]!;
  // Where each entry has lines of its own, its end stands under its beginning: objects inside are further in.
  const isTall = gap.includes("\n") && opening.includes("\n");
  const between = Buffer.from(isTall ? `${gap}${text}` : text);
  return { key, first, between, closing: (isTall ? gap.length : 0) + 1 };
}

/** The comma after the last entry that fits into a batch, or the next one. Undefined: the list ends before. */
function endOfBatch(
  bytes: Buffer,
  from: number,
  { between, closing }: List,
  size: number,
): number | undefined {
  const end = from + size;
  const last = end < bytes.length ? bytes.subarray(from, end).lastIndexOf(between) : -1;
  const found = last === -1 ? bytes.indexOf(between, Math.max(from, end - between.length)) : from + last;
  return found === -1 ? undefined : found + closing;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The bracket that ends the list, counted from the beginning of an entry. */
function endOfList(bytes: Buffer, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      for (at++; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
    } else if (byte === 0x7b || byte === 0x5b) depth++;
    else if ((byte === 0x7d || byte === 0x5d) && depth-- === 0) return at;
  }
  return undefined;
}

/** What is around the entries, parsed with a placeholder between. */
function frameOf(bytes: Buffer, first: number, end: number): unknown {
  const parts = [bytes.subarray(0, first), bytes.subarray(end)];
  if (parts.some((part) => part.includes(PLACEHOLDER))) return undefined;
  return parsed(() => parts.map(textOf).join(`"${PLACEHOLDER}"`));
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
    if (isMap(holder) && Array.isArray(list) && list[0] === PLACEHOLDER) {
      holder[key] = entries;
      return { document: frame };
    }
  }
  return undefined;
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
