import type { JsonBytes } from "./jsonBytes";

const QUOTE = 0x22;
/** A power of two: more than a plan has types of resources. */
const SLOTS = 256;

/**
 * Parses values of which many are the same texts: types, parents, and URNs, which a preview says twice. Texts that are
 * written alike are one text, which takes neither time nor memory again.
 */
export class RepeatedTexts {
  readonly #from = new Int32Array(SLOTS);
  readonly #to = new Int32Array(SLOTS);
  readonly #values = new Array<unknown>(SLOTS).fill(undefined);

  constructor(private readonly json: JsonBytes) {}

  /** The value between two positions, which is there. */
  at(from: number, to: number): unknown {
    const { bytes } = this.json;
    if (bytes[from] !== QUOTE) return this.json.parsed({ from, to });
    const slot = slotOf(bytes, from, to);
    if (!areAlike(bytes, from, this.#from[slot]!, to - from, this.#to[slot]! - this.#from[slot]!)) {
      this.#values[slot] = this.json.parsed({ from, to });
      this.#from[slot] = from;
      this.#to[slot] = to;
    }
    return this.#values[slot];
  }
}

/** By length and last letters, in which texts of plans differ most. */
const slotOf = (bytes: Uint8Array, from: number, to: number): number =>
  ((to - from) * 31 + bytes[to - 2]! * 7 + bytes[to - 3]! * 3 + bytes[to - 4]!) & (SLOTS - 1);

function areAlike(
  bytes: Uint8Array,
  one: number,
  other: number,
  length: number,
  lengthOfOther: number,
): boolean {
  if (length !== lengthOfOther) return false;
  for (let letter = 1; letter < length; letter++)
    if (bytes[one + letter] !== bytes[other + letter]) return false;
  return true;
}
