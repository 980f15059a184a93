import { Direction } from "../../requirements/vocabulary";
import { type ByteSpan, type JsonBytes, parsedText } from "./jsonBytes";
import { MemberFinder, Names, PLACE, placeAt } from "./jsonMembers";
import { isIPv4Prefix } from "../../address";
import type { PrefixRules } from "../../address/parse";
import { INLINE_BLOCKS, type InlineFacts, isBlockOfFamilies } from "../../gate/securityGroupRules";
import type { PropertyValue } from "../../resources/resource";
import { areInlinePorts, arePorts, readProtocol } from "../../resources/trafficSpec";
import { isOrdinary, mayBeMarked } from "../engineValue";

export const DIRECTIONS = Object.values(Direction);
const NAMES = new Names(DIRECTIONS);

/** Numbers kept for each list in addition to its place: its rules, their ends, and what is right for all rules as bits. */
const FACTS = 3;
/** Where the facts begin, after the places. */
const FIRST_FACT = DIRECTIONS.length * PLACE;
/** Stands for infinitely many ends. */
const NO_END = -1;
const BLOCKS_RIGHT = 1;
const PORTS_RIGHT = 2;

/** The count of numbers about the lists of rules in the inputs or outputs of a security group. */
export const LISTS = FIRST_FACT + DIRECTIONS.length * FACTS;

/** Finds the plain lists of rules among properties. */
export class ListFinder {
  readonly #rules: RuleReader;
  readonly #members: MemberFinder;
  #numbers: Int32Array = new Int32Array(0);
  #first = 0;

  constructor(private readonly json: JsonBytes) {
    this.#rules = new RuleReader(json);
    this.#members = new MemberFinder(json, NAMES, this.#afterMember);
  }

  /** Returns the position after the properties. Negative for unusual properties, which are not searched for lists. */
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
    this.#numbers[fact + 2] =
      (rules.areBlocksRight ? BLOCKS_RIGHT : 0) | (rules.arePortsRight ? PORTS_RIGHT : 0);
    return end;
  };
}

/** A plain list of rules, with its place. */
export type PlainList = ByteSpan & PlainRules;

/** The list of a direction; undefined if it is not plain, or is empty. */
export function listAt(numbers: Int32Array, first: number, direction: Direction): PlainList | undefined {
  const position = DIRECTIONS.indexOf(direction);
  const fact = first + FIRST_FACT + FACTS * position;
  const count = numbers[fact]!;
  const place = count === 0 ? undefined : placeAt(numbers, first + PLACE * position);
  if (!place) return undefined;
  const [ends, right] = [numbers[fact + 1]!, numbers[fact + 2]!];
  return {
    ...place,
    count,
    facts: {
      ends: ends === NO_END ? Infinity : ends,
      areBlocksRight: (right & BLOCKS_RIGHT) !== 0,
      arePortsRight: (right & PORTS_RIGHT) !== 0,
    },
  };
}

/** Parses properties with empty lists in place of `lists`. */
export function withoutLists(json: JsonBytes, { from, to }: ByteSpan, lists: readonly ByteSpan[]): unknown {
  if (lists.length === 0) return json.parsed({ from, to });
  let text = "";
  let at = from;
  for (const list of [...lists].sort((one, other) => one.from - other.from)) {
    text += `${json.written(at, list.from)}[]`;
    at = list.to;
  }
  return parsedText(text + json.written(at, to));
}

/** What is known of a list of inline rules of a security group. */
export interface PlainRules {
  /** The number of rules. */
  count: number;
  facts: InlineFacts;
}

/** Returns the position after a property of a rule, and counts what the property adds to the facts. */
type AfterProperty = (rules: RuleReader, at: number) => number;

const scalar: AfterProperty = (rules, at) => rules.afterScalar(at);
const PROPERTIES: Readonly<Record<string, AfterProperty>> = {
  __defaults: (rules, at) => rules.afterPeers(at, 0),
  cidrBlocks: (rules, at) => rules.afterBlocks(at, INLINE_BLOCKS.cidrBlocks),
  description: scalar,
  fromPort: (rules, at) => rules.afterPort(at, 0),
  ipv6CidrBlocks: (rules, at) => rules.afterBlocks(at, INLINE_BLOCKS.ipv6CidrBlocks),
  prefixListIds: (rules, at) => rules.afterPeers(at, Infinity),
  protocol: (rules, at) => rules.afterProtocol(at),
  securityGroups: (rules, at) => rules.afterPeers(at, 1),
  self: (rules, at) => rules.afterSelf(at),
  toPort: (rules, at) => rules.afterPort(at, 1),
};
const PROPERTY_NAMES = new Names(Object.keys(PROPERTIES));
const AFTER = Object.values(PROPERTIES);

const LIST = 0x5b;
const QUOTE = 0x22;
/** The number of quotes around a text. */
const QUOTES = 2;
/** The first letter of `null`. */
const NULL = 0x6e;
const LETTER_T = 0x74;
const LETTER_U = 0x75;
const MINUS = 0x2d;
const ZERO = 0x30;

/** Reads what is needed of every list of inline rules, without parsing the lists. */
class RuleReader {
  /** The number of rules in the list that was read last; the fields below are about the same list. */
  count = 0;
  ends = 0;
  areBlocksRight = true;
  arePortsRight = true;
  /** The first and last port of the rule that is being read. */
  readonly #ports: (number | undefined)[] = [undefined, undefined];
  /** The place of its protocol. */
  readonly #protocol: ByteSpan = { from: 0, to: 0 };
  /** The properties that the rule has had so far, as bits. */
  #seen = 0;
  /** The blocks that the list being read accepts. */
  #blocks: PrefixRules = {};

  constructor(private readonly json: JsonBytes) {}

  /** Returns the position after a list. Negative if a rule is not written as providers write it, or a value is unknown or secret. */
  read(from: number): number {
    this.count = 0;
    this.ends = 0;
    this.areBlocksRight = true;
    this.arePortsRight = true;
    return this.json.afterEntries(from, this.#afterRule);
  }

  readonly #afterRule = (from: number): number => {
    this.count++;
    this.#seen = 0;
    this.#ports[0] = this.#ports[1] = undefined;
    this.#protocol.from = this.#protocol.to = 0;
    const end = this.json.afterMembers(from, this.#afterProperty);
    this.arePortsRight &&= this.#arePortsRight();
    return end;
  };

  #arePortsRight(): boolean {
    const { from, to } = this.#protocol;
    const [first, last] = this.#ports;
    // Nearly all rules are for tcp or udp: their protocol is not parsed.
    const letter = this.json.bytes[from + 1];
    if ((letter === LETTER_T || letter === LETTER_U) && arePorts(first, last)) return true;
    const protocol = to <= 0 ? null : (this.json.parsed({ from, to }) as PropertyValue);
    return areInlinePorts(readProtocol({ protocol }, "protocol"), first, last);
  }

  readonly #afterProperty = (key: number, at: number): number => {
    const name = PROPERTY_NAMES.at(this.json.bytes, key);
    if (name === -1 || (this.#seen & (1 << name)) !== 0) return ~key;
    this.#seen |= 1 << name;
    return AFTER[name]!(this, at);
  };

  /** Returns the position after a list of blocks, each of which counts as one rule. */
  afterBlocks(from: number, rules: PrefixRules): number {
    const { json } = this;
    if (json.bytes[from] === NULL) return json.afterScalar(from);
    this.#blocks = rules;
    return json.afterEntries(from, this.#afterBlock);
  }

  readonly #afterBlock = (from: number): number => {
    const { json } = this;
    this.ends++;
    const end = this.afterScalar(from);
    if (end < 0 || json.bytes[from] === NULL) return end;
    if (json.bytes[from] !== QUOTE || json.hasEscape(from)) return ~from;
    this.areBlocksRight &&= this.#isBlock(from + 1, end - 1);
    return end;
  };

  #isBlock(from: number, to: number): boolean {
    const isIPv4 = isIPv4Prefix(this.json.bytes, from, to);
    return isIPv4 && this.#blocks.families?.includes(4)
      ? true
      : isBlockOfFamilies(this.json.written(from, to), this.#blocks);
  }

  /** Returns the position after a list of other ends. `weight` is the number of rules that each counts for. */
  afterPeers(from: number, weight: number): number {
    const { json } = this;
    if (json.bytes[from] !== LIST) return json.bytes[from] === NULL ? json.afterScalar(from) : ~from;
    return json.afterEntries(from, (at) => {
      this.ends += weight;
      return this.afterScalar(at);
    });
  }

  afterSelf(from: number): number {
    if (this.json.bytes[from] !== NULL) this.ends++;
    return this.afterScalar(from);
  }

  afterPort(from: number, which: 0 | 1): number {
    const end = this.afterScalar(from);
    if (end < 0 || this.json.bytes[from] === NULL) return end;
    this.#ports[which] = this.#numberIn(from, end);
    return end;
  }

  afterProtocol(from: number): number {
    const end = this.afterScalar(from);
    this.#protocol.from = from;
    this.#protocol.to = end;
    return end;
  }

  /** The integer between two positions; NaN if there is none. */
  #numberIn(from: number, end: number): number {
    const { bytes } = this.json;
    const isNegative = bytes[from] === MINUS;
    let number = 0;
    for (let at = isNegative ? from + 1 : from; at < end; at++) {
      const digit = bytes[at]! - ZERO;
      if (!(digit >= 0 && digit <= 9)) return NaN;
      number = 10 * number + digit;
    }
    return isNegative ? -number : number;
  }

  /** Returns the position after a scalar. Negative if the engine means something else by it. */
  afterScalar(from: number): number {
    const { json } = this;
    const end = json.afterScalar(from);
    if (end < 0 || json.bytes[from] !== QUOTE) return end;
    const isOrdinaryLength = !mayBeMarked(end - from - QUOTES);
    if (isOrdinaryLength && !json.hasEscape(from)) return end;
    return isOrdinary(json.parsed({ from, to: end }) as string) ? end : ~from;
  }
}
