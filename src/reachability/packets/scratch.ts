/** Longer lists are not kept for the next use. */
export const LONGEST_KEPT = 65_536;

/** A list of numbers for a moment: making one for each of many thousands of indexes takes more time than what stands in it. */
export class Scratch {
  #kept = new Int32Array(64);

  /** A list of at least so many numbers, whatever they are; the next call hands it out again. */
  take(count: number): Int32Array {
    if (count <= this.#kept.length) return this.#kept;
    const list = new Int32Array(Math.max(count, 2 * this.#kept.length));
    if (list.length <= LONGEST_KEPT) this.#kept = list;
    return list;
  }
}
