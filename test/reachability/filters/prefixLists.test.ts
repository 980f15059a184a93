import fc from "fast-check";
import { allowedBy } from "../../../src/reachability/filters/decide";
import { onlyAllows } from "../../../src/reachability/filters/prepared";
import { securityGroupFilter } from "../../../src/reachability/filters/securityGroup";
import type { Filter } from "../../../src/reachability/filters/filter";
import { packetParts } from "../../../src/gate/refutedFlows";
import { equal, packets, type PacketSet } from "../../../src/reachability/packets/packetSet";
import { service } from "../../../src/reachability/packets/service";
import { excessOf, prove } from "../../../src/reachability/proof/prove";
import { Direction } from "../../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { TYPE } from "../../../src/resources/resourceTypes";
import { securityGroups } from "../../../src/resources/securityGroups";
import { prefix } from "../smallUniverse";

const TCP = 6;
const LISTS = ["pl-0", "pl-1"];

const block = fc
  .tuple(fc.nat(255), fc.integer({ min: 26, max: 32 }))
  .map(([last, length]) => `10.0.0.${last & (0xff << (32 - length))}/${length}`);
const block6 = fc.nat(255).map((last) => `2001:db8::${last.toString(16)}/128`);
/** A list with so many entries that it is handled as one, or with few; sometimes with an unknown entry. */
const list = fc.record({
  entries: fc.oneof(
    fc.array(fc.oneof({ weight: 4, arbitrary: block }, block6), { maxLength: 4 }),
    fc.array(fc.oneof({ weight: 4, arbitrary: block }, block6), { minLength: 60, maxLength: 120 }),
  ),
  isPartlyUnknown: fc.nat(5).map((chance) => chance === 0),
});
type List = typeof list extends fc.Arbitrary<infer T> ? T : never;

interface NamingRule {
  from: number;
  to: number;
  names: readonly number[];
  own: readonly string[];
}
const rule: fc.Arbitrary<NamingRule> = fc
  .record({
    from: fc.nat(7),
    more: fc.nat(2),
    names: fc.uniqueArray(fc.nat(1), { maxLength: 2 }),
    own: fc.array(block, { maxLength: 2 }),
  })
  .map(({ from, more, names, own }) => ({ from, to: from + more, names, own }));

/** Rules of a security group that name prefix lists, or that contain the entries of these lists. */
function filterOf(rules: readonly NamingRule[], lists: readonly List[], isWritten: boolean): Filter {
  const entries = lists.map(({ entries: known, isPartlyUnknown }) =>
    (known as PropertyValue[]).concat(isPartlyUnknown ? [UNKNOWN] : []),
  );
  const written = rules.map(({ from, to, names, own }): PropertyValue => ({
    protocol: "tcp",
    fromPort: from,
    toPort: to,
    cidrBlocks: isWritten ? [...own, ...names.flatMap((name) => entries[name]!)] : own,
    // An entry of a list without addressFamily may be of either family.
    ...(isWritten && names.some((name) => entries[name]!.includes(UNKNOWN)) && { ipv6CidrBlocks: [UNKNOWN] }),
    ...(!isWritten && { prefixListIds: names.map((name) => LISTS[name]!) }),
  }));
  const resource = (type: string, name: string, properties: Resource["properties"]): Resource => ({
    origin: { urn: name },
    type,
    name,
    properties: { id: name, ...properties },
  });
  const resources = [
    ...entries.map((cidrs, place) =>
      resource(TYPE.prefixList, LISTS[place]!, { entries: cidrs.map((cidr): PropertyValue => ({ cidr })) }),
    ),
    resource(TYPE.securityGroup, "sg-1", { ingress: written }),
  ];
  const { groups } = securityGroups(new ResourceIndex(resources));
  return securityGroupFilter(
    groups.flatMap((group) => group.rules),
    Direction.Ingress,
    () => undefined,
  );
}

const rules = fc.array(rule, { minLength: 1, maxLength: 12 });
const both = fc
  .record({ rules, lists: fc.tuple(list, list) })
  .map(({ rules: some, lists }) => [filterOf(some, lists, false), filterOf(some, lists, true)] as const);
/** Packets to some ports, from one or two blocks or from as many as a topology may name. */
const asked = fc
  .record({
    from: fc.nat(7),
    more: fc.nat(2),
    blocks: fc.oneof(
      fc.array(block, { minLength: 1, maxLength: 2 }),
      fc.array(block, { minLength: 40, maxLength: 80 }),
    ),
  })
  .map(({ from, more, blocks }) =>
    packets({ services: [service(TCP, { from, to: from + more })], sources: blocks.map(prefix) }),
  );

const alike = (a: PacketSet, b: PacketSet) => expect(equal(a, b)).toBe(true);

describe("rules that name a prefix list agree with rules that contain its entries", () => {
  test("on the allowed packets, all of them or some", () => {
    fc.assert(
      fc.property(both, asked, ([named, written], among) => {
        expect(onlyAllows(named)).toBe(true);
        for (const some of [undefined, among]) {
          const [one, other] = [allowedBy([named], some), allowedBy([written], some)];
          alike(one.sure, other.sure);
          alike(one.possible, other.possible);
        }
      }),
      { numRuns: 100 },
    );
  });

  test("on what is proved, refuted and unknown", () => {
    const seen = new Set<string>();
    fc.assert(
      fc.property(both, asked, ([named, written], required) => {
        const verdict = prove(required, [named]);
        const expected = prove(required, [written]);
        seen.add(verdict.proof);
        expect(verdict.proof).toBe(expected.proof);
        if ("dropped" in verdict && "dropped" in expected) alike(verdict.dropped, expected.dropped);
        if ("undecided" in verdict && "undecided" in expected) alike(verdict.undecided, expected.undecided);
      }),
      { numRuns: 300 },
    );
    expect([...seen].sort()).toEqual(["proved", "refuted", "unknown"]);
  });

  test("on the excess of each rule and its text", () => {
    fc.assert(
      fc.property(both, fc.array(asked, { maxLength: 3 }), ([named, written], wanted) => {
        const [found, expected] = [named, written].map((filter) => excessOf(wanted, [filter]));
        expect(found!.map(({ clause }) => clause!.path)).toEqual(expected!.map(({ clause }) => clause!.path));
        found!.forEach(({ packets: more }, place) => {
          alike(more, expected![place]!.packets);
          expect(packetParts(more, Direction.Ingress)).toEqual(
            packetParts(expected![place]!.packets, Direction.Ingress),
          );
        });
      }),
      { numRuns: 150 },
    );
  });
});
