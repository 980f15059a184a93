// The strict reader for bulk input: it accepts what `parsePrefix` accepts without rules, a hundred times faster. A
// property test holds the two equal. It walks over character codes once, keeps its state in local variables and makes
// no objects.

const SLASH = 47;
const COLON = 58;
const DOT = 46;
const ZERO = 48;

/** Added to the prefix length where the prefix is IPv6. */
export const IPV6 = 256;
export const REFUSED = -1;

/** The first address of the prefix that was scanned last, most significant 32 bits first; IPv4 fills only the first. */
export const scanned = new Uint32Array(4);

/** The value of each hexadecimal digit by its character code; 16 for every other character. */
const DIGITS = new Uint8Array(128).fill(16);
for (let digit = 0; digit < 16; digit++) {
  DIGITS[digit.toString(16).charCodeAt(0)] = digit;
  DIGITS[digit.toString(16).toUpperCase().charCodeAt(0)] = digit;
}

const groups = new Uint16Array(8);

/** The prefix length, plus `IPV6` for IPv6, or `REFUSED`; the address is left in `scanned`. */
export function scanPrefix(text: string): number {
  let address = 0;
  let dots = 0;
  let value = -1; // no digit yet
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const digit = code - ZERO;
    if (digit >= 0 && digit <= 9) {
      if (value === 0) return scanIPv6(text); // a leading zero, or an IPv6 group
      value = value < 0 ? digit : value * 10 + digit;
      if (value > 255) return scanIPv6(text);
    } else if (value < 0) {
      return scanIPv6(text);
    } else if (code === DOT && dots < 3) {
      address = (address << 8) | value;
      value = -1;
      dots++;
    } else if (code === SLASH && dots === 3) {
      return endOfIPv4(text, at + 1, (address << 8) | value);
    } else return scanIPv6(text);
  }
  return REFUSED;
}

function endOfIPv4(text: string, at: number, address: number): number {
  const length = maskAt(text, at, 32);
  if (length < 0 || (address & hostMask(length)) !== 0) return REFUSED;
  scanned[0] = address;
  return length;
}

function scanIPv6(text: string): number {
  const slash = scanGroups(text);
  const length = slash < 0 ? REFUSED : maskAt(text, slash + 1, 128);
  if (length < 0) return REFUSED;
  for (let lane = 0; lane < 4; lane++) {
    const bits = (groups[2 * lane]! << 16) | groups[2 * lane + 1]!;
    const left = length - 32 * lane;
    if (left < 32 && (left <= 0 ? bits : bits & hostMask(left)) !== 0) return REFUSED;
    scanned[lane] = bits;
  }
  const isIPv4Mapped = length >= 96 && scanned[0] === 0 && scanned[1] === 0 && scanned[2] === 0xffff;
  return isIPv4Mapped ? REFUSED : length + IPV6;
}

/** Reads the groups of an IPv6 address and fills the gap that `::` stands for. Where the slash stands, or -1. */
function scanGroups(text: string): number {
  const end = text.length;
  let at = 0;
  let count = 0;
  let gap = -1;
  if (end > 1 && text.charCodeAt(0) === COLON) {
    if (text.charCodeAt(1) !== COLON) return -1;
    gap = 0;
    at = 2;
  }
  for (;;) {
    const begin = at;
    let group = 0;
    let code = SLASH;
    for (; at < end; at++) {
      code = text.charCodeAt(at);
      const digit = code < 128 ? DIGITS[code]! : 16;
      if (digit === 16) break;
      group = (group << 4) | digit;
    }
    if (at === end) return -1;
    if (at === begin) {
      // No digits: only right behind the gap may the slash stand.
      if (code !== SLASH || gap !== count) return -1;
      break;
    }
    if (at - begin > 4 || count === 8) return -1;
    groups[count++] = group;
    if (code === SLASH) break;
    if (code !== COLON) return -1;
    at++;
    if (at < end && text.charCodeAt(at) === COLON) {
      if (gap >= 0) return -1;
      gap = count;
      at++;
    }
  }
  return fillGap(gap, count) ? at : -1;
}

function fillGap(gap: number, count: number): boolean {
  if (gap < 0) return count === 8;
  if (count === 8) return false;
  for (let from = count - 1, to = 7; to >= gap; to--, from--) groups[to] = from >= gap ? groups[from]! : 0;
  return true;
}

/** The number that the text ends with, without leading zeros and up to `largest`; else -1. */
function maskAt(text: string, begin: number, largest: number): number {
  let value = -1;
  for (let at = begin; at < text.length; at++) {
    const digit = text.charCodeAt(at) - ZERO;
    if (digit < 0 || digit > 9 || value === 0) return -1;
    value = value < 0 ? digit : value * 10 + digit;
    if (value > largest) return -1;
  }
  return value;
}

/** The bits of a lane that belong to hosts when its first `length` bits belong to the network. */
function hostMask(length: number): number {
  return length === 32 ? 0 : 0xffff_ffff >>> length;
}
