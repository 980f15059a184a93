/** A small pseudo-random generator (mulberry32) of 32-bit numbers, the same in every run. */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}

/** The half of the address space that each prefix lies in: lists of different halves share no address. */
export type Half = 0 | 1 | undefined;

/**
 * Random prefixes as text, seven of ten IPv4, like those of a large organisation: /16 to /32 anywhere, and IPv6 /48 to /128 inside
 * 2001:db8::/32. Every twentieth repeats an earlier one.
 */
export function randomPrefixes(count: number, seed: number, half?: Half): string[] {
  const next = numbers(seed);
  const texts: string[] = [];
  while (texts.length < count) {
    const repeats = texts.length > 0 && next() % 20 === 0;
    texts.push(
      repeats ? texts[next() % texts.length]! : next() % 10 < 7 ? ipv4(next, half) : ipv6(next, half),
    );
  }
  // As in a parsed plan, each text is one flat string instead of a concatenation of parts.
  return JSON.parse(JSON.stringify(texts)) as string[];
}

/** Lists of prefixes as they occur: random, in chains from /8 to /32, as networks with their subnets, and mostly repeated. */
export const LISTS: Readonly<Record<string, (count: number, seed: number) => string[]>> = {
  random: randomPrefixes,
  nested: (count, seed) => {
    const next = numbers(seed);
    return written(count, (place) => {
      const length = 8 + (place % 25);
      return place % 10 < 7
        ? block4(Math.imul(Math.floor(place / 25) + 1, 0x9e37_79b1), length)
        : ipv6(next, undefined);
    });
  },
  "VPC-like": (count, seed) => {
    const next = numbers(seed);
    return written(count, (place) => {
      const network = (10 << 24) | ((Math.floor(place / 40) % 256) << 16);
      return place % 40 === 0
        ? block4(network, 16)
        : block4(network | (next() & 0xffff), [20, 22, 24, 24, 26][next() % 5]!);
    });
  },
  "duplicate-heavy": (count, seed) => {
    const next = numbers(seed);
    const few = randomPrefixes(1_000, seed);
    return written(count, (place) => (place % 20 === 0 ? ipv4(next, undefined) : few[next() % few.length]!));
  },
};

const written = (count: number, make: (place: number) => string): string[] =>
  JSON.parse(JSON.stringify(Array.from({ length: count }, (_, place) => make(place)))) as string[];

function block4(address: number, length: number): string {
  const masked = length === 32 ? address : address & ~(0xffff_ffff >>> length);
  return `${masked >>> 24}.${(masked >>> 16) & 255}.${(masked >>> 8) & 255}.${masked & 255}/${length}`;
}

function ipv4(next: () => number, half: Half): string {
  const length = 16 + (next() % 17);
  let address = next();
  if (half !== undefined) address = half === 1 ? address | 0x1_0000 : address & ~0x1_0000;
  return block4(address, length);
}

function ipv6(next: () => number, half: Half): string {
  const length = [48, 56, 64, 64, 64, 96, 128][next() % 7]!;
  const groups = [0x2001, 0xdb8, ...Array.from({ length: 6 }, () => next() & 0xffff)];
  if (half !== undefined) groups[2] = (groups[2]! & ~1) | half;
  const masked = groups.map(
    (group, place) => group & ~(0xffff >>> Math.min(Math.max(length - 16 * place, 0), 16)),
  );
  const written = masked.slice(0, Math.ceil(length / 16)).map((group) => group.toString(16));
  return `${written.join(":")}${written.length < 8 ? "::" : ""}/${length}`;
}
