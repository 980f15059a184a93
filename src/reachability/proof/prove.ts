import { idOf } from "../../resources/resource";
import type { UnknownValue } from "../../resources/unknownValue";
import { allowedBy, decisions, doubts, type Decision, type Filter } from "../filters";
import { QuickAnswer } from "../filters/orderedBlocks";
import { quickly } from "../filters/quickly";
import { contains, difference, exampleOf, isEmpty, type Packet, type PacketSet } from "../packets";

/** What can be said of packets that have to pass. */
export enum Proof {
  /** All of them pass, whatever the unknown values are. */
  Proved = "proved",
  /** All of them pass if what somebody else is known to have there is there. Said of whole flows alone. */
  Assumed = "assumed",
  /** Some of them are dropped, whatever the unknown values are. */
  Refuted = "refuted",
  /** Unknown values decide. */
  Unknown = "unknown",
}

/** The answer for some packets at one place. */
export type Verdict =
  | {
      proof: Proof.Proved;
      /** The rules that let them pass, each with the packets for which it decides; together they are all packets. */
      cover: readonly Decision[];
    }
  | {
      proof: Proof.Refuted;
      /** All packets that are dropped for sure. */
      dropped: PacketSet;
      /** One of them. */
      packet: Packet;
      /** What drops it; absent where that hangs on unknown values, although every way of them drops it. */
      decision?: Decision | undefined;
    }
  | {
      proof: Proof.Unknown;
      /** The packets of which nobody can say. */
      undecided: PacketSet;
      /** The values that decide. */
      values: readonly UnknownValue[];
    };

/** Whether filters, one behind the other, let all of these packets pass. */
export function prove(required: PacketSet, filters: readonly Filter[]): Verdict {
  const [first] = filters;
  switch (first && quickly(first, required)) {
    case QuickAnswer.Allows:
      return new Proved(required, filters);
    case QuickAnswer.DropsSome:
      return new Refuted(required, first!);
    case QuickAnswer.Doubts:
      return new Undecided(required, filters);
  }
  const { sure, possible } = allowedBy(filters, required);
  if (contains(sure, required)) return new Proved(required, filters);
  const dropped = difference(required, possible);
  if (isEmpty(dropped)) return new Undecided(required, filters);
  const [decision] = decisions(filters, dropped);
  return {
    proof: Proof.Refuted,
    dropped,
    packet: exampleOf(decision?.packets ?? dropped)!,
    ...(decision && { decision }),
  };
}

/** What one filter drops for sure, found when somebody asks: of many flows that are cut most are only counted. */
class Refuted {
  readonly proof = Proof.Refuted;
  #dropped: PacketSet | undefined;
  #decision: { value: Decision | undefined } | undefined;

  constructor(
    private readonly required: PacketSet,
    private readonly filter: Filter,
  ) {}

  get dropped(): PacketSet {
    return (this.#dropped ??= difference(this.required, allowedBy([this.filter], this.required).possible));
  }

  get packet(): Packet {
    return exampleOf(this.decision?.packets ?? this.dropped)!;
  }

  get decision(): Decision | undefined {
    return (this.#decision ??= { value: decisions([this.filter], this.dropped)[0] }).value;
  }
}

/** What unknown values decide on, found when somebody asks. */
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

/** The rules are looked up when somebody asks for them: most proofs are only counted. */
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
