import fc from "fast-check";
import { minimised, Surplus, surplusOf } from "../../../src/reachability/firstMatch/surplus";
import type { OrderedRule } from "../../../src/reachability/firstMatch/trie";
import { address, prefix } from "../smallUniverse";

const text = ({ first, length }: { first: number; length: number }) => `${address(first)}/${length}`;
const block = fc
  .tuple(fc.nat(255), fc.integer({ min: 24, max: 28 }))
  .map(([bits, length]) => ({ first: bits & (0xff << (32 - length)), length }));
const SERVICES = [1, 2, 3];
const services = fc.oneof(fc.constant([]), fc.subarray([1, 2], { minLength: 1 }));
const known: fc.Arbitrary<OrderedRule> = fc
  .record({ allow: fc.boolean(), block, services })
  .map(({ allow, block: one, services: some }) => ({ allow, prefix: prefix(text(one)), services: some }));
const unknown: fc.Arbitrary<OrderedRule> = fc.record({ allow: fc.boolean(), services });
const rules = fc.array(fc.oneof({ weight: 5, arbitrary: known }, { weight: 1, arbitrary: unknown }), {
  maxLength: 8,
});
const exempt = fc.array(block, { maxLength: 1 }).map((blocks) => blocks.map((one) => prefix(text(one))));

/** Possible outcomes of unknown destinations, as the addresses that each rule then matches. */
const WAYS: readonly ((bits: number, position: number) => boolean)[] = [
  () => false,
  () => true,
  (bits, position) => (bits >> (4 + (position % 4))) % 2 === 0,
  (bits) => bits < 128,
  (_, position) => position % 2 === 0,
];

/** One address of each block that the lists distinguish. */
const ADDRESSES = Array.from({ length: 16 }, (_, part) => ({
  bits: 16 * part,
  start: prefix(`${address(16 * part)}/32`).start,
}));

/** Whether a list allows an address at a service; `is` decides whether a rule with an unknown destination matches. */
function passes(
  list: readonly OrderedRule[],
  at: bigint,
  service: number,
  is: (rule: OrderedRule) => boolean,
  without: readonly ReturnType<typeof prefix>[],
): boolean {
  const has = (one: ReturnType<typeof prefix>) => one.start <= at && at <= one.end;
  const first = list.find(
    (rule) =>
      (rule.services.length === 0 || rule.services.includes(service)) &&
      (rule.prefix ? has(rule.prefix) && !without.some(has) : is(rule)),
  );
  return first?.allow ?? true;
}

function sameMeaning(
  a: readonly OrderedRule[],
  b: readonly OrderedRule[],
  without: ReturnType<typeof prefix>[],
) {
  const unknowns = a.filter((rule) => !rule.prefix);
  for (const way of WAYS)
    for (const { bits, start } of ADDRESSES) {
      const is = (rule: OrderedRule) => way(bits, unknowns.indexOf(rule));
      for (const service of SERVICES)
        if (passes(a, start, service, is, without) !== passes(b, start, service, is, without)) return false;
    }
  return true;
}

const kept = (list: readonly OrderedRule[], without: ReturnType<typeof prefix>[]) => {
  const surplus = surplusOf(list, without);
  return list.filter((_, position) => surplus[position] === undefined);
};

describe("rule lists in which the first match decides", () => {
  test("mean the same without their surplus, whatever the unknown destinations are", () => {
    fc.assert(
      fc.property(rules, exempt, (list, without) => sameMeaning(list, kept(list, without), without)),
      { numRuns: 300 },
    );
  });

  test("never reach a shadowed rule", () => {
    fc.assert(
      fc.property(rules, exempt, (list, without) => {
        const surplus = surplusOf(list, without);
        return list.every(
          (rule, position) =>
            surplus[position] !== Surplus.Shadowed ||
            sameMeaning(list, list.with(position, { ...rule, allow: !rule.allow }), without),
        );
      }),
      { numRuns: 200 },
    );
  });

  test("need every remaining rule if all rules are known", () => {
    fc.assert(
      fc.property(fc.array(known, { maxLength: 8 }), (list) => {
        const left = kept(list, []);
        return left.every((_, position) => !sameMeaning(left, left.toSpliced(position, 1), []));
      }),
      { numRuns: 200 },
    );
  });

  test("keep their meaning and do not grow when minimised", () => {
    fc.assert(
      fc.property(rules, exempt, (list, without) => {
        const shortest = minimised(list, without);
        return shortest.length <= list.length && sameMeaning(list, shortest, without);
      }),
      { numRuns: 300 },
    );
  });
});

describe("examples of surplus rules", () => {
  const rule = (allow: boolean, cidr?: string, ...some: number[]): OrderedRule => ({
    allow,
    ...(cidr !== undefined && { prefix: prefix(cidr) }),
    services: some,
  });

  test("two rules together shadow a third", () => {
    const list = [rule(false, "10.0.0.0/25"), rule(true, "10.0.0.128/25"), rule(false, "10.0.0.0/24")];
    expect(surplusOf(list)).toEqual([undefined, Surplus.Redundant, Surplus.Shadowed]);
  });

  test("an Allow that nothing denies behind it is redundant, a Deny is not", () => {
    expect(surplusOf([rule(true, "10.0.0.0/8"), rule(false, "192.0.2.0/24")])).toEqual([
      Surplus.Redundant,
      undefined,
    ]);
  });

  test("rules inside exempt destinations are shadowed", () => {
    expect(surplusOf([rule(false, "10.128.4.0/24")], [prefix("10.128.0.0/14")])).toEqual([Surplus.Shadowed]);
  });

  test("exempt destinations of one family do not affect the other, even with the same bits", () => {
    expect(surplusOf([rule(false, "a00::/8")], [prefix("10.0.0.0/8")])).toEqual([undefined]);
    expect(surplusOf([rule(false, "10.0.0.0/8")], [prefix("a00::/8")])).toEqual([undefined]);
    expect(surplusOf([rule(false)], [prefix("0.0.0.0/0"), prefix("::/0")])).toEqual([Surplus.Shadowed]);
    expect(surplusOf([rule(false)], [prefix("0.0.0.0/0")])).toEqual([undefined]);
  });

  test("the order of services in a rule does not matter", () => {
    expect(minimised([rule(false, "10.0.0.0/25", 1, 2), rule(false, "10.0.0.128/25", 2, 1)])).toHaveLength(1);
    expect(minimised([rule(false, "10.0.0.0/25", 1, 2), rule(false, "10.0.0.128/25", 2)])).toHaveLength(2);
  });

  test("a rule before an unknown destination stays if that destination may decide otherwise", () => {
    expect(surplusOf([rule(true, "10.0.0.0/8"), rule(false)])).toEqual([undefined, undefined]);
    expect(surplusOf([rule(true, "10.0.0.0/8"), rule(true)])).toEqual([Surplus.Redundant, Surplus.Redundant]);
  });

  test("prefixes of neighbouring rules with the same ports are merged, across rules of the other family too", () => {
    const list = [
      rule(false, "10.0.0.0/25", 1),
      rule(false, "2001:db8::/33"),
      rule(false, "10.0.0.128/25", 1),
      rule(false, "2001:db8:8000::/33"),
    ];
    expect(minimised(list).map((one) => one.prefix?.text)).toEqual(["10.0.0.0/24", "2001:db8::/32"]);
  });
});
