import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { listsOverlap, overlapsAmong } from "../src/address";
import { nestingByBruteForce, nestingWith, packages, type Nesting, type Parse } from "./peers";
import type { Figure } from "./figure";
import { LISTS, randomPrefixes } from "./prefixes";
import { timeInTurns } from "./timing";

/** The number of prefixes in the overlap figures. */
export const PREFIXES = 100_000;
const MANY = 1_000_000;
const SAMPLE = 1_500;
const SEED = 20_261_120;
/** Compared with the fastest of the packages. */
const FASTER_BY = 5;
const FASTER_THAN_MERGING_BY = 10;

/** Counts from checking the answers, for the report. */
export interface Checked {
  duplicates: number;
  nested: number;
  pairs: number;
  /** Size of the sample that was compared by brute force. */
  sample: number;
}

/** The overlap figures, after comparing the answers of both sides with each other and with brute force. */
export async function overlapFigures(turns: number): Promise<{ figures: Figure[]; checked: Checked }> {
  const parsers = await packages();
  const { mergeCidr, overlapCidr } = await import("cidr-tools");
  const checked = checkedAnswers(parsers, randomPrefixes(PREFIXES, SEED));
  const figures = Object.entries(LISTS).flatMap(([kind, make]) => [
    ...nestingFigures(`${kind} prefixes`, parsers, make, turns),
    merging(`${PREFIXES} ${kind} prefixes, all parents`, make(PREFIXES, SEED), mergeCidr, turns),
  ]);
  return { figures: [...figures, ...listFigures(overlapCidr, turns)], checked };
}

/** Each package on the smaller list, and the fastest of them on the larger one. */
function nestingFigures(
  name: string,
  parsers: Readonly<Record<string, Parse>>,
  make: (count: number, seed: number) => string[],
  turns: number,
): Figure[] {
  const [few, many] = [make(PREFIXES, SEED), make(MANY, SEED)];
  const each = Object.entries(parsers).map(([other, parse]) =>
    against({ name: `${PREFIXES} ${name}: which lie in which`, other }, few, parse, turns),
  );
  const best = each.reduce((a, b) => (b.theirs.min < a.theirs.min ? b : a));
  return [
    ...each.map((figure): Figure => ({
      ...figure,
      limit: figure === best ? { fasterBy: FASTER_BY } : "none",
    })),
    {
      ...against(
        { name: `${MANY} ${name}: which lie in which`, other: best.other },
        many,
        parsers[best.other]!,
        Math.ceil(turns / 4),
      ),
      limit: { fasterBy: FASTER_BY },
    },
  ];
}

function against(
  about: Pick<Figure, "name" | "other">,
  texts: readonly string[],
  parse: Parse,
  turns: number,
): Figure {
  const [ours, theirs] = timeInTurns(
    () => overlapsAmong(texts),
    () => nestingWith(parse, texts),
    turns,
    1,
  );
  return { ...about, ours, theirs, limit: "none" };
}

function merging(name: string, texts: string[], merge: (texts: string[]) => unknown, turns: number): Figure {
  const [ours, theirs] = timeInTurns(
    () => overlapsAmong(texts),
    () => merge(texts),
    turns,
    1,
  );
  return {
    name,
    ours,
    theirs,
    other: "mergeCidr of cidr-tools",
    limit: { fasterBy: FASTER_THAN_MERGING_BY },
  };
}

function listFigures(overlapCidr: (a: string[], b: string[]) => boolean, turns: number): Figure[] {
  const halves = (second: 0 | 1): [string[], string[]] => [
    randomPrefixes(PREFIXES / 2, SEED + 1, 0),
    randomPrefixes(PREFIXES / 2, SEED + 2, second),
  ];
  return ([1, 0] as const).map((second): Figure => {
    const [a, b] = halves(second);
    strictEqual(listsOverlap(a, b), second === 0);
    strictEqual(overlapCidr(a, b), second === 0);
    const [ours, theirs] = timeInTurns(
      () => listsOverlap(a, b),
      () => overlapCidr(a, b),
      turns,
      3,
    );
    return {
      name: `whether two lists of ${PREFIXES / 2} overlap (${second === 0 ? "yes" : "no"})`,
      ours,
      other: "cidr-tools",
      theirs,
      // If the lists overlap, cidr-tools stops early and leaves half of the list unsorted, so the figure has no limit.
      limit: second === 0 ? "none" : { fasterBy: FASTER_BY },
    };
  });
}

/** Throws if an answer is wrong. */
function checkedAnswers(parsers: Readonly<Record<string, Parse>>, texts: readonly string[]): Checked {
  const { refused, ...ours } = overlapsAmong(texts);
  strictEqual(refused.length, 0, "a prefix of the bench was refused");
  for (const parse of Object.values(parsers)) demandEqual(ours, nestingWith(parse, texts));
  const sample = texts.filter((_, index) => index % Math.floor(texts.length / SAMPLE) === 0);
  // Random prefixes are rarely nested: adding enclosing prefixes and repetitions makes the sample nested.
  const crowded = [
    ...sample.slice(0, SAMPLE / 2),
    ...sample.slice(0, SAMPLE / 4).map(surroundings),
    ...texts.slice(0, SAMPLE / 4),
  ];
  const { refused: _, ...found } = overlapsAmong(crowded);
  demandEqual(found, nestingByBruteForce(parsers["cidr-tools"]!, crowded));
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
