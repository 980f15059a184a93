import { EVERY_PACKET, PacketIndex, type PacketSet } from "../packets";
import { Action, type Clause, type Filter } from "./filter";
import { OrderedBlocks } from "./orderedBlocks";

/** Filters are made once and asked many times: what helps to answer is kept beside each of them. */
interface Prepared {
  /** Whether what it does not decide the next filter does. */
  passesOn: boolean;
  /** Whether its rules only allow and the rest is denied, so that their order means nothing. */
  onlyAllows: () => boolean;
  /** Where rules are found by the packets that they match. */
  index: () => PacketIndex;
  /** The rules of a short list, for the first of them that matches; undefined for others. */
  ordered: () => OrderedBlocks | undefined;
  clauses: ClausesWhenAsked;
}

/** Rules of which each is made when somebody asks for it; a list of them is one too. */
export interface ClausesWhenAsked {
  readonly length: number;
  at: (position: number) => Clause | undefined;
}

const prepared = new WeakMap<Filter, Prepared>();

/** What helps to answer for a filter. */
export function preparedOf(filter: Filter): Prepared {
  const known = prepared.get(filter);
  if (known) return known;
  const { clauses, otherwise } = filter;
  const made: Prepared = {
    passesOn: otherwise === Action.Pass || clauses.some(({ actions }) => actions.includes(Action.Pass)),
    onlyAllows: once(() => otherwise === Action.Deny && clauses.every(allows)),
    clauses,
    index: once(() => indexOf(clauses)),
    ordered: once(() => (clauses.length > SHORT ? undefined : OrderedBlocks.of(clauses, otherwise))),
  };
  prepared.set(filter, made);
  return made;
}

const allows = ({ actions }: Clause): boolean => actions.length === 1 && actions[0] === Action.Allow;

/** Made when somebody asks for the first time. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}

/** Lists of so many rules are gone through faster than rules are found; a network ACL takes no more than 40. */
const SHORT = 64;

/** A filter whose rules only allow, from a reader that can index its rules without looking at their sets of packets. */
export function allowingFilter(clauses: ClausesWhenAsked, index: () => PacketIndex): Filter {
  const filter = filterWhenAsked(clauses);
  prepared.set(filter, {
    passesOn: false,
    onlyAllows: () => true,
    clauses,
    index: once(index),
    ordered: () => undefined,
  });
  return filter;
}

/** A filter whose rules allow and deny in their order, from a reader that can lay them out without their sets of packets. */
export function orderedFilter(clauses: ClausesWhenAsked, ordered: () => OrderedBlocks): Filter {
  const filter = filterWhenAsked(clauses);
  prepared.set(filter, {
    passesOn: false,
    onlyAllows: once(() => filter.clauses.every(allows)),
    clauses,
    index: once(() => indexOf(filter.clauses)),
    ordered: once(ordered),
  });
  return filter;
}

/** What no rule matches is denied. */
function filterWhenAsked(clauses: ClausesWhenAsked): Filter {
  let all: readonly Clause[] | undefined;
  return {
    get clauses() {
      return (all ??= Array.from({ length: clauses.length }, (_, position) => clauses.at(position)!));
    },
    otherwise: Action.Deny,
  };
}

function indexOf(clauses: readonly Clause[]): PacketIndex {
  const index = new PacketIndex();
  clauses.forEach(({ sure, possible }, position) => {
    if (sure === possible) index.add(sure, position);
    else {
      index.add(possible, position, false);
      index.add(sure, position);
    }
  });
  return index;
}

const FEW_RULES = 4;

/** The rules that may have to do with some packets, in their order. */
export function clausesAbout(filter: Filter, among: PacketSet): readonly Clause[] {
  const { clauses, index } = preparedOf(filter);
  if (among === EVERY_PACKET || clauses.length <= FEW_RULES) return filter.clauses;
  return index()
    .meeting(among)
    .map((position) => clauses.at(position)!);
}

/**
 * The rules that may let more pass than the sets of an index have together: all of those that do, and few others. `isApart`
 * says that a rule surely lets something pass, and nothing of it is in any of those sets.
 */
export function clausesBeyond(filter: Filter, wanted: PacketIndex): { clause: Clause; isApart: boolean }[] {
  const { clauses, index } = preparedOf(filter);
  return index()
    .beyond(wanted)
    .map(({ position, isApart }) => ({ clause: clauses.at(position)!, isApart }));
}

/** Whether rules of a filter only allow and the rest is denied, so that their order means nothing. */
export const onlyAllows = (filter: Filter): boolean => preparedOf(filter).onlyAllows();
