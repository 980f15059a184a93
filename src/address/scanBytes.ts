const ZERO = 0x30;
const DOT = 0x2e;
const SLASH = 0x2f;

/**
 * Whether bytes are a CIDR block of IPv4 as `readPrefix` takes it, without making a text for that. False says
 * nothing about the other family.
 */
export function isIPv4Prefix(bytes: Uint8Array, from: number, to: number): boolean {
  let at = from;
  let address = 0;
  for (let octet = 0; octet < 4; octet++) {
    let value = bytes[at]! - ZERO;
    if (value >>> 0 > 9) return false;
    for (let digit = bytes[++at]! - ZERO; digit >>> 0 <= 9; digit = bytes[++at]! - ZERO) {
      if (value === 0) return false; // a leading zero
      value = value * 10 + digit;
      if (value > 255) return false;
    }
    address = (address << 8) | value;
    if (bytes[at++] !== (octet < 3 ? DOT : SLASH)) return false;
  }
  const length = lengthIn(bytes, at, to);
  return length <= 32 && (length === 32 || (address & (0xffff_ffff >>> length)) === 0);
}

/** The number that some bytes are, of two digits at most; more than any prefix length where they are none. */
function lengthIn(bytes: Uint8Array, from: number, to: number): number {
  const first = bytes[from]! - ZERO;
  if (first >>> 0 > 9) return Infinity;
  if (to === from + 1) return first;
  const second = bytes[from + 1]! - ZERO;
  return to === from + 2 && first > 0 && second >>> 0 <= 9 ? first * 10 + second : Infinity;
}
