import { BITS, type Family, type Prefix } from "../../address";

/** A rule of a first-match list. */
export interface OrderedRule {
  allow: boolean;
  /** Its destination. Undefined: unknown addresses, for example those of a DNS name. */
  prefix?: Prefix;
  /** The protocol and port of each service as one number. Empty: every protocol and port. */
  services: readonly number[];
}

/** Stands for the services that no rule names: rules for every service apply to them too. */
export const OTHERS = -1;

/** The services that a rule names, or the placeholder for all others. */
export const servicesOf = ({ services }: OrderedRule): readonly number[] =>
  services.length === 0 ? [OTHERS] : services;

const EVERYWHERE: Bits = { length: 0, lanes: [] };

/** The addresses of a family that a rule may apply to: everything if its destination is unknown, undefined if none. */
export function reachOf({ prefix }: OrderedRule, family: Family): Bits | undefined {
  if (!prefix) return EVERYWHERE;
  return prefix.family === family ? bitsOf(prefix) : undefined;
}

/** A prefix as bits. */
export interface Bits {
  length: number;
  /** 32 bits each, one for IPv4 and four for IPv6. */
  lanes: readonly number[];
}

export function bitsOf({ family, start, length }: Prefix): Bits {
  const count = BITS[family] / 32;
  const lanes = Array.from({ length: count }, (_, lane) =>
    Number((start >> BigInt(32 * (count - 1 - lane))) & 0xffffffffn),
  );
  return { length, lanes };
}

/** Whether the bit at this depth is set. */
export const isOne = ({ lanes }: Bits, depth: number): boolean =>
  ((lanes[depth >> 5]! >>> (31 - (depth & 31))) & 1) === 1;

/** Nodes of binary tries: two references each, in two lists. */
class Nodes {
  readonly #branches: readonly [number[], number[]] = [[], []];

  make(zero: number, one: number): number {
    this.#branches[1].push(one);
    return this.#branches[0].push(zero) - 1;
  }

  branch(node: number, isSet: boolean): number {
    return this.#branches[isSet ? 1 : 0][node]!;
  }

  set(node: number, isSet: boolean, to: number): void {
    this.#branches[isSet ? 1 : 0][node] = to;
  }
}

/** The sets of no address and of every address, as references smaller than those of all nodes. */
const EMPTY = -1;
export const FULL = -2;

/** Sets of addresses. A set is the reference of its root; adding to it makes a new set and leaves the old one unchanged. */
class Covers {
  readonly #nodes = new Nodes();

  /** The part of a set with this next bit. */
  branch(set: number, isSet: boolean): number {
    return set < 0 ? set : this.#nodes.branch(set, isSet);
  }

  /** The set with a prefix added. */
  with(set: number, prefix: Bits, depth = 0): number {
    if (set === FULL || depth === prefix.length) return FULL;
    const isSet = isOne(prefix, depth);
    const added = this.with(this.branch(set, isSet), prefix, depth + 1);
    const other = this.branch(set, !isSet);
    if (added === FULL && other === FULL) return FULL;
    return isSet ? this.#nodes.make(other, added) : this.#nodes.make(added, other);
  }
}

/** A number for every address: that of the prefix painted over it last. A root below zero stands for one number for all. */
export class Paintings {
  readonly #nodes = new Nodes();

  static plain(label: number): number {
    return -1 - label;
  }

  branch(painting: number, isSet: boolean): number {
    return painting < 0 ? painting : this.#nodes.branch(painting, isSet);
  }

  /** Paints in place, and returns the new root. */
  paint(painting: number, prefix: Bits, label: number, depth = 0): number {
    if (depth === prefix.length) return Paintings.plain(label);
    const node = painting < 0 ? this.#nodes.make(painting, painting) : painting;
    const isSet = isOne(prefix, depth);
    this.#nodes.set(node, isSet, this.paint(this.#nodes.branch(node, isSet), prefix, label, depth + 1));
    return node;
  }
}

/** What the rules before each position of a list cover. */
export class Coverage {
  readonly covers = new Covers();
  /** For each service, its sets in the order of positions. */
  readonly #versions = new Map<number, { from: number; set: number }[]>();

  constructor(exempt: readonly Bits[]) {
    const set = exempt.reduce((all, prefix) => this.covers.with(all, prefix), EMPTY);
    this.#versions.set(OTHERS, [{ from: 0, set }]);
  }

  /** Records that the rule at a position covers this prefix, for one service or for every service. */
  add(position: number, service: number, prefix: Bits): void {
    const versions = this.#versions.get(service) ?? [];
    const set = this.covers.with(versions.at(-1)?.set ?? EMPTY, prefix);
    versions.push({ from: position + 1, set });
    this.#versions.set(service, versions);
  }

  /** What rules before a position cover for a service: rules for every service, and rules for this service. */
  before(position: number, service: number): readonly [number, number] {
    return [this.at(position, OTHERS), service === OTHERS ? EMPTY : this.at(position, service)];
  }

  /** Whether nothing of a prefix is left for a service to the rule at a position. */
  covered(position: number, service: number, prefix: Bits): boolean {
    let [all, some] = this.before(position, service);
    for (let depth = 0; depth < prefix.length; depth++) {
      const isSet = isOne(prefix, depth);
      [all, some] = [this.covers.branch(all, isSet), this.covers.branch(some, isSet)];
    }
    return this.full(all, some);
  }

  /** Whether the union of two sets is everything. */
  full(a: number, b: number): boolean {
    if (a === FULL || b === FULL) return true;
    // A set of everything has only one form, FULL.
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
