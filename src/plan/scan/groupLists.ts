import { Direction } from "../../requirements/vocabulary";
import type { JsonBytes, Place } from "./jsonBytes";
import { MemberFinder, Names, PLACE, placeAt } from "./jsonMembers";
import { RuleReader, type PlainRules } from "./plainRules";

export const DIRECTIONS = Object.values(Direction);
const NAMES = new Names(DIRECTIONS);

/** Numbers that are kept of each list beside its place: how many rules, their ends, and whether all blocks are right. */
const FACTS = 3;
/** Where the facts begin, behind the places. */
const FIRST_FACT = DIRECTIONS.length * PLACE;
/** Ends without end. */
const NO_END = -1;

/** How many numbers say where the lists of rules are in inputs or outputs of a security group. */
export const LISTS = FIRST_FACT + DIRECTIONS.length * FACTS;

/** Finds the lists of rules among properties, as far as they are plain. */
export class ListFinder {
  readonly #rules: RuleReader;
  readonly #members: MemberFinder;
  #numbers: Int32Array = new Int32Array(0);
  #first = 0;

  constructor(private readonly json: JsonBytes) {
    this.#rules = new RuleReader(json);
    this.#members = new MemberFinder(json, NAMES, this.#afterMember);
  }

  /** What follows the properties. Negative where there is no need to look for lists: in what is unusual. */
  find(from: number, numbers: Int32Array, first: number): number {
    this.#numbers = numbers;
    this.#first = first;
    const end = this.#members.find(from, numbers, first);
    if (end < 0) numbers.fill(0, first, first + LISTS);
    return end;
  }

  readonly #afterMember = (direction: number, at: number): number => {
    const rules = this.#rules;
    const end = direction < 0 ? direction : rules.read(at);
    if (end < 0) return this.json.afterValue(at);
    const fact = this.#first + FIRST_FACT + FACTS * direction;
    this.#numbers[fact] = rules.count;
    this.#numbers[fact + 1] = rules.ends === Infinity ? NO_END : rules.ends;
    this.#numbers[fact + 2] = rules.areBlocksRight ? 1 : 0;
    return end;
  };
}

/** A list of rules that is plain, with its place. */
export type PlainList = Place & PlainRules;

/** The list of a direction; undefined where it is not plain, or empty. */
export function listAt(numbers: Int32Array, first: number, direction: Direction): PlainList | undefined {
  const position = DIRECTIONS.indexOf(direction);
  const fact = first + FIRST_FACT + FACTS * position;
  const count = numbers[fact]!;
  const place = count === 0 ? undefined : placeAt(numbers, first + PLACE * position);
  if (!place) return undefined;
  const ends = numbers[fact + 1]!;
  return {
    ...place,
    count,
    facts: { ends: ends === NO_END ? Infinity : ends, areBlocksRight: numbers[fact + 2] === 1 },
  };
}

/** The properties with empty lists in the place of some. */
export function withoutLists(json: JsonBytes, { from, to }: Place, lists: readonly Place[]): unknown {
  if (lists.length === 0) return json.parsed({ from, to });
  let text = "";
  let at = from;
  for (const list of [...lists].sort((one, other) => one.from - other.from)) {
    text += `${json.written(at, list.from)}[]`;
    at = list.to;
  }
  return JSON.parse(text + json.written(at, to));
}
