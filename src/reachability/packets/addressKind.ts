import { prefixesBetween, type Prefix } from "../../address";
import { LARGE_NUMBERS, NUMBERS, type Line, type Whole } from "./algebra";

/** What addresses of a family are like. */
export interface AddressKind<N extends Whole> {
  line: Line<N>;
  /** Whether a range is the block of a prefix: what differs between its ends are low bits, none of them in the first. */
  isBlock: (from: N, to: N) => boolean;
  /** A range as such blocks. */
  split: (from: N, to: N) => { from: N; to: N }[];
  first: (prefix: Prefix) => N;
  last: (prefix: Prefix) => N;
}

export const IPV4: AddressKind<number> = {
  line: NUMBERS,
  isBlock: (from, to) => {
    const differing = from ^ to;
    return (differing & (differing + 1)) === 0 && (from & differing) === 0;
  },
  split: (first, last) =>
    prefixesBetween(4, BigInt(first), BigInt(last)).map(({ start, end }) => ({
      from: Number(start),
      to: Number(end),
    })),
  first: ({ numbers }) => numbers.from,
  last: ({ numbers }) => numbers.to,
};

export const IPV6: AddressKind<bigint> = {
  line: LARGE_NUMBERS,
  isBlock: (from, to) => {
    const differing = from ^ to;
    return (differing & (differing + 1n)) === 0n && (from & differing) === 0n;
  },
  split: (first, last) => prefixesBetween(6, first, last).map(({ start, end }) => ({ from: start, to: end })),
  first: ({ start }) => start,
  last: ({ end }) => end,
};
