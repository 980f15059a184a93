/** How far bytes are JSON. */
export interface JsonEnd {
  /** The first byte that cannot stand there; the number of bytes where more could follow. */
  at: number;
  /** Whether the bytes before it are a whole value. */
  isWhole: boolean;
}

/** What may come next. */
enum Next {
  Value,
  FirstEntry,
  FirstKey,
  Key,
  Colon,
  CommaOrEnd,
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OBJECT = 0x7b;
const LIST = 0x5b;
/** What ends what was begun: in ASCII two further. */
const END_OF = 2;
const COMMA = 0x2c;
const COLON = 0x3a;

/**
 * Where JSON ends or stops being JSON. `JSON.parse` does not tell the place of every mistake, and takes no more than one
 * text can hold.
 */
export function endOfJson(bytes: Uint8Array): JsonEnd {
  /** The containers around the place. */
  const open: number[] = [];
  let next = Next.Value;
  let at = 0;
  for (;;) {
    while (isSpace(bytes[at])) at++;
    const isAfterValue = next === Next.CommaOrEnd && open.length === 0;
    const byte = bytes[at];
    if (byte === undefined || isAfterValue) return { at, isWhole: isAfterValue };
    const around = open[open.length - 1];
    if (next === Next.Colon) {
      if (byte !== COLON) return { at, isWhole: false };
      next = Next.Value;
      at++;
    } else if (around !== undefined && byte === around + END_OF && next !== Next.Value && next !== Next.Key) {
      open.pop();
      next = Next.CommaOrEnd;
      at++;
    } else if (next === Next.CommaOrEnd) {
      if (byte !== COMMA) return { at, isWhole: false };
      next = around === OBJECT ? Next.Key : Next.Value;
      at++;
    } else if (next === Next.Key || next === Next.FirstKey) {
      const end = byte === QUOTE ? endOfText(bytes, at) : stopped(at);
      if (!end.isWhole) return end;
      next = Next.Colon;
      at = end.at;
    } else if (byte === OBJECT || byte === LIST) {
      open.push(byte);
      next = byte === OBJECT ? Next.FirstKey : Next.FirstEntry;
      at++;
    } else {
      const end = endOfScalar(bytes, at);
      if (!end.isWhole) return end;
      next = Next.CommaOrEnd;
      at = end.at;
    }
  }
}

const stopped = (at: number): JsonEnd => ({ at, isWhole: false });

const isSpace = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

const ESCAPES: ReadonlySet<number | undefined> = new Set(Buffer.from('"\\/bfnrt'));
const UNICODE = 0x75;

function endOfText(bytes: Uint8Array, quote: number): JsonEnd {
  for (let at = quote + 1; ; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return { at: at + 1, isWhole: true };
    if (byte === undefined || byte < 0x20) return stopped(at);
    if (byte !== BACKSLASH) continue;
    at++;
    if (bytes[at] === UNICODE) {
      for (let digit = 0; digit < 4; digit++) if (!isHexadecimal(bytes[++at])) return stopped(at);
    } else if (!ESCAPES.has(bytes[at])) return stopped(at);
  }
}

const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;
const isHexadecimal = (byte: number | undefined): boolean =>
  isDigit(byte) || (byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);

const WORDS = ["true", "false", "null"].map((word) => Buffer.from(word));

function endOfScalar(bytes: Uint8Array, from: number): JsonEnd {
  if (bytes[from] === QUOTE) return endOfText(bytes, from);
  const word = WORDS.find(([first]) => first === bytes[from]);
  if (!word) return endOfNumber(bytes, from);
  let length = 1;
  while (length < word.length && bytes[from + length] === word[length]) length++;
  return { at: from + length, isWhole: length === word.length };
}

function endOfNumber(bytes: Uint8Array, from: number): JsonEnd {
  let at = from;
  const digits = (): boolean => {
    const first = at;
    while (isDigit(bytes[at])) at++;
    return at > first;
  };
  if (bytes[at] === 0x2d) at++;
  if (bytes[at] === 0x30) at++;
  else if (!digits()) return stopped(at);
  if (bytes[at] === 0x2e) {
    at++;
    if (!digits()) return stopped(at);
  }
  if (((bytes[at] ?? 0) | 0x20) === 0x65) {
    at++;
    if (bytes[at] === 0x2b || bytes[at] === 0x2d) at++;
    if (!digits()) return stopped(at);
  }
  return { at, isWhole: true };
}
