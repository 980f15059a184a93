import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { listsOverlap, overlapsAmong } from "../src/address";
import { nestingByBruteForce, nestingWithCidrTools, type Nesting, type Parse } from "./cidrTools";
import type { Figure } from "./figure";
import { randomPrefixes } from "./prefixes";
import { timeInTurns } from "./timing";

/** How many prefixes the overlap figures are about. */
export const PREFIXES = 100_000;
const SAMPLE = 1_500;
const SEED = 20_261_120;
const FASTER_BY = 5;

/** What the checks of the answers found, for the report. */
export interface Checked {
  duplicates: number;
  nested: number;
  pairs: number;
  /** Size of the part that was compared by brute force. */
  sample: number;
}

/** The overlap figures, after the answers of both sides were compared with each other and with brute force. */
export async function overlapFigures(turns: number): Promise<{ figures: Figure[]; checked: Checked }> {
  const { overlapCidr, parseCidr } = await import("cidr-tools");
  const texts = randomPrefixes(PREFIXES, SEED);
  const checked = checkedAnswers(parseCidr, texts);
  const against = (
    name: string,
    limit: Figure["limit"],
    ours: () => unknown,
    theirs: () => unknown,
  ): Figure => {
    const [ourTime, theirTime] = timeInTurns(ours, theirs, turns, 3);
    return { name, ours: ourTime, other: "cidr-tools", theirs: theirTime, limit };
  };
  const halves = (second: 0 | 1): [string[], string[]] => [
    randomPrefixes(PREFIXES / 2, SEED + 1, 0),
    randomPrefixes(PREFIXES / 2, SEED + 2, second),
  ];
  const figures = [
    against(
      `which of ${PREFIXES} prefixes lie in which`,
      { fasterBy: FASTER_BY },
      () => overlapsAmong(texts),
      () => nestingWithCidrTools(parseCidr, texts),
    ),
    ...([1, 0] as const).map((second) => {
      const [a, b] = halves(second);
      strictEqual(listsOverlap(a, b), second === 0);
      strictEqual(overlapCidr(a, b), second === 0);
      return against(
        `whether two lists of ${PREFIXES / 2} overlap (${second === 0 ? "yes" : "no"})`,
        // Where they overlap, cidr-tools stops early and leaves half of the list unsorted: shown, not promised.
        second === 0 ? "none" : { fasterBy: FASTER_BY },
        () => listsOverlap(a, b),
        () => overlapCidr(a, b),
      );
    }),
  ];
  return { figures, checked };
}

/** Throws where an answer is wrong. */
function checkedAnswers(parse: Parse, texts: readonly string[]): Checked {
  const { refused, ...ours } = overlapsAmong(texts);
  strictEqual(refused.length, 0, "a prefix of the bench was refused");
  demandEqual(ours, nestingWithCidrTools(parse, texts));
  const sample = texts.filter((_, index) => index % Math.floor(texts.length / SAMPLE) === 0);
  // A sample of random prefixes hardly nests: their surroundings and some repetitions make it do so.
  const crowded = [
    ...sample.slice(0, SAMPLE / 2),
    ...sample.slice(0, SAMPLE / 4).map(surroundings),
    ...texts.slice(0, SAMPLE / 4),
  ];
  const { refused: _, ...found } = overlapsAmong(crowded);
  demandEqual(found, nestingByBruteForce(parse, crowded));
  return { duplicates: ours.duplicates, nested: ours.nested, pairs: ours.pairs, sample: crowded.length };
}

function surroundings(text: string): string {
  return text.includes(":") ? "2001:db8::/32" : `${text.split(".")[0]}.0.0.0/8`;
}

function demandEqual(ours: Nesting, theirs: Nesting): void {
  deepStrictEqual(
    { ...ours, parent: Array.from(ours.parent), twin: Array.from(ours.twin) },
    { ...theirs, parent: Array.from(theirs.parent), twin: Array.from(theirs.twin) },
  );
}
