import fc from "fast-check";
import { Action, type Clause, type Filter } from "../../../src/reachability/filters/filter";
import { allowedBy, decisions, doubts } from "../../../src/reachability/filters/decide";
import {
  EVERY_PACKET,
  contains,
  difference,
  equal,
  intersection,
  isEmpty,
  packets,
  unionAll,
  type PacketSet,
} from "../../../src/reachability/packets/packetSet";
import { service } from "../../../src/reachability/packets/service";
import { has, prefix } from "../smallUniverse";
import type { Resource } from "../../../src/resources/resource";

const TCP = 6;
/** Eight packets, one for each port, distinguish all filters of these tests. */
const PORTS = [0, 1, 2, 3, 4, 5, 6, 7];
const resource: Resource = { origin: {}, type: "test:index:Filter", name: "filter", properties: {} };

const portsOf = (ports: readonly number[]): PacketSet =>
  packets({
    services: ports.map((port) => service(TCP, { from: port, to: port })),
    sources: [prefix("10.0.0.1/32")],
    destinations: [prefix("10.0.0.2/32")],
  });
const isIn = (set: PacketSet, port: number) => has(set, { source: 1, destination: 2, protocol: TCP, port });

const somePorts = fc.subarray(PORTS);
const actions = fc.subarray(Object.values(Action), { minLength: 1, maxLength: 2 });
const clause: fc.Arbitrary<Clause> = fc
  .record({ sure: somePorts, more: somePorts, actions, name: fc.nat(999) })
  .map(({ sure, more, actions: what, name }) => ({
    resource,
    path: `rules[${name}]`,
    actions: what,
    sure: portsOf(sure),
    possible: portsOf([...sure, ...more]),
    unknown: [{ resource, path: `rules[${name}].value` }],
  }));
const filter: fc.Arbitrary<Filter> = fc.record({
  // With more than a few rules, those that matter are looked up.
  clauses: fc.oneof(
    fc.array(clause, { maxLength: 3 }),
    fc.array(clause, { minLength: 5, maxLength: 8 }),
    // Long lists are split into halves.
    fc.array(clause, { minLength: 17, maxLength: 40, size: "max" }),
  ),
  otherwise: fc.constantFrom(...Object.values(Action)),
});
const filters = fc.array(filter, { minLength: 1, maxLength: 3 });

/** All possible outcomes for a packet: every unknown value in every way. */
function outcomes([first, ...behind]: readonly Filter[], port: number): Set<Action | "undecided"> {
  if (!first) return new Set(["undecided"]);
  const results = new Set<Action | "undecided">();
  const end = (action: Action) => {
    for (const result of action === Action.Pass ? outcomes(behind, port) : [action]) results.add(result);
  };
  const walk = (position: number): void => {
    const one = first.clauses[position];
    if (!one) return end(first.otherwise);
    if (isIn(one.possible, port)) one.actions.forEach(end);
    if (!isIn(one.sure, port)) walk(position + 1);
  };
  walk(0);
  return results;
}

describe("a chain of filters", () => {
  test("surely allows what every outcome of unknown values allows, and possibly what some outcome allows", () => {
    fc.assert(
      fc.property(filters, (list) => {
        const { sure, possible } = allowedBy(list, portsOf(PORTS));
        for (const port of PORTS) {
          const all = outcomes(list, port);
          expect([port, isIn(sure, port)]).toEqual([port, all.size === 1 && all.has(Action.Allow)]);
          expect([port, isIn(possible, port)]).toEqual([port, !(all.size === 1 && all.has(Action.Deny))]);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("has at most one decision for each packet, with the packet's only outcome", () => {
    fc.assert(
      fc.property(filters, (list) => {
        const found = decisions(list, portsOf(PORTS));
        for (const port of PORTS) {
          const here = found.filter(({ packets: set }) => isIn(set, port));
          expect(here.length).toBeLessThanOrEqual(1);
          const [decision] = here;
          if (decision) expect([...outcomes(list, port)]).toEqual([decision.action]);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("has a decision for every packet if everything is known", () => {
    const known = filters.map((list) => [
      ...list.map(({ clauses, otherwise }) => ({
        clauses: clauses.map((one) => ({ ...one, possible: one.sure, actions: one.actions.slice(0, 1) })),
        otherwise,
      })),
      { clauses: [], otherwise: Action.Deny },
    ]);
    fc.assert(
      fc.property(known, (list) => {
        const all = portsOf(PORTS);
        const { sure, possible } = allowedBy(list, all);
        expect(equal(sure, possible)).toBe(true);
        const made = decisions(list, all);
        const allowing = made.filter(({ action }) => action === Action.Allow);
        expect(equal(unionAll(allowing.map(({ packets: set }) => set)), sure)).toBe(true);
        expect(equal(unionAll(made.map(({ packets: set }) => set)), all)).toBe(true);
      }),
    );
  });

  test("names unknown values if packets are undecided", () => {
    let doubtful = 0;
    fc.assert(
      fc.property(filters, (list) => {
        const ending = [...list, { clauses: [], otherwise: Action.Deny }];
        const { sure, possible } = allowedBy(ending, portsOf(PORTS));
        const undecided = difference(possible, sure);
        if (isEmpty(undecided)) return;
        doubtful++;
        expect(doubts(ending, undecided)).not.toEqual([]);
      }),
    );
    expect(doubtful).toBeGreaterThan(10);
  });

  test("applies its default action to all packets if a filter has no rules", () => {
    const { sure } = allowedBy([{ clauses: [], otherwise: Action.Allow }]);
    expect(equal(sure, EVERY_PACKET)).toBe(true);
    expect(contains(intersection(sure, EVERY_PACKET), portsOf(PORTS))).toBe(true);
  });
});
