import fc from "fast-check";
import { allowedBy, doubts } from "../../../src/reachability/filters/decide";
import { DoubtfulRules } from "../../../src/reachability/filters/securityGroup";
import type { Filter } from "../../../src/reachability/filters/filter";
import { withRulesOf } from "../../../src/reachability/filters/prepared";
import { type AddressesOfGroup, securityGroupFilter } from "../../../src/reachability/filters/securityGroup";
import { equal, NO_PACKETS, PacketsOfBox, packets } from "../../../src/reachability/packets/packetSet";
import { service } from "../../../src/reachability/packets/service";
import { excessOf, prove } from "../../../src/reachability/proof/prove";
import { Direction } from "../../../src/requirements/vocabulary";
import { UNKNOWN, type PropertyValue } from "../../../src/resources/resource";
import { ResourceIndex } from "../../../src/resources/resourceIndex";
import { securityGroups, type SecurityGroup } from "../../../src/resources/securityGroups";
import { group } from "../../rules/builders";
import { address, prefix } from "../smallUniverse";

const block = fc
  .tuple(fc.nat(31), fc.integer({ min: 27, max: 32 }))
  .map(([bits, length]) => `${address(bits & (0xff << (32 - length)))}/${length}`);
const rule: fc.Arbitrary<PropertyValue> = fc
  .record({ port: fc.nat(7), more: fc.nat(3), block, kind: fc.nat(5) })
  .map(({ port, more, block: cidr, kind }) => ({
    protocol: "tcp",
    fromPort: kind === 0 ? UNKNOWN : port,
    toPort: port + more,
    cidrBlocks: kind === 1 ? [] : [kind === 2 ? UNKNOWN : cidr],
    ...(kind === 1 && { securityGroups: ["sg-named"] }),
    ...(kind === 3 && { securityGroups: ["sg-unknown"] }),
  }));
const asked = fc
  .record({ source: block, port: fc.nat(7), more: fc.nat(3) })
  .map(
    ({ source, port, more }) =>
      new PacketsOfBox(service(6, { from: port, to: port + more }), [prefix(source)], undefined),
  );

const groupOf = (name: string, rules: readonly PropertyValue[]): SecurityGroup =>
  securityGroups(new ResourceIndex([group(name, [], { ingress: rules })])).groups[0]!;
const inDoubt = (one: SecurityGroup) => ({
  group: one,
  doubt: { resource: one.resource!, path: "tags" },
  reason: "",
  isOfRole: true,
});
const addresses =
  (at: string): AddressesOfGroup =>
  (reference) =>
    reference.kind === "foreignGroup" && reference.id === "sg-named" ? [prefix(at)] : undefined;

/** The same rules in one plain list. */
const plainly = (own: Filter, more: Filter): Filter => ({
  clauses: [...own.clauses, ...more.clauses],
  otherwise: own.otherwise,
});

describe("rules of groups that hosts may have in addition", () => {
  test("have the same effect as at the end of the hosts' own rules, in every cluster", () => {
    const rules = fc.array(rule, { maxLength: 12 });
    fc.assert(
      fc.property(
        rules,
        rules,
        rules,
        block,
        block,
        fc.array(asked, { minLength: 1, maxLength: 4 }),
        (...given) => {
          const [own, first, second, here, there, all] = given;
          const ours = groupOf("own", own);
          const more = [groupOf("first", first), groupOf("second", second)].map(inDoubt);
          const shared = new DoubtfulRules(more, Direction.Ingress);
          for (const at of [here, there]) {
            const filter = securityGroupFilter(ours.rules, Direction.Ingress, addresses(at));
            const perhaps = shared.filter(addresses(at));
            const joined = withRulesOf(filter, [perhaps]);
            const plain = plainly(filter, perhaps);
            for (const required of all) {
              expect(prove(required, [joined]).proof).toBe(prove(required, [plain]).proof);
              const [bounds, expected] = [allowedBy([joined], required), allowedBy([plain], required)];
              expect(equal(bounds.sure, expected.sure) && equal(bounds.possible, expected.possible)).toBe(
                true,
              );
              expect(doubts([joined], required)).toEqual(doubts([plain], required));
              const excess = excessOf(required, [joined]).filter(({ packets: left }) => left !== NO_PACKETS);
              expect(excess.map(({ clause }) => clause)).toEqual(
                excessOf(required, [filter]).map(({ clause }) => clause),
              );
            }
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test("are found by the packets that they may match in some cluster", () => {
    const rules: PropertyValue[] = [
      { protocol: "tcp", fromPort: 1, toPort: 2, cidrBlocks: ["10.0.0.0/28"] },
      { protocol: "tcp", fromPort: 1, toPort: 2, securityGroups: ["sg-named"] },
      { protocol: "tcp", fromPort: 3, toPort: 3, cidrBlocks: ["10.0.0.0/28"] },
    ];
    const shared = new DoubtfulRules([inDoubt(groupOf("first", rules))], Direction.Ingress);
    const at = (source: string, port: number) =>
      shared
        .about(packets({ services: [service(6, { from: port, to: port })], sources: [prefix(source)] }))
        .map(({ path }) => path);
    expect([at("10.0.0.1/32", 2), at("10.0.0.200/32", 2), at("10.0.0.1/32", 4)]).toEqual([
      ["ingress[0]", "ingress[1]"],
      ["ingress[1]"],
      [],
    ]);
  });

  test("name the value that decides about their own group", () => {
    const everything: PropertyValue = { protocol: "-1", cidrBlocks: ["0.0.0.0/0"] };
    const more = [groupOf("silent", []), groupOf("open", [everything])].map(inDoubt);
    const { clauses } = new DoubtfulRules(more, Direction.Ingress).filter(() => undefined);
    expect(clauses.map(({ unknown }) => unknown.map(({ resource: { name } }) => name))).toEqual([["open"]]);
  });
});
