import type { JsonBytes, ByteSpan } from "./jsonBytes";

/** Names of members, to be matched with bytes. */
export class Names {
  /** The names by their first letters. */
  readonly #byFirst: { position: number; bytes: Buffer }[][] = Array.from({ length: 256 }, () => []);

  constructor(names: readonly string[]) {
    names.forEach((name, position) => {
      const bytes = Buffer.from(`${name}"`);
      this.#byFirst[bytes[0]!]!.push({ position, bytes });
    });
  }

  /** The index of the name that a key equals; -1 for other keys. */
  at(bytes: Buffer, quote: number): number {
    for (const one of this.#byFirst[bytes[quote + 1]!]!)
      if (isThere(one.bytes, bytes, quote + 1)) return one.position;
    return -1;
  }
}

function isThere(name: Buffer, bytes: Buffer, from: number): boolean {
  for (let letter = 1; letter < name.length; letter++)
    if (bytes[from + letter] !== name[letter]) return false;
  return true;
}

/** The count of numbers in a place: where a value begins, and the position after it. Zeros mean no place. */
export const PLACE = 2;

/** The place at an index of a list of numbers; undefined if there is none. */
export const placeAt = (numbers: Int32Array, position: number): ByteSpan | undefined =>
  numbers[position] === 0 ? undefined : { from: numbers[position]!, to: numbers[position + 1]! };

/** Finds members of objects without parsing the others. Creates no objects, because plans have millions of members. */
export class MemberFinder {
  #numbers: Int32Array = new Int32Array(0);
  #first = 0;

  /**
   * @param after returns the position after a value, given the index of its name, which is -1 for others
   */
  constructor(
    private readonly json: JsonBytes,
    private readonly names: Names,
    private readonly after: (position: number, at: number) => number,
  ) {}

  /**
   * Returns the position after an object. Writes the places of the named members, in the order of the names, into the numbers
   * in place of zeros. Negative if it is no object that JSON.parse accepts, or is unusual: an escaped key, or one of these
   * names twice.
   */
  find(from: number, numbers: Int32Array, first: number): number {
    this.#numbers = numbers;
    this.#first = first;
    return this.json.afterMembers(from, this.#afterMember);
  }

  readonly #afterMember = (key: number, at: number): number => {
    const { json } = this;
    const position = this.names.at(json.bytes, key);
    const place = this.#first + PLACE * position;
    if (json.hasEscape(key) || (position >= 0 && this.#numbers[place] !== 0)) return ~key;
    const to = this.after(position, at);
    if (position >= 0) {
      this.#numbers[place] = at;
      this.#numbers[place + 1] = to;
    }
    return to;
  };
}
