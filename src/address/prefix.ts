/** Text of an IPv4 address: `10.0.0.1`. */
function formatIPv4(address: number): string {
  return `${address >>> 24}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`;
}

/**
 * Text of an IPv6 address as in RFC 5952: lower case, no leading zeros, the longest run of two or more zero groups (the first one
 * of equal length) as `::`.
 */
function formatIPv6(groups: readonly number[]): string {
  const { begin, end } = longestZeroRun(groups);
  const hex = groups.map((group) => group.toString(16));
  return end - begin < 2 ? hex.join(":") : `${hex.slice(0, begin).join(":")}::${hex.slice(end).join(":")}`;
}

function longestZeroRun(groups: readonly number[]): { begin: number; end: number } {
  let longest = { begin: 0, end: 0 };
  let begin = 0;
  groups.forEach((group, position) => {
    if (group !== 0) begin = position + 1;
    else if (position + 1 - begin > longest.end - longest.begin) longest = { begin, end: position + 1 };
  });
  return longest;
}

/** Text of the address with this number: the one canonical form of the package. */
export function formatAddress(family: 4 | 6, address: bigint): string {
  if (family === 4) return formatIPv4(Number(address));
  return formatIPv6(
    Array.from({ length: 8 }, (_, group) => Number((address >> BigInt(112 - 16 * group)) & 0xffffn)),
  );
}

/** The version of the Internet Protocol. */
export type Family = 4 | 6;

export const FAMILIES: readonly Family[] = [4, 6];

/** Bits of an address, which is also the longest prefix length of the family. */
export const BITS: Readonly<Record<Family, number>> = { 4: 32, 6: 128 };

/** One IP address. Created by `parseAddress`; immutable; equal addresses have equal `family` and `text`. */
export class Address {
  /** Canonical text: `10.0.0.1`, `2001:db8::1`. */
  readonly text: string;
  readonly #value: bigint;

  /** Only for the modules of `src/address`; other code parses. */
  constructor(
    readonly family: Family,
    value: bigint,
  ) {
    this.text = formatAddress(family, value);
    this.#value = value;
    Object.freeze(this);
  }

  /** The address as a number. */
  get value(): bigint {
    return this.#value;
  }

  toString(): string {
    return this.text;
  }

  toJSON(): string {
    return this.text;
  }
}

/** The addresses of a block as plain numbers, first and last included. */
export interface AddressNumbers {
  readonly from: number;
  readonly to: number;
}

/**
 * A CIDR block without host bits. Created by `parsePrefix`, `readPrefix` and the set functions; immutable; equal
 * prefixes have equal `family`, `length` and `text`.
 */
export class Prefix {
  /** Canonical text: `10.0.0.0/16`, `2001:db8::/32`. */
  readonly text: string;
  readonly #start: bigint;
  #end: bigint | undefined;
  #numbers: AddressNumbers | undefined;

  /** Only for the modules of `src/address`; other code parses. Host bits of `address` are cleared. */
  constructor(
    readonly family: Family,
    address: bigint,
    /** Number of leading bits that all its addresses share: 16 in `10.0.0.0/16`. */
    readonly length: number,
    /** The canonical text, if the caller has it and `address` has no host bits. */
    text?: string,
  ) {
    this.#start =
      text === undefined ? (address >> hostBits(family, length)) << hostBits(family, length) : address;
    this.text = text ?? `${formatAddress(family, this.#start)}/${length}`;
    Object.freeze(this);
  }

  /** The first address as a number. */
  get start(): bigint {
    return this.#start;
  }

  /** The last address as a number. */
  get end(): bigint {
    return (this.#end ??= this.#start + addressCount(this) - 1n);
  }

  /** First and last address as plain numbers, which are much faster: exact only for IPv4. */
  get numbers(): AddressNumbers {
    return (this.#numbers ??= { from: Number(this.#start), to: Number(this.end) });
  }

  /** The first address as text, as the witness of findings. */
  first(): string {
    return formatAddress(this.family, this.start);
  }

  /** The last address as text. */
  last(): string {
    return formatAddress(this.family, this.end);
  }

  toString(): string {
    return this.text;
  }

  toJSON(): string {
    return this.text;
  }
}

function hostBits(family: Family, length: number): bigint {
  return BigInt(BITS[family] - length);
}

/** How many addresses a prefix holds: 2^128 for `::/0`. */
export function addressCount(prefix: Prefix): bigint {
  return 1n << hostBits(prefix.family, prefix.length);
}

/** The prefix that holds exactly one address: `10.0.0.1/32`. */
export function prefixOf(address: Address): Prefix {
  return new Prefix(address.family, address.value, BITS[address.family]);
}

/**
 * The first address of a prefix that a host can have: not the network address of an IPv4 prefix of /30 or shorter; both addresses of
 * a /31 (RFC 3021), and all of an IPv6 prefix.
 */
export function firstHost({ family, length, start }: Prefix): Address {
  return new Address(family, family === 4 && length < 31 ? start + 1n : start);
}

/** The bits of the first address, 32 per lane, most significant first: one lane for IPv4, four for IPv6. */
export function lanesOf({ family, start }: Prefix): number[] {
  if (family === 4) return [Number(start)];
  return [96n, 64n, 32n, 0n].map((shift) => Number((start >> shift) & 0xffff_ffffn));
}

/** The bit of an address at a depth. */
export const bitOf = (lanes: readonly number[], depth: number): 0 | 1 =>
  ((lanes[depth >> 5]! >>> (31 - (depth & 31))) & 1) as 0 | 1;

/** The address with these lanes. */
export function valueOf(lanes: Iterable<number>): bigint {
  let value = 0n;
  for (const lane of lanes) value = (value << 32n) | BigInt(lane);
  return value;
}
