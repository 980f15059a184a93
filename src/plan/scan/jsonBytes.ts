import { isAscii } from "node:buffer";
import { setFlagsFromString } from "node:v8";

import { DEEPEST } from "../../collections";
import { mayMarkSecret, SECRET_MARKS } from "../engineValue";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OBJECT = 0x7b;
const LIST = 0x5b;
/** The distance in ASCII from an opening bracket or brace to the closing one. */
const END_OF = 2;
const COMMA = 0x2c;
const COLON = 0x3a;
const SPACE = 0x20;
/** Eight and four spaces, each read as one number: most bytes of plans are indentation. */
const EIGHT_SPACES = Buffer.alloc(8, " ").readDoubleBE();
const FOUR_SPACES = 0x20202020;

/** Texts with more characters may contain a long list. */
const LONG = 1024 * 1024;

/**
 * Calls `JSON.parse`. While a long list is parsed all of it is alive, and V8 scans it each time that its space for new objects is full.
 * For long texts that space therefore grows as usual; otherwise the command line keeps it small.
 */
export function parsedText(text: string): unknown {
  if (text.length > LONG) setFlagsFromString("--semi-space-growth-factor=2");
  return JSON.parse(text) as unknown;
}

/** The place of a value. */
export interface ByteSpan {
  from: number;
  to: number;
}

/**
 * Walks over the bytes of JSON without parsing them. Each step accepts a position and returns the next one. At an invalid
 * byte it returns the position as `~position`, which is negative; if more bytes could follow, that position is the number
 * of bytes.
 */
export class JsonBytes {
  /** The backslash that was passed last. In an array, because V8 discards machine code that reads a field when it first changes. */
  readonly #lastEscape = Int32Array.of(-1);
  /** The text that was passed last and may mark a secret. */
  readonly #lastMark = Int32Array.of(-1);
  /** The open objects and lists around the current position. */
  #open: Uint8Array = new Uint8Array(64);
  private readonly view: DataView;
  /** The last position at which eight bytes can be read at once. */
  private readonly lastEight: number;
  /** Whether a walk ended because a value is nested too deeply. */
  isTooDeep = false;
  #encoding: "latin1" | "utf8" | undefined;

  constructor(readonly bytes: Buffer) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.lastEight = bytes.length - 8;
  }

  /** The bytes as text. Most plans are ASCII, which Node decodes faster as latin1. */
  written(from: number, to: number): string {
    this.#encoding ??= isAscii(this.bytes) ? "latin1" : "utf8";
    return this.bytes.toString(this.#encoding, from, to);
  }

  /** Parses the value at a place. */
  parsed({ from, to }: ByteSpan): unknown {
    const written = this.written(from, to);
    // Most values are texts that need no parsing.
    return this.bytes[from] === QUOTE && !written.includes("\\") ? written.slice(1, -1) : parsedText(written);
  }

  /** Whether the text that was passed last, and that begins at `from`, has a backslash. */
  hasEscape(from: number): boolean {
    return this.#lastEscape[0]! > from;
  }

  /** Whether something in the value that was passed last, and that begins at `from`, may mark a secret. */
  mayHoldSecret(from: number): boolean {
    return this.#lastMark[0]! >= from;
  }

  isObject(at: number): boolean {
    return this.bytes[at] === OBJECT;
  }

  /** Whether an object has no members, or a list no entries. */
  isEmpty({ from, to }: ByteSpan): boolean {
    return this.afterSpace(from + 1) === to - 1;
  }

  /** The position of the first byte that is not a space. */
  afterSpace(from: number): number {
    const { bytes, view, lastEight } = this;
    let at = from;
    while (isSpace(bytes[at]!)) {
      at++;
      while (at <= lastEight && view.getFloat64(at) === EIGHT_SPACES) at += 8;
      if (at <= lastEight && view.getInt32(at) === FOUR_SPACES) at += 4;
    }
    return at;
  }

  /** The position after a value of any kind that is not nested too deeply. */
  afterValue(from: number): number {
    const { bytes } = this;
    let open = this.#open;
    let depth = 0;
    let at = from;
    for (;;) {
      const byte = bytes[at];
      if (byte === OBJECT || byte === LIST) {
        at = this.afterSpace(at + 1);
        if (bytes[at] === byte + END_OF) at++;
        else {
          if (depth === open.length) open = this.#open = twice(open);
          if (depth === DEEPEST) {
            this.isTooDeep = true;
            return ~(at - 1);
          }
          open[depth++] = byte;
          if (byte === OBJECT) at = this.afterKey(at);
          if (at < 0) return at;
          continue;
        }
      } else {
        at = this.afterScalar(at);
        if (at < 0) return at;
      }
      for (;;) {
        if (depth === 0) return at;
        const around = open[depth - 1]!;
        at = this.afterSpace(at);
        if (bytes[at] === COMMA) {
          at = this.afterSpace(at + 1);
          if (around === OBJECT) at = this.afterKey(at);
          if (at < 0) return at;
          break;
        }
        if (bytes[at] !== around + END_OF) return ~at;
        depth--;
        at++;
      }
    }
  }

  /** The position of the value that belongs to a key in quotes. */
  afterKey(from: number): number {
    if (this.bytes[from] !== QUOTE) return ~from;
    const end = this.afterText(from);
    if (end < 0) return end;
    const colon = this.bytes[end] === COLON ? end : this.afterSpace(end);
    return this.bytes[colon] === COLON ? this.afterSpace(colon + 1) : ~colon;
  }

  /** The position after a list; `afterEntry` returns the position after each entry. */
  afterEntries(from: number, afterEntry: (at: number) => number): number {
    const { bytes } = this;
    if (bytes[from] !== LIST) return ~from;
    let at = this.afterSpace(from + 1);
    if (bytes[at] === LIST + END_OF) return at + 1;
    for (;;) {
      at = afterEntry(at);
      if (at < 0) return at;
      at = this.afterSpace(at);
      if (bytes[at] === LIST + END_OF) return at + 1;
      if (bytes[at] !== COMMA) return ~at;
      at = this.afterSpace(at + 1);
    }
  }

  /** The position after an object; `afterMember` returns the position after each value, and also gets the position of its key. */
  afterMembers(from: number, afterMember: (key: number, at: number) => number): number {
    const { bytes } = this;
    if (bytes[from] !== OBJECT) return ~from;
    let at = this.afterSpace(from + 1);
    if (bytes[at] === OBJECT + END_OF) return at + 1;
    for (;;) {
      const value = this.afterKey(at);
      if (value < 0) return value;
      at = afterMember(at, value);
      if (at < 0) return at;
      at = this.afterSpace(at);
      if (bytes[at] === OBJECT + END_OF) return at + 1;
      if (bytes[at] !== COMMA) return ~at;
      at = this.afterSpace(at + 1);
    }
  }

  /** The position after a value that contains no others. */
  afterScalar(from: number): number {
    const { bytes } = this;
    if (bytes[from] === QUOTE) return this.afterText(from);
    const word = WORDS[bytes[from] ?? 0];
    return word ? afterWord(bytes, from, word) : afterNumber(bytes, from);
  }

  /** The position after a text that begins with a quote. */
  afterText(quote: number): number {
    const { bytes } = this;
    const isOrdinary = ORDINARY;
    const isMarkBegun = MARK_BEGUN;
    for (let at = quote + 1; ; at++) {
      while (isOrdinary[bytes[at]!] === 1) at++;
      const byte = bytes[at];
      if (byte === QUOTE) {
        if (isMarkBegun[bytes[quote + 1]!] === 1 && mayMarkSecret(bytes, quote + 1, at))
          this.#lastMark[0] = quote;
        return at + 1;
      }
      if (byte !== BACKSLASH) return ~at;
      this.#lastEscape[0] = at++;
      if (bytes[at] === UNICODE) {
        // The escaped character may be part of a mark.
        this.#lastMark[0] = quote;
        for (let digit = 0; digit < 4; digit++) if (!isHexadecimal(bytes[++at])) return ~at;
      } else if (!ESCAPES.has(bytes[at])) return ~at;
    }
  }
}

/** Bytes that a text may contain and that neither end it nor begin an escape. */
const ORDINARY = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < SPACE || byte === QUOTE || byte === BACKSLASH ? 0 : 1,
);
/** First bytes of texts and keys that may mark a secret. */
const MARK_BEGUN = Uint8Array.from({ length: 256 }, (_, byte) => (SECRET_MARKS.includes(byte) ? 1 : 0));
const ESCAPES: ReadonlySet<number | undefined> = new Set(Buffer.from('"\\/bfnrt'));
const UNICODE = 0x75;
/** The literals by their first letters. */
const WORDS: readonly (Uint8Array | undefined)[] = Array.from({ length: 256 }, (_, first) =>
  ["true", "false", "null"].map((word) => Buffer.from(word)).find((word) => word[0] === first),
);

function twice(list: Uint8Array): Uint8Array {
  const longer = new Uint8Array(2 * list.length);
  longer.set(list);
  return longer;
}

function afterWord(bytes: Uint8Array, from: number, word: Uint8Array): number {
  for (let letter = 1; letter < word.length; letter++)
    if (bytes[from + letter] !== word[letter]) return ~(from + letter);
  return from + word.length;
}

function afterNumber(bytes: Uint8Array, from: number): number {
  let at = bytes[from] === 0x2d ? from + 1 : from;
  at = bytes[at] === 0x30 ? at + 1 : afterDigits(bytes, at);
  if (at >= 0 && bytes[at] === 0x2e) at = afterDigits(bytes, at + 1);
  if (at < 0 || ((bytes[at] ?? 0) | 0x20) !== 0x65) return at;
  at++;
  return afterDigits(bytes, bytes[at] === 0x2b || bytes[at] === 0x2d ? at + 1 : at);
}

/** The position after one or more digits. */
function afterDigits(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isDigit(bytes[at])) at++;
  return at > from ? at : ~at;
}

const isSpace = (byte: number): boolean =>
  byte <= SPACE && (byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09);
const isDigit = (byte: number | undefined): boolean => byte !== undefined && byte >= 0x30 && byte <= 0x39;
const isHexadecimal = (byte: number | undefined): boolean =>
  isDigit(byte) || (byte !== undefined && (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66);
