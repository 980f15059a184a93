import fc from "fast-check";
import { UNKNOWN } from "../../../src/resources/resource";
import { differences, type SmallPacket } from "../smallUniverse";
import {
  answered,
  type Form,
  matching,
  ordersOf,
  packetsOf,
  passes,
  type Universe,
  universeWith,
} from "./adminUniverse";
import type { Policy } from "./adminPolicies";

const distinct = universeWith((one) =>
  fc.uniqueArray(one, { maxLength: 3, selector: ({ priority }) => priority }),
);
const any = universeWith((one) => fc.array(one, { maxLength: 3 }));
const distinctOfCluster = universeWith(
  (one) => fc.uniqueArray(one, { maxLength: 3, selector: ({ priority }) => priority }),
  "cluster",
);
const anyOfCluster = universeWith((one) => fc.array(one, { maxLength: 3 }), "cluster");

const byPriority = (policies: readonly Policy[]) => policies.toSorted((a, b) => a.priority - b.priority);

/** Whether no two policies of the same priority have a rule for a packet. */
const isUndisputed = (universe: Universe, policies: readonly Policy[], packet: SmallPacket): boolean => {
  const speaking = policies.filter((policy) => matching(universe, policy, packet).length > 0);
  return new Set(speaking.map(({ priority }) => priority)).size === speaking.length;
};

describe("AdminNetworkPolicy and its baseline agree with a model that checks packet by packet", () => {
  test("the first rule by priority decides, then NetworkPolicies, then the baseline", () => {
    fc.assert(
      fc.property(distinct, (universe) => {
        const { sure, possible } = answered(universe);
        const allows = passes(universe, byPriority(universe.admins));
        expect(differences(sure, allows, packetsOf(universe))).toEqual([]);
        expect(possible).toEqual(sure);
      }),
      { numRuns: 300 },
    );
  });

  test("ClusterNetworkPolicies of tier Admin decide before NetworkPolicies, those of tier Baseline after them", () => {
    fc.assert(
      fc.property(distinctOfCluster, (universe) => {
        const { sure, possible } = answered(universe, { form: "cluster" });
        const allows = passes(universe, byPriority(universe.admins), byPriority(universe.baselines));
        expect(differences(sure, allows, packetsOf(universe))).toEqual([]);
        expect(possible).toEqual(sure);
      }),
      { numRuns: 300 },
    );
  });

  test("with equal priorities, packets surely pass only if every order allows them, and possibly pass if one does", () => {
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

  test.each<Form>(["older", "cluster"])(
    "with equal priorities, packets that only one policy matches are decided, in the %s form",
    (form) => {
      fc.assert(
        fc.property(form === "older" ? any : anyOfCluster, (universe) => {
          const { sure, possible } = answered(universe, { form });
          const { admins, baselines } = universe;
          const ordered = byPriority(admins);
          const allows = passes(universe, ordered, byPriority(baselines));
          const among = [...packetsOf(universe)].filter(
            (packet) => isUndisputed(universe, admins, packet) && isUndisputed(universe, baselines, packet),
          );
          expect(differences(sure, allows, among)).toEqual([]);
          expect(differences(possible, allows, among)).toEqual([]);
        }),
        { numRuns: 200 },
      );
    },
  );

  test("an unknown priority may turn out to be any priority", () => {
    fc.assert(
      fc.property(distinct, fc.nat(2), (universe, which) => {
        const priorities = universe.admins.map(({ priority }, position) =>
          position === which ? UNKNOWN : priority,
        );
        const { sure, possible } = answered(universe, { priorities });
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
