import { onlyOnce } from "../../collections";
import { idOf, type UnknownValue } from "../../resources/resource";
import { allowedBy, decisions, doubts, type Decision } from "../filters/decide";
import { clausesBeyond, onlyAllows, QuickAnswer } from "../filters/prepared";
import { Action, type Clause, type Filter } from "../filters/filter";
import { quickly } from "../filters/traffic";
import { PacketIndex } from "../packets/packetIndex";
import {
  PacketsWhenAsked,
  contains,
  difference,
  isEmpty,
  unionAll,
  type PacketSet,
} from "../packets/packetSet";
import { exampleOf, type Packet } from "../packets/example";

/** The verdict on packets that must pass. */
export enum Proof {
  /** All of them pass, whatever the unknown values are. */
  Proved = "proved",
  /** All of them pass if other owners have what they are known to have. Never the result of `prove`. */
  Assumed = "assumed",
  /** Some of them are dropped, whatever the unknown values are. */
  Refuted = "refuted",
  /** Unknown values decide. */
  Unknown = "unknown",
}

/** The verdict on packets at one place. */
export type ProofResult =
  | {
      proof: Proof.Proved;
      /** The rules that allow them, each with the packets for which it decides; together these are all packets. */
      cover: readonly Decision[];
    }
  | {
      proof: Proof.Refuted;
      /** All packets that are certainly dropped. */
      dropped: PacketSet;
      /** One of the dropped packets. */
      packet: Packet;
      /** What drops it; absent if that depends on unknown values, although every outcome drops it. */
      decision?: Decision | undefined;
    }
  | {
      proof: Proof.Unknown;
      /** The packets whose verdict is unknown. */
      undecided: PacketSet;
      /** The values that decide. */
      values: readonly UnknownValue[];
    };

/** Determines whether filters, one after the other, allow all of these packets. */
export function prove(required: PacketSet, filters: readonly Filter[]): ProofResult {
  // A filter that passes everything on decides nothing, as with no admin policies before network policies. Most filters build their
  // list of clauses on demand, and a quick answer does not need it.
  const first = filters.find((filter) => filter.otherwise !== Action.Pass || filter.clauses.length > 0);
  switch (first && quickly(first, required)) {
    case QuickAnswer.Allows:
      return new Proved(required, filters);
    case QuickAnswer.DropsSome:
      return new Refuted(
        [first!],
        onlyOnce(() => difference(required, allowedBy([first!], required).possible)),
      );
    case QuickAnswer.Doubts:
      return new Undecided(required, filters);
  }
  const { sure, possible } = allowedBy(filters, required);
  if (contains(sure, required)) return new Proved(required, filters);
  const dropped = difference(required, possible);
  if (isEmpty(dropped)) return new Undecided(required, filters);
  return refutedBy(filters, dropped);
}

/** The refutation by packets that filters, one after the other, certainly drop. */
export const refutedBy = (filters: readonly Filter[], dropped: PacketSet): ProofResult =>
  new Refuted(filters, () => dropped);

/** What filters certainly drop, computed on demand: most of many dropped flows are only counted. */
class Refuted {
  readonly proof = Proof.Refuted;
  #decision: { value: Decision | undefined } | undefined;

  constructor(
    private readonly filters: readonly Filter[],
    private readonly find: () => PacketSet,
  ) {}

  get dropped(): PacketSet {
    return this.find();
  }

  get packet(): Packet {
    return exampleOf(this.decision?.packets ?? this.dropped)!;
  }

  get decision(): Decision | undefined {
    return (this.#decision ??= { value: decisions(this.filters, this.dropped)[0] }).value;
  }
}

/** What unknown values decide about, computed on demand. */
class Undecided {
  readonly proof = Proof.Unknown;
  #undecided: PacketSet | undefined;

  constructor(
    private readonly required: PacketSet,
    private readonly filters: readonly Filter[],
  ) {}

  get undecided(): PacketSet {
    return (this.#undecided ??= difference(this.required, allowedBy(this.filters, this.required).sure));
  }

  get values(): readonly UnknownValue[] {
    return distinct(doubts(this.filters, this.undecided));
  }
}

/** The rules are looked up on demand: most proofs are only counted. */
class Proved {
  readonly proof = Proof.Proved;
  #cover: readonly Decision[] | undefined;

  constructor(
    private readonly required: PacketSet,
    private readonly filters: readonly Filter[],
  ) {}

  get cover(): readonly Decision[] {
    return (this.#cover ??= decisions(this.filters, this.required));
  }
}

function distinct(values: readonly UnknownValue[]): UnknownValue[] {
  const seen = new Set<string>();
  return values.filter(({ resource, path, reason }) => {
    const { file, line } = resource.origin;
    const key = JSON.stringify([idOf(resource.origin) ?? resource.name, file, line, path, reason]);
    return seen.size < seen.add(key).size;
  });
}

/** A rule that opens more than necessary. */
export interface Excess {
  /** Absent: the packets pass because no rule stops them. */
  clause?: Clause;
  /** What it allows without need. */
  packets: PacketSet;
  /** The peers, if the rule names them by a group: `workers of clusters/tenant-b`. Absent: the packets' addresses state them. */
  peers?: string;
}

/**
 * Lists what filters certainly allow beyond the wanted packets (one set or many), rule by rule. If rules only allow, every rule
 * that opens some of it counts, because it stays open while one of them exists; if order decides, only the deciding rule counts.
 */
export function excessOf(wanted: PacketSet | readonly PacketSet[], filters: readonly Filter[]): Excess[] {
  const [first] = filters;
  const sets = "length" in wanted ? wanted : [wanted];
  // A filter that only allows, and denies the rest, leaves nothing to later filters.
  if (first && onlyAllows(first)) return excessOfRules(sets, first);
  const more = difference(allowedBy(filters).sure, unionAll(sets));
  return decisions(filters, more).map(({ clause, packets }) => ({ ...(clause && { clause }), packets }));
}

/** Checks each rule by itself: what it matches passes. */
function excessOfRules(wanted: readonly PacketSet[], filter: Filter): Excess[] {
  const index = new PacketIndex();
  wanted.forEach((set, position) => index.add(set, position));
  let everything: PacketSet | undefined;
  const together = (about: readonly number[]): PacketSet =>
    about.length < wanted.length
      ? unionAll(about.map((position) => wanted[position]!))
      : (everything ??= unionAll(wanted));
  return clausesBeyond(filter, index).flatMap(({ clause, isApart }) => {
    // No part of the rule is wanted: its packets are computed on demand.
    if (isApart) return [{ clause, packets: new PacketsWhenAsked(() => clause.sure) }];
    const packets = difference(clause.sure, together(index.meeting(clause.sure)));
    return isEmpty(packets) ? [] : [{ clause, packets }];
  });
}
