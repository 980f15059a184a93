import { bitOf, type Family, lanesOf, type Prefix } from "../../address";
import { onceIn } from "../../collections";
import { lastFrom } from "../packets/algebra";

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

export const bitsOf = (prefix: Prefix): Bits => ({ length: prefix.length, lanes: lanesOf(prefix) });

/** Whether the bit at this depth is set. */
export const isOne = ({ lanes }: Bits, depth: number): boolean => bitOf(lanes, depth) === 1;

/** Nodes of binary tries: two references each, in two lists. References below zero are no nodes: all below them is the same. */
class Nodes {
  readonly #branches: readonly [number[], number[]] = [[], []];

  protected make(zero: number, one: number): number {
    this.#branches[1].push(one);
    return this.#branches[0].push(zero) - 1;
  }

  /** The part with this next bit. */
  branch(node: number, isSet: boolean): number {
    return node < 0 ? node : this.#branches[isSet ? 1 : 0][node]!;
  }

  /** The part with the bits of a prefix. */
  below(root: number, prefix: Bits): number {
    let node = root;
    for (let depth = 0; depth < prefix.length; depth++) node = this.branch(node, isOne(prefix, depth));
    return node;
  }

  protected set(node: number, isSet: boolean, to: number): void {
    this.#branches[isSet ? 1 : 0][node] = to;
  }
}

/** The sets of no address and of every address, as references smaller than those of all nodes. */
const EMPTY = -1;
export const FULL = -2;

/** Sets of addresses. A set is the reference of its root; adding to it makes a new set and leaves the old one unchanged. */
class Covers extends Nodes {
  /** The set with a prefix added. */
  with(set: number, prefix: Bits, depth = 0): number {
    if (set === FULL || depth === prefix.length) return FULL;
    const isSet = isOne(prefix, depth);
    const added = this.with(this.branch(set, isSet), prefix, depth + 1);
    const other = this.branch(set, !isSet);
    if (added === FULL && other === FULL) return FULL;
    return isSet ? this.make(other, added) : this.make(added, other);
  }
}

/** A number for every address: that of the prefix painted over it last. A root below zero stands for one number for all. */
export class Paintings extends Nodes {
  static plain(label: number): number {
    return -1 - label;
  }

  /** Paints in place, and returns the new root. */
  paint(painting: number, prefix: Bits, label: number, depth = 0): number {
    if (depth === prefix.length) return Paintings.plain(label);
    const node = painting < 0 ? this.make(painting, painting) : painting;
    const isSet = isOne(prefix, depth);
    this.set(node, isSet, this.paint(this.branch(node, isSet), prefix, label, depth + 1));
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
    const versions = onceIn(this.#versions, service, () => []);
    const set = this.covers.with(versions.at(-1)?.set ?? EMPTY, prefix);
    versions.push({ from: position + 1, set });
  }

  /** What rules before a position cover for a service: rules for every service, and rules for this service. */
  before(position: number, service: number): readonly [number, number] {
    return [this.at(position, OTHERS), service === OTHERS ? EMPTY : this.at(position, service)];
  }

  /** Whether nothing of a prefix is left for a service to the rule at a position. */
  covered(position: number, service: number, prefix: Bits): boolean {
    const [all, some] = this.before(position, service);
    return this.full(this.covers.below(all, prefix), this.covers.below(some, prefix));
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
    return versions[lastFrom(versions, position)]?.set ?? EMPTY;
  }
}
