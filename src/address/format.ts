/** Text of an IPv4 address: `10.0.0.1`. */
export function formatIPv4(address: number): string {
  return `${address >>> 24}.${(address >>> 16) & 255}.${(address >>> 8) & 255}.${address & 255}`;
}

/**
 * Text of an IPv6 address as RFC 5952 writes it: small letters, no leading zeros, the longest run of two or more zero
 * groups (the first one of equal length) as `::`.
 */
export function formatIPv6(groups: readonly number[]): string {
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
