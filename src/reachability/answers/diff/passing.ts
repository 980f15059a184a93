import { append, onceIn, sortedJson } from "../../../collections";
import { holdsUnknown, isFilled, readText, valueAt } from "../../../resources/read";
import { INLINE, OWN_RESOURCE } from "../../../resources/networkAclRule";
import { UNKNOWN, type UnknownValue } from "../../../resources/resource";
import { allowedBy, doubts, type PacketBounds } from "../../filters/decide";
import { Action, type Clause, type Filter } from "../../filters/filter";
import {
  difference,
  equal,
  EVERY_PACKET,
  intersection,
  NO_PACKETS,
  type PacketSet,
  union,
  unionAll,
} from "../../packets/packetSet";
import { doubtsAbout, type Guard, isOfGroups } from "../../path/guards";
import type { ComparedPlace } from "./comparedPlaces";

/**
 * What passes a place in one of two plans. What a rule matches whose peers are only named (`sg-0fff`, `example.com`, a selector) is not
 * known, but a name means the same in both plans: rules that name the same peers differ in nothing.
 */
export interface Passing {
  /** With every rule as it is written. */
  whole: PacketBounds;
  /**
   * If rules match nothing through names; if they match all that they may through names that both plans have; and with the security
   * groups of other owners, which let in what a network ACL no longer drops.
   */
  cases: readonly [nothing: PacketBounds, all: PacketBounds, withOthers: PacketBounds];
  /** If rules match all that they may through some names only: the same cases, in the same order, in both plans. */
  ofNames: readonly NamedCase[];
  /** What rules may match through a name, by the name. */
  named: ReadonlyMap<string, NamedPeer>;
  /** The values that decide, except for names. */
  values: readonly UnknownValue[];
}

/** What passes if rules match through some names only, and the peers among them that only one plan names. */
export interface NamedCase {
  bounds: PacketBounds;
  peers: readonly string[];
}

/** What the rules that name one peer allow and deny if its addresses are the right ones. */
export interface NamedPeer {
  allowed: PacketSet;
  denied: PacketSet;
  values: readonly UnknownValue[];
}

/**
 * What passes a place in each of two plans. Without guards everything, or nothing that is known: also if a plan has only network ACLs
 * there and the other one has security groups, because every host has some.
 */
export function passingBoth(
  one: ComparedPlace | undefined,
  other: ComparedPlace | undefined,
  isOpen: boolean,
): [Passing, Passing] {
  const sides = [one, other].map((place) => place?.guards ?? []);
  const areGroups = sides.some((guards) => guards.some(isOfGroups));
  const ids = idsOfNamed(sides.flat());
  const withNames = (guard: Guard): ReadGuard => ({ guard, namings: namingsIn(guard, ids) });
  const [mine, theirs] = sides.map((guards) =>
    areGroups && !guards.some(isOfGroups) ? [] : guards.map(withNames),
  ) as [ReadGuard[], ReadGuard[]];
  // With one guard, what groups of other owners open in addition only hides what those of the plan open.
  const isMixed = [mine, theirs].some((guards) => guards.length > 1);
  const others = (place: ComparedPlace | undefined) => (isMixed ? (place?.others ?? []) : []);
  const chosen = chosenNames(mine, theirs);
  return [
    // Values of names that both plans have are listed once, as the new plan has them.
    passing(mine, others(one), isOpen, { elsewhere: keysIn(theirs), ...chosen, leftOut: new Set() }),
    passing(theirs, others(other), isOpen, { elsewhere: keysIn(mine), ...chosen }),
  ];
}

/** A guard with the rules that match through names. */
interface ReadGuard {
  guard: Guard;
  namings: ReadonlyMap<Clause, readonly Naming[]>;
}

/** A name in a rule. */
interface Naming {
  /** Equal for equal names. */
  key: string;
  /** For people; absent if the name is a selector. */
  text?: string;
  value: UnknownValue;
}

/** Ids by URN. A plan may not know yet the id of a group that the other plan has. */
type IdsOfNamed = ReadonlyMap<string, string>;

const idsOfNamed = (guards: readonly Guard[]): IdsOfNamed =>
  new Map(
    guards
      .flatMap(({ filters }) => filters.flatMap(({ clauses }) => clauses))
      .flatMap(undecided)
      .flatMap(({ named }): [string, string][] => {
        const id = readText(named?.properties, "id");
        return named?.origin.urn !== undefined && isFilled(id) ? [[named.origin.urn, id]] : [];
      }),
  );

/** The values that decide what a rule matches or does. */
const undecided = (clause: Clause): readonly UnknownValue[] =>
  clause.actions.length === 1 && clause.sure === clause.possible ? [] : clause.unknown;

function namingsIn(guard: Guard, ids: IdsOfNamed): Map<Clause, Naming[]> {
  const found = new Map<Clause, Naming[]>();
  for (const { clauses } of guard.filters)
    for (const clause of clauses) {
      const names = undecided(clause).map((value) => nameOf(value, ids));
      const known = names.filter((name) => name !== undefined);
      if (known.length === 0 || known.length < names.length) continue;
      // The peers of a security group rule add up; in other rules, several values may decide together.
      const key = known.map((name) => name.key).join(" ");
      found.set(clause, isOfGroups(guard) ? known : known.map((name) => ({ ...name, key })));
    }
  return found;
}

/** A value that is known, although what it stands for is not; undefined if the value itself is unknown, and what it names. */
function nameOf(value: UnknownValue, ids: IdsOfNamed): Naming | undefined {
  const { resource, path, named: thing } = value;
  const around = path.slice(0, Math.max(0, path.lastIndexOf(".")));
  const property = path.slice(path.lastIndexOf(".") + 1).split("[", 1)[0]!;
  const named = valueAt(resource.properties, NUMBERS.has(property) ? around : path);
  if (named === undefined || named === null) return undefined;
  if (holdsUnknown(named)) {
    const urn = named === UNKNOWN ? thing?.origin.urn : undefined;
    return urn === undefined
      ? undefined
      : { key: ids.get(urn) ?? urn, value, text: ids.get(urn) ?? thing!.name };
  }
  // The id of a group in another account may have that account as a prefix.
  if (typeof named === "string") {
    const text = named.slice(named.lastIndexOf("/") + 1);
    return { key: text, value, ...(NAMED_ENDS.has(property) && { text }) };
  }
  return { key: `${typeof named === "boolean" ? resource.name : ""} ${sortedJson(named)}`, value };
}

/** The number of a network ACL rule says nothing about its packets: a rule whose number EC2 may refuse is known by all it states. */
const NUMBERS: ReadonlySet<string> = new Set([INLINE.number, OWN_RESOURCE.number]);

/** Properties that name the other end: groups and prefix lists of security group rules, and names in egress firewalls. */
const NAMED_ENDS: ReadonlySet<string> = new Set([
  "securityGroups",
  "sourceSecurityGroupId",
  "referencedSecurityGroupId",
  "prefixListIds",
  "prefixListId",
  "dnsName",
]);

/** A reason to doubt a guard that both plans may have: rules that only others show. Undefined if it is a value that is not known yet. */
function keyOfDoubt({ resource, path, reason }: UnknownValue): string | undefined {
  const value = valueAt(resource.properties, path);
  if (reason === undefined || value === UNKNOWN) return undefined;
  return [reason, ...(typeof value === "string" ? [value] : [resource.name, path])].join(" ");
}

const keysIn = (guards: readonly ReadGuard[]): ReadonlySet<string> =>
  new Set(
    guards.flatMap(({ guard, namings }) => [
      ...[...namings.values()].flatMap((names) => names.map(({ key }) => key)),
      ...doubtsAbout(guard).flatMap((value) => keyOfDoubt(value) ?? []),
    ]),
  );

/** The names that match in the cases of a place. */
interface NamesOfCases extends ChosenNames {
  /** The names and doubts that the other plan has too. */
  elsewhere: ReadonlySet<string>;
}

/** Names that may decide together, for which cases exist in addition to those in which no name matches, or every one. */
interface ChosenNames {
  some: readonly { keys: ReadonlySet<string>; peers: readonly string[] }[];
  /** Names for which there are too many cases. */
  leftOut: ReadonlySet<string>;
}

/** Names whose rules have the same places among the others in both plans: in a case, they match together. */
interface AlikeNames {
  keys: string[];
  peers: string[];
  /** In each plan the rows of rules that name them; empty if it does not name them. */
  rows: readonly (readonly number[])[];
  isShared: boolean;
}

/** Cases exist for so many different places of names at most. The values of the other names are listed as unknown. */
const MOST_PLACES = 12;

/**
 * The names that match in further cases where the order of rules decides: what passes in only one plan, passes it by the first match
 * in one and is dropped by the first match in the other, and each may be through a name. Two names thus suffice. Rules in a row that do
 * the same count as one, so that most lists with thousands of names have few cases. (Rules of security groups have no order.)
 */
function chosenNames(...sides: readonly [readonly ReadGuard[], readonly ReadGuard[]]): ChosenNames {
  const isOrdered = sides.some((guards) =>
    guards.some(({ guard, namings }) => !isOfGroups(guard) && namings.size > 0),
  );
  if (!isOrdered || haveSameRules(...sides)) return { some: [], leftOut: new Set() };
  const rows = sides.map(rowsOf) as [Rows, Rows];
  const all = alikeNames(rows);
  const alike = all.slice(0, MOST_PLACES);
  const single = alike.filter(({ isShared }) => isShared).map((one) => [one]);
  const pairs = alike.flatMap((one, at) =>
    alike
      .slice(at + 1)
      .filter((other) => (one.isShared || other.isShared) && mayDecideTogether(one, other, rows))
      .map((other) => [one, other]),
  );
  return {
    some: [...single, ...pairs].map((together) => ({
      keys: new Set(together.flatMap(({ keys }) => keys)),
      peers: together.flatMap(({ isShared, peers }) => (isShared ? [] : peers)),
    })),
    leftOut: new Set(all.slice(MOST_PLACES).flatMap(({ keys }) => keys)),
  };
}

/** The rules of a plan at a place, in rows of neighbours that do the same. */
interface Rows {
  /** What the rules of each row do, and the position of their filter. */
  of: readonly { action: string; filter: number }[];
  /** The rows that contain a name, and the packets that its rules may match. */
  by: ReadonlyMap<string, { rows: number[]; matched: PacketSet }>;
  /** The peers of rules, by their names. */
  peers: ReadonlyMap<string, string>;
}

function rowsOf(guards: readonly ReadGuard[]): Rows {
  const of: { action: string; filter: number }[] = [];
  const by = new Map<string, { rows: number[]; matched: PacketSet[] }>();
  const peers = new Map<string, string>();
  const filters = guards.flatMap(({ guard, namings }) =>
    guard.filters.map(({ clauses }) => ({ clauses, namings })),
  );
  filters.forEach(({ clauses, namings }, filter) => {
    for (const clause of clauses) {
      const action = clause.actions.join();
      const last = of.at(-1);
      if (last?.action !== action || last.filter !== filter) of.push({ action, filter });
      if (clause.actions.length > 1) continue;
      for (const { key, text } of namings.get(clause) ?? []) {
        const named = onceIn(by, key, () => ({ rows: [], matched: [] }));
        if (named.rows.at(-1) !== of.length - 1) named.rows.push(of.length - 1);
        named.matched.push(clause.possible);
        if (text !== undefined) peers.set(key, text);
      }
    }
  });
  const joined = [...by].map(
    ([key, { rows, matched }]) => [key, { rows, matched: unionAll(matched) }] as const,
  );
  return { of, by: new Map(joined), peers };
}

/** The names of both plans, in their order. Of a selector that only one plan has, the value is listed instead. */
function alikeNames(sides: readonly [Rows, Rows]): AlikeNames[] {
  const found = new Map<string, AlikeNames>();
  for (const key of new Set(sides.flatMap(({ by }) => [...by.keys()]))) {
    const named = sides.map(({ by }) => by.get(key));
    const rows = named.map((one) => one?.rows ?? []);
    const [old, now] = named;
    const isShared = old !== undefined && now !== undefined;
    const text = sides.map(({ peers }) => peers.get(key)).find((peer) => peer !== undefined);
    if (!isShared && text === undefined) continue;
    const isChanged = isShared && !equal(old.matched, now.matched);
    // Rules of one name in several rows may be about different ports.
    const own = isChanged || rows.some((some) => some.length > 1) ? key : "";
    const alike = onceIn(found, `${rows.join(" ")} ${own}`, () => ({ keys: [], peers: [], rows, isShared }));
    alike.keys.push(key);
    if (text !== undefined) alike.peers.push(text);
  }
  return [...found.values()];
}

/** Whether packets may pass one plan through one name and be dropped in the other through another name. */
const mayDecideTogether = (one: AlikeNames, other: AlikeNames, rows: readonly [Rows, Rows]): boolean =>
  areInTwoFilters(one, other, rows) || isFirst(one, other, rows) || isFirst(other, one, rows);

const areInTwoFilters = (one: AlikeNames, other: AlikeNames, rows: readonly [Rows, Rows]): boolean =>
  rows.some(({ of }, side) => {
    const [here, there] = [one, other].map((names) => of[names.rows[side]![0] ?? -1]?.filter);
    return here !== undefined && there !== undefined && here !== there;
  });

/** Whether the first name may decide in the first plan before the second one, and the second in the second plan with another effect. */
function isFirst(one: AlikeNames, other: AlikeNames, rows: readonly [Rows, Rows]): boolean {
  const isBefore = (a: AlikeNames, b: AlikeNames, side: 0 | 1) =>
    (a.rows[side]![0] ?? Infinity) < (b.rows[side]!.at(-1) ?? Infinity);
  const actions = ({ rows: own }: AlikeNames, side: 0 | 1) =>
    own[side]!.map((row) => rows[side].of[row]!.action);
  return (
    isBefore(one, other, 0) &&
    isBefore(other, one, 1) &&
    new Set([...actions(one, 0), ...actions(other, 1)]).size > 1
  );
}

/** Whether two plans have the same rules at a place, so that no name makes a difference. */
function haveSameRules(...sides: readonly [readonly ReadGuard[], readonly ReadGuard[]]): boolean {
  const [mine, theirs] = sides.map((guards) =>
    guards.flatMap(({ guard: { filters }, namings }) =>
      filters.map(({ clauses, otherwise }) => ({ clauses, otherwise, namings })),
    ),
  ) as [Written[], Written[]];
  return (
    mine.length === theirs.length &&
    mine.every((one, at) => {
      const other = theirs[at]!;
      return (
        one.otherwise === other.otherwise &&
        one.clauses.length === other.clauses.length &&
        one.clauses.every((clause, position) => isSameRule(clause, one, other.clauses[position]!, other))
      );
    })
  );
}

/** A filter with the names in its rules. */
type Written = Filter & Pick<ReadGuard, "namings">;

const isSameRule = (clause: Clause, here: Written, other: Clause, there: Written): boolean =>
  clause.actions.join() === other.actions.join() &&
  namesOf(clause, here) === namesOf(other, there) &&
  equal(clause.sure, other.sure) &&
  equal(clause.possible, other.possible);

const namesOf = (clause: Clause, { namings }: Written): string =>
  (namings.get(clause) ?? []).map(({ key }) => key).join();

function passing(
  guards: readonly ReadGuard[],
  others: readonly Filter[],
  isOpen: boolean,
  names: NamesOfCases,
): Passing {
  const parts = guards.map((guard) => through(guard, names));
  const nothing = isOpen ? EVERY_PACKET : NO_PACKETS;
  const together = (bounds: readonly PacketBounds[]): PacketBounds =>
    bounds.length === 0
      ? { sure: nothing, possible: nothing }
      : {
          sure: bounds.map(({ sure }) => sure).reduce(intersection),
          possible: bounds.map(({ possible }) => possible).reduce(intersection),
        };
  const whole = together(parts.map((part) => part.whole));
  const isPlain = parts.every(({ whole: written, cases }) => cases.every((bounds) => bounds === written));
  const inCase = (at: number) => (isPlain ? whole : together(parts.map(({ cases }) => cases[at]!)));
  const [nothingNamed, allNamed] = [inCase(0), inCase(1)];
  return {
    whole,
    cases: [
      nothingNamed,
      allNamed,
      others.length > 0
        ? together(
            parts.map(({ cases }, at) =>
              isOfGroups(guards[at]!.guard) ? plus(cases[0]!, others) : cases[0]!,
            ),
          )
        : nothingNamed,
    ],
    ofNames: names.some.map(({ peers }, at) => ({ bounds: inCase(at + 2), peers })),
    named: namedIn(guards),
    values: [
      ...parts.flatMap(({ values }) => values),
      ...guards.flatMap(({ namings }) =>
        [...namings.values()].flat().flatMap(({ key, value }) => (names.leftOut.has(key) ? [value] : [])),
      ),
    ],
  };
}

/** What a guard allows. If it may have rules that are not shown, or may not apply at all, more may pass than it states. */
function through(
  { guard, namings }: ReadGuard,
  { elsewhere, some }: NamesOfCases,
): Pick<Passing, "whole" | "values"> & { cases: readonly PacketBounds[] } {
  const { filters } = guard;
  const doubted = doubtsAbout(guard);
  const ownDoubts = doubted.filter((value) => !elsewhere.has(keyOfDoubt(value) ?? ""));
  const written = allowedBy(filters);
  const whole = unless(doubted, written);
  const namesOneOf = (clause: Clause, keys: ReadonlySet<string>) =>
    namings.get(clause)!.some(({ key }) => keys.has(key));
  const isShared = (clause: Clause) => namesOneOf(clause, elsewhere);
  const named = new Map(
    [...namings.keys()]
      .filter((clause) => clause.actions.length === 1 || isShared(clause))
      .map((clause) => [clause, isShared(clause)]),
  );
  if (named.size === 0) {
    const bounds = ownDoubts.length === doubted.length ? whole : unless(ownDoubts, written);
    return {
      whole,
      cases: [bounds, bounds, ...some.map(() => bounds)],
      values: [...valuesIn(filters, written), ...ownDoubts],
    };
  }
  const matchingOnly = (keys: ReadonlySet<string>) =>
    unless(
      ownDoubts,
      allowedBy(
        withClauses(filters, (clause) =>
          named.has(clause)
            ? matching(clause, namesOneOf(clause, keys) ? clause.possible : NO_PACKETS)
            : clause,
        ),
      ),
    );
  const isSelector = (clause: Clause) => namings.get(clause)!.every(({ text }) => text === undefined);
  // A selector that only one plan has is listed by no name: its value decides, whatever the names of both plans stand for.
  const selecting = [false, true].map((isAll) =>
    withClauses(filters, (clause) => {
      const shared = named.get(clause);
      if (shared === undefined || (!shared && isSelector(clause))) return clause;
      return matching(clause, shared && isAll ? clause.possible : NO_PACKETS);
    }),
  );
  return {
    whole,
    cases: [new Set<string>(), elsewhere, ...some.map(({ keys }) => keys)].map(matchingOnly),
    values: [...selecting.flatMap((some) => valuesIn(some, allowedBy(some))), ...ownDoubts],
  };
}

const unless = (doubted: readonly UnknownValue[], { sure, possible }: PacketBounds): PacketBounds => ({
  sure,
  possible: doubted.length > 0 ? EVERY_PACKET : possible,
});

function plus({ sure, possible }: PacketBounds, others: readonly Filter[]): PacketBounds {
  const open = others.map((filter) => allowedBy([filter]).sure);
  return { sure: unionAll([sure, ...open]), possible: unionAll([possible, ...open]) };
}

const valuesIn = (filters: readonly Filter[], { sure, possible }: PacketBounds): UnknownValue[] =>
  doubts(filters, difference(possible, sure));

const withClauses = (filters: readonly Filter[], change: (clause: Clause) => Clause): Filter[] =>
  filters.map(({ clauses, otherwise }) => ({ clauses: clauses.map(change), otherwise }));

/** A rule that matches what it certainly matches, and some more. What it does with that is not known if it has several actions. */
function matching({ resource, path, actions, sure }: Clause, more: PacketSet): Clause {
  const matched = actions.length === 1 ? union(sure, more) : NO_PACKETS;
  return { resource, path, actions, sure: matched, possible: matched, unknown: [] };
}

function namedIn(guards: readonly ReadGuard[]): Map<string, NamedPeer> {
  const rules = new Map<string, { clause: Clause; value: UnknownValue }[]>();
  for (const { namings } of guards)
    for (const [clause, names] of namings)
      for (const { text, value } of names)
        if (text !== undefined && clause.actions.length === 1) append(rules, text, [{ clause, value }]);
  const packetsOf = (some: readonly { clause: Clause }[], action: Action) =>
    unionAll(
      some.flatMap(({ clause }) =>
        clause.actions[0] === action ? [difference(clause.possible, clause.sure)] : [],
      ),
    );
  return new Map(
    [...rules].map(([text, some]) => [
      text,
      {
        allowed: packetsOf(some, Action.Allow),
        denied: packetsOf(some, Action.Deny),
        values: some.map(({ value }) => value),
      },
    ]),
  );
}
