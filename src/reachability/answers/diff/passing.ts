import { append, sortedJson } from "../../../collections";
import { holdsUnknown, valueAt } from "../../../resources/read";
import { UNKNOWN, type UnknownValue } from "../../../resources/resource";
import { allowedBy, doubts, type PacketBounds } from "../../filters/decide";
import { Action, type Clause, type Filter } from "../../filters/filter";
import {
  difference,
  EVERY_PACKET,
  intersection,
  NO_PACKETS,
  type PacketSet,
  union,
  unionAll,
} from "../../packets/packetSet";
import type { Guard } from "../../path/guards";
import { type ComparedPlace, isOfGroups } from "./comparedPlaces";

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
  /** What rules may match through a name, by the name. */
  named: ReadonlyMap<string, NamedPeer>;
  /** The values that decide, except for names. */
  values: readonly UnknownValue[];
}

/** What the rules that name one peer allow and deny if its addresses are the right ones. */
export interface NamedPeer {
  allowed: PacketSet;
  denied: PacketSet;
  values: readonly UnknownValue[];
}

/** What passes a place in each of two plans. Without guards everything, or nothing that is known. */
export function passingBoth(
  one: ComparedPlace | undefined,
  other: ComparedPlace | undefined,
  isOpen: boolean,
): [Passing, Passing] {
  const [mine, theirs] = [guardsOf(one), guardsOf(other)];
  // With one guard, what groups of other owners open in addition only hides what those of the plan open.
  const isMixed = [mine, theirs].some((guards) => guards.length > 1);
  const others = (place: ComparedPlace | undefined) => (isMixed ? (place?.others ?? []) : []);
  return [
    passing(mine, others(one), isOpen, keysIn(theirs)),
    passing(theirs, others(other), isOpen, keysIn(mine)),
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

const guardsOf = (place: ComparedPlace | undefined): ReadGuard[] =>
  (place?.guards ?? []).map((guard) => ({ guard, namings: namingsIn(guard) }));

function namingsIn({ filters, standing }: Guard): Map<Clause, Naming[]> {
  const found = new Map<Clause, Naming[]>();
  for (const { clauses } of filters)
    for (const clause of clauses) {
      const isSure = clause.actions.length === 1 && clause.sure === clause.possible;
      const names = isSure ? [] : clause.unknown.map(nameOf);
      const known = names.filter((name) => name !== undefined);
      if (known.length === 0 || known.length < names.length) continue;
      // The peers of a security group rule add up; in other rules, several values may decide together.
      const key = known.map((name) => name.key).join(" ");
      found.set(
        clause,
        standing?.kind === "securityGroups" ? known : known.map((name) => ({ ...name, key })),
      );
    }
  return found;
}

/** A value that is known, although what it stands for is not; undefined if the value itself is unknown. */
function nameOf(value: UnknownValue): Naming | undefined {
  const { resource, path } = value;
  const named = valueAt(resource.properties, path);
  if (named === undefined || named === null || holdsUnknown(named)) return undefined;
  // The id of a group in another account may have that account as a prefix.
  if (typeof named === "string") {
    const text = named.slice(named.lastIndexOf("/") + 1);
    return {
      key: text,
      value,
      ...(NAMED_ENDS.has(path.slice(path.lastIndexOf(".") + 1).split("[", 1)[0]!) && { text }),
    };
  }
  return { key: `${typeof named === "boolean" ? resource.name : ""} ${sortedJson(named)}`, value };
}

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

const doubtsAbout = ({ incomplete, doubtful = [] }: Guard): UnknownValue[] => [
  ...(incomplete ? [incomplete] : []),
  ...doubtful,
];

const keysIn = (guards: readonly ReadGuard[]): ReadonlySet<string> =>
  new Set(
    guards.flatMap(({ guard, namings }) => [
      ...[...namings.values()].flatMap((names) => names.map(({ key }) => key)),
      ...doubtsAbout(guard).flatMap((value) => keyOfDoubt(value) ?? []),
    ]),
  );

function passing(
  guards: readonly ReadGuard[],
  others: readonly Filter[],
  isOpen: boolean,
  elsewhere: ReadonlySet<string>,
): Passing {
  const parts = guards.map((guard) => through(guard, elsewhere));
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
  const [nothingNamed, allNamed] = isPlain
    ? [whole, whole]
    : [0, 1].map((at) => together(parts.map(({ cases }) => cases[at]!)));
  return {
    whole,
    cases: [
      nothingNamed!,
      allNamed!,
      others.length > 0
        ? together(
            parts.map(({ cases }, at) => (isOfGroups(guards[at]!.guard) ? plus(cases[0], others) : cases[0])),
          )
        : nothingNamed!,
    ],
    named: namedIn(guards),
    values: parts.flatMap(({ values }) => values),
  };
}

/** What a guard allows. If it may have rules that are not shown, or may not apply at all, more may pass than it states. */
function through(
  { guard, namings }: ReadGuard,
  elsewhere: ReadonlySet<string>,
): Pick<Passing, "whole" | "values"> & { cases: readonly [PacketBounds, PacketBounds] } {
  const { filters } = guard;
  const doubted = doubtsAbout(guard);
  const ownDoubts = doubted.filter((value) => !elsewhere.has(keyOfDoubt(value) ?? ""));
  const written = allowedBy(filters);
  const whole = unless(doubted, written);
  const isShared = (clause: Clause) => namings.get(clause)!.some(({ key }) => elsewhere.has(key));
  const named = new Map(
    [...namings.keys()]
      .filter((clause) => clause.actions.length === 1 || isShared(clause))
      .map((clause) => [clause, isShared(clause)]),
  );
  if (named.size === 0) {
    const bounds = ownDoubts.length === doubted.length ? whole : unless(ownDoubts, written);
    return { whole, cases: [bounds, bounds], values: [...valuesIn(filters, written), ...ownDoubts] };
  }
  const ifNothing = withClauses(filters, (clause) =>
    named.has(clause) ? matching(clause, NO_PACKETS) : clause,
  );
  const ifAll = withClauses(filters, (clause) =>
    named.get(clause) ? matching(clause, clause.possible) : clause,
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
    cases: [unless(ownDoubts, allowedBy(ifNothing)), unless(ownDoubts, allowedBy(ifAll))],
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
