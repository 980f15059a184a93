import fc from "fast-check";
import { UNKNOWN } from "../../../src/resources/resource";
import { differences, type SmallPacket } from "../smallUniverse";
import { answered, ordersOf, packetsOf, passes, universeWith } from "./adminUniverse";

const distinct = universeWith((one) =>
  fc.uniqueArray(one, { maxLength: 3, selector: ({ priority }) => priority }),
);
const any = universeWith((one) => fc.array(one, { maxLength: 3 }));

describe("AdminNetworkPolicy and its baseline against a model that asks packet by packet", () => {
  test("the first rule by priority decides, Pass and silence leave it to NetworkPolicy, that to the baseline", () => {
    fc.assert(
      fc.property(distinct, (universe) => {
        const { sure, possible } = answered(universe);
        const ordered = universe.admins.toSorted((a, b) => a.priority - b.priority);
        expect(differences(sure, passes(universe, ordered), packetsOf(universe))).toEqual([]);
        expect(possible).toEqual(sure);
      }),
      { numRuns: 300 },
    );
  });

  test("of equal priorities, what every order lets pass is sure at most, and what one lets pass is possible", () => {
    fc.assert(
      fc.property(any, (universe) => {
        const { sure, possible } = answered(universe);
        const orders = ordersOf(universe.admins).map((order) => passes(universe, order));
        const every = (packet: SmallPacket) => orders.every((allows) => allows(packet));
        const some = (packet: SmallPacket) => orders.some((allows) => allows(packet));
        const among = [...packetsOf(universe)];
        expect(differences(sure, every, among).filter((packet) => !every(packet))).toEqual([]);
        expect(differences(possible, some, among).filter(some)).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test("a priority that is not known yet may turn out to be any", () => {
    fc.assert(
      fc.property(distinct, fc.nat(2), (universe, which) => {
        const { sure, possible } = answered(
          universe,
          universe.admins.map(({ priority }, position) => (position === which ? UNKNOWN : priority)),
        );
        const among = [...packetsOf(universe)];
        for (const value of [-1, 0.5, 1.5, 2.5, 4]) {
          const admins = universe.admins
            .map((one, position) => (position === which ? { ...one, priority: value } : one))
            .sort((a, b) => a.priority - b.priority);
          const allows = passes(universe, admins);
          expect(differences(sure, allows, among).filter((packet) => !allows(packet))).toEqual([]);
          expect(differences(possible, allows, among).filter(allows)).toEqual([]);
        }
      }),
      { numRuns: 200 },
    );
  });
});
