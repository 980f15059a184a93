import fc from "fast-check";
import { Action, type Clause, type Filter } from "../../../src/reachability/filters/filter";
import { allowedBy, decisions, doubts } from "../../../src/reachability/filters/decide";
import { QuickAnswer, onlyAllows } from "../../../src/reachability/filters/prepared";
import { securityGroupFilter } from "../../../src/reachability/filters/securityGroup";
import { quickly } from "../../../src/reachability/filters/traffic";
import {
  EVERY_PACKET,
  NO_PACKETS,
  PacketsOfBox,
  contains,
  difference,
  equal,
  intersection,
  isEmpty,
  packets,
  type PacketSet,
} from "../../../src/reachability/packets/packetSet";
import { exampleOf } from "../../../src/reachability/packets/example";
import { service } from "../../../src/reachability/packets/service";
import { Proof, prove } from "../../../src/reachability/proof/prove";
import { Direction } from "../../../src/requirements/vocabulary";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { TYPE } from "../../../src/resources/resourceTypes";
import { securityGroups } from "../../../src/resources/securityGroups";
import { address, prefix } from "../smallUniverse";

const block = fc
  .tuple(fc.nat(31), fc.integer({ min: 27, max: 32 }))
  .map(([bits, length]) => `${address(bits & (0xff << (32 - length)))}/${length}`);
const ipv6 = fc.constantFrom("2001:db8::/64", "2001:db8::/32", "2001:db8::1/128");
const port = fc.nat(7);

/** A rule of a security group, sometimes with an unknown value. */
const rule: fc.Arbitrary<PropertyValue> = fc
  .record({
    protocol: fc.constantFrom("tcp", "udp", "icmp", "-1", "quic"),
    port,
    block,
    ipv6,
    kind: fc.nat(5),
    hidden: fc.nat(11),
  })
  .map(({ protocol, port: from, block: cidr, ipv6: cidr6, kind, hidden }) => ({
    protocol,
    fromPort: hidden === 0 ? UNKNOWN : from,
    // For ICMP it is the code: every code here.
    toPort: protocol === "icmp" ? -1 : from,
    cidrBlocks: kind === 0 ? [] : [hidden === 1 ? UNKNOWN : cidr],
    ipv6CidrBlocks: kind === 1 ? [cidr6] : [],
    ...(kind === 2 && { self: true }),
    ...(kind === 3 && { securityGroups: ["sg-9"] }),
  }));

const resourceOf = (rules: readonly PropertyValue[]): Resource => ({
  origin: { urn: "urn:group" },
  type: TYPE.securityGroup,
  name: "group",
  properties: { id: "sg-1", ingress: rules, egress: rules },
});
function filterOf(rules: readonly PropertyValue[], direction: Direction): Filter {
  const { groups } = securityGroups(new ResourceIndex([resourceOf(rules)]));
  const itself = [prefix("10.0.0.3/32"), prefix("2001:db8::3/128")];
  return securityGroupFilter(
    groups.flatMap((group) => group.rules),
    direction,
    (reference) => (reference.kind === "group" ? itself : undefined),
  );
}
/** The same rules without the prebuilt index. */
const plain = ({ clauses, otherwise }: Filter): Filter => ({ clauses, otherwise });

const asked = fc
  .record({
    source: fc.oneof(block, ipv6),
    port,
    more: fc.nat(3),
    protocol: fc.constantFrom("tcp", "udp", "icmp"),
  })
  .map(({ source, port: from, more, protocol }) => {
    const ends = [prefix(source)];
    const number = { tcp: 6, udp: 17, icmp: source.includes(":") ? 58 : 1 }[protocol];
    // ICMP messages are types of 256 codes each.
    const size = protocol === "icmp" ? 256 : 1;
    return packets({
      services: [service(number, { from: from * size, to: (from + more + 1) * size - 1 })],
      sources: ends,
      destinations: [prefix(source.includes(":") ? "::/0" : "0.0.0.0/0")],
    });
  });
const directions = fc.constantFrom(Direction.Ingress, Direction.Egress);
const manyRules = fc.array(rule, { minLength: 3, maxLength: 14 });

describe("many rules applied to few packets", () => {
  test("give the answer for all packets, limited to these", () => {
    fc.assert(
      fc.property(manyRules, directions, asked, (rules, direction, among) => {
        const filter = filterOf(rules, direction);
        const all = allowedBy([plain(filter)]);
        for (const one of [filter, plain(filter)]) {
          const { sure, possible } = allowedBy([one], among);
          expect(equal(sure, intersection(all.sure, among))).toBe(true);
          expect(equal(possible, intersection(all.possible, among))).toBe(true);
        }
      }),
      { numRuns: 150 },
    );
  });

  test("allow packets quickly only if they are allowed, and always if one rule covers them", () => {
    fc.assert(
      fc.property(manyRules, asked, (rules, among) => {
        const filter = filterOf(rules, Direction.Ingress);
        const { sure } = allowedBy([plain(filter)]);
        for (const one of [filter, plain(filter)])
          if (quickly(one, among) === QuickAnswer.Allows) expect(contains(sure, among)).toBe(true);
        const covered = filter.clauses.some((clause) => contains(clause.sure, among));
        if (covered)
          for (const one of [filter, plain(filter)]) expect(quickly(one, among)).toBe(QuickAnswer.Allows);
      }),
      { numRuns: 150 },
    );
  });

  test("need no clauses if the index gives the answer", () => {
    const rule = { protocol: "tcp", fromPort: 443, toPort: 443, cidrBlocks: ["10.0.0.0/28"] };
    const filter = filterOf(Array<PropertyValue>(100).fill(rule), Direction.Ingress);
    let made = 0;
    Object.defineProperty(filter, "clauses", { get: () => (made++, []) });
    const among = packets({
      services: [service(6, { from: 443, to: 443 })],
      sources: [prefix("10.0.0.1/32")],
      destinations: [prefix("0.0.0.0/0")],
    });
    expect(prove(among, [filter]).proof).toBe(Proof.Proved);
    expect(made).toBe(0);
  });

  test("give the same verdict quickly as after an exact check", () => {
    const seen = { dropped: 0, doubted: 0 };
    const service6 = fc.constantFrom(6, 17);
    fc.assert(
      fc.property(
        manyRules,
        fc.oneof(block, ipv6),
        service6,
        port,
        fc.nat(3),
        (rules, source, protocol, from, more) => {
          const filter = filterOf(rules, Direction.Ingress);
          const box = new PacketsOfBox(
            service(protocol, { from, to: from + more }),
            [prefix(source)],
            undefined,
          );
          const [quick, careful] = [prove(box, [filter]), prove(packets(box), [filter])];
          expect(quick.proof).toBe(careful.proof);
          const { sure, possible } = allowedBy([plain(filter)], packets(box));
          if (quick.proof === Proof.Refuted) {
            expect(equal(quick.dropped, difference(box, possible))).toBe(true);
            expect(quick.packet).toEqual(exampleOf(quick.dropped));
            expect(quick.decision).toMatchObject({ filter, action: Action.Deny });
            seen.dropped += Number(quickly(filter, box) === QuickAnswer.DropsSome);
          } else if (quick.proof === Proof.Unknown && careful.proof === Proof.Unknown) {
            expect(equal(quick.undecided, difference(box, sure))).toBe(true);
            expect(quick.values).toEqual(careful.values);
            expect(quick.values.length).toBeGreaterThan(0);
            seen.doubted += Number(quickly(filter, box) === QuickAnswer.Doubts);
          }
        },
      ),
      { numRuns: 500 },
    );
    expect(Math.min(seen.dropped, seen.doubted)).toBeGreaterThan(0);
    // There is no quick answer if the default action is Pass.
    const everything = new PacketsOfBox(service(6), undefined, undefined);
    expect(quickly({ clauses: [], otherwise: Action.Pass }, everything)).toBeUndefined();
  });

  test("drop packets quickly only if no rule may allow them", () => {
    const seen = { dropped: 0 };
    fc.assert(
      fc.property(manyRules, directions, asked, (rules, direction, among) => {
        const filter = filterOf(rules, direction);
        for (const one of [filter, plain(filter)])
          if (quickly(one, among) === QuickAnswer.DropsSome) {
            seen.dropped++;
            expect(isEmpty(intersection(allowedBy([plain(filter)]).possible, among))).toBe(true);
          }
      }),
      { numRuns: 150 },
    );
    expect(seen.dropped).toBeGreaterThan(0);
    const five = filterOf(
      [1, 2, 3, 4, 5].map((port) => ({
        protocol: "tcp",
        fromPort: port,
        toPort: port,
        cidrBlocks: ["10.0.0.0/8"],
      })),
      Direction.Ingress,
    );
    const port9 = packets({ services: [service(6, { from: 9, to: 9 })] });
    expect(quickly(five, port9)).toBe(QuickAnswer.DropsSome);
    expect(quickly(five, packets({ services: [] }))).toBe(QuickAnswer.Allows);
    expect(quickly({ clauses: five.clauses, otherwise: Action.Pass }, port9)).toBeUndefined();
  });

  test("name the same unknown values with and without an index", () => {
    fc.assert(
      fc.property(manyRules, directions, asked, (rules, direction, among) => {
        const filter = filterOf(rules, direction);
        const expected = filter.clauses.flatMap(({ sure, possible, unknown }) =>
          unknown.length > 0 && !contains(sure, intersection(possible, among))
            ? unknown.map(({ path }) => path)
            : [],
        );
        expect(doubts([filter], among).map(({ path }) => path)).toEqual(expected);
        expect(doubts([plain(filter)], among).map(({ path }) => path)).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });
});

describe("rules that only allow", () => {
  const clause = (actions: readonly Action[], sure: PacketSet = EVERY_PACKET): Clause => ({
    resource: resourceOf([]),
    path: "it",
    actions,
    sure,
    possible: EVERY_PACKET,
    unknown: [{ resource: resourceOf([]), path: "it" }],
  });
  test.each<[string, readonly Clause[], Action, boolean]>([
    [
      "include filters with only Allow rules",
      [clause([Action.Allow]), clause([Action.Allow])],
      Action.Deny,
      true,
    ],
    ["include filters without rules", [], Action.Deny, true],
    ["exclude filters with a Deny rule", [clause([Action.Allow]), clause([Action.Deny])], Action.Deny, false],
    ["exclude filters with a rule that may deny", [clause([Action.Allow, Action.Deny])], Action.Deny, false],
    ["exclude filters whose default action is Pass", [clause([Action.Allow])], Action.Pass, false],
    ["exclude filters whose default action is Allow", [clause([Action.Allow])], Action.Allow, false],
  ])("%s", (_, clauses, otherwise, expected) => {
    const filter = { clauses, otherwise };
    expect(onlyAllows(filter)).toBe(expected);
    // The second, cached answer is the same.
    expect(onlyAllows(filter)).toBe(expected);
    if (!expected) expect(quickly(filter, EVERY_PACKET)).toBeUndefined();
  });

  test("are doubtful wherever they may match if their effect is unknown, otherwise only where the match is unknown", () => {
    const doubtful = (one: Clause) =>
      doubts([{ clauses: [one], otherwise: Action.Deny }], EVERY_PACKET).length;
    expect(doubtful(clause([Action.Allow, Action.Deny]))).toBe(1);
    expect(doubtful(clause([Action.Allow]))).toBe(0);
    expect(doubtful(clause([Action.Allow], NO_PACKETS))).toBe(1);
  });

  test("are named in the decision, and a default decision names no rule", () => {
    const some = packets({ sources: [prefix("10.0.0.0/8")], destinations: [prefix("0.0.0.0/0")] });
    const one = { ...clause([Action.Deny], some), possible: some };
    const found = decisions([{ clauses: [one], otherwise: Action.Allow }], EVERY_PACKET);
    expect(found.map(({ action }) => action)).toEqual([Action.Deny, Action.Allow]);
    expect(found[0]?.clause).toBe(one);
    expect(found[1]).not.toHaveProperty("clause");
    expect(
      decisions([{ clauses: [clause([Action.Deny])], otherwise: Action.Allow }], EVERY_PACKET),
    ).toHaveLength(1);
  });
});
