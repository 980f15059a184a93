import { pushAll } from "../pushAll";
import { BITS, Prefix } from "./prefix";
import { compare } from "./relations";
import { complement } from "./sets";

/**
 * The first free blocks of one length in a space, in the order of their addresses.
 *
 * @param space where to look
 * @param used what is taken; blocks of the other family take nothing
 * @param length prefix length of the blocks: 24 for a /24
 * @param limit at most so many blocks
 */
export function free(space: Prefix, used: readonly Prefix[], length: number, limit = 1): Prefix[] {
  demandLength(space, length);
  const blocks: Prefix[] = [];
  for (const gap of complement(space, used)) {
    if (blocks.length >= limit) break;
    if (gap.length <= length) pushAll(blocks, subnets(gap, length, limit - blocks.length));
  }
  return blocks;
}

/** The largest free block of a space, the first one of equal size; `undefined` where everything is taken. */
export function largestFree(space: Prefix, used: readonly Prefix[]): Prefix | undefined {
  return complement(space, used).sort((a, b) => a.length - b.length || compare(a, b))[0];
}

/** The blocks of one length that a prefix consists of, in the order of their addresses, at most `limit`. */
export function subnets(prefix: Prefix, length: number, limit: number): Prefix[] {
  demandLength(prefix, length);
  if (length < prefix.length) return [];
  const count = 1n << BigInt(length - prefix.length);
  const size = 1n << BigInt(BITS[prefix.family] - length);
  return Array.from(
    { length: count < BigInt(limit) ? Number(count) : limit },
    (_, position) => new Prefix(prefix.family, prefix.start + BigInt(position) * size, length),
  );
}

function demandLength({ family }: Prefix, length: number): void {
  if (!Number.isInteger(length) || length < 0 || length > BITS[family])
    throw new RangeError(
      `/${length} is no prefix length of IPv${family}: use a whole number from 0 to ${BITS[family]}`,
    );
}
