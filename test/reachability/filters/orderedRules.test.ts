import fc from "fast-check";
import { Action, type Clause, type Filter } from "../../../src/reachability/filters/filter";
import { QuickAnswer } from "../../../src/reachability/filters/prepared";
import { allowedBy } from "../../../src/reachability/filters/decide";
import { networkAclFilter } from "../../../src/reachability/filters/networkAcl";
import { quickly } from "../../../src/reachability/filters/traffic";
import {
  EVERY_PACKET,
  NO_PACKETS,
  PacketsOfBox,
  contains,
  difference,
  equal,
  packets,
  type PacketSet,
} from "../../../src/reachability/packets/packetSet";
import { exampleOf } from "../../../src/reachability/packets/example";
import { service } from "../../../src/reachability/packets/service";
import { Proof, prove } from "../../../src/reachability/proof/prove";
import { Direction } from "../../../src/requirements/vocabulary";
import { networkAcls } from "../../../src/resources/networkAcls";
import { UNKNOWN, type PropertyValue, type Resource } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { TYPE } from "../../../src/resources/resourceTypes";
import { address, prefix } from "../smallUniverse";

const block = fc
  .tuple(fc.nat(31), fc.integer({ min: 27, max: 32 }))
  .map(([bits, length]) => `${address(bits & (0xff << (32 - length)))}/${length}`);
const ipv6 = fc.constantFrom("2001:db8::/64", "2001:db8::/32", "2001:db8::1/128", "::/0");
const port = fc.nat(7);

/** An entry of a network ACL, sometimes with an unknown value. */
const entry: fc.Arbitrary<PropertyValue> = fc
  .record({
    ruleNo: fc.nat(40),
    protocol: fc.constantFrom("tcp", "udp", "-1", "icmp"),
    port,
    more: fc.nat(4),
    cidr: fc.oneof(block, fc.constant("0.0.0.0/0")),
    ipv6,
    isIPv6: fc.boolean(),
    action: fc.constantFrom("allow", "allow", "deny"),
    hidden: fc.nat(20),
  })
  .map(({ ruleNo, protocol, port: fromPort, more, cidr, ipv6: cidr6, isIPv6, action, hidden }) => ({
    ruleNo: hidden === 0 ? UNKNOWN : ruleNo,
    protocol,
    fromPort: hidden === 1 ? UNKNOWN : fromPort,
    toPort: fromPort + more,
    icmpType: -1,
    icmpCode: -1,
    action: hidden === 2 ? UNKNOWN : action,
    ...(isIPv6 ? { ipv6CidrBlock: cidr6 } : { cidrBlock: hidden === 3 ? UNKNOWN : cidr }),
  }));
const entries = fc.array(entry, { maxLength: 8 });

function filterOf(rules: readonly PropertyValue[], direction: Direction): Filter {
  const acl: Resource = {
    origin: { urn: "urn:acl" },
    type: TYPE.networkAcl,
    name: "acl",
    properties: { id: "acl-1", [direction]: rules },
  };
  const [read] = networkAcls(new ResourceIndex([acl])).acls;
  return networkAclFilter(read!.rules, direction);
}

const asked = fc
  .record({
    ends: fc.array(fc.oneof(block, block, ipv6), { minLength: 1, maxLength: 3 }),
    others: fc.constantFrom(undefined, ["0.0.0.0/0"], ["::/0"], ["0.0.0.0/0", "::/0"]),
    port,
    more: fc.nat(3),
    protocol: fc.constantFrom(6, 17),
  })
  .map(({ ends, others, port: from, more, protocol }) => ({
    services: service(protocol, { from, to: from + more }),
    ends: ends.map(prefix),
    others: others?.map(prefix),
  }));
const directions = fc.constantFrom(Direction.Ingress, Direction.Egress);

test("a network ACL gives quick answers, however many rules it has", () => {
  const rules = Array.from({ length: 200 }, (_, at) => ({
    ruleNo: at + 1,
    protocol: "tcp",
    fromPort: at,
    toPort: at,
    action: at % 2 === 0 ? "allow" : "deny",
    cidrBlock: "10.0.0.0/24",
  }));
  const filter = filterOf(rules, Direction.Ingress);
  const at = (port: number, ...ends: string[]) =>
    quickly(filter, new PacketsOfBox(service(6, { from: port, to: port }), ends.map(prefix), undefined));
  expect([at(198, "10.0.0.7/32"), at(199, "10.0.0.7/32"), at(200, "10.0.0.7/32")]).toEqual([
    QuickAnswer.Allows,
    QuickAnswer.DropsSome,
    QuickAnswer.DropsSome,
  ]);
  expect([at(198, "10.0.0.0/23"), at(198, "fd00::/64")]).toEqual([undefined, QuickAnswer.DropsSome]);
});

describe("the quick answer for the ordered rules of a network ACL", () => {
  test("agrees with an exact check", () => {
    const seen: Record<string, number> = {};
    fc.assert(
      fc.property(entries, directions, asked, (rules, direction, { services, ends, others }) => {
        const filter = filterOf(rules, direction);
        const box =
          direction === Direction.Ingress
            ? new PacketsOfBox(services, ends, others)
            : new PacketsOfBox(services, others, ends);
        const [quick, careful] = [prove(box, [filter]), prove(packets(box), [filter])];
        expect(quick.proof).toBe(careful.proof);
        const { sure, possible } = allowedBy([filter], packets(box));
        const answer = quickly(filter, box) ?? "a closer look";
        seen[answer] = (seen[answer] ?? 0) + 1;
        if (quick.proof === Proof.Refuted && careful.proof === Proof.Refuted) {
          expect(equal(quick.dropped, difference(box, possible))).toBe(true);
          expect(contains(quick.dropped, packetsAlike(quick.packet))).toBe(true);
          if (quick.decision) expect(quick.packet).toEqual(exampleOf(quick.decision.packets));
        }
        if (quick.proof === Proof.Unknown && careful.proof === Proof.Unknown) {
          expect(equal(quick.undecided, difference(box, sure))).toBe(true);
          expect(quick.values).toEqual(careful.values);
        }
      }),
      { numRuns: 1_500 },
    );
    expect(Object.keys(seen).sort()).toEqual([...Object.values(QuickAnswer), "a closer look"].sort());
  });

  const clause = (action: Action | readonly Action[], possible: PacketSet, sure = possible): Clause => ({
    resource: { origin: {}, type: TYPE.networkAcl, name: "acl", properties: {} },
    path: "",
    actions: typeof action === "string" ? [action] : action,
    sure,
    possible,
    unknown: [],
  });
  const maybe = (action: Action, possible: PacketSet): Clause => clause(action, possible, NO_PACKETS);
  const tcp = service(6, { from: 443, to: 443 });
  const inside = new PacketsOfBox(tcp, [prefix("10.0.0.0/25")], undefined);
  const around = new PacketsOfBox(tcp, [prefix("10.0.0.0/24")], undefined);
  const backwards = new PacketsOfBox(
    { from: tcp.to + 9, to: tcp.from - 9 },
    [prefix("10.0.0.0/24")],
    undefined,
  );
  const elsewhere = new PacketsOfBox(tcp, [prefix("192.0.2.0/24")], undefined);
  const { Allow, Deny, Pass } = Action;

  test.each<[string, readonly Clause[], Action, QuickAnswer | undefined]>([
    ["no rule", [], Deny, QuickAnswer.DropsSome],
    ["no rule, and the default allows", [], Allow, QuickAnswer.Allows],
    ["no rule, and the default passes", [], Pass, undefined],
    ["all packets allowed", [clause(Allow, around), clause(Deny, EVERY_PACKET)], Deny, QuickAnswer.Allows],
    ["all packets denied", [clause(Deny, around), clause(Allow, EVERY_PACKET)], Deny, QuickAnswer.DropsSome],
    ["some packets allowed", [clause(Allow, inside), clause(Deny, EVERY_PACKET)], Deny, undefined],
    ["some packets denied", [clause(Deny, inside), clause(Allow, EVERY_PACKET)], Deny, QuickAnswer.DropsSome],
    [
      "other packets denied",
      [clause(Deny, elsewhere), clause(Allow, EVERY_PACKET)],
      Deny,
      QuickAnswer.Allows,
    ],
    [
      "an empty port range denied",
      [clause(Deny, backwards), clause(Allow, EVERY_PACKET)],
      Deny,
      QuickAnswer.Allows,
    ],
    ["nothing denied", [clause(Deny, NO_PACKETS), clause(Allow, EVERY_PACKET)], Deny, QuickAnswer.Allows],
    [
      "a rule that allows or denies",
      [clause([Allow, Deny], EVERY_PACKET, NO_PACKETS)],
      Deny,
      QuickAnswer.Doubts,
    ],
    [
      "packets that may match a deny rule",
      [clause(Deny, around, inside), clause(Allow, EVERY_PACKET)],
      Deny,
      undefined,
    ],
    [
      "maybe denied, then allowed",
      [maybe(Deny, inside), clause(Allow, EVERY_PACKET)],
      Deny,
      QuickAnswer.Doubts,
    ],
    ["maybe denied, then denied", [maybe(Deny, around)], Deny, QuickAnswer.DropsSome],
    ["maybe allowed, then denied", [maybe(Allow, around)], Deny, QuickAnswer.Doubts],
    ["some packets maybe allowed", [clause(Deny, elsewhere), maybe(Allow, inside)], Deny, undefined],
    [
      "maybe allowed, then some packets denied",
      [maybe(Allow, around), clause(Deny, inside)],
      Allow,
      undefined,
    ],
    ["maybe allowed, then allowed", [maybe(Allow, inside)], Allow, QuickAnswer.Allows],
    ["maybe passed on", [maybe(Pass, around)], Allow, undefined],
    ["passed on", [clause(Pass, around), clause(Allow, EVERY_PACKET)], Deny, undefined],
    ["denied or passed on", [clause([Deny, Pass], around), clause(Allow, EVERY_PACKET)], Deny, undefined],
  ])("is as expected for %s", (_, clauses, otherwise, expected) => {
    expect(quickly({ clauses, otherwise }, around)).toBe(expected);
  });

  test("is missing for rules of both ends, many rules and other sets", () => {
    const there = new PacketsOfBox(tcp, undefined, [prefix("10.0.0.0/24")]);
    const deny = clause(Deny, elsewhere);
    const bothEnds = { clauses: [deny, clause(Allow, there)], otherwise: Deny };
    expect(quickly(bothEnds, there)).toBeUndefined();
    const allowing = { clauses: [deny, clause(Allow, EVERY_PACKET)], otherwise: Deny };
    expect(quickly(allowing, packets(around))).toBeUndefined();
    expect(quickly(allowing, around)).toBe(QuickAnswer.Allows);
    const many = { clauses: [...Array<Clause>(64).fill(deny), clause(Allow, EVERY_PACKET)], otherwise: Deny };
    expect(quickly(many, around)).toBeUndefined();
  });
});

const packetsAlike = ({
  source,
  destination,
  protocol,
  port: at,
}: NonNullable<ReturnType<typeof exampleOf>>) => {
  const bits = (text: string) => prefix(`${text}/${text.includes(":") ? 128 : 32}`);
  return packets({
    services: [service(protocol, { from: at, to: at })],
    sources: [bits(source)],
    destinations: [bits(destination)],
  });
};
