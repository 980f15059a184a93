import fc from "fast-check";
import { BITS, Prefix, type Family } from "../../../src/address";
import { BlockIndex, Mark } from "../../../src/reachability/packets/blockIndex";

/** Addresses as offsets from the first one. */
interface Question {
  low: number;
  high: number;
  from: number;
  to: number;
}

interface Entry extends Question {
  position: number;
  counts: boolean;
}

const ADDRESSES = 64;
const SERVICES = 10;
const between = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

const span = (count: number) =>
  fc
    .tuple(fc.nat(count - 1), fc.nat(count - 1))
    .map(([a, b]): [number, number] => [Math.min(a, b), Math.max(a, b)]);
const block = fc.tuple(fc.nat(ADDRESSES - 1), fc.nat(5)).map(([number, free]): [number, number] => {
  const from = (number >> free) << free;
  return [from, from + 2 ** free - 1];
});
const entries = (
  blocks: fc.Arbitrary<[number, number]>,
  services: fc.Arbitrary<[number, number]>,
  size: fc.ArrayConstraints,
) =>
  fc.array(
    fc
      .record({ place: blocks, services, position: fc.nat(5), counts: fc.boolean() })
      .map(({ place: [from, to], services: [low, high], position, counts }): Entry => {
        return { from, to, low, high, position, counts };
      }),
    size,
  );
const few = entries(block, span(SERVICES), { maxLength: 8 });
const ranges = entries(span(ADDRESSES), span(SERVICES), { maxLength: 6 });
/** Many services at few blocks. */
const many = entries(fc.constantFrom<[number, number]>([0, 31], [8, 15], [32, 63]), span(300), {
  minLength: 90,
  maxLength: 120,
  size: "max",
});
const question = (services: number) =>
  fc
    .tuple(span(ADDRESSES), span(services))
    .map(([[from, to], [low, high]]): Question => ({ from, to, low, high }));

/** The answers of the index, computed by checking every entry, address and service. */
const slowly = {
  misses: (all: readonly Entry[], { low, high, from }: Question) =>
    !between(low, high).every((service) =>
      all.some((one) => one.from <= from && from <= one.to && one.low <= service && service <= one.high),
    ),
  meets: (one: Entry, { low, high, from, to }: Question) =>
    one.from <= to && from <= one.to && one.low <= high && low <= one.high,
  /** Whether at each address the entries of one block have all of the services. */
  holds: (all: readonly Entry[], { low, high, from, to }: Question) =>
    between(from, to).every((at) =>
      all.some((one) => {
        const block = all.filter((other) => other.from === one.from && other.to === one.to && other.counts);
        return one.from <= at && !slowly.misses(block, { low, high, from: at, to: at });
      }),
    ),
  hasOne: (all: readonly Entry[], { low, high, from, to }: Question) =>
    all.some((one) => one.from <= from && to <= one.to && one.low <= low && high <= one.high),
};
const counting = (all: readonly Entry[]) => all.filter(({ counts }) => counts);

/** The first address: 0, around the middle of the family, where 32-bit numbers change their sign, and at the end. */
const STARTS = (["0", "middle", "end"] as const).flatMap((name) =>
  ([4, 6] as const).map((family): [string, Family, bigint] => {
    const all = 1n << BigInt(BITS[family]);
    const start = { 0: 0n, middle: (all - BigInt(ADDRESSES)) / 2n, end: all - BigInt(ADDRESSES) }[name];
    return [`IPv${family}, ${name}`, family, start];
  }),
);

describe.each(STARTS)("the index of services at blocks of addresses: %s", (_, family, start) => {
  const at = (address: number) => start + BigInt(address);
  const make = (all: readonly Entry[], isRange = false) => {
    const [four, six] = [BlockIndex.ipv4(), BlockIndex.ipv6()];
    for (const { from, to, low, high, position, counts } of all)
      if (isRange) {
        if (family === 4) four.add(Number(at(from)), Number(at(to)), low, high, position, counts);
        else six.add(at(from), at(to), low, high, position, counts);
      } else {
        const prefix = new Prefix(family, at(from), BITS[family] - Math.log2(to - from + 1));
        (family === 4 ? four : six).addPrefix(prefix, low, high, position, counts);
      }
    return { four, six };
  };
  type Index = ReturnType<typeof make>;
  const answers = ({ four, six }: Index, { low, high, from, to }: Question) => {
    const found = new Set<number>();
    if (family === 4) {
      const ends = [Number(at(from)), Number(at(to))] as const;
      four.meeting(low, high, ...ends, found);
      const misses = [false, true].map((isCounted) => four.misses(low, high, ends[0], isCounted));
      return {
        found,
        misses,
        holds: four.holds(low, high, ...ends),
        hasOne: four.hasOne(low, high, ...ends),
      };
    }
    const ends = [at(from), at(to)] as const;
    six.meeting(low, high, ...ends, found);
    const misses = [false, true].map((isCounted) => six.misses(low, high, ends[0], isCounted));
    return { found, misses, holds: six.holds(low, high, ...ends), hasOne: six.hasOne(low, high, ...ends) };
  };
  const expected = (all: readonly Entry[], asked: Question) => ({
    found: new Set(all.flatMap((one) => (slowly.meets(one, asked) ? [one.position] : []))),
    misses: [slowly.misses(all, asked), slowly.misses(counting(all), asked)],
  });

  test.each([
    ["few", few, SERVICES, 400],
    ["many", many, 300, 20],
  ] as const)("answers for %s entries as if every entry were checked", (_, drawn, services, numRuns) => {
    fc.assert(
      fc.property(drawn, question(services), (all, asked) => {
        expect(answers(make(all), asked)).toEqual({
          ...expected(all, asked),
          holds: slowly.holds(all, asked),
          hasOne: slowly.hasOne(all, asked),
        });
      }),
      { numRuns },
    );
  });

  test("answers for ranges that are not blocks", () => {
    fc.assert(
      fc.property(ranges, question(SERVICES), (all, asked) => {
        const { holds, hasOne, ...exact } = answers(make(all, true), asked);
        expect(exact).toEqual(expected(all, asked));
        if (slowly.hasOne(counting(all), asked)) expect(holds).toBe(true);
        if (hasOne) expect(slowly.hasOne(all, asked)).toBe(true);
        if (holds)
          for (const from of between(asked.from, asked.to))
            expect(slowly.misses(counting(all), { ...asked, from })).toBe(false);
      }),
      { numRuns: 400 },
    );
  });

  test("marks entries that another index does not hold, and entries that meet it or may have no packets", () => {
    const marksOf = (one: Index, other: Index | undefined) => {
      const marks = new Uint8Array(6);
      if (family === 4) one.four.markBeyond(other?.four, marks);
      else one.six.markBeyond(other?.six, marks);
      return [...marks];
    };
    const slowMarks = (all: readonly Entry[], others: readonly Entry[]) =>
      between(0, 5).map((position) =>
        all
          .filter((one) => one.position === position)
          .reduce((mark, one) => {
            if (slowly.holds(others, one)) return mark | Mark.Meets;
            const meets = !one.counts || others.some((other) => slowly.meets(other, one));
            return mark | Mark.More | (meets ? Mark.Meets : 0);
          }, 0),
      );
    fc.assert(
      fc.property(few, few, (all, others) => {
        expect(marksOf(make(all), make(others))).toEqual(slowMarks(all, others));
        expect(marksOf(make(all), undefined)).toEqual(slowMarks(all, []));
      }),
      { numRuns: 300 },
    );
  });
});
