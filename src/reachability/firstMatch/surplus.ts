import { type Family, merge, type Prefix, FAMILIES } from "../../address";
import {
  type Bits,
  bitsOf,
  Coverage,
  FULL,
  isOne,
  type OrderedRule,
  OTHERS,
  Paintings,
  reachOf,
  servicesOf,
} from "./trie";
import { grouped, pushAll } from "../../collections";

/** Why a rule can be left out. */
export enum Surplus {
  /** No packet reaches it: rules before it decide on everything that it applies to. */
  Shadowed = "shadowed",
  /** Without it, the rules behind it or the end of the list have the same effect. */
  Redundant = "redundant",
}

/**
 * Finds the rules that can all be left out together without changing what happens to any packet, whatever addresses unknown
 * destinations have; undefined for rules that must stay. `exempt` lists destinations that no rule applies to. Packets that no rule matches
 * are allowed.
 */
export function surplusOf(
  rules: readonly OrderedRule[],
  exempt: readonly Prefix[] = [],
): (Surplus | undefined)[] {
  const lists = FAMILIES.map((family) => new OneFamily(rules, exempt, family));
  const shadowed = rules.map((_, position) =>
    lists.map((list) => list.passForward(position)).every((isCovered) => isCovered),
  );
  const surplus: (Surplus | undefined)[] = [];
  for (let position = rules.length - 1; position >= 0; position--) {
    if (shadowed[position]) surplus[position] = Surplus.Shadowed;
    else if (lists.every((list) => list.isRedundant(position))) surplus[position] = Surplus.Redundant;
    else for (const list of lists) list.keep(position);
  }
  return rules.map((_, position) => surplus[position]);
}

/** A list of rules, restricted to the addresses of one family. */
class OneFamily {
  readonly #coverage: Coverage;
  readonly #reach: readonly (Bits | undefined)[];
  /** For each address and service, the first kept rule behind the position. */
  readonly #paintings = new Paintings();
  readonly #behind = new Map<number, number>();
  /** The prefixes of kept rules behind the position that name their services. */
  readonly #marks = new Marks();
  readonly #end: number;
  /** Kept rules behind the position with unknown destinations. */
  readonly #unknownBehind: number[] = [];

  constructor(
    private readonly rules: readonly OrderedRule[],
    exempt: readonly Prefix[],
    family: Family,
  ) {
    this.#coverage = new Coverage(exempt.filter((prefix) => prefix.family === family).map(bitsOf));
    this.#reach = rules.map((rule) => reachOf(rule, family));
    this.#end = Paintings.plain(rules.length);
  }

  /** Adds the next rule, from the first one forwards. Returns whether the rules before it leave it nothing. */
  passForward(position: number): boolean {
    const rule = this.rules[position]!;
    const reach = this.#reach[position];
    if (!reach) return true;
    const isCovered = servicesOf(rule).every((service) => this.#coverage.covered(position, service, reach));
    if (rule.prefix && !isCovered)
      for (const service of servicesOf(rule)) this.#coverage.add(position, service, reach);
    return isCovered;
  }

  /** Adds a rule that stays, from the last one backwards. */
  keep(position: number): void {
    const rule = this.rules[position]!;
    const reach = this.#reach[position];
    if (!rule.prefix) this.#unknownBehind.unshift(position);
    else if (reach) this.#marks.add(reach, rule.services);
    for (const service of servicesOf(rule)) {
      const painting = this.behind(service);
      const isPainted = rule.prefix && reach;
      this.#behind.set(service, isPainted ? this.#paintings.paint(painting, reach, position) : painting);
    }
  }

  /** Whether everything that the rule decides on has the same outcome without it. */
  isRedundant(position: number): boolean {
    const rule = this.rules[position]!;
    const reach = this.#reach[position];
    if (!reach) return true;
    if (rule.services.length > 0)
      return rule.services.every((service) => this.agrees(position, service, reach));
    if (!this.agrees(position, OTHERS, reach)) return false;
    // A service that no rule behind names at these addresses has the same outcome as services that no rule names.
    for (const service of this.#marks.about(reach)) if (!this.agrees(position, service, reach)) return false;
    return this.doubtfulServices(rule).every((service) => this.agrees(position, service, reach));
  }

  /** Services for which a rule behind with an unknown destination may decide differently. */
  private doubtfulServices({ allow }: OrderedRule): number[] {
    return this.#unknownBehind.flatMap((position) => {
      const rule = this.rules[position]!;
      return rule.allow === allow ? [] : rule.services;
    });
  }

  private agrees(position: number, service: number, reach: Bits): boolean {
    const { allow } = this.rules[position]!;
    const doubt = this.firstDoubt(allow, service);
    const same = (label: number) => label < doubt && (this.rules[label]?.allow ?? true) === allow;
    const [all, some] = this.#coverage.before(position, service);
    return this.same(
      this.#coverage.covers.below(all, reach),
      this.#coverage.covers.below(some, reach),
      this.#paintings.below(this.behind(OTHERS), reach),
      this.#paintings.below(this.behind(service), reach),
      same,
    );
  }

  private behind(service: number): number {
    return this.#behind.get(service) ?? this.#end;
  }

  /** The first rule behind with an unknown destination that may decide differently. */
  private firstDoubt(allow: boolean, service: number): number {
    const doubt = this.#unknownBehind.find((position) => {
      const rule = this.rules[position]!;
      return rule.allow !== allow && (rule.services.length === 0 || rule.services.includes(service));
    });
    return doubt ?? Infinity;
  }

  /** Whether the rules painted behind have the same effect wherever the rules before leave something open. */
  private same(
    all: number,
    some: number,
    every: number,
    one: number,
    isSame: (label: number) => boolean,
  ): boolean {
    if (all === FULL || some === FULL) return true;
    if (every < 0 && one < 0) return isSame(Math.min(-1 - every, -1 - one)) || this.#coverage.full(all, some);
    const covers = this.#coverage.covers;
    return [false, true].every((isSet) =>
      this.same(
        covers.branch(all, isSet),
        covers.branch(some, isSet),
        this.#paintings.branch(every, isSet),
        this.#paintings.branch(one, isSet),
        isSame,
      ),
    );
  }
}

const NOWHERE = 0;

/** Services at prefixes, to find those at addresses of another prefix. */
export class Marks {
  // Nodes of a binary trie; the first is the root, and no node leads to it.
  readonly #branches: readonly [number[], number[]] = [[NOWHERE], [NOWHERE]];
  readonly #here: (number[] | undefined)[] = [undefined];

  add(prefix: Bits, services: readonly number[]): void {
    let node = 0;
    for (let depth = 0; depth < prefix.length; depth++) {
      const branch = this.#branches[isOne(prefix, depth) ? 1 : 0];
      if (branch[node] === NOWHERE) branch[node] = this.make();
      node = branch[node]!;
    }
    pushAll((this.#here[node] ??= []), services);
  }

  /** Each service at a prefix that shares addresses with this one, once. */
  *about(prefix: Bits): Generator<number> {
    const seen = new Set<number>();
    let node = 0;
    for (let depth = 0; depth < prefix.length; depth++) {
      yield* this.unseen(node, seen);
      node = this.#branches[isOne(prefix, depth) ? 1 : 0][node]!;
      if (node === NOWHERE) return;
    }
    const open = [node];
    for (let inner = open.pop(); inner !== undefined; inner = open.pop()) {
      yield* this.unseen(inner, seen);
      for (const branch of this.#branches) if (branch[inner] !== NOWHERE) open.push(branch[inner]!);
    }
  }

  private *unseen(node: number, seen: Set<number>): Generator<number> {
    for (const service of this.#here[node] ?? []) if (seen.size < seen.add(service).size) yield service;
  }

  private make(): number {
    for (const branch of this.#branches) branch.push(NOWHERE);
    return this.#here.push(undefined) - 1;
  }
}

/**
 * Returns the shortest list found that allows exactly the same packets, whatever addresses unknown destinations have: without
 * surplus rules, and with the prefixes of neighbouring rules with the same effect merged.
 */
export function minimised(rules: readonly OrderedRule[], exempt: readonly Prefix[] = []): OrderedRule[] {
  const surplus = surplusOf(rules, exempt);
  const kept = rules.filter((_, position) => surplus[position] === undefined);
  const merged = runsOf(kept).flatMap(mergedRun);
  return merged.length < kept.length ? minimised(merged, exempt) : kept;
}

/** Runs of neighbouring rules with the same action: their order is irrelevant. */
function runsOf(rules: readonly OrderedRule[]): OrderedRule[][] {
  const runs: OrderedRule[][] = [];
  for (const rule of rules) {
    const last = runs.at(-1);
    if (last?.[0]?.allow === rule.allow) last.push(rule);
    else runs.push([rule]);
  }
  return runs;
}

function mergedRun(run: readonly OrderedRule[]): OrderedRule[] {
  const keyOf = (rule: OrderedRule) => (rule.prefix ? [...rule.services].sort((a, b) => a - b).join() : rule);
  return [...grouped<string | OrderedRule, OrderedRule>(run, keyOf).values()].flatMap((alike) => {
    const blocks = merge(alike.flatMap(({ prefix }) => prefix ?? []));
    return blocks.length > 0 ? blocks.map((prefix) => ({ ...alike[0], prefix })) : alike;
  });
}
