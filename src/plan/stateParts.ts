import { ENTRY } from "./scan/entryPlaces";
import type { JsonBytes, Place } from "./scan/jsonBytes";
import { PLACE, placeAt } from "./scan/jsonMembers";

const PARTS = ["provider", "inputs", "outputs", "propertyDependencies"] as const;
const WIDTH = PLACE * PARTS.length;

/** A part of a state that is parsed when it is first read. */
export type StatePart = (typeof PARTS)[number];

/**
 * The parts of many states, which are not parsed yet. Where they are stands in one list of numbers: objects for each place
 * would take more memory than the resources.
 */
export class StateParts {
  #numbers = new Int32Array(WIDTH * 1024);
  #count = 0;

  constructor(private readonly json: JsonBytes) {}

  /** Keeps the parts of an entry that was found, and returns what leads to them. */
  keep(entry: Int32Array): number {
    const first = WIDTH * this.#count++;
    if (first === this.#numbers.length) {
      const longer = new Int32Array(2 * first);
      longer.set(this.#numbers);
      this.#numbers = longer;
    }
    for (let part = 0; part < PARTS.length; part++) {
      const found = ENTRY[PARTS[part]!];
      this.#numbers[first + PLACE * part] = entry[found]!;
      this.#numbers[first + PLACE * part + 1] = entry[found + 1]!;
    }
    return first;
  }

  /** A part of a state, parsed anew each time; undefined where it has none. */
  parsed(kept: number, part: StatePart): unknown {
    const place: Place | undefined = placeAt(this.#numbers, kept + PLACE * PARTS.indexOf(part));
    return place && this.json.parsed(place);
  }
}
