import type { Prefix } from "../../address";
import {
  EVERY_ADDRESS,
  EVERY_PACKET,
  NO_PACKETS,
  PacketsOfBox,
  opposite,
  type End,
  type PacketSet,
} from "../packets/packetSet";
import { EVERY_SERVICE, type ServiceRange } from "../packets/service";
import { EFFECT, Effect, effectOf, type Action, type Clause } from "./filter";

/** What is quickly seen of packets that have to pass. */
export enum QuickAnswer {
  /** All of them pass, whatever the unknown values are. */
  Allows = "allows",
  /** Some of them are dropped, whatever the unknown values are. */
  DropsSome = "drops some",
  /** Unknown values decide on some of them, and none is dropped for sure. */
  Doubts = "doubts",
}

/** Services and addresses of one family that a rule may match. */
interface Row<N> {
  low: number;
  high: number;
  from: N;
  to: N;
  effect: Effect;
}

/**
 * Rules of which the first match decides, as plain numbers: of many thousands of questions nearly all are answered by the first
 * rule that has to do with the packets, and it matches all of them.
 */
export class OrderedBlocks {
  readonly #rows4: Row<number>[] = [];
  readonly #rows6: Row<bigint>[] = [];

  /** @param end the end at which rules name addresses; the other may be anything */
  constructor(private readonly end: End) {}

  /** Undefined where rules name addresses at both ends. */
  static of(clauses: readonly Clause[], otherwise: Action): OrderedBlocks | undefined {
    const boxes = clauses.flatMap(({ possible }) => (possible instanceof PacketsOfBox ? [possible] : []));
    const bySource = boxes.some(({ sources }) => sources);
    if (bySource && boxes.some(({ destinations }) => destinations)) return undefined;
    const blocks = new OrderedBlocks(bySource ? "source" : "destination");
    for (const clause of clauses) blocks.addClause(clause);
    return blocks.closed(otherwise);
  }

  /** Adds what stands behind all rules: what becomes of packets that none matches. */
  closed(otherwise: Action): this {
    this.addEverywhere(EFFECT[otherwise]);
    return this;
  }

  /** Adds a rule that is known, behind those that are there. */
  add(prefix: Prefix, services: ServiceRange, action: Action): void {
    this.addRow(prefix, services, EFFECT[action]);
  }

  addClause(clause: Clause): void {
    const { possible } = clause;
    if (possible === NO_PACKETS) return;
    if (possible instanceof PacketsOfBox)
      for (const prefix of possible.at(this.end)) this.addRow(prefix, possible, effectOf(clause));
    // What is said in another way has an unknown extent here: it may have to do with everything.
    else this.addEverywhere(possible === EVERY_PACKET ? effectOf(clause) : Effect.Unclear);
  }

  private addEverywhere(effect: Effect): void {
    for (const prefix of EVERY_ADDRESS) this.addRow(prefix, EVERY_SERVICE, effect);
  }

  private addRow(prefix: Prefix, { from: low, to: high }: ServiceRange, effect: Effect): void {
    // Ports from above to below are none.
    if (low > high) return;
    if (prefix.family === 6) this.#rows6.push({ low, high, from: prefix.start, to: prefix.end, effect });
    else this.#rows4.push({ low, high, from: prefix.numbers.from, to: prefix.numbers.to, effect });
  }

  /** What is seen of packets; undefined where that takes a closer look. */
  answer(required: PacketSet): QuickAnswer | undefined {
    if (!(required instanceof PacketsOfBox) || required.from > required.to) return undefined;
    let answer: QuickAnswer | undefined = QuickAnswer.Allows;
    for (const prefix of required.at(this.end)) {
      if (!required.hasFamily(opposite(this.end), prefix.family)) continue;
      const one = this.answerAt(required, prefix);
      if (one === QuickAnswer.DropsSome) return one;
      if (one !== QuickAnswer.Allows && answer) answer = one;
    }
    return answer;
  }

  private answerAt(
    { from: low, to: high }: ServiceRange,
    { family, start, end, numbers }: Prefix,
  ): QuickAnswer | undefined {
    return family === 6
      ? answerOf(this.#rows6, low, high, start, end)
      : answerOf(this.#rows4, low, high, numbers.from, numbers.to);
  }
}

/** What becomes of packets: the first rule decides that matches for sure, or one before it that may. */
function answerOf<N extends number | bigint>(
  rows: readonly Row<N>[],
  low: number,
  high: number,
  from: N,
  to: N,
): QuickAnswer | undefined {
  let mayAllow = false;
  let mayAllowAll = false;
  let mayDrop = false;
  for (const row of rows) {
    if (row.low > high || row.high < low || row.from > to || row.to < from) continue;
    const { effect } = row;
    const hasAll = row.low <= low && row.high >= high && row.from <= from && row.to >= to;
    if (effect === Effect.MayDrop) mayDrop = true;
    else if (effect === Effect.MayAllow) {
      mayAllow = true;
      mayAllowAll ||= hasAll;
    } else if (effect === Effect.Drops) {
      if (!mayAllow) return QuickAnswer.DropsSome;
      return hasAll && mayAllowAll ? QuickAnswer.Doubts : undefined;
    } else if (!hasAll || effect === Effect.Unclear) return undefined;
    else return effect === Effect.Either || mayDrop ? QuickAnswer.Doubts : QuickAnswer.Allows;
  }
  return undefined;
}
