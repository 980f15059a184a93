import { OTHERS } from "./rules";
import { isOne, Covers, EMPTY, FULL, type Bits } from "./trie";
/** What the rules before each position of a list are about. */
export class Coverage {
  readonly covers = new Covers();
  /** For each service the sets in the order of positions. */
  readonly #versions = new Map<number, { from: number; set: number }[]>();

  constructor(exempt: readonly Bits[]) {
    const set = exempt.reduce((all, prefix) => this.covers.with(all, prefix), EMPTY);
    this.#versions.set(OTHERS, [{ from: 0, set }]);
  }

  /** The rule at a position is about this prefix, for one service or for every one. */
  add(position: number, service: number, prefix: Bits): void {
    const versions = this.#versions.get(service) ?? [];
    const set = this.covers.with(versions.at(-1)?.set ?? EMPTY, prefix);
    versions.push({ from: position + 1, set });
    this.#versions.set(service, versions);
  }

  /** What is taken at a service before a position: by rules for every service, and by those for this one. */
  before(position: number, service: number): readonly [number, number] {
    return [this.at(position, OTHERS), service === OTHERS ? EMPTY : this.at(position, service)];
  }

  /** Whether nothing of a prefix is left at a service for the rule at a position. */
  covered(position: number, service: number, prefix: Bits): boolean {
    let [all, some] = this.before(position, service);
    for (let depth = 0; depth < prefix.length; depth++) {
      const isSet = isOne(prefix, depth);
      [all, some] = [this.covers.branch(all, isSet), this.covers.branch(some, isSet)];
    }
    return this.full(all, some);
  }

  /** Whether two sets together are everything. */
  full(a: number, b: number): boolean {
    if (a === FULL || b === FULL) return true;
    // A set that has everything has only one form.
    if (a === EMPTY || b === EMPTY) return false;
    const { covers } = this;
    return [false, true].every((isSet) => this.full(covers.branch(a, isSet), covers.branch(b, isSet)));
  }

  private at(position: number, service: number): number {
    const versions = this.#versions.get(service) ?? [];
    let [low, high] = [0, versions.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (versions[middle]!.from <= position) low = middle + 1;
      else high = middle;
    }
    return versions[low - 1]?.set ?? EMPTY;
  }
}
