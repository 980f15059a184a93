import type { JsonBytes, Place } from "./jsonBytes";

/** Names of members, to be found among bytes. */
export class Names<Name extends string> {
  /** By their first letters. */
  readonly #byFirst: { position: number; bytes: Buffer }[][] = Array.from({ length: 256 }, () => []);

  constructor(readonly names: readonly Name[]) {
    names.forEach((name, position) => {
      const bytes = Buffer.from(`${name}"`);
      this.#byFirst[bytes[0]!]!.push({ position, bytes });
    });
  }

  /** The position of the name that a key is; -1 for other keys. */
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

/** Where an object ends, and where those of its values are that somebody asked for, in the order of the names. */
export interface Members {
  end: number;
  places: readonly (Place | undefined)[];
}

/**
 * Finds members of an object without reading the others. Undefined where it is none that JSON.parse takes, and for what is
 * unusual: a key that is escaped, and one of these names twice.
 * @param afterMember what follows a value, where it is read on this way
 */
export function findMembers<Name extends string>(
  json: JsonBytes,
  from: number,
  names: Names<Name>,
  afterMember: (name: Name | undefined, at: number) => number = (_, at) => json.afterValue(at),
): Members | undefined {
  const places = names.names.map((): Place | undefined => undefined);
  const end = json.afterMembers(from, (key, at) => {
    const position = names.at(json.bytes, key);
    const isAsked = position >= 0;
    if (json.hasEscape(key, at) || (isAsked && places[position])) return ~key;
    const to = afterMember(isAsked ? names.names[position] : undefined, at);
    if (isAsked) places[position] = { from: at, to };
    return to;
  });
  return end < 0 ? undefined : { end, places };
}
