// The strict reader for bulk input: it accepts what `parsePrefix` accepts without rules, a hundred times faster. A property test
// checks that both agree. It walks over character codes once, keeps its state in local variables and creates no objects.

const COLON = 58;
const ZERO = 48;
// The values of a slash and a dot, read as a digit.
const SLASH = 47 - ZERO;
const DOT = 46 - ZERO;

/** The length of the shortest text: `::/0`. */
const SHORTEST = 4;

/** Added to the prefix length of IPv6 prefixes. */
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

/**
 * Returns the prefix length, plus `IPV6` for IPv6, or `REFUSED`; the address is left in `scanned`.
 *
 * The length is read first, from the end: the slash before it then stops every run of digits, so no check for the end of the text
 * is needed.
 */
export function scanPrefix(text: string): number {
  let slash = text.length - 2;
  if (text.length < SHORTEST) return REFUSED;
  let length = text.charCodeAt(slash + 1) - ZERO;
  if (length >>> 0 > 9) return REFUSED;
  for (let scale = 10; ; scale *= 10) {
    const digit = text.charCodeAt(slash) - ZERO;
    if (digit === SLASH) break;
    if (digit >>> 0 > 9 || scale > 100) return REFUSED;
    length += digit * scale;
    if (length < scale && text.charCodeAt(slash - 1) - ZERO === SLASH) return REFUSED; // a leading zero
    slash--;
  }
  let at = 0;
  let address = 0;
  for (let octet = 0; octet < 4; octet++) {
    let value = text.charCodeAt(at) - ZERO;
    if (value >>> 0 > 9) return scanIPv6(text, slash, length);
    let digit = text.charCodeAt(++at) - ZERO;
    if (digit >>> 0 <= 9) {
      if (value === 0) return scanIPv6(text, slash, length); // a leading zero, or an IPv6 group
      value = value * 10 + digit;
      digit = text.charCodeAt(++at) - ZERO;
      if (digit >>> 0 <= 9) {
        value = value * 10 + digit;
        if (value > 255) return scanIPv6(text, slash, length);
        digit = text.charCodeAt(++at) - ZERO;
      }
    }
    address = (address << 8) | value;
    if (octet < 3 ? digit !== DOT : at !== slash) return scanIPv6(text, slash, length);
    at++;
  }
  if (length > 32 || (address & hostMask(length)) !== 0) return REFUSED;
  scanned[0] = address;
  return length;
}

function scanIPv6(text: string, slash: number, length: number): number {
  if (length > 128 || !scanGroups(text, slash)) return REFUSED;
  for (let lane = 0; lane < 4; lane++) {
    const bits = (groups[2 * lane]! << 16) | groups[2 * lane + 1]!;
    const left = length - 32 * lane;
    if (left < 32 && (left <= 0 ? bits : bits & hostMask(left)) !== 0) return REFUSED;
    scanned[lane] = bits;
  }
  // A shorter prefix would have host bits.
  const isIPv4Mapped = scanned[0] === 0 && scanned[1] === 0 && scanned[2] === 0xffff;
  return isIPv4Mapped ? REFUSED : length + IPV6;
}

/** Reads the groups of an IPv6 address up to the slash and fills the gap of `::`; false if it is not an IPv6 address. */
function scanGroups(text: string, slash: number): boolean {
  let at = 0;
  let count = 0;
  let gap = -1;
  if (text.charCodeAt(0) === COLON) {
    if (text.charCodeAt(1) !== COLON) return false;
    gap = 0;
    at = 2;
  }
  for (;;) {
    const begin = at;
    let group = 0;
    let code = text.charCodeAt(at);
    for (; code < 128; code = text.charCodeAt(++at)) {
      const digit = DIGITS[code]!;
      if (digit === 16) break;
      group = (group << 4) | digit;
    }
    if (at === begin) {
      // No digits: the slash may only follow right after the gap.
      if (at !== slash || gap !== count) return false;
      break;
    }
    if (at - begin > 4 || count === 8) return false;
    groups[count++] = group;
    if (at === slash) break;
    if (code !== COLON) return false;
    at++;
    if (text.charCodeAt(at) === COLON) {
      if (gap >= 0) return false;
      gap = count;
      at++;
    }
  }
  return fillGap(gap, count);
}

function fillGap(gap: number, count: number): boolean {
  if (gap < 0) return count === 8;
  if (count === 8) return false;
  for (let from = count - 1, to = 7; to >= gap; to--, from--) groups[to] = from >= gap ? groups[from]! : 0;
  return true;
}

/** The bits of a lane that belong to hosts when its first `length` bits belong to the network. */
function hostMask(length: number): number {
  return length === 32 ? 0 : 0xffff_ffff >>> length;
}

/**
 * Whether bytes are an IPv4 block that `readPrefix` accepts, checked without creating a string. False means nothing for IPv6.
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
    if (bytes[at++]! - ZERO !== (octet < 3 ? DOT : SLASH)) return false;
  }
  const length = lengthIn(bytes, at, to);
  return length <= 32 && (length === 32 || (address & (0xffff_ffff >>> length)) === 0);
}

/** Reads bytes as a number of at most two digits; more than any prefix length if they are not such a number. */
function lengthIn(bytes: Uint8Array, from: number, to: number): number {
  const first = bytes[from]! - ZERO;
  if (first >>> 0 > 9) return Infinity;
  if (to === from + 1) return first;
  const second = bytes[from + 1]! - ZERO;
  return to === from + 2 && first > 0 && second >>> 0 <= 9 ? first * 10 + second : Infinity;
}
