import type { Event, ScalarEvent } from "js-yaml";
import { meaningOf, type MeantScalar, type Positions, textOf } from "./yamlTree";

/** A document that was read without building a tree. */
export interface PlainDocument {
  value: unknown;
  /** The line, from 1, on which it begins. */
  line: number;
  /** Computed on the first call, because most documents have no findings. */
  positions: () => Positions;
}

/**
 * Reads a text with one document of common YAML, in a fifth of the time that a tree takes.
 *
 * @returns undefined if anything is wrong, or if kubectl has its own way to read it: the tree handles both
 */
export function plainDocument(text: string): PlainDocument | undefined {
  const events = PARTICULAR.test(text) ? undefined : eventsOf(text);
  if (!events) return undefined;
  const reader = new Reader(text, events);
  const value = reader.value();
  if (reader.isParticular) return undefined;
  const again = () => new Reader(text, events);
  let positions: Positions | undefined;
  return { value, line: again().line(), positions: () => (positions ??= again().positions()) };
}

/**
 * Tabs, other line endings, anchors, aliases, tags, directives, keys after question marks, merges, and the document end
 * marker, which another document may follow.
 */
const PARTICULAR = /[\t\r\u0085\ufeff]|(?:^|[\s,[{])(?:[&*!%]|\?(?!\S)|<<)|^\.\.\./m;

/** The deepest nesting, less than the tree accepts. */
const LEVELS = 100;

/** The events of the one document of a text; undefined if the text is anything else. */
function eventsOf(text: string): Event[] | undefined {
  const { EVENT_ID, parseEvents } = jsYaml();
  try {
    const [document, ...events] = parseEvents(text, { maxDepth: LEVELS });
    const isOne = document && !events.some(({ type }) => type === EVENT_ID.DOCUMENT);
    // A single scalar is no manifest.
    return isOne && events[0]!.type !== EVENT_ID.SCALAR ? events : undefined;
  } catch {
    return undefined;
  }
}

/** The `js-yaml` package, loaded at its first use. */
function jsYaml(): typeof import("js-yaml") {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load it with this file
  return require("js-yaml") as typeof import("js-yaml");
}

/** Reads a document once, in the order of its text. */
class Reader {
  /** Whether the document has something that only the tree handles. */
  isParticular = false;
  readonly #yaml = jsYaml();
  #next = 0;
  /** The current line and the position where it ends; -1 on the last line, which may be the only one. */
  #line = 1;
  #end: number;

  constructor(
    private readonly text: string,
    private readonly events: readonly Event[],
  ) {
    this.#end = text.indexOf("\n");
  }

  /** The next value. */
  value(): unknown {
    const event = this.#take();
    const { EVENT_ID } = this.#yaml;
    if (event.type === EVENT_ID.SCALAR) return this.#scalar(event).value;
    if (event.type === EVENT_ID.SEQUENCE) {
      const list: unknown[] = [];
      while (!this.#ends()) list.push(this.#entry());
      return list;
    }
    const map: Record<string, unknown> = {};
    if (event.type !== EVENT_ID.MAPPING) this.isParticular = true;
    else
      while (!this.#ends()) {
        const key = this.#key();
        if (Object.hasOwn(map, key)) this.isParticular = true;
        map[key] = event.style === this.#yaml.COLLECTION_STYLE.FLOW ? this.#entry() : this.value();
      }
    return map;
  }

  /** A value that may not be on the line of a key: if it is empty, only the tree knows its line. */
  #entry(): unknown {
    const event = this.events[this.#next]!;
    if ("valueStart" in event && event.valueStart < 0) this.isParticular = true;
    return this.value();
  }

  /** The positions of the next value and of those in it. */
  positions(): Positions {
    const line = this.line();
    const { type } = this.#take();
    const { EVENT_ID } = this.#yaml;
    if (type === EVENT_ID.SEQUENCE) {
      const inside: Positions[] = [];
      while (!this.#ends()) inside.push(this.positions());
      return { line, inside };
    }
    if (type !== EVENT_ID.MAPPING) return { line };
    const inside = new Map<string, Positions>();
    while (!this.#ends()) {
      this.line();
      inside.set(this.#key(), this.positions());
    }
    return { line, inside };
  }

  /** The line of the next value; if it is empty, the line of the key before it. */
  line(): number {
    const event = this.events[this.#next]!;
    const start = this.#startOf(event);
    while (this.#end >= 0 && this.#end < start) {
      this.#line++;
      this.#end = this.text.indexOf("\n", this.#end + 1);
    }
    return this.#line;
  }

  #startOf(event: Event): number {
    if (event.type !== this.#yaml.EVENT_ID.SCALAR) return "start" in event ? event.start : -1;
    const { LITERAL_BLOCK, FOLDED_BLOCK } = this.#yaml.SCALAR_STYLE;
    const isBlock = event.style === LITERAL_BLOCK || event.style === FOLDED_BLOCK;
    // The header of a block ends the line before it.
    return isBlock ? event.valueStart - 1 : event.valueStart;
  }

  #take(): Event {
    return this.events[this.#next++]!;
  }

  /** Whether the list or map ends here; if so, moves past its end. */
  #ends(): boolean {
    if (this.events[this.#next]!.type !== this.#yaml.EVENT_ID.POP) return false;
    this.#next++;
    return true;
  }

  #key(): string {
    const event = this.#take();
    const key = event.type === this.#yaml.EVENT_ID.SCALAR ? this.#scalar(event) : undefined;
    const name = key && isShort(event as ScalarEvent, this.text) ? key.key : undefined;
    if (name !== undefined && name !== "__proto__") return name;
    this.isParticular = true;
    return "";
  }

  #scalar(event: ScalarEvent): MeantScalar {
    const isLong = event.valueEnd - event.valueStart > PART;
    const text =
      isLong && event.style === this.#yaml.SCALAR_STYLE.LITERAL_BLOCK
        ? this.#longBlock(event)
        : this.#yaml.getScalarValue(this.text, event);
    if (event.style !== this.#yaml.SCALAR_STYLE.PLAIN) return textOf(text);
    const meant = meaningOf(text);
    if (typeof meant.value === "number" && !Number.isFinite(meant.value)) this.isParticular = true;
    if (isDoubtful(event, this.text)) this.isParticular = true;
    return meant;
  }

  /** A literal block, decoded in parts: the library holds every line of what it decodes, which takes ten times the text. */
  #longBlock(event: ScalarEvent): string {
    const { CHOMPING_MODE, getScalarValue } = this.#yaml;
    const parts: string[] = [];
    for (let start = event.valueStart; start < event.valueEnd;) {
      const line = this.text.indexOf("\n", start + PART);
      const end = line < 0 ? event.valueEnd : Math.min(line + 1, event.valueEnd);
      const range = { ...event, valueStart: start, valueEnd: end, chomping: CHOMPING_MODE.KEEP };
      const part = getScalarValue(this.text, range);
      // The library links the lines to a string. A search makes one string of them, and the lines can go.
      /[^\n]/.test(part);
      parts.push(part);
      start = end;
    }
    const whole = parts.join("");
    if (event.chomping === CHOMPING_MODE.KEEP) return whole;
    let length = whole.length;
    while (whole[length - 1] === "\n") length--;
    return whole.slice(0, length === 0 || event.chomping === CHOMPING_MODE.STRIP ? length : length + 1);
  }
}

/** The length of a part of a long block, in characters. */
const PART = 1 << 16;

/** Whether YAML 1.1 and YAML 1.2 disagree about where a text between brackets ends. */
const isDoubtful = ({ valueStart, valueEnd }: ScalarEvent, text: string): boolean =>
  valueStart >= 0 &&
  (/[?:]/.test(text.charAt(valueStart)) || /^:[,[\]{}]/.test(text.slice(valueEnd, valueEnd + 2)));

/** Whether a key is on one line and short enough: kubectl accepts keys of up to 1024 characters. */
const isShort = ({ valueStart, valueEnd }: ScalarEvent, text: string): boolean =>
  valueEnd - valueStart < 1000 && !text.slice(valueStart, valueEnd).includes("\n");
