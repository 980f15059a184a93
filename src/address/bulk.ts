import { parsePrefix } from "./parse";
import { BITS, Prefix, type Family } from "./prefix";
import { IPV6, REFUSED, scanned, scanPrefix } from "./scan";
import type { Refusal } from "./shape";

/** The prefixes of one family as columns; row by row they belong together. */
export interface FamilyColumns {
  readonly family: Family;
  /** First addresses, 32 bits a lane, most significant first: one lane for IPv4, four for IPv6. */
  readonly lanes: readonly Uint32Array[];
  /** Prefix lengths. */
  readonly lengths: Uint8Array;
  /** Where each prefix stands in the input. */
  readonly index: Uint32Array;
}

/** Many prefixes, read strictly. */
export interface PrefixColumns {
  /** Number of texts in the input. */
  readonly size: number;
  readonly ipv4: FamilyColumns;
  readonly ipv6: FamilyColumns;
  /** Positions of the texts that are no prefixes; `refusals` says why. */
  readonly refused: Uint32Array;
}

/**
 * Reads many CIDR blocks, as plans bring them, into columns. It accepts exactly what `parsePrefix` accepts without
 * rules; whatever else the plan has in these places is refused.
 */
export function parseBulk(texts: readonly unknown[]): PrefixColumns {
  const size = texts.length;
  const ipv4 = emptyColumns(4, size);
  const ipv6 = emptyColumns(6, size);
  const refused = new Uint32Array(size);
  const [address4] = ipv4.lanes as [Uint32Array];
  const [first, second, third, fourth] = ipv6.lanes as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  const address = scanned;
  let rows4 = 0;
  let rows6 = 0;
  let refusals = 0;
  for (let i = 0; i < size; i++) {
    const text = texts[i];
    const length = typeof text === "string" ? scanPrefix(text) : REFUSED;
    if (length === REFUSED) refused[refusals++] = i;
    else if (length < IPV6) {
      address4[rows4] = address[0]!;
      ipv4.lengths[rows4] = length;
      ipv4.index[rows4++] = i;
    } else {
      first[rows6] = address[0]!;
      second[rows6] = address[1]!;
      third[rows6] = address[2]!;
      fourth[rows6] = address[3]!;
      ipv6.lengths[rows6] = length - IPV6;
      ipv6.index[rows6++] = i;
    }
  }
  return { size, ipv4: cut(ipv4, rows4), ipv6: cut(ipv6, rows6), refused: refused.subarray(0, refusals) };
}

/** Why texts were refused, in the words of `parsePrefix`, for the first `limit` of them. */
export function refusals(
  texts: readonly unknown[],
  { refused }: PrefixColumns,
  limit = refused.length,
): ({ index: number } & Refusal)[] {
  return Array.from(refused.subarray(0, limit), (index) => {
    const { problem = "not a CIDR block", remedy = "write a CIDR block such as 10.0.0.0/16" } = parsePrefix(
      texts[index],
    );
    return { index, problem, remedy };
  });
}

/** One CIDR block, read strictly by the reader for bulk input; `undefined` where `parsePrefix` would say why not. */
export function readPrefix(text: string): Prefix | undefined {
  const length = scanPrefix(text);
  if (length === REFUSED) return undefined;
  // A block of IPv4 that is read strictly can be written in only one way.
  return length < IPV6
    ? new Prefix(4, BigInt(scanned[0]!), length, text)
    : new Prefix(6, joined(scanned), length - IPV6);
}

/** A block of addresses as Kubernetes, OVN-Kubernetes and OVN read it: host bits mean nothing. Undefined: it is none. */
export const readBlock = (text: string): Prefix | undefined =>
  readPrefix(text) ?? parsePrefix(text, { hostBits: "clear" }).prefix;

/** A CIDR block as Go's parser reads it, without its host bits; whatever else stands there is left as it is. */
export function withoutHostBits<Value>(value: Value): Value | string {
  if (typeof value !== "string" || readPrefix(value)) return value;
  return parsePrefix(value, { hostBits: "clear" }).prefix?.text ?? value;
}

/** One address as a prefix, read as strictly; `undefined` where `parseAddress` would say why not. */
export const readHost = (text: string): Prefix | undefined =>
  readPrefix(`${text}/${BITS[text.includes(":") ? 6 : 4]}`);

/** The family of one CIDR block, read as strictly; `undefined` where it is none. Nothing is made of it. */
export function prefixFamily(text: string): Family | undefined {
  const length = scanPrefix(text);
  if (length === REFUSED) return undefined;
  return length < IPV6 ? 4 : 6;
}

/** The prefix in one row of the columns. */
export function prefixAt({ family, lanes, lengths }: FamilyColumns, row: number): Prefix {
  return new Prefix(family, joined(lanes.map((lane) => lane[row]!)), lengths[row]!);
}

function joined(lanes: Iterable<number>): bigint {
  let value = 0n;
  for (const lane of lanes) value = (value << 32n) | BigInt(lane);
  return value;
}

function emptyColumns(family: Family, size: number): FamilyColumns {
  return {
    family,
    lanes: Array.from({ length: BITS[family] / 32 }, () => new Uint32Array(size)),
    lengths: new Uint8Array(size),
    index: new Uint32Array(size),
  };
}

function cut({ family, lanes, lengths, index }: FamilyColumns, rows: number): FamilyColumns {
  return {
    family,
    lanes: lanes.map((lane) => lane.subarray(0, rows)),
    lengths: lengths.subarray(0, rows),
    index: index.subarray(0, rows),
  };
}
